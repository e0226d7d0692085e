package formulate

import (
	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// checkGuides rejects trees without a coordinate for a guide, or for an edge led by a steering wheel.
func (f *Formulation) checkGuides() {
	for i := range f.Forest.Graph.Edges {
		if e := &f.Forest.Graph.Edges[i]; isCoordinateDriven(e) && !f.isBranch(i) {
			h := e.Owner
			f.reject(h.Pos, "%s %s: its edge %s is not a branch of the tree %q, and what moves it needs the coordinate of "+
				"a branch; do not forbid it, and prefer no edge that closes a loop with it", h.Type, h.Name, e.Name, f.tree.Name)
		}
	}
}

// course is a displacement or a turn of a guide. Its first and second derivatives by the second variable of a surface
// are nil for a curve.
type course struct {
	component.Course                  // with the derivatives by the travel
	bySecond, mixed, twice *expr.Expr // by the second variable, by both, and twice by the second one
}

// guideCurves evaluates the curves of a guide: displacements x, y, z [m] and rotations about z, x, y [rad].
func (f *Formulation) guideCurves(e *graph.Edge) (displacement, turns [3]course) {
	name, g := e.Owner.Name, e.Space.Guide
	for i := range 3 {
		displacement[i] = f.course(name+"."+[...]string{"x", "y", "z"}[i], g, &g.Displacement[i])
		turns[i] = f.course(name+"."+[...]string{"toe", "camber", "castor"}[i], g, &g.Turns[i])
	}
	return displacement, turns
}

func (f *Formulation) course(name string, g *graph.Guide, c *graph.Course) course {
	p, q := f.Pool, f.Pool.Sym(g.Coordinate.Name, expr.State)
	var y course
	switch {
	case c.Own:
		y.Course = component.Course{Value: q, Slope: p.Int(1), Curvature: p.Int(0)}
	case c.Surface != nil:
		m, _ := f.secondMotion(g)
		y = f.surfaceCourse(name, c.Surface, q, m.Position)
	case c.Curve == nil:
		y.Course = component.Course{Value: p.Int(0), Slope: p.Int(0), Curvature: p.Int(0)}
	default:
		if y.Course = f.curveAt(name, c.Curve, q); y.Curvature == nil { // it has steps
			y.Curvature = p.Diff(y.Slope, q)
		}
	}
	if c.Negative {
		for _, e := range []**expr.Expr{&y.Value, &y.Slope, &y.Curvature, &y.bySecond, &y.mixed, &y.twice} {
			if *e != nil {
				*e = p.Neg(*e)
			}
		}
	}
	return y
}

// secondMotion is the motion that the surfaces of a guide go over besides the travel: of a coordinate, which has no
// acceleration here, or a prescribed one.
func (f *Formulation) secondMotion(g *graph.Guide) (m component.Motion, given bool) {
	if g.Second == "" {
		return m, false
	}
	if c, steers := component.Named[component.Steers](f.scope, g.Second); steers {
		return c.Hand(f.builder(c)), true
	}
	for i := range f.Forest.Graph.Edges {
		e := &f.Forest.Graph.Edges[i]
		moves := e.Space.Motion != nil || e.Space.Guide != nil && e.Domain == graph.Translation
		if moves && e.Owner.Name == g.Second {
			return f.motionOf(e), true
		}
	}
	panic("formulate: " + g.Second + " does not move") // the reader has looked
}

// bySecond is the derivative of a course by the second variable.
func (f *Formulation) bySecond(c *course) *expr.Expr {
	if c.bySecond == nil {
		return f.Pool.Int(0)
	}
	return c.bySecond
}

// bend is the second derivative by time of a course, without the terms in pdot. Over the travel q and the second
// variable s it is f_qq q'^2 + 2 f_qs q' s' + f_ss s'^2, plus f_s s" where s is prescribed.
func (f *Formulation) bend(c *course, rate *expr.Expr, second component.Motion) *expr.Expr {
	p := f.Pool
	sum := p.Mul(c.Curvature, p.Pow(rate, 2))
	if c.bySecond == nil {
		return sum
	}
	sum = p.Add(sum, p.Mul(p.Int(2), c.mixed, rate, second.Rate), p.Mul(c.twice, p.Pow(second.Rate, 2)))
	if second.Acceleration != nil {
		sum = p.Add(sum, p.Mul(c.bySecond, second.Acceleration))
	}
	return sum
}

// guidedAxes are the rotation axes z, x1 and y2 of a guide in the tail's frame, R = Rz(psi) Rx(phi) Ry(theta).
func (f *Formulation) guidedAxes(tail expr.Frame, psi, phi *expr.Expr) (z, x1, y2 expr.Vector) {
	p := f.Pool
	cos := func(x *expr.Expr) *expr.Expr { return p.Call(expr.Cos, x) }
	sin := func(x *expr.Expr) *expr.Expr { return p.Call(expr.Sin, x) }
	z = f.unit(tail, 2)
	x1 = expr.Vector{Frame: tail, X: [3]*expr.Expr{cos(psi), sin(psi), p.Int(0)}}
	y2 = expr.Vector{Frame: tail, X: [3]*expr.Expr{
		p.Neg(p.Mul(sin(psi), cos(phi))), p.Mul(cos(psi), cos(phi)), sin(phi),
	}}
	return z, x1, y2
}

// guided is how a guide turns its head: R = Rz(psi) Rx(phi) Ry(theta), all functions of q. In the
// tail's frame, with x1 and y2 the axes of the second and the third turn,
//
//	w  = q' a,  a = psi_q z + phi_q x1 + theta_q y2
//	w' = q” a + q'^2 da/dq,
//	da/dq = psi_qq z + phi_qq x1 + theta_qq y2 + phi_q psi_q z x x1 + theta_q (psi_q z + phi_q x1) x y2
func (f *Formulation) guided(e *graph.Edge, tail expr.Frame) (axis, bend expr.Vector) {
	p := f.Pool
	_, turns := f.guideCurves(e)
	psi, phi, theta := turns[0], turns[1], turns[2]
	z, x1, y2 := f.guidedAxes(tail, psi.Value, phi.Value)
	first := p.ScaleV(psi.Slope, z)
	second := p.ScaleV(phi.Slope, x1)
	third := p.ScaleV(theta.Slope, y2)
	axis = p.DefineV("axis_"+e.Name, p.AddV(first, second, third))
	bend = p.AddV(p.ScaleV(psi.Curvature, z), p.ScaleV(phi.Curvature, x1), p.ScaleV(theta.Curvature, y2),
		p.Cross(first, second), p.Cross(p.AddV(first, second), third))
	return axis, p.DefineV("bend_"+e.Name, bend)
}

// guidedByTwo is guided for rotations over q and a second variable s. It returns the axes for a unit rate of each
// variable, and the derivative of w by time without the terms in pdot,
//
//	w  = q' a + s' b = psi' z + phi' x1 + theta' y2
//	w' = psi” z + phi” x1 + theta” y2 + psi' z x phi' x1 + (psi' z + phi' x1) x theta' y2
func (f *Formulation) guidedByTwo(e *graph.Edge, tail expr.Frame) (axis, second, acceleration expr.Vector) {
	p, g := f.Pool, e.Space.Guide
	_, turns := f.guideCurves(e)
	z, x1, y2 := f.guidedAxes(tail, turns[0].Value, turns[1].Value)
	rate := f.motionOf(e).Rate
	other, _ := f.secondMotion(g)
	axes := [3]expr.Vector{z, x1, y2}
	axis, second, acceleration = p.ZeroVector(tail), p.ZeroVector(tail), p.ZeroVector(tail)
	var parts [3]expr.Vector
	for i := range turns {
		t := &turns[i]
		axis = p.AddV(axis, p.ScaleV(t.Slope, axes[i]))
		second = p.AddV(second, p.ScaleV(f.bySecond(t), axes[i]))
		acceleration = p.AddV(acceleration, p.ScaleV(f.bend(t, rate, other), axes[i]))
		turning := p.Add(p.Mul(t.Slope, rate), p.Mul(f.bySecond(t), other.Rate))
		parts[i] = p.ScaleV(f.define("turning_"+e.Name, turning), axes[i])
	}
	acceleration = p.AddV(acceleration, p.Cross(parts[0], parts[1]), p.Cross(p.AddV(parts[0], parts[1]), parts[2]))
	return p.DefineV("axis_"+e.Name, axis), p.DefineV("second_axis_"+e.Name, second),
		p.DefineV("bend_"+e.Name, acceleration)
}
