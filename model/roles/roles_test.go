package roles

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/document"
)

const lorry = `chassis = "cab"
axles = [["t1", "t2"], [["t3", "t4"], ["t6", "t5"]]]
spin = [["w1.omega", "w2.omega"], [["w3.omega", "w4.omega"], ["w6.omega", "w5.omega"]]]
rolling_radius = ["500 mm", 0.49]
travel = [["s1.s", "s2.s"], [["s3.s", "s3.s"], ["s5.s", "s5.s"]]]
stops = [[-0.1, 0.1], [-0.2, 0.2]]
steering = { input = "steering.angle" }
throttle = { input = "engine.throttle" }
brake = { inputs = ["b1.torque", "b2.torque"], per = "deceleration", factor = "2 kN.s2/m" }
outline = { width = 2.5, front = "1500 mm", rear = 6 }
shell = "van"
trailer = ["semi"]
gear = { input = "box.gear", normal = 6, lowest = 2, backwards = -3, shift = "600 rad/s" }
hands = { input = "steering.hold" }
start = { "a.b" = "speed/2" }
`

// dotted is the name of a variable.
var dotted = regexp.MustCompile(`[A-Za-z_]\w*\.[A-Za-z_]`)

func read(t testing.TB, text string) (*Roles, error) {
	t.Helper()
	root, err := document.Parse([]byte("[roles]\n"+text), "car.toml")
	if err != nil {
		t.Fatal(err)
	}
	faults := document.Faults{File: "car.toml"}
	r := Read(root.Field("roles"), &faults)
	return r, faults.Err()
}

// A variable has the name of its role, and the role leads back to the variable. A variable that a role names by another
// word, or that has no role, has no such name.
func TestVariablesHaveTheNamesOfTheirRoles(t *testing.T) {
	r, err := read(t, lorry)
	if err != nil {
		t.Fatal(err)
	}
	for variable, want := range map[string]string{
		"cab.vx": "@chassis.vx", "t1.Fz": "@wheel[1L].Fz", "t5.kappa": "@wheel[2R2].kappa",
		"w6.omega": "@wheel[2R1].omega", "t1.slip": "",
		"steering.angle": "@steering.angle", "engine.throttle": "@throttle", "b1.torque": "@brake", "b2.torque": "",
		"box.gear": "@gear", "box.slip": "", "semi.ay": "@trailer[1].ay", "steering.hold": "@hands", "s3.s": "@travel[2L1]",
		"cab.beta": "", "cab": "", "": "", "t9.Fz": "", "time": "",
	} {
		if got := r.Role(variable); got != want {
			t.Errorf("%s is %q, want %q", variable, got, want)
		}
	}
	if got := (*Roles)(nil).Role("body.vx"); got != "" {
		t.Errorf("a vehicle without roles has %q", got)
	}
}

