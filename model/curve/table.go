package curve

import (
	"fmt"
	"math"
)

// MostCells is the largest number of cells of a grid's index.
const MostCells = 1 << 16

// Column holds numbers by their index. An index that is not an integer is rounded towards 0; one below 0, or NaN, is
// the first, one beyond the end the last.
type Column struct {
	Name   string // in printed formulas
	Values []float64
}

// At returns the number at an index.
func (c *Column) At(index float64) float64 {
	switch last := len(c.Values) - 1; {
	case !(index > 0): // NaN, too
		return c.Values[0]
	case index >= float64(last):
		return c.Values[last]
	}
	return c.Values[int(index)]
}

func (c *Column) String() string { return c.Name }

// Grid finds the piece of a curve that holds x, at a cost that does not grow with the number of points. Piece i lies
// before point i; the first and the last piece are beyond the ends. The search uses an index of cells of equal width.
// The cell at place (x - Origin) Scale gives a number in Start; each point of the same cell up to x adds 1. The points
// are put into cells by the same arithmetic, which keeps order: rounding cannot lead to a wrong piece.
type Grid struct {
	Origin, Scale float64
	Start         Column // of each cell: the number of points in the cells before
	Comparisons   int    // the largest number of points in one cell
	Points        Column // breakpoints, in order
}

// newGrid makes the index of points. Cells are made narrower until each has one point at most, or until there are as
// many as may be.
func newGrid(points []float64) *Grid {
	g := &Grid{Origin: points[0], Points: Column{"points", points}}
	for cells := len(points); ; cells = min(2*cells, MostCells) {
		if g.divide(cells); g.Comparisons == 1 || cells >= MostCells {
			return g
		}
	}
}

// divide makes an index of a number of cells. Where the distance of the ends is too large for a number, or too small,
// the scale is 0 and all points share the first cell.
func (g *Grid) divide(cells int) {
	points := g.Points.Values
	if g.Scale = float64(cells-1) / (points[len(points)-1] - points[0]); math.IsInf(g.Scale, 1) {
		g.Scale = 0
	}
	places := Column{Values: make([]float64, cells)}
	for i := range places.Values {
		places.Values[i] = float64(i)
	}
	count := make([]int, cells)
	g.Comparisons = 0
	for _, x := range points {
		cell := int(places.At(g.cellPosition(x)))
		count[cell]++
		g.Comparisons = max(g.Comparisons, count[cell])
	}
	g.Start = Column{"start", make([]float64, cells)}
	before := 0
	for cell, in := range count {
		g.Start.Values[cell] = float64(before)
		before += in
	}
}

// cellPosition is the position of the cell of x among the cells.
func (g *Grid) cellPosition(x float64) float64 { return (x - g.Origin) * g.Scale }

// At returns the piece that holds x: at a point the one behind it. Beyond the last point, and for NaN, it may be larger
// than the last piece, which columns have for it.
func (g *Grid) At(x float64) float64 {
	i := g.Start.At(g.cellPosition(x))
	for range g.Comparisons {
		if !(x < g.Points.At(i)) {
			i++
		}
	}
	return i
}

func (g *Grid) String() string { return fmt.Sprintf("piece_of_%d", len(g.Points.Values)) }

// Table is a curve arranged for look-ups. With t = x - X, the value in a piece of Grid is A + B t + C t^2 + D t^3;
// Integral is the integral of the curve up to t = 0, from the first point on.
type Table struct {
	Grid                    *Grid
	X, A, B, C, D, Integral *Column
}

// newTable arranges a curve.
func newTable(c *Curve) *Table {
	n := len(c.X)
	column := func(name string, of func(piece, point int) float64) *Column {
		values := make([]float64, n+1)
		for i := range values {
			values[i] = of(i, min(max(i-1, 0), n-1))
		}
		return &Column{name, values}
	}
	piece := func(i int) Piece {
		switch i {
		case 0:
			return Piece{B: c.First}
		case n:
			return Piece{B: c.Last}
		}
		return c.Pieces[i-1]
	}
	integral := make([]float64, n)
	for i := 1; i < n; i++ {
		t, p := c.X[i]-c.X[i-1], c.Pieces[i-1]
		integral[i] = integral[i-1] + t*(c.Y[i-1]+t*(p.B/2+t*(p.C/3+t*p.D/4)))
	}
	return &Table{
		Grid:     newGrid(c.X),
		X:        column("X", func(_, point int) float64 { return c.X[point] }),
		A:        column("A", func(_, point int) float64 { return c.Y[point] }),
		B:        column("B", func(i, _ int) float64 { return piece(i).B }),
		C:        column("C", func(i, _ int) float64 { return piece(i).C }),
		D:        column("D", func(i, _ int) float64 { return piece(i).D }),
		Integral: column("integral", func(_, point int) float64 { return integral[point] }),
	}
}

// At returns the value at x, the slope and the curvature. At a point they belong to the following piece; they are NaN
// where x is NaN.
func (t *Table) At(x float64) (value, slope, curvature float64) {
	i := t.Grid.At(x)
	a, b, c, d := t.A.At(i), t.B.At(i), t.C.At(i), t.D.At(i)
	s := x - t.X.At(i)
	return a + s*(b+s*(c+s*d)), b + s*(2*c+3*s*d), 2*c + 6*s*d
}

// integralTo returns the integral from the first point to x.
func (t *Table) integralTo(x float64) float64 {
	i := t.Grid.At(x)
	s := x - t.X.At(i)
	return t.Integral.At(i) + s*(t.A.At(i)+s*(t.B.At(i)/2+s*(t.C.At(i)/3+s*t.D.At(i)/4)))
}
