package program

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"skidpad/model/expr"
)

// plainly shares pairs by the definition: it counts all pairs and replaces the most frequent pair, until no pair occurs
// twice.
func plainly(g *graph, live []int32, f form) {
	s := &sharing{g: g, form: f}
	replaced := map[pair]bool{}
	for {
		counts, most := map[pair]int32{}, int32(1)
		var best pair
		for _, i := range live {
			if g.nodes[i].form != f {
				continue
			}
			for _, o := range s.pairs(g.nodes[i].operands) {
				counts[o.pair] += o.count
			}
		}
		for p, n := range counts {
			if !replaced[p] && (n > most || n == most && n > 1 && p < best) {
				best, most = p, n
			}
		}
		if most < 2 {
			return
		}
		replaced[best] = true
		fresh := g.intern(node{form: f}, ref{node: best.a()}, ref{node: best.b(), neg: best.opposite()})
		for _, i := range live {
			if i != fresh.node && g.nodes[i].form == f {
				s.substitute(&g.nodes[i].operands, best, fresh)
			}
		}
	}
}

// The queue of pairs finds the same pairs as repeated counting of all pairs.
func TestPairsAreSharedByFrequency(t *testing.T) {
	for seed := range uint64(60) {
		for _, f := range []form{sumForm, productForm} {
			var graphs [2]*graph
			var live []int32
			for k := range graphs {
				r := rand.New(rand.NewPCG(seed, uint64(f)))
				pool := expr.NewPool()
				g := newGraph(pool, 0)
				graphs[k], live = g, nil
				var leaves []ref
				for n := range 9 {
					leaves = append(leaves, g.lower(pool.Sym(fmt.Sprintf("x%d", n), expr.State)))
				}
				for n := range 3 { // pairs that are operands themselves, beside their own operands
					x := g.intern(node{form: f}, leaves[2*n], leaves[2*n+1])
					leaves, live = append(leaves, x), append(live, x.node)
				}
				for range 40 {
					var operands []ref
					for _, n := range r.Perm(len(leaves))[:2+r.IntN(6)] {
						x := leaves[n]
						if f == sumForm {
							x.neg = r.IntN(2) == 0
						} else if r.IntN(9) == 0 { // a square
							operands = append(operands, x)
						}
						operands = append(operands, x)
					}
					sortRefs(operands)
					if i := g.intern(node{form: f}, operands...).node; !slices.Contains(live, i) {
						live = append(live, i)
					}
				}
			}
			slices.Sort(live)
			graphs[0].sharePairs(live, f)
			plainly(graphs[1], live, f)
			for i := range graphs[1].nodes {
				if i >= len(graphs[0].nodes) || !slices.Equal(graphs[0].nodes[i].operands, graphs[1].nodes[i].operands) {
					t.Fatalf("seed %d, form %d: node %d differs", seed, f, i)
				}
			}
			for i, n := range graphs[0].nodes {
				if !slices.IsSortedFunc(n.operands, func(x, y ref) int { return int(x.node) - int(y.node) }) {
					t.Fatalf("seed %d, form %d: operands of node %d are not in order: %v", seed, f, i, n.operands)
				}
			}
			if len(graphs[0].nodes) != len(graphs[1].nodes) {
				t.Fatalf("seed %d, form %d: %d nodes, not %d", seed, f, len(graphs[0].nodes), len(graphs[1].nodes))
			}
		}
	}
}

// A power contains as many disjoint squares as fit into it. A pair of its base with another operand counts as often as
// the base occurs.
func TestPairsOfPowers(t *testing.T) {
	for n := 2; n <= 9; n++ {
		operands := make([]ref, n, n+1)
		for k := range operands {
			operands[k] = ref{node: 3}
		}
		got := (&sharing{}).pairs(append(operands, ref{node: 8}))
		want := []occurrence{{pairOf(operands[0], operands[0]), int32(n / 2)}, {pairOf(operands[0], ref{node: 8}), int32(n)}}
		if !slices.Equal(got, want) {
			t.Errorf("power %d: %v, not %v", n, got, want)
		}
	}
}

// Beyond longestPairs operands, pairs are neighbours; the queue counts them like plainly, also if a sum becomes shorter
// than longestPairs.
func TestPairsOfLongSums(t *testing.T) {
	var graphs [2]*graph
	var live []int32
	for k := range graphs {
		r := rand.New(rand.NewPCG(5, 6))
		pool := expr.NewPool()
		g := newGraph(pool, 0)
		graphs[k], live = g, nil
		var leaves []ref
		for n := range 80 {
			leaves = append(leaves, g.lower(pool.Sym(fmt.Sprintf("x%d", n), expr.State)))
		}
		for range 6 {
			var operands []ref
			for _, n := range r.Perm(80)[:longestPairs-1+r.IntN(6)] {
				operands = append(operands, leaves[n])
			}
			sortRefs(operands)
			live = append(live, g.intern(node{form: sumForm}, operands...).node)
		}
	}
	slices.Sort(live)
	graphs[0].sharePairs(live, sumForm)
	plainly(graphs[1], live, sumForm)
	if len(graphs[0].nodes) != len(graphs[1].nodes) {
		t.Fatalf("%d nodes, not %d", len(graphs[0].nodes), len(graphs[1].nodes))
	}
	for i := range graphs[1].nodes {
		if !slices.Equal(graphs[0].nodes[i].operands, graphs[1].nodes[i].operands) {
			t.Fatalf("node %d differs", i)
		}
	}
}

func TestExtendedListsKeepTheirContent(t *testing.T) {
	list := extended([]int{1, 2}, 5)
	list[4] = 7
	if longer := extended(list, 6); !slices.Equal(longer, []int{1, 2, 0, 0, 7, 0}) {
		t.Errorf("the list is %v", longer)
	}
	if same := extended(list, 3); !slices.Equal(same, []int{1, 2, 0, 0, 7}) {
		t.Errorf("the list is %v", same)
	}
}
