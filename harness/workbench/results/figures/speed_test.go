package figures

import (
	"math"
	"testing"
)

// A speed that comes to the wanted one as e = (1 - t) exp(-t) goes beyond it by exp(-2) of the change, 2 s after the
// jump. It makes 0.9 of the change where (1 - t) exp(-t) = 0.1, at 0.78152 s. Backwards, the same.
func TestSpeedChangesOfAClosedForm(t *testing.T) {
	time := times(22)
	for _, c := range []struct{ from, to float64 }{{20, 30}, {-1, -3}} {
		r := record(time, Phase{"hold", 0, 2}, Phase{"up", 2, 12}, Phase{"down", 12, 22})
		r.Speed = of(time, func(t float64) float64 {
			e := func(t float64) float64 { return (1 - t) * math.Exp(-t) }
			switch {
			case t < 2:
				return c.from
			case t <= 12:
				return c.to - (c.to-c.from)*e(t-2)
			}
			return c.from + (c.to-c.from)*e(2*(t-12))
		})
		list := speedChanges.Run(r, &speedOptions{from: c.from, to: c.to})
		size := math.Abs(c.to - c.from)
		up, down := pick(t, list, "overshoot_up"), pick(t, list, "overshoot_down")
		near(t, "overshoot up", up.Value, size*math.Exp(-2), 1e-6)
		near(t, "its time", up.Time, 4, 1e-3)
		near(t, "overshoot down", down.Value, size*math.Exp(-2), 1e-6)
		near(t, "its time", down.Time, 13, 1e-3)
		near(t, "rise up", pick(t, list, "rise_up").Value, 0.78152, 1e-4)
		near(t, "rise down", pick(t, list, "rise_down").Value, 0.78152/2, 1e-3)
		near(t, "deviation", pick(t, list, "deviation_up").Value+1, 1-(c.to-c.from)*-9*math.Exp(-10), 1e-6)
	}
}

// A vehicle that does not reach the wanted speed has no time of its rise, and no overshoot.
func TestSpeedChangesThatAreNotReached(t *testing.T) {
	time := times(10)
	r := record(time, Phase{"up", 0, 10})
	r.Speed = of(time, func(t float64) float64 { return 20 - 10*t })
	list := speedChanges.Run(r, &speedOptions{from: 20, to: 30})
	if f := pick(t, list, "overshoot_up"); f.Value != 0 {
		t.Errorf("overshoot of a vehicle that gets slower: %+v", f)
	}
	near(t, "deviation", pick(t, list, "deviation_up").Value, -110, 1e-9)
	for _, id := range []string{"rise_up", "overshoot_down"} {
		if f := pick(t, list, id); f.Missing == "" {
			t.Errorf("%+v", f)
		}
	}
	if f := pick(t, speedChanges.Run(r, &speedOptions{from: 20, to: 20}), "overshoot_up"); f.Missing == "" {
		t.Errorf("no change: %+v", f)
	}
}
