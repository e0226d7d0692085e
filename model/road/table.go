package road

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"sort"
	"strconv"
	"strings"

	"skidpad/model/bounded"
)

// table holds heights over increasing x.
type table struct{ x, z []float64 }

// parseTable reads a CSV file of two columns, x and z [m]; a first line that holds no numbers
// names them. x must increase. Two lines with the same x are a vertical jump, from the first
// height to the second.
func parseTable(data []byte) (*table, error) {
	r := bounded.NewRows(bytes.NewReader(data))
	r.Comment = '#'
	t := &table{}
	for first := true; ; first = false {
		row, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			if len(t.x) == 0 {
				return nil, errEmpty
			}
			return t, nil
		case err != nil:
			return nil, err
		}
		line, _ := r.Place(0)
		if len(row) != 2 {
			return nil, fmt.Errorf("line %d has %d fields; a table has 2, x and z", line, len(row))
		}
		x, errX := number(row[0])
		z, errZ := number(row[1])
		if err := errors.Join(errX, errZ); err != nil {
			if first && errX != nil && errZ != nil {
				continue
			}
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if n := len(t.x); n > 0 && (x < t.x[n-1] || n > 1 && x == t.x[n-2]) {
			return nil, fmt.Errorf("line %d: x = %g after %g; x must increase, and be twice the same at most, for a "+
				"jump", line, x, t.x[n-1])
		}
		t.x, t.z = append(t.x, x), append(t.z, z)
	}
}

func number(text string) (float64, error) {
	v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, fmt.Errorf("%q is not a finite number", text)
	}
	return v, nil
}

// decimal reads a number, with exponents as Fortran writes them too.
func decimal(text string) (float64, error) {
	return number(strings.NewReplacer("d", "e", "D", "e").Replace(text))
}

// at: segments are [x_k, x_k+1), so that at a sample the slope is the slope of the segment to its right.
func (t *table) at(q Query) Point {
	n := len(t.x)
	k := sort.Search(n, func(i int) bool { return t.x[i] > q.X }) // the first sample beyond x
	p := Point{Friction: 1, U: q.X, V: q.Y}
	switch k {
	case 0:
		p.Height = t.z[0]
	case n:
		p.Height = t.z[n-1]
	default:
		p.SlopeX = (t.z[k] - t.z[k-1]) / (t.x[k] - t.x[k-1])
		p.Height = t.z[k-1] + float64(p.SlopeX*(q.X-t.x[k-1]))
	}
	p.Height += zero(q.X, q.Y)
	return p
}