// Names of roles lead to their parts: axles from the front, twins from outside in.
func TestRolesNameParts(t *testing.T) {
	r, err := read(t, lorry)
	if err != nil {
		t.Fatal(err)
	}
	for mention, want := range map[string]string{
		"@chassis.vx": "cab.vx", "@wheel[1L].Fz": "t1.Fz", "@wheel[1R].slip": "t2.kappa", "@wheel[2L1].Fz": "t3.Fz",
		"@wheel[2R1].load": "t6.Fz", "@wheel[2R2].Fy": "t5.Fy",
		"@wheel[2R1].omega": "w6.omega", "@steering.angle": "steering.angle",
		"@throttle": "engine.throttle", "@brake": "b1.torque", "@gear": "box.gear", "@trailer[1].ay": "semi.ay",
		"@hands": "steering.hold", "@travel[2L1]": "s3.s", "engine.speed": "engine.speed",
	} {
		if got, err := r.Variable(mention); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", mention, got, err, want)
		}
	}
	for formula, want := range map[string]string{
		"2*@chassis.vx*sign(@gear)": "2*cab.vx*sign(box.gear)",
		"@axle[1].load/9.81":        "(t1.Fz + t2.Fz)/9.81",
		"@axle[2].Fy":               "(t3.Fy + t4.Fy + t5.Fy + t6.Fy)",
		"abs(@chassis.beta)":        "abs(atan2(cab.vy, cab.vx))",
	} {
		if got, err := r.Formula(formula); err != nil || got != want {
			t.Errorf("%s is %q, %v; want %q", formula, got, err, want)
		}
	}
	if got := r.Axles[0].Radius; got != 0.5 {
		t.Errorf("500 mm are %g m", got)
	}
	if r.Brake[0].Factor != 2000 || r.Outline.Front != 1.5 || r.Shell != "van" {
		t.Errorf("2 kN.s2/m are %g, 1500 mm %g", r.Brake[0].Factor, r.Outline.Front)
	}
	if list, err := r.Pattern("@wheel[1L].power*"); err != nil || !slices.Equal(list, []string{"t1.power*"}) {
		t.Errorf("@wheel[1L].power* is %q, %v", list, err)
	}
	if list, err := r.Pattern("@wheel[2*].F?"); err != nil ||
		!slices.Equal(list, []string{"t3.F?", "t4.F?", "t6.F?", "t5.F?"}) {
		t.Errorf("pattern: %q, %v", list, err)
	}
	var tires []string
	for _, w := range r.Wheels() {
		tires = append(tires, w.Tire+strings.TrimSuffix(w.Spin, ".omega"))
	}
	if !slices.Equal(tires, []string{"t1w1", "t2w2", "t3w3", "t4w4", "t5w5", "t6w6"}) {
		t.Errorf("wheels from the left: %q", tires)
	}
	drivers, err := read(t, `steering = { drivers = ["l", "r"], ratio = 16 }`)
	if got, wrong := drivers.Formula("@steering.angle"); err != nil || wrong != nil || got != "(16*l.angle)" {
		t.Errorf("angle of an imagined steering wheel: %q, %v, %v", got, wrong, err)
	}
	for _, ratio := range []string{"131 rad/m", "0.131 rad/mm"} {
		rack, err := read(t, `steering = { drivers = ["rack"], ratio = "`+ratio+`" }`)
		if got, wrong := rack.Formula("@steering.angle"); err != nil || wrong != nil || got != "(131*rack.position)" ||
			rack.Steering.Overall() != 0 {
			t.Errorf("angle of the steering wheel of a rack: %q, %v, %v", got, wrong, err)
		}
	}
	if _, err := read(t, `steering = { input = "steering.angle", ratio = "131 rad/m" }`); err == nil ||
		!strings.Contains(err.Error(), "with input it is the overall steering ratio, such as 16") {
		t.Errorf("the overall ratio of a steering wheel is 131 rad/m: %v", err)
	}
}

// A written table is read again as the same text, without keys that are false.
func TestRolesAreWritten(t *testing.T) {
	r, err := read(t, lorry+"clutch = false\nwind = { input = \"air.\u00e4\\\"\" }\n")
	if err == nil { // the name has a quotation mark
		t.Error("a name with a quotation mark is a variable")
	}
	written := Text("roles", r.Table)
	if strings.Contains(written, "clutch") || !strings.Contains(written, `rolling_radius = ["500 mm", 0.49]`) ||
		!strings.Contains(written, `start = { "a.b" = "speed/2" }`) {
		t.Error(written)
	}
	again, err := document.Parse([]byte(written), "car.toml")
	if err != nil || Text("roles", again.Field("roles")) != written {
		t.Errorf("%v\n%s", err, written)
	}
}

