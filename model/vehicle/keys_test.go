package vehicle_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// prelude is the model around the examples of the documentation.
const prelude = `name = "Example"

[parameters]
half_track = { value = 0.75, unit = "m" }

[component.chassis]
type = "rigid-body"
mass = 500
inertia = { xx = 100, yy = 300, zz = 320 }

[component.block]
type = "rigid-body"
mass = 50
inertia = { xx = 1, yy = 1, zz = 1 }

[component.third]
type = "rigid-body"
mass = 50
inertia = { xx = 1, yy = 1, zz = 1 }

[component.left]
type = "rigid-body"
mass = 20
inertia = { xx = 1, yy = 1, zz = 1 }

[component.right]
type = "rigid-body"
mass = 20
inertia = { xx = 1, yy = 1, zz = 1 }

[component.street]
type = "road"

[component.slider]
type = "prismatic"
from = "chassis"
to = "block"
axis = "z"

[component.fourth]
type = "rigid-body"
mass = 50
inertia = { xx = 1, yy = 1, zz = 1 }

[component.other_slider]
type = "prismatic"
from = "chassis"
to = "fourth"
axis = "z"

[component.heath]
type = "terrain"

[component.stone]
type = "point-mass"
mass = 5

[component.pebble]
type = "point-mass"
mass = 1
start = { position = [0, 0, 0.5] }

[component.gravel]
type = "point-mass"
mass = 2

[component.meadow]
type = "terrain"
`

func tireFile(kind bounded.Kind, name string) ([]byte, error) {
	return kind.Read(filepath.Join("../../resources/models", name))
}

func parse(t *testing.T, text string) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "example.toml", tireFile)
	if err != nil {
		t.Fatalf("%v\nin\n%s", err, text)
	}
	m.Fingerprint = ""
	return m
}

// keyUse shows that a key is read: replacing old by new changes the model.
type keyUse struct{ key, old, new string }

const fialaParameters = `parameters = { D2 = 0.16, CS = 9e4, Calpha = 8e4, Cr = 0.01, mu0 = 1, mu1 = 0.8 }`

