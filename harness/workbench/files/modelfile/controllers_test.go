package modelfile

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

const softBrakes = `kind = "subsystem"
title = "Soft brakes"
[parameters]
limit = { value = 1000, unit = "N.m" }
[component.brakes]
type = "sampled-equations"
sample = "10 ms"
inputs = [
  { name = "pedal", unit = "N.m", from = "@brake" },
  { name = "spin", unit = "rad/s", from = "@wheel[1L].omega" },
]
outputs = [{ name = "torque", unit = "N.m", value = "min(pedal, limit)", to = ["@brake"] }]
`

// written writes a file and returns its path.
func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// A controller joins a vehicle of any folder, which keeps its name. Of two controllers between the driver and the
// brakes the last one is next to the driver. The sources are the files of the vehicle and of the controllers, and
// nothing stays behind.
func TestControllersJoinAVehicle(t *testing.T) {
	const shipped = "../../../../resources/models/passenger_car.toml"
	soft, hard := written(t, "soft.toml", softBrakes), written(t, "ab-c 1.toml", softBrakes)
	for _, model := range []string{shipped, "skidpad:/models/passenger_car.toml"} {
		c, err := WithControllers(model, []string{soft, hard})
		if err != nil {
			t.Fatal(err)
		}
		m, err := vehicle.Read(c.Path)
		if err != nil {
			t.Fatal(err)
		}
		before, err := vehicle.Read(model)
		if err != nil {
			t.Fatal(err)
		}
		if m.Name != before.Name || m.Title != before.Title || len(m.Components) != len(before.Components)+2 {
			t.Errorf("the vehicle is %q, %q with %d components", m.Name, m.Title, len(m.Components))
		}
		if inputs := m.Roles.Brake[0].Inputs; !slices.Equal(inputs, []string{"brakes_ab_c_1.pedal"}) {
			t.Errorf("the driver brakes by %q", inputs)
		}
		own, err := Sources(model)
		if err != nil {
			t.Fatal(err)
		}
		sources, err := c.Sources()
		if want := append(own, soft, hard); err != nil || !slices.Equal(sources, want) {
			t.Errorf("the sources are %q, %v; want %q", sources, err, want)
		}
		renamed := c.Renamed(errors.New("x; used by " + c.Path + ":4:6 (use soft)"))
		if renamed.Error() != "x; used by "+model+" with --controller (use soft)" {
			t.Error(renamed)
		}
		if err := c.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(c.Path); err == nil {
			t.Errorf("%s stays", c.Path)
		}
	}
	if !ActsAtSamples(soft) || ActsAtSamples(shipped) || ActsAtSamples("none.toml") {
		t.Error("the soft brakes act at samples, the car does not")
	}
	without, err := WithControllers(shipped, nil)
	if err != nil || without.Path != shipped || without.Close() != nil {
		t.Errorf("without controllers the vehicle is %+v, %v", without, err)
	}
}

// A file that is no subsystem, or that roles alone do not connect, is refused with its place and the remedy. FMUs of
// other tools, and names that a vehicle has, are refused, too.
func TestControllersThatAreRefused(t *testing.T) {
	const car = "../../../../resources/models/passenger_car.toml"
	other := packed(t, map[string]string{"modelDescription.xml": "<x/>"})
	for _, c := range []struct{ model, name, text, want string }{
		{car, "a.toml", strings.TrimPrefix(softBrakes, "kind = \"subsystem\"\n"),
			`a.toml:1:1: --controller takes a subsystem file; write kind = "subsystem"`},
		{car, "a.toml", strings.Replace(softBrakes, "\"subsystem\"", "\"system\"", 1),
			`a.toml:1:1: --controller takes a subsystem file; write kind = "subsystem"`},
		{car, "a.toml", strings.Replace(softBrakes, "[param", "frames = [\"wheel\"]\n[param", 1),
			`a.toml:3:1: --controller connects a file by roles such as @brake, and the file wants frames; put it into a model`},
		{car, "a.toml", strings.Replace(softBrakes, "value = 1000, ", "", 1),
			`a.toml:4:9: --controller gives no parameters, and limit has no value; write a value`},
		{car, "F.toml", softBrakes, `passenger_car.toml has [use.F] already; give the file another name`},
		{car, "a.toml", "a = [", "a.toml:1"},
		{other, "a.toml", softBrakes, `has no model file of Skidpad, resources/model.toml, into which a controller could ` +
			`be put; use a law of [[feedback]]`},
		{"none.toml", "a.toml", softBrakes, "none.toml"},
	} {
		if made, err := WithControllers(c.model, []string{written(t, c.name, c.text)}); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v; want %q", c.name, made, err, c.want)
		}
	}
	if _, err := WithControllers(car, []string{"none.toml"}); err == nil || !strings.Contains(err.Error(),
		"--controller: open none.toml") {
		t.Error(err)
	}
	soft := written(t, "soft.toml", softBrakes)
	if _, err := WithControllers(car, []string{soft, soft}); err == nil || !strings.Contains(err.Error(),
		"the vehicle with --controller "+soft+" has [use.soft] already") {
		t.Error(err)
	}
}
