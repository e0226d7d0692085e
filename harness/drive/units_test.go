package drive

import (
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/manoeuvre"
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

// A signal whose unit is not that of the input it is for is refused with its place in the manoeuvre.
func TestUnitsOfInputs(t *testing.T) {
	for _, test := range []struct{ target, value, want string }{
		{`variables = ["drive.torque"]`, "2 kN.m", ""},
		{`variables = ["drive.torque"]`, "2 N", `a.toml:8:39: "value" is "2 N": N is not a unit for what must be in N.m`},
		{`variables = ["drive.other"]`, "2 N", ""},
		{`drivers = ["steer"]`, "2 deg", ""},
		{`drivers = ["steer"]`, "2 mm", `a.toml:8:39: "value" is "2 mm": mm is not a unit for what must be in rad`},
	} {
		m, err := manoeuvre.Parse("a.toml", []byte("name = \"a\"\ntitle = \"A\"\nmodels = [\"A\"]\nstep = 1\nduration = 1\n"+
			"[[input]]\n"+test.target+"\nsignal = { kind = \"constant\", value = \""+test.value+"\" }\n"))
		if err != nil {
			t.Fatal(err)
		}
		l := &measuredInputs{listener{inputs: []string{"steer.angle", "steer.rate", "steer.acceleration", "drive.torque",
			"drive.other"}, values: map[string]float64{}, rates: map[string]float64{}}}
		_, err = newInputDriver(l, m)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s = %s: %v, want %q", test.target, test.value, err, test.want)
		}
	}
}
