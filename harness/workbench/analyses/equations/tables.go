package equations

import (
	"fmt"
	"io"
	"strings"

	"skidpad/model/curve"
	"skidpad/model/expr"
)

// tables lists the tables of look-ups in order, with distinct names.
type tables struct {
	list []expr.Table
	name map[expr.Table]string
}

// tablesOf finds the tables of expressions.
func tablesOf(roots []*expr.Expr, names *expr.Names) tables {
	t := tables{name: map[expr.Table]string{}}
	seen := map[*expr.Expr]bool{}
	var visit func(e *expr.Expr)
	visit = func(e *expr.Expr) {
		if seen[e] {
			return
		}
		seen[e] = true
		for _, a := range e.Args() {
			visit(a)
		}
		if table := e.Table(); table != nil && t.name[table] == "" {
			t.list = append(t.list, table)
			t.name[table] = names.Identifier("table_" + table.String())
		}
	}
	for _, r := range roots {
		visit(r)
	}
	return t
}

// isGrid reports whether a table counts its numbers up to the argument. Otherwise the argument is the place of a
// number.
func isGrid(t expr.Table) bool {
	_, is := t.(*curve.Grid)
	return is
}

// numbersOf lists the numbers of a column, or the points of a grid.
func numbersOf(t expr.Table) string {
	var values []float64
	switch t := t.(type) {
	case *curve.Grid:
		values = t.Points.Values
	case *curve.Column:
		values = t.Values
	default:
		panic("equations: unknown table " + t.String())
	}
	var list []string
	for _, x := range values {
		list = append(list, expr.ShortNumber(x))
	}
	return strings.Join(list, ", ")
}

// print lists the tables.
func (t *tables) print(w io.Writer) {
	if len(t.list) > 0 {
		fmt.Fprintln(w, "\ntables: of x, the count of numbers up to x; of i, number i, counted from 0, clamped to the ends")
	}
	for _, table := range t.list {
		argument := "i"
		if isGrid(table) {
			argument = "x"
		}
		fmt.Fprintf(w, "  %s(%s): %s\n", t.name[table], argument, numbersOf(table))
	}
}
