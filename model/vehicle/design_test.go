package vehicle_test

import (
	"math"
	"os"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// designed is a car with a corner by points, as files of the tests of package cosim.
func designed(t *testing.T) (car, corner string) {
	t.Helper()
	for name, to := range map[string]*string{"design_car": &car, "design_corner": &corner} {
		data, err := os.ReadFile("../../cosim/testdata/" + name + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		*to = string(data)
	}
	return car, corner
}

func TestFaultsOfPointsOfTheDesignPosition(t *testing.T) {
	car, corner := designed(t)
	for _, c := range []struct{ name, file, old, by, want string }{
		{"point misspelt", "corner", `"carrier@tie_outer"`, `"carrier@tie_outr"`,
			`design_corner.toml:56:6: "carrier@tie_outr": there is no point tie_outr; did you mean "tie_outer"? points are ` +
				`vectors of [parameters]: wheel_centre, ...; used by car.toml:...`},
		{"no point", "corner", `"carrier@tie_outer"`, `"carrier@"`,
			`...: "carrier@": behind @ stands the name of a point, a vector of [parameters]; used by ...`},
		{"two points", "corner", `"carrier@tie_outer"`, `"carrier@tie_outer@tie_inner"`, `...: behind @ stands the name ` +
			`of ...`},
		{"body misspelt", "corner", `"carrier@tie_outer"`, `"carier@tie_outer"`,
			`design_corner.toml:56:6: "carier@tie_outer": the file has no body or frame carier; did you mean "carrier"? it ` +
				`has ` +
				`carrier, chassis, ...; used by ...`},
		{"body without a place", "corner", "design = \"wheel_centre\"\n", "",
			`design_corner.toml:...: "carrier@spring_bottom": nothing says where carrier_FL is in the design position of ` +
				`body; ` +
				`give it the key design there, or name another body; used by ...`},
		{"ends at one point", "corner", `from = "rack@tie_inner"`, `from = "rack@tie_outer"`,
			`design_corner.toml:53:12: both ends of the rod are at one point in the design position; name another point; used ` +
				`by ...`},
		{"frame without a design", "car", "mass = 900", "mass = 900\ndesign_in = \"ground\"",
			`car.toml:8:13: body.design_in lacks design beside it; give the place, or leave design_in out`},
		{"name taken", "car", "[component.rack]", "[component.carrier_tie_outer_FL]\ntype = \"sensor\"\nto = \"body\"\n" +
			"[component.rack]", `design_corner.toml:56:6: "carrier@tie_outer" makes the frame carrier_tie_outer_FL, which is ` +
			`the name of a component; rename one of them; used by ...`},
		{"rod without points", "car", "[component.rack]", "[component.bar]\ntype = \"rod\"\nfrom = \"ground\"\nto = " +
			"\"rack\"\n" +
			"[component.rack]", `car.toml:11:12: bar lacks its length; only a rod between points of the design position ` +
			`(BODY@POINT) can do without`},
		{"kind of design", "corner", `design = "wheel_centre"`, `design = 3`, `...carrier_FL.design is 3; it must be a ` +
			`list ...`},
		{"no vector", "corner", `design = "wheel_centre"`, `design = "wheel_centre.x"`, `...is "wheel_centre.x", a ` +
			`number; ...`},
		{"millimetres", "corner", `lower_front = { value = [150, 360, 200], unit = "mm" }`,
			`lower_front = { value = [150, 360, 200], unit = "m" }`, ``},
	} {
		files := map[string]string{"car": car, "corner": corner}
		files[c.file] = edited(t, files[c.file], c.old, c.by)
		m, err := vehicle.Parse([]byte(files["car"]), "car.toml",
			inMemory(map[string]string{"design_corner.toml": files["corner"]}))
		switch {
		case c.want == "" && err == nil:
			if all := strings.Join(m.Warnings, "\n"); !strings.Contains(all, `lower_front is 360 m away (y); write unit = `+
				`"mm"`) &&
				!strings.Contains(all, `lower_front is 150 m away (x); write unit = "mm"`) {
				t.Errorf("%s: %s", c.name, all)
			}
		case err == nil:
			t.Errorf("%s is accepted", c.name)
		case !alike(err.Error(), c.want):
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, err, c.want)
		}
	}
}

// A model without subsystems has points, too: relative to its chassis, or to ground.
func TestPointsOfAModelWithoutSubsystems(t *testing.T) {
	const model = `name = "Pendulum"
[parameters]
pivot = { value = [0, 0, 2], unit = "m" }
end = { value = [0, 0, 0.5], unit = "m" }
[component.bob]
type = "rigid-body"
design = "end"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.link]
type = "rod"
from = "ground@pivot"
to = "bob@end"
`
	for _, c := range []struct{ more, frame string }{{"", "ground"},
		{"[component.body]\ntype = \"rigid-body\"\nframe = \"hull\"\nmass = 9\ninertia = { xx = 1, yy = 1, zz = 1 " +
			"}\n[roles]\n" +
			"chassis = \"body\"\n", "hull"}} {
		text := model + c.more
		if c.more != "" {
			text = edited(t, text, "ground@pivot", "hull@pivot")
		}
		m, err := vehicle.Parse([]byte(text), "car.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		names := strings.Join(componentNames(m), " ")
		if want := "bob " + c.frame + "_pivot bob_end link"; !strings.HasPrefix(names, want) {
			t.Errorf("the components are %s, want %s", names, want)
		}
	}
}

// Files without frames have no design frame, and a frame cannot carry what it places.
func TestDesignFrames(t *testing.T) {
	const file = `kind = "subsystem"
[parameters]
seat = { value = [1, 2, 3], unit = "m" }
[component.part]
type = "rigid-body"
design = "seat"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`
	const model = `name = "Car"
[component.post]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[use.P]
file = "part.toml"
`
	for _, c := range []struct{ name, file, want string }{
		{"no frame", file, `part.toml:6:10: design needs a design frame, which is the first of the frames of the file; ` +
			`list one, or give design_in; used by ...`},
		{"no frame of a point", edited(t, file, "design = \"seat\"\n", "") + "[component.rest]\ntype = \"weld\"\nfrom = " +
			"\"part@seat\"\nto = \"part\"\n", `part.toml:10:8: "part@seat" needs a design frame, which is the first of the ` +
			`frames of the file; list one; used by ...`},
		{"given frame", edited(t, file, "mass", "design_in = \"ground\"\nmass"), ``},
		{"circle of bodies", edited(t, edited(t, file, "mass", "design_in = \"other\"\nmass"), "[component.part]",
			"[component.other]\ntype = \"rigid-body\"\ndesign = \"seat\"\ndesign_in = \"part\"\nmass = 1\ninertia = { xx = 1, "+
				"yy = 1, zz = 1 }\n[component.part]"), `part.toml:...: design_in leads in a circle, by the frame other_P; give ` +
			`one of the bodies on it another frame; used by ...`},
		{"frame misspelt", edited(t, file, "mass", "design_in = \"grond\"\nmass"), `part.toml:4:12: component part_P ` +
			`uses the frame "grond_P", which no body, joint, arm or road has; frames: ground, part_P, post; used by ...`},
		{"circle", edited(t, file, "mass", "design_in = \"tip\"\nmass") + "[component.hinge]\ntype = \"revolute\"\n" +
			"from = \"part\"\nto = \"tip\"\naxis = \"x\"\n[component.load]\ntype = \"rigid-body\"\nframe = \"tip\"\nmass = 1\n" +
			"inertia = { xx = 1, yy = 1, zz = 1 }\n",
			`...: part_P has its place in the design position in the frame tip_P, which it carries; name another frame in ` +
				`design_in`},
	} {
		m, err := vehicle.Parse([]byte(model), "car.toml", inMemory(map[string]string{"part.toml": c.file}))
		if err == nil && c.want != "" {
			_, err = formulate.New(m, formulate.Options{})
		}
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

// Places are found through arms and welds without angles; bodies without points give rods their lengths, too.
func TestPlacesThroughArms(t *testing.T) {
	const model = `name = "Arms"
[parameters]
end = { value = [1, 2, 3], unit = "m" }
k = { value = 2, unit = "1" }
[component.hull]
type = "rigid-body"
design = ["-(k + k)*(end.x/k)", "10 mm", 0]
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.arm]
type = "rigid-arm"
from = "hull"
to = "arm"
translation = [0, 0, "end.z + end.z"]
[component.seat]
type = "weld"
from = "arm"
to = "seat"
[component.rest]
type = "spring-damper"
from = "seat@end"
to = "ground"
stiffness = 1
[component.turned]
type = "rigid-arm"
from = "hull"
to = "turned"
translation = [0, 0, 1]
angles = [0.1, 0, 0]
[component.look]
type = "sensor"
to = "turned"
[component.bar]
type = "rod"
from = "hull"
to = "ground@end"
`
	m, err := vehicle.Parse([]byte(model), "car.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range m.Components {
		switch c := c.(type) {
		case *component.RigidArm:
			if c.Name == "seat_end" {
				for k, want := range [3]float64{1 + 2, 2 - 0.01, 3 - 6} {
					if got := c.Translation[k].Value; math.Abs(got-want) > 1e-15 {
						t.Errorf("coordinate %d of seat@end is %.17g, want %.17g", k, got, want)
					}
				}
			}
		case *component.Rod:
			if want := math.Sqrt(3*3 + 1.99*1.99 + 3*3); math.Abs(c.Length.Value-want) > 1e-15 {
				t.Errorf("the rod is %.17g m long, want %.17g", c.Length.Value, want)
			}
		}
	}
	_, err = vehicle.Parse([]byte(edited(t, model, `"seat@end"`, `"turned@end"`)), "car.toml", nil)
	if want := `...: "turned@end": nothing says where turned is in the design position of ground; give it the key ` +
		`design ` +
		`there, or name another body`; err == nil || !alike(err.Error(), want) {
		t.Errorf("a turned arm: %v", err)
	}
	long := "end.x" + strings.Repeat(" + 2*end.x", 98)
	_, err = vehicle.Parse([]byte(edited(t, model, `"-(k + k)*(end.x/k)"`, `"`+long+`"`)), "car.toml", nil)
	if err == nil || !strings.Contains(err.Error(), "is longer than 1000 characters; give parts of it a name") {
		t.Errorf("a long formula: %v", err)
	}
}

// Springs get the free length of their load in the design position, and struts the line of their points.
func TestSpringsAndStrutsOfTheDesignPosition(t *testing.T) {
	const file = `kind = "subsystem"
frames = ["chassis"]
sides = "left"
[parameters]
top = { value = [10, 480, 690], unit = "mm" }
bottom = { value = [30, 580, 205], unit = "mm" }
rate = { value = 25, unit = "N/mm" }
load = { value = 3800, unit = "N" }
[component.carrier]
type = "rigid-body"
design = "bottom"
mass = 30
inertia = { xx = 1, yy = 1, zz = 1 }
[component.tube]
type = "strut"
from = "chassis@top"
to = "carrier@bottom"
[component.on_line]
type = "spring-damper"
from = "chassis@top"
to = "carrier@bottom"
stiffness = "rate"
free_length = { load = "load" }
[component.on_strut]
type = "spring-damper"
joint = "tube"
stiffness = "20 N/mm"
free_length = { load = "2 kN" }
[component.slide]
type = "prismatic"
from = "carrier"
to = "plunger"
axis = "z"
[component.plunger]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.on_slide]
type = "spring-damper"
joint = "slide"
stiffness = 1000
free_length = { load = 50 }
`
	const model = `name = "Car"
[component.body]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[use.F]
file = "part.toml"
at = ["L", "R"]
frames = { chassis = "body" }
`
	parse := func(file string) (*vehicle.Model, error) {
		return vehicle.Parse([]byte(model), "car.toml", inMemory(map[string]string{"part.toml": file}))
	}
	m, err := parse(file)
	if err != nil {
		t.Fatal(err)
	}
	distance := math.Sqrt(0.02*0.02 + 0.1*0.1 + 0.485*0.485)
	want := map[string]float64{"on_line": distance + 3800/25000.0, "on_strut": distance + 2000/20000.0,
		"on_slide": 50 / 1000.0}
	checked, struts := 0, 0
	for _, c := range m.Components {
		switch c := c.(type) {
		case *component.SpringDamper:
			checked++
			if l := want[c.Name[:len(c.Name)-3]]; math.Abs(c.FreeLength.Value-l) > 1e-15 {
				t.Errorf("%s has the free length %.17g, want %.17g", c.Name, c.FreeLength.Value, l)
			}
		case *component.Strut:
			struts++
			if c.Axis != [3]float64{0, 0, 1} { // the arm before it turns this axis to the line
				t.Errorf("%s has the axis %v", c.Name, c.Axis)
			}
		}
	}
	if checked != 6 || struts != 2 {
		t.Errorf("%d springs, %d struts", checked, struts)
	}
	for _, c := range []struct{ name, old, by, want string }{
		{"no points", `to = "carrier@bottom"` + "\nstiffness", `to = "plunger"` + "\nstiffness", `part.toml:23:15: ` +
			`free_length by a load ` +
			`needs the design position of the spring: two ends BODY@POINT, a strut between such ends, or a prismatic ` +
			`joint; used ...`},
		{"a curve", `stiffness = "rate"`, "stiffness = \"rate\"\nspring_force = [[-1, -1], [0, 0], [1, 1]]",
			`part.toml:24:15: free_length by a load needs a stiffness, and no spring_force beside it; give the free length ` +
				`as a ` +
				`length; used ...`},
		{"a number beside a parameter", `stiffness = "rate"`, "stiffness = 25000", `part.toml:23:15: free_length by a ` +
			`load needs numbers for both load and stiffness, or formulas for both; make the number a parameter; used ...`},
		{"a strut alone", file[strings.Index(file, "[component.tube]"):], "[component.tube]\ntype = \"strut\"\nfrom = " +
			"\"ground\"\nto = \"carrier\"\n", `part.toml:14:12: tube_FL lacks its axis; only a strut between points of the ` +
			`design position (BODY@POINT) can do without; used ...`},
		{"no stiffness", `stiffness = "rate"`, "damping = 3", `...: free_length by a load needs a stiffness, and ...`},
		{"another key", `{ load = 50 }`, `{ lod = 50 }`, `...free_length...`},
		{"another unit", `"2 kN"`, `"2 mm"`, `part.toml:28:24: free_length.load is "2 mm"; it must be a force, such as ` +
			`"3800 N"; used ...`},
		{"a strut without an axis", `from = "chassis@top"` + "\nto = \"carrier@bottom\"\n[component.on_line]",
			`from = "chassis"` + "\nto = \"plunger\"\n[component.on_line]", `part.toml:28:15: free_length by a load needs ` +
				`the design position of the spring...`},
	} {
		switch _, err := parse(edited(t, file, c.old, c.by)); {
		case err == nil && c.want != "":
			t.Errorf("%s is accepted", c.name)
		case err == nil:
		case !alike(err.Error(), c.want):
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, err, c.want)
		}
	}
}
