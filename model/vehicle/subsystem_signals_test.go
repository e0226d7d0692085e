package vehicle_test

import (
	"slices"
	"testing"

	"skidpad/model/component"
)

// The inputs that a component of a subsystem drives are those of the instance, or of the component that the user gives.
func TestInputsThatSubsystemsDriveBelongToTheInstance(t *testing.T) {
	const model = `name = "Two"
[component.mass]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.lever]
type = "equations"
inputs = [{ name = "left", unit = "1" }, { name = "right", unit = "1" }]
outputs = [{ name = "sum", unit = "1", value = "left + right" }]
[use.F]
file = "parts/law.toml"
frames = { lever = "lever" }
`
	const law = `kind = "subsystem"
frames = ["lever"]
[component.gauge]
type = "equations"
inputs = [{ name = "reading", unit = "1" }, { name = "other", unit = "1" }]
outputs = [{ name = "double", unit = "1", value = "2*reading" }]
[component.law]
type = "sampled-equations"
sample = 0.01
states = [{ name = "count", unit = "1", next = "count + 1", to = ["gauge.reading", "lever.left"] }]
outputs = [{ name = "last", unit = "1", value = "count", to = ["lever.right", "gauge.other"] }]
`
	m, err := subsystemModel(model, map[string]string{"parts/law.toml": law})
	if err != nil {
		t.Fatal(err)
	}
	c := m.Scope().Find("law_F").(*component.SampledEquations)
	var got []string
	for _, v := range append(c.States, c.Outputs...) {
		for _, to := range v.To {
			got = append(got, to.Name)
		}
	}
	want := []string{"gauge_F.reading", "lever.left", "lever.right", "gauge_F.other"}
	if !slices.Equal(got, want) {
		t.Errorf("drives %q, want %q", got, want)
	}
}

// In a formula of a subsystem, a name of both a parameter and a variable or a mode of the component is an error at the
// formula. Formulas in a use have the same rule. Formulas of other components can use the name.
func TestVariablesAndParametersOfOneNameAreRejected(t *testing.T) {
	const model = `name = "Two"
[component.mass]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[use.F]
file = "parts/law.toml"
parameters = { charge = 2 }
`
	const law = `kind = "subsystem"
[parameters]
charge = { unit = "1" }
[component.law]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "in", unit = "1" }]
states = [{ name = "state", unit = "1", next = "state + in*charge" }]
modes = [{ mode = "rest", condition = "in > 1", next = "go" }, { mode = "go", condition = "in < 1", next = "rest" }]
outputs = [{ name = "out", unit = "1", value = "in" }]
[component.rest]
type = "equations"
inputs = [{ name = "given", unit = "1" }]
states = [{ name = "sum", unit = "1", rate = "given" }]
outputs = [{ name = "charge", unit = "1", value = "law.out" }]
`
	if _, err := subsystemModel(model, map[string]string{"parts/law.toml": law}); err != nil {
		t.Errorf("charge of law and rest: %v", err)
	}
	ambiguous := func(place, list string) string {
		return place + ": the formula names charge, which is a parameter of this file and one of the " + list +
			" of the component; a name in a formula has one meaning, give one of the two another name; used by ..."
	}
	for _, c := range []struct{ old, by, want string }{
		{`"in", unit`, `"charge", unit`, ambiguous("parts/law.toml:8:48", "inputs")},
		{`"state", unit`, `"charge", unit`, ambiguous("parts/law.toml:8:49", "states")},
		{`{ mode = "go"`, `{ mode = "charge"`, ambiguous("parts/law.toml:8:48", "modes")},
		{`"out", unit`, `"charge", unit`, ambiguous("parts/law.toml:8:48", "outputs")},
		{`rate = "given"`, `rate = "given + charge"`, ambiguous("parts/law.toml:14:46", "outputs")},
	} {
		_, err := subsystemModel(model, map[string]string{"parts/law.toml": edited(t, law, c.old, c.by)})
		if err == nil || !alike(err.Error(), c.want) && !alike(err.Error(), c.want+"\n...") {
			t.Errorf("%s: got\n%v\nwant\n%s", c.by, err, c.want)
		}
	}
	given := model + `component.rest = { outputs = [{ name = "charge", unit = "1", value = "law.out + charge" }] }
`
	_, err := subsystemModel(given, map[string]string{"parts/law.toml": law})
	if want := ambiguous("car.toml:9:70", "outputs"); err == nil || !alike(err.Error(), want) {
		t.Errorf("given by the use: got\n%v\nwant\n%s", err, want)
	}
}
