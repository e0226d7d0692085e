package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var motionDriverType = Type{
	Word: "motion-driver",
	Text: "motion about or along one axis, prescribed by inputs",
	Keys: []keys.Key{
		fromKey, toKey, rotationAxisKey, mirrorKey,
		{Name: "kind", Shape: keys.WordShape, Default: "rotation", Choices: []string{"rotation", "translation"},
			Text: "rotation: the inputs are angle, rate, acceleration; translation: the inputs are position, rate, " +
				"acceleration"},
		reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &MotionDriver{h, f.Text("from"), f.Text("to"), f.Axis("axis"), f.Text("kind") == "translation"}
	},
}

// MotionDriver prescribes rotation about, or translation along, Axis (in From)
// by the inputs <name>.angle, .rate, .acceleration (rotation, rad) or
// <name>.position, .rate, .acceleration (translation, m).
type MotionDriver struct {
	keys.Header
	From, To    string
	Axis        [3]float64
	Translation bool
}

func (c *MotionDriver) Frames() Frames {
	return Frames{Joins: [2]string{c.From, c.To}}
}

// Edges: a motion along or about u given by inputs.
//
//	T1 A -> B       r = f u, or 0 when the driver turns
//	R1 Ground -> A  observer
//	R2 A -> B       theta = g u, or R = 1 when the driver translates
//
// Of the drivers that one free steering wheel turns the first one has the freedom of the steering wheel.
func (c *MotionDriver) Edges(s *Scope) []graph.Edge {
	domain := graph.Rotation
	if c.Translation {
		domain = graph.Translation
	}
	motion := givenMotion(c.Name, domain, c.Axis)
	motion.Lead = s.leads[c.Name]
	edges := []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To},
		graph.Observer("R1", c.From),
		{Name: "R2", Domain: graph.Rotation, From: c.From, To: c.To},
	}
	if c.Translation {
		edges[0].Space.Motion = motion
	} else {
		edges[2].Space.Motion = motion
	}
	return edges
}

// Check has nothing to add to the keys.
func (*MotionDriver) Check(*Scope, *keys.Reader) {}

// Terminal returns the driver's terminal.
func (*MotionDriver) Terminal() Terminal { return Terminal{} }

// Holds: its reaction includes the load that moves the head.
func (c *MotionDriver) Holds() (tail, head string) { return c.From, c.To }

// Receives: a steering may turn it.
func (c *MotionDriver) Receives(p Part) bool {
	return p == Turned && !c.Translation || p == Shifted && c.Translation
}

// Followed: suspensions can follow it, unless a steering turns it, which they can follow then.
func (c *MotionDriver) Followed(s *Scope) (can, travel bool) {
	_, led := SteeredBy(s, c.Name)
	return !led, false
}

// Law: its edges say everything.
func (*MotionDriver) Law(Builder) {}
