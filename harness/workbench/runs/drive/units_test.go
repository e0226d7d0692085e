package drive

import (
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// measuredInputs is a subject whose inputs have units.
type measuredInputs struct{ listener }

func (m *measuredInputs) Find(name string) (library.Variable, error) {
	v, err := m.listener.Find(name)
	switch {
	case strings.HasSuffix(name, ".angle"):
		v.Unit = "rad"
	case strings.HasSuffix(name, ".torque"):
		v.Unit = "N.m"
	}
	return v, err
}

func (m *measuredInputs) References(names ...string) ([]uint32, error) {
	return make([]uint32, len(names)), nil
}

func newMeasuredInputs() *measuredInputs {
	return &measuredInputs{listener{inputs: []string{"steer.angle", "steer.rate", "steer.acceleration", "drive.torque",
		"drive.other"}, values: map[string]float64{}, rates: map[string]float64{}}}
}

// A signal with a unit that differs from the unit of its input is rejected with its position in the manoeuvre.
func TestUnitsOfInputs(t *testing.T) {
	for _, test := range []struct{ target, value, want string }{
		{`variables = ["drive.torque"]`, "2 kN.m", ""},
		{`variables = ["drive.torque"]`, "2 N", `a.toml:8:39: "value" is "2 N": N is not a unit for what must be in N.m`},
		{`variables = ["drive.other"]`, "2 N", ""},
		{`drivers = ["steer"]`, "2 deg", ""},
		{`drivers = ["steer"]`, "2 mm", `a.toml:8:39: "value" is "2 mm": mm is not a unit for what must be in rad`},
	} {
		m, err := manoeuvre.Parse("a.toml", []byte(`name = "a"
title = "A"
models = ["A"]
step = 1
duration = 1
[[input]]
`+test.target+`
signal = { kind = "constant", value = "`+test.value+"\" }\n"))
		if err != nil {
			t.Fatal(err)
		}
		_, err = newInputDriver(newMeasuredInputs(), m, nil)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s = %s: %v, want %q", test.target, test.value, err, test.want)
		}
	}
}

// The bound of a condition has the unit of the variable that forms the whole formula, alone or as abs().
func TestUnitsOfConditions(t *testing.T) {
	for _, test := range []struct{ formula, bound, want string }{
		{"abs(steer.angle)", "3 deg", ""},
		{"abs(steer.angle)", "3 m", `"above" is "3 m": m is not a unit for what must be in rad`},
		{"drive.torque", "3 kg", `"above" is "3 kg": kg is not a unit for what must be in N.m`},
		{"drive.torque/2", "3 kg", ""},
		{"2*drive.torque", "3 kg", ""},
	} {
		c, err := manoeuvre.ParseEndAt(`{ formula = "`+test.formula+`", above = "`+test.bound+`" }`, nil)
		if err != nil {
			t.Fatal(err)
		}
		_, err = newWatch(newMeasuredInputs(), c.When)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s above %s: %v, want %q", test.formula, test.bound, err, test.want)
		}
	}
}
