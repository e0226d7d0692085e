package rig_test

import (
	"testing"

	"skidpad/model/rig"
)

// From a neighbour on the curve, Newton's method finds each state in at most six steps.
func TestStepsFromANeighbour(t *testing.T) {
	const most = 6
	for _, c := range []struct{ file, options string }{
		{"corner_double_wishbone", ""},
		{"corner_double_wishbone", `joints = "bushings"`},
		{"corner_macpherson", `joints = "bushings"`},
		{"corner_five_link", `joints = "bushings"` + "\n" + `steered = "yes"`},
	} {
		r, err := rig.New(shippedAxle(t, corners(c.file, c.options)), rig.Options{Axle: 1})
		if err != nil {
			t.Fatal(err)
		}
		states, steps := 0, 0
		for _, test := range rig.Tests {
			curve, missing, err := r.Curve(test, false)
			if err != nil || missing != "" || len(curve.Ends) > 0 {
				t.Fatal(c, test, missing, err, curve)
			}
			for i, s := range curve.States {
				states, steps = states+1, max(steps, s.Steps)
				if s.Steps > most {
					t.Errorf("%v, %s at %v: %d steps", c, test, curve.At[i], s.Steps)
				}
			}
		}
		if states < 200 || steps < 2 {
			t.Errorf("%v: %d states, at most %d steps", c, states, steps)
		}
	}
}
