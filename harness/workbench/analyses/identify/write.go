package identify

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/vehicle"
)

// shipped is the corner by curves whose wheel, tire, brake and upright the file has.
const shipped = "skidpad:/subsystems/corner_curves.toml"

// Write writes the subsystem file.
func (c *Corner) Write(to io.Writer) error {
	data, err := bounded.Model.Read(shipped)
	if err != nil {
		return err
	}
	base, err := document.Parse(data, shipped)
	if err != nil {
		return err
	}
	over, err := document.Parse([]byte(c.text()), "corner")
	if err != nil {
		return err
	}
	parts, parameters := base.Field("component"), base.Field("parameters")
	kept := *parts
	kept.Keys, kept.Fields = nil, map[string]*document.Node{}
	add := func(name string, n *document.Node) {
		kept.Keys, kept.Fields[name] = append(kept.Keys, name), n
	}
	add("corner", parts.Field("corner"))
	for _, name := range over.Field("component").Keys {
		add(name, over.Field("component").Field(name))
	}
	for _, name := range []string{"upright", "wheel", "brake", "tire"} {
		add(name, moved(parts.Field(name)))
	}
	head := base.Without("component").Without("parameters").Without("exports")
	numbers := document.Merge(parameters.Without("toe_axis"), over.Field("parameters"))
	head = document.Merge(head, over.Without("component").Without("parameters"))
	for _, table := range []struct {
		key string
		n   *document.Node
	}{{"parameters", numbers}, {"component", &kept}, {"exports", base.Field("exports")}} {
		head.Keys, head.Fields[table.key] = append(head.Keys, table.key), table.n
	}
	if _, err := fmt.Fprint(to, "# Corner with measured kinematics and compliance, by skidpad kc import.\n"+
		"# SI units; y is outward. corner_curves has the same wheel, tire and upright.\n\n"); err != nil {
		return err
	}
	return document.Write(to, head, "component", func(string) string { return "" })
}

// moved are the tables of a shipped subsystem with its files by their names on the shelf.
func moved(n *document.Node) *document.Node {
	m := *n
	m.Fields = map[string]*document.Node{}
	for key, of := range n.Fields {
		switch {
		case of.Kind == document.Table:
			of = moved(of)
		case key == "file" && of.Kind == document.Text:
			named := *of
			named.Text = strings.Replace(of.Text, "../", "skidpad:/", 1)
			of = &named
		}
		m.Fields[key] = of
	}
	return &m
}