// keyUses has, for every component type, uses of all keys in the examples of its page, in the order of the examples.
var keyUses = map[string][][]keyUse{
	"rigid-body": {
		{
			{"text", "a box", "a lid"}, {"frame", `"chassis"`, `"block"`}, {"mass", "= 7\n", "= 8\n"},
			{"sequence", `"321"`, `"312"`}, {"speeds", `"body"`, `"rates"`},
			{"inertia.xx", "xx = 2", "xx = 2.5"}, {"inertia.yy", "yy = 3", "yy = 3.5"}, {"inertia.zz", "zz = 4", "zz = 4.5"},
			{"inertia.xy", "xy = 0.1", "xy = 0.15"}, {"inertia.xz", "xz = 0.2", "xz = 0.25"},
			{"inertia.yz", "yz = 0.3", "yz = 0.35"},
			{"inertia.offdiagonal", `"products"`, `"matrix"`},
			{"start.position", "[1,", "[2,"}, {"start.angles", "[0.1,", "[0.2,"}, {"start.velocity", "[4,", "[5,"},
			{"start.angular_velocity", "[7,", "[8,"}, keeps,
		},
		{
			{"angular_damping", "0.1", "0.2"},
			{"inertia.axial", "axial = 2", "axial = 2.5"}, {"inertia.transverse", "transverse = 3", "transverse = 3.5"},
			{"inertia.axis", `"y"`, `"z"`},
		},
		{
			{"inertia.allow_unphysical", `"yes"`, `"no"`},
		},
		{{"design", "0.7", "0.8"}, {"design_in", `"block"`, `"ground"`}, {"start.relative", "true", "false"}},
	},
	"point-mass": {{
		{"text", "a ball", "a cube"}, {"frame", `"ball"`, `"cube"`}, {"mass", "= 2", "= 3"}, {"start.position", "[1,", "[2,"},
		{"start.velocity", "[4,", "[5,"}, keeps,
	}, {{"inertial_mass", "1.5", "1.6"}, {"plane", `"xz"`, `"yz"`}}},
	"rigid-arm": {{
		asksForReactions, {"text", "an arm", "a leg"}, {"from", `"chassis"`, `"block"`}, {"to", `"third"`, `"block"`},
		{"translation", `"half_track"`, `"-half_track"`}, {"angles", "[0.1", "[0.2"}, {"sequence", `"321"`, `"312"`},
	}},
	"weld": {{asksForReactions, {"text", "glue", "bolt"}, {"from", `"chassis"`, `"block"`}, {"to", `"third"`, `"block"`}}},
	"revolute": {{asksForReactions, {"text", "hinge", "axle"}, {"torque", `"input"`, `"none"`},
		{"from", `"chassis"`, `"block"`}, {"to", `"third"`, `"block"`}, {"axis", `"y"`, "[1, 2, 2]"},
		{"start.phi", "0.1", "0.2"}, {"start.omega", "omega = 2", "omega = 3"}, keeps},
		{{"motion", `motion = "input"`, `motion = "free"`}}},
	"prismatic": {{
		asksForReactions, {"text", "strut", "rail"}, {"from", `"chassis"`, `"block"`}, {"to", `"third"`, `"block"`},
		{"axis", `"y"`, `"z"`}, {"start.s", "0.1", "0.2"}, {"start.s_dot", "s_dot = 2", "s_dot = 3"}, keeps},
		{{"motion", `motion = "input"`, `motion = "free"`}}},
	"suspension": {{
		asksForReactions, {"text", "wishbone", "link"}, {"from", `"chassis"`, `"block"`}, {"to", `"third"`, `"block"`},
		{"side", `"left"`, `"right"`},
		{"x", "-0.004", "-0.003"}, {"y", "-0.021", "-0.02"}, {"z", "-0.079", "-0.078"}, {"toe", "-0.005", "-0.006"},
		{"camber", "-0.04", "-0.05"}, {"castor", "0.03", "0.04"},
		{"start.travel", "travel = 0.01", "travel = 0.02"}, {"start.travel_dot", "dot = 0.2", "dot = 0.3"}, keeps},
		{{"steer", `"slider"`, `"other_slider"`}}, {{"other", `"left_corner"`, `"right_corner"`}}},
	"rocker": {{
		{"text", "push", "pull"}, {"joint", `joint = "left_corner"`, `joint = "right_corner"`}, {"angle", "-0.4", "-0.3"},
		{"also.joint", `"slider"`, `"other_slider"`}, {"also.ratio", "0.3", "0.4"}}},
	"anti-roll-bar": {{
		heats("torsion bar"), {"text", "torsion", "bent"}, {"left", "left = \"slider\"\nright = \"other_slider\"",
			"left = \"other_slider\"\nright = \"slider\""}, {"right", "left = \"slider\"\nright = \"other_slider\"",
			"left = \"other_slider\"\nright = \"slider\""}, {"stiffness", "2e4", "3e4"}, {"damping", "= 30", "= 40"},
		{"force", "0.1, 500]", "0.1, 600]"}}},
	"spherical": {{asksForReactions, {"text", "ball", "cup"}, {"from", `"chassis"`, `"block"`},
		{"to", `"third"`, `"block"`}, {"sequence", `"321"`, `"312"`}, {"start.angles", "[0.1", "[0.2"},
		{"start.angular_velocity", "[2", "[3"}, keeps}},
	"free": {{{"text", "measured", "seen"}, {"from", `"chassis"`, `"block"`}, {"to", `"third"`, `"block"`},
		{"sequence", `"321"`, `"312"`}, {"speeds", `"ground"`, `"body"`}, {"start.position", "[1", "[2"},
		{"start.angles", "[0.1", "[0.2"}, {"start.velocity", "[4", "[5"}, {"start.angular_velocity", "[2", "[3"},
		keeps}},
	"motion-driver": {{
		asksForReactions, {"text", "steer", "rack"}, {"from", `"chassis"`, `"block"`}, {"to", `"third"`, `"block"`},
		{"axis", `"z"`, `"x"`}, {"kind", `"rotation"`, `"translation"`}}},
	"resistor": {{{"text", "lamp", "heater"}, {"from", `from = "clamp"`, `from = "lamp_earth"
to = "clamp"
resistance = 0.9

[component.more]
type = "resistor"
from = "clamp"`}, {"to", `to = "lamp_earth"`, `to = "other"`}, {"resistance", "0.9", "0.8"},
		{"heat", "resistance = 0.9", "resistance = 0.9\nheat = \"cell\""}}},
	"switch": {{heats("relay"),
		{"text", "relay", "lever"}, {"from", `from = "clamp"`, `from = "other"`}, {"to", `to = "horn"`,
			`to = "other"`},
		{"closed", "closed = 0.5", `closed = "input"`}, {"on", "2000", "3000"}, {"off", "2e-9", "3e-9"}}},
	"diode": {{heats("rectifier"),
		{"text", "rectifier", "valve"}, {"from", `from = "coil"`, `from = "other"`}, {"to", `to = "bus"`,
			`to = "other"`},
		{"forward", "0.8", "0.9"}, {"width", "0.15", "0.2"}, {"on", "500", "600"}, {"off", "2e-9", "3e-9"}}},
	"capacitor": {{{"text", "buffer", "filter"}, {"from", `from = "dc"
to = "minus"
capacitance`, `from = "other"
to = "minus"
capacitance`}, {"to", `from = "dc"
to = "minus"
capacitance`, `from = "dc"
to = "other"
capacitance`}, {"capacitance", "4 mF", "5 mF"}, {"start.voltage", "voltage = 12", "voltage = 13"},
		{"state", "start = { voltage = 12 }", `state = "none"`}},
		{{"charge", "2700", "2800"}}},
	"inductor": {{{"text", "choke", "coil"}, {"from", `from = "dc"`, `from = "other"`}, {"to", `to = "load"`,
		`to = "other"`},
		{"inductance", "2 mH", "3 mH"}, {"resistance", "0.2", "0.3"}, {"start.current", "current = 3", "current = 4"},
		{"state", "start = { current = 3 }", `state = "none"`},
		{"heat", "resistance = 0.2", "resistance = 0.2\nheat = \"cell\""}}},
	"voltage-source": {{{"text", "generator", "mains"}, {"from", `from = "minus"
to = "plus"`, `from = "other"
to = "plus"`}, {"to", `to = "plus"`, `to = "other"`}, {"voltage", "50*time", "60*time"}, {"resistance", "0.2", "0.3"},
		{"heat", "resistance = 0.2", "resistance = 0.2\nheat = \"cell\""}}},
	"current-source": {{{"text", "charger", "mains"}, {"from", `from = "minus"
to = "plus"`, `from = "other"
to = "plus"`}, {"to", `to = "plus"`, `to = "other"`}, {"current", "3 + time", "4 + time"}}},
	"battery": {{{"text", "pack", "cell"}, {"from", `from = "minus"
to = "dc"`, `from = "other"
to = "dc"`}, {"to", `from = "minus"
to = "dc"`, `from = "minus"
to = "other"`}, {"open_voltage", "390", "391"}, {"resistance", "= 0.1\n", "= [[0, 0.2], [1, 0.1]]\n"},
		{"charge", "60 A.h", "61 A.h"}, {"pairs", "200]", "201]"}, {"heat", `pairs =`, "heat = \"cell\"\npairs ="},
		{"start.soc", "0.8 }", "0.7 }"}}},
	"converter": {{heats("buck"), {"text", "buck", "boost"}, {"kind", `ratio = 0.25
resistance = 0.02`, `kind = "power"
voltage = 14`}, {"supply", `supply = ["dc", "ground"]`, `supply = ["dc", "minus"]`}, {"load", `["phase", "minus"]`,
		`["phase", "ground"]`}, {"ratio", "0.25", `"input"`}, {"resistance", "0.02", "0.03"}, {"loss", "[0, 20]", "[0, 10]"}},
		{{"voltage", "= 14", "= 15"}, {"efficiency", "0.94", "0.95"}}},
	"dc-machine": {{{"text", "wiper", "fan"}, {"from", `from = "clamp"`, `from = "other"`}, {"to", `to = "wiper_earth"
joint`, `to = "other"
joint`}, {"joint", `"axle"`, `"shaft"`}, {"resistance", "= 0.5", "= 0.6"}, {"inductance", "1 mH", "2 mH"},
		{"constant", "= 0.1\n", "= 0.2\n"}, {"start.current", "current = 4", "current = 5"},
		{"heat", "resistance = 0.5", "resistance = 0.5\nheat = \"cell\""}}},
	"pm-machine": {{heats("traction"),
		{"text", "traction", "pump"}, {"from", `from = "dc"`, `from = "other"`}, {"to", `to = "minus"
joint`, `to = "other"
joint`}, {"joint", `"axle"`, `"shaft"`}, {"pole_pairs", "= 4\nflux", "= 5\nflux"}, {"flux", "0.06", "0.07"},
		{"resistance", "0.03", "0.04"}, {"inductance", `"0.1 mH"`, `"0.11 mH"`}, {"inductance_q", `"0.15 mH"`, `"0.16 mH"`},
		{"lag", "1 ms", "3 ms"}, {"peak", "[0, 200]", "[0, 201]"}, {"continuous", "[0, 100]", "[0, 101]"},
		{"iron_loss", "0.5", "0.6"}, {"eddy_loss", "1e-3", "2e-3"}}},
	"motor": {{heats("rear drive"),
		{"text", "rear drive", "front drive"}, {"from", `from = "dc"`, `from = "other"`}, {"to", `to = "minus"
joint`, `to = "other"
joint`}, {"joint", `"axle"`, `"shaft"`}, {"lag", "10 ms", "11 ms"}, {"limit", "[1500, 80]", "[1500, 81]"},
		{"efficiency", "0.92", "0.93"}}, {{"loss", "2500]", "2600]"}},
		{{"drives", `drives = "final_drive"`, `drives = "fan"`}, {"ratio", "= 3\nlimit", "= 4\nlimit"},
			{"continuous", "[1300, 38]", "[1300, 39]"}, {"copper_loss", "0.145", "0.15"}, {"iron_loss", "= 0.5", "= 0.6"},
			{"eddy_loss", "5e-4", "6e-4"}, {"inertia", "0.03", "0.04"}, {"frame", `"chassis"
axis = [0`, `"block"
axis = [0`}, {"axis", "[0, 1, 0]", "[0, -1, 0]"}}},
	"probe": {{{"text", "volt meter", "gauge"}, {"from", `from = "high"
to = "low"
domain`, `from = "low"
domain`}, {"to", `to = "low"
domain`, `domain`}, {"domain", "domain = \"electrical\"\n", ""}}},
	"torque-driver": {driverUses("motor")},
	"brake":         {append(driverUses("disc"), heats("disc"))},
	"force-driver":  {driverUses("jack")},
	"aerodynamics": {{
		{"text", "hull", "wing"}, {"frame", `"chassis"`, `"block"`}, {"area", "2.2", "2.3"}, {"length", "2.7", "2.8"},
		{"density", "1.2\n", "1.1\n"}, {"drag", "= 0.3", "= 0.35"},
		{"lift_front", "= 0.05", "= 0.06"}, {"lift_rear", "lift_rear = 0.1", "lift_rear = 0.2"},
		{"side_force", "= 2\n", "= 3\n"}, {"roll_moment", "= 0.4", "= 0.3"}, {"yaw_moment", "= 0.5", "= 0.6"},
		{"drag_curve", "[0.4, 0.1]", "[0.5, 0.1]"}, {"lift_front_curve", "[0.4, 0.3]", "[0.5, 0.3]"},
		{"lift_rear_curve", "[0.4, 0.2]", "[0.5, 0.2]"},
		{"side_force_curve", "-0.1]", "-0.2]"}, {"roll_moment_curve", "-0.02]", "-0.03]"},
		{"yaw_moment_curve", "-0.05]", "-0.06]"},
	}},
	"steering": {{
		{"text", "rack", "box"}, {"ratio", "= 15", "= 14"}, {"wheelbase", "2.7", "2.8"}, {"wheels.lateral", "0.7 }", "0.8 }"},
		{"wheels.angle_curve", "0.7]]", "0.8]]"},
		{"wheels.driver", `"steer_L", lateral = 0.7 },
  { driver = "steer_R"`, `"steer_R", lateral = 0.7 },
  { driver = "steer_L"`},
	}, {
		{"hand_wheel.inertia", "0.05", "0.06"}, {"hand_wheel.damping", "0.3,", "0.4,"},
		{"hand_wheel.friction", "friction = 1", "friction = 2"}, {"hand_wheel.sliding_speed", "0.2,", "0.3,"},
		{"hand_wheel.hold_stiffness", "3000", "4000"}, {"hand_wheel.hold_damping", "25,", "26,"},
		{"hand_wheel.angle", "angle = 0.1", "angle = 0.2"}, {"hand_wheel.rate", "rate = 0.4", "rate = 0.5"},
	}, {
		{"rack.driver", `"rack_bar", travel`, `"other_bar", travel`}, {"rack.travel_per_turn", "-48", "52"},
		{"column.stiffness", "90", "80"}, {"column.damping", "0.4", "0.5"},
	}, {
		{"rack.travel", "0.075]]", "0.08]]"},
	}},
	"brake-distribution": {{
		{"text", "pedal", "lever"}, {"axles.brakes", `["brake_L", "brake_R"], share = 0.7 },
  { brakes = ["handbrake"]`, `["handbrake"], share = 0.7 },
  { brakes = ["brake_L", "brake_R"]`},
		{"axles.share", "0.7 },\n  { brakes = [\"handbrake\"], share = 0.3",
			"0.6 },\n  { brakes = [\"handbrake\"], share = 0.4"},
	}},
	"differential": {{
		heats("bevel"), {"text", "bevel", "spur"}, {"joint_efficiency", "0.99", "0.98"},
		{"inertia", "0.02", "0.03"}, {"frame", `"chassis"
axis = [`, `"block"
axis = [`}, {"axis", "[1, 0, 0]", "[-1, 0, 0]"}, {"outputs", `"wheel_L", "wheel_R"`, `"wheel_R", "wheel_L"`},
		{"housing", `"chassis"
ratio`, `"block"
ratio`}, {"ratio", "3.5", "3.6"},
		{"efficiency", "0.97", "0.98"}, {"share", "= 0.4", "= 0.6"}, {"preload", "= 50", "= 60"},
		{"lock_drive", "0.3", "0.35"},
		{"lock_coast", "0.2", "0.25"}, {"viscosity", "= 5\n", "= 6\n"}, {"sliding_speed", "speed = 0.5", "speed = 0.6"},
	}},
	"engine": {{
		{"text", "four strokes", "two strokes"}, {"drives", `"axle"
text`, `"shaft"
text`}, {"ratio", "ratio = 4", "ratio = 5"}, {"full_load", "[450, 180]", "[450, 170]"}, {"drag", "-15]", "-16]"},
		{"inertia", "0.2", "0.3"},
		{"frame", `"chassis"
axis`, `"block"
axis`}, {"axis", "[-1, 0, 0]", `"y"`},
	}},
	"gearbox": {{
		heats("five gears"), {"text", "five gears", "and reverse"}, {"joint_efficiency", "0.99", "0.98"},
		{"shift_time", "0.2", "0.3"}, {"inertia", "0.02", "0.03"}, {"frame", `"chassis"
axis = [-1, 0, 0]

[component.crank]`, `"block"
axis = [-1, 0, 0]

[component.crank]`}, {"axis", `[-1, 0, 0]

[component.crank]`, `"x"

[component.crank]`}, {"input", `"crank"
text`, `"other_shaft"
text`}, {"drives", `"shaft"
ratios`, `"other_shaft"
ratios`}, {"ratios", "1.32", "1.33"},
		{"efficiency", "0.98", "1"}, {"reverse_efficiency", "0.93", "0.9"}, {"reverse", "3.45", "3.5"},
		{"capacity", "= 230", "= 240"}, {"sliding_speed", "= 12", "= 11"},
	}},
	"spring-damper": {
		{{"quadratic_damping", "200", "300"},
			heats("coil"), {"text", "coil", "leaf"}, {"length_min", "0.3", "0.4"}, {"length_max", "0.7", "0.8"},
			{"from", `"chassis"`, `"third"`}, {"to", `"block"`, `"third"`}, {"stiffness", "2e4", "3e4"},
			{"damping", "1500", "1600"}, {"free_length", "0.5", "0.6"}},
		{{"spring_force", "6000", "7000"},
			{"damper_force", "[0.2", "[0.3"}},
		{{"joint", `joint = "slider"`, "from = \"chassis\"\nto = \"block\""}},
		{{"length", "0.44", "0.45"}}, {{"other", `other = "right_corner"`, `other = "third_corner"`}},
	},
	"bushing": {
		{heats("rear bush"), {"text", "rear", "front"}, {"from", `"chassis"`, `"third"`}, {"to", `"block"`, `"third"`},
			{"along", "[0.2, 1", "[0.3, 1"}, {"stiffness", "[7e6", "[8e6"}, {"rotational_stiffness", "[400", "[500"},
			{"damping", "[900", "[901"}, {"rotational_damping", "[0.6", "[0.7"}, {"preload", "[100", "[101"},
			{"preload_moment", "[1, 2", "[3, 2"}},
		{{"axes", `"y"`, `"x"`}, {"matrix", "[2e6", "[3e6"}, {"loss", "0.1\n", "0.2\n"}, {"frequency", "15", "16"}},
		{{"spring_force_x", "4000]]", "4001]]"}, {"spring_force_y", "5000]]", "5001]]"},
			{"spring_force_z", "1000]]", "1001]]"},
			{"spring_moment_x", "61]]", "63]]"}, {"spring_moment_y", "71]]", "72]]"}, {"spring_moment_z", "81]]", "82]]"},
			{"damper_force_x", "41]]", "42]]"}, {"damper_force_y", "51]]", "52]]"}, {"damper_force_z", "62]]", "63]]"},
			{"damper_moment_x", "1.1]]", "1.2]]"}, {"damper_moment_y", "2.1]]", "2.2]]"},
			{"damper_moment_z", "3.1]]", "3.2]]"}},
	},
	"compliance": {{
		{"text", "elastic joints", "rubber"}, {"joints", `"yield_toe"]`, `"yield_camber"]`},
		{"over", `over = "corner"`, `over = "other_corner"`},
		{"loss", "0.1\n", "0.2\n"}, {"frequency", "15", "16"}, {"table.travel", `"-80 mm"`, `"-90 mm"`},
		{"table.matrix", "[[3e6", "[[4e6"}, {"table.preload", "[100", "[101"}},
		{{"table.second", "second = -0.04, matrix = [[3e6]] },\n  { travel = \"80 mm\", second = -0.04",
			"second = -0.05, matrix = [[3e6]] },\n  { travel = \"80 mm\", second = -0.05"}}},
	"strut": {{
		asksForReactions, {"text", "damper", "top"}, {"from", `"chassis"`, `"third"`}, {"to", `"block"`, `"third"`},
		{"axis", "[0.1", "[0.2"}}},
	"pressure-source": {{
		heats("a pump with a relief valve"),
		{"text", "a pump", "the pump"}, {"from", "from = \"low\"\nto = \"rail\"", `to = "rail"`},
		{"to", `to = "rail"`, `to = "ground"`}, {"pressure", `"input"`, `"3 bar"`}, {"resistance", "0.2 bar", "0.3 bar"}},
		{{"booster", "110 bar", "120 bar"}, {"force", `force = "input"`, "force = 50"}}},
	"flow-source": {{
		{"text", "small", "large"}, {"from", "from = \"low\"\nto = \"rail\"", `to = "rail"`},
		{"to", `to = "rail"`, `to = "ground"`}, {"flow", "0.2 l/s", "0.3 l/s"}}},
	"orifice": {{
		{"text", "throttle", "jet"}, {"from", "from = \"rail\"\nto = \"low\"", `to = "low"`},
		{"to", "from = \"rail\"\nto = \"low\"", `from = "rail"`}, {"k", "1e-8", "2e-8"}, {"transition", "0.8", "0.9"},
		{"heat", `heat = "oil"`, `heat = "other_oil"`}}, {{"area", "2 mm2", "3 mm2"}, {"cd", "0.65", "0.66"},
		{"density", "870", "880"}}},
	"valve": {{
		{"text", "outlet", "inlet"}, {"from", "from = \"rail\"\nto = \"low\"", `to = "low"`},
		{"to", "from = \"rail\"\nto = \"low\"", `from = "rail"`}, {"k", "1e-8", "2e-8"}, {"transition", "0.8", "0.9"},
		{"opening", `"input"`, "0.3"}, {"normally", `"open"`, `"closed"`}, {"lag", "4 ms", "5 ms"},
		{"heat", `heat = "oil"`, `heat = "other_oil"`}},
		{{"area", "2 mm2", "3 mm2"}, {"cd", "0.65", "0.66"}, {"density", "870", "880"}}},
	"four-way-valve": {{
		{"text", "spool", "servo"}, {"supply", `supply = "rail"`, `supply = "other_rail"`},
		{"tank", `tank = "low"`, `tank = "ground"`},
		{"a", "a = \"oil_left\"\nb = \"oil_right\"", "a = \"oil_right\"\nb = \"oil_right\""},
		{"b", "a = \"oil_left\"\nb = \"oil_right\"", "a = \"oil_left\"\nb = \"oil_left\""}, {"k", "3e-9", "4e-9"},
		{"transition", "0.8", "0.9"}, {"opening", `"input"`, "0.3"}, {"lag", "10 ms", "11 ms"},
		{"heat", `heat = "oil"`, `heat = "other_oil"`}},
		{{"area", "1 mm2", "2 mm2"}, {"cd", "0.65", "0.66"}, {"density", "870", "880"}}},
	"check-valve": {{
		{"text", "return", "relief"}, {"from", "from = \"rail\"\nto = \"low\"", `to = "low"`},
		{"to", "from = \"rail\"\nto = \"low\"", `from = "rail"`}, {"on", "4e-12", "5e-12"}, {"off", "1e-16", "2e-16"},
		{"forward", "0.6", "0.7"}, {"width", "0.3 bar", "0.4 bar"}, {"heat", `heat = "oil"`, `heat = "other_oil"`}}},
	"line": {{
		{"text", "hose", "pipe"}, {"from", "from = \"rail\"\nto = \"end\"", "from = \"other_rail\"\nto = \"end\""},
		{"to", `to = "end"`, `to = "other_end"`}, {"resistance", "4e9", "5e9"}, {"inertance", "6e6", "7e6"},
		{"capacity", "2e-13", "3e-13"}, {"cells", "cells = 3", "cells = 4"}, {"start.pressure", "1 bar", "2 bar"},
		{"start.flow", "1 ml", "2 ml"}, {"state", `start = { pressure = "1 bar", flow = "1 ml/s" }`, `state = "none"`},
		{"heat", `heat = "oil"`, `heat = "other_oil"`}},
		{{"length", "length = 3", "length = 4"}, {"diameter", "6 mm", "7 mm"}, {"density", "870", "880"},
			{"viscosity", "0.03", "0.04"}, {"bulk_modulus", "1.2", "1.3"}}},
	"volume": {{
		{"text", "hose", "pipe"}, {"from", "from = \"rail\"\nto = \"low\"", "from = \"other_rail\"\nto = \"low\""},
		{"to", "to = \"low\"\ntext", "to = \"ground\"\ntext"}, {"volume", "0.2 l", "0.3 l"}, {"bulk_modulus", "1.2", "1.3"},
		{"air", "0.02", "0.03"}, {"exponent", "exponent = 1.3", "exponent = 1.2"}, {"ambient", "0.9", "0.8"},
		{"start.pressure", "3 bar", "4 bar"}, {"state", `start = { pressure = "3 bar" }`, `state = "none"`}},
		{{"capacity", "2e-12", "3e-12"}}},
	"accumulator": {{
		{"text", "gas spring", "bladder"}, {"from", "from = \"rail\"\nto = \"low\"", "from = \"other_rail\"\nto = \"low\""},
		{"to", `to = "low"`, `to = "ground"`}, {"volume", "0.4 l", "0.5 l"}, {"precharge", "20 bar", "21 bar"},
		{"exponent", "1.3", "1.2"}, {"ambient", "0.9", "0.8"}, {"start.pressure", "30 bar", "31 bar"}}},
	"pump": {{
		{"text", "gear", "vane"}, {"from", "from = \"low\"\nto = \"rail\"", `to = "rail"`},
		{"to", "from = \"low\"\nto = \"rail\"", `from = "low"`}, {"joint", `joint = "axle"`, `joint = "shaft"`},
		{"displacement", "2 ml", "3 ml"}, {"leakage", "1e-13", "2e-13"}, {"damping", "0.01", "0.02"},
		{"friction", "0.5", "0.6"}, {"sliding_speed", "sliding_speed = 2", "sliding_speed = 3"},
		{"heat", `heat = "oil"`, `heat = "other_oil"`}},
		{{"speed", `"input"`, "30"}}},
	"cylinder": {{
		{"text", "a leg", "a ram"}, {"frames", `"chassis", "block"`, `"block", "third"`},
		{"head", `head = "a"`, `head = "b"`},
		{"rod", `rod = "b"`, `rod = "a"`}, {"area", "\narea = \"15", "\narea = \"16"}, {"rod_area", "9 cm2", "8 cm2"},
		{"bulk_modulus", "1.4", "1.5"}, {"dead_volume", "40 ml", "41 ml"}, {"rod_dead_volume", "50 ml", "51 ml"},
		{"length", "length = 0.3", "length = 0.4"}, {"friction", "friction = 50", "friction = 60"},
		{"sliding_speed", "0.02", "0.03"}, {"start.head_pressure", "3 bar", "5 bar"},
		{"start.rod_pressure", "4 bar", "5 bar"},
		{"heat", `heat = "oil"`, `heat = "other_oil"`}}, {{"joint", `joint = "slider"`, `joint = "other_slider"`}}},
	"caliper": {{
		heats("a fist"),
		{"text", "fist", "frame"}, {"from", "from = \"circuit\"\ntext", "from = \"other_circuit\"\ntext"},
		{"joint", `joint = "axle"`, `joint = "shaft"`}, {"capacity", "1.5e-13", "1.6e-13"}, {"friction", "0.4", "0.5"},
		{"area", "25 cm2", "26 cm2"}, {"radius", "0.13", "0.14"}, {"push_out", "0.7", "0.8"}, {"width", "0.3 bar", "0.2 bar"},
		{"start.pressure", "3 bar", "4 bar"}}},
	"heat-capacity": {{
		{"text", "a disc", "a drum"},
		{"from", "from = \"disc\"\nto = \"air\"\ntext", "from = \"other_disc\"\nto = \"air\"\ntext"},
		{"to", "to = \"air\"\ntext", "to = \"ground\"\ntext"}, {"capacity", "= 500", "= 600"},
		{"start.temperature", "300", "310"}}},
	"heat-resistance": {{
		{"text", "a film", "a pane"}, {"from", "from = \"disc\"\nto = \"air\"", "from = \"other_disc\"\nto = \"air\""},
		{"to", "from = \"disc\"\nto = \"air\"", "from = \"disc\"\nto = \"other_disc\""}, {"resistance", "0.8", "0.9"}}},
	"temperature-source": {{
		{"text", "the ambient", "the road"}, {"from", "from = \"low\"\nto = \"air\"", `to = "air"`},
		{"to", `to = "air"`, `to = "ground"`}, {"temperature", "20 degC", "30 degC"}, {"resistance", "0.1", "0.2"}}},
	"heat-source": {{
		{"text", "burner", "lamp"}, {"from", "from = \"low\"\nto = \"disc\"", `to = "disc"`},
		{"to", `to = "disc"`, `to = "ground"`}, {"heat", "= 40", "= 50"}}},
	"rod": {{
		asksForReactions, {"text", "link", "bar"},
		{"from", `"chassis"`, `"third"`}, {"to", `"block"`, `"third"`}, {"length", "0.5", "0.6"},
		{"form", "square", "distance"}, {"active", "= 1", "= 0"}}},
	"right-angle": {{
		asksForReactions, {"text", "square", "knee"}, {"corner", `"chassis"`, `"stone"`}, {"from", `"block"`, `"stone"`},
		{"to", `"third"`, `"stone"`}, {"length", "0.5", "0.6"}, {"active", "= 1", "= 0"}}},
	"parallelogram": {{
		asksForReactions, {"text", "frame", "lozenge"}, {"corner", `"chassis"`, `"pebble"`}, {"from", `"block"`, `"pebble"`},
		{"opposite", `"third"`, `"pebble"`}, {"to", `"stone"`, `"pebble"`}, {"active", "= 1", "= 0"}}},
	"relaxed-wheel": {{
		asksForReactions, {"text", "hoop", "disc"}, {"frame", `"block"`, `"third"`}, {"road", `"street"`, `"chassis"`},
		{"radius", "radius = 0.3", "radius = 0.6"},
		{"stiction_factor", "= 2\n", "= 3\n"}, {"friction_factor", "= 3\n", "= 4\n"}, {"sliding_speed", "= 0.5", "= 0.6"},
		{"vertical_stiffness", "1.5e5", "1.6e5"}, {"vertical_damping", "= 1000", "= 1001"}, {"load", "= 2000", "= 2001"}},
		{{"printed_on", `"chassis"`, `"third"`},
			{"friction_law", "\"printed\"\nprinted_on = \"chassis\"", `"contact"`}}},
	"rolling-wheel": {{
		{"text", "hoop", "disc"}, {"frame", `"block"`, `"third"`}, {"road", `"street"`, `"chassis"`},
		{"radius", "radius = 0.5", "radius = 0.6"}, {"crown_radius", "0.1", "0.2"},
	}, {{"reactions", `"ground"`, `"third"`}}},
	"side-force": {{
		{"text", "slick", "rain"}, {"frame", `"block"`, `"third"`}, {"coefficient", "4000", "5000"}}},
	"terrain": {
		{
			{"text", "sand", "snow"}, {"frame", `"dunes"`, `"dust"`}, {"kind", `"plane"`, `"flat"`}, {"height", "0.5", "0.6"},
			{"slope_x", "0.1", "0.2"}, {"slope_y", "0.05", "0.06"}},
		{{"formula", "0.2*", "0.3*"}},
		{{"file", "ramp", "step"}},
		nil,
		{
			{"modifiers", "centred", "file"}, {"friction.left", "0.9", "0.8"}, {"friction.right", "= 0.5", "= 0.6"},
			{"friction.formula", "0.4*", "0.3*"}},
		{{"class", `"B"`, `"D"`}, {"seed", "= 7", "= 8"}},
		nil,
		{{"friction.kind", "grid", "flat"}, {"friction.file", "ice", "moguls"}},
	},
	"wheel-contact": {{
		asksForReactions, {"text", "tread", "shoe"},
		{"contact", `"pebble"`, `"gravel"`}, {"rim", `rim = "stone"`, `rim = "gravel"`},
		{"terrain", `"meadow"`, `"heath"`},
		{"e_vert", "0.9", "0.7"}, {"e_hor", "0.8", "0.7"}, {"friction", "= 3", "= 4"},
		{"rolling_velocity", "velocity = 0", "velocity = 1"}, {"initial_mode", "-1", "1"}}},
	"road": {{{"text", "hill", "dale"}, {"frame", `"ramp"`, `"slope"`}, {"translation", "0, 1]", "0, 2]"},
		{"angles", "0.1", "0.2"}, {"sequence", `"321"`, `"312"`}}},
	"sensor": {{{"text", "probe", "eye"}, {"from", `"chassis"`, `"third"`}, {"to", `"block"`, `"third"`},
		{"resolve", `"third"`, `"ground"`}}},
	"linear-equations": {{
		{"text", "bounce", "hop"}, {"states.name", `"wheel.z"`, `"hub.z"`},
		{"states.unit", `"wheel.z", unit = "m"`, `"wheel.z", unit = "K"`}, {"states.text", "height", "depth"},
		{"states.value", "0.3", "0.4"}, {"states.rate", "0.01", "0.03"},
		{"inputs.name", `"bump.z_dot"`, `"bump.rate"`}, {"inputs.unit", `"bump.z", unit = "m"`, `"bump.z", unit = "K"`},
		{"inputs.text", "of the road", "of a stone"},
		{"inputs.value", "0.02", "0.04"}, {"inputs.rate_of", `, rate_of = "bump.z"`, ""},
		{"outputs.name", "spring.force", "spring.pull"}, {"outputs.unit", `"N"`, `"Pa"`},
		{"outputs.text", "on the wheel", "on the road"}, {"outputs.value", "300", "301"},
		{"A", "-1000", "-1001"}, {"B", "[1000, 6]", "[1000, 7]"}, {"C", "-120", "-122"}, {"D", "121", "123"},
	}},
	"equations": {{
		{"text", "valve", "tap"},
		{"inputs.name", `"spare"`, `"unused"`}, {"inputs.unit", `"Pa"`, `"K"`}, {"inputs.text", "wanted", "desired"},
		{"inputs.value", "2e5", "3e5"},
		{"states.name", `name = "speed"`, `name = "lead"`}, {"states.unit", `"m/s"`, `"K/s"`},
		{"states.text", "slider", "ball"}, {"states.value", "0.01", "0.02"}, {"states.rate", "900*", "901*"},
		{"outputs.name", `"flow"`, `"stream"`}, {"outputs.unit", `"m3/s"`, `"kg"`}, {"outputs.text", "of opening", "of gap"},
		{"outputs.value", "half_track*", "2*half_track*"}, {"outputs.to", "lift.force", "lift.pull"},
		{"inputs.from", `"chassis.z"`, `"block.z"`}, {"states.to", "gauge.velocity", "gauge.speed"},
	}, {{"function", `"Cruise"`, `"Coast"`}, {"file", "gains.txt", "other.txt"}}},
	"sampled-equations": {{
		{"text", "valve", "tap"}, {"sample", `"10 ms"`, `"11 ms"`}, {"phase", "0.002", "0.003"},
		{"active", "active = 1", "active = 0"},
		{"inputs.name", `"spare"`, `"unused"`}, {"inputs.unit", `"Pa"`, `"K"`}, {"inputs.text", "wanted", "desired"},
		{"inputs.value", "2e5", "3e5"}, {"inputs.from", `"chassis.z"`, `"block.z"`},
		{"modes.mode", `mode = "moving"`, `mode = "turning"`}, {"modes.condition", "0.002", "0.003"},
		{"modes.next", `next = "holding"`, `next = "moving"`},
		{"states.name", `name = "speed"`, `name = "lead"`}, {"states.unit", `"m/s"`, `"K/s"`},
		{"states.text", "slider", "ball"}, {"states.value", "0.01", "0.02"}, {"states.next", "0.1*", "0.2*"},
		{"states.to", "gauge.velocity", "gauge.speed"},
		{"outputs.name", `"flow"`, `"stream"`}, {"outputs.unit", `"m3/s"`, `"kg"`}, {"outputs.text", "of opening", "of gap"},
		{"outputs.value", "half_track*", "2*half_track*"}, {"outputs.start", "0.3", "0.4"},
		{"outputs.to", "lift.force", "lift.pull"}, {"intervenes", `"mode == moving"`, `"mode == holding"`},
	}},
	"controller": {{
		{"text", "valve", "tap"}, {"sample", `"10 ms"`, `"11 ms"`}, {"phase", "0.002", "0.003"},
		{"active", "active = 1", "active = 0"}, {"function", `"Valve"`, `"Tap"`}, {"file", "gains.txt", "other.txt"},
		{"inputs.name", `"supply"`, `"unused"`}, {"inputs.unit", `"Pa"`, `"K"`}, {"inputs.text", "wanted", "desired"},
		{"inputs.value", "2e5", "3e5"}, {"inputs.from", `"chassis.z"`, `"block.z"`},
		{"states.name", `name = "mode"`, `name = "phases"`}, {"states.unit", `unit = "1"`, `unit = "rad"`},
		{"states.text", "slider", "ball"}, {"states.value", "0.01", "0.02"}, {"states.to", "gauge.opening", "lift.pull"},
		{"outputs.name", `"push"`, `"pull"`}, {"outputs.unit", `"N"`, `"kg"`}, {"outputs.text", "of opening", "of gap"},
		{"outputs.start", "0.02", "0.4"}, {"outputs.to", "lift.force", "lift.pull"},
		{"intervenes", `"lack > 0.01"`, `"lack > 0.02"`},
	}},
	"tire-forces": {
		{
			{"text", "slick", "rain tire"}, {"side", `"left"`, `"right"`},
			{"force.function", `"MF61"`, `"Pacejka02", allow_downgrade = "yes"`},
		},
		{
			{"force.parameters", "CS = 9e4", "CS = 8e4"}, {"force.file", fialaParameters,
				`file = "../tires/fiala_skidder_front.toml"`},
		},
		{
			{"force.allow_downgrade", `"no"`, `"yes"`}, {"force.combined", `"file"`, `"ellipse"`},
		},
	},
	"tire": {
		{
			{"expose", `["CS"]`, `["Calpha"]`},
			heats("slick"), {"text", "slick", "rain"}, {"frame", `"block"`, `"third"`}, {"road", `"street"`, `"ground"`},
			{"mass", "= 15", "= 16"},
			{"inertia.axial", "0.8,", "0.9,"}, {"inertia.transverse", "transverse = 0.5", "transverse = 0.6"},
			{"sequence", `"312"`, `"313"`}, {"speeds", `"ground"`, `"rates"`},
			{"unloaded_radius", "0.3\n", "0.4\n"}, {"vertical_stiffness", "2e5", "3e5"}, {"vertical_damping", "100", "200"},
			{"rolling_radius.method", `{ method = "load-dependent", Fz0 = 4000, B = 8, D = 0.24, F = 0.01 }`,
				`{ method = "loaded" }`},
			{"rolling_radius.Fz0", "4000", "5000"}, {"rolling_radius.B", "B = 8", "B = 9"}, {"rolling_radius.D", "0.24", "0.25"},
			{"rolling_radius.F", "F = 0.01", "F = 0.02"},
			{"slip.minimum_speed", "0.02", "0.03"}, {"force.parameters", "CS = 9e4", "CS = 8e4"},
		},
		{
			{"slip.low_speed", "low_speed = 3", "low_speed = 4"},
			{"slip.low_speed_damping", "low_speed_damping = 0.4", "low_speed_damping = 0.5"},
			{"slip.method", `method = "delayed", states = 2, q1 = 0.1, q2 = 0.2, low_speed = 3, low_speed_damping = 0.4, ` +
				`relaxation = { function = "StretchedString", file = "../tires/stretched_string.toml" }`, `method = "kinematic"`},
			{"slip.states", "states = 2", "states = 3"},
			{"slip.q1", "q1 = 0.1", "q1 = 0.3"}, {"slip.q2", "q2 = 0.2", "q2 = 0.3"},
			{"slip.relaxation.function", `function = "StretchedString", file = "../tires/stretched_string.toml"`,
				`function = "ConstantLength", parameters = { Blong = 1, Blat = 2 }`},
			{"slip.relaxation.file", `file = "../tires/stretched_string.toml"`, `parameters = { Fz0 = 1, R0 = 1, LSkappa = 1, ` +
				`LSalpha = 1, PTx1 = 1, PTx2 = 1, PTx3 = 1, PTy1 = 1, PTy2 = 1, PKy3 = 1 }`},
			{"slip.relaxation.parameters", `file = "../tires/stretched_string.toml"`, `parameters = { Fz0 = 2, R0 = 1, ` +
				`LSkappa = 1, LSalpha = 1, PTx1 = 1, PTx2 = 1, PTx3 = 1, PTy1 = 1, PTy2 = 1, PKy3 = 1 }`},
			{"force.function", `function = "Fiala", file = "../tires/fiala_skidder_front.toml"`,
				`function = "Pacejka02", file = "../tires/pacejka2002.toml"`},
			{"force.file", "fiala_skidder_front", "fiala_skidder_rear"},
			{"bore.arm", "arm = 0.06", "arm = 0.07"}, {"bore.load", "load = 4000", "load = 5000"},
			{"bore.angle", "angle = 0.05", "angle = 0.04"}, {"bore.length", "length = 0.1,", "length = 0.2,"},
			{"bore.friction", "friction = 1.2", "friction = 1.1"},
		},
		{{"side", `"left"`, `"right"`}},
		{
			{"force.allow_downgrade", `"no"`, `"yes"`}, {"force.combined", `"file"`, `"ellipse"`}},
		{
			{"contact.method", `contact = { method = "undeformed", crown_radius = 0.05 }`,
				`rolling_radius = { method = "loaded" }`},
			{"contact.crown_radius", "0.05", "0.06"}, {"slip.q3", "q3 = 0.1", "q3 = 0.2"},
		},
		{
			{"contact.width", "width = 0.2", "width = 0.3"}, {"contact.power", `"yes"`, `"no"`},
		},
		{
			{"slip.damping", "damping = 0.3", "damping = 0.4"}, {"slip.nominal_load", "4000", "4500"},
			{"slip.stiffness", "9e4", "8e4"}, {"slip.friction", "1.1", "0.9"},
		},
		{
			{"enveloping.length", "0.12,", "0.13,"}, {"enveloping.width", "0.2,", "0.25,"},
			{"enveloping.points", "points = 4", "points = 5"}, {"inertia.allow_unphysical", `"yes"`, `"no"`},
		},
	},
}

