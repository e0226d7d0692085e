package program

import (
	"math/bits"

	"skidpad/model/expr"
)

// The intermediate representation between expressions and straight-line code: a hash-consed graph of sums and products
// of any number of operands. References carry signs, definitions are expanded, and all parameter-only work is
// collected.

type form uint8

const (
	leafForm     form = iota // a symbol; value is its index among the leaves
	constantForm             // an exact number
	sumForm                  // signed operands
	productForm              // unsigned operands, repeated for powers
	quotientForm             // operands[0]/operands[1]
	callForm                 // fn of one or two operands
)

// ref is a node or its negative.
type ref struct {
	node int32
	neg  bool
}

type node struct {
	form     form
	fn       expr.Fn
	leaf     int32
	number   expr.Rational
	table    expr.Table // of a look-up
	operands []ref
	role     expr.Role // union of the roles of symbols below
}

type graph struct {
	pool   *expr.Pool
	nodes  []node
	hashes []uint64 // by node, at its creation
	index  []int32  // a hash table of nodes, -1 for none; a power of two long
	memo   []ref    // by identifier of an expression: its node, counted from 1; 0 before lowering
	groups []int32  // by identifier of an expression: its group in the current sum, counted from 1; 0 for none
	leaves []*expr.Expr
	one    ref
	room   []ref // for operands of future nodes
}

// newGraph returns a graph with room for about the given number of nodes.
func newGraph(pool *expr.Pool, about int) *graph {
	g := &graph{pool: pool, nodes: make([]node, 0, about), hashes: make([]uint64, 0, about)}
	g.grow(1 << bits.Len(uint(2*about+1)))
	g.one = g.constant(expr.Integer(1))
	return g
}

func mix(h, v uint64) uint64 {
	h ^= v + 0x9e3779b97f4a7c15 + h<<6 + h>>2
	h *= 0xff51afd7ed558ccd
	return h ^ h>>32
}

// intern returns the node of n with operands, and creates it if it is new.
func (g *graph) intern(n node, operands ...ref) ref {
	h := mix(uint64(n.form)<<8|uint64(n.fn), uint64(n.leaf))
	if n.form == constantForm {
		for _, c := range n.number.String() {
			h = mix(h, uint64(c))
		}
	}
	for _, o := range operands {
		v := uint64(o.node) << 1
		if o.neg {
			v |= 1
		}
		h = mix(h, v)
	}
	at := h & uint64(len(g.index)-1)
	for ; g.index[at] >= 0; at = (at + 1) & uint64(len(g.index)-1) {
		if i := g.index[at]; g.hashes[i] == h && g.equal(&g.nodes[i], &n, operands) {
			return ref{node: i}
		}
	}
	for _, o := range operands {
		n.role |= g.nodes[o.node].role
	}
	n.operands = g.kept(operands)
	i := int32(len(g.nodes))
	g.nodes, g.hashes = append(g.nodes, n), append(g.hashes, h)
	g.index[at] = i
	if 2*len(g.nodes) > len(g.index) {
		g.grow(4 * len(g.index))
	}
	return ref{node: i}
}

// kept returns a permanent copy of operands.
func (g *graph) kept(operands []ref) []ref {
	n := len(operands)
	if n > len(g.room) {
		g.room = make([]ref, max(n, 1<<12))
	}
	room := g.room[:n:n]
	g.room = g.room[n:]
	copy(room, operands)
	return room
}

// grow resizes the hash table of nodes to length n.
func (g *graph) grow(n int) {
	g.index = make([]int32, n)
	for at := range g.index {
		g.index[at] = -1
	}
	for i, h := range g.hashes {
		at := h & uint64(n-1)
		for ; g.index[at] >= 0; at = (at + 1) & uint64(n-1) {
		}
		g.index[at] = int32(i)
	}
}

func (g *graph) equal(a, b *node, operands []ref) bool {
	if a.form != b.form || a.fn != b.fn || a.table != b.table || a.leaf != b.leaf || len(a.operands) != len(operands) {
		return false
	}
	if a.form == constantForm && !a.number.Equal(b.number) {
		return false
	}
	for i := range a.operands {
		if a.operands[i] != operands[i] {
			return false
		}
	}
	return true
}

func (g *graph) constant(r expr.Rational) ref {
	if r.Sign() < 0 {
		x := g.intern(node{form: constantForm, number: r.Neg()})
		x.neg = true
		return x
	}
	return g.intern(node{form: constantForm, number: r})
}

func (g *graph) isOne(r ref) bool { return r == g.one }

// lower returns the node of an expression.
func (g *graph) lower(e *expr.Expr) ref {
	if r := g.lowered(e); r.node >= 0 {
		return r
	}
	var r ref
	switch e.Kind() {
	case expr.Number:
		r = g.constant(e.Value())
	case expr.Symbol:
		g.leaves = append(g.leaves, e)
		r = g.intern(node{form: leafForm, leaf: int32(len(g.leaves)), role: e.Role()})
	case expr.Definition:
		r = g.lower(e.Args()[0])
	case expr.Call:
		var operands [2]ref
		for i, a := range e.Args() {
			operands[i] = g.lower(a)
		}
		r = g.intern(node{form: callForm, fn: e.Fn(), table: e.Table()}, operands[:len(e.Args())]...)
	case expr.Product:
		r = g.lowerProduct(e)
	case expr.Sum:
		r = g.lowerSum(e)
	}
	g.memo[e.ID()] = ref{r.node + 1, r.neg}
	return r
}

