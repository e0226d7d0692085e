package signal

import (
	"math"
	"testing"
)

// Sine with dwell lasts 1.9286 s, has no jumps, and turns the wheel longer to the second side, by the dwell at the
// peak.
func TestSineWithDwellHoldsItsSecondPeak(t *testing.T) {
	s := SineWithDwell{Amplitude: 2, Frequency: 0.7, Dwell: 0.5}
	const h = 1e-5
	first, second, last := 0.0, 0.0, 0.0
	end := 0.0
	for i := range 250000 {
		x, _, _ := s.At(float64(i) * h)
		if math.Abs(x-last) > 2*2*math.Pi*0.7*h*1.001 {
			t.Fatalf("a jump from %g to %g at %g s", last, x, float64(i)*h)
		}
		if x > 0 {
			first += x * h
		} else {
			second -= x * h
		}
		if last = x; x != 0 {
			end = float64(i+1) * h
		}
	}
	if math.Abs(second-first-2*0.5) > 1e-4 || math.Abs(first-2/(math.Pi*0.7)) > 1e-4 || math.Abs(end-1.9286) > 1e-4 {
		t.Errorf("areas %g and %g, end at %g s", first, second, end)
	}
}

// Rates are derivatives, also where a chirp begins again.
func TestChirpRatesAreDerivatives(t *testing.T) {
	c := Chirp{Amplitude: 0.3, First: 0.5, Last: 3.5, Period: 2}
	const h = 1e-5
	for time := 0.1; time < 5; time += 0.237 {
		before, _, _ := c.At(time - h)
		value, rate, acceleration := c.At(time)
		after, _, _ := c.At(time + h)
		if math.Abs((after-before)/(2*h)-rate) > 1e-5 || math.Abs((after-2*value+before)/(h*h)-acceleration) > 1e-3 {
			t.Errorf("at %g s: rate %g, acceleration %g", time, rate, acceleration)
		}
	}
	if x, _, _ := c.At(2 - 1e-9); math.Abs(x) > 1e-6 {
		t.Errorf("before it begins again it is %g", x)
	}
}

// A step is taken at the communication point that is meant, however it was added up.
func TestStepsAreTakenAtRoundedTimes(t *testing.T) {
	s := Steps{Time: []float64{0.3, 1}, Value: []float64{2, -1}}
	for _, c := range []struct{ time, want float64 }{{0, 0}, {0.299, 0}, {math.Nextafter(0.3, 0), 2}, {0.3, 2},
		{0.999, 2}, {1 - 1e-12, -1}, {5, -1}} {
		if value, rate, acceleration := s.At(c.time); value != c.want || rate != 0 || acceleration != 0 {
			t.Errorf("at %v s: %g, %g, %g; the value is %g", c.time, value, rate, acceleration, c.want)
		}
	}
}
