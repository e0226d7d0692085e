package component

import (
	"skidpad/model/curve"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var antiRollBarType = Type{
	Word: "anti-roll-bar",
	Text: "spring between the motions of two joints",
	Keys: []keys.Key{
		{Name: "left", Shape: keys.TextShape, Text: "joint: prismatic, revolute or suspension"},
		{Name: "right", Shape: keys.TextShape, Text: "another joint of the same type"},
		onRevolute(nonnegative("stiffness", "N/m", "0", "force for a difference of the coordinates; N.m/rad between revolute joints"), "N.m/rad"),
		onRevolute(nonnegative("damping", "N.s/m", "0", "force for a difference of their rates; N.m.s/rad between revolute joints"), "N.m.s/rad"),
		monotone("force", "m, N", "added to that of the stiffness, over the difference; [rad, N.m] between revolute joints"),
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		f.Turning = f.Reader.TypeOf(f.Text("left")) == "revolute"
		b := &AntiRollBar{h, f.Text("left"), f.Text("right"), f.Scalar("stiffness"), f.Scalar("damping"), f.Curve("force")}
		if !f.Given("stiffness") && !f.Given("damping") && !f.Given("force") {
			f.FaultOfTable("anti-roll-bar %s has no law; give it at least one of stiffness, damping, force", h.Name)
		}
		return b
	},
}

// AntiRollBar couples the coordinates of two joints: with the difference d, that of Left less that of
// Right, the force against the coordinate of Left, and along that of Right, is
// Stiffness d + Damping d' + Force(d).
type AntiRollBar struct {
	keys.Header
	Left, Right        string       // names of the joint components
	Stiffness, Damping keys.Scalar  // N/m, N s/m (N m/rad, N m s/rad on revolute joints)
	Force              *curve.Curve // N over m (N m over rad), nil for none
}

func (*AntiRollBar) Frames() Frames { return Frames{} }

// Edges: an explicit law on the coordinates of two joints, whose frames it shares.
//
//	T1 A -> B, T2 C -> D  of the left and the right joint
//	R1, R2                the same of revolute joints
func (c *AntiRollBar) Edges(s *Scope) []graph.Edge {
	return []graph.Edge{lawOn(s, c.Left, "1"), lawOn(s, c.Right, "2")}
}
