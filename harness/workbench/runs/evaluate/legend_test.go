package evaluate

import (
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// Legends give what varies in the unit of the manoeuvre file.
func TestLegendsHaveTheUnitsOfTheManoeuvre(t *testing.T) {
	for name, want := range map[string]string{
		"fishhook": "side=-1, speed=47.5 mph", "car_trailer_snaking": "speed=35 m/s", "steering_release": "lateral=3 m/s2",
		"brake_in_turn":                     "deceleration=5 m/s2",
		"tractor_semitrailer_brake_in_turn": "deceleration=6 m/s2",
	} {
		model := "passenger_car_free"
		if strings.HasPrefix(name, "tractor") {
			model = "tractor_semitrailer"
		}
		target, err := modelfile.Target(built.Model(model), "")
		if err != nil {
			t.Fatal(err)
		}
		m, err := manoeuvre.ReadFor(target, built.Manoeuvre(name))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, varied := range combinations(m.Sweep, nil) {
			found = found || legend(varied) == want
		}
		if !found {
			t.Errorf("%s has no run %q", name, want)
		}
	}
}