// Values that cannot be roles, and unknown roles, are rejected with the allowed ones.
func TestInvalidRoles(t *testing.T) {
	r, err := read(t, lorry)
	if err != nil {
		t.Fatal(err)
	}
	for mention, says := range map[string]string{
		"@chasis.vx": "did you mean @chassis?", "@wheel[3L].Fz": "wheels: 1L, 1R, 2L1, 2L2, 2R1, 2R2",
		"@wheel[2L].Fz": "wheels: 1L", "@wheel.Fz": "is written like @wheel[1L].Fz", "@axle[0].load": "axles 1 to 2",
		"@axle[1].kappa": "an axle has load", "@throttle.x": "is written like @throttle", "@": "names no role",
		"@trailer[2].vx": "trailers 1 to 1", "@axle[2].load": "is computed from several variables",
		"@wind": "needs the role \"wind\"", "@road.kind": "needs the role \"road\"",
		"@unsprung[1L].az": "needs the role \"unsprung\"",
	} {
		if got, err := r.Variable(mention); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s is %q, %v; want %s", mention, got, err, says)
		}
	}
	for text, says := range map[string]string{
		`chasis = "b"`:                                               `2:10: unknown key "chasis" in roles; did you mean`,
		`chassis = 1`:                                                "2:11: roles.chassis is 1; it must be",
		`axles = "t"`:                                                `roles.axles is "t"; it is a list of axles`,
		`axles = [["a", "b", "c"]]`:                                  "an axle is [\"LEFT\", \"RIGHT\"]",
		`spin = [["a.b"]]`:                                           "roles has no axles; give axles first",
		"axles = [[\"a\"]]\nspin = []":                               "one element for each of the 1 axles",
		"axles = [[\"a\"]]\nspin = [[\"a\", \"b\"]]":                 "must be nested as roles.axles is",
		"axles = [[\"a\"]]\nstops = [[1, 0]]":                        "must be above it",
		"axles = [[\"a\"]]\nrolling_radius=[0]":                      "it must be above 0",
		`steering = { input = "a.b", drivers = ["c"] }`:              "both input",
		`steering = { drivers = ["c"] }`:                             "has no ratio",
		`steering = {}`:                                              "has neither input",
		`throttle = { input = "a.b", closed = 1, open = 0 }`:         "closed must be below open",
		`throttle = { input = "a b" }`:                               "the name of a variable",
		`throttle = { closed = 0 }`:                                  "roles.throttle has no inputs",
		`throttle = { input = "a.b", inputs = ["c.d"] }`:             "has both input and inputs",
		`brake = { input = "a.b", per = "foot" }`:                    `roles.brake.per is "foot"`,
		`brake = { input = "a.b", per = "pedal", factor = "3 N" }`:   "N is not a unit for what must be in s2/m",
		`brake = { input = "a.b", factor = "242 N.m" }`:              "must be in Pa.s2/m, nor in N.m.s2/m or N.s2/m",
		`brake = [{ input = "a.b", factor = 1 }, { input = "c.d" }]`: "for some of its inputs",
		`outline = { width = 1, front = 1 }`:                         `roles.outline lacks the key "rear"`,
		`outline = { width = "1.6 furlong", front = 1, rear = 1 }`:   `unit "furlong" is not known`,
		`wheelbase = 0`:                                              "it must be above 0",
		`outline = { width = 0, front = 1, rear = 1 }`:               "roles.outline.width is 0; it must be above 0",
		`shell = "bus"`:                                              "one of the words sedan, van, truck, formula, box",
		`wheelbase = "1e308 km"`:                                     "which is not a finite number",
		`throttle = { input = "a.b", closed = 1 }`:                   "closed must be below open",
		"axles = [[\"a\"]]\nstops = [[1, 1]]":                        "which must be above it",
		"axles = [[\"a\"]]\ntravel = [[\"a.b\", [], []]]":            "must be nested as roles.axles is",
		`wheelbase = "2.5 kg"`:                                       "kg is not a unit for what must be in m",
		`wheelbase = inf`:                                            "which is not a finite number",
		`trailer = []`:                                               "is an empty list",
		`start = 1`:                                                  "roles.start is 1; it must be a table",
		`wind = "a.b"`:                                               `roles.wind is "a.b"; it must be a table`,
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v\nwant %s", text, err, says)
		}
	}
}

// Manoeuvres for any car name no component of a vehicle: they refer to parts by roles.
func TestManoeuvresForAnyCarNameNoComponent(t *testing.T) {
	files, err := filepath.Glob("../../resources/manoeuvres/*.toml")
	if err != nil || len(files) < 50 {
		t.Fatal(len(files), err)
	}
	general := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		root, err := document.Parse(text, file)
		if err != nil {
			t.Fatal(err)
		}
		if root.Field("cars") == nil {
			continue
		}
		general++
		var walk func(n *document.Node)
		walk = func(n *document.Node) {
			for _, item := range n.Items {
				walk(item)
			}
			for _, key := range n.Keys {
				if strings.Contains(key, ".") && !strings.HasPrefix(key, "@") {
					t.Errorf("%s sets %s", file, key)
				}
				switch v := n.Field(key); key {
				case "formula", "law", "variables", "drivers", "body", "torques", "variable", "front", "rear", "following":
					texts := v.Items
					if v.Kind == document.Text {
						texts = []*Node{v}
					}
					for _, text := range texts {
						left := mention.ReplaceAllString(text.Text, "")
						if dotted.MatchString(left) || key != "formula" && key != "law" && left != "" {
							t.Errorf("%s:%d: %s = %q", file, text.Line, key, text.Text)
						}
					}
				default:
					walk(v)
				}
			}
		}
		walk(root)
	}
	if general < 30 {
		t.Errorf("only %d manoeuvres are for any car", general)
	}
}

