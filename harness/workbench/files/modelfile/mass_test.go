package modelfile

import (
	"math"
	"testing"

	"skidpad/harness/workbench/runs/manoeuvre"
)

// The mass of a car is the sum of the body and the four unsprung masses, with settings; lift does not count.
func TestMassOfAModelFile(t *testing.T) {
	const file = "../../../../resources/models/passenger_car.toml"
	for _, c := range []struct {
		set  []manoeuvre.Setting
		want float64
	}{
		{nil, 965.7 + 4*31.9},
		{[]manoeuvre.Setting{{Name: "sprung", Value: "1100"}, {Name: "tire_FL.model", Value: "Fiala"}}, 1100 + 4*31.9},
		{[]manoeuvre.Setting{{Name: "sprung", Value: "-5"}}, 0},
	} {
		if got := Mass(file, c.set); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%v: %g kg; want %g", c.set, got, c.want)
		}
	}
	for _, file := range []string{"car.fmu", "missing.toml"} {
		if got := Mass(file, nil); got != 0 {
			t.Errorf("%s: %g kg", file, got)
		}
	}
}
