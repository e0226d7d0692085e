package linear_test

import (
	"math"
	"math/cmplx"
	"testing"

	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// A pendulum on a free slider is held upright by a spring with k = m g l, just enough. Position and speed of the slider
// are cyclic. Angle and rate of the pendulum are not, although their eigenvalues are also 0: sqrt((m g l - k)/(m l^2))
// on both sides.
func TestPendulumAtBorderOfStability(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "Upright"
gravity = [0, 0, -10]
[component.track]
type = "prismatic"
from = "ground"
to = "sledge"
axis = "y"
[component.sledge]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 1, zz = 1 }
[component.pivot]
type = "revolute"
from = "ground"
to = "foot"
axis = "y"
[component.stick]
type = "rigid-arm"
from = "foot"
to = "head"
translation = [0, 0, 2]
[component.head]
type = "point-mass"
mass = 1.5
[component.spring]
type = "spring-damper"
joint = "pivot"
stiffness = 30
`), "upright.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []float64{29, 30 * (1 - 1e-13), 30, 31} {
		got := modes(t, at(t, l, "spring.stiffness", k))
		if len(got) != 2 {
			t.Errorf("stiffness %.15g: modes %v", k, got)
		}
		for _, m := range got {
			if want := math.Sqrt(math.Abs(30-k) / 6); math.Abs(cmplx.Abs(m.Value)-want) > 1e-7 {
				t.Errorf("stiffness %.15g: mode %v, want %g", k, m.Value, want)
			}
		}
	}
}

// A bicycle has as many modes at its capsize speed as beside it. Its real eigenvalue passes through 0 there. The
// eigenvalue is equally large at the same distance in both directions, up to its curvature, and much smaller at the
// border.
func TestModesStayAtTheBorderOfStability(t *testing.T) {
	for _, c := range []struct {
		name      string
		low, high float64 // between which it begins to capsize
	}{{"bicycle", 6.02, 6.022}, {"bicycle_rolling", 6.02, 6.03}} {
		l := read(t, c.name)
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
			t.Errorf("%s: at %.12g m/s there are %d modes and the slowest is %g, %d and %g at %g m/s", c.name, low, n, value,
				count, below, c.low)
		}
	}
}

// In independent states, the same at all speeds, a bicycle has the same modes as in all of its states, also at the
// capsize speed. A transfer function from the steer torque has as many poles there as beside it.
func TestMinimalFormsHaveTheModesOfAllStates(t *testing.T) {
	for _, c := range []struct {
		name   string
		border []float64 // at the last it begins to capsize
	}{{"bicycle", []float64{6.02, 6.02097, 6.020967}}, {"bicycle_rolling", []float64{6.02, 6.0242622, 6.02426222}}} {
		l := read(t, c.name)
		speeds := c.border
		for v := 1.75; v <= 20; v += 0.75 {
			speeds = append(speeds, v)
		}
		var systems []*linear.System
		for _, v := range speeds {
			systems = append(systems, at(t, l, "speed", v))
		}
		states, err := linear.Independent(systems...)
		if err != nil {
			t.Fatal(err)
		}
		var poles int
		for i, s := range systems {
			minimal, err := s.Minimal(states)
			if err != nil {
				t.Fatal(err)
			}
			want, got := modes(t, s), modes(t, minimal)
			if len(got) != len(want) {
				t.Errorf("%s at %.8g m/s: %d modes in independent states, %d in all", c.name, speeds[i], len(got), len(want))
			}
			if i >= len(c.border) {
				continue
			}
			h := transferOf(t, s, "steer.torque", "rear_frame.wx")
			if i == 0 {
				poles = len(h.Poles) + h.Cancelled
			} else if n := len(h.Poles) + h.Cancelled; n != poles {
				t.Errorf("%s at %.8g m/s: %d poles, cancelled or not, and %d at %g m/s", c.name, speeds[i], n, poles, speeds[0])
			}
		}
	}
}
