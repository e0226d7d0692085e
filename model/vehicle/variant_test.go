package vehicle_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/keys"
	"skidpad/model/solver"
	"skidpad/model/vehicle"
)

// inMemory opens files that are held in memory, by paths from the folder of the model.
func inMemory(files map[string]string) bounded.Files {
	return func(_ bounded.Kind, name string) ([]byte, error) {
		if text, ok := files[path.Clean(name)]; ok {
			return []byte(text), nil
		}
		return nil, os.ErrNotExist
	}
}

const cart = `name = "Cart"
title = "Cart"
source = "a drawing"
gravity = 9.81
outputs = ["cart.x", "load.x"]

[parameters]
mass = { value = 3, unit = "kg", text = "of the load" }
[parameters.coil]
stiffness = { value = 100, unit = "N/m" }
damping = { value = 2, unit = "N.s/m" }

[solver]
method = "heun"
step = 0.002

[[tree]]
name = "default"
prefer = ["cart.T1"]
baumgarte = { alpha = 5 }

[component.cart]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 2, zz = 2 }
start = { velocity = [1, 0, 0] }

[component.load]
type = "point-mass"
mass = "mass"

[component.spring]
type = "spring-damper"
from = "cart"
to = "load"
stiffness = "coil.stiffness"
damping = "coil.damping"
free_length = 0.2

[component.ball]
type = "point-mass"
mass = 1
`

const heavyCart = `base = "cart.toml"
name = "HeavyCart"
title = "Heavy cart"
outputs = ["load.x"]

[parameters]
mass.value = 5
length = { value = 0.3, unit = "m" }
coil = { damping.value = 4 }

[solver]
step = 0.004

[[tree]]
name = "other"

[component.rear]
type = "point-mass"
mass = 2

[component.spring]
free_length = "length"

[component.load]
type = "rigid-body"
mass = "mass"
inertia = { axial = 1, transverse = 2 }

[component.cart.inertia]
zz = 2.5

[component.cart]
start.velocity = [2, 0, 0]

[component.front]
type = "point-mass"
mass = 1
`

const mergedCart = `name = "HeavyCart"
title = "Heavy cart"
source = "a drawing"
gravity = 9.81
outputs = ["load.x"]

[parameters]
mass = { value = 5, unit = "kg", text = "of the load" }
[parameters.coil]
stiffness = { value = 100, unit = "N/m" }
damping = { value = 4, unit = "N.s/m" }
[parameters.length]
value = 0.3
unit = "m"

[solver]
method = "heun"
step = 0.004

[[tree]]
name = "other"

[component.cart]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 2, zz = 2.5 }
start = { velocity = [2, 0, 0] }

[component.load]
type = "rigid-body"
mass = "mass"
inertia = { axial = 1, transverse = 2 }

[component.spring]
type = "spring-damper"
from = "cart"
to = "load"
stiffness = "coil.stiffness"
damping = "coil.damping"
free_length = "length"

[component.ball]
type = "point-mass"
mass = 1

[component.rear]
type = "point-mass"
mass = 2

[component.front]
type = "point-mass"
mass = 1
`