// keeps is the use of a key of all tables of start values.
var keeps = keyUse{"start.keep", "keep = true", "keep = false"}

// asksForReactions is the use of a key that many components have.
var asksForReactions = keyUse{"reactions", "reactions = true", "reactions = false"}

// heats adds the key of a thermal node to an example with a text.
func heats(text string) keyUse {
	line := "text = \"" + text + "\"\n"
	return keyUse{"heat", line, line + "heat = \"cell\"\n"}
}

func driverUses(text string) []keyUse {
	return []keyUse{{"text", text, "other"}, {"from", `"chassis"`, `"third"`}, {"to", `"block"`, `"third"`},
		{"axis", `"z"`, `"x"`}}
}

// variant is an example of a component, with uses of its keys.
type variant struct {
	text string
	uses []keyUse
}

var tomlBlock = regexp.MustCompile("(?ms)^```toml\n(.*?)^```$")

// examples returns the examples beside a component.
func examples(t *testing.T, word string) (list []variant) {
	t.Helper()
	begin := fmt.Sprintf("[component.example]\ntype = %q\n", word)
	for _, block := range tomlBlock.FindAllStringSubmatch(prose(t, word), -1) {
		if strings.HasPrefix(block[1], begin) {
			list = append(list, variant{text: block[1]})
		}
	}
	if len(list) != len(keyUses[word]) {
		t.Fatalf("%s.md has %d examples, keyUses %d", word, len(list), len(keyUses[word]))
	}
	for i := range list {
		list[i].uses = keyUses[word][i]
	}
	return list
}

