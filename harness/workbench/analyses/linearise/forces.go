package linearise

import (
	"fmt"
	"io"
	"math"
	"slices"

	"skidpad/harness/workbench/results/trace"
)

// ForcesTable has a row for each value: the value, and the reactions of its steady motion. Reactions are the force [N]
// and the moment [N m] on the head of each joint, arm, rod and contact, along x, y and z of ground.
func (l *Result) ForcesTable() *trace.Table {
	t := &trace.Table{Columns: []string{l.Varied.Name}}
	for _, r := range l.Reactions[0] {
		for _, quantity := range []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz"} {
			t.Columns = append(t.Columns, r.Name+"."+quantity)
		}
	}
	for i, list := range l.Reactions {
		row := []float64{l.Varied.Values[i]}
		for _, r := range list {
			row = append(append(row, r.Force[:]...), r.Moment[:]...)
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// PrintForces prints the reactions of a single value.
func (l *Result) PrintForces(to io.Writer) {
	if len(l.Reactions) != 1 {
		return
	}
	fmt.Fprintln(to, "reactions, force and moment on the frame named first, at its origin, along x, y, z of ground, N "+
		"and N m:")
	for _, r := range l.Reactions[0] {
		fmt.Fprintf(to, "%24s %-28s", r.Name, r.Head+" from "+r.Tail)
		for _, x := range slices.Concat(r.Force[:], r.Moment[:]) {
			fmt.Fprintf(to, " %12.6f", math.Round(x*1e6)/1e6+0) // without -0
		}
		fmt.Fprintln(to)
	}
}

// forcesJSON are the reactions of a value by the names of the table; nil where they are not wanted.
func (l *Result) forcesJSON(i int) map[string]float64 {
	if !l.Forces {
		return nil
	}
	t, all := l.ForcesTable(), map[string]float64{}
	for k, name := range t.Columns[1:] {
		all[name] = t.Rows[i][k+1]
	}
	return all
}
