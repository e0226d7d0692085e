package formulate

import (
	"slices"

	"skidpad/model/expr"
	"skidpad/model/vehicle"
)

// Matrices holds the parts of the equations of motion (Morency 2007, (2.35) to (2.38)), with speeds p, coordinates q
// and reactions f:
//
//	M p' + C^T f = b,  C p' - S f = e,  Phi = 0,  Phi' = 0,  q' = h
type Matrices struct {
	M      [][]*expr.Expr // symmetric; rows and columns are speeds
	C      [][]*expr.Expr // rows are constraints
	B      []*expr.Expr   // b
	E      []*expr.Expr   // minus the terms of Phi'' without p', minus 2 alpha Phi' + beta^2 Phi (Baumgarte)
	Slack  []*expr.Expr   // the diagonal of S: 0 for an active constraint, 1 for an inactive one
	Phi    []*expr.Expr   // 0 for a constraint on speeds alone
	PhiDot []*expr.Expr
	H      []*expr.Expr
}

// Matrices returns the parts of the equations of motion; the formulation must have been made with the option Mass.
func (f *Formulation) Matrices() *Matrices {
	p, m := f.Pool, &Matrices{M: f.Mass, B: f.Load}
	damping, stiffness := p.Int(0), p.Int(0)
	if len(f.Constraints) > 0 {
		damping, stiffness = f.baumgarte()
	}
	for i := range f.Constraints {
		c := &f.Constraints[i]
		right := p.Add(c.own, p.Mul(damping, c.Velocity))
		if i < f.enforced {
			right = p.Add(right, p.Mul(stiffness, c.Position))
		}
		m.C = append(m.C, c.Row)
		m.E = append(m.E, p.Neg(right))
		m.Slack = append(m.Slack, f.slack(c))
		m.Phi = append(m.Phi, c.Position)
		m.PhiDot = append(m.PhiDot, c.Velocity)
	}
	for i := range f.Coordinates {
		m.H = append(m.H, f.Coordinates[i].Rate)
	}
	return m
}

// Weighted reports whether constraints have weights or may be redundant (Udwadia and Kalaba). Then M, C, b and e alone
// do not determine the accelerations.
func (f *Formulation) Weighted() bool {
	return f.tree.Formulation == vehicle.UdwadiaKalaba && len(f.Constraints) > 0
}

// all lists the expressions of a formulation.
func (f *Formulation) all() []*expr.Expr {
	var list []*expr.Expr
	if f.Mass != nil {
		list = slices.Concat(f.Mass...)
	}
	list = append(list, f.Load...)
	for i := range f.Constraints {
		c := &f.Constraints[i]
		list = append(append(list, c.Row...), c.Bias, c.Stabilising, c.Position, c.Velocity, c.own)
	}
	for _, s := range f.States() {
		list = append(list, s.Rate)
	}
	for i := range f.Calls {
		list = append(list, f.Calls[i].Arguments...)
	}
	for i := range f.Outputs {
		list = append(list, f.Outputs[i].Value)
	}
	return list
}

// allSymbols lists the symbols of a formulation.
func (f *Formulation) allSymbols() []*expr.Expr {
	var list []*expr.Expr
	for i := range f.Parameters {
		list = append(list, f.Parameters[i].Symbol)
	}
	for _, s := range f.States() {
		list = append(list, s.Symbol)
	}
	for _, in := range slices.Concat(f.Inputs, f.Controls) {
		list = append(list, in.Symbol)
	}
	for i := range f.Calls {
		list = append(list, f.Calls[i].Returned...)
		if load := f.Calls[i].Load; load != nil {
			list = append(list, load)
		}
	}
	return list
}
