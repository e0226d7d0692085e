package graph

import (
	"slices"
	"strings"
	"testing"

	"skidpad/model/keys"
)

// network is a graph of electrical edges, each with a letter for its kind and its nodes: "c1 a b".
func network(converters map[string]*Converter, edges ...string) *Graph {
	kinds := map[byte]ScalarKind{'u': PotentialSource, 'c': Capacity, 'r': Affine, 'l': Inductance, 'i': FlowSource}
	g := &Graph{Nodes: []string{GroundFrame}}
	for _, text := range edges {
		w := strings.Fields(text)
		owner := &keys.Header{Name: w[0]}
		if of := converters[w[0]]; of != nil {
			g.AddScalars(owner, []ScalarEdge{
				{Name: "E1", Domain: Electrical, From: of.Load[0], To: of.Load[1], Kind: Port, Of: of},
				{Name: "E2", Domain: Electrical, From: of.Supply[0], To: of.Supply[1], Kind: Port, Of: of},
			})
			continue
		}
		e := ScalarEdge{Name: "E1", Domain: Electrical, From: w[1], To: w[2], Kind: kinds[w[0][0]]}
		if len(w) > 3 {
			e.Start = &keys.Scalar{}
		}
		g.AddScalars(owner, []ScalarEdge{e})
	}
	return g
}

// treeOf selects the electrical tree, as names without E1.
func treeOf(g *Graph, t Selection) (string, error) {
	f, err := Select(g, t)
	if err != nil {
		return "", err
	}
	var names []string
	for _, i := range f.Networks[0].Tree {
		names = append(names, g.Scalars[i].Owner.Name)
	}
	return strings.Join(names, " "), nil
}

func TestNormalTrees(t *testing.T) {
	free := func(load, supply [2]string) map[string]*Converter {
		return map[string]*Converter{"m": {Load: load, Supply: supply, Free: true}}
	}
	fixed := map[string]*Converter{"m": {Load: [2]string{"a", "ground"}, Supply: [2]string{"b", "ground"}}}
	for _, c := range []struct {
		name  string
		graph *Graph
		t     Selection
		tree  string
	}{
		{"ranks", network(nil, "l1 a ground", "r1 a b", "c1 b c", "u1 c ground", "r2 b ground"), Selection{}, "r1 c1 u1"},
		{"a capacity with a start is a branch", network(nil, "c1 a ground", "c2 a ground start"), Selection{}, "c2"},
		{"an inductance with a start is a chord", network(nil, "l1 a ground start", "l2 a ground", "i1 a ground"),
			Selection{}, "l2"},
		{"edges at the ground first", network(nil, "c1 a b", "c2 a ground", "c3 b ground", "l1 b c", "l2 c a"), Selection{},
			"c2 c3 l1"},
		{"preference", network(nil, "c1 a ground start", "c2 a ground"), Selection{Prefer: []string{"c2.E1"}}, "c2"},
		{"the first preference first", network(nil, "c1 a ground", "c2 a ground"),
			Selection{Prefer: []string{"c2.E1", "c1.E1"}}, "c2"},
		{"a capacity behind a converter", network(fixed, "m", "c1 a ground", "c2 b ground"), Selection{}, "c2"},
		{"division by a number", network(fixed, "m", "c1 a ground"), Selection{}, "c1"},
		{"no division by an input", network(free([2]string{"a", "ground"}, [2]string{"b", "ground"}), "m", "c1 a ground",
			"c2 b ground"), Selection{}, "c2"},
		// the drop of c2 is a sum of products once c1 is a branch, and known once c3 is one, too
		{"known late", network(map[string]*Converter{"m": {Load: [2]string{"b", "a"}, Supply: [2]string{"b", "ground"}}}, "m",
			"c1 a ground", "c2 b ground", "c3 b a"), Selection{Prefer: []string{"c1.E1"}}, "c2"},
		// c3 as the first branch leaves c1 and c6 products with the ratio; without it they are branches
		{"another order", network(free([2]string{"ground", "d"}, [2]string{"c", "ground"}), "m", "c1 b ground", "c3 d b",
			"c4 e b", "c6 b c", "l2 c ground", "l5 d ground", "l6 e ground"), Selection{Prefer: []string{"c3.E1"}}, "c1 c4 c6"},
	} {
		got, err := treeOf(c.graph, c.t)
		if err != nil || got != c.tree {
			t.Errorf("%s: %q, %v; want %q", c.name, got, err, c.tree)
		}
	}
}

// Trees that are not normal are refused.
func TestOtherTreesAreRefused(t *testing.T) {
	g := network(nil, "l1 a ground", "r1 a b", "c1 b ground", "i1 a ground", "r2 a ground")
	for _, c := range []struct {
		t       Selection
		message string
	}{
		{Selection{Scalar: [3][]string{{"l1.E1", "c1.E1"}}}, "needs 1"},
		{Selection{Forbid: []string{"c1.E1"}}, "of the kind of c1.E1, and needs 1"},
		{Selection{Scalar: [3][]string{{"r1.E1", "r2.E1", "c1.E1"}}}, "closes a loop"},
		{Selection{Scalar: [3][]string{{"i1.E1", "c1.E1"}}}, "must stay in the cotree"},
		{Selection{Scalar: [3][]string{{"c2.E1"}}}, "did you mean c1.E1?"},
	} {
		_, err := treeOf(g, c.t)
		if err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%+v: %v; want %q", c.t, err, c.message)
		}
	}
	for _, s := range []Selection{
		{Scalar: [3][]string{{"r2.E1", "c1.E1"}}}, {Scalar: [3][]string{{"c1.E1", "r1.E1"}}}, {Forbid: []string{"r1.E1"}},
	} {
		if tree, err := treeOf(g, s); err != nil || !slices.Contains([]string{"c1 r2", "r1 c1"}, tree) {
			t.Errorf("%+v: %q, %v", s, tree, err)
		}
	}
}
