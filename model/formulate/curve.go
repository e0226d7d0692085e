package formulate

import (
	"fmt"
	"slices"

	"skidpad/model/component"
	"skidpad/model/curve"
	"skidpad/model/expr"
)

// tables holds the tables of all curves. Curves over the same points share one grid, and equal columns are stored once.
type tables struct {
	grids   []*curve.Grid
	columns []*curve.Column
}

// grid returns the first grid over the points of g.
func (t *tables) grid(g *curve.Grid) *curve.Grid {
	for _, known := range t.grids {
		if slices.Equal(known.Points.Values, g.Points.Values) {
			return known
		}
	}
	t.grids = append(t.grids, g)
	return g
}

// column returns the first column with the numbers of c.
func (t *tables) column(c *curve.Column) *curve.Column {
	for _, known := range t.columns {
		if slices.Equal(known.Values, c.Values) {
			return known
		}
	}
	t.columns = append(t.columns, c)
	return c
}

// look is the value of a column at a place. It is a number if all values of the column are equal.
func (f *Formulation) look(c *curve.Column, place *expr.Expr) *expr.Expr {
	if !slices.ContainsFunc(c.Values, func(x float64) bool { return x != c.Values[0] }) {
		return f.Pool.Num(expr.FromFloat(c.Values[0]))
	}
	return f.Pool.Look(f.tables.column(c), place)
}

// piece holds the columns of a table for x, and the position of x in the piece.
type piece struct{ t, a, b, c, d, integral *expr.Expr }

// pieceAt finds the piece of a curve that holds x.
func (f *Formulation) pieceAt(name string, c *curve.Curve, x *expr.Expr) piece {
	p, table := f.Pool, c.Table()
	f.keepWithin(c.Limit, 0, table.Grid, x)
	place := f.define("piece_"+name, p.Look(f.tables.grid(table.Grid), x))
	look := func(c *curve.Column) *expr.Expr { return f.look(c, place) }
	return piece{f.define("t_"+name, p.Sub(x, look(table.X))), look(table.A), look(table.B), look(table.C), look(table.D),
		look(table.Integral)}
}

// curveAt returns the value of a curve at x, its slope, and its curvature, nil unless the curve is smooth. With the
// coefficients of the piece that holds x, which begins at X,
//
//	t = x - X,  y = A + t (B + t (C + t D)),  y' = B + t (2 C + 3 t D),  y'' = 2 C + 6 t D
//
// A look-up finds the piece; its cost does not depend on the number of points.
func (f *Formulation) curveAt(name string, c *curve.Curve, x *expr.Expr) component.Course {
	p, at := f.Pool, f.pieceAt(name, c, x)
	cubic := p.Mul(at.t, at.d)
	y := component.Course{
		Value: f.define(name, p.Add(at.a, p.Mul(at.t, p.Add(at.b, p.Mul(at.t, p.Add(at.c, cubic)))))),
		Slope: f.define(name+"_slope", p.Add(at.b, p.Mul(at.t, p.Add(p.Mul(p.Int(2), at.c), p.Mul(p.Int(3), cubic))))),
	}
	p.SetSlope(y.Value, x, y.Slope)
	if c.Smooth {
		y.Curvature = f.define(name+"_curvature", p.Add(p.Mul(p.Int(2), at.c), p.Mul(p.Int(6), cubic)))
		p.SetSlope(y.Slope, x, y.Curvature)
	}
	return y
}

// curveIntegral returns the integral of a curve from 0 to x.
func (f *Formulation) curveIntegral(name string, c *curve.Curve, x *expr.Expr) *expr.Expr {
	p, at := f.Pool, f.pieceAt(name, c, x)
	share := func(n int64, e *expr.Expr) *expr.Expr { return p.Scale(expr.Fraction(1, n), e) }
	sum := p.Add(share(3, at.c), share(4, p.Mul(at.t, at.d)))
	sum = p.Add(at.a, p.Mul(at.t, p.Add(share(2, at.b), p.Mul(at.t, sum))))
	return p.Add(p.Num(expr.FromFloat(-c.Integral(0))), at.integral, p.Mul(at.t, sum))
}

