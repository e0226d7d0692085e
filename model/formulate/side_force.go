package formulate

import "skidpad/model"

type sideForce struct{ *model.SideForce }

// Law is -c v_y at the origin of a frame along its y axis, v_y the inertial velocity of the origin along it
// (linearised-eom specification, 2.3).
func (c sideForce) Law(b Builder) {
	p := b.Pool()
	across := b.Unit(b.Axes(c.Frame), 1)
	slip := p.Dot(across, b.Velocity(model.GroundFrame, c.Frame, across.Frame))
	force := b.Define("side", p.Neg(p.Mul(b.Scalar("coefficient", "N.s/m", c.Coefficient), slip)))
	b.Force(c.Frame, p.ScaleV(force, across))
	b.Publish("force", "N", "force on the frame along its y axis", force)
}

// IgnoresTurn: the force is along y.
func (c sideForce) IgnoresTurn(t Turn) bool { return t.Axis == 1 }
