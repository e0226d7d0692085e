package formulate

import (
	"skidpad/model/component"
	"skidpad/model/curve"
	"skidpad/model/expr"
)

// curveAt returns the value of a curve at x, its slope, and its curvature, nil unless the curve is
// smooth. With the part of x that lies in piece i,
//
//	t_i = min(max(x, x_i), x_i+1) - x_i
//
// which grows from 0 to the length of the piece while x passes it, everything adds up over the pieces
// without a search:
//
//	y   = y_0 + first (min(x, x_0) - x_0) + sum (B_i t_i + C_i t_i^2 + D_i t_i^3) + last (max(x, x_n) - x_n)
//	y'  = first + sum (2 C_i t_i + 3 D_i t_i^2)
//	y'' = sum 6 D_i t_i
//
// because values and slopes, and of a smooth curve the curvature, go on from piece to piece. Curves of
// one x over the same points share the t_i. It is x that is limited, not x - x_i, which is rounded:
// one piece is passed exactly where the next one begins.
func (f *Formulation) curveAt(name string, c *curve.Curve, x *expr.Expr) component.Course {
	p := f.Pool
	number := func(x float64) *expr.Expr { return p.Num(expr.FromFloat(x)) }
	times := func(x float64, e *expr.Expr) *expr.Expr { return p.Scale(expr.FromFloat(x), e) }
	first, last := number(c.X[0]), number(c.X[len(c.X)-1])
	values := []*expr.Expr{
		number(c.Y[0]),
		times(c.First, p.Sub(p.Call(expr.Min, x, first), first)),
		times(c.Last, p.Sub(p.Call(expr.Max, x, last), last)),
	}
	slopes, curvatures := []*expr.Expr{number(c.First)}, []*expr.Expr(nil)
	for i, piece := range c.Pieces {
		from, to := number(c.X[i]), number(c.X[i+1])
		t := f.define("t_"+name, p.Sub(p.Call(expr.Min, p.Call(expr.Max, x, from), to), from))
		square := f.define("t2_"+name, p.Pow(t, 2))
		values = append(values, times(piece.B, t), times(piece.C, square),
			times(piece.D, f.define("t3_"+name, p.Mul(square, t))))
		slopes = append(slopes, times(2*piece.C, t), times(3*piece.D, square))
		curvatures = append(curvatures, times(6*piece.D, t))
	}
	y := component.Course{Value: f.define(name, p.Add(values...)), Slope: f.define(name+"_slope", p.Add(slopes...))}
	p.SetSlope(y.Value, x, y.Slope)
	if c.Smooth {
		y.Curvature = f.define(name+"_curvature", p.Add(curvatures...))
		p.SetSlope(y.Slope, x, y.Curvature)
	}
	return y
}
