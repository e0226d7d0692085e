package formulate

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/program"
)

// brakedTire is the tire of a wheel with a brake.
type brakedTire struct {
	component.Slipping
	call int // of its force function
}

// brakedTires are the tires whose brakes can hold the vehicle.
func (f *Formulation) brakedTires() (list []brakedTire) {
	for _, c := range component.All[component.Slipping](f.scope) {
		class := f.classOf[f.node(c.Wheel().Frame)]
		call := slices.IndexFunc(f.Calls, func(x Call) bool { return x.Name == c.Head().Name+".force" })
		braked := slices.ContainsFunc(f.brakes, func(x brake) bool { return f.classOf[f.node(x.on.To)] == class })
		if call >= 0 && braked {
			list = append(list, brakedTire{c, call})
		}
	}
	return list
}

// slipRates are (dS/dV)/m of each braked tire, for the mass m of the model.
func (f *Formulation) slipRates() *program.SourceSide {
	p, s, mass := f.Pool, &program.SourceSide{}, f.mass()
	for _, t := range f.brakedTires() {
		s.Values = append(s.Values, p.Div(t.SlipPerSpeed(f.builder(t)), mass))
	}
	return s
}

// mass returns the mass of all bodies.
func (f *Formulation) mass() *expr.Expr {
	mass := f.Pool.Int(0)
	for _, b := range f.allBodies() {
		mass = f.Pool.Add(mass, b.mass)
	}
	return mass
}

// share is the weight of the model by the number of its tires.
func (f *Formulation) share() *expr.Expr {
	p, gravity := f.Pool, f.gravity()
	tires := int64(len(component.All[component.Slipping](f.scope)))
	return p.Scale(expr.Fraction(1, tires), p.Mul(f.mass(), p.Call(expr.Sqrt, p.Dot(gravity, gravity))))
}
