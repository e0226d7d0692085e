package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var rigidArmType = Type{
	Word: "rigid-arm",
	Text: "rigid connection of two frames",
	Keys: []keys.Key{
		fromKey, toKey,
		vector(keys.Polar, "translation", "m", "position of the head frame, in the frame `from`"),
		vector(keys.EulerAngles, "angles", "rad", "angles of the head frame, in the order of the sequence"),
		sequence("321"), reactionsKey,
	},
	Read: readArm,
}

var weldType = Type{
	Word: "weld",
	Text: "two frames that coincide",
	Keys: []keys.Key{fromKey, toKey, reactionsKey},
	Read: readArm,
}

// RigidArm joins two frames rigidly. A weld is a RigidArm with Translation and
// Angles zero (Type "weld").
type RigidArm struct {
	keys.Header
	From, To    string
	Translation keys.Vector // m, in From
	Sequence    string      // of Angles, default "321"
	Angles      keys.Vector // rad
}

func readArm(h keys.Header, f *keys.Fields) Component {
	a := &RigidArm{Header: h, From: f.Text("from"), To: f.Text("to"), Sequence: "321",
		Translation: keys.Vector{keys.Zero(), keys.Zero(), keys.Zero()},
		Angles:      keys.Vector{keys.Zero(), keys.Zero(), keys.Zero()}}
	if h.Type == "rigid-arm" {
		a.Translation, a.Angles, a.Sequence = f.Vector("translation"), f.Vector("angles"), f.Text("sequence")
	}
	return a
}

func (c *RigidArm) Frames() Frames {
	return Frames{Joins: [2]string{c.From, c.To}}
}

// Edges: an arm from A to B.
//
//	T1 A -> B       r = constant in A
//	R1 Ground -> A  observer
//	R2 A -> B       R = constant
func (c *RigidArm) Edges(*Scope) []graph.Edge {
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To, Rigid: true,
			Space: graph.Space{Offset: c.Translation}},
		graph.Observer("R1", c.From),
		{Name: "R2", Domain: graph.Rotation, From: c.From, To: c.To,
			Space: graph.Space{Sequence: c.Sequence, Angles: c.Angles}},
	}
}

// Check has nothing to add to the keys.
func (*RigidArm) Check(*Scope, *keys.Reader) {}

// Law: its edges say everything.
func (*RigidArm) Law(Builder) {}

// Holds: a joint without a freedom.
func (c *RigidArm) Holds() (tail, head string) { return c.From, c.To }

// IgnoresTurn: a chord keeps its head at a place along the tail's axes.
func (c *RigidArm) IgnoresTurn(t Turn) bool { return !t.Tail || t.Branch }
