package curve

import (
	"fmt"
	"math"
	"slices"
)

// MostOfSurface is the largest number of points of a surface.
const MostOfSurface = 40000

// Rule is how a curve runs through points: Monotone, Smooth or Linear.
type Rule func(x, y []float64) (*Curve, error)

// Surface is a function of two variables, a bicubic polynomial in each cell of a grid. With s and t the distances from
// the corner of a cell, its value is the sum of A[i][j] s^i t^j.
type Surface struct {
	Table *SurfaceTable
	Limit *Limit // where a run has to stay; nil for none
}

// SurfaceTable is a surface arranged for look-ups: the pieces of x and y, and the place of a cell. The place is the sum
// of Row for the piece of x and Place for the piece of y.
type SurfaceTable struct {
	AlongX, AlongY *Grid
	X, Y           *Column // where pieces begin
	Row, Place     *Column
	A              [4][4]*Column
}

// PointOfSurface is one point of a surface.
type PointOfSurface struct{ X, Y, Z float64 }

// gridOf sorts points into the rows of a grid, z[i][j] at x[i] and y[j]. The points must be all pairs of a list
// of x and a list of y, in any order.
func gridOf(points []PointOfSurface) (x, y []float64, z [][]float64, err error) {
	if n := len(points); n < 4 || n > MostOfSurface {
		return nil, nil, nil, &FormError{-1, fmt.Sprintf("has %d points; a surface has 4 to %d", n, MostOfSurface)}
	}
	for i, p := range points {
		if sum := p.X + p.Y + p.Z; math.IsNaN(sum - sum) {
			return nil, nil, nil, &FormError{i, fmt.Sprintf("is (%g, %g, %g); all must be finite numbers", p.X, p.Y, p.Z)}
		}
		x, y = append(x, p.X), append(y, p.Y)
	}
	slices.Sort(x)
	slices.Sort(y)
	x, y = slices.Compact(x), slices.Compact(y)
	if len(x) > Most || len(y) > Most || len(x) < 2 || len(y) < 2 {
		return nil, nil, nil, &FormError{-1, fmt.Sprintf("has %d and %d different arguments; a surface has 2 to %d of each",
			len(x), len(y), Most)}
	}
	if len(x)*len(y) > MostOfSurface {
		return nil, nil, nil, &FormError{-1, fmt.Sprintf("has %d points of %d by %d arguments; give a point for each pair, "+
			"at most %d", len(points), len(x), len(y), MostOfSurface)}
	}
	z = make([][]float64, len(x))
	for i := range z {
		z[i] = make([]float64, len(y))
		for j := range z[i] {
			z[i][j] = math.NaN()
		}
	}
	for k, p := range points {
		i, _ := slices.BinarySearch(x, p.X)
		j, _ := slices.BinarySearch(y, p.Y)
		if z[i][j] == z[i][j] {
			return nil, nil, nil, &FormError{k, fmt.Sprintf("is (%g, %g) once more; give each pair once", p.X, p.Y)}
		}
		z[i][j] = p.Z
	}
	for i := range x {
		for j := range y {
			if z[i][j] != z[i][j] {
				return nil, nil, nil, &FormError{-1, fmt.Sprintf("has no point at (%g, %g); give one for each pair of the "+
					"%d by %d arguments", x[i], y[j], len(x), len(y))}
			}
		}
	}
	return x, y, z, nil
}

// NewSurface returns the surface through all pairs of a list of x and a list of y. Along each line of the grid it is
// the curve of the rule. The mixed derivative is the mean of the rule's results in both orders. Beyond the ends it
// continues along its tangents, or with hold at the value of the end.
func NewSurface(points []PointOfSurface, rule Rule, hold bool) (*Surface, error) {
	x, y, z, err := gridOf(points)
	if err != nil {
		return nil, err
	}
	b := &patches{x: x, y: y}
	if b.through, err = formOf(rule); err != nil {
		return nil, err
	}
	b.z[0][0] = z
	if b.z[1][0], err = derivativesAlongX(x, z, rule); err != nil {
		return nil, err
	}
	if b.z[0][1], err = derivativesAlongY(y, z, rule); err != nil {
		return nil, err
	}
	first, err := derivativesAlongY(y, b.z[1][0], rule)
	if err != nil {
		return nil, err
	}
	second, err := derivativesAlongX(x, b.z[0][1], rule)
	if err != nil {
		return nil, err
	}
	for i := range first {
		for j := range first[i] {
			first[i][j] = first[i][j]/2 + second[i][j]/2
		}
	}
	b.z[1][1] = first
	if !hold {
		b.outside = 1
	}
	return b.surface()
}

// form is the representation of a curve between two points.
type form int

const (
	bySlopes     form = iota // values and slopes at the points
	byCurvatures             // values and second derivatives
	byValues                 // values: straight lines
)

func formOf(rule Rule) (form, error) {
	c, err := rule([]float64{0, 1, 2}, []float64{0, 0, 1})
	switch {
	case err != nil:
		return 0, err
	case c.Smooth:
		return byCurvatures, nil
	case c.Pieces[1] == Piece{B: 1}:
		return byValues, nil
	}
	return bySlopes, nil
}

// derivatives are slopes of a curve at its points, or its second derivatives if these represent the curve.
func derivatives(x, y []float64, rule Rule) ([]float64, error) {
	c, err := rule(x, y)
	if err != nil {
		return nil, &FormError{-1, fmt.Sprintf("is too steep: a line of its grid %v", err)}
	}
	list := make([]float64, len(x))
	for i, p := range c.Pieces {
		if list[i] = p.B; c.Smooth {
			list[i] = 2 * p.C
		}
	}
	if !c.Smooth { // else 0
		list[len(x)-1] = c.Last
	}
	return list, nil
}