// inPrelude returns the model around an example.
func inPrelude(text string) string { return prelude + "\n" + text }

// leaves lists the keys of a table with their paths.
func leaves(prefix string, keys []keys.Key) []string {
	var list []string
	for _, k := range keys {
		if len(k.Keys) > 0 {
			list = append(list, leaves(prefix+k.Name+".", k.Keys)...)
		} else {
			list = append(list, prefix+k.Name)
		}
	}
	return list
}

func TestEveryDocumentedKeyIsRead(t *testing.T) {
	for _, c := range component.Types {
		shown := map[string]bool{"text": true, "mirror": true} // the latter is read where a use is mirrored
		for _, v := range examples(t, c.Word) {
			text := inPrelude(v.text)
			before := parse(t, text)
			for _, u := range v.uses {
				shown[u.key] = true
				at := strings.LastIndex(text, u.old)
				if at < 0 {
					t.Errorf("%s: %q is not in the example", c.Word, u.old)
					continue
				}
				if reflect.DeepEqual(before, parse(t, text[:at]+u.new+text[at+len(u.old):])) {
					t.Errorf("%s: the key %s is not read: %q and %q give the same model", c.Word, u.key, u.old, u.new)
				}
			}
		}
		for _, key := range leaves("", c.Keys) {
			if !shown[key] {
				t.Errorf("%s: no example changes the key %s", c.Word, key)
			}
			delete(shown, key)
		}
		delete(shown, "text")
		delete(shown, "mirror")
		for key := range shown {
			t.Errorf("%s: %s is not a documented key", c.Word, key)
		}
	}
}

