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

// brakedTires are those that can be asked to hold the vehicle.
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

// slipRates are (dS/dV)/m of each braked tire, for the mass m of the model, then the weight of the model by the number
// of its tires.
func (f *Formulation) slipRates() *program.SourceSide {
	p, s := f.Pool, &program.SourceSide{}
	mass, gravity := p.Int(0), f.gravity()
	for _, b := range f.allBodies() {
		mass = p.Add(mass, b.mass)
	}
	for _, t := range f.brakedTires() {
		s.Values = append(s.Values, p.Div(t.SlipPerSpeed(f.builder(t)), mass))
	}
	weight := p.Mul(mass, p.Call(expr.Sqrt, p.Dot(gravity, gravity)))
	tires := int64(len(component.All[component.Slipping](f.scope)))
	s.Values = append(s.Values, p.Scale(expr.Fraction(1, tires), weight))
	return s
}
