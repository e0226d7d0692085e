package formulate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/vehicle"
)

const (
	dependent = 1e-9 // what elimination leaves of a row of norm 1 that depends on others
	partaking = 1e-6 // least share of a row in a dependence
)

// DependentRows finds a small set of linearly dependent rows, by eliminations from both ends; nil for independent rows.
// Rows with NaN do not count, nor do rows of zeros, which inactive constraints have.
func DependentRows(rows [][]float64) (set []int) {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = i
	}
	for range 2 {
		for _, found := range dependences(rows, order) {
			if set == nil || len(found) < len(set) {
				set = found
			}
		}
		slices.Reverse(order)
	}
	slices.Sort(set)
	return set
}

// dependences lists a set for each row that depends on earlier rows: the earlier rows, then the row itself.
func dependences(rows [][]float64, order []int) (list [][]int) {
	type pivot struct {
		row, shares []float64
		column      int
	}
	var pivots []pivot
	for _, i := range order {
		size := 0.0
		for _, v := range rows[i] {
			size = math.Hypot(size, v)
		}
		if !(size > 0) {
			continue
		}
		next := pivot{make([]float64, len(rows[i])), make([]float64, len(rows)), 0}
		for k, v := range rows[i] {
			next.row[k] = v / size
		}
		next.shares[i] = 1
		for _, p := range pivots {
			factor := next.row[p.column] / p.row[p.column]
			for k, v := range p.row {
				next.row[k] -= factor * v
			}
			for k, v := range p.shares {
				next.shares[k] -= factor * v
			}
			next.row[p.column] = 0
		}
		for k, v := range next.row {
			if math.Abs(v) > math.Abs(next.row[next.column]) {
				next.column = k
			}
		}
		if math.Abs(next.row[next.column]) > dependent {
			pivots = append(pivots, next)
			continue
		}
		var set []int
		for k, v := range next.shares {
			if math.Abs(v) > partaking {
				set = append(set, k)
			}
		}
		list = append(list, set)
	}
	return list
}

// RedundantText tells of components whose constraints are redundant.
func RedundantText(names []string) string {
	return fmt.Sprintf("the constraints of %s are redundant: one of them follows from the others; leave one out, put a "+
		"bushing in place of one, or a ball joint in place of a hinge, or name the formulation %s in the tree",
		strings.Join(names, ", "), vehicle.UdwadiaKalaba)
}

// redundant lists the components of the smallest set of constraints that depend on each other at the start. A joint of
// the tree has no row; a component that repeats the constraints of such joints is listed with the joints of its loop.
func (f *Formulation) redundant(last int) (names []string) {
	set := []int{last}
	if rows := f.rowsAtStart(); slices.ContainsFunc(rows[last], func(v float64) bool { return v != 0 }) {
		if found := DependentRows(rows); found != nil {
			set = found
		}
	}
	for _, i := range set {
		if name := Constrainer(f.Constraints[i].Name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 1 {
		return names
	}
	loop, _ := graph.NewLinkage(f.Forest.Graph, "").Through(names[0])
	for _, joint := range loop.Joints {
		if !slices.Contains(names, joint) {
			names = append(names, joint)
		}
	}
	return names
}

// Constrainer is the component of a constraint.
func Constrainer(constraint string) string {
	name, _, _ := strings.Cut(constraint, ".")
	return name
}

// rowsAtStart are the rows of the constraints at the start of the file.
func (f *Formulation) rowsAtStart() (rows [][]float64) {
	f.starts(f.tree.Name == f.Model.Trees[0].Name)
	values := f.startValues()
	begin := expr.NewEvaluator(values)
	for _, q := range f.Coordinates {
		values[q.Symbol] = math.NaN()
		if q.Start != nil {
			values[q.Symbol] = begin.Value(q.Start)
		}
	}
	at := expr.NewEvaluator(values)
	for i := range f.Constraints {
		var row []float64
		for _, e := range f.Constraints[i].Row {
			row = append(row, at.Value(e))
		}
		rows = append(rows, row)
	}
	return rows
}
