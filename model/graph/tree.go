package graph

import (
	"fmt"
	"slices"

	"skidpad/model/keys"
)

// Forest is a spanning tree in each domain.
type Forest struct {
	Graph  *Graph
	Branch [2][]int // edge indices by domain, in graph order
	// Networks are the electrical, the hydraulic and the thermal network; they may have no edges.
	Networks [3]*Network
	parent   [2][]step
	depth    [2][]int
}

// step leads from a node towards the ground: over Edge, along its direction
// (Forward) when the node is the edge's head.
type step struct {
	edge    int
	forward bool
}

// Selection says which edges the spanning trees should hold. Edge names are
// <component>.T1, <component>.R2 and so on.
type Selection struct {
	Prefer, Forbid []string // ranked first, or kept out of the tree
	Translation    []string // a complete translational tree, when not empty
	Rotation       []string // a complete rotational tree, when not empty
	// Scalar are complete electrical, hydraulic and thermal trees, when not empty.
	Scalar [3][]string
	Pos    keys.Position
}

// A SelectionError says why no tree could be selected.
type SelectionError struct {
	Position keys.Position
	Problem  string
}

func (e *SelectionError) Error() string {
	return fmt.Sprintf("%s:%d:%d: tree: %s", e.Position.File, e.Position.Line, e.Position.Column, e.Problem)
}

// Select returns the trees of a selection: complete trees as named, otherwise by Kruskal's algorithm. The algorithm
// ranks edges by preference, then across dimension, then file order (linear-graph specification, section 5).
func Select(g *Graph, t Selection) (*Forest, error) {
	f := &Forest{Graph: g}
	for d := Translation; d <= Rotation; d++ {
		if err := f.span(d, t); err != nil {
			return nil, &SelectionError{t.Pos, err.Error()}
		}
		f.orient(d)
	}
	if err := f.networks(t); err != nil {
		if fault, is := err.(*SelectionError); is {
			fault.Position = t.Pos
		}
		return nil, err
	}
	return f, nil
}

func (f *Forest) span(d Domain, t Selection) error {
	g := f.Graph
	complete := [...][]string{t.Translation, t.Rotation}[d]
	var order []int
	if len(complete) > 0 {
		for _, name := range complete {
			i := slices.IndexFunc(g.Edges, func(e Edge) bool { return e.Name == name })
			if i < 0 || g.Edges[i].Domain != d {
				return fmt.Errorf("no edge %s in the %s graph", name, d)
			}
			if !g.Edges[i].Selectable() {
				return fmt.Errorf("edge %s carries a law, a distance or a line and must stay in the cotree", name)
			}
			order = append(order, i)
		}
	} else {
		for i := range g.Edges {
			e := &g.Edges[i]
			if e.Domain == d && e.Selectable() && !slices.Contains(t.Forbid, e.Name) {
				order = append(order, i)
			}
		}
		slices.SortStableFunc(order, func(a, b int) int {
			return rank(&g.Edges[a], t.Prefer) - rank(&g.Edges[b], t.Prefer)
		})
	}
	sets := newDisjointSets(len(g.Nodes))
	for _, i := range order {
		e := &g.Edges[i]
		if sets.join(e.Tail, e.Head) {
			f.Branch[d] = append(f.Branch[d], i)
		} else if len(complete) > 0 {
			return fmt.Errorf("edge %s closes a loop in the %s tree", e.Name, d)
		}
	}
	slices.Sort(f.Branch[d])
	for n := range g.Nodes {
		if d == Rotation && f.pointOnly(n) {
			continue
		}
		if sets.find(n) != sets.find(Ground) {
			return fmt.Errorf("the %s tree does not reach frame %q; no edge that may be a branch leads there", d,
				g.Nodes[n])
		}
	}
	return nil
}

// pointOnly reports whether a node is the end of no rotational edge: the frame
// of a point mass has no orientation.
func (f *Forest) pointOnly(n int) bool {
	for i := range f.Graph.Edges {
		if e := &f.Graph.Edges[i]; e.Domain == Rotation && (e.Head == n || e.Tail == n) {
			return false
		}
	}
	return true
}

// rank orders edges for Kruskal's algorithm, lower first. First come the edges preferred by the user, then guides and
// edges led by a steering wheel, which must be branches. The rest follows by across dimension, late edges after equal
// ones.
func rank(e *Edge, prefer []string) int {
	if i := slices.Index(prefer, e.Name); i >= 0 {
		return i - len(prefer)
	}
	if e.Space.Guide != nil || e.Space.Motion != nil && e.Space.Motion.Lead != nil {
		return 0
	}
	r := 1 + 2*e.AcrossDimension()
	if e.Late {
		r++
	}
	return r
}

