package road

import (
	"bufio"
	"bytes"
	"fmt"
	"math"
	"strings"
)

// grid holds heights at the nodes of a square grid, rows from small to large y.
type grid struct {
	x, y, cell    float64 // first node, distance of nodes [m]
	columns, rows int
	z             []float64
}

// mostNodes bounds the nodes of a grid.
const mostNodes = 100_000_000

// parseGrid reads an ESRI ASCII grid. The header has ncols, nrows, xllcenter or xllcorner, yllcenter or yllcorner,
// cellsize and, optionally, NODATA_value. The heights [m] follow row by row, from the largest y to the smallest. With
// corners, the first node is half a cell inside.
func parseGrid(data []byte) (*grid, error) {
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<20)
	s.Split(bufio.ScanWords)
	header, first, err := gridHeader(s)
	if err != nil {
		return nil, err
	}
	g := &grid{cell: header["cellsize"]}
	if err := g.lieAs(header); err != nil {
		return nil, err
	}
	missing, marked := header["nodata_value"]
	if err := g.read(s, first, func(v float64) bool { return marked && v == missing }); err != nil {
		return nil, err
	}
	for i := range g.rows / 2 {
		a, b := g.z[i*g.columns:(i+1)*g.columns], g.z[(g.rows-1-i)*g.columns:(g.rows-i)*g.columns]
		for k := range a {
			a[k], b[k] = b[k], a[k]
		}
	}
	return g, nil
}

// gridHeader reads keys and values up to the first height, whose word it returns, "" for none.
func gridHeader(s *bufio.Scanner) (header map[string]float64, first string, err error) {
	header = map[string]float64{}
	for s.Scan() {
		word := s.Text()
		if _, err := number(word); err == nil {
			return header, word, nil
		}
		key := strings.ToLower(word)
		switch key {
		case "ncols", "nrows", "xllcorner", "yllcorner", "xllcenter", "yllcenter", "cellsize", "nodata_value":
		default:
			return nil, "", fmt.Errorf("unknown key %q in the header of the grid", word)
		}
		if !s.Scan() {
			return header, word, nil // no number: it is refused in the place of the first height
		}
		v, err := number(s.Text())
		if err != nil {
			return nil, "", fmt.Errorf("%s of the grid: %w", key, err)
		}
		header[key] = v
	}
	return header, "", nil
}

// lieAs takes over the size and the place of the grid.
func (g *grid) lieAs(header map[string]float64) error {
	for _, n := range []struct {
		key string
		at  *int
	}{{"ncols", &g.columns}, {"nrows", &g.rows}} {
		v := header[n.key]
		if v != math.Trunc(v) || v < 2 || v > mostNodes {
			return fmt.Errorf("%s of the grid is %g; it must be a whole number of 2 or more", n.key, v)
		}
		*n.at = int(v)
	}
	if g.columns > mostNodes/g.rows {
		return fmt.Errorf("a grid of %d by %d heights is too large; at most %d are read", g.columns, g.rows, mostNodes)
	}
	if !(g.cell > 0) {
		return fmt.Errorf("cellsize of the grid is %g; it must be above 0", g.cell)
	}
	for _, o := range []struct {
		axis string
		at   *float64
	}{{"x", &g.x}, {"y", &g.y}} {
		corner, c := header[o.axis+"llcorner"]
		centre, m := header[o.axis+"llcenter"]
		if c == m {
			return fmt.Errorf("the header of the grid must hold either %sllcorner or %sllcenter", o.axis, o.axis)
		}
		if *o.at = centre; c {
			*o.at = corner + g.cell/2
		}
	}
	return nil
}

// read reads the heights; word is the first height, already read.
func (g *grid) read(s *bufio.Scanner, word string, missing func(v float64) bool) error {
	total := g.columns * g.rows
	for more := word != ""; more; more = s.Scan() {
		if word == "" {
			word = s.Text()
		}
		v, err := number(word)
		word = ""
		switch n := len(g.z); {
		case n == total:
			return fmt.Errorf("the grid holds more than %d heights", total)
		case err != nil:
			return fmt.Errorf("row %d, column %d of the grid: %w", n/g.columns+1, n%g.columns+1, err)
		case missing(v):
			return fmt.Errorf("row %d, column %d of the grid has no height; fill it", n/g.columns+1, n%g.columns+1)
		}
		g.z = append(g.z, v)
	}
	if err := s.Err(); err != nil {
		return err
	}
	if len(g.z) == 0 {
		return errEmpty
	}
	if len(g.z) < total {
		return fmt.Errorf("the grid holds %d heights; %d are needed", len(g.z), total)
	}
	return nil
}

// at interpolates between four nodes. Beyond the border the height is the height at the border.
func (g *grid) at(q Query) Point {
	i, u, inX := interval((q.X-g.x)/g.cell, g.columns)
	j, v, inY := interval((q.Y-g.y)/g.cell, g.rows)
	a, b := g.z[j*g.columns+i], g.z[j*g.columns+i+1]
	c, d := g.z[(j+1)*g.columns+i], g.z[(j+1)*g.columns+i+1]
	low, high := a+float64(u*(b-a)), c+float64(u*(d-c))
	p := Point{Height: low + float64(v*(high-low)) + zero(q.X, q.Y), Friction: 1, U: q.X, V: q.Y}
	if inX {
		p.SlopeX = ((b - a) + float64(v*((d-c)-(b-a)))) / g.cell
	}
	if inY {
		p.SlopeY = (high - low) / g.cell
	}
	return p
}

// interval returns the interval of a position among n nodes, and where in it the position is.
func interval(s float64, n int) (k int, share float64, inside bool) {
	switch {
	case !(s >= 0):
		return 0, 0, false
	case s >= float64(n-1):
		return n - 2, 1, false
	}
	k = int(s)
	return k, s - float64(k), true
}