func TestEveryTopKeyIsRead(t *testing.T) {
	text := `name = "Example"
title = "A title"
source = "A source"
gravity = 9.81
outputs = ["body.vx"]
reactions = ["j*"]
reaction_length = 0.5
start = "steady"

[parameters]
width = { value = 1, unit = "m", text = "a width" }

[solver]
method = "rk4"
jacobian = "tangent"
step = 0.001
multipliers = "stage"
assemble = "always"
constraint_tolerance = 1e-5

[experiment]
stop_time = 10

[[tree]]
name = "first"
prefer = ["body.T1"]
forbid = ["joint.T1"]
translation = ["body.T1"]
rotation = ["body.R1"]
electrical = ["r.E1"]
hydraulic = ["o.H1"]
thermal = ["h.Q1"]
formulation = "udwadia-kalaba"
baumgarte = { alpha = 10, beta = 11 }

[quantities]
momentum = { value = "body.mass*body.vx", unit = "N.s", text = "a quantity" }

[component.body]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }

[component.joint]
type = "revolute"
from = "ground"
to = "body"
axis = "y"

[component.r]
type = "resistor"
from = "a"
resistance = 1

[component.more]
type = "resistor"
from = "a"
resistance = 1

[component.o]
type = "orifice"
from = "p"
k = 1e-8

[component.jet]
type = "orifice"
from = "p"
k = 1e-8

[component.h]
type = "heat-resistance"
from = "hot"
resistance = 1

[component.wall]
type = "heat-resistance"
from = "hot"
resistance = 1

[roles]
chassis = "body"
`
	before := parse(t, text)
	shown := []string{"parameters", "use"} // uses have tests of their own
	for _, u := range []keyUse{
		{"base", "name =", "base = \"bicycle.toml\"\nname ="}, {"name", `"Example"`, `"Other"`}, {"title", "A title", "B"},
		{"source", "A source", "B"}, {"gravity", "9.81", "1.62"},
		{"outputs", `"body.vx"`, `"body.vy"`}, {"reactions", `"j*"`, `"j* in body"`},
		{"reaction_length", "length = 0.5", "length = 0.6"}, {"component", "mass = 1", "mass = 2"},
		{"start", "steady", "given"}, {"roles", `chassis = "body"`, `chassis = "joint"`},
		{"parameters", "value = 1,", "value = 2,"}, {"parameters", `"m"`, `"kg"`}, {"parameters", "a width", "b"},
		{"solver.method", `"rk4"`, `"euler"`},
		{"solver.jacobian", "tangent", "exact"}, {"solver.step", "0.001", "0.002"}, {"solver.multipliers", "stage", "step"},
		{"solver.assemble", "always", "never"},
		{"solver.constraint_tolerance", "1e-5", "1e-4"}, {"experiment.stop_time", "= 10\n", "= 20\n"},
		{"tree.name", `"first"`, `"second"`}, {"tree.prefer", `prefer = ["body.T1"]`, `prefer = ["body.R1"]`},
		{"tree.forbid", `"joint.T1"`, `"joint.R2"`},
		{"tree.translation", `translation = ["body.T1"]`, `translation = []`},
		{"tree.rotation", `rotation = ["body.R1"]`, `rotation = ["joint.R2"]`},
		{"tree.electrical", `electrical = ["r.E1"]`, `electrical = ["more.E1"]`},
		{"tree.hydraulic", `hydraulic = ["o.H1"]`, `hydraulic = ["jet.H1"]`},
		{"tree.thermal", `thermal = ["h.Q1"]`, `thermal = ["wall.Q1"]`},
		{"tree.formulation", "udwadia-kalaba", "multipliers"}, {"quantities", "body.vx\"", "body.vy\""},
		{"quantities", "N.s", "kg.m/s"}, {"quantities", "a quantity", "b"},
		{"tree.baumgarte.alpha", "alpha = 10", "alpha = 12"}, {"tree.baumgarte.beta", "beta = 11", "beta = 12"},
	} {
		shown = append(shown, u.key)
		if !strings.Contains(text, u.old) {
			t.Errorf("%q is not in the example", u.old)
		}
		if reflect.DeepEqual(before, parse(t, strings.Replace(text, u.old, u.new, 1))) {
			t.Errorf("the key %s is not read", u.key)
		}
	}
	for _, key := range leaves("", vehicle.TopKeys) {
		if !slices.Contains(shown, key) {
			t.Errorf("no example changes the key %s", key)
		}
	}
}

// A component that can heat a node tells what it loses, and has an edge to the node.
func TestHeatedNodesGetALoss(t *testing.T) {
	for _, c := range component.Types {
		isNode := func(k keys.Key) bool { return k.Name == keys.HeatKey && k.Shape == keys.NodeShape }
		if !slices.ContainsFunc(c.Keys, isNode) {
			continue
		}
		heated := 0
		for _, v := range examples(t, c.Word) {
			for _, u := range v.uses {
				if u.key != keys.HeatKey {
					continue
				}
				m := parse(t, strings.Replace(inPrelude(v.text), u.old, u.new, 1))
				part := m.Scope().Find("example")
				if _, tells := component.As[component.Energetic](part); !tells {
					t.Errorf("%s has the key heat, and tells no energy", c.Word)
				}
				for _, e := range component.ScalarEdges(m.Scope(), part) {
					if e.Name == "Q1" && e.Domain == graph.Thermal && e.From == "" && e.To == part.Head().Heat && e.To != "" {
						heated++
					}
				}
			}
		}
		if heated != 1 {
			t.Errorf("%s heats %d nodes in its examples", c.Word, heated)
		}
	}
}
