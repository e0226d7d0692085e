package curve

// MostCells is the largest number of cells of a table's index.
const MostCells = 1 << 16

// Table is a curve arranged for a look-up whose cost does not grow with the number of points. Piece i
// lies before point i; the first and the last piece are the straight lines beyond the ends. An index of
// cells of equal width finds it: that of x is
//
//	u = (x - Origin) Scale, limited to 0 and the last cell and truncated, 0 where u is not a number
//
// and the piece is Start[u] and one more for each point that lies in the same cell, up to x. The points
// are put into cells by the same arithmetic, which keeps order: rounding cannot lead to a wrong piece.
type Table struct {
	Origin, Scale float64
	Start         []float64 // of each cell: the number of points in the cells before
	Comparisons   int       // the largest number of points in one cell
	Points        []float64 // breakpoints, in order
	X             []float64 // of each piece: where its polynomial is developed
	A, B, C, D    []float64 // of each piece: y = A + B t + C t^2 + D t^3, t = x - X
}

// newTable arranges a curve. Cells are made narrower until each has one point at most, or until there
// are as many as may be.
func newTable(c *Curve) *Table {
	n := len(c.X)
	t := &Table{Origin: c.X[0], Points: c.X}
	for i := range n + 1 {
		switch {
		case i == 0:
			t.piece(c.X[0], c.Y[0], Piece{B: c.First})
		case i == n:
			t.piece(c.X[n-1], c.Y[n-1], Piece{B: c.Last})
		default:
			t.piece(c.X[i-1], c.Y[i-1], c.Pieces[i-1])
		}
	}
	for cells := n; ; cells = min(2*cells, MostCells) {
		if t.divide(cells); t.Comparisons == 1 || cells >= MostCells {
			return t
		}
	}
}

func (t *Table) piece(x, y float64, p Piece) {
	t.X, t.A = append(t.X, x), append(t.A, y)
	t.B, t.C, t.D = append(t.B, p.B), append(t.C, p.C), append(t.D, p.D)
}

// divide makes an index of a number of cells. Where no number is the distance of the ends, the scale is
// 0 and all points share the first cell.
func (t *Table) divide(cells int) {
	last := len(t.Points) - 1
	t.Scale = float64(cells-1) / (t.Points[last] - t.Points[0])
	t.Start, t.Comparisons = make([]float64, cells), 0
	count := make([]int, cells)
	for _, x := range t.Points {
		cell := t.cell(x)
		count[cell]++
		t.Comparisons = max(t.Comparisons, count[cell])
	}
	before := 0
	for cell, in := range count {
		t.Start[cell] = float64(before)
		before += in
	}
}

// cell is the cell of x.
func (t *Table) cell(x float64) int {
	u := (x - t.Origin) * t.Scale
	switch last := len(t.Start) - 1; {
	case !(u > 0): // NaN, too
		return 0
	case u >= float64(last):
		return last
	}
	return int(u)
}

// At returns the value at x, the slope and the curvature: at a point those of the piece behind it, and
// three times NaN where x is none.
func (t *Table) At(x float64) (value, slope, curvature float64) {
	i := int(t.Start[t.cell(x)])
	for range t.Comparisons {
		if i < len(t.Points) && x >= t.Points[i] {
			i++
		}
	}
	s := x - t.X[i]
	return t.A[i] + s*(t.B[i]+s*(t.C[i]+s*t.D[i])), t.B[i] + s*(2*t.C[i]+3*s*t.D[i]), 2*t.C[i] + 6*s*t.D[i]
}
