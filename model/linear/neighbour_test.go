package linear_test

import (
	"math"
	"testing"
)

// A bicycle has as many modes at the speed at which it begins to capsize as beside it. Its real eigenvalue passes through 0 there,
// so that it is as large in both directions at the same distance, but for its curvature, and smaller by far at the border.
func TestModesStayAtTheBorderOfStability(t *testing.T) {
	for _, c := range []struct {
		name       string
		low, high  float64 // between which it begins or ceases to capsize
		parameters map[string]float64
	}{{name: "bicycle", low: 6.02, high: 6.022}, {name: "bicycle_rolling", low: 6.02, high: 6.03}} {
		l := read(t, c.name)
		for name, v := range c.parameters {
			if err := l.Set(name, v); err != nil {
				t.Fatal(err)
			}
		}
		capsize := func(speed float64) (count int, value float64) {
			list := modes(t, at(t, l, "speed", speed))
			value = math.Inf(1)
			for _, m := range list {
				if imag(m.Value) == 0 && math.Abs(real(m.Value)) < math.Abs(value) {
					value = real(m.Value)
				}
			}
			return len(list), value
		}
		count, below := capsize(c.low)
		low, high := c.low, c.high
		for range 40 {
			middle := (low + high) / 2
			n, value := capsize(middle)
			if n != count {
				t.Fatalf("%s: %d modes at %.12g m/s, %d at %g m/s", c.name, n, middle, count, c.low)
			}
			if (value > 0) == (below > 0) {
				low = middle
			} else {
				high = middle
			}
		}
		if n, value := capsize(low); n != count || math.Abs(value) > 1e-6*math.Abs(below) {
			t.Errorf("%s: at %.12g m/s there are %d modes and the slowest is %g, %d and %g at %g m/s", c.name, low, n, value, count, below, c.low)
		}
	}
}
