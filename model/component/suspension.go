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
		smooth("x", "m, m", "displacement forward, over the travel; default: none"),
		smooth("y", "m, m", "displacement outward; default: none"),
		smooth("z", "m, m", "displacement upward; default: the travel itself"),
		smooth("toe", "m, rad", "toe-in; default: none"),
		smooth("camber", "m, rad", "camber, positive with the top outward; default: none"),
		smooth("castor", "m, rad", "castor, positive with the top rearward; default: none"),
		{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial motion", Keys: []keys.Key{
			scalar("travel", "m", "0", "travel, upward"), scalar("travel_dot", "m/s", "0", "rate"),
		}},
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		s := f.Sub("start")
		return &Suspension{
			h, f.Text("from"), f.Text("to"), f.Text("side") == "right", f.Curve("x"), f.Curve("y"), f.Curve("z"),
			f.Curve("toe"), f.Curve("camber"), f.Curve("castor"), s.Scalar("travel"), s.Scalar("travel_dot"),
		}
	},
}

// Suspension guides To along and about curves over the wheel travel, in axes of From: x forward, y
// outward, z up [m]; toe-in, camber with the top outward, castor with the top rearward [rad] (ISO
// 8855). A curve that is nil is 0, but Z, which is the travel itself.
type Suspension struct {
	keys.Header
	From, To            string
	Right               bool         // outward is to the right, not to the left
	X, Y, Z             *curve.Curve // m over m
	Toe, Camber, Castor *curve.Curve // rad over m
	Travel, TravelDot   keys.Scalar  // start values, m, m/s
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
// Outward is to the left on the left side. Toe-in, camber with the top outward and castor with the
// top rearward are positive (ISO 8855), so that they turn about -z, -x and -y on the left side, about
// z, x and -y on the right.
func (c *Suspension) Edges(s *Scope) []graph.Edge {
	guide := &graph.Guide{
		Coordinate: graph.Coordinate{Name: c.Name + ".travel", Unit: "m", Start: c.Travel},
		Speed:      graph.Coordinate{Name: c.Name + ".travel_dot", Unit: "m/s", Start: c.TravelDot},
		Displacement: [3]graph.Course{
			{Curve: c.X}, {Curve: c.Y, Negative: c.Right}, {Curve: c.Z, Own: c.Z == nil},
		},
		Turns: [3]graph.Course{
			{Curve: c.Toe, Negative: !c.Right}, {Curve: c.Camber, Negative: !c.Right},
			{Curve: c.Castor, Negative: true},
		},
	}
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To, Space: graph.Space{Guide: guide}},
		graph.Observer("R1", c.From),
		{Name: "R2", Domain: graph.Rotation, From: c.From, To: c.To, Space: graph.Space{Guide: guide}},
	}
}

// Check has nothing to add to the keys.
func (*Suspension) Check(*Scope, *keys.Reader) {}

// Law: its edges say everything.
func (*Suspension) Law(Builder) {}

// Side is that of the outward direction.
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

// SuspensionCourse is what a suspension does over its travel.
type SuspensionCourse struct {
	Key, Unit, Text string
	Curve           *curve.Curve // nil for none
}

// Courses are the displacements and turns, in the order of their keys.
func (c *Suspension) Courses() []SuspensionCourse {
	return []SuspensionCourse{
		{"x", "m", "displacement forward", c.X},
		{"y", "m", "displacement outward", c.Y},
		{"z", "m", "displacement upward", c.Z},
		{"toe", "rad", "toe-in", c.Toe},
		{"camber", "rad", "camber, positive with the top outward", c.Camber},
		{"castor", "rad", "castor, positive with the top rearward", c.Castor},
	}
}

// Observed are the values of the curves that it has.
func (c *Suspension) Observed(b Builder) {
	q := b.Pool().Sym(c.Name+".travel", expr.State)
	for _, o := range c.Courses() {
		if o.Curve != nil {
			b.Publish(o.Key, o.Unit, o.Text, b.Curve(c.Name+"."+o.Key, o.Curve, q).Value)
		}
	}
}
