package cosim_test

import (
	"errors"
	"math"
	"slices"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// A step with an extreme input gives finite states, rates and outputs, or returns an error and leaves the instance
// unchanged: for single instances and in a fleet.
func TestExtremeInputsGiveFiniteNumbersOrAnError(t *testing.T) {
	testrun.Slow(t)
	names := []string{"fourwheel_pointmass", "motorcycle3d", "partial_vehicle3d", "generic4w_outside", "bicycle_rolling",
		"passenger_car"}
	if testrun.All() {
		names = nil
		for name := range shippedModels(t) {
			names = append(names, name)
		}
		slices.Sort(names)
	}
	rejected := 0
	for _, name := range names {
		sys := load(t, name, "")
		for _, v := range sys.Variables() {
			if v.Kind != cosim.Input {
				continue
			}
			for _, x := range []float64{-1e300, 1e75, 1e20} {
				// the first instance steps alone, the others in a fleet
				list := []*run{instance(t, sys, "rk4", 0.001), instance(t, sys, "rk4", 0.001), instance(t, sys, "rk4", 0.001)}
				for _, r := range list {
					r.start(noInput)
					if r.in.Set(r.variable(v.Name), x) != nil { // an input that must not be negative
						r.set(v.Name, -x)
					}
				}
				fleet, err := cosim.NewFleet(instancesOf(list[1:]))
				if err != nil {
					t.Fatal(err)
				}
				for range 5 {
					before := list[0].states()
					err := list[0].in.Step(0.001)
					inFleet := fleet.Step(0.001, 1)
					if (err != nil) != (inFleet[0] != nil) || (err != nil) != (inFleet[1] != nil) {
						t.Fatalf("%s, %s = %g: alone %v, in the fleet %v", name, v.Name, x, err, inFleet)
					}
					if err != nil {
						if rejected++; !errors.Is(err, cosim.ErrNotFinite) || !slices.Equal(before, list[0].states()) {
							t.Errorf("%s, %s = %g: %v", name, v.Name, x, err)
						}
						break
					}
					for _, o := range sys.Variables() {
						for _, r := range list[:2] {
							if y, err := r.in.Get(r.variable(o.Name)); err == nil && math.IsNaN(y-y) {
								t.Fatalf("%s, %s = %g: %s = %g and no error", name, v.Name, x, o.Name, y)
							}
						}
					}
				}
			}
		}
	}
	if rejected == 0 {
		t.Error("no step returned an error")
	}
}