// text has the parameters and components that differ from the shipped corner.
func (c *Corner) text() string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	steer := ""
	if c.steer.at != nil {
		steer = `, "steer"`
	}
	line("title = \"Corner with measured kinematics and compliance\"\nframes = [\"chassis\", \"road\"%s]", steer)
	line("[parameters]")
	line("x = { value = %s, unit = \"m\", text = \"wheel centre ahead of the chassis frame\" }", number(c.place[0]))
	line("half_track = { value = %s, unit = \"m\", text = \"wheel centre to the left of the chassis frame\" }",
		number(c.place[1]))
	line("unsprung = { value = %s, unit = \"kg\", text = \"unsprung mass of the corner\" }", number(c.Unsprung))
	line("wheel_mass = { value = %s, unit = \"kg\", text = \"part of the unsprung mass that turns with the wheel\" }",
		number(c.Wheel))
	line("stiffness = { value = %s, unit = \"N/m\", text = \"wheel rate in the design position, without the bar\" }",
		number(c.rate))
	line("load = { value = %s, unit = \"N\", text = \"force of the spring in the design position\" }", number(c.load))
	line("damping = { value = %s, unit = \"N.s/m\", text = \"damping of the damper at the wheel\" }", number(c.damping()))
	line("[component.susp]\ntype = \"suspension\"\nfrom = \"corner\"\nto = \"carrier\"\nside = \"left\"")
	if c.steer.at != nil {
		line("steer = \"steer\"")
		line("z = %s", c.table(c.bounce.at, c.steer.z))
	}
	line("x = %s", c.table(c.bounce.x, c.steer.x))
	line("y = %s", c.table(c.bounce.y, c.steer.y))
	line("toe = %s", c.table(c.bounce.toe, c.steer.toe))
	line("camber = %s", c.table(c.bounce.camber, c.steer.camber))
	line("castor = %s", c.table(c.bounce.castor, c.steer.castor))
	line("[component]")
	line(`spring = { type = "spring-damper", joint = "susp", stiffness = "stiffness", free_length = "-load/stiffness" }`)
	line(`damper = { type = "spring-damper", joint = "susp", damping = "damping" }`)
	var beyond []float64
	for i, z := range c.bounce.at {
		beyond = append(beyond, c.pad[i]-c.load-c.rate*z)
	}
	line(`stops = { type = "spring-damper", text = "stops, and bends of the spring", joint = "susp", spring_force = %s }`,
		points(c.bounce.at, beyond))
	from := "carrier"
	if c.recession > 0 {
		k := 1 / c.recession
		line(`recession = { type = "prismatic", text = "yields to longitudinal force", `+
			`from = "%s", to = "pushed", axis = "x" }`,
			from)
		line(`recession_bushing = { type = "spring-damper", joint = "recession", stiffness = %s, damping = %s }`, number(k),
			number(jointRatio*2*math.Sqrt(k*c.Unsprung)))
		from = "pushed"
	}
	var back [3]float64 // from the last joint to the wheel centre
	if c.toeLaw.over != nil {
		p, a := c.onCarrier(c.point()), c.onCarrier(c.axis)
		size := math.Sqrt(a[0]*a[0] + a[1]*a[1] + a[2]*a[2])
		line(`axis = { type = "rigid-arm", text = "to the axis about which toe yields", `+
			`from = "%s", to = "axis", translation = %s }`,
			from, vector(p))
		line(`toe = { type = "revolute", text = "yields to aligning moment and lateral force", `+
			`from = "axis", to = "turned", axis = %s, mirror = "opposite" }`, vector(a))
		line(`toe_bushing = %s`, c.bushing("toe", c.toeLaw, size, c.inertia()[2]*size*size))
		from, back = "turned", [3]float64{-p[0], -p[1], -p[2]}
	}
	if c.camberLaw.over != nil {
		back[2] += c.height
		line(`stub = { type = "rigid-arm", from = "%s", to = "stub", translation = %s }`, from, vector(back))
		line(`camber = { type = "revolute", text = "yields to lateral force", from = "stub", to = "leaning", axis = "x" }`)
		line(`camber_bushing = %s`, c.bushing("camber", c.camberLaw, 1, c.inertia()[0]))
		from, back = "leaning", [3]float64{0, 0, -c.height}
	}
	line(`hub = { type = "rigid-arm", text = "to the wheel centre", from = "%s", to = "upright", translation = %s }`, from,
		vector(back))
	return b.String()
}

// bushing is the spring of a joint. Its axis is longer than 1 by a factor: the angle grows and the moment falls by it.
func (c *Corner) bushing(joint string, l law, factor, inertia float64) string {
	var over, value []float64
	for i := range l.over {
		over, value = append(over, l.over[i]*factor), append(value, l.value[i]/factor)
	}
	scaled := law{over, value}
	return fmt.Sprintf(`{ type = "spring-damper", joint = "%s", damping = %s, spring_force = %s }`, joint,
		number(jointRatio*2*math.Sqrt(scaled.stiffness()*inertia/(factor*factor))), points(over, value))
}

// onCarrier turns a vector into axes of the carrier in the design position: toe-in about -z, then camber about -x.
func (c *Corner) onCarrier(v [3]float64) [3]float64 {
	st, ct := math.Sincos(-c.toe)
	sc, cc := math.Sincos(-c.camber)
	v[0], v[1] = ct*v[0]+st*v[1], -st*v[0]+ct*v[1]
	v[1], v[2] = cc*v[1]+sc*v[2], -sc*v[1]+cc*v[2]
	return v
}

