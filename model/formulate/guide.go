package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// checkGuides refuses trees in which a guide, or what a steering wheel leads, has no coordinate.
func (f *Formulation) checkGuides() {
	for i := range f.Forest.Graph.Edges {
		if e := &f.Forest.Graph.Edges[i]; isCoordinateDriven(e) && !f.isBranch(i) {
			h := e.Owner
			f.reject(h.Pos, "%s %s: its edge %s is not a branch of the tree %q, and what moves it needs the coordinate of "+
				"a branch; do not forbid it, and prefer no edge that closes a loop with it", h.Type, h.Name, e.Name, f.tree.Name)
		}
	}
}

// guideCurves evaluates those of a guide: displacements x, y, z [m] and turns about z, x, y [rad].
func (f *Formulation) guideCurves(e *graph.Edge) (displacement, turns [3]component.Course) {
	name, g := e.Owner.Name, e.Space.Guide
	for i := range 3 {
		displacement[i] = f.course(name+"."+[...]string{"x", "y", "z"}[i], g, &g.Displacement[i])
		turns[i] = f.course(name+"."+[...]string{"toe", "camber", "castor"}[i], g, &g.Turns[i])
	}
	return displacement, turns
}

func (f *Formulation) course(name string, g *graph.Guide, c *graph.Course) component.Course {
	p, q := f.Pool, f.Pool.Sym(g.Coordinate.Name, expr.State)
	switch {
	case c.Own:
		return component.Course{Value: q, Slope: p.Int(1), Curvature: p.Int(0)}
	case c.Curve == nil:
		return component.Course{Value: p.Int(0), Slope: p.Int(0), Curvature: p.Int(0)}
	}
	y := f.curveAt(name, c.Curve, q)
	if y.Curvature == nil { // it has steps
		y.Curvature = p.Diff(y.Slope, q)
	}
	if c.Negative {
		return component.Course{Value: p.Neg(y.Value), Slope: p.Neg(y.Slope), Curvature: p.Neg(y.Curvature)}
	}
	return y
}

// guided is how a guide turns its head: R = Rz(psi) Rx(phi) Ry(theta), all functions of q. In the
// tail's frame, with x1 and y2 the axes of the second and the third turn,
//
//	w  = q' a,  a = psi_q z + phi_q x1 + theta_q y2
//	w' = q” a + q'^2 da/dq,
//	da/dq = psi_qq z + phi_qq x1 + theta_qq y2 + phi_q psi_q z x x1 + theta_q (psi_q z + phi_q x1) x y2
//
// What a steering wheel leads turns about one axis u: a = delta_q u, da/dq = delta_qq u.
func (f *Formulation) guided(e *graph.Edge, tail expr.Frame) (axis, bend expr.Vector) {
	p := f.Pool
	if m := e.Space.Motion; m != nil {
		u := f.constant(tail, m.Axis)
		_, angle, _ := f.leader(e)
		return p.ScaleV(angle.Slope, u), p.ScaleV(angle.Curvature, u)
	}
	_, turns := f.guideCurves(e)
	psi, phi, theta := turns[0], turns[1], turns[2]
	cos := func(x *expr.Expr) *expr.Expr { return p.Call(expr.Cos, x) }
	sin := func(x *expr.Expr) *expr.Expr { return p.Call(expr.Sin, x) }
	z := f.unit(tail, 2)
	x1 := expr.Vector{Frame: tail, X: [3]*expr.Expr{cos(psi.Value), sin(psi.Value), p.Int(0)}}
	y2 := expr.Vector{Frame: tail, X: [3]*expr.Expr{
		p.Neg(p.Mul(sin(psi.Value), cos(phi.Value))), p.Mul(cos(psi.Value), cos(phi.Value)), sin(phi.Value),
	}}
	first := p.ScaleV(psi.Slope, z)
	second := p.ScaleV(phi.Slope, x1)
	third := p.ScaleV(theta.Slope, y2)
	axis = p.DefineV("axis_"+e.Name, p.AddV(first, second, third))
	bend = p.AddV(p.ScaleV(psi.Curvature, z), p.ScaleV(phi.Curvature, x1), p.ScaleV(theta.Curvature, y2),
		p.Cross(first, second), p.Cross(p.AddV(first, second), third))
	return axis, p.DefineV("bend_"+e.Name, bend)
}
