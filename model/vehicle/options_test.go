package vehicle_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// chosen is a corner with an arm on a hinge or on bushings, and with a tie rod if it is steered.
const chosen = `kind = "subsystem"
title = "Corner with options"
frames = ["chassis", "rack"]
sides = "left"
[options]
joints = ["ideal", "bushings"]
steered = ["no", "yes"]
[parameters]
lower = { value = [0.1, 0.4, -0.1], unit = "m" }
outer = { value = [0, 0.7, -0.1], unit = "m" }
radial = { unit = "N/m", when = "joints.lower == bushings or joints.upper == bushings" }
length = { value = 0.3, unit = "m", when = "steered == yes" }
[component.pivot]
type = "rigid-arm"
from = "chassis"
to = "pivot"
translation = "lower"
[component.hinge]
type = "revolute"
when = "joints.lower == ideal"
from = "pivot"
to = "arm"
axis = "x"
[component.sleeve]
type = "bushing"
when = "joints.lower != ideal"
from = "pivot"
to = "arm"
stiffness = ["radial", "radial", "radial"]
[component.limit]
type = "spring-damper"
when = "joints.lower == ideal and steered == yes"
joint = "hinge"
stiffness = 10
[component.arm]
type = "rigid-body"
mass = 3
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }
[component.ball]
type = "bushing"
when = "joints.upper == bushings"
from = "chassis"
to = "arm"
stiffness = ["radial", "radial", "radial"]
[component.tie]
type = "rod"
when = "steered == yes"
from = "rack"
to = "arm"
length = "length"
[exports]
swing = "hinge.phi"
body = "arm"
`

const carOfOptions = `name = "Car"
[component.body]
type = "rigid-body"
mass = 900
inertia = { xx = 200, yy = 900, zz = 900 }
[use.F]
file = "parts/chosen.toml"
at = ["L", "R"]
frames = { chassis = "body" }
`

// componentsOf are the names of the components of the left corner of a model.
func componentsOf(t *testing.T, model string) []string {
	t.Helper()
	m, err := subsystemModel(model, map[string]string{"parts/chosen.toml": chosen})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, name := range componentNames(m) {
		if name, is := strings.CutSuffix(name, "_FL"); is {
			names = append(names, name)
		}
	}
	return names
}

func TestOptionsChooseComponents(t *testing.T) {
	for use, want := range map[string]string{
		"": "pivot hinge arm",
		"joints = \"bushings\"\nparameters = { radial = 1e6 }\n":                                  "pivot sleeve arm ball",
		"joints = { lower = \"bushings\" }\nparameters = { radial = 1e6 }\n":                      "pivot sleeve arm",
		"joints = { default = \"bushings\", lower = \"ideal\" }\nparameters = { radial = 1e6 }\n": "pivot hinge arm ball",
		"[use.F.component.arm]\nmass = 4\n":                                                       "pivot hinge arm",
		"[component.arm_FL]\nmass = 4\n":                                                          "pivot hinge arm",
	} {
		if got := strings.Join(componentsOf(t, carOfOptions+use), " "); got != want {
			t.Errorf("%s: %s, want %s", use, got, want)
		}
	}
	steered := edited(t, carOfOptions, `"body" }`, `"body", rack = "body" }`) + "steered = \"yes\"\n"
	if got, want := strings.Join(componentsOf(t, steered), " "), "pivot hinge limit arm tie"; got != want {
		t.Errorf("steered: %s, want %s", got, want)
	}
}

