package vehicle_test

import (
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

const limiterFile = `kind = "subsystem"
title = "limits of pedal & throttle, 2 parts"
[parameters]
most = { value = 0.5, unit = "1", text = "largest opening", share = true }
[component.watch]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "v", unit = "m/s", from = "@chassis.vx" }, { name = "pedal", unit = "1", from = "@throttle" }]
outputs = [{ name = "fast", unit = "1", value = "v*pedal" }]
[component.cruise]
type = "sampled-equations"
sample = 0.01
outputs = [{ name = "wish", unit = "1", value = "2", to = ["@throttle", "@brake"] }]
[component.first]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "pedal", unit = "1", from = "@throttle" }, { name = "v", unit = "m/s", from = "@chassis.vx" }]
outputs = [{ name = "throttle", unit = "1", value = "min(pedal, most)", to = ["@throttle"] }]
[component.second]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "pedal", unit = "1", from = "@throttle" }, { name = "again", unit = "1", from = "@throttle" }]
states = [{ name = "throttle", unit = "1", next = "pedal + again", to = ["@throttle"] }]
[exports]
limit = "first.throttle"
`

// A subsystem file alone is a model whose roles are open. A chain between driver and vehicle stays a chain, and
// components that read one role have one input.
func TestSubsystemAloneIsAModelWithOpenRoles(t *testing.T) {
	m, err := subsystemModel(limiterFile, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "LimitsOfPedalThrottle2Parts" || m.Parameters[0].Name != "most" || m.Parameters[0].Value.Value != 0.5 {
		t.Errorf("the model is called %s, with the parameters %v", m.Name, m.Parameters)
	}
	got := map[string]string{}
	for _, name := range []string{"watch", "first", "second", "cruise"} {
		c, _ := component.Named[*component.SampledEquations](m.Scope(), name)
		var list []string
		for _, v := range c.Inputs {
			list = append(list, v.Name+"<-"+v.From.Name)
		}
		for _, v := range slices.Concat(c.States, c.Outputs) {
			for _, to := range v.To {
				list = append(list, v.Name+"->"+to.Name)
			}
		}
		got[name] = strings.Join(list, " ")
	}
	for name, want := range map[string]string{
		"watch":  "v<- pedal<-second.pedal",
		"first":  "pedal<- v<-watch.v", // next to the vehicle: its output is one of the model
		"second": "pedal<- again<-second.pedal throttle->first.pedal",
		"cruise": "wish->second.pedal",
	} {
		if got[name] != want {
			t.Errorf("%s: %q, want %q", name, got[name], want)
		}
	}
	f, err := formulate.New(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var inputs []string
	for _, i := range f.Inputs {
		inputs = append(inputs, i.Name)
	}
	if !slices.Equal(inputs, []string{"watch.v"}) {
		t.Errorf("the inputs are %q", inputs)
	}
}

// A file that needs more than roles, and a file that would be no subsystem in a model, have one message each.
func TestSubsystemsThatAreNoModels(t *testing.T) {
	for _, c := range []struct{ old, by, want string }{
		{"[parameters]", "frames = [\"wheel\"]\n[parameters]",
			"car.toml:3:1: the file is a subsystem with frames, which a model gives by [use.NAME]; ..."},
		{"[parameters]", "options = { joints = [\"ideal\", \"bushings\"] }\n[parameters]",
			"car.toml:3:...: the file is a subsystem with options, ..."},
		{"[parameters]", "nodes = [\"a\"]\n[parameters]", "car.toml:3:1: the file is a subsystem with nodes, ..."},
		{"value = 0.5, ", "", "car.toml:4:8: the file is a subsystem, and its parameter most has no value; ..."},
		{"limits of pedal & throttle, 2 parts", "2 & 3", "car.toml:2:9: the file is a subsystem, and as a model of its own " +
			"it is called like its title; write a title with letters, ..."},
		{"title =", "source =", "...: the file is a subsystem, and as a model of its own it is called like its title; ..."},
		{"[parameters]", "gravity = 3\n[parameters]",
			`car.toml:3:11: unknown key "gravity" in the subsystem file; a model has it`},
		{"[parameters]", "base = \"m.toml\"\n[parameters]", `car.toml:3:8: unknown key "base" in the subsystem file; ...`},
		{"v*pedal", "v*pedals", `car.toml:9:...pedals...`},
	} {
		_, err := subsystemModel(edited(t, limiterFile, c.old, c.by), map[string]string{"m.toml": "name = \"M\""})
		if err == nil {
			t.Errorf("%q is accepted", c.by)
		} else if !alike(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got\n%s\nwant\n%s", c.by, err, c.want)
		}
	}
	_, err := subsystemModel("base = \"part.toml\"\nname = \"M\"\ntitle = \"M\"\n",
		map[string]string{"part.toml": limiterFile})
	if want := `part.toml:1:8: the file is a subsystem, which is a part of a model; a model uses it by [use.NAME] with ` +
		`file = "part.toml"`; err == nil || err.Error() != want {
		t.Errorf("a subsystem as a base: %v", err)
	}
}

// Uses of a subsystem file that is a model stay.
func TestSubsystemAloneUsesOthers(t *testing.T) {
	m, err := vehicle.Parse([]byte(`kind = "subsystem"
title = "Pair"
[use.A]
file = "parts/limiter.toml"
[use.B]
file = "parts/limiter.toml"
`), "pair.toml", inMemory(map[string]string{"parts/limiter.toml": limiterFile}))
	if err != nil {
		t.Fatal(err)
	}
	c, _ := component.Named[*component.SampledEquations](m.Scope(), "second_B")
	if to := c.States[0].To; len(to) != 1 || to[0].Name != "first_B.pedal" {
		t.Errorf("second_B drives %v", to)
	}
	c, _ = component.Named[*component.SampledEquations](m.Scope(), "first_B")
	if to := c.Outputs[0].To; len(to) != 1 || to[0].Name != "second_A.pedal" {
		t.Errorf("first_B drives %v", to)
	}
}
