package schema_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"skidpad/fmu/system"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/analyses/optimise"
	"skidpad/harness/workbench/analyses/schema"
	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/results/compare"
	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/validation"
	"skidpad/harness/workbench/runs/assess"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/sweep"
	"skidpad/model/keys"
	"skidpad/model/roles"
	"skidpad/model/unit"
	"skidpad/tire/sti"
)

// compiled is a schema as a library for JSON Schema reads it, by draft 4.
func compiled(t *testing.T, kind string) *jsonschema.Schema {
	t.Helper()
	s, err := schema.Of(kind)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft4)
	if err := c.AddResource("skidpad.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("skidpad.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// validate reads TOML and says what the schema refuses in it.
func validate(t *testing.T, s *jsonschema.Schema, text string) error {
	t.Helper()
	var decoded map[string]any
	if _, err := toml.Decode(text, &decoded); err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	data, err := json.Marshal(decoded)
	if err != nil {
		t.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

// kindOf is the kind of a shipped file, of a folder that is for one of several.
func kindOf(folder, text string) string {
	switch {
	case folder != "sweep":
		return folder
	case strings.Contains(text, "\n[[panel]]"):
		return "linear"
	case strings.Contains(text, "\nmask = "):
		return "optimise"
	case strings.Contains(text, "\nmanoeuvre = "):
		return "sweep"
	}
	return ""
}

// Every shipped file is valid.
func TestShippedFilesAreValid(t *testing.T) {
	for kind, folder := range map[string]string{"model": "models", "subsystem": "subsystems", "tire": "tires",
		"manoeuvre": "manoeuvres", "sweep": "sweeps", "system": "systems", "assessment": "assessments"} {
		s := compiled(t, kind)
		files, err := filepath.Glob("../../../../resources/" + folder + "/*.toml")
		if err != nil || len(files) < 5 && kind != "system" && kind != "assessment" || len(files) == 0 {
			t.Fatalf("%d files of %s: %v", len(files), folder, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if of := kindOf(kind, string(data)); of != kind {
				if err := validate(t, compiled(t, of), string(data)); err != nil {
					t.Errorf("%s: %v", file, err)
				}
			} else if err := validate(t, s, string(data)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

// Valid files of a manoeuvre, a car, a study, a system and a comparison, and their errors that the schemas detect. Only
// the readers check names, units, formulas, order and number of values, and requirements between tables. Only they
// check keys that replace each other: variables and drivers of an input, duration and until of a phase, input and
// inputs of a role, bounds of a condition.
var plainFiles = map[string]struct {
	text  string
	wrong map[string]string
}{
	"manoeuvre": {`name = "a"
title = "A"
cars = "cars"
step = "1 ms"
end_at = ["fallen", { formula = "body.y", above = "20 m" }]
[constants]
speed = "100 km/h"
[parameters]
"body.mass" = "1.2 t"
[start]
"body.vx" = "speed"
[sweep]
speed = { from = 1, step = 1, to = "20 m/s" }
[search]
constant = "speed"
unit = "m/s"
from = 1
to = 2
tolerance = 0.1
figure = "pass"
[track]
start = 0
[[track.section]]
length = 3
[[phase]]
name = "first"
duration = 2
path = { kind = "circle", radius = 10, laps = 1 }
steering = { kind = "chirp", amplitude = "3 deg", first = 0, last = "2 Hz", period = 1 }
[[phase.input]]
variables = ["@brake"]
signal = { kind = "steps", time = [0, 1], value = [1, "2 m/s2"] }
[figures]
kind = "standing"
window = 1
`, map[string]string{`name = "a"`: ``, `cars = "cars"`: "cars = \"cars\"\nmodels = [\"A\"]", `"1 ms"`: `0`,
		`"fallen"`: `3`, `above`: `over`, `"100 km/h"`: `[1]`, `"1.2 t"`: `true`, `from = 1, `: ``, `tolerance = 0.1`: ``,
		`[[track.section]]`: `[track.section]`, `length = 3`: `length = 0`, `name = "first"`: `nam = "first"`,
		`duration = 2`: `duration = -2`, `kind = "circle"`: `kind = "square"`, `laps = 1`: `lap = 1`,
		`"2 m/s2"]`: `true]`, `time = [0, 1]`: `time = 0`, `["@brake"]`: `"@brake"`, `kind = "chirp"`: `kind = "sine"`,
		`kind = "standing"`: `kind = "sitting"`, `window = 1`: `windows = 1`, `"body.vx" = "speed"`: `"body.vx" = []`}},
	"car": {`models = ["A"]
[roles]
chassis = "body"
axles = [["l", "r"], [["a", "b"], ["c", "d"]], ["one"]]
stops = [[-0.1, "80 mm"], [-1, 1], [-1, 1]]
steering = { input = "steering.angle", ratio = false }
brake = [{ inputs = ["b.torque"], per = "pedal", factor = "3 s2/m" }]
outline = { width = "1.8 m", front = 2, rear = 2 }
start = { "a.b" = "3 deg", "c.d" = false }
clutch = false
[path_follower]
preview = "500 ms"
proportional = 2
integral = 0
lag = 0.1
rate = "400 deg/s"
limit = 9
`, map[string]string{`["A"]`: `[1]`, `chassis = "body"`: `chasis = "body"`, `"body"`: `3`, `["one"]`: `[1]`,
		`[-0.1, "80 mm"]`: `"80 mm"`, `ratio = false`: `ratios = 3`, `"pedal"`: `"foot"`, `"3 s2/m"`: `-3`,
		`width = "1.8 m"`: `width = 0`, `"3 deg"`: `[]`, `clutch = false`: `clutch = true`, `lag = 0.1`: `lag = 0`}},
	"sweep": {`name = "a"
title = "A"
model = "a.toml"
manoeuvre = "b.toml"
record = ["rate(a.b)"]
step = "10 ms"
[[vary]]
variables = ["body.vx"]
values = [10, "100 km/h"]
[settle]
duration = "2 s"
keep = ["a.z"]
start = { "a.z" = "10 mm" }
`, map[string]string{`record = ["rate(a.b)"]`: ``, `"10 ms"`: `0`, `[[vary]]`: `[vary]`,
		`values = [10, "100 km/h"]`: `values = []`,
		`["a.z"]`:                   `[1]`, `"10 mm"`: `true`}},
	"system": {`name = "A"
step = "1 ms"
[component.a]
model = "a.toml"
parameters = { "body.mass" = "1 t", "road.kind" = "plane" }
[[connection]]
from = "a.x"
to = "a.y"
variables = ["Fz", "a -> b"]
`, map[string]string{`name = "A"`: ``, `model = "a.toml"`: ``, `"1 ms"`: `-1`, `"plane"`: `true`, `to = "a.y"`: ``,
		`["Fz", "a -> b"]`: `"Fz"`}},
	"corridor": {`title = "A"
shift = "5 ms"
[[corridor]]
x = "time"
y = "body.ay"
y_offset = 0.1
[[figure]]
figure = "K"
absolute = 1
[column]
"body.ay" = { name = "ay", gain = 9.81 }
`, map[string]string{`y_offset = 0.1`: `y_offset = -0.1`, `x = "time"`: ``, `figure = "K"`: ``, `gain`: `gains`,
		`shift = "5 ms"`: `shift = true`}},
}

func TestSchemasOfOtherFiles(t *testing.T) {
	for kind, file := range plainFiles {
		s := compiled(t, kind)
		if err := validate(t, s, file.text); err != nil {
			t.Errorf("%s: %v", kind, err)
		}
		for old, wrong := range file.wrong {
			text := strings.Replace(file.text, old, wrong, 1)
			if text == file.text {
				t.Fatalf("%s is not in the %s file", old, kind)
			}
			if err := validate(t, s, text); err == nil {
				t.Errorf("%s: %q in place of %q is valid", kind, wrong, old)
			}
			if read := readers[kind]; read != nil && read(t, text) == nil {
				t.Errorf("%s: the reader takes %q in place of %q", kind, wrong, old)
			}
		}
		if read := readers[kind]; read != nil && read(t, file.text) != nil {
			t.Errorf("%s: %v", kind, read(t, file.text))
		}
	}
}

// readers are the readers of self-contained files.
var readers = map[string]func(t *testing.T, text string) error{
	"sweep": func(_ *testing.T, text string) error {
		_, err := sweep.ParseStudy("a.toml", []byte(text))
		return err
	},
	"corridor": func(_ *testing.T, text string) error {
		_, err := compare.ParseSpec("a.toml", []byte(text))
		return err
	},
	"car": func(t *testing.T, text string) error {
		folder := t.TempDir()
		files := map[string]string{"car.toml": text, "manoeuvre.toml": `name = "a"
title = "A"
cars = "cars"
step = 1
duration = 1
`}
		for name, content := range files {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		_, err := manoeuvre.ReadFor(manoeuvre.Target{Model: "A", Car: filepath.Join(folder, "car.toml")},
			filepath.Join(folder, "manoeuvre.toml"))
		return err
	},
}

const cart = `name = "Cart"
gravity = 9.81
[parameters]
k = { value = "24.4 N/mm" }
rod.length = { value = 1, unit = "m" }
[component.body]
type = "rigid-body"
mass = "500 lb"
inertia = { xx = 1, yy = "2*k", zz = 1 }
[component.joint]
type = "prismatic"
from = "ground"
to = "body"
axis = [0, 0, 1]
[component.spring]
type = "spring-damper"
joint = "joint"
stiffness = 2e4
spring_force = [[-0.1, "-2 kN"], [0, 0], [0.1, 2000]]
[component.final]
type = "differential"
outputs = ["a", "b"]
efficiency = 0.9
[component.susp]
type = "suspension"
from = "body"
to = "carrier"
toe = { file = "k.csv", column = "toe", over = "travel", smooth = "monotone", mirrored = "yes", outside = "hold" }
`

const corner = `kind = "subsystem"
frames = ["chassis"]
sides = "left"
[parameters]
a = { value = "0.7 m", share = true }
rod.length = { unit = "m" }
[component.upright]
type = "rigid-body"
mass = 15
inertia = { xx = 1, yy = 1, zz = 1 }
[use.wheels]
file = "wheel.toml"
count = 2
at = ["L"]
frames = { hub = "upright", road = ["r1", "r2"] }
parameters = { x = [1, "-a"], y = "3 mm" }
component.tire.mass = 17
[exports]
hub = "tire"
`

// The schema rejects the reader's errors of key, type, word, range or length. Errors of units, names of other parts or
// relations of numbers are left to the reader.
func TestSchemaRejectsErrorsOfKeysAndValues(t *testing.T) {
	s := compiled(t, "model")
	if err := validate(t, s, cart); err != nil {
		t.Fatal(err)
	}
	for old, wrong := range map[string]string{
		`name = "Cart"`: ``, `gravity = 9.81`: `gravity = [0, 0]`, `type = "rigid-body"`: `type = "rigid-bodie"`,
		`mass = "500 lb"`: `mass = -3`, `stiffness = 2e4`: `stifness = 2e4`, `axis = [0, 0, 1]`: `axis = [0, 1]`,
		`joint = "joint"`: `joint = 3`, `efficiency = 0.9`: `efficiency = 1.1`, `to = "body"`: ``,
		`xx = 1`: `xx = true`, `[[-0.1, "-2 kN"], [0, 0], [0.1, 2000]]`: `[[-0.1], [0, 0]]`,
		`outputs = ["a", "b"]`: `outputs = "a"`, `"monotone"`: `"round"`, `"hold"`: `"stop"`,
		`mirrored = "yes"`: `mirrored = 1`, `unit = "m" }`: `units = "m" }`,
	} {
		text := strings.Replace(cart, old, wrong, 1)
		if text == cart {
			t.Fatalf("%s is not in the file", old)
		}
		if err := validate(t, s, text); err == nil {
			t.Errorf("%q in place of %q is valid", wrong, old)
		}
	}
	for old, wrong := range map[string]string{
		`kind = "subsystem"`: ``, `sides = "left"`: `sides = "right"`, `share = true`: `share = 1`,
		`frames = ["chassis"]`: `frames = "chassis"`, `count = 2`: `count = 1.5`, `hub = "tire"`: `hub = 3`,
		`type = "rigid-body"`: `type = "rigid"`, `file = "wheel.toml"`: `fil = "wheel.toml"`, `at = ["L"]`: `at = "L"`,
		`mass = 15`: `mass = -15`, `x = [1, "-a"]`: `x = [true]`,
	} {
		text := strings.Replace(corner, old, wrong, 1)
		if text == corner {
			t.Fatalf("%s is not in the subsystem", old)
		}
		if err := validate(t, compiled(t, "subsystem"), text); err == nil {
			t.Errorf("%q in place of %q is valid", wrong, old)
		}
	}
	if err := validate(t, compiled(t, "subsystem"), corner); err != nil {
		t.Error(err)
	}
	tires := compiled(t, "tire")
	for _, text := range []string{`function = "Fiala"`, `function = "Fiala"
[parameters]
D2 = true`,
		`function = "Fiala"
titel = "x"
[parameters]
D2 = 1`} {
		if err := validate(t, tires, text); err == nil {
			t.Errorf("%q is valid", text)
		}
	}
}

// A variant needs no type of a component that its base has; an unknown kind is refused with the known ones.
func TestVariantsAndUnknownKinds(t *testing.T) {
	if err := validate(t, compiled(t, "model"), `base = "cart.toml"
name = "Heavy"
k.value = 3
[component.body]
mass = 7
`); err == nil {
		t.Error("a key of the file that there is not is valid")
	}
	if err := validate(t, compiled(t, "model"), `base = "cart.toml"
name = "Heavy"
[parameters]
k.value = 3
[component.body]
mass = 7
`); err != nil {
		t.Error(err)
	}
	if _, err := schema.Of("modell"); err == nil ||
		!strings.Contains(err.Error(), "model, subsystem, manoeuvre, car, tire, system") {
		t.Error(err)
	}
}

// The schemas beside the shipped files equal the output of the command, and each shipped file with a schema names it.
func TestShippedFilesNameTheirSchemas(t *testing.T) {
	const resources = "../../../../resources/"
	for _, kind := range schema.Kinds {
		s, err := schema.Of(kind)
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := output.WriteJSON(&want, s); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(resources + "schemas/" + kind + ".schema.json")
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("schemas/%s.schema.json is not what the command prints (%v); run skidpad schema --write "+
				"resources/schemas", kind, err)
		}
	}
	for folder, kind := range map[string]string{"models": "model", "subsystems": "subsystem", "tires": "tire",
		"manoeuvres": "manoeuvre", "sweeps": "sweep", "systems": "system", "assessments": "assessment"} {
		files, err := filepath.Glob(resources + folder + "/*.toml")
		if err != nil || len(files) == 0 {
			t.Fatalf("no files of %s: %v", folder, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if kind := kindOf(kind, string(data)); kind == "" {
				t.Errorf("%s is a file of no kind", file)
			} else if line, _, _ := strings.Cut(string(data), "\n"); line != "#:schema ../schemas/"+kind+".schema.json" {
				t.Errorf("%s begins with %q", file, line)
			}
		}
	}
}

// Every key of every file has a sentence, and a unit that package unit reads.
func TestEveryKeyIsDescribed(t *testing.T) {
	var check func(path string, list []keys.Key)
	count := 0
	check = func(path string, list []keys.Key) {
		for _, k := range list {
			at := path + "." + k.Name
			count++
			if _, err := unit.ParseSI(k.Unit); err != nil && k.Unit != "" && k.Unit != keys.AnyUnit {
				t.Errorf("%s: %v", at, err)
			}
			if k.Text == "" && k.Name != "" {
				t.Errorf("%s has no text", at)
			}
			check(at, k.Keys)
			check(at, k.Any)
			for _, kind := range k.Kinds {
				if check(at+"."+kind.Word, kind.Keys); kind.Text == "" {
					t.Errorf("%s of kind %s has no text", at, kind.Word)
				}
			}
			if k.Value != nil {
				check(at, []keys.Key{*k.Value})
			}
		}
	}
	for file, list := range map[string][]keys.Key{"manoeuvre": manoeuvre.FileKeys, "car": manoeuvre.CarKeys,
		"roles": roles.FileKeys, "study": sweep.FileKeys, "comparison": compare.FileKeys,
		"validation": validation.FileKeys, "linear": linearise.FileKeys,
		"loads": suspension.FileKeys, "targets": suspension.TargetKeys,
		"optimise": optimise.FileKeys, "assessment": assess.FileKeys, "system": system.FileKeys,
		"display": display.FileKeys, "driver": drive.KnowledgeKeys, "tire": sti.FileKeys} {
		check(file, list)
	}
	if count < 500 {
		t.Errorf("only %d keys were looked at", count)
	}
}

// Vectors, their formulas, and vectors in uses are valid in models and subsystems.
func TestVectorsAreValid(t *testing.T) {
	model := strings.Replace(cart, "axis = [0, 0, 1]", `axis = "a - b"`, 1) +
		"\n[parameters.a]\nvalue = [1, 2, \"3 mm\"]\nunit = \"m\"\n" +
		"[use.A]\nfile = \"a\"\nparameters = { p = [1, 2, 3], q = [[1, 2, 3], [4, 5, 6]], r = \"a - b\" }\n"
	if err := validate(t, compiled(t, "model"), model); err != nil {
		t.Error(err)
	}
	part := "kind = \"subsystem\"\nsides = \"left\"\n" +
		"[parameters]\na = { value = [1, 2, 3], unit = \"mm\", share = true }\n" +
		"b = { unit = \"m\", kind = \"axial\" }\n" +
		"[component.c]\ntype = \"rigid-arm\"\nfrom = \"d\"\nto = \"e\"\ntranslation = \"a\"\n"
	s := compiled(t, "subsystem")
	if err := validate(t, s, part); err != nil {
		t.Error(err)
	}
	for old, wrong := range map[string]string{`"axial"`: `"axis"`, "[1, 2, 3]": "[1, 2]",
		"share = true": "share = false"} {
		if err := validate(t, s, strings.Replace(part, old, wrong, 1)); err == nil {
			t.Errorf("%s in place of %s is valid", wrong, old)
		}
	}
}
