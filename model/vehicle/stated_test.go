package vehicle_test

import (
	"strings"
	"testing"

	"skidpad/model/vehicle"
)

// The statements of [roles] are compared with the vehicle: the plain car has a track of 1.6 m and a wheelbase of 2.5 m.
func TestRolesThatContradictTheVehicle(t *testing.T) {
	drivers := "\nsteering = { drivers = [\"steer_FL\", \"steer_FR\"], ratio = 16 }"
	wheel := func(ratio, component string) []string {
		return []string{"gravity = 9.81", axles + "\nsteering = { input = \"steering.angle\", ratio = " + ratio + " }" +
			strings.TrimPrefix(steered("", `{ driver = "steer_FL" }, { driver = "steer_FR"`+component+` }`), "gravity = 9.81")}
	}
	outline := func(keys string) []string { return []string{"gravity = 9.81", axles + "\noutline = { " + keys + " }"} }
	dummy := `[component.dummy]
type = "motion-driver"
from = "body"
to = "dial"
axis = "z"
[component.scale]
type = "rigid-body"
frame = "dial"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[use.F]`
	for name, c := range map[string]struct {
		changes []string
		want    string // "" for none
	}{
		"a width in mm": {outline("width = 1645, front = 1.9, rear = 2.4"),
			"plain.toml:5:21: roles.outline.width is 1645 m, and the widest axle has a track of 1.6 m; a number without a " +
				"unit is in m: write \"1645 mm\" if mm is meant"},
		"a width in cm":     {outline("width = 164.5, front = 1.9, rear = 2.4"), `write "164.5 cm"`},
		"a width in inches": {outline("width = 65, front = 1.9, rear = 2.4"), `write "65 in"`},
		"a width in feet":   {outline("width = 5.4, front = 1.9, rear = 2.4"), `write "5.4 ft"`},
		"half of a width":   {outline("width = 0.82, front = 1.9, rear = 2.4"), "correct it, or write it with its unit"},
		"the narrowest":     {outline("width = 1.121, front = 1.9, rear = 2.4"), ""},
		"narrower":          {outline("width = 1.119, front = 1.9, rear = 2.4"), "outline.width is 1.119 m"},
		"the widest":        {outline("width = 3.99, front = 1.9, rear = 2.4"), ""},
		"wider":             {outline("width = 4.01, front = 1.9, rear = 2.4"), "outline.width is 4.01 m"},
		"a length in mm":    {outline("width = 1.9, front = 1900, rear = 2400"), `write "2400 mm" if mm is meant`},
		"one end in mm": {outline("width = 1.9, front = 1900, rear = 2.4"),
			`plain.toml:5:34: roles.outline is 1902 m`},
		"a length with units":    {outline("width = '1900 mm', front = '190 cm', rear = '2400 mm'"), ""},
		"shorter than its axles": {outline("width = 1.9, front = 1, rear = 1.4"), "is 2.4 m long, front and rear together"},
		"as long as its axles":   {outline("width = 1.9, front = 1.1, rear = 1.41"), ""},
		"long":                   {outline("width = 1.9, front = 4.3, rear = 4.4"), ""},
		"too long":               {outline("width = 1.9, front = 4.3, rear = 4.5"), "is 8.8 m long"},
		"a wheelbase in mm": {[]string{"gravity = 9.81", axles + "\nwheelbase = 2500"},
			"plain.toml:5:13: roles.wheelbase is 2500 m, and the axles are 2.5 m apart; a number without a unit is in m: " +
				"write \"2500 mm\" if mm is meant; without the key it is found"},
		"a wheelbase of another vehicle": {[]string{"gravity = 9.81", axles + "\nwheelbase = 3.8"}, "is 3.8 m"},
		"a longer wheelbase":             {[]string{"gravity = 9.81", axles + "\nwheelbase = 2.62"}, ""},
		"too long a wheelbase":           {[]string{"gravity = 9.81", axles + "\nwheelbase = 2.63"}, "is 2.63 m"},
		"a shorter wheelbase":            {[]string{"gravity = 9.81", axles + "\nwheelbase = 2.39"}, ""},
		"too short a wheelbase":          {[]string{"gravity = 9.81", axles + "\nwheelbase = 2.37"}, "is 2.37 m"},
		"rolling radii":                  {[]string{"gravity = 9.81", axles + "\nrolling_radius = [0.35, 0.26]"}, ""},
		"a large rolling radius": {[]string{"gravity = 9.81", axles + "\nrolling_radius = [0.3, 0.38]"},
			"plain.toml:5:24: roles.rolling_radius of axle 2 is 0.38 m, and its wheels have 0.3 m; correct it"},
		"a rolling radius in mm": {[]string{"gravity = 9.81", axles + "\nrolling_radius = [310, 0.3]"},
			"plain.toml:5:19: roles.rolling_radius of axle 1 is 310 m, and its wheels have 0.3 m; a number without a unit " +
				"is in m: write \"310 mm\""},
		"the wheelbase with a trailer": {[]string{"gravity = 9.81", axles + `
trailer = ["upright_RL"]
wheelbase = 5`}, ""},
		"the ratio": {wheel("16", ""), ""},
		"the ratio, by a curve of half an angle at one wheel": {wheel("21", ", angle_curve = [[-1, -0.5], [1, 0.5]]"), ""},
		"another ratio": {wheel("25", ""),
			"plain.toml:5:48: roles.steering.ratio is 25, and the vehicle turns as with 16, the steering-wheel angle " +
				"by the angle of the road wheels; correct the ratio, or leave it out: it is found then"},
		"another ratio, by a curve": {wheel("33", ", angle_curve = [[-1, -0.5], [1, 0.5]]"), "turns as with 21.33"},
		"the ratio of wheels that turn to both sides": {wheel("16", `, angle_curve = [[-1, -1], [1, 1]] }, `+
			`{ driver = "steer_RL", angle_curve = [[-1, 1], [1, -1]] }, `+
			`{ driver = "steer_RR", angle_curve = [[-1, 1], [1, -1]]`), ""},
		"the ratio of a wheel and a dial": {append(wheel("16", ` }, { driver = "dummy"`), "[use.F]", dummy), ""},
		"a dial that turns the vehicle": {[]string{"gravity = 9.81", axles + strings.Replace(drivers,
			`"steer_FL", "steer_FR"`, `"dummy"`, 1), "[use.F]",
			strings.NewReplacer(`from = "body"`, `from = "dial"`, `to = "dial"`, `to = "body"`).
				Replace(dummy)}, "roles.steering moves no wheel"},
		"the ratio of drivers": {[]string{"gravity = 9.81", axles + drivers}, ""},
		"drivers that turn a dial": {[]string{"gravity = 9.81", axles + strings.Replace(drivers, `"steer_FL", "steer_FR"`,
			`"dummy"`, 1), "[use.F]", dummy},
			"plain.toml:5:12: roles.steering moves no wheel: no wheel is carried by dummy; name what turns the wheel carriers"},
		"a driver that turns a dial, and others": {[]string{"gravity = 9.81", axles + strings.Replace(drivers,
			`"steer_FL", "steer_FR"`, `"dummy", "steer_FL"`, 1), "[use.F]", dummy}, ""},
		"a steering that turns a dial": {[]string{"gravity = 9.81", axles + "\nsteering = { input = \"steering.angle\" }" +
			strings.TrimPrefix(steered("", `{ driver = "dummy" }`), "gravity = 9.81"), "[use.F]", dummy}, "moves no wheel"},
		"a dial that a suspension follows": {[]string{"gravity = 9.81", axles + strings.Replace(drivers,
			`"steer_FL", "steer_FR"`,
			`"dummy"`, 1), "[use.F]", `[component.guide]
type = "suspension"
from = "body"
to = "guided"
steer = "dummy"
toe = [[-1, -1, 0.1], [-1, 1, -0.1], [1, -1, 0.1], [1, 1, -0.1]]
[component.guided]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
` + dummy}, ""},
		"a dial that a spring joins to a wheel": {[]string{"gravity = 9.81", axles + strings.Replace(drivers,
			`"steer_FL", "steer_FR"`, `"dummy"`, 1), "[use.F]", `[component.link]
type = "rod"
from = "dial"
to = "spindle_FL"
length = 1
` + dummy}, ""},
		"steering about x": {[]string{"gravity = 9.81", axles + drivers, "axis = [-0.1, 0, 1]", `axis = "x"`},
			"steer_FL steers the wheel tire_FL about an axis that lies, z is 0; a steering axis is upright, axis = \"z\""},
	} {
		m, err := parsePlain(t, c.changes...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := strings.Join(m.Warnings, "\n")
		if (c.want == "") != (text == "") || !strings.Contains(text, c.want) || strings.Contains(text, "\n") {
			t.Errorf("%s: %q is not in: %s", name, c.want, text)
		}
	}
}

// The wheelbase of a truck is that to the middle of its rear axles.
func TestWheelbaseOfThreeAxles(t *testing.T) {
	text := `base = "truck3.toml"
name = "Wrong"
title = "Roles"
[roles]
axles = [["tire_1L", "tire_1R"], ["tire_2L", "tire_2R"], ["tire_3L", "tire_3R"]]
wheelbase = `
	for wheelbase, want := range map[string]string{"100": "and the axles are 4.95 m apart", "4.3": ""} { // one to axle 2
		m, err := vehicle.Parse([]byte(text+wheelbase+"\n"), "wrong.toml",
			vehicle.Opener("../../resources/models/wrong.toml"))
		if err != nil {
			t.Fatal(err)
		}
		said := strings.Join(m.Warnings, "\n")
		if !strings.Contains(said, want) || (said == "") != (want == "") {
			t.Errorf("%s m: %s; want %s", wheelbase, said, want)
		}
	}
}

// Of wheels that roll by constraint nothing is known.
func TestSteeringWithoutTires(t *testing.T) {
	text := `base = "bicycle_rolling.toml"
name = "Steered"
title = "Roles"
[roles]
steering = { drivers = ["STEER"], ratio = 1 }
`
	base, err := vehicle.Read("../../resources/models/bicycle_rolling.toml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range base.Components {
		if name := c.Head().Name; c.Head().Type == "revolute" {
			m, err := vehicle.Parse([]byte(strings.Replace(text, "STEER", name, 1)), "steered.toml",
				vehicle.Opener("../../resources/models/steered.toml"))
			if err != nil || len(m.Warnings) > 0 {
				t.Errorf("%s: %v, %v", name, err, m)
			}
		}
	}
}

// An axle that springs alone hold is not known, nor is the wheelbase.
func TestWheelbaseToAnAxleOnSprings(t *testing.T) {
	m, err := parsePlain(t, "gravity = 9.81", axles+"\nwheelbase = 5", "parameters = { x = -1.3 }",
		`parameters = { x = -1.3 }
[use.R.component.susp]
remove = true
[use.R.component.spring]
type = "spring-damper"
from = "place"
to = "hub"
stiffness = 25000`)
	if err != nil || strings.Contains(strings.Join(m.Warnings, "\n"), "roles.wheelbase") {
		t.Error(err, m)
	}
}
