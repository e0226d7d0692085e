package reduction

import (
	"strconv"

	"skidpad/model/document"
)

// node is a table that is made.
type node struct{ *document.Node }

func table() *node {
	return &node{&document.Node{Kind: document.Table, Fields: map[string]*document.Node{}}}
}

func (n *node) put(key string, value *document.Node) *node {
	if n.Fields[key] == nil {
		n.Keys = append(n.Keys, key)
	}
	n.Fields[key] = value
	return n
}

func text(s string) *document.Node { return &document.Node{Kind: document.Text, Text: s} }

func list(items ...*document.Node) *document.Node {
	return &document.Node{Kind: document.List, Items: items}
}

func words(list ...string) *document.Node {
	n := &document.Node{Kind: document.List}
	for _, s := range list {
		n.Items = append(n.Items, text(s))
	}
	return n
}

func numeral(x float64) *document.Node {
	return &document.Node{Kind: document.Number, Number: x, Text: strconv.FormatFloat(x, 'g', -1, 64)}
}

func vector(x [3]float64) *document.Node {
	n := &document.Node{Kind: document.List}
	for _, v := range x {
		n.Items = append(n.Items, numeral(trimmed(v)))
	}
	return n
}

// inertiaTable is an inertia matrix with its products.
func inertiaTable(j [3][3]float64) *document.Node {
	t := table()
	for i, key := range []string{"xx", "yy", "zz"} {
		t.put(key, numeral(trimmed(j[i][i])))
	}
	for _, x := range []struct {
		key  string
		i, k int
	}{{"xy", 0, 1}, {"xz", 0, 2}, {"yz", 1, 2}} {
		if product := trimmed(-j[x.i][x.k]); product != 0 {
			t.put(x.key, numeral(product))
		}
	}
	return t.Node
}
