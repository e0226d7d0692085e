package vehicle_test

import (
	"fmt"
	"strings"
	"testing"
)

// edited is a string with a part replaced; the part must exist.
func edited(t *testing.T, text, old, by string) string {
	t.Helper()
	if !strings.Contains(text, old) {
		t.Fatalf("%q is not in the file", old)
	}
	return strings.Replace(text, old, by, 1)
}

// Every error of uses and subsystem files gives one message: with place, value found, allowed values, and the uses that
// lead to the place.
func TestFaultsOfSubsystemsHavePositions(t *testing.T) {
	deep := map[string]string{}
	for k := range 17 {
		deep[fmt.Sprintf("parts/d%d.toml", k)] = fmt.Sprintf(`kind = "subsystem"
[use.a]
file = "d%d.toml"
`, k+1)
	}
	for _, c := range []struct {
		name          string
		file, old, by string // of the files above: car, strut or axle
		more          map[string]string
		want          string // the whole message, "..." for any text
	}{
		{"no file", "car", `"parts/strut.toml"`, `"parts/strat.toml"`, nil,
			"car.toml:10:8: file: file does not exist; paths lead from the folder of the file that names them"},
		{"a model", "car", `"parts/strut.toml"`, `"parts/m.toml"`, map[string]string{"parts/m.toml": "name = \"M\"\n"},
			`car.toml:10:8: parts/m.toml is not a subsystem file: it lacks kind = "subsystem" in its first lines`},
		{"not TOML", "strut", "sides =", "sides", nil, "parts/strut.toml:4:...not valid TOML..."},
		{"unknown key", "strut", "sides =", "side =", nil,
			`parts/strut.toml:4:8: unknown key "side" in the subsystem file; did you mean "sides"? allowed keys: ...`},
		{"unknown key of a use", "car", "at = [", "in = [", nil,
			`car.toml:11:1: unknown key "in" in use F; allowed keys: file, at, count, ...`},
		{"wrong side", "car", `["L", "R"]`, `["L", "B"]`, nil,
			`car.toml:11:12: use F.at[1] is "B"; parts/strut.toml has sides = "left", so that its instances are L and R`},
		{"twice", "car", `["L", "R"]`, `["L", "L"]`, nil,
			`car.toml:11:12: use F.at lists "L" twice; every instance needs its own name`},
		{"not mirrored", "strut", `sides = "left"`, `sides = "none"`, nil,
			`car.toml:11:12: use F.at names R, which is the mirrored side, but parts/strut.toml is not mirrored; ` +
				`leave "at" out where the file makes both sides itself, write ` +
				`sides = "left" into it, or give the instance another name`},
		{"frame missing", "car", `frames = { chassis = "body" }`, `frames = {}`, nil,
			`car.toml:9:6: use F lacks the frames chassis that parts/strut.toml wants; write frames = { chassis = "..." }`},
		{"frame misspelt", "car", `frames = { chassis = "body" }`, `frames = { chasis = "body", chassis = "body" }`, nil,
			`car.toml:12:21: use F.frames gives "chasis", which parts/strut.toml does not want; did you mean "chassis"? it ` +
				`wants chassis`},
		{"frame unknown", "car", `frames = { chassis = "body" }`, `frames = { chassis = "bady" }`, nil,
			`car.toml:12:22: use F.frames.chassis is "bady", which no other component or use of the model names; did you mean ` +
				`"body"? frames are those of bodies, joints, arms and roads`},
		{"parameter missing", "car", `parameters = { x = "front", rate = 25000 }`, "", nil,
			`car.toml:9:6: use F lacks parameters that have no value in parts/strut.toml: x [m], axle ahead of the chassis ` +
				`frame; write parameters = { name = value }`},
		{"parameter misspelt", "car", "rate = 25000", "rat = 25000", nil,
			`car.toml:13:35: use F.parameters gives "rat", which parts/strut.toml does not have; did you mean "rate"? its ` +
				`parameters: x, half_track, rate, mass, lag`},
		{"formula over nothing", "car", `x = "front"`, `x = "frnt"`, nil,
			`car.toml:13:20: use F.parameters.x: formula, character 1: ...frnt...; names are those of [parameters]`},
		{"unit of a formula", "car", `unit = "m" }`, `unit = "kg" }`, nil,
			`car.toml:13:20: use F.parameters.x is "front": the formula has the unit kg; it must have m...
car.toml:26:27: use rear.parameters.x is "-front": the formula has the unit kg; it must have m...`},
		{"value out of bounds", "car", "rate = 25000", "mass = -25", nil,
			`car.toml:13:36: upright_FL.mass is "mass_FL"; it must not be negative; read at parts/strut.toml:28:8; used by ` +
				`car.toml:9:6 (use F: upright_FL, upright_FR)`},
		{"default out of bounds", "strut", "value = 30", "value = -30", nil,
			`parts/strut.toml:9:18: upright_FL.mass is "mass_FL"; it must not be negative; read at ` +
				`parts/strut.toml:28:8; used ` +
				`by car.toml:9:6 (use F: upright_FL, upright_FR), and by ...`},
		{"key of a component", "strut", "xy = 0.1", "xw = 0.1", nil,
			`parts/strut.toml:29:42: unknown key "xw" in upright_FL.inertia; did you mean "xx"? allowed keys: ...; used by ` +
				`car.toml:9:6 (use F: upright_FL, upright_FR), and by parts/axle.toml:11:6 (use L: upright_2L, upright_3L), used ` +
				`by car.toml:21:6 (use rear), and by parts/axle.toml:15:6 (use R: upright_2R, upright_3R), used by car.toml:21:6 ` +
				`(use rear)`},
		{"list without an array", "car", `x = "front"`, "x = [1, 2]", nil,
			`car.toml:13:16: use F.parameters.x is a list; lists have one value for each element of an array, and the use has ` +
				`no count; give a number, a quantity such as "12 mm", or a formula`},
		{"list of another length", "car", `[-1.1, "-front"]`, `[-1.1, -2, -3]`, nil,
			`car.toml:26:16: use rear.parameters.x is a list of 3; the array has 2 elements, so that a list has 2`},
		{"first without an array", "car", "count = 2\n", "", nil,
			`car.toml:23:9: use rear.first goes with count, which numbers the elements of an array`},
		{"count", "car", "count = 2", "count = 0", nil,
			`car.toml:23:9: use rear.count is 0; it must be a whole number from 1 to 10000`},
		{"change of nothing", "car", "[use.F.component.spring]", "[use.F.component.sprong]", nil,
			`car.toml:14:18: use F changes the component sprong, which parts/strut.toml does not have; did you mean "spring"? ` +
				`its components: corner, susp, spring, upright`},
		{"change of no instance", "car", "[component.spring_FR]", "[component.spring_FB]", nil,
			`car.toml:27:12: component spring_FB lacks the key "type", and no base or use gives it one; did you mean ` +
				`"spring_FL"? ...`},
		{"removal of nothing", "car", "[component.link_3]", "[component.link_4]", nil,
			`car.toml:30:10: component link_4.remove: there is no component link_4 to take out`},
		{"removal beside keys", "car", "remove = true", "remove = true\nstiffness = 3", nil,
			`car.toml:30:10: component link_3.remove stands beside other keys; it takes out what a base or a use has, and ` +
				`stands alone`},
		{"removal that is false", "car", "remove = true", "remove = false", nil,
			`car.toml:30:10: component link_3.remove is false; it must be true, or not be given`},
		{"clash of uses", "car", "[use.rear]", `[use.F2]
file = "parts/strut.toml"
count = 1
first = 2
at = ["L"]
frames = { chassis = "body" }
parameters = { x = 1 }
[use.rear]`, nil,
			`parts/axle.toml:11:6: use L makes ..._2L, which is a name of car.toml:21:6 (use F2, at 2L), too; give one of the ` +
				`uses another name, or an array another first`},
		{"parameter taken", "car", "front = {", "half_track_F = { value = 1, unit = \"m\" }\nfront = {", nil,
			`parts/strut.toml:7:14: a use makes the parameter half_track_F, a name that is taken at car.toml:4:16; ` +
				`rename one of ` +
				`them; used by car.toml:10:6 (use F, at L)`},
		{"parameter of the user", "strut", `stiffness = "rate"`, `stiffness = "front*rate"`, nil,
			`parts/strut.toml:24:13: the formula "front*rate" names front, which is no parameter of this file; write it into ` +
				`[parameters] of the file, and give it in the use; used by ...`},
		{"parameter of both", "car", "front = {", "rate = { value = 1, unit = \"N/m\" }\nfront = {", nil,
			`car.toml:16:21: the formula names rate, which is a parameter here, and another one of parts/strut.toml (rate_FL)` +
				`: rename the one here; used by car.toml:10:6 (use F: spring_FL, spring_FR)`},
		{"parameter like a component", "strut", "mass = {", "corner = { value = 1, unit = \"m\" }\nmass = {", nil,
			`parts/strut.toml:9:1...: parameter corner has the name of a component; rename one of them, because both get the ` +
				`same suffix`},
		{"terrain on one side", "strut", "[component.spring]", `[component.ground2]
type = "terrain"
[component.spring]`, nil,
			`parts/strut.toml:21:12: component ground2 is not mirrored, as no terrain is, but parts/strut.toml has sides = ` +
				`"left"; move it to the vehicle or to a file of an axle; used by ...`},
		{"joint of elsewhere", "strut", `joint = "susp"`, `joint = "far"`, nil,
			`parts/strut.toml:23:9: component spring_FR acts on the joint far, which is not of its file; on the right ` +
				`side its ` +
				`sign is not known; move both into one file; used by ...`},
		{"export of nothing", "strut", `wheel = "upright"`, `wheel = "uprigth"`, nil,
			`parts/strut.toml:31:9: exports.wheel is "uprigth"; it must be a component of the file, or one of its quantities, ` +
				`"component.quantity"; did you mean "upright"?`},
		{"circle", "strut", "[exports]", `[use.a]
file = "axle.toml"
frames = { chassis = "corner" }
[exports]`, nil,
			`parts/axle.toml:12:8: use leads in a circle: parts/strut.toml, parts/axle.toml, parts/strut.toml; one of these ` +
				`files must do without the next...`},
		{"circle of one", "axle", `"strut.toml"`, `"axle.toml"`, nil,
			`parts/axle.toml:12:8: use leads in a circle: parts/axle.toml, parts/axle.toml; one of these files must do ` +
				`without ` +
				`the next`},
		{"too deep", "car", `"parts/strut.toml"`, `"parts/d0.toml"`, deep,
			`parts/d15.toml:3:8: use is one too deep: at most 16 subsystem files may use one another, here do ...`},
		{"too many", "car", "[use.rear]", `[use.many]
file = "parts/strut.toml"
count = 3000
at = ["L"]
frames = { chassis = "body" }
parameters = { x = 1 }
[use.rear]`, nil,
			`...the model has more than 10000 components by uses; use fewer instances...`},
		{"frame that is a component", "strut", `frames = ["chassis"]`, `frames = ["chassis", "spring"]`, nil,
			`parts/strut.toml:3:22: frames lists "spring", which is the name of a component of the file; rename one of them`},
		{"share of a list", "axle", `y = { value = 0.6, unit = "m" }`, `y = { value = 0.6, unit = "m", share = 1 }`, nil,
			`parts/axle.toml:5:40: parameter y.share is 1; it must be true, or not be given`},
		{"empty", "strut", strut, "kind = \"subsystem\"\n", nil,
			`parts/strut.toml:1:1: the subsystem file has no [component.NAME] and no [use.NAME]; it needs at least one`},
		{"use is no table", "car", "[use.F]", "[[use]]\n[usef]", nil, `car.toml:...: ...use...`},
	} {
		files := map[string]string{"car": carOfStruts, "strut": strut, "axle": axle}
		files[c.file] = edited(t, files[c.file], c.old, c.by)
		more := map[string]string{"parts/strut.toml": files["strut"], "parts/axle.toml": files["axle"]}
		for name, text := range c.more {
			more[name] = text
		}
		_, err := subsystemModel(files["car"], more)
		if err == nil {
			t.Errorf("%s is accepted", c.name)
		} else if !alike(err.Error(), c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, err, c.want)
		}
	}
}

// alike compares a text with a pattern; "..." matches anything.
func alike(got, want string) bool {
	parts := strings.Split(want, "...")
	if !strings.HasPrefix(got, parts[0]) {
		return false
	}
	got = got[len(parts[0]):]
	for i, part := range parts[1:] {
		at := strings.Index(got, part)
		if i == len(parts)-2 && part != "" {
			at = strings.LastIndex(got, part)
			if at >= 0 && at+len(part) != len(got) {
				return false
			}
		}
		if at < 0 {
			return false
		}
		got = got[at+len(part):]
	}
	return len(parts) > 1 || got == ""
}

// A component of an unknown type is one message, though uses name its frame.
func TestUnknownTypeOfAGivenFrame(t *testing.T) {
	_, err := parsePlain(t, `type = "terrain"`, `type = "terain"`)
	if err == nil || strings.Contains(err.Error(), "\n") ||
		!strings.Contains(err.Error(), `plain.toml:4:8: component road has the unknown type "terain"; did you mean `+
			`"terrain"?`) {
		t.Error(err)
	}
}