// A table within a component exists only where its condition holds, and its names belong to the file.
func TestOptionsChooseTablesWithinComponents(t *testing.T) {
	file := edited(t, chosen, "[component.ball]\n", "start = { when = \"steered == no\", position = [\"far\", 0, 0] }\n"+
		"[component.ball]\n")
	file = edited(t, file, "length = {", "far = { value = 7, unit = \"m\" }\nlength = {")
	car := edited(t, carOfOptions, `"body" }`, `"body", rack = "body" }`)
	for use, want := range map[string]bool{"steered = \"no\"\n": true, "steered = \"yes\"\n": false} {
		m, err := subsystemModel(car+use, map[string]string{"parts/chosen.toml": file})
		if err != nil {
			t.Fatal(err)
		}
		if slices.ContainsFunc(m.Parameters, func(p vehicle.Parameter) bool { return p.Name == "far_FL" }) != want {
			t.Errorf("%s: the model has the parameter of the table: %v", use, !want)
		}
		for _, w := range m.Warnings {
			if strings.Contains(w, "far") {
				t.Errorf("%s: %s", use, w)
			}
		}
	}
	misspelt := edited(t, file, "steered == no", "steered == non")
	_, err := subsystemModel(car, map[string]string{"parts/chosen.toml": misspelt})
	if want := `...when compares steered with "non"; did you mean "no"?...`; err == nil || !alike(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// A key whose value has a condition is given only where the condition holds.
func TestOptionsChooseValuesWithinComponents(t *testing.T) {
	file := edited(t, chosen, "[component.ball]\n", "text = { when = \"steered == no\", value = \"does not steer\" }\n"+
		"[component.ball]\n")
	car := edited(t, carOfOptions, `"body" }`, `"body", rack = "body" }`)
	for use, want := range map[string]bool{"steered = \"no\"\n": true, "steered = \"yes\"\n": false} {
		m, err := subsystemModel(car+use, map[string]string{"parts/chosen.toml": file})
		if err != nil {
			t.Fatal(err)
		}
		if got := slices.ContainsFunc(m.Components, func(c component.Component) bool {
			return c.Head().Text == "does not steer"
		}); got != want {
			t.Errorf("%s: a component has the text: %v", use, got)
		}
	}
	more := edited(t, file, "value = \"does", "unit = \"m\", value = \"does")
	if _, err := subsystemModel(car, map[string]string{"parts/chosen.toml": more}); err == nil ||
		!strings.Contains(err.Error(), "text") {
		t.Errorf("a table with more keys: %v", err)
	}
}

// Two uses of one file choose differently, and a file between passes its own option on.
func TestOptionsOfUsesAndOfNestedUses(t *testing.T) {
	const between = `kind = "subsystem"
frames = ["chassis"]
[options]
hinges = ["ideal", "bushings"]
ideal = ["bushings", "ideal"]
[use.L]
file = "chosen.toml"
frames = { chassis = "chassis" }
joints = { default = "ideal", upper = "hinges" }
parameters = { radial = 5 }
[use.S]
file = "chosen.toml"
when = "hinges == bushings"
frames = { chassis = "chassis" }
joints = "hinges"
parameters = { radial = 5 }
[use.P]
file = "parted.toml"
frames = { chassis = "chassis" }
joints = "hinges"
[component.needs_the_part]
type = "sensor"
when = "hinges.upper == ideal"
to = "chassis"
`
	const parted = `kind = "subsystem"
frames = ["chassis"]
[options]
joints = ["ideal", "bushings"]
[component.seat]
type = "spring-damper"
when = "joints.upper == ideal"
from = "chassis"
to = "ground"
stiffness = 1
`
	files := map[string]string{"parts/chosen.toml": chosen, "parts/between.toml": between, "parts/parted.toml": parted}
	model := carOfOptions + `[use.R]
file = "parts/chosen.toml"
at = ["L", "R"]
frames = { chassis = "body" }
joints = "bushings"
parameters = { radial = 1e6 }
[use.N]
file = "parts/between.toml"
frames = { chassis = "body" }
hinges = { default = "bushings", upper = "ideal" }
`
	m, err := subsystemModel(model, files)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, name := range componentNames(m) {
		names[name] = true
	}
	for _, want := range []string{"hinge_FL", "hinge_FR", "sleeve_RL", "sleeve_RR", "ball_RL", "ball_RR",
		"hinge_NL", "ball_NL", "sleeve_NS", "seat_NP"} {
		if !names[want] {
			t.Errorf("%s is missing in %v", want, slices.Sorted(maps.Keys(names)))
		}
		delete(names, want)
	}
	for name := range names {
		if strings.HasPrefix(name, "hinge") || strings.HasPrefix(name, "ball") || strings.HasPrefix(name, "sleeve") {
			t.Errorf("%s is there, too", name)
		}
	}
	folder := t.TempDir()
	files["car.toml"] = model
	if err := os.Mkdir(filepath.Join(folder, "parts"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	d, err := vehicle.ReadDocument(filepath.Join(folder, "car.toml"))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Subsystems) != 3 {
		t.Errorf("the model uses %d files, want 3", len(d.Subsystems))
	}
	const outer = `between.toml (use N with hinges = "bushings", hinges.upper = "ideal", ideal = "bushings")`
	for name, want := range map[string]string{
		"hinge_FL":  `chosen.toml (use F at L with joints = "ideal", steered = "no")`,
		"sleeve_NS": `chosen.toml (use S with joints = "bushings", joints.upper = "ideal", steered = "no"), ` + outer,
		"ball_NL":   `chosen.toml (use L with joints = "ideal", joints.upper = "bushings", steered = "no"), ` + outer,
	} {
		if o := d.Origins()[name]; o == nil || o.Chain() != want {
			t.Errorf("%s comes from %v, want %s", name, o.Chain(), want)
		}
	}
}

// Exports of removed components go with them; names that several components have stay.
func TestExportsOfRemovedComponents(t *testing.T) {
	for use, want := range map[string]string{"": "FL swing, FL body, FR swing, FR body",
		"joints = \"bushings\"\nparameters = { radial = 1e6 }\n": "FL body, FR body"} {
		m, err := subsystemModel(carOfOptions+use, map[string]string{"parts/chosen.toml": chosen})
		if err != nil {
			t.Fatal(err)
		}
		var exports []string
		for _, e := range m.Exports {
			exports = append(exports, e.Instance+" "+e.Name)
		}
		if got := strings.Join(exports, ", "); got != want {
			t.Errorf("%q exports %s, want %s", use, got, want)
		}
	}
}

func TestFaultsOfOptions(t *testing.T) {
	for _, c := range []struct{ name, file, old, by, want string }{
		{"choice misspelt", "car", "\nat =", "\njoints = \"bushing\"\nat =",
			`car.toml:8:10: use F.joints is "bushing"; did you mean "bushings"? it must be one of ideal, bushings`},
		{"option misspelt", "car", "\nat =", "\njoint = \"bushings\"\nat =",
			`car.toml:8:9: unknown key "joint" in use F; did you mean "joints"? allowed keys: ...`},
		{"part misspelt", "car", "\nat =", "\njoints = { uper = \"ideal\" }\nat =",
			`car.toml:8:19: use F.joints.uper: parts/chosen.toml has no part of this name; did you mean "upper"? parts ` +
				`whose joints can differ: lower, upper`},
		{"choice of a part", "car", "\nat =", "\njoints = { upper = 3 }\nat =",
			`car.toml:8:20: use F.joints.upper is 3; it must be one of ideal, bushings`},
		{"no list", "chosen", `["no", "yes"]`, `"no"`,
			`parts/chosen.toml:7:11: options.steered is "no"; it must be a list of at least two choices, the default first: ` +
				`["ideal", "bushings"]`},
		{"a choice twice", "chosen", `["no", "yes"]`, `["no", "no"]`,
			`...7:18: options.steered has the choice "no"; choices are different words of letters, digits and _...`},
		{"a reserved name", "chosen", `steered = ["no", "yes"]`, `count = ["no", "yes"]`,
			`parts/chosen.toml:7:1: the option count has the name of a key of uses; rename it; reserved are file, at, ...`},
		{"form of when", "chosen", `"steered == yes"`, `"steered = yes"`,
			`parts/chosen.toml:12:44: when is "steered = yes"; it must compare options with choices, such as ` +
				`"joints == ideal and spring_on != rocker"`},
		{"end of when", "chosen", `"steered == yes"`, `"steered == yes and"`, `...when is "steered == yes and"; it must...`},
		{"word of when", "chosen", `"steered == yes"`, `"steered == yes xor steered == no"`, `...when is "steered == ye...`},
		{"number of when", "chosen", `"steered == yes"`, `3`, `...12:44: when is 3; it must compare...`},
		{"option of when", "chosen", `"steered == yes"`, `"stered == yes"`,
			`parts/chosen.toml:12:44: when names the option "stered", which the file does not have; did you mean ` +
				`"steered"? its options: joints, steered`},
		{"choice of when", "chosen", `"steered == yes"`, `"steered == yess"`,
			`parts/chosen.toml:12:44: when compares steered with "yess"; did you mean "yes"? its choices: no, yes`},
		{"when without options", "car", "mass = 900", "mass = 900\nwhen = \"joints == ideal\"",
			`car.toml:5:8: unknown key "when" in component body...`},
		{"parameter missing", "car", "\nat =", "\njoints = \"bushings\"\nat =",
			`car.toml:6:6: use F lacks parameters that have no value in parts/chosen.toml: radial [N/m]; write ...`},
		{"frame missing", "car", "\nat =", "\nsteered = \"yes\"\nat =",
			`car.toml:6:6: use F lacks the frames rack that parts/chosen.toml wants; ...`},
		{"parameter without its option", "car", "\nat =", "\nparameters = { length = 0.4 }\nat =",
			`car.toml:8:25: use F.parameters gives "length", which exists only when steered == yes ` +
				`(parts/chosen.toml:12:44); here steered = "no"`},
		{"change without its option", "car", "[use.F]", "[use.F.component.sleeve]\ndamping = { x = 1 }\n[use.F]",
			`car.toml:6:18: use F changes the component sleeve, which exists only when joints.lower != ideal ` +
				`(parts/chosen.toml:26:8); here joints.lower = "ideal"`},
		{"change of one instance", "car", "[use.F]", "[component.sleeve_FL]\ndamping = { x = 1 }\n[use.F]",
			`car.toml:6:12: component sleeve_FL changes a component that exists only when joints.lower != ideal ` +
				`(parts/chosen.toml:26:8); here joints.lower = "ideal"`},
		{"reference of the model", "car", "[use.F]", "[component.stop]\ntype = \"spring-damper\"\njoint = " +
			"\"tie_FL\"\n[use.F]", `car.toml:8:9: "tie_FL" exists only when steered == yes ` +
			`(parts/chosen.toml:47:8); here steered = "no"`},
		{"name of the model's own", "car", "[use.F]", "[component.tie_FL]\ntype = \"spring-damper\"\nfrom = \"body\"\n" +
			"to = \"arm_FL\"\nstiffness = 1\n[use.F]", ``},
		{"reference of a role", "car", "[use.F]", "[roles]\nchassis = \"sleeve_FL\"\n[use.F]", `car.toml:7:11: ` +
			`"sleeve_FL" exists only when joints.lower != ideal (parts/chosen.toml:26:8); here joints.lower = "ideal"`},
		{"given frame that only removed components name", "car", `"body" }`, "\"body\", rack = \"body\" }\n" +
			"[use.F.component.stay]\ntype = \"spring-damper\"\nfrom = \"rack\"\nto = \"arm\"\nstiffness = 1", ``},
		{"text that has the name", "car", "mass = 900", "mass = 900\ntext = \"without tie_FL\"", ``},
		{"vector missing", "chosen", "[component.pivot]", "seat = { kind = \"position\", unit = \"m\" }\n" +
			"[component.rest]\ntype = \"rigid-arm\"\nfrom = \"chassis\"\nto = \"rest\"\ntranslation = " +
			"[\"seat.x\", 0, 0]\n[component.pivot]",
			`...lacks parameters that have no value in parts/chosen.toml: seat [m]...`},
		{"frame of a file without options", "strut", `["chassis"]`, `["chassis", "idle"]`, `car.toml:...: use G lacks the ` +
			`frames idle that parts/strut.toml wants...`},
		{"reference of the file", "chosen", "steered == yes\"\njoint", "joints == bushings\"\njoint", ``},
		{"reference within the file", "chosen", `when = "joints.lower == ideal and steered == yes"` + "\n", "",
			`parts/chosen.toml:...: "hinge" exists only when joints.lower == ideal ` +
				`(parts/chosen.toml:20:8); here joints.lower = "bushings"; used by ...`},
		{"formula of the file", "chosen", "mass = 3", `mass = "length*10"`,
			`parts/chosen.toml:...: the formula "length*10" names length, which exists only when steered == yes ` +
				`(parts/chosen.toml:12:44); here steered = "no"; used by ...`},
	} {
		files := map[string]string{"car": carOfOptions, "chosen": chosen, "strut": strut}
		files[c.file] = edited(t, files[c.file], c.old, c.by)
		if c.name == "reference within the file" {
			files["car"] += "joints = \"bushings\"\nparameters = { radial = 1e6 }\n"
		}
		if c.file == "strut" {
			files["car"] += "[use.G]\nfile = \"parts/strut.toml\"\nframes = { chassis = \"body\" }\nparameters = { x = 1 }\n"
		}
		_, err := subsystemModel(files["car"], map[string]string{"parts/chosen.toml": files["chosen"],
			"parts/strut.toml": files["strut"]})
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && err == nil:
			t.Errorf("%s is accepted", c.name)
		case c.want != "" && !alike(err.Error(), c.want):
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, err, c.want)
		}
	}
}

// A parameter that only removed components name is not idle, and no use must give it.
func TestParametersOfRemovedComponentsAreNotIdle(t *testing.T) {
	file := edited(t, chosen, `, when = "joints.lower == bushings or joints.upper == bushings"`, "")
	m, err := subsystemModel(carOfOptions, map[string]string{"parts/chosen.toml": file})
	if err != nil {
		t.Fatal(err)
	}
	for _, w := range m.Warnings {
		if strings.Contains(w, "radial") {
			t.Error(w)
		}
	}
	if slices.ContainsFunc(m.Parameters, func(p vehicle.Parameter) bool { return strings.HasPrefix(p.Name, "radial") }) {
		t.Error("the model has the parameter of removed components")
	}
}
