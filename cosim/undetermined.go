package cosim

import (
	"math"
	"slices"
	"strings"

	"skidpad/model/program"
)

// open is the least component of an undetermined reaction in a self-equilibrated state with one multiplier of 1.
const open = 1e-6

// undetermined names the components of reactions that redundant constraints leave undetermined at the start.
func (in notes) undetermined() []notice {
	p := in.sys.program
	if len(p.Shared) == 0 {
		return nil
	}
	side := in.machine.Side(program.Redundancy)
	side.Evaluate(in.x[:len(p.States)], in.continued, nil)
	width := p.Speeds + len(p.Shared)
	rows := make([][]float64, p.Constraints)
	for i := range rows {
		for k := range width {
			rows[i] = append(rows[i], side.Value(i*width+k))
		}
	}
	var names []string
	for _, of := range selfEquilibrated(rows, p.Speeds) {
		for k, x := range of {
			if name := p.Shared[k]; math.Abs(x) > open && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	if names == nil {
		return nil
	}
	slices.SortFunc(names, func(a, b string) int { return slices.Index(p.Shared, a) - slices.Index(p.Shared, b) })
	return warnings(reactionsRule, "redundant constraints leave these reactions undetermined: "+
		strings.Join(names, ", ")+"; the published reactions have the least norm, and their sums are right; elastic "+
		"elements, such as bushings in place of joints, would determine them")
}

// selfEquilibrated eliminates the first columns of a matrix from its rows, with the largest pivots. Where the first
// columns of a row vanish, the other columns are the reactions of a state that moves nothing.
func selfEquilibrated(rows [][]float64, columns int) (left [][]float64) {
	size := 1.0
	for _, row := range rows {
		for _, x := range row[:columns] {
			size = max(size, math.Abs(x))
		}
	}
	for done := range rows {
		i, k := largest(rows[done:], columns)
		i += done
		if k < 0 || !(math.Abs(rows[i][k]) > open*size) {
			for _, row := range rows[done:] {
				left = append(left, row[columns:])
			}
			return left
		}
		rows[done], rows[i] = rows[i], rows[done]
		for _, row := range rows[done+1:] {
			factor := row[k] / rows[done][k]
			for n, x := range rows[done] {
				row[n] -= factor * x
			}
		}
	}
	return nil
}

// largest returns the position of the largest element in the first columns, with k = -1 for none.
func largest(rows [][]float64, columns int) (i, k int) {
	most := 0.0
	k = -1
	for n, row := range rows {
		for c, x := range row[:columns] {
			if math.Abs(x) > most {
				most, i, k = math.Abs(x), n, c
			}
		}
	}
	return i, k
}
