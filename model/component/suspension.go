package component

import (
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var suspensionType = Type{
	Word: "suspension",
	Text: "joint that guides a wheel carrier along and about curves over its travel",
	Keys: []keys.Key{
		fromKey, toKey,
		{Name: "side", Shape: keys.WordShape, Default: "left", Choices: []string{"left", "right"},
			Mirror: keys.Side,
			Text:   "side of the vehicle, which defines the outward direction"},
		overSecond("x", "m, m", "displacement forward, over the travel; default: none"),
		overSecond("y", "m, m", "displacement outward; default: none"),
		overSecond("z", "m, m", "displacement upward; default: the travel itself"),
		overSecond("toe", "m, rad", "toe-in; default: none"),
		overSecond("camber", "m, rad", "camber, positive with the top outward; default: none"),
		overSecond("castor", "m, rad", "castor, positive with the top rearward; default: none"),
		{Name: "steer", Shape: keys.TextShape, Optional: true, Names: keys.Components,
			Text: "second variable of surfaces: position of a prismatic joint [m], or angle of a revolute joint, a motion " +
				"driver or a steering [rad]"},
		{Name: "other", Shape: keys.TextShape, Optional: true, Names: keys.Components,
			Text: "second variable of surfaces, instead of `steer`: travel of another suspension [m]"},
		{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial motion", Keys: []keys.Key{
			scalar("travel", "m", "0", "travel, upward"), scalar("travel_dot", "m/s", "0", "rate"), keepKey,
		}},
		reactionsKey,
	},
	Read: readSuspension,
}

// overSecond is a curve of kinematics that can be a surface over the travel and a second variable.
func overSecond(name, units, text string) keys.Key {
	return asymmetric(keys.OverSteering, orSurface(smooth(name, units, text), "m", "rad"))
}

func readSuspension(h keys.Header, f *keys.Fields) Component {
	s := f.Sub("start")
	h.Kept = s.Truth(keepKey.Name)
	c := &Suspension{Header: h, From: f.Text("from"), To: f.Text("to"), Right: f.Text("side") == "right",
		Second: f.Text("other"), Travel: s.Scalar("travel"), TravelDot: s.Scalar("travel_dot")}
	if f.Given("steer") {
		c.Second, c.Steered = f.Text("steer"), true
	}
	_, f.Turning = f.Reader.Second(h.Name)
	c.SecondPos = f.Position("other")
	if c.Steered {
		c.SecondPos = f.Position("steer")
	}
	c.X, c.Surfaces[0] = f.CurveOrSurface("x")
	c.Y, c.Surfaces[1] = f.CurveOrSurface("y")
	c.Z, c.Surfaces[2] = f.CurveOrSurface("z")
	c.Toe, c.Surfaces[3] = f.CurveOrSurface("toe")
	c.Camber, c.Surfaces[4] = f.CurveOrSurface("camber")
	c.Castor, c.Surfaces[5] = f.CurveOrSurface("castor")
	surfaces, readable := c.Surfaces != [6]*curve.Surface{}, true
	for _, x := range c.Courses() {
		readable = readable && (x.Curve != nil || x.Surface != nil || !f.Given(x.Key))
	}
	switch {
	case f.Given("steer") && f.Given("other"):
		f.Fault("other", "%s has both steer and other; surfaces go over one of them", h.Name)
	case surfaces && c.Second == "":
		f.FaultOfTable("%s has surfaces, which need a second variable: steer, a joint or a steering, or other, a "+
			"suspension", h.Name)
	case c.Second != "" && !surfaces && readable:
		f.FaultAt(c.SecondPos, "%s follows %s, and none of its curves is a surface; give points [x, y, z], or two "+
			"columns in over", h.Name, c.Second)
	}
	return c
}

// Suspension guides To along and about curves over the wheel travel, in axes of From: x forward, y outward, z up [m].
// The angles are toe-in, camber with the top outward, and castor with the top rearward [rad] (ISO 8855). A nil curve is
// 0, except that a nil Z is the travel itself. A surface in place of a curve has two arguments, the travel and the
// motion of Second.
type Suspension struct {
	keys.Header
	From, To            string
	Right               bool         // outward is to the right, not to the left
	X, Y, Z             *curve.Curve // m over m
	Toe, Camber, Castor *curve.Curve // rad over m
	// Surfaces are in the place of X, Y, Z, Toe, Camber and Castor, over m and m or rad.
	Surfaces          [6]*curve.Surface
	Second            string // component, "" for none
	Steered           bool   // Second is a joint or a steering, not a suspension
	SecondPos         keys.Position
	Travel, TravelDot keys.Scalar // start values, m, m/s
}

func (c *Suspension) Frames() Frames {
	return Frames{Joins: [2]string{c.From, c.To}}
}