func derivativesAlongY(y []float64, z [][]float64, rule Rule) (list [][]float64, err error) {
	list = make([][]float64, len(z))
	for i := range z {
		if list[i], err = derivatives(y, z[i], rule); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func derivativesAlongX(x []float64, z [][]float64, rule Rule) ([][]float64, error) {
	turned, err := derivativesAlongY(x, transposed(z), rule)
	if err != nil {
		return nil, err
	}
	return transposed(turned), nil
}

func transposed(z [][]float64) [][]float64 {
	t := make([][]float64, len(z[0]))
	for j := range t {
		t[j] = make([]float64, len(z))
		for i := range z {
			t[j][i] = z[i][j]
		}
	}
	return t
}

// patches makes the polynomials of cells.
type patches struct {
	x, y    []float64
	z       [2][2][][]float64 // z[i][j]: i times derived along x and j times along y, at each point
	through form
	outside float64 // factor of the slopes beyond the ends
}

// cubic is the polynomial in a piece of points p, from values and derivatives at them.
func (b *patches) cubic(p []float64, piece int, value, derived func(at int) float64) [4]float64 {
	n := len(p)
	if piece == 0 || piece == n {
		at := max(piece-1, 0)
		return [4]float64{value(at), b.outside * b.tangent(p, at, value, derived)}
	}
	from, to := piece-1, piece
	h := p[to] - p[from]
	mean := (value(to) - value(from)) / h
	first, second := derived(from), derived(to)
	switch b.through {
	case byValues:
		return [4]float64{value(from), mean}
	case byCurvatures:
		return [4]float64{value(from), mean - h*(2*first+second)/6, first / 2, (second - first) / (6 * h)}
	}
	return [4]float64{value(from), first, (3*mean - 2*first - second) / h, (first + second - 2*mean) / (h * h)}
}

// tangent is the slope at one of the outermost points.
func (b *patches) tangent(p []float64, at int, value, derived func(at int) float64) float64 {
	switch {
	case b.through != byCurvatures:
		return derived(at)
	case at == 0:
		h := p[1] - p[0]
		return (value(1)-value(0))/h - h*(2*derived(0)+derived(1))/6
	}
	h := p[at] - p[at-1]
	return (value(at)-value(at-1))/h + h*(derived(at-1)+2*derived(at))/6
}

// patch is the polynomial of a cell: along x at both of its ends in y, then along y.
func (b *patches) patch(i, j int) (a [4][4]float64) {
	along := func(at, by int) [4]float64 {
		return b.cubic(b.x, i, func(k int) float64 { return b.z[0][by][k][at] },
			func(k int) float64 { return b.z[1][by][k][at] })
	}
	ends := map[int][2][4]float64{}
	first := min(max(j-1, 0), len(b.y)-2)
	for _, at := range []int{first, first + 1} {
		ends[at] = [2][4]float64{along(at, 0), along(at, 1)}
	}
	for power := range a {
		a[power] = b.cubic(b.y, j, func(at int) float64 { return ends[at][0][power] },
			func(at int) float64 { return ends[at][1][power] })
	}
	return a
}

func (b *patches) surface() (*Surface, error) {
	nx, ny := len(b.x), len(b.y)
	begins := func(name string, p []float64) *Column {
		return &Column{name, append([]float64{p[0]}, p...)}
	}
	places := func(name string, n, distance int) *Column {
		c := &Column{Name: name}
		for i := range n {
			c.Values = append(c.Values, float64(i*distance))
		}
		return c
	}
	t := &SurfaceTable{AlongX: newGrid(b.x), AlongY: newGrid(b.y), X: begins("X", b.x), Y: begins("Y", b.y),
		Row: places("row", nx+1, ny+1), Place: places("place", ny+1, 1)}
	for i := range t.A {
		for j := range t.A[i] {
			t.A[i][j] = &Column{fmt.Sprintf("A%d%d", i, j), make([]float64, 0, (nx+1)*(ny+1))}
		}
	}
	for i := range nx + 1 {
		for j := range ny + 1 {
			for m, row := range b.patch(i, j) {
				for n, a := range row {
					if math.IsNaN(a - a) {
						return nil, &FormError{-1, fmt.Sprintf("is too steep near (%g, %g)", b.x[min(i, nx-1)], b.y[min(j, ny-1)])}
					}
					t.A[m][n].Values = append(t.A[m][n].Values, a)
				}
			}
		}
	}
	return &Surface{Table: t}, nil
}

// At returns the value and its derivatives by x and y.
func (s *Surface) At(x, y float64) (value, byX, byY float64) {
	t := s.Table
	i, j := t.AlongX.At(x), t.AlongY.At(y)
	cell := t.Row.At(i) + t.Place.At(j)
	dx, dy := x-t.X.At(i), y-t.Y.At(j)
	var p, q [4]float64 // polynomials of y, and their derivatives
	for m := range p {
		a := [4]float64{t.A[m][0].At(cell), t.A[m][1].At(cell), t.A[m][2].At(cell), t.A[m][3].At(cell)}
		p[m] = a[0] + dy*(a[1]+dy*(a[2]+dy*a[3]))
		q[m] = a[1] + dy*(2*a[2]+3*dy*a[3])
	}
	return p[0] + dx*(p[1]+dx*(p[2]+dx*p[3])), p[1] + dx*(2*p[2]+3*dx*p[3]), q[0] + dx*(q[1]+dx*(q[2]+dx*q[3]))
}
