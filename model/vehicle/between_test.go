package vehicle

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
)

// variantWith reads a variant of a shipped model with more components.
func variantWith(t *testing.T, base, components string) *Model {
	t.Helper()
	file := filepath.Join(t.TempDir(), "variant.toml")
	text := "base = \"" + base + "\"\nname = \"Variant\"\ntitle = \"Variant\"\n" + components
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// drives lists what the outputs of a component drive, and reads lists its inputs without a source.
func drives(m *Model, name string) (to, free []string) {
	c, _ := component.Named[*component.SampledEquations](component.NewScope(m.Components), name)
	for _, v := range slices.Concat(c.States, c.Outputs) {
		for _, r := range v.To {
			to = append(to, r.Name)
		}
	}
	for _, v := range c.Inputs {
		if v.From.Name == "" {
			free = append(free, v.Name)
		}
	}
	return to, free
}

const limiter = `
[component.%]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "pedal", unit = "1", from = "@throttle" }, { name = "again", unit = "1", from = "@throttle" }]
outputs = [{ name = "throttle", unit = "1", value = "min(pedal, 0.5)", to = ["@throttle"] }]
`

// A component that reads a role and drives it stands between the driver and the vehicle. Two of them are a chain, the
// later one next to the driver; another component that only drives the role acts as the driver does.
func TestControllersBetweenDriverAndVehicle(t *testing.T) {
	text := func(name string) string { return strings.ReplaceAll(limiter, "%", name) }
	m := variantWith(t, "passenger_car", `
[component.cruise]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "wish", unit = "m/s" }, { name = "speed", unit = "m/s", from = "@chassis.vx" }]
outputs = [{ name = "throttle", unit = "1", value = "wish - speed", to = ["@throttle"] }]
`+text("slow")+text("slower"))
	for name, want := range map[string][2][]string{
		"slow": {{"engine.throttle"}, {"pedal"}}, "slower": {{"slow.pedal"}, {"pedal"}},
		"cruise": {{"slower.pedal"}, {"wish"}},
	} {
		if to, free := drives(m, name); !slices.Equal(to, want[0]) || !slices.Equal(free, want[1]) {
			t.Errorf("%s drives %q and has the inputs %q; want %q", name, to, free, want)
		}
	}
	if inputs := m.Roles.Throttle.Inputs; !slices.Equal(inputs, []string{"slower.pedal"}) {
		t.Errorf("the throttle of the driver is %q", inputs)
	}
	if m.Roles.Throttle.Open != 1 || m.Roles.Brake[0].Inputs[0] != "brakes.torque" {
		t.Error("other roles, or other keys of the role, have changed")
	}
}

// A role of several inputs with one value drives all of them. A start value that roles give the input of the role
// belongs to the input in its place.
func TestControllersDriveAllInputsOfARole(t *testing.T) {
	m := variantWith(t, "generic4w", `
[roles.start]
"drive_RL.torque" = 7
[component.limit]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "pedal", unit = "N.m", from = "@throttle" }]
outputs = [
  { name = "torque", unit = "N.m", value = "min(pedal, 50)", to = ["@throttle"] },
  { name = "brake", unit = "N.m", value = "max(0, 50 - pedal)", to = ["brake_FL.torque"] },
]
`)
	to, _ := drives(m, "limit")
	if want := []string{"drive_RL.torque", "drive_RR.torque", "brake_FL.torque"}; !slices.Equal(to, want) {
		t.Errorf("the controller drives %q; want %q", to, want)
	}
	if r := m.Roles; !slices.Equal(r.Throttle.Inputs, []string{"limit.pedal"}) || r.Throttle.Open != 600 ||
		r.Start.Field("limit.pedal") == nil || r.Start.Field("drive_RL.torque") != nil {
		t.Errorf("the roles are %+v with start values %v", r.Throttle, r.Start)
	}
}
