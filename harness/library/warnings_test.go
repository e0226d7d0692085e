package library

import (
	"reflect"
	"testing"

	"skidpad/harness/tests/built"
)

// The table of warnings is the same where C makes the steps and where the core does, to the last bit. A vehicle that
// falls has rows whose numbers fit its recording.
func TestTableOfWarningsEqualsTheCore(t *testing.T) {
	l, err := Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, method := range []string{"euler", "rk4", "linearly-implicit"} {
		var tables [2][]Warning
		for k, code := range []string{"native", "portable"} {
			v, err := l.Load(built.Path("resources", "models", "passenger_car.toml"), "")
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			for name, value := range map[string]string{"solver.method": method, "solver.code": code} {
				if err := v.SetText(name, value); err != nil {
					t.Fatal(err)
				}
			}
			if err := v.SetNamed("body.z", 1.4); err != nil {
				t.Fatal(err)
			}
			if err := v.Initialise(); err != nil {
				t.Fatal(err)
			}
			load, err := v.References("tire_FL.Fz")
			if err != nil {
				t.Fatal(err)
			}
			most, at := 0.0, []float64{0}
			for n := range 600 {
				if err := v.Step(0.001); err != nil {
					break // the method euler comes to no end here
				}
				if err := v.Get(load, at); err != nil {
					t.Fatal(err)
				}
				if n > 0 && at[0] > most {
					most = at[0]
				}
			}
			if tables[k], err = v.Warnings(); err != nil {
				t.Fatal(err)
			}
			found := false
			for _, w := range tables[k] {
				if w.Subject == "tire_FL" && w.Quantity == "Fz" {
					found = *w.High == 9000 && w.Count > 0 && w.First < w.When &&
						(method == "linearly-implicit" || *w.Worst == most)
				}
			}
			if !found {
				t.Errorf("%s, %s: with a load of %g N the table has no such row of tire_FL: %+v", method, code, most, tables[k])
			}
			if err := v.Reset(); err != nil {
				t.Fatal(err)
			}
			if err := v.Initialise(); err != nil {
				t.Fatal(err)
			}
			if again, err := v.Warnings(); err != nil || again != nil {
				t.Errorf("%s, %s: after a reset there is %+v, %v", method, code, again, err)
			}
		}
		if !reflect.DeepEqual(tables[0], tables[1]) {
			t.Errorf("%s: where C makes the steps the table is\n%+v\nand in the core\n%+v", method, tables[0], tables[1])
		}
	}
}