// lowered returns the node of a lowered expression, a negative number for other expressions.
func (g *graph) lowered(e *expr.Expr) ref {
	g.memo = extended(g.memo, g.pool.Len())
	r := g.memo[e.ID()]
	return ref{r.node - 1, r.neg}
}

// extended returns a list of at least length n: the old list, then zeros.
func extended[T any](list []T, n int) []T {
	if n <= len(list) {
		return list
	}
	if n > cap(list) { // a quarter more, because expressions come one by one
		longer := make([]T, len(list), n+n/4)
		copy(longer, list)
		list = longer
	}
	return list[:n]
}

// split separates a product into its parameter-only part and the rest.
func (g *graph) split(e *expr.Expr) (constant, rest *expr.Expr) {
	p := g.pool
	if e.Constant() {
		return e, p.Int(1)
	}
	if e.Kind() != expr.Product {
		return p.Int(1), e
	}
	constant, rest = p.Int(1), p.Int(1)
	mixed := false
	for i, b := range e.Args() {
		if b.Constant() {
			constant = p.Mul(constant, p.Pow(b, e.Powers()[i]))
			mixed = true
		}
	}
	if !mixed {
		return constant, e
	}
	for i, b := range e.Args() {
		if !b.Constant() {
			rest = p.Mul(rest, p.Pow(b, e.Powers()[i]))
		}
	}
	return constant, rest
}

func (g *graph) lowerProduct(e *expr.Expr) ref {
	if !e.Constant() {
		if c, rest := g.split(e); !c.IsOne() {
			return g.times(g.lower(c), g.lower(rest))
		}
	}
	var few, fewBelow [8]ref
	above, below := few[:0], fewBelow[:0]
	for i, b := range e.Args() {
		r, n := g.lower(b), e.Powers()[i]
		for ; n > 0; n-- {
			above = append(above, r)
		}
		for ; n < 0; n++ {
			below = append(below, r)
		}
	}
	top := g.product(above)
	if len(below) == 0 {
		return top
	}
	bottom := g.product(below)
	q := g.intern(node{form: quotientForm}, ref{node: top.node}, ref{node: bottom.node})
	q.neg = top.neg != bottom.neg
	return q
}

func (g *graph) times(a, b ref) ref {
	factors := [...]ref{a, b}
	return g.product(factors[:])
}

// product flattens nested products, collects signs and drops ones.
func (g *graph) product(factors []ref) ref {
	neg := false
	var few [16]ref
	flat := few[:0]
	for _, f := range factors {
		neg = neg != f.neg
		f.neg = false
		switch n := &g.nodes[f.node]; {
		case g.isOne(f):
		case n.form == productForm && n.role&^expr.Parameter != 0:
			flat = append(flat, n.operands...)
		default:
			flat = append(flat, f)
		}
	}
	var r ref
	switch len(flat) {
	case 0:
		r = g.one
	case 1:
		r = flat[0]
	default:
		sortRefs(flat)
		r = g.intern(node{form: productForm}, flat...)
	}
	r.neg = r.neg != neg
	return r
}

// lowerSum groups terms that differ only in parameter-only factors: a X + b X becomes (a + b) X, and a + b is computed
// once per parameter change.
func (g *graph) lowerSum(e *expr.Expr) ref {
	p := g.pool
	if e.Constant() {
		return g.plainSum(e)
	}
	constant := []*expr.Expr{p.Num(e.Value())}
	var few [16]group
	groups := few[:0]
	for i, t := range e.Args() {
		c, rest := g.split(t)
		c = p.Scale(e.Coefficients()[i], c)
		if rest.IsOne() {
			constant = append(constant, c)
			continue
		}
		g.groups = extended(g.groups, p.Len())
		at := g.groups[rest.ID()]
		if at == 0 {
			groups = append(groups, group{rest: rest, factor: c})
			g.groups[rest.ID()] = int32(len(groups))
			continue
		}
		groups[at-1].more = append(groups[at-1].more, c)
	}
	for i := range groups {
		g.groups[groups[i].rest.ID()] = 0
	}
	var fewTerms [16]ref
	terms := fewTerms[:0]
	if c := p.Add(constant...); !c.IsZero() {
		terms = append(terms, g.lower(c))
	}
	for _, x := range groups {
		c := x.factor
		if len(x.more) > 0 {
			c = p.Add(append(x.more, c)...)
		}
		if !c.IsZero() {
			terms = append(terms, g.times(g.lower(c), g.lower(x.rest)))
		}
	}
	return g.sum(terms)
}

// group is a term of a sum with its factors: rest times factor, plus rest times each of more.
type group struct {
	rest, factor *expr.Expr
	more         []*expr.Expr
}

func (g *graph) plainSum(e *expr.Expr) ref {
	var terms []ref
	if !e.Value().IsZero() {
		terms = append(terms, g.constant(e.Value()))
	}
	for i, t := range e.Args() {
		terms = append(terms, g.times(g.constant(e.Coefficients()[i]), g.lower(t)))
	}
	return g.sum(terms)
}

// sum sorts terms and interns their sum. The first term in order becomes positive, so that a sum and its negative share
// a node.
func (g *graph) sum(terms []ref) ref {
	switch len(terms) {
	case 0:
		return g.constant(expr.Rational{})
	case 1:
		return terms[0]
	}
	sortRefs(terms)
	neg := terms[0].neg
	if neg {
		for i := range terms {
			terms[i].neg = !terms[i].neg
		}
	}
	r := g.intern(node{form: sumForm}, terms...)
	r.neg = neg
	return r
}

// takesTwo reports whether an operation has two operands.
func takesTwo(op Op) bool {
	return op <= opDiv || op >= opCall+Op(expr.Atan2)
}
