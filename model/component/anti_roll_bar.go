package component

import (
	"skidpad/model/curve"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var antiRollBarType = Type{
	Word:   "anti-roll-bar",
	Text:   "spring between the coordinates of two joints",
	Middle: true,
	Keys: []keys.Key{
		{Name: "left", Shape: keys.TextShape, Names: keys.Components,
			Text: "joint: prismatic, revolute or suspension, or a rocker"},
		{Name: "right", Shape: keys.TextShape, Names: keys.Components, Text: "another joint of the same type"},
		onRevolute(nonnegative("stiffness", "N/m", "0",
			"force per difference of the coordinates; N.m/rad between revolute joints"), "N.m/rad"),
		onRevolute(nonnegative("damping", "N.s/m", "0",
			"force per difference of the rates of the coordinates; N.m.s/rad between revolute joints"), "N.m.s/rad"),
		monotoneOnRevolute("force", "m, N", "rad, N.m",
			"added to the stiffness force, over the difference of the coordinates; [rad, N.m] between revolute joints"),
		heatKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		f.Turning = f.Reader.Turns(f.Text("left"))
		b := &AntiRollBar{h, f.Text("left"), f.Text("right"), f.Scalar("stiffness"), f.Scalar("damping"),
			f.Curve("force")}
		if !f.Given("stiffness") && !f.Given("damping") && !f.Given("force") {
			f.FaultOfTable("anti-roll-bar %s has no law; give it at least one of stiffness, damping, force", h.Name)
		}
		return b
	},
}

// AntiRollBar couples the coordinates of two joints. With the difference d = Left - Right, the force Stiffness d +
// Damping d' + Force(d) acts against the coordinate of Left and along the coordinate of Right.
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

// Check: it compares the coordinates of two joints of one type.
func (c *AntiRollBar) Check(s *Scope, r *keys.Reader) {
	left, right := checkJoint(s, r, c.Head(), "left", c.Left), checkJoint(s, r, c.Head(), "right", c.Right)
	if !left || !right {
		return
	}
	at, types := r.Naming(c.Head(), c.Right, "right"), [2]string{s.Find(c.Left).Head().Type,
		s.Find(c.Right).Head().Type}
	switch {
	case c.Left == c.Right:
		r.Place(at, "anti-roll-bar %s has the joint %q on both sides; name another one", c.Name, c.Right)
	case types[0] != types[1]:
		r.Place(at, "anti-roll-bar %s compares %s, a %s, with %s, a %s; both must be of one type",
			c.Name, c.Left, types[0], c.Right, types[1])
	}
}

// Law is k d + c d' plus a curve over d, with the difference d of the coordinates. It acts against the coordinate of
// the left joint and along the coordinate of the right joint.
func (c *AntiRollBar) Law(b Builder) {
	p := b.Pool()
	left, right := coordinateOf(b, c.Left), coordinateOf(b, c.Right)
	if left.Value == nil || right.Value == nil {
		return
	}
	u := unitsOf(left.Domain)
	difference := b.Define("difference", p.Sub(left.Value, right.Value))
	force := p.Add(
		p.Mul(b.Scalar("stiffness", u.stiffness, c.Stiffness), difference),
		p.Mul(b.Scalar("damping", u.damping, c.Damping), p.Sub(left.Rate, right.Rate)))
	if c.Force != nil {
		force = p.Add(force, b.Curve("bar_"+c.Name, c.Force, difference).Value)
	}
	force = b.Define("force", force)
	b.Apply(left, p.Neg(force))
	b.Apply(right, force)

	if left.Domain == graph.Translation {
		b.Publish("force", "N", "force against the coordinate of "+c.Left+" and along that of "+c.Right, force)
	} else {
		b.Publish("torque", "N.m", "torque against the angle of "+c.Left+" and along that of "+c.Right, force)
	}
}

// IgnoresTurn: it acts about the axes of joints.
func (c *AntiRollBar) IgnoresTurn(Turn) bool { return true }

// Energy: the bar stores energy over the difference of both coordinates; its damping dissipates power.
func (c *AntiRollBar) Energy(b Builder) Energy {
	p := b.Pool()
	left, right := coordinateOf(b, c.Left), coordinateOf(b, c.Right)
	u := unitsOf(left.Domain)
	difference := b.Define("difference", p.Sub(left.Value, right.Value))
	stored := springEnergy(b, b.Scalar("stiffness", u.stiffness, c.Stiffness), difference)
	if c.Force != nil {
		stored = p.Add(stored, b.CurveIntegral("bar_"+c.Name, c.Force, difference))
	}
	lost := p.Mul(b.Scalar("damping", u.damping, c.Damping), p.Pow(p.Sub(left.Rate, right.Rate), 2))
	return Energy{Potential: stored, Dissipated: lost}
}
