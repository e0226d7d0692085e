package cosim

import (
	"slices"
	"testing"
)

// Where a wheel lands, lifts off or begins to roll, speeds jump. A multistep method starts again there, and only there.
func TestMultistepMethodsRestartAtContactChanges(t *testing.T) {
	r := loaded(t, "motorcycle2d", "", map[string]string{MethodVariable: "adams-bashforth"}, nil)
	in, changes := r.Instance, 0
	modes := func() (list []float64) {
		for _, c := range in.sys.program.Contacts {
			list = append(list, in.u[c.Mode])
		}
		return list
	}
	for range 5000 {
		before := modes()
		if err := in.Step(in.settings[stepSetting]); err != nil {
			t.Fatal(err)
		}
		changed := !slices.Equal(modes(), before)
		if changed {
			changes++
		}
		history := in.history()
		if begins := history[len(history)-1] == 0; begins != changed {
			t.Fatalf("at %g s a mode has changed: %v, the method begins again: %v", in.t, changed, begins)
		}
	}
	if changes == 0 {
		t.Error("no mode changes")
	}
}
