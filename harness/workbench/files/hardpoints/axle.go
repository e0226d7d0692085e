package hardpoints

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/shelf"
	"skidpad/model/subsystem"
	"skidpad/model/vehicle"
)

// Axle is an axle of a shipped corner, as a model whose body moves up and down only.
type Axle struct {
	Corner string   // name of the shipped subsystem
	Text   string   // of the model
	Unused []string // points and values of the file without a place in the corner
	Model  *vehicle.Model
}

// shippedCorner is a shipped subsystem of points.
type shippedCorner struct {
	name       string
	points     []entry
	parameters []entry // numbers and directions
	frames     []string
	options    map[string][]string
	sided      bool // of the left side; else a whole axle
}

// entry is a parameter of a subsystem, with the condition under which it exists, "" for always.
type entry struct{ name, when string }

// exist lists the names of the entries that exist with choices of the options.
func exist(entries []entry, chosen map[string]string) (names []string) {
	for _, e := range entries {
		if e.when == "" || subsystem.Holds(e.when, chosen) {
			names = append(names, e.name)
		}
	}
	return names
}

// corners are the shipped subsystems with points and a wheel centre.
func corners() (list []shippedCorner, err error) {
	for _, file := range shelf.Paths(shelf.Subsystems) {
		data, err := bounded.Model.Read(file)
		if err != nil {
			return nil, err
		}
		root, err := document.Parse(data, file)
		if err != nil {
			return nil, err
		}
		c := shippedCorner{name: strings.TrimSuffix(file[strings.LastIndex(file, "/")+1:], ".toml"),
			options: map[string][]string{}}
		parameters := root.Field("parameters")
		if centre := parameters.Field("wheel_centre"); !subsystem.IsVector(centre) || centre.Field("value") == nil {
			continue // no points, or a part of another subsystem
		}
		for _, name := range parameters.Keys {
			p, one := parameters.Field(name), entry{name: name}
			if when := p.Field("when"); when != nil {
				one.when = when.Text
			}
			if kind := p.Field("kind"); subsystem.IsVector(p) && (kind == nil || kind.Text == "position") {
				c.points = append(c.points, one)
			} else {
				c.parameters = append(c.parameters, one)
			}
		}
		c.sided = root.Field("sides") != nil && root.Field("sides").Text == "left"
		for _, item := range root.Field("frames").Items {
			c.frames = append(c.frames, item.Text)
		}
		if options := root.Field("options"); options != nil {
			for _, name := range options.Keys {
				for _, choice := range options.Field(name).Items {
					c.options[name] = append(c.options[name], choice.Text)
				}
			}
		}
		list = append(list, c)
	}
	return list, nil
}

// cornerOf finds a shipped corner whose points the file has. Among several it takes the corner with the most points.
func (in *Import) cornerOf() (*shippedCorner, error) {
	list, err := corners()
	if err != nil {
		return nil, err
	}
	has := map[string]bool{}
	for _, p := range in.Left {
		has[p.Name] = true
	}
	var best *shippedCorner
	var lacking []string
	for i := range list {
		c := &list[i]
		var missing []string
		always := exist(slices.DeleteFunc(slices.Clone(c.points), func(e entry) bool { return e.when != "" }), nil)
		for _, name := range always {
			if !has[name] {
				missing = append(missing, name)
			}
		}
		switch {
		case len(missing) == 0 && (best == nil || len(c.points) > len(best.points)):
			best = c
		case len(missing) > 0 && len(missing) < len(always)/2:
			lacking = append(lacking, fmt.Sprintf("%s needs %s, too", c.name, strings.Join(missing, ", ")))
		}
	}
	if best == nil {
		why := "no shipped corner has these points"
		if len(lacking) > 0 {
			why += ": " + strings.Join(lacking, "; ")
		}
		return nil, fmt.Errorf("%s", why)
	}
	return best, nil
}

