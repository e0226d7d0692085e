package formulate

import (
	"slices"

	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/program"
)

// ranged is an argument of a table that runs must not leave.
type ranged struct {
	program.TableRange
	argument *expr.Expr
}

// keepWithin notes the argument of a table that runs must not leave, once.
func (f *Formulation) keepWithin(l *curve.Limit, argument int, g *curve.Grid, x *expr.Expr) {
	if l == nil {
		return
	}
	points := g.Points.Values
	r := ranged{program.TableRange{
		Key: l.Key, Unit: l.Units[argument], Low: points[0], High: points[len(points)-1],
	}, x}
	if !slices.Contains(f.ranges, r) {
		f.ranges = append(f.ranges, r)
	}
}

// beyond is how far an argument is outside of its table, negative inside.
func (f *Formulation) beyond(r *ranged) *expr.Expr {
	p := f.Pool
	low, high := p.Num(expr.FromFloat(r.Low)), p.Num(expr.FromFloat(r.High))
	return p.Call(expr.Max, p.Sub(low, r.argument), p.Sub(r.argument, high))
}