// Edges: place and axes of the head B are curves over the travel q.
//
//	T1 A -> B       r = r(q), with the coordinate q
//	R1 Ground -> A  observer
//	R2 A -> B       R = R(q): about z, then the new x, then the new y; it follows the coordinate of T1
//
// Outward is to the left on the left side. Toe-in, camber with the top outward and castor with the top rearward are
// positive (ISO 8855). Thus they turn about -z, -x and -y on the left side, and about z, x and -y on the right.
func (c *Suspension) Edges(s *Scope) []graph.Edge {
	guide := &graph.Guide{
		Coordinate: graph.Coordinate{Name: c.Name + ".travel", Unit: "m", Start: c.Travel},
		Speed:      graph.Coordinate{Name: c.Name + ".travel_dot", Unit: "m/s", Start: c.TravelDot},
		Second:     c.Second,
		Displacement: [3]graph.Course{
			{Curve: c.X, Surface: c.Surfaces[0]}, {Curve: c.Y, Surface: c.Surfaces[1], Negative: c.Right},
			{Curve: c.Z, Surface: c.Surfaces[2], Own: c.Z == nil && c.Surfaces[2] == nil},
		},
		Turns: [3]graph.Course{
			{Curve: c.Toe, Surface: c.Surfaces[3], Negative: !c.Right},
			{Curve: c.Camber, Surface: c.Surfaces[4], Negative: !c.Right},
			{Curve: c.Castor, Surface: c.Surfaces[5], Negative: true},
		},
	}
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To, Space: graph.Space{Guide: guide}},
		graph.Observer("R1", c.From),
		{Name: "R2", Domain: graph.Rotation, From: c.From, To: c.To, Space: graph.Space{Guide: guide}},
	}
}

// Check makes sure of the second variable.
func (c *Suspension) Check(s *Scope, r *keys.Reader) {
	if c.Second == "" {
		return
	}
	other := s.Find(c.Second)
	followed, can := As[Followed](other)
	var travel bool
	if can {
		can, travel = followed.Followed(s)
	}
	switch {
	case other == nil:
		r.Place(c.SecondPos, "%s follows %q, which no component is called%s", c.Name, c.Second, s.Nearest(c.Second))
	case !c.Steered && (!travel || c.Second == c.Name):
		r.Place(c.SecondPos, "%s.other is %q; it must be another suspension", c.Name, c.Second)
	case c.Steered && (!can || travel):
		r.Place(c.SecondPos, "%s.steer is %q, which is a %s; it must be a prismatic or revolute joint, a steering, or a "+
			"motion-driver that no steering turns", c.Name, c.Second, other.Head().Type)
	}
}

// Followed: its travel can be followed.
func (*Suspension) Followed(*Scope) (can, travel bool) { return true, true }

// Couples: a suspension with a second variable couples its own bodies with the bodies of that variable.
func (c *Suspension) Couples() bool { return c.Second != "" }

// Law: its edges say everything.
func (*Suspension) Law(Builder) {}

// Holds names the ends of the suspension. The force of a spring on its travel is part of its reaction.
func (c *Suspension) Holds() (tail, head string) { return c.From, c.To }

// Side returns the side of the outward direction.
func (c *Suspension) Side() (frame, side string) {
	if c.Right {
		return c.From, "right"
	}
	return c.From, "left"
}

// Moves is the coordinate of the joint.
func (c *Suspension) Moves() Movement {
	return Movement{Domain: graph.Translation, From: c.From, To: c.To}
}

// Coordinate is the travel.
func (c *Suspension) Coordinate(b Builder) Coordinate {
	x := b.Freedom("travel", "travel_dot")
	x.Domain, x.From, x.To = graph.Translation, c.From, c.To
	return x
}

// Following is the motion of the second variable.
func (*Suspension) Following(b Builder) Motion { return b.SecondMotion() }

// SuspensionCourse is a curve or surface of a suspension over its travel and, for a surface, a second variable.
type SuspensionCourse struct {
	Key, Unit, Text string
	Curve           *curve.Curve   // nil for none
	Surface         *curve.Surface // in its place
}

// Courses are the displacements and turns, in the order of their keys.
func (c *Suspension) Courses() []SuspensionCourse {
	return []SuspensionCourse{
		{"x", "m", "displacement forward", c.X, c.Surfaces[0]},
		{"y", "m", "displacement outward", c.Y, c.Surfaces[1]},
		{"z", "m", "displacement upward", c.Z, c.Surfaces[2]},
		{"toe", "rad", "toe-in", c.Toe, c.Surfaces[3]},
		{"camber", "rad", "camber, positive with the top outward", c.Camber, c.Surfaces[4]},
		{"castor", "rad", "castor, positive with the top rearward", c.Castor, c.Surfaces[5]},
	}
}

// Observed are the values of the curves and surfaces that it has.
func (c *Suspension) Observed(b Builder) {
	q := b.Pool().Sym(c.Name+".travel", expr.State)
	for _, o := range c.Courses() {
		switch name := c.Name + "." + o.Key; {
		case o.Curve != nil:
			b.Publish(o.Key, o.Unit, o.Text, b.Curve(name, o.Curve, q).Value)
		case o.Surface != nil:
			b.Publish(o.Key, o.Unit, o.Text, b.Surface(name, o.Surface, q, c.Following(b).Position))
		}
	}
}