// cell is the part of a surface around two variables, at the distances s and t from its corner.
type cell struct {
	table       *curve.SurfaceTable
	place, s, t *expr.Expr
}

func (f *Formulation) cellAt(name string, c *curve.Surface, x, y *expr.Expr) cell {
	p, table := f.Pool, c.Table
	f.keepWithin(c.Limit, 0, table.AlongX, x)
	f.keepWithin(c.Limit, 1, table.AlongY, y)
	i := f.define("piece_"+name, p.Look(f.tables.grid(table.AlongX), x))
	j := f.define("second_piece_"+name, p.Look(f.tables.grid(table.AlongY), y))
	s := f.define("s_"+name, p.Sub(x, f.look(table.X, i)))
	t := f.define("t_"+name, p.Sub(y, f.look(table.Y, j)))
	return cell{table, f.define("cell_"+name, p.Add(f.look(table.Row, i), f.look(table.Place, j))), s, t}
}

// surfaceAt returns the value of a surface at x and y, the sum of A[i][j] s^i t^j. A[i][j] are the coefficients of the
// cell around (x, y), s and t the distances from its corner.
func (f *Formulation) surfaceAt(name string, c *curve.Surface, x, y *expr.Expr) *expr.Expr {
	p, at := f.Pool, f.cellAt(name, c, x, y)
	value := p.Int(0)
	for m := 3; m >= 0; m-- {
		along := p.Int(0)
		for n := 3; n >= 0; n-- {
			along = p.Add(f.look(at.table.A[m][n], at.place), p.Mul(at.t, along))
		}
		value = p.Add(f.define("along_"+name, along), p.Mul(at.s, value))
	}
	return f.define(name, value)
}

// surfaceCourse is surfaceAt with the first and second derivatives.
func (f *Formulation) surfaceCourse(name string, c *curve.Surface, x, y *expr.Expr) course {
	at := f.cellAt(name, c, x, y)
	var along [3][4]*expr.Expr // by the power of s, differentiated up to twice by t
	for m := range 4 {
		a := func(n int) *expr.Expr { return f.look(at.table.A[m][n], at.place) }
		along[0][m], along[1][m], along[2][m] = f.cubic(at.t, a(0), a(1), a(2), a(3))
		for k := range along {
			along[k][m] = f.define(fmt.Sprintf("along%d_%s", k, name), along[k][m])
		}
	}
	var d [3][3]*expr.Expr // by how often it is differentiated by y and by x
	for k := range d {
		d[k][0], d[k][1], d[k][2] = f.cubic(at.s, along[k][0], along[k][1], along[k][2], along[k][3])
	}
	define := func(suffix string, e *expr.Expr) *expr.Expr { return f.define(name+suffix, e) }
	return course{
		Course: component.Course{
			Value: define("", d[0][0]), Slope: define("_slope", d[0][1]), Curvature: define("_curvature", d[0][2]),
		},
		bySecond: define("_second_slope", d[1][0]), mixed: define("_mixed", d[1][1]),
		twice: define("_second_curvature", d[2][0]),
	}
}

// cubic is a + t (b + t (c + t d)) and its first two derivatives by t.
func (f *Formulation) cubic(t, a, b, c, d *expr.Expr) (value, first, second *expr.Expr) {
	p, cubic := f.Pool, f.Pool.Mul(t, d)
	value = p.Add(a, p.Mul(t, p.Add(b, p.Mul(t, p.Add(c, cubic)))))
	first = p.Add(b, p.Mul(t, p.Add(p.Mul(p.Int(2), c), p.Mul(p.Int(3), cubic))))
	return value, first, p.Add(p.Mul(p.Int(2), c), p.Mul(p.Int(6), cubic))
}
