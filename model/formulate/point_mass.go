package formulate

import (
	"skidpad/model"
	"skidpad/model/expr"
)

type pointMass struct{ *model.PointMass }

// Body is its mass, or masses by direction.
func (c pointMass) Body(b Builder) Body {
	body := Body{Frame: c.Frame, Mass: b.Scalar("mass", "kg", c.Mass)}
	if c.Anisotropic {
		body.Along = &[3]*expr.Expr{}
		for i, axis := range [...]string{"x", "y", "z"} {
			body.Along[i] = b.Scalar("inertial_mass_"+axis, "kg", c.InertialMass[i])
		}
	}
	return body
}

// Couples: the recursion knows one mass of a body.
func (c pointMass) Couples() bool { return c.Anisotropic }

// Observed are place, velocity and acceleration.
func (c pointMass) Observed(b Builder) {
	const ground = model.GroundFrame
	in := b.Axes(ground)
	publishPosition(b, ground, c.Frame, in, "in ground")
	publishVector(b, [3]string{"vx", "vy", "vz"}, "m/s", "velocity in ground", b.Velocity(ground, c.Frame, in))
	publishVector(b, [3]string{"ax", "ay", "az"}, "m/s2", "acceleration in ground", b.Full(ground, c.Frame, in))
}

// IgnoresTurn: it is on the axis.
func (c pointMass) IgnoresTurn(Turn) bool { return true }
