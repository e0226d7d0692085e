package formulate

import (
	"skidpad/model"
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// checkGuides refuses trees in which a guide, or what a hand wheel leads, has no coordinate.
func (f *Formulation) checkGuides() {
	for i := range f.Forest.Graph.Edges {
		if e := &f.Forest.Graph.Edges[i]; isCoordinateDriven(e) && !f.isBranch(i) {
			h := e.Owner
			f.reject(h.Pos, "%s %s: its edge %s is not a branch of the tree %q, and what moves it needs the coordinate of a branch; do not forbid it, and prefer no edge that closes a loop with it", h.Type, h.Name, e.Name, f.tree.Name)
		}
	}
}

// suspensionOutputs are the values of the curves that a suspension has.
func (f *Formulation) suspensionOutputs(c *model.Suspension) []Output {
	q := f.Pool.Sym(c.Name+".travel", expr.State)
	var list []Output
	for _, o := range []struct {
		name, unit, text string
		curve            *curve.Curve
	}{
		{"x", "m", "displacement forward", c.X}, {"y", "m", "displacement outward", c.Y}, {"z", "m", "displacement upward", c.Z},
		{"toe", "rad", "toe-in", c.Toe}, {"camber", "rad", "camber, positive with the top outward", c.Camber}, {"castor", "rad", "castor, positive with the top rearward", c.Castor},
	} {
		if o.curve != nil {
			value, _, _ := f.curveAt(c.Name+"."+o.name, o.curve, q)
			list = append(list, Output{c.Name + "." + o.name, o.unit, o.text, value})
		}
	}
	return list
}

// guideCurve is a function of a guide's coordinate q, with its derivatives by q.
type guideCurve struct{ value, slope, curvature *expr.Expr }

// guideCurves evaluates those of a guide: displacements x, y, z [m] and turns about z, x, y [rad].
func (f *Formulation) guideCurves(e *graph.Edge) (displacement, turns [3]guideCurve) {
	name, g := e.Owner.Name, e.Space.Guide
	for i := range 3 {
		displacement[i] = f.guideCurve(name+"."+[...]string{"x", "y", "z"}[i], g, &g.Displacement[i])
		turns[i] = f.guideCurve(name+"."+[...]string{"toe", "camber", "castor"}[i], g, &g.Turns[i])
	}
	return displacement, turns
}

func (f *Formulation) guideCurve(name string, g *graph.Guide, c *graph.Course) guideCurve {
	p, q := f.Pool, f.Pool.Sym(g.Coordinate.Name, expr.State)
	switch {
	case c.Own:
		return guideCurve{q, p.Int(1), p.Int(0)}
	case c.Curve == nil:
		return guideCurve{p.Int(0), p.Int(0), p.Int(0)}
	}
	value, slope, curvature := f.curveAt(name, c.Curve, q)
	if c.Negative {
		return guideCurve{p.Neg(value), p.Neg(slope), p.Neg(curvature)}
	}
	return guideCurve{value, slope, curvature}
}

// guided is how a guide turns its head: R = Rz(psi) Rx(phi) Ry(theta), all functions of q. In the
// tail's frame, with x1 and y2 the axes of the second and the third turn,
//
//	w  = q' a,  a = psi_q z + phi_q x1 + theta_q y2
//	w' = q” a + q'^2 da/dq,
//	da/dq = psi_qq z + phi_qq x1 + theta_qq y2 + phi_q psi_q z x x1 + theta_q (psi_q z + phi_q x1) x y2
//
// What a hand wheel leads turns about one axis u: a = delta_q u, da/dq = delta_qq u.
func (f *Formulation) guided(e *graph.Edge, tail expr.Frame) (axis, bend expr.Vector) {
	p := f.Pool
	if m := e.Space.Motion; m != nil {
		s, wheel := f.steeringOf(e.Owner.Name)
		q, _ := f.handWheel(s)
		u, angle := f.constant(tail, m.Axis), f.steered(s, wheel, q)
		return p.ScaleV(angle.slope, u), p.ScaleV(angle.curvature, u)
	}
	_, turns := f.guideCurves(e)
	psi, phi, theta := turns[0], turns[1], turns[2]
	cos, sin := func(x *expr.Expr) *expr.Expr { return p.Call(expr.Cos, x) }, func(x *expr.Expr) *expr.Expr { return p.Call(expr.Sin, x) }
	z := f.unit(tail, 2)
	x1 := expr.Vector{Frame: tail, X: [3]*expr.Expr{cos(psi.value), sin(psi.value), p.Int(0)}}
	y2 := expr.Vector{Frame: tail, X: [3]*expr.Expr{p.Neg(p.Mul(sin(psi.value), cos(phi.value))), p.Mul(cos(psi.value), cos(phi.value)), sin(phi.value)}}
	first := p.ScaleV(psi.slope, z)
	second := p.ScaleV(phi.slope, x1)
	third := p.ScaleV(theta.slope, y2)
	axis = p.DefineV("axis_"+e.Name, p.AddV(first, second, third))
	bend = p.AddV(p.ScaleV(psi.curvature, z), p.ScaleV(phi.curvature, x1), p.ScaleV(theta.curvature, y2),
		p.Cross(first, second), p.Cross(p.AddV(first, second), third))
	return axis, p.DefineV("bend_"+e.Name, bend)
}
