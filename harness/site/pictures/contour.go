package main

// field is a quantity on a grid of places.
type field struct {
	columns, rows int
	z             func(column, row int) float64
	point         func(column, row float64) [2]float64 // between the points of the grid, too
}

// edge of a cell is from a point of the grid to the next one in its row, or in its column.
type edge struct {
	column, row int
	upwards     bool
}

// above returns the closed borders of the areas in which a field is at least a level, with the area on the left of its
// border. It uses marching squares on the grid and a ring around the grid with field values below any level. At saddles
// the parts above the level are not joined.
func (f *field) above(level float64) [][][2]float64 {
	next := map[edge]edge{}
	var order []edge
	for row := -1; row < f.rows; row++ {
		for column := -1; column < f.columns; column++ {
			corners := [4]bool{f.is(column, row, level), f.is(column+1, row, level), f.is(column+1, row+1, level),
				f.is(column, row+1, level)}
			edges := [4]edge{{column, row, false}, {column + 1, row, true}, {column, row + 1, false}, {column, row, true}}
			for k := range corners {
				if !corners[k] || corners[(k+1)%4] {
					continue
				}
				from := k // back to where the border came into what is above
				for corners[from] {
					from = (from + 3) % 4
				}
				next[edges[k]] = edges[from]
				order = append(order, edges[k])
			}
		}
	}
	var borders [][][2]float64
	for _, first := range order {
		var border [][2]float64
		for at := first; ; {
			to, is := next[at]
			if !is {
				break
			}
			delete(next, at)
			border = append(border, f.crossing(at, level))
			at = to
		}
		if len(border) > 2 {
			borders = append(borders, border)
		}
	}
	return borders
}

func (f *field) inside(column, row int) bool {
	return column >= 0 && row >= 0 && column < f.columns && row < f.rows
}

func (f *field) is(column, row int, level float64) bool {
	return f.inside(column, row) && f.z(column, row) >= level
}

// crossing is where the field has a level on an edge; on one that leaves the grid, at the point within.
func (f *field) crossing(e edge, level float64) [2]float64 {
	column, row := e.column+1, e.row
	if e.upwards {
		column, row = e.column, e.row+1
	}
	share := 0.0 // of the way to the second point
	switch first, second := f.inside(e.column, e.row), f.inside(column, row); {
	case !first:
		share = 1
	case second:
		a, b := f.z(e.column, e.row), f.z(column, row)
		share = (a - level) / (a - b)
	}
	return f.point(float64(e.column)+share*float64(column-e.column), float64(e.row)+share*float64(row-e.row))
}
