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