const axleHead = `# Axle by the hard points of %s (%s).
# The body moves up and down only. To use the axle in a car, copy its tables [use] into the model of the car.
name = %q
gravity = 9.81

[component]
road = { type = "terrain" }
guide = { type = "prismatic", from = "ground", to = "body", axis = "z", start = { s = %s } }
body = { type = "rigid-body", mass = 700, inertia = { xx = 200, yy = 500, zz = 600 } }
chassis = { type = "rigid-arm", from = "body", to = "chassis", translation = [0, 0, -0.5] }
`

const axleRack = `
[use.S]
file = "rack"
frames = { chassis = "chassis" }
[use.S.parameters]
rack = [%s, 0, %s]
travel_per_turn = %d # mm/rev
`

// Axle makes an axle of the shipped corner that has all its points in the file. name is the name of the model and file
// the name of the read file.
func (in *Import) Axle(name, file string) (*Axle, error) {
	c, err := in.cornerOf()
	if err != nil {
		return nil, err
	}
	if len(in.Right) > 0 && !c.sided {
		return nil, fmt.Errorf("%s has points of the left side only, and the points of both sides differ; --symmetric takes "+
			"their average", c.name)
	}
	in.placeDamper(c)
	a := &Axle{Corner: c.name, Unused: in.unused(c)}
	for _, height := range []float64{0, math.NaN()} {
		if height != 0 { // the tires touch the road
			height = a.radius() - in.place("wheel_centre")[2]
		}
		a.Text = in.axleText(c, name, file, height)
		if a.Model, err = vehicle.Parse([]byte(a.Text), name+".toml", vehicle.Opener(name+".toml")); err != nil {
			return nil, fmt.Errorf("an axle of %s with these points is refused: %w", c.name, err)
		}
	}
	return a, nil
}

// placeDamper chooses a damper with points of its own where the file has other points for it than for the spring.
func (in *Import) placeDamper(c *shippedCorner) {
	apart := 0.0
	for _, end := range []string{"_top", "_bottom"} {
		damper, spring := in.find("damper"+end), in.find("spring"+end)
		if damper == nil || spring == nil || c.options["damper"] == nil {
			return
		}
		apart = max(apart, distance(damper.Place, spring.Place))
	}
	if apart > equal {
		in.Options = append(in.Options, Option{"damper", "apart", in.find("damper_top").From})
	}
}

// find is a left point, nil for none.
func (in *Import) find(name string) *Point {
	if i := slices.IndexFunc(in.Left, func(p Point) bool { return p.Name == name }); i >= 0 {
		return &in.Left[i]
	}
	return nil
}

// chosen are the choices for a corner, by the name of the option.
func (in *Import) chosen(c *shippedCorner) map[string]string {
	choices := map[string]string{}
	for name, all := range c.options {
		choices[name] = all[0]
	}
	for _, o := range in.Options {
		if slices.Contains(c.options[o.Name], o.Choice) {
			choices[o.Name] = o.Choice
		}
	}
	return choices
}

// radius is the unloaded radius of the tires.
func (a *Axle) radius() float64 {
	for _, c := range a.Model.Components {
		if w, is := c.(component.Wheeled); is {
			return w.Wheel().Radius.Value
		}
	}
	return 0
}

// place is the place of a left point, which exists.
func (in *Import) place(name string) [3]float64 {
	return in.find(name).Place
}

// unused lists points and values without a place in a corner.
func (in *Import) unused(c *shippedCorner) (list []string) {
	points, parameters := exist(c.points, in.chosen(c)), exist(c.parameters, in.chosen(c))
	for _, p := range in.Left {
		if !slices.Contains(points, p.Name) {
			list = append(list, fmt.Sprintf("%s: %s has no point %s with these options", p.From, c.name, p.Name))
		}
	}
	for _, v := range in.Values {
		if !slices.Contains(parameters, v.Parameter) {
			list = append(list, fmt.Sprintf("%s: %s has no parameter %s with these options", v.From, c.name, v.Parameter))
		}
	}
	for _, option := range in.Options {
		if !slices.Contains(c.options[option.Name], option.Choice) {
			list = append(list, fmt.Sprintf("%s: %s has no choice %s = %q", option.From, c.name, option.Name, option.Choice))
		}
	}
	return list
}

