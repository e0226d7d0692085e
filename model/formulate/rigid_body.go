package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
)

type rigidBody struct{ *model.RigidBody }

// Law is the moment of the damping against the angular velocity.
func (c rigidBody) Law(b Builder) {
	if damping := b.Scalar("angular_damping", "N.m.s/rad", c.Damping); !damping.IsZero() {
		p := b.Pool()
		b.Moment(c.Frame, p.NegV(p.ScaleV(damping, b.AngularVelocity(model.GroundFrame, c.Frame, b.Axes(c.Frame)))))
	}
}

// Body is its inertia.
func (c rigidBody) Body(b Builder) Body { return rigid(b, c.Frame, c.Mass, c.Inertia) }

// Observed are place, angles, velocities and acceleration.
func (c rigidBody) Observed(b Builder) {
	const ground = model.GroundFrame
	own := b.OwnAxes(c.Frame)
	publishPosition(b, ground, c.Frame, b.Axes(ground), "of the centre of mass in ground")
	publishAngles(b, ground, c.Frame)
	publishVector(b, [3]string{"vx", "vy", "vz"}, "m/s", "velocity of the centre of mass, body frame",
		b.Velocity(ground, c.Frame, own))
	w := b.Resolve(b.AngularVelocity(ground, c.Frame, b.Axes(c.Frame)), own)
	publishVector(b, [3]string{"wx", "wy", "wz"}, "rad/s", "angular velocity, body frame", w)
	publishVector(b, [3]string{"ax", "ay", "az"}, "m/s2", "inertial acceleration of the centre of mass, body frame",
		b.Full(ground, c.Frame, own))
}

// IgnoresTurn: it is symmetric about the axis, and no speeds are components in its axes.
func (c rigidBody) IgnoresTurn(t Turn) bool {
	return c.Inertia.Axisymmetric && c.Inertia.Axis == t.Axis && !t.Branch
}

// Body is the inertia of a component.
type Body struct {
	Frame string
	Mass  *expr.Expr
	Along *[3]*expr.Expr // the mass that resists acceleration along the axes of ground, nil where it is Mass
	// Inertia is in the axes in which vectors of the frame are resolved: a body of revolution on its axle does not spin
	// there. nil for a point mass.
	Inertia *[3][3]*expr.Expr
}

// rigid is a body with mass and inertia about its centre.
func rigid(b Builder, frame string, mass model.Scalar, j model.Inertia) Body {
	body := Body{Frame: frame, Mass: b.Scalar("mass", "kg", mass)}
	const unit = "kg.m2"
	var m [3][3]*expr.Expr
	if j.Axisymmetric {
		axial, transverse := b.Scalar("inertia_axial", unit, j.Axial), b.Scalar("inertia_transverse", unit, j.Transverse)
		for a := range m {
			for k := range m[a] {
				m[a][k] = b.Pool().Int(0)
			}
			m[a][a] = transverse
		}
		m[j.Axis][j.Axis] = axial
	} else {
		xy, xz, yz := b.Scalar("inertia_xy", unit, j.XY), b.Scalar("inertia_xz", unit, j.XZ), b.Scalar("inertia_yz", unit, j.YZ)
		m = [3][3]*expr.Expr{
			{b.Scalar("inertia_xx", unit, j.XX), xy, xz},
			{xy, b.Scalar("inertia_yy", unit, j.YY), yz},
			{xz, yz, b.Scalar("inertia_zz", unit, j.ZZ)},
		}
	}
	body.Inertia = &m
	return body
}
