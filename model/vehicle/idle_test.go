package vehicle_test

import (
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// Values without effect are warnings: the usual cause is a misspelt name.
func TestNamesWithoutEffect(t *testing.T) {
	const load = `[component.cargo]
type = "rigid-body"
mass = 80
inertia = { xx = 9, yy = 9, zz = 9 }
`
	for _, c := range []struct {
		name    string
		changes []string
		want    string // the only warning holds it; "" where there is none
	}{
		{"a parameter", []string{"gravity = 9.81", `gravity = 9.81
[parameters]
front = { value = "1.2 m", text = "frond axle" }
frond = { value = "1.3 m" }`, "x = 1.2", `x = "front"`},
			"plain.toml:5:9: nothing uses the parameter frond, so that its value has no effect; did you mean \"front\"?"},
		{"a parameter of a group", []string{"gravity = 9.81", `gravity = 9.81
[parameters.car]
front = { value = "1.2 m" }
bonnet = { value = "1.3 m" }`, "x = 1.2", `x = "car.front"`},
			"plain.toml:5:10: nothing uses the parameter car.bonnet, so that its value has no effect; did you mean \"car.fro"},
		{"a parameter of a quantity", []string{"gravity = 9.81", `gravity = 9.81
[parameters]
lever = { value = "1.3 m" }
[quantities]
"moment" = { value = "lever*tire_FL.Fz", unit = "N.m" }`}, ""},
		{"a parameter of a template", []string{`x = { unit = "m" }`, "x = { unit = \"m\" }\nheight = { value = \"1 m\" }"},
			"corner.toml:7:10: nothing in the file uses its parameter height"},
		{"a parameter of a template that a change of it names", []string{`x = { unit = "m" }`,
			"x = { unit = \"m\" }\nheight = { value = -0.3, unit = \"m\" }", "parameters = { x = 1.2 }",
			`parameters = { x = 1.2 }
[use.F.component.place]
translation = ["x", "half_track", "height"]`}, ""},
		{"a parameter called like a unit", []string{"gravity = 9.81",
			`gravity = 9.81
[parameters]
kg = { value = 1, unit = "kg" }`},
			"nothing uses the parameter kg, so that its value has no effect; name it in a formula, or leave it out"},
		{"a parameter for what a template does not use", []string{`x = { unit = "m" }`,
			"x = { unit = \"m\" }\nheight = { value = \"1 m\" }", "gravity = 9.81",
			`gravity = 9.81
[parameters]
front = { value = "1.2 m" }`, "x = 1.2", `x = 1.2, height = "front"`},
			"corner.toml:7:10: nothing in the file uses its parameter height"},
		{"a wheel without its bearing", []string{"[use.R]", `[component.wheel_FR]
remove = true
[use.R]`},
			`nothing holds the tire tire_FR: no joint, arm, spring or load names its frame "tire_FR"`},
		{"a second road", []string{"gravity = 9.81", `gravity = 9.81
[component.hills]
type = "terrain"`},
			`plain.toml:3:12: nothing rolls on the terrain hills: tires are on "road"; give it to tires, road = "hills"`},
		{"a body that is not held", []string{"gravity = 9.81", "gravity = 9.81\n" + load},
			`plain.toml:3:12: nothing holds the rigid-body cargo: no joint, arm, spring or load names its frame "cargo"`},
		{"a body that an arm holds", []string{"[use.F]", load + `[component.hold]
type = "rigid-arm"
from = "body"
to = "cargo"
translation = [0, 0, 0.1]
[use.F]`}, ""},
	} {
		m, err := parsePlain(t, c.changes...)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		said := strings.Join(m.Warnings, "\n")
		if !strings.Contains(said, c.want) || c.want == "" && said != "" || strings.Contains(said, "\n") {
			t.Errorf("%s: %s; want %s", c.name, said, c.want)
		}
	}
}

// A variant with a parameter that its base lacks changes nothing, so it is a warning. A parameter that the base no
// longer uses is not an error of the variant.
func TestParametersOfVariantsWithoutEffect(t *testing.T) {
	base := strings.Replace(strings.Replace(plainCar, `"1200 kg"`, `"sprung"`, 1), "gravity = 9.81",
		`gravity = 9.81
[parameters]
sprung = { value = "1200 kg" }`, 1)
	shipped := vehicle.Opener("../../resources/models/plain.toml")
	for variant, want := range map[string]string{
		"[parameters]\nsprang = { value = \"1300 kg\" }": "heavy.toml:4:10: nothing uses the parameter sprang, so that its " +
			"value has no effect; did you mean \"sprung\"?",
		"[parameters]\nsprung.value = \"1300 kg\"": "",
		"[component.body]\nmass = 1300":            "",
		`[component.body]
mass = "12*load"
[parameters]
load = { value = "100 kg" }`: "",
	} {
		text := `base = "plain.toml"
name = "Heavy"
` + variant
		m, err := vehicle.Parse([]byte(text), "heavy.toml", func(l bounded.Kind, name string) ([]byte, error) {
			switch {
			case strings.HasSuffix(name, "corner.toml"):
				return []byte(plainCorner), nil
			case name == "plain.toml":
				return []byte(base), nil
			}
			return shipped(l, name)
		})
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(m.Warnings, "\n")
		if !strings.Contains(said, want) || want == "" && said != "" || strings.Contains(said, "\n") {
			t.Errorf("%s: %s; want %s", variant, said, want)
		}
	}
}