// Any table is read, and any text resolved, without a panic, and faults have places.
func FuzzRoles(f *testing.F) {
	fuzzinputs.Add(f, lorry, "2*@chassis.vx + @axle[2].load")
	fuzzinputs.Add(f, `brake = [{ input = "a.b", factor = 1 }]`, "@wheel[*].F?")
	f.Fuzz(func(t *testing.T, text, name string) {
		root, err := document.Parse([]byte("[roles]\n"+text), "car.toml")
		if err != nil {
			return
		}
		faults := document.Faults{File: "car.toml"}
		r := Read(root.Field("roles"), &faults)
		if err := faults.Err(); err != nil {
			if !strings.HasPrefix(err.Error(), "car.toml:") {
				t.Fatalf("no place in %v", err)
			}
			return
		}
		r.Formula(name)
		r.Variable(name)
		r.Pattern(name)
		r.Sets(name)
		if r.Table == nil {
			return
		}
		written := Text("roles", r.Table)
		again, err := document.Parse([]byte(written), "car.toml")
		if err != nil {
			t.Fatalf("%v\n%s", err, written)
		}
		if twice := Text("roles", again.Field("roles")); twice != written {
			t.Fatalf("written\n%s\nthen\n%s", written, twice)
		}
	})
}

// A car file can replace the steering and drive inputs of the vehicle; roles missing in the car file do not change.
func TestMergedRoles(t *testing.T) {
	table := func(text string) *Node {
		root, err := document.Parse([]byte("[roles]\n"+text), "car.toml")
		if err != nil {
			t.Fatal(err)
		}
		return root.Field("roles")
	}
	base := table(`steering = { drivers = ["l", "r"], ratio = 16 }` + "\n" +
		`throttle = { inputs = ["a.b", "c.d"], open = 5 }`)
	over := table(`steering = { input = "wheel.angle" }` + "\n" + `throttle = { input = "e.f" }`)
	faults := document.Faults{File: "car.toml"}
	r := Read(Merge(base, over), &faults)
	if err := faults.Err(); err != nil || !r.Steering.Wheel || r.Steering.Ratio != 16 ||
		!slices.Equal(r.Throttle.Inputs, []string{"e.f"}) || r.Throttle.Open != 5 {
		t.Errorf("%+v, %+v, %v", r.Steering, r.Throttle, err)
	}
	r = Read(Merge(over, base), &faults)
	if err := faults.Err(); err != nil || r.Steering.Wheel || len(r.Throttle.Inputs) != 2 {
		t.Errorf("%+v, %+v, %v", r.Steering, r.Throttle, err)
	}
	for _, c := range [][3]string{ // base, over, result
		{`steering = { drivers = ["l"], ratio = 16 }`, `steering = { input = "wheel.angle" }`, "input,ratio"},
		{`steering = { input = "wheel.angle" }`, `steering = { drivers = ["l"], ratio = 16 }`, "drivers,ratio"},
		{`throttle = { inputs = ["a.b"] }`, `throttle = { input = "c.d" }`, "input"},
		{`throttle = { input = "a.b" }`, `throttle = { inputs = ["c.d"] }`, "inputs"},
		{`steering = { drivers = ["l"], ratio = 16 }`, `steering = { ratio = 12 }`, "drivers,ratio"},
		// both in one table are an error, which merging does not hide
		{`throttle = { inputs = ["a.b"] }`, `throttle = { input = "c.d", inputs = ["e.f"] }`, "input,inputs"},
		{`steering = { input = "a.b" }`, `steering = { input = "a.b", drivers = ["l"] }`, "drivers,input"},
	} {
		base, over := table(c[0]), table(c[1])
		key := base.Keys[0]
		merged := Merge(base, over).Field(key)
		names := slices.Clone(merged.Keys)
		slices.Sort(names)
		if got := strings.Join(names, ","); got != c[2] || len(merged.Fields) != len(names) {
			t.Errorf("%s over %s has the keys %s and %d fields, want %s", c[1], c[0], got, len(merged.Fields), c[2])
		}
		if len(base.Field(key).Fields) != len(base.Field(key).Keys) {
			t.Errorf("%s has changed", c[0])
		}
	}
	if len(base.Field("throttle").Keys) != 2 || base.Field("throttle").Field("inputs") == nil {
		t.Error("merging changes a table")
	}
}

