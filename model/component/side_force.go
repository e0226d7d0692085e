package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var sideForceType = Type{
	Word: "side-force",
	Text: "tire as a damper: a force against the lateral velocity of a frame",
	Keys: []keys.Key{
		frame("frame", "frame at whose origin it acts, along its y axis"),
		nonnegative("coefficient", "N.s/m", "", "force per velocity: the cornering stiffness divided by the speed"),
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &SideForce{h, f.Text("frame"), f.Scalar("coefficient")}
	},
}

// SideForce is a tire as a damper. At the origin of a frame acts, along its y axis, the force -Coefficient v_y; v_y is
// the inertial velocity of the origin along that axis.
type SideForce struct {
	keys.Header
	Frame       string
	Coefficient keys.Scalar // N s/m
}

func (c *SideForce) Frames() Frames {
	return Frames{Uses: []string{c.Frame}, Axes: []string{c.Frame}}
}

func (c *SideForce) Edges(*Scope) []graph.Edge {
	return law("T1", graph.Translation, graph.GroundFrame, c.Frame)
}

// Check has nothing to add to the keys.
func (*SideForce) Check(*Scope, *keys.Reader) {}

// Law is -c v_y at the origin of a frame along its y axis, v_y the inertial velocity of the origin along it
// (linearised-eom specification, 2.3).
func (c *SideForce) Law(b Builder) {
	p := b.Pool()
	across := b.Unit(b.Axes(c.Frame), 1)
	slip := p.Dot(across, b.Velocity(graph.GroundFrame, c.Frame, across.Frame))
	force := b.Define("side", p.Neg(p.Mul(b.Scalar("coefficient", "N.s/m", c.Coefficient), slip)))
	b.Force(c.Frame, p.ScaleV(force, across))
	b.Publish("force", "N", "force on the frame along its y axis", force)
}

// IgnoresTurn: the force is along y.
func (c *SideForce) IgnoresTurn(t Turn) bool { return t.Axis == 1 }

// Energy is the power dissipated by the damper.
func (c *SideForce) Energy(b Builder) Energy {
	p, across := b.Pool(), b.Unit(b.Axes(c.Frame), 1)
	slip := p.Dot(across, b.Velocity(graph.GroundFrame, c.Frame, across.Frame))
	return Energy{Dissipated: p.Mul(b.Scalar("coefficient", "N.s/m", c.Coefficient), p.Pow(slip, 2))}
}
