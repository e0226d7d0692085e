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

	"skidpad/harness/schema"
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

// Every shipped file is valid.
func TestShippedFilesAreValid(t *testing.T) {
	for kind, folder := range map[string]string{"model": "models", "subsystem": "subsystems", "tire": "tires"} {
		s := compiled(t, kind)
		files, err := filepath.Glob("../../resources/" + folder + "/*.toml")
		if err != nil || len(files) < 5 {
			t.Fatalf("%d files of %s: %v", len(files), folder, err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if err := validate(t, s, string(data)); err != nil {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
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

// What the reader refuses by key, type, word, range or length, the schema refuses, too; what takes units, names of
// other parts or relations of numbers to see is left to the reader.
func TestTheSchemaRefusesWhatItCanSee(t *testing.T) {
	s := compiled(t, "model")
	if err := validate(t, s, cart); err != nil {
		t.Fatal(err)
	}
	for old, wrong := range map[string]string{
		`name = "Cart"`: ``, `gravity = 9.81`: `gravity = [0, 0]`, `type = "rigid-body"`: `type = "rigid-bodie"`,
		`mass = "500 lb"`: `mass = -3`, `stiffness = 2e4`: `stifness = 2e4`, `axis = [0, 0, 1]`: `axis = "w"`,
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
	for _, text := range []string{`function = "Fiala"`, "function = \"Fiala\"\n[parameters]\nD2 = true",
		"function = \"Fiala\"\ntitel = \"x\"\n[parameters]\nD2 = 1"} {
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
	if _, err := schema.Of("modell"); err == nil || !strings.Contains(err.Error(), "model, subsystem, tire") {
		t.Error(err)
	}
}
