package formulate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/graph"
)

// startForest is the forest in whose coordinates start values are given: the model's first tree, unless the file gives
// starts of edges outside of it. The starts of branches may follow from these. Edges without freedom are then ranked
// first, branches with starts next, and other edges with starts before edges without.
func startForest(g *graph.Graph, first *graph.Forest) (*graph.Forest, error) {
	chords := givenChords(g, first)
	if len(chords) == 0 {
		return first, nil
	}
	var led, rigid, given, others []string
	for d := graph.Translation; d <= graph.Rotation; d++ {
		for i := range g.Edges {
			switch e := &g.Edges[i]; {
			case e.Domain != d || !e.Selectable():
			case isCoordinateDriven(e):
				led = append(led, e.Name)
			case e.AcrossDimension() == 0:
				rigid = append(rigid, e.Name)
			}
		}
		for _, i := range first.Branch[d] {
			if startsOf(&g.Edges[i]) != nil {
				given = append(given, g.Edges[i].Name)
			} else {
				others = append(others, g.Edges[i].Name)
			}
		}
	}
	for _, i := range chords {
		given = append(given, g.Edges[i].Name)
	}
	forest, err := graph.Select(g, graph.Selection{Prefer: slices.Concat(led, rigid, given, others)})
	if err != nil {
		return nil, fmt.Errorf("start values: %w", err)
	}
	for d := range forest.Branch {
		if !slices.Equal(forest.Branch[d], first.Branch[d]) {
			return forest, nil
		}
	}
	return first, nil
}

// givenChords lists the chords of a forest whose start the file gives.
func givenChords(g *graph.Graph, forest *graph.Forest) []int {
	var list []int
	for d := graph.Translation; d <= graph.Rotation; d++ {
		for _, i := range forest.Chords(d) {
			if g.Edges[i].Selectable() && startsOf(&g.Edges[i]) != nil {
				list = append(list, i)
			}
		}
	}
	return list
}

// startsOf lists the coordinates and speeds of an edge with a start in the file, by their index in the edge; speeds
// come behind the coordinates. Differences from a design position are no starts here.
func startsOf(e *graph.Edge) map[int]graph.Coordinate {
	var list []graph.Coordinate
	switch s := &e.Space; {
	case s.Free != nil && s.Free.Design != nil && s.Free.Design.Relative:
		return nil
	case s.Free != nil:
		for _, k := range s.Free.Axes {
			list = append(list, s.Free.Coordinates[k])
		}
		for _, k := range s.Free.Axes {
			list = append(list, s.Free.Starts.Of[k])
		}
	case s.Guide == nil && s.Motion != nil && !s.Motion.Prescribed:
		list = []graph.Coordinate{s.Motion.Coordinate, s.Motion.Speed}
	}
	var given map[int]graph.Coordinate
	for i, c := range list {
		if c.Start.Pos.Line > 0 && !c.Start.Default {
			if given == nil {
				given = map[int]graph.Coordinate{}
			}
			given[i] = c
		}
	}
	return given
}

// agreeing checks that further starts in the file agree with the starts in the tree of starts: a contradiction names
// both values.
func (f *Formulation) agreeing(reference *Formulation, start map[*expr.Expr]*expr.Expr) {
	chords := givenChords(f.Forest.Graph, reference.Forest)
	if len(chords) == 0 {
		return
	}
	values := f.startValues()
	parameters := expr.NewEvaluator(values)
	for state, e := range start {
		values[state] = parameters.Value(e)
	}
	at := expr.NewEvaluator(values)
	for _, i := range chords {
		e := &f.Forest.Graph.Edges[i]
		q, v := reference.coordinatesOf(e, true)
		for k, follows := range slices.Concat(q, v) {
			c, given := startsOf(e)[k]
			if !given {
				continue
			}
			want := at.Value(follows)
			off := math.Abs(want - c.Start.Value)
			if c.Unit == "rad" {
				off = math.Abs(math.Remainder(off, 2*math.Pi))
			}
			sources := reference.startsBetween(e)
			if sources == "" || math.IsNaN(off) { // fixed to each other, or not a matter of numbers that the file has
				continue
			}
			if !(off <= f.Model.Solver.Tolerance*max(1, math.Abs(want))) {
				f.reject(c.Start.Pos, "the start of %s is %.9g %s, but %.9g %s follows from %s; correct one of them, or leave "+
					"this one out", c.Name, c.Start.Value, c.Unit, want+0, c.Unit, sources)
				return
			}
		}
	}
}

// startsBetween names the start values on the path of a chord, which decide about its motion: the given ones, or all if
// none is given. It is empty where the frames of the chord are fixed to each other.
func (f *Formulation) startsBetween(e *graph.Edge) string {
	var all, given []string
	for _, d := range []graph.Domain{e.Domain, graph.Rotation} {
		for _, s := range f.Forest.Path(d, e.Tail, e.Head) {
			name := f.Forest.Graph.Edges[s.Edge].Owner.Name
			if !slices.Contains(all, name) && f.Forest.Graph.Edges[s.Edge].AcrossDimension() > 0 {
				all = append(all, name)
			}
			for _, c := range sortedStarts(&f.Forest.Graph.Edges[s.Edge]) {
				text := fmt.Sprintf("%s = %s %s (line %d)", c.Name, c.Start.Text, c.Unit, c.Start.Pos.Line)
				if !slices.Contains(given, text) {
					given = append(given, text)
				}
			}
		}
	}
	switch {
	case len(given) > 0:
		return strings.Join(given[:min(len(given), 6)], ", ")
	case len(all) > 0:
		return "the starts of " + strings.Join(all, ", ") + ", which are 0"
	}
	return ""
}

// sortedStarts are the starts of an edge in their order.
func sortedStarts(e *graph.Edge) []graph.Coordinate {
	given := startsOf(e)
	var list []graph.Coordinate
	for i := range 6 {
		if c, found := given[i]; found {
			list = append(list, c)
		}
	}
	return list
}