// table is a curve over the travel, or the sum of this curve and one over the steering as a surface.
func (c *Corner) table(travel, steer []float64) string {
	if c.steer.at == nil {
		return points(c.bounce.at, travel)
	}
	var b strings.Builder
	for _, i := range c.travels {
		for _, j := range c.turns {
			fmt.Fprintf(&b, ", [%s, %s, %s]", number(c.bounce.at[i]), number(c.steer.at[j]), number(travel[i]+steer[j]))
		}
	}
	return "[" + b.String()[len(", "):] + "]"
}

func points(x, y []float64) string {
	var list []string
	for i := range x {
		list = append(list, "["+number(x[i])+", "+number(y[i])+"]")
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func vector(v [3]float64) string {
	return "[" + number(v[0]) + ", " + number(v[1]) + ", " + number(v[2]) + "]"
}

// number has nine digits, and no rounding errors about 0.
func number(x float64) string {
	if math.Abs(x) < 1e-12 {
		return "0"
	}
	return strconv.FormatFloat(x, 'g', 9, 64)
}

// leastBar is the least stiffness of an anti-roll bar, as a share of the wheel rate.
const leastBar = 1e-3

// Bar is the anti-roll bar of a use; "" for none.
func (c *Corner) Bar(use string) string {
	if c.bar < leastBar*c.rate {
		return ""
	}
	bends := ""
	for i, f := range c.barLaw.value {
		const least = 5 // N
		if math.Abs(f) > 0.01*math.Abs(c.bar*c.barLaw.over[i])+least {
			bends = ", force = " + points(c.barLaw.over, c.barLaw.value)
			break
		}
	}
	return fmt.Sprintf(`bar_%s = { type = "anti-roll-bar", left = "susp_%[1]sL", right = "susp_%[1]sR", `+
		`stiffness = %[2]s%[3]s }`,
		use, number(c.bar), bends)
}

// Steered says by what the tables are steered: m for a rack, rad for a steering wheel, "" for nothing.
func (c *Corner) Steered() string {
	if c.steer.at == nil {
		return ""
	}
	return c.tests["steer"].unit
}

// axle is a model of the axle.
func (c *Corner) axle() (*vehicle.Model, error) {
	var corner bytes.Buffer
	if err := c.Write(&corner); err != nil {
		return nil, err
	}
	const file, path = "measured corner.toml", "measured axle.toml"
	steering, frames, role := "", "", ""
	if unit := c.Steered(); unit != "" {
		kind, axis := "rotation", "z"
		role = "steering = { input = \"steering.angle\" }\n"
		if unit == "m" {
			kind, axis = "translation", "y"
			role = "steering = { drivers = [\"steering\"], ratio = \"131 rad/m\" }\n"
		}
		steering = fmt.Sprintf("steering = { type = \"motion-driver\", kind = %q, from = \"body\", to = \"column\", axis = "+
			"%q }\n"+
			"column = { type = \"rigid-body\", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }\n", kind, axis)
		frames = `, steer = "steering"`
	}
	text := fmt.Sprintf(`name = "Axle"
gravity = %g
[component]
road = { type = "terrain" }
guide = { type = "prismatic", from = "ground", to = "body", axis = "z", start = { s = 0.5 } }
body = { type = "rigid-body", mass = 700, inertia = { xx = 200, yy = 500, zz = 600 } }
%s
%s
[use.X]
file = %q
at = ["L", "R"]
frames = { chassis = "body", road = "road"%s }
parameters = { centre = -0.2 }
[roles]
chassis = "body"
road = "road"
axles = [["tire_XL", "tire_XR"]]
%s`, gravity, c.Bar("X"), steering, file, frames, role)
	open := vehicle.Opener(path)
	return vehicle.Parse([]byte(text), path, func(kind bounded.Kind, name string) ([]byte, error) {
		if filepath.Base(name) == file {
			return corner.Bytes(), nil
		}
		return open(kind, name)
	})
}