// orient finds the way from each node to the ground.
func (f *Forest) orient(d Domain) {
	g := f.Graph
	f.parent[d] = make([]step, len(g.Nodes))
	f.depth[d] = make([]int, len(g.Nodes))
	for n := range g.Nodes {
		f.parent[d][n].edge = -1
	}
	reached := []int{Ground}
	done := make([]bool, len(g.Nodes))
	done[Ground] = true
	for k := 0; k < len(reached); k++ {
		n := reached[k]
		for _, i := range f.Branch[d] {
			e := &g.Edges[i]
			next, forward := e.Head, true
			if e.Head == n {
				next, forward = e.Tail, false
			} else if e.Tail != n {
				continue
			}
			if !done[next] {
				done[next] = true
				f.parent[d][next] = step{i, forward}
				f.depth[d][next] = f.depth[d][n] + 1
				reached = append(reached, next)
			}
		}
	}
}

// Step returns the branch that leads from node n towards the ground and whether
// n is its head; edge -1 for the ground itself.
func (f *Forest) Step(d Domain, n int) (edge int, forward bool) {
	s := f.parent[d][n]
	return s.edge, s.forward
}

// Parent returns the next node on the way to the ground.
func (f *Forest) Parent(d Domain, n int) int {
	s := f.parent[d][n]
	if s.forward {
		return f.Graph.Edges[s.edge].Tail
	}
	return f.Graph.Edges[s.edge].Head
}

// Depth returns the number of branches between n and the ground.
func (f *Forest) Depth(d Domain, n int) int { return f.depth[d][n] }

// Chords lists the edges of a domain that are not branches.
func (f *Forest) Chords(d Domain) []int {
	var chords []int
	for i := range f.Graph.Edges {
		if f.Graph.Edges[i].Domain == d && !slices.Contains(f.Branch[d], i) {
			chords = append(chords, i)
		}
	}
	return chords
}

// Signed is an edge passed along (+1) or against (-1) its direction.
type Signed struct{ Edge, Sign int }

// Path lists the branches from one node to another: the across variable of
// `to` relative to `from` is the signed sum over them.
func (f *Forest) Path(d Domain, from, to int) []Signed {
	var up, down []Signed
	for a, b := from, to; a != b; {
		if f.depth[d][a] >= f.depth[d][b] {
			s := f.parent[d][a]
			up = append(up, Signed{s.edge, sign(!s.forward)})
			a = f.Parent(d, a)
		} else {
			s := f.parent[d][b]
			down = append(down, Signed{s.edge, sign(s.forward)})
			b = f.Parent(d, b)
		}
	}
	slices.Reverse(down)
	return append(up, down...)
}

func sign(positive bool) int {
	if positive {
		return 1
	}
	return -1
}

// Circuits returns Bf, one row per chord and one column per branch:
// x_chord = -Bf x_branch.
func (f *Forest) Circuits(d Domain) [][]int {
	var rows [][]int
	for _, c := range f.Chords(d) {
		row := make([]int, len(f.Branch[d]))
		e := &f.Graph.Edges[c]
		for _, s := range f.Path(d, e.Tail, e.Head) {
			row[slices.Index(f.Branch[d], s.Edge)] = -s.Sign
		}
		rows = append(rows, row)
	}
	return rows
}

// Cutsets returns A, one row per branch and one column per chord, found by
// removing the branch and looking which chords cross the cut: y_branch = -A y_chord.
func (f *Forest) Cutsets(d Domain) [][]int {
	g := f.Graph
	chords := f.Chords(d)
	rows := make([][]int, len(f.Branch[d]))
	for i, b := range f.Branch[d] {
		sets := newDisjointSets(len(g.Nodes))
		for _, other := range f.Branch[d] {
			if other != b {
				sets.join(g.Edges[other].Tail, g.Edges[other].Head)
			}
		}
		rows[i] = make([]int, len(chords))
		headSide := sets.find(g.Edges[b].Head)
		for j, c := range chords {
			head := sets.find(g.Edges[c].Head) == headSide
			tail := sets.find(g.Edges[c].Tail) == headSide
			switch {
			case head && !tail:
				rows[i][j] = 1
			case tail && !head:
				rows[i][j] = -1
			}
		}
	}
	return rows
}

// disjointSets is the union-find structure of Kruskal's algorithm.
type disjointSets []int

func newDisjointSets(n int) disjointSets {
	s := make(disjointSets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

func (s disjointSets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join merges the sets of a and b and reports whether they were different.
func (s disjointSets) join(a, b int) bool {
	a, b = s.find(a), s.find(b)
	s[a] = b
	return a != b
}