// The examples of messages are roles as a file has them.
func TestExamplesAreRoles(t *testing.T) {
	for role, example := range Examples {
		root, err := document.Parse([]byte("[roles]\n"+role+" = "+example+"\n"), "car.toml")
		if err != nil {
			t.Errorf("%s: %v", role, err)
			continue
		}
		faults := document.Faults{File: "car.toml"}
		if r := Read(root.Field("roles"), &faults); faults.Err() != nil || len(r.Names) == 0 && r.Outline == nil {
			t.Errorf("%s = %s: %v", role, example, faults.Err())
		}
	}
}

// Numbers of roles are in SI units; missing numbers of gears and throttles have their defaults.
func TestNumbersOfRoles(t *testing.T) {
	r, err := read(t, lorry)
	if err != nil {
		t.Fatal(err)
	}
	if *r.Gear != (Gear{Input: "box.gear", Normal: 6, Lowest: 2, Backward: -3, Shift: 600}) ||
		*r.Outline != (Outline{2.5, 1.5, 6}) || r.Axles[0].Radius != 0.5 || r.Axles[1].Radius != 0.49 ||
		r.Axles[1].Left[1].Stops != [2]float64{-0.2, 0.2} || r.Brake[0].Factor != 2000 || r.Throttle.Closed != 0 ||
		r.Throttle.Open != 1 {
		t.Errorf("%+v, %+v, %+v, %+v, %+v", r.Gear, r.Outline, r.Axles, r.Brake, r.Throttle)
	}
	r, err = read(t, `gear = { input = "box.gear" }
throttle = { input = "a.b", open = 3, closed = -2 }
understeer = "3e-3 rad.s2/m"
wheelbase = 2.5
`)
	if err != nil || *r.Gear != (Gear{Input: "box.gear", Normal: 1, Lowest: 1, Backward: -1}) || r.Throttle.Open != 3 ||
		r.Throttle.Closed != -2 || *r.Understeer != 3e-3 || r.Wheelbase != 2.5 {
		t.Errorf("%+v, %+v, %v", r.Gear, r.Throttle, err)
	}
}

// The share of the front brakes is between 0 and 1, and one of several tables gives it.
func TestFrontShareOfBrakes(t *testing.T) {
	for text, want := range map[string]float64{
		`brake = { input = "b.torque", front_share = 0.7 }`:                                         0.7,
		`brake = { input = "b.torque", front_share = "65 %" }`:                                      0.65,
		`brake = [{ input = "b.torque" }, { input = "c.torque", front_share = 0 }]`:                 0,
		`brake = { inputs = ["b.torque", "c.torque"], per = "pedal", factor = 2, front_share = 1 }`: 1,
	} {
		if r, err := read(t, text); err != nil || r.FrontShare == nil || math.Abs(*r.FrontShare-want) > 1e-15 {
			t.Errorf("%s: %v", text, err)
		}
	}
	if r, err := read(t, `brake = { input = "b.torque" }`); err != nil || r.FrontShare != nil {
		t.Errorf("%v", err)
	}
	for text, says := range map[string]string{
		`brake = { input = "b.torque", front_share = 1.2 }`:                                              "front_share",
		`brake = { input = "b.torque", front_share = -0.1 }`:                                             "front_share",
		`brake = { input = "b.torque", front_share = "0.6 m" }`:                                          "front_share",
		`brake = [{ input = "b.torque", front_share = 0.5 }, { input = "c.torque", front_share = 0.5 }]`: "given twice",
	} {
		if _, err := read(t, text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v does not say %q", text, err, says)
		}
	}
}
