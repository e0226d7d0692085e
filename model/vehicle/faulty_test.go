package vehicle_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// plainRoles are added to the plain car.
const plainRoles = `[roles]
chassis = "body"
axles = [["tire_FL", "tire_FR"], ["tire_RL", "tire_RR"]]
steering = { drivers = ["steer_FL", "steer_FR"], ratio = 16 }
brake = { input = "brakes.torque", per = "deceleration", factor = "340 N.m.s2/m" }
outline = { width = "1.7 m", front = 2, rear = 2 }
[component.brakes]
type = "brake-distribution"
axles = [{ brakes = ["stop_FL", "stop_FR"], share = 0.6 }, { brakes = ["stop_RL", "stop_RR"], share = 0.4 }]
[parameters]
k = { value = 25, unit = "N/mm" }
length = { value = "0.5 m" }
[quantities]
"load" = { value = "tire_FL.Fz + tire_FR.Fz + 0*k*length", unit = "kN" }
`

// faultyCases are changes of the plain car, each with the whole message; "..." is any text, {corner} the file of the
// corner, {NAME} at the end the instances of a component of it.
var faultyCases = []struct{ name, old, by, want string }{
	// units
	{"unit of a force for a mass", `"1200 kg"`, `"1200 N"`,
		`plain.toml:21:8: body.mass is "1200 N": N is not a unit for what must be in kg; N, kgf and lbf are ` +
			`force: use kg or lb for a mass`},
	{"unit of a mass for a stiffness", `stiffness = 25000`, `stiffness = "25 kg/mm"`,
		`{corner}:27:13: spring_FL.stiffness is "25 kg/mm": kg/mm is not a unit for what must be in N/m; kg ` +
			`and lb are mass: use kgf or N for a force, lbf for pounds; used by {spring}`},
	{"unit that is none", `stiffness = 25000`, `stiffness = "25 Nm"`,
		`{corner}:27:13: spring_FL.stiffness is "25 Nm": Nm is not a unit for what must be in N/m; used by ` +
			`{spring}`},
	{"lbs", `"1200 kg"`, `"2600 lbs"`,
		`plain.toml:21:8: body.mass is "2600 lbs": unit "lbs" is not known; lb is mass, lbf is force`},
	{"no blank", `"1200 kg"`, `"1200kg"`,
		`plain.toml:21:8: body.mass is "1200kg": between number and unit stands a blank: write "1200 kg"`},
	{"decimal comma", `"1200 kg"`, `"1,2 t"`,
		`plain.toml:21:8: body.mass is "1,2 t": the decimal sign is a point: write "1.2 t"`},
	{"unit in a formula", `["x", "half_track", -0.3]`, `["x", "half_track + 20 mm", -0.3]`,
		`{corner}:12:21: the formula "half_track + 20 mm" has a unit inside; a unit stands behind a number ` +
			`alone, such as "5 mm": make the number a parameter; used by {place}`},
	{"degrees for a pure number", `share = 0.6`, `share = "30 deg"`,
		`plain.toml:11:53: brakes.axles[0].share is "30 deg": deg is not a unit for what must be in 1; ` +
			`degrees and turns are not pure numbers`},
	{"unit of a parameter", `unit = "N/mm"`, `unit = "N/mmm"`,
		`plain.toml:13:26: parameter k.unit: unit "N/mmm" is not known: "mmm" is not a unit; did you mean ` +
			`mm? Units are those of ...`},
	{"parameter without unit", `{ value = 25, unit = "N/mm" }`, `{ value = 25 }`,
		`plain.toml:13:5: parameter k lacks its unit; write unit = "m", "N/mm" or another, "1" for a pure ` +
			`number, or a value such as "5 mm"`},
	{"units of a parameter that disagree", `{ value = 25, unit = "N/mm" }`, `{ value = "25 kN", unit = "N/mm" }`,
		`plain.toml:13:15: parameter k.value is "25 kN": kN is not a unit for what must be in N/m`},
	{"unit of a quantity", `unit = "kN" }`, `unit = "kNewton" }`,
		`plain.toml:16:67: quantity load.unit: unit "kNewton" is not known; a unit is such as N.m/rad, kg.m2 ` +
			`or m/s^2: units with whole powers, joined by . or /. Units are those of ...`},
	{"unit of a parameter of a use", `{ x = 1.2 }`, `{ x = "1.2 s" }`,
		`plain.toml:28:20: parameter x_FL.value is "1.2 s": s is not a unit for what must be in m; used by ` +
			`plain.toml:24:6 (use F)`},
	{"unit of a number of turns", `axis = "y"`, "axis = \"y\"\nstart = { omega = \"10 Hz\" }",
		`{corner}:50:19: wheel_FL.start.omega is "10 Hz": Hz is not a unit for what must be in rad/s; write ` +
			`rev/s for turns per second, or rad/s; used by {wheel}`},
	{"temperature", `mass = 15`, `mass = "15 degC"`,
		`{corner}:43:8: upright_FL.mass is "15 degC": degC is not a unit for what must be in kg; used by ` +
			`{upright}`},
	{"unit where none belongs", `gravity = 9.81`, `gravity = "9.81 N"`,
		`plain.toml:2:11: gravity is "9.81 N": N is not a unit for what must be in m/s2`},
	// dimensions
	{"mass for a stiffness", `stiffness = 25000`, `stiffness = "half_track"`,
		`{corner}:7:24: spring_FL.stiffness is "half_track_FL": the formula has the unit m; it must have ` +
			`N/m; a number that multiplies has no unit: make it a parameter if it has one, and look at the units ` +
			`of the other names; read at {corner}:27:13; used by {spring}`},
	{"sum of unlike things", `["x", "half_track", -0.3]`, `["x + 2*x*x", "half_track", -0.3]`,
		`{corner}:12:16: place_FL.translation[0] is "x_FL + 2*x_FL*x_FL": the formula adds quantities in m ` +
			`and in m2; a number that multiplies has no unit: make it a parameter if it has one, and look at the ` +
			`units of the other names; used by {place}`},
	{"square root", `["x", "half_track", -0.3]`, `["x", "sqrt(half_track)", -0.3]`,
		`{corner}:12:21: place_FL.translation[1] is "sqrt(half_track_FL)": the formula has the unit m0.5; it ` +
			`must have m; a number that multiplies has no unit: make it a parameter if it has one, and look at ` +
			`the units of the other names; used by {place}`},
	{"function of a length", `["x", "half_track", -0.3]`, `["x", "sin(half_track)", -0.3]`,
		`{corner}:12:21: place_FL.translation[1] is "sin(half_track_FL)": sin needs a pure number, not one ` +
			`in m; a number that multiplies has no unit: make it a parameter if it has one, and look at the ` +
			`units of the other names; used by {place}`},
	{"power that is a name", `["x", "half_track", -0.3]`, `["x", "half_track^x", -0.3]`,
		`{corner}:12:21: place_FL.translation[1]: formula, character 15: the exponent must be an integer ` +
			`between -64 and 64; names are those of [parameters]; used by {place}`},
	{"parameter of a use", `{ x = -1.3 }`, `{ x = "k" }`,
		`plain.toml:33:20: use R.parameters.x is "k": the formula has the unit kg/s2; it must have m; a ` +
			`number that multiplies has no unit: make it a parameter if it has one, and look at the units of the ` +
			`other names`},
	{"inertia by a mass", `xx = 500`, `xx = "k"`,
		`plain.toml:22:18: body.inertia.xx is "k": the formula has the unit kg/s2; it must have kg.m2; a ` +
			`number that multiplies has no unit: make it a parameter if it has one, and look at the units of the ` +
			`other names`},
	{"unknown name in a formula", `["x", "half_track", -0.3]`, `["x", "half_trak", -0.3]`,
		`{corner}:12:21: the formula "half_trak" names half_trak, which is no parameter of this file; write ` +
			`it into [parameters] of the file, and give it in the use; used by {place}`},
	{"bracket that is open", `["x", "half_track", -0.3]`, `["x", "2*(half_track", -0.3]`,
		`{corner}:12:21: place_FL.translation[1]: formula, character 17: closing parenthesis missing; names ` +
			`are those of [parameters]; used by {place}`},
	// signs
	{"gravity below 0", `gravity = 9.81`, `gravity = -9.81`,
		`plain.toml:2:11: gravity is -9.81; a single number g stands for [0, 0, -g] and must not be ` +
			`negative: write 9.81, or 0 for none`},
	{"wheel that turns backwards", `axis = "y"`, `axis = [0, -1, 0]`,
		`{corner}:49:1: wheel_FL turns the wheel of tire_FL about an axis that points to the right (y is ` +
			`-1): its speed would be below 0 forward; let the axis point to the left, axis = "y", on both sides ` +
			`of a vehicle; used by {wheel}`},
	{"side", `value = 0.75`, `value = -0.75`,
		`{corner}:53:8: tire_FL is not on its side: its y is -0.7 m, seen from body, and positive y is left; ` +
			`correct the position, or give it the side of this position; used by {tire}`},
	{"mass below 0", `mass = 15`, `mass = -15`,
		`{corner}:43:8: upright_FL.mass is -15; it must not be negative; used by {upright}`},
	{"stiffness below 0", `stiffness = 25000`, `stiffness = -25000`,
		`{corner}:27:13: spring_FL.stiffness is -25000; it must not be negative; used by {spring}`},
	{"damping below 0", `damping = 2000`, `damping = "-2 N.s/mm"`,
		`{corner}:29:11: spring_FL.damping is "-2 N.s/mm"; it must not be negative; used by {spring}`},
	{"inertia below 0", `xx = 500`, `xx = -500`,
		`plain.toml:22:18: body.inertia.xx is -500; it must not be negative`},
	{"inertia that no body has", `zz = 2200`, `zz = 9000`,
		`plain.toml:22:11: body.inertia is not physical: of its principal moments 500, 2000, 9000 kg m2 the ` +
			`largest exceeds the sum of the others by 260 %; correct the values or their units, or set ` +
			`allow_unphysical = "yes" beside them`},
	{"radius of 0", `unloaded_radius = 0.3`, `unloaded_radius = 0`,
		`{corner}:56:19: tire_FL.unloaded_radius is 0; it must be above 0; used by {tire}`},
	{"share above 1", `share = 0.6`, `share = 1.6`,
		`plain.toml:11:53: brakes.axles[0].share is 1.6; it must not be above 1`},
	{"tire of a ball", `axial = 0.9`, `axial = 9`,
		`{corner}:55:11: tire_FL.inertia is not physical: of its principal moments 0.5, 0.5, 9 kg m2 the largest ` +
			`exceeds the sum of the others by 800 %; correct the values or their units, or set allow_unphysical = "yes" ` +
			`beside them; used by {tire}`},
	{"axis without direction", `axis = "z"`, `axis = [0, 0, 0]`,
		`{corner}:22:1: susp_FL.axis has no direction: all three components are 0; used by {susp}`},
	{"limits that cross", `damping = 2000`, `damping = 2000
length_min = 0.2
length_max = 0.1`,
		`{corner}:31:14: spring_FL.length_max is 0.1; it must be above length_min, which is 0.2; used by ` +
			`{spring}`},
	// templates
	{"file of a use", "[use.F]\nfile = \"../subsystems/corner.toml\"",
		"[use.F]\nfile = \"../subsystems/korner.toml\"",
		`plain.toml:25:8: file: ...; paths lead from the folder of the file that names them`},
	{"frame that is not given", `road = "road" }` + "\n" + `parameters = { x = 1.2`, `}` + "\n" + `parameters = { x = 1.2`,
		`plain.toml:24:6: use F lacks the frames road that {corner} wants; write frames = { road = "..." }`},
	{"frame of another name", "{ chassis = \"body\", road = \"road\" }\nparameters = { x = 1.2",
		"{ chasis = \"body\", road = \"road\" }\nparameters = { x = 1.2",
		`plain.toml:27:21: use F.frames gives "chasis", which {corner} does not want; did you mean ` +
			`"chassis"? it wants chassis, road`},
	{"frame that is not there", "road = \"road\" }\nparameters = { x = 1.2",
		"road = \"raod\" }\nparameters = { x = 1.2",
		`plain.toml:27:37: use F.frames.road is "raod", which no other component or use of the model names; ` +
			`did you mean "road"? frames are those of bodies, joints, arms and roads`},
	{"parameter that is not given", `parameters = { x = 1.2 }`, `parameters = { half_track = 1 }`,
		`plain.toml:24:6: use F lacks parameters that have no value in {corner}: x [m]; write parameters = { ` +
			`name = value }`},
	{"parameter of another name", `{ x = 1.2 }`, `{ x = 1.2, halftrack = 1 }`,
		`plain.toml:28:37: use F.parameters gives "halftrack", which {corner} does not have; did you mean ` +
			`"half_track"? its parameters: x, half_track`},
	{"sides", `sides = "left"`, `sides = "right"`,
		`{corner}:4:9: the subsystem file.sides is "right"; it must be one of the words none, left`},
	{"kind", `kind = "subsystem"`, `kind = "sub-system"`,
		`{corner}:1:8: the subsystem file.kind is "sub-system"; it must be one of the words subsystem`},
	{"key of a component", `stiffness = 25000`, `stifness = 25000`,
		`{corner}:27:12: unknown key "stifness" in component spring_FL; did you mean "stiffness"? allowed ` +
			`keys: ...; used by {spring}`},
	{"type of a component", `type = "prismatic"`, `type = "prismatik"`,
		`{corner}:19:8: component susp_FL has the unknown type "prismatik"; did you mean "prismatic"? types ` +
			`are ...; used by {susp}`},
	{"joint that is not there", `joint = "susp"`, `joint = "suspension"`,
		`{corner}:26:9: component spring_FR acts on the joint suspension, which is not of its file; on the ` +
			`right side its sign is not known; move both into one file; used by plain.toml:24:6 (use F: ` +
			`spring_FR), and by plain.toml:29:6 (use R: spring_RR)`},
	{"solver in a subsystem", `title = "Corner"`, "title = \"Corner\"\nsolver.step = 0.001",
		`{corner}:3:1: unknown key "solver" in the subsystem file; allowed keys: ...`},
	{"word", `method = "loaded"`, `method = "load"`,
		`{corner}:58:29: tire_FL.rolling_radius.method is "load"; it must be one of the words loaded, ` +
			`unloaded, load-dependent; used by {tire}`},
	{"tire file", `mf61_205_60R15.tir`, `mf61_205_60R16.tir`,
		`{corner}:60:37: tire_FL.force.file: ...; paths lead from the folder of the file that names them; ` +
			`used by {tire}`},
	{"tire function", `function = "MF61"`, `function = "MF-6.1"`,
		`{corner}:60:22: tire_FL.force: there is no tire function "MF-6.1"; there are ...; used by {tire}`},
	{"terrain in a corner", `[component.susp]`, `[component.hill]
type = "terrain"
[component.susp]`,
		`{corner}:18:12: component hill is not mirrored, as no terrain is, but {corner} has sides = "left"; ` +
			`move it to the vehicle or to a file of an axle; used by {hill}`},
	// roles
	{"chassis", `chassis = "body"` + "\naxles", `chassis = "hull"` + "\naxles",
		`plain.toml:4:11: roles.chassis names "hull", but there is no component "hull"`},
	{"ground as chassis", `chassis = "body"` + "\n" + `axles`, `chassis = "road"` + "\n" + `axles`,
		`plain.toml:4:11: roles.chassis names "road", a terrain, which does not move; it is the body whose motion is the ` +
			`vehicle's`},
	{"tire of an axle", `["tire_FL", "tire_FR"]`, `["tire_FL", "tire_LF"]`,
		`plain.toml:5:22: roles.axles names "tire_LF", which is not a tire of the model; did you mean ` +
			`"tire_FL"? (tires: tire_FL, tire_FR, tire_RL, tire_RR)`},
	{"chassis for a tire", `["tire_RL", "tire_RR"]`, `["tire_RL", "body"]`,
		`plain.toml:5:46: roles.axles names "body", which is not a tire of the model (tires: tire_FL, ` +
			`tire_FR, tire_RL, tire_RR)`},
	{"unknown role", `outline =`, `outlines =`,
		`plain.toml:8:12: unknown key "outlines" in roles; did you mean "outline"? allowed keys: ...`},
	{"steering without ratio", `, ratio = 16`, ``,
		`plain.toml:6:12: roles.steering has no ratio; give the ratio of an imagined steering wheel: a number such as 16 ` +
			`for drivers that turn road wheels, or the angle per travel, such as "131 rad/m", for drivers that slide`},
	{"ratio of a rack in metres", `, ratio = 16`, `, ratio = "80 m"`,
		`plain.toml:6:58: roles.steering.ratio is "80 m": m is not a unit for what must be in rad/m, nor in 1`},
	{"ratio of a rack", `, ratio = 16`, `, ratio = "80 rad/m"`,
		`plain.toml:6:25: roles.steering.drivers names "steer_FL", which turns, and the ratio belongs to the travel of a ` +
			`rack; give the ratio without a unit, such as 16`},
	{"factor", `340 N.m.s2/m`, `340 N.m`,
		`plain.toml:7:67: roles.brake.factor is "340 N.m": N.m is not a unit for what must be in Pa.s2/m, nor ` +
			`in N.m.s2/m or N.s2/m`},
	{"outline", `width = "1.7 m", `, ``,
		`plain.toml:8:11: roles.outline lacks the key "width": width without mirrors (a number, or a text of a number ` +
			`and its unit [m])`},
	{"exponent", `share = 0.6`, `share = "k^length"`,
		`plain.toml:11:53: brakes.axles[0].share: formula, character 3: the exponent must be an integer ` +
			`between -64 and 64; names are those of [parameters]`},
	{"input of the brakes", `"brakes.torque"`, `"break.torque"`,
		`plain.toml:7:19: roles.brake names "break.torque", but there is no component "break"`},
}