// content returns the content of a model, without positions in files.
func content(t *testing.T, m *vehicle.Model) string {
	t.Helper()
	text, err := json.MarshalIndent(m, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`(?s)"Pos": \{.*?\}`).ReplaceAll(text, nil)
	text = regexp.MustCompile(`"(File|Fingerprint)": .*`).ReplaceAll(text, nil)
	p, err := formulate.Program(m, formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return string(text) + p.Fingerprint()
}

func parseFiles(files map[string]string, name string) (*vehicle.Model, error) {
	folder := path.Dir(name)
	return vehicle.Parse([]byte(files[name]), name, func(kind bounded.Kind, file string) ([]byte, error) {
		return inMemory(files)(kind, path.Join(folder, file))
	})
}

func TestAVariantIsTheModelThatIsMergedByHand(t *testing.T) {
	files := map[string]string{
		"cart.toml": cart, "heavy.toml": heavyCart, "merged.toml": mergedCart,
		// the same in two steps, with tables written in other ways
		"first.toml": `base = './cart.toml'
[parameters.mass]
value = 5
[parameters.length]
value = 2
unit = "m"
[component.rear]
type = "point-mass"
mass = 7
[component.cart]
inertia.zz = 4
`,
		"second.toml": strings.Replace(heavyCart, "cart.toml", "first.toml", 1),
	}
	want, err := parseFiles(files, "merged.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"heavy.toml", "second.toml"} {
		m, err := parseFiles(files, name)
		if err != nil {
			t.Fatal(err)
		}
		if got := content(t, m); got != content(t, want) {
			t.Errorf("%s: merged\n%s\nby hand\n%s", name, got, content(t, want))
		}
	}
}

// Components keep the place that they have in the base; new ones follow in the order of the variant.
func TestComponentsOfAVariantKeepTheOrderOfItsBase(t *testing.T) {
	m, err := parseFiles(map[string]string{"cart.toml": cart, "heavy.toml": heavyCart}, "heavy.toml")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, c := range m.Components {
		names = append(names, c.Head().Name)
	}
	if want := []string{"cart", "load", "spring", "ball", "rear", "front"}; !slices.Equal(names, want) {
		t.Errorf("components %q, want %q", names, want)
	}
	if pos := m.Components[2].Head().Pos; pos != (keys.Position{File: "heavy.toml", Line: 21, Column: 12}) {
		t.Errorf("the spring stands at %v", pos)
	}
	if pos := m.Components[3].Head().Pos; pos != (keys.Position{File: "cart.toml", Line: 40, Column: 12}) {
		t.Errorf("the ball stands at %v", pos)
	}
}

func TestTheFingerprintOfAVariantCoversItsBases(t *testing.T) {
	files := map[string]string{
		"cart.toml": cart, "middle.toml": "base = \"cart.toml\"\n",
		"heavy.toml": strings.Replace(heavyCart, "cart.toml", "middle.toml", 1),
	}
	seen := map[string]string{}
	for _, changed := range []string{"none", "cart.toml", "middle.toml", "heavy.toml"} {
		now := map[string]string{}
		for name, text := range files {
			if now[name] = text; name == changed {
				now[name] += "# a comment\n"
			}
		}
		m, err := parseFiles(now, "heavy.toml")
		if err != nil {
			t.Fatal(err)
		}
		if other := seen[m.Fingerprint]; other != "" || len(m.Fingerprint) != 64 {
			t.Errorf("with a change in %s and in %s the fingerprint is %s", changed, other, m.Fingerprint)
		}
		seen[m.Fingerprint] = changed
	}
}

// Relative names in a base start at the folder of the base, names in the variant at the folder of the variant.
func TestFilesOfABaseAreNamedFromItsFolder(t *testing.T) {
	const (
		base = `name = "Field"
[component.field]
type = "terrain"
kind = "table"
file = "../roads/ramp.csv"
friction = { kind = "grid", file = "ice.asc" }
[component.pair]
type = "terrain"
kind = "table"
file = "../roads/ramp.csv"
[component.stone]
type = "point-mass"
mass = 1
`
		variant = `base = "../models/field.toml"
name = "Variant"
[component.pair]
file = "step.csv"
`
	)
	folder := t.TempDir()
	write := func(name, text string) string {
		file := filepath.Join(folder, filepath.FromSlash(name))
		os.MkdirAll(filepath.Dir(file), 0o755)
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return file
	}
	for name, source := range map[string]string{"roads/ramp.csv": "ramp.csv", "models/ice.asc": "ice.asc",
		"own/step.csv": "step.csv"} {
		text, err := os.ReadFile("../../resources/roads/" + source)
		if err != nil {
			t.Fatal(err)
		}
		write(name, string(text))
	}
	field := write("models/field.toml", base)
	whole := filepath.ToSlash(folder)
	for _, c := range []struct{ name, text, ramp, ice, step string }{
		{"own/variant.toml", variant, "../roads/ramp.csv", "../models/ice.asc", "step.csv"},
		{
			"own/absolute.toml", strings.NewReplacer("../models/field.toml", filepath.ToSlash(field), "step.csv",
				whole+"/own/step.csv").Replace(variant),
			whole + "/roads/ramp.csv", whole + "/models/ice.asc", whole + "/own/step.csv",
		},
		{"own/deep/nested.toml", "base = \"../variant.toml\"\nname = \"Nested\"\n", "../../roads/ramp.csv",
			"../../models/ice.asc", "../step.csv"},
		{"own/deep/absolute.toml", "base = \"../absolute.toml\"\nname = \"Nested\"\n", whole + "/roads/ramp.csv",
			whole + "/models/ice.asc", whole + "/own/step.csv"},
	} {
		m, err := vehicle.Read(write(c.name, c.text))
		if err != nil {
			t.Error(err)
			continue
		}
		first, second := m.Components[0].(*component.Terrain), m.Components[1].(*component.Terrain)
		if first.File != c.ramp || first.Friction.File != c.ice || second.File != c.step {
			t.Errorf("%s names %s, %s and %s", c.name, first.File, first.Friction.File, second.File)
		}
	}
	_, err := vehicle.Read(write("own/folder.toml", "base = \"../models\"\nname = \"Folder\"\n"))
	if err == nil || !strings.HasPrefix(err.Error(),
		filepath.Join(folder, "own", "folder.toml")+":1:8: base: "+filepath.Join(folder, "models")+" is a folder") {
		t.Errorf("a folder as base: %v", err)
	}
}

func TestFaultsOfVariantsHavePositions(t *testing.T) {
	var words []string
	for _, c := range component.Types {
		words = append(words, c.Word)
	}
	types := fmt.Sprintf("types are %q", words)
	chain := map[string]string{}
	for i := range 20 {
		chain[fmt.Sprintf("%d.toml", i)] = fmt.Sprintf("base = \"%d.toml\"\n", i+1)
	}
	const named = `base = "cart.toml"
name = "V"
title = "V"
`
	for name, c := range map[string]struct {
		variant string
		files   map[string]string
		want    string
	}{
		"no text": {"base = 3\n", nil, `car/v.toml:1:8: base is 3; it must be a string, the model file of which this ` +
			`one is a variant`},
		"a table": {"[base]\n", nil, `car/v.toml:1:2: base is a table; it must be a string, the model file of which ` +
			`this one is a variant`},
		"empty": {"base = ''\n", nil, `car/v.toml:1:8: base is ""; it must be a string, the model file of which ` +
			`this one is a variant`},
		"missing": {"base = \"none.toml\"\n", nil, `car/v.toml:1:8: base: file does not exist`},
		"missing in base": {"base = \"../b.toml\"\n", map[string]string{"b.toml": "\nbase = \"none.toml\"\n"},
			`b.toml:2:8: base: file does not exist`},
		"no TOML": {"base = \"b.toml\"\n", map[string]string{"car/b.toml": "name = \"B\"\na = \n"},
			`car/b.toml:2:5: not valid TOML: expected value but found '\n' instead`},
		"itself": {"base = \"../car/v.toml\"\n", nil, `car/v.toml:1:8: base leads in a circle: car/v.toml, ` +
			`car/v.toml; one of these files must do without a base`},
		"circle": {"base = \"a.toml\"\n", map[string]string{"car/a.toml": `base = "../b.toml"`,
			"b.toml": `base = "car/a.toml"`}, `b.toml:1:8: base leads in a circle: car/a.toml, b.toml, car/a.toml; one of ` +
			`these files must do without a base`},
		"long chain": {"base = \"../0.toml\"\n", chain, `15.toml:1:8: base is one too many: at most 16 may follow one ` +
			`another, here do 0.toml, 1.toml, 2.toml, 3.toml, 4.toml, 5.toml, 6.toml, 7.toml, 8.toml, 9.toml, 10.toml, ` +
			`11.toml, 12.toml, 13.toml, 14.toml, 15.toml, 16.toml`},
		"no name": {"title = \"V\"\nbase = \"cart.toml\"\n", nil,
			`car/v.toml:2:8: the variant has no name of its own; give it one; the name "Cart" belongs to its base`},
		"no title": {"name = \"V\"\nbase = \"cart.toml\"\n", nil,
			`car/v.toml:2:8: the variant has no title of its own; give it one; the title "Cart" belongs to its base`},
		"no name at all": {"base = \"b.toml\"\n",
			map[string]string{"car/b.toml": strings.Replace(strings.Replace(cart, `name = "Cart"`, "", 1), `title = "Cart"`,
				"", 1)},
			`car/v.toml:1:1: the model file lacks the key "name": identifier of the model (a string)`},
		"no type": {named + "[component.sprung]\nmass = 1\n", nil,
			`car/v.toml:4:12: component sprung lacks the key "type", and no base or use gives it one; ` +
				`did you mean "spring"? ` + types},
		"no type, like none": {named + "component.wheelbarrow = {}\n", nil,
			`car/v.toml:4:25: component wheelbarrow lacks the key "type", and no base or use gives it one; ` + types},
		"in both files": {named +
			`[component.load]
mass = -1
[component.cart]
colour = 3
[parameters]
coil.damping.value = "x"
`,
			map[string]string{"car/cart.toml": strings.Replace(cart, `method = "heun"`, `method = "hume"`, 1)},
			"car/cart.toml:14:10: solver.method is \"hume\"; it must be one of the words " +
				strings.Join(solver.Names(), ", ") + "\n" +
				"car/v.toml:5:8: load.mass is -1; it must be above 0\n" +
				"car/v.toml:7:10: unknown key \"colour\" in component cart; allowed keys: type, text, frame, mass, inertia, " +
				"angular_damping, sequence, speeds, design, design_in, start\n" +
				"car/v.toml:9:22: parameter coil.damping.value is \"x\"; it must be a number, " +
				"or one with a unit such as \"5 mm\"; formulas stand in components"},
		"lacking in the base": {named, map[string]string{"car/cart.toml": strings.Replace(cart, "mass = 10\n", "", 1)},
			`car/cart.toml:22:12: component cart lacks the key "mass": mass (a number or a formula [kg])`},
		"lacking in both": {named + "[component.cart]\ntext = \"x\"\n",
			map[string]string{"car/cart.toml": strings.Replace(cart, "mass = 10\n", "", 1)},
			`car/v.toml:4:12: component cart lacks the key "mass": mass (a number or a formula [kg])`},
		"replaced": {named + `[component.cart]
type = "rigid-body"
mass = 10
`, nil,
			`car/v.toml:4:12: component cart lacks the key "inertia": inertia about the centre of mass, in the frame (a table)`},
		"list for a table": {named + "component.cart.inertia = [1, 2, 3]\n", nil,
			`car/v.toml:4:16: cart.inertia is a list of 3; it must be a table`},
		"of both, found in the base": {named + "[parameters]\nmass = { value = 0 }\n", nil,
			`car/cart.toml:30:8: load.mass is "mass"; it must be above 0`},
		"found last, in the variant": {named + "[component.spring]\nto = \"lode\"\n", nil,
			`car/v.toml:5:6: component spring uses the frame "lode", which no body, joint, arm or road has; frames: ball, ` +
				`cart, ground, load`},
		"frames in the base": {named + "[component.load]\nframe = \"cargo\"\n", nil,
			`car/cart.toml:35:6: component spring uses the frame "load", which no body, joint, arm or road has; frames: ball, ` +
				`cargo, cart, ground`},
		"inertia of both": {named + "[component.cart]\ninertia.zz = 9\n", nil,
			`car/v.toml:5:1: cart.inertia is not physical: of its principal moments 1, 2, 9 kg m2 the largest exceeds the sum ` +
				`of the others by 200 %; correct the values or their units, or set allow_unphysical = "yes" beside them`},
		"output of the base": {named + "[component.ball]\n",
			map[string]string{"car/cart.toml": strings.Replace(cart, `"load.x"]`, `"lode.x"]`, 1)},
			`car/cart.toml:5:22: outputs names "lode.x", but there is no component "lode"; did you mean "load"?`},
	} {
		files := map[string]string{"car/cart.toml": cart, "car/v.toml": c.variant}
		for name, text := range c.files {
			files[name] = text
		}
		if _, err := parseFiles(files, "car/v.toml"); err == nil || filepath.ToSlash(err.Error()) != c.want {
			t.Errorf("%s: got\n%v\nwant\n%s", name, err, c.want)
		}
	}
}

// A chain as long as it may be is read.
func TestBasesMayFollowOneAnother(t *testing.T) {
	files := map[string]string{"16.toml": cart}
	for i := range 16 {
		files[fmt.Sprintf("%d.toml", i)] = fmt.Sprintf(
			`base = "%d.toml"
name = "M%d"
title = "M"
[parameters]
mass.value = %d
`, i+1, i, 20+i)
	}
	m, err := parseFiles(files, "0.toml")
	if err != nil {
		t.Fatal(err)
	}
	if m.Name != "M0" || m.Parameters[0].Value.Value != 20 {
		t.Errorf("%s has a mass of %v", m.Name, m.Parameters[0])
	}
}

// A road may be as large as roads are, also as a map of friction, and everything else that a model names as large as
// parameters of tires.
func TestFilesOfAModelAreOfTheirKind(t *testing.T) {
	path := filepath.Join(t.TempDir(), "kinds.toml")
	const text = `component.t.type = "terrain"
component.t.file = "road"
component.t.friction = { file = "snow" }
component.w.type = "tire"
component.w.force = { file = "tire" }
x.file = "other"
`
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := vehicle.ReadDocument(path)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bounded.Kind{"road": bounded.Road, "snow": bounded.Road, "tire": bounded.TireData,
		"other": bounded.TireData}
	names := d.FileNames()
	for _, n := range names {
		if got := d.FileKind(n); got != want[n.Text] {
			t.Errorf("%s is a %s", n.Text, got.Name)
		}
	}
	if len(names) != len(want) {
		t.Errorf("%d names", len(names))
	}
}
