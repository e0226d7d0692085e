package expr

import (
	"strconv"
	"strings"
)

// Names are identifiers of symbols and definitions, no two alike.
type Names struct {
	of    map[*Expr]string
	taken map[string]int // how often a name was asked for
	order []*Expr
}

// NewNames returns an empty set, which gives out no reserved word.
func NewNames(reserved ...string) *Names {
	n := &Names{of: map[*Expr]string{}, taken: map[string]int{}}
	for _, word := range reserved {
		n.taken[word] = 1
	}
	return n
}

// Add gives a symbol or definition its identifier: the name with _ in place of other characters. From the second equal
// name on, a number follows.
func (n *Names) Add(e *Expr) {
	if n.of[e] == "" {
		n.of[e] = n.Identifier(e.name)
		n.order = append(n.order, e)
	}
}

// Definitions lists the definitions among the added expressions, in the order of addition.
func (n *Names) Definitions() []*Expr {
	var list []*Expr
	for _, e := range n.order {
		if e.kind == Definition {
			list = append(list, e)
		}
	}
	return list
}

// Identifier returns a new identifier like a name.
func (n *Names) Identifier(name string) string {
	name = identifier(name)
	for {
		n.taken[name]++
		k := n.taken[name]
		if k == 1 {
			return name
		}
		name += "_" + strconv.Itoa(k)
	}
}

// Of returns the identifier of a symbol or definition, or its name if it has not been added.
func (n *Names) Of(e *Expr) string {
	if name, is := n.of[e]; is {
		return name
	}
	return e.name
}

// longest leaves room for a number within the 63 characters of an identifier in m-code.
const longest = 56

// identifier reduces a name to letters, digits and _ of ASCII, with a letter first.
func identifier(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch {
		case r < 128 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'):
			b.WriteRune(r)
		default:
			b.WriteByte('_')
		}
	}
	text := strings.Trim(b.String(), "_")
	if len(text) > longest {
		text = text[:longest]
	}
	if text == "" || text[0] >= '0' && text[0] <= '9' {
		return "q_" + text
	}
	return text
}
