package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// Energetic is a component that stores, dissipates or supplies energy. The energy of masses and their weight follows
// from Heavy, the power of a prescribed motion from the motion. Each law counts its energy from its definition, not
// from the power of its forces on the vehicle. Thus a law with wrong forces shows in the balance.
type Energetic interface {
	Component
	Energy(b Builder) Energy
}

// Energy is the contribution of a component to the ledger; nil means none.
type Energy struct {
	Kinetic, Potential    *expr.Expr // J
	Electrical, Hydraulic *expr.Expr // J, stored
	Supplied, Dissipated  *expr.Expr // W
}

// springEnergy is the energy of a linear spring.
func springEnergy(b Builder, stiffness, deflection *expr.Expr) *expr.Expr {
	p := b.Pool()
	return p.Scale(expr.Fraction(1, 2), p.Mul(stiffness, p.Pow(deflection, 2)))
}

// power returns the power of a load along a motion, for a load applied by Apply.
func power(b Builder, x Coordinate, load *expr.Expr) *expr.Expr {
	p := b.Pool()
	switch {
	case x.Speed >= 0:
		return p.Mul(load, x.Rate)
	case x.Domain == graph.Translation:
		return p.Mul(load, p.Dot(x.Axis, b.Velocity(x.From, x.To, x.Axis.Frame)))
	}
	return p.Mul(load, p.Dot(x.Axis, b.AngularVelocity(x.From, x.To, x.Axis.Frame)))
}

// keepVector keeps a vector for a later answer, keptVector finds it again.
func keepVector(b Builder, key string, v expr.Vector) {
	for i, e := range v.X {
		b.Keep(key+"xyz"[i:i+1], e)
	}
}

func keptVector(b Builder, key string, in expr.Frame) expr.Vector {
	v := expr.Vector{Frame: in}
	for i := range v.X {
		v.X[i] = b.Kept(key + "xyz"[i:i+1])
	}
	return v
}
