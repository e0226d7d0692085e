// Package formula represents the laws of tires and of wheel contacts as formulas. A law is written once, over numbers
// that carry their derivatives by its inputs, and makes a graph of operations. Values, Jacobians, portable evaluation
// and machine code come from the graph.
//
// Operations round once each, in the order of the law, and equal operations are merged. Terms with absent coefficients
// are left out: a product with 0 is 0, also if the other factor is not finite.
package formula

import "math"

// node is an operation of a graph.
type node int32

// none stands for a derivative that is 0 everywhere.
const none node = -1

type operation uint8

const (
	opConst       operation = iota
	opInput                 // of the law, by number
	opCoefficient           // of the law, by number
	opAdd
	opSub
	opMul
	opDiv
	opNeg
	opAbs
	opSqrt
	opNotAbove // a, or b where a is above it
	opNotBelow // a, or b where a is below it
	opCopysign // magnitude of a, sign of b
	opLess     // mask: a < b
	opAnd      // of masks
	opOr       // of masks
	opWithout  // the bits of b where the mask a is not set, 0 elsewhere
	opSelect   // b where the mask a is set, c elsewhere
	opSin
	opCos
	opTan
	opExp
	opAtan
	opAsin
)

type instruction struct {
	op      operation
	a, b, c node
	bits    uint64 // of a constant; the number of an input or a coefficient
}

// Graph is a law in the making. Its inputs come first.
type Graph struct {
	code   []instruction
	made   map[instruction]node
	inputs int
}

// NewGraph returns a graph of a law with a number of inputs.
func NewGraph(inputs int) *Graph {
	g := &Graph{made: map[instruction]node{}, inputs: inputs}
	for i := range inputs {
		g.make(instruction{op: opInput, bits: uint64(i)})
	}
	return g
}

func (g *Graph) make(i instruction) node {
	if n, ok := g.made[i]; ok {
		return n
	}
	n := node(len(g.code))
	g.code = append(g.code, i)
	g.made[i] = n
	return n
}

func (g *Graph) constant(x float64) node {
	return g.make(instruction{op: opConst, bits: math.Float64bits(x)})
}

// known tells a constant.
func (g *Graph) known(n node) (x float64, known bool) {
	i := &g.code[n]
	return math.Float64frombits(i.bits), i.op == opConst
}

// is reports whether a node is a constant of this value.
func (g *Graph) is(n node, x float64) bool {
	v, known := g.known(n)
	return known && v == x
}

// symmetric operations have their operands in one order, so that equal ones are found.
func (g *Graph) symmetric(op operation, a, b node) node {
	if b < a {
		a, b = b, a
	}
	return g.two(op, a, b)
}

// two is an operation on two numbers, which is done at once where both are known.
func (g *Graph) two(op operation, a, b node) node {
	i := instruction{op: op, a: a, b: b}
	x, known := g.known(a)
	if y, too := g.known(b); known && too {
		return g.constant(i.evaluate(x, y, 0))
	}
	return g.make(i)
}

func (g *Graph) one(op operation, a node) node {
	i := instruction{op: op, a: a}
	if x, known := g.known(a); known {
		return g.constant(i.evaluate(x, 0, 0))
	}
	return g.make(i)
}

func (g *Graph) add(a, b node) node {
	switch {
	case g.is(a, 0):
		return b
	case g.is(b, 0):
		return a
	}
	return g.symmetric(opAdd, a, b)
}

func (g *Graph) sub(a, b node) node {
	switch {
	case g.is(b, 0):
		return a
	case g.is(a, 0):
		return g.neg(b)
	}
	return g.two(opSub, a, b)
}

func (g *Graph) mul(a, b node) node {
	switch {
	case g.is(a, 0), g.is(b, 0):
		return g.constant(0)
	case g.is(a, 1):
		return b
	case g.is(b, 1):
		return a
	case g.is(a, -1):
		return g.neg(b)
	case g.is(b, -1):
		return g.neg(a)
	}
	return g.symmetric(opMul, a, b)
}

func (g *Graph) div(a, b node) node {
	switch {
	case g.is(a, 0):
		return a
	case g.is(b, 1):
		return a
	}
	return g.two(opDiv, a, b)
}

func (g *Graph) neg(a node) node {
	if g.code[a].op == opNeg {
		return g.code[a].a
	}
	return g.one(opNeg, a)
}

// choose is a where the mask is set, b elsewhere.
func (g *Graph) choose(mask, a, b node) node {
	if a == b {
		return a
	}
	if m, known := g.known(mask); known {
		if math.Signbit(m) {
			return a
		}
		return b
	}
	return g.make(instruction{op: opSelect, a: mask, b: a, c: b})
}

// without is a where the mask is not set, 0 elsewhere.
func (g *Graph) without(mask, a node) node {
	if g.is(a, 0) {
		return a
	}
	return g.two(opWithout, mask, a)
}