// axleText is the model. height is the start of the body above the road [m].
func (in *Import) axleText(c *shippedCorner, name, file string, height float64) string {
	var b strings.Builder
	number := func(x float64) string { return strconv.FormatFloat(math.Round(x*1e12)/1e12+0, 'g', -1, 64) }
	fmt.Fprintf(&b, axleHead, control.ReplaceAllString(file, " "), in.Form, name, number(height+0.5)) // above the points
	points, parameters := exist(c.points, in.chosen(c)), exist(c.parameters, in.chosen(c))
	steers := slices.Contains(c.frames, "rack") && slices.Contains(points, "tie_inner")
	rack := "chassis"
	if steers {
		inner := millimetres(in.place("tie_inner"))
		turn := 50 // to the left, with tie rods ahead of the wheel centres
		if in.place("tie_outer")[0] < in.place("wheel_centre")[0] {
			turn = -turn
		}
		rack = "bar_S"
		fmt.Fprintf(&b, axleRack, inner[0], inner[2], turn)
	}
	sides := []struct {
		use, at string
		points  []Point
	}{{"F", `["L", "R"]`, in.Left}}
	tires := [2]string{"tire_FL", "tire_FR"}
	if len(in.Right) > 0 {
		sides = append(sides, sides[0])
		sides[0].at, sides[1].at, sides[1].use, sides[1].points = `["L"]`, `["R"]`, "F2", in.Right
		tires[1] = "tire_F2R"
	}
	for _, s := range sides {
		fmt.Fprintf(&b, "\n[use.%s]\nfile = %q\n", s.use, c.name)
		if c.sided {
			fmt.Fprintf(&b, "at = %s\n", s.at)
		}
		var frames []string
		for _, frame := range c.frames {
			given := frame
			if frame == "rack" {
				given = rack
			}
			frames = append(frames, fmt.Sprintf("%s = %q", frame, given))
		}
		fmt.Fprintf(&b, "frames = { %s }\n", strings.Join(frames, ", "))
		for _, o := range in.Options {
			if slices.Contains(c.options[o.Name], o.Choice) {
				fmt.Fprintf(&b, "%s = %q\n", o.Name, o.Choice)
			}
		}
		if in.Radius > 0 && c.sided {
			fmt.Fprintf(&b, "component.tire.unloaded_radius = %q\n", number(1e3*in.Radius)+" mm")
		}
		fmt.Fprintf(&b, "[use.%s.parameters] # points [mm]\n", s.use)
		for _, p := range s.points {
			if slices.Contains(points, p.Name) {
				fmt.Fprintf(&b, "%s = [%s] # %s\n", p.Name, strings.Join(millimetres(p.Place), ", "), p.From)
			}
		}
		for _, v := range in.Values {
			switch d := v.Direction; {
			case !slices.Contains(parameters, v.Parameter):
			case d != [3]float64{}:
				fmt.Fprintf(&b, "%s = [%s, %s, %s] # %s\n", v.Parameter, number(d[0]), number(d[1]), number(d[2]), v.From)
			default:
				fmt.Fprintf(&b, "%s = %q # %s\n", v.Parameter, number(v.Value)+" "+v.Unit, v.From)
			}
		}
	}
	fmt.Fprintf(&b, "\n[roles]\nchassis = \"body\"\nroad = \"road\"\naxles = [[%q, %q]]\n", tires[0], tires[1])
	if steers {
		b.WriteString("steering = { input = \"steering_S.angle\" }\n")
	}
	return b.String()
}
