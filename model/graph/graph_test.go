package graph

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// randomGraph is a connected graph of n nodes and m edges in the translational domain.
func randomGraph(r *rand.Rand, n, m int) *Graph {
	g := &Graph{}
	for i := range n {
		g.Nodes = append(g.Nodes, fmt.Sprint("n", i))
	}
	for i := range m {
		e := Edge{Name: fmt.Sprint("e", i), Domain: Translation, Space: Space{}}
		if i < n-1 { // a random spanning tree first, so that the graph is connected
			e.Tail, e.Head = r.IntN(i+1), i+1
		} else {
			e.Tail, e.Head = r.IntN(n), r.IntN(n)
		}
		if r.IntN(2) == 0 {
			e.Tail, e.Head = e.Head, e.Tail
		}
		g.Edges = append(g.Edges, e)
	}
	r.Shuffle(m, func(i, j int) { g.Edges[i], g.Edges[j] = g.Edges[j], g.Edges[i] })
	for i := range n { // rotation needs a tree too; here it is rigid
		if i > 0 {
			g.Edges = append(g.Edges, Edge{Name: fmt.Sprint("r", i), Domain: Rotation, Tail: 0, Head: i})
		}
	}
	return g
}

// linear-graph.md, section 14, item 1.
func TestCutsetMatrixIsMinusTransposedCircuitMatrix(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		n := 2 + r.IntN(12)
		g := randomGraph(r, n, n-1+r.IntN(15))
		var prefer []string
		for _, i := range r.Perm(len(g.Edges)) {
			prefer = append(prefer, g.Edges[i].Name)
		}
		f, err := Select(g, Selection{Prefer: prefer})
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Branch[Translation]) != n-1 {
			t.Fatalf("%d branches for %d nodes", len(f.Branch[Translation]), n)
		}
		a, b := f.Cutsets(Translation), f.Circuits(Translation)
		for i := range a {
			for j := range b {
				if a[i][j] != -b[j][i] {
					t.Fatalf("A[%d][%d] = %d, Bf[%d][%d] = %d", i, j, a[i][j], j, i, b[j][i])
				}
			}
		}
	}
}

func TestWrongTreesAreRejectedByEdge(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	g := randomGraph(r, 3, 4)
	g.Edges[0].Tail, g.Edges[0].Head = 0, 1
	g.Edges[1].Tail, g.Edges[1].Head = 1, 0
	g.Edges[2].Tail, g.Edges[2].Head = 1, 2
	name := func(i int) string { return g.Edges[i].Name }
	for _, c := range []struct {
		tree []string
		want string
	}{
		{[]string{name(0), name(1)}, "edge " + name(1) + " closes a loop"},
		{[]string{name(0)}, `does not reach frame "n2"`},
		{[]string{"nothing"}, "no edge nothing"},
	} {
		_, err := Select(g, Selection{Translation: c.tree})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("tree %v: error %v, want %q", c.tree, err, c.want)
		}
	}
}