// Each of these faulty files, of units, dimensions, signs, templates and roles, gives one message. The message has the
// place, the uses that lead to the place, the value found, and the allowed values or a remedy.
func TestFaultyFilesGiveOneMessageEach(t *testing.T) {
	if len(faultyCases) < 60 {
		t.Fatal(len(faultyCases))
	}
	whole := []string{"[component.road]", plainRoles + "[component.road]", "[component.susp]",
		`[component.stop]
type = "brake"
from = "spindle"
to = "tire"
axis = [0, 1, 0]
[component.susp]`}
	if m, err := parsePlain(t, whole...); err != nil || len(m.Warnings) > 0 {
		t.Fatal(err, m)
	}
	chain := regexp.MustCompile(`\{(\w+)\}$`)
	for _, c := range faultyCases {
		_, err := parsePlain(t, append(slices.Clip(whole), c.old, c.by)...)
		want := strings.ReplaceAll(c.want, "{corner}", "../subsystems/corner.toml")
		want = chain.ReplaceAllString(want, "plain.toml:24:6 (use F: ${1}_FL, ${1}_FR), and by plain.toml:29:6 "+
			"(use R: ${1}_RL, ${1}_RR)")
		if err == nil || !alike(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: got\n%v\nwant\n%s", c.name, err, want)
		}
	}
}
