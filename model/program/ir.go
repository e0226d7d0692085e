package program

import (
	"skidpad/model/expr"
)

// The intermediate representation between expressions and straight-line code: a
// hash-consed graph of sums and products of any number of operands, in which
// signs are carried by references, definitions have dissolved, and everything
// that depends on parameters only has been collected.

type form uint8

const (
	leafForm     form = iota // a symbol; value is its number among the builder's leaves
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
	index  map[uint64][]int32
	memo   map[*expr.Expr]ref
	leaves []*expr.Expr
	one    ref
}

func newGraph(pool *expr.Pool) *graph {
	g := &graph{pool: pool, index: map[uint64][]int32{}, memo: map[*expr.Expr]ref{}}
	g.one = g.constant(expr.Integer(1))
	return g
}

func mix(h, v uint64) uint64 {
	h ^= v + 0x9e3779b97f4a7c15 + h<<6 + h>>2
	h *= 0xff51afd7ed558ccd
	return h ^ h>>32
}

func (g *graph) intern(n node) ref {
	h := mix(uint64(n.form)<<8|uint64(n.fn), uint64(n.leaf))
	if n.form == constantForm {
		for _, c := range n.number.String() {
			h = mix(h, uint64(c))
		}
	}
	for _, o := range n.operands {
		v := uint64(o.node) << 1
		if o.neg {
			v |= 1
		}
		h = mix(h, v)
	}
	for _, i := range g.index[h] {
		if g.equal(&g.nodes[i], &n) {
			return ref{node: i}
		}
	}
	for _, o := range n.operands {
		n.role |= g.nodes[o.node].role
	}
	g.nodes = append(g.nodes, n)
	i := int32(len(g.nodes) - 1)
	g.index[h] = append(g.index[h], i)
	return ref{node: i}
}

func (g *graph) equal(a, b *node) bool {
	if a.form != b.form || a.fn != b.fn || a.table != b.table || a.leaf != b.leaf || len(a.operands) != len(b.operands) {
		return false
	}
	if a.form == constantForm && !a.number.Equal(b.number) {
		return false
	}
	for i := range a.operands {
		if a.operands[i] != b.operands[i] {
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
	if r, ok := g.memo[e]; ok {
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
		operands := make([]ref, len(e.Args()))
		for i, a := range e.Args() {
			operands[i] = g.lower(a)
		}
		r = g.intern(node{form: callForm, fn: e.Fn(), table: e.Table(), operands: operands})
	case expr.Product:
		r = g.lowerProduct(e)
	case expr.Sum:
		r = g.lowerSum(e)
	}
	g.memo[e] = r
	return r
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
	var above, below []ref
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
	q := g.intern(node{form: quotientForm, operands: []ref{{node: top.node}, {node: bottom.node}}})
	q.neg = top.neg != bottom.neg
	return q
}

func (g *graph) times(a, b ref) ref { return g.product([]ref{a, b}) }

// product flattens nested products, collects signs and drops ones.
func (g *graph) product(factors []ref) ref {
	neg := false
	var flat []ref
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
		r = g.intern(node{form: productForm, operands: flat})
	}
	r.neg = r.neg != neg
	return r
}

// lowerSum groups terms that differ in parameter-only factors: a X + b X is
// (a + b) X with a + b computed once per parameter change.
func (g *graph) lowerSum(e *expr.Expr) ref {
	p := g.pool
	if e.Constant() {
		return g.plainSum(e)
	}
	constant := []*expr.Expr{p.Num(e.Value())}
	var rests []*expr.Expr
	factors := map[*expr.Expr][]*expr.Expr{}
	for i, t := range e.Args() {
		c, rest := g.split(t)
		c = p.Scale(e.Coefficients()[i], c)
		if rest.IsOne() {
			constant = append(constant, c)
			continue
		}
		if factors[rest] == nil {
			rests = append(rests, rest)
		}
		factors[rest] = append(factors[rest], c)
	}
	var terms []ref
	if c := p.Add(constant...); !c.IsZero() {
		terms = append(terms, g.lower(c))
	}
	for _, rest := range rests {
		if c := p.Add(factors[rest]...); !c.IsZero() {
			terms = append(terms, g.times(g.lower(c), g.lower(rest)))
		}
	}
	return g.sum(terms)
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

// sum interns a sum of terms; the first term in order is made positive so that
// a sum and its negative are one node.
func (g *graph) sum(terms []ref) ref {
	switch len(terms) {
	case 0:
		return g.constant(expr.Rational{})
	case 1:
		return terms[0]
	}
	terms = append([]ref(nil), terms...)
	sortRefs(terms)
	neg := terms[0].neg
	if neg {
		for i := range terms {
			terms[i].neg = !terms[i].neg
		}
	}
	r := g.intern(node{form: sumForm, operands: terms})
	r.neg = neg
	return r
}
