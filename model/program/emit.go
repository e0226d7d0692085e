package program

import (
	"skidpad/model/expr"
)

// Op is an operation of the straight-line code.
type Op uint8

// The operations; a function f of package expr is opCall + Op(f).
const (
	opAdd Op = iota
	opSub
	opMul
	opDiv
	opNeg
	opMulAdd // a b + c, rounded once; made by fuse only
	opMulSub // a b - c
	opSubMul // c - a b
	opCall
)

// instruction computes slot dst from slots a and b, or a, b and c.
type instruction struct {
	op        Op
	dst, a, b int32
	c         int32
	table     expr.Table // of a look-up
}

// reads lists the slots that an instruction reads; some may be named twice.
func (i *instruction) reads() [3]int32 {
	switch i.op {
	case opMulAdd, opMulSub, opSubMul:
		return [3]int32{i.a, i.b, i.c}
	}
	return [3]int32{i.a, i.b, i.b}
}

// block is straight-line code with the roots it computes.
type block struct {
	code []instruction
}

// layout of the value memory of a machine.
type layout struct {
	constants  []float64 // slots 0 ...
	parameters int32     // first slot of each group
	states     int32
	inputs     int32
	returned   int32
	size       int32
}

// emitter writes each node once as instructions into the current block; parameter-only nodes go to the init block.
type emitter struct {
	g      *graph
	layout *layout
	slotOf map[*expr.Expr]int32 // of symbols
	slot   []int32              // of each emitted node
	done   []bool               // by node: emitted in this emitter's blocks
	consts map[int32]int32      // slot of constant nodes
	init   *block
}

func (e *emitter) newSlot() int32 {
	e.layout.size++
	return e.layout.size - 1
}

// root emits the instructions for r into b and returns the slot of its value.
func (e *emitter) root(b *block, r ref) int32 {
	s, neg := e.value(b, r)
	if !neg {
		return s
	}
	d := e.newSlot()
	e.add(e.blockOf(b, r.node), instruction{op: opNeg, dst: d, a: s, b: s})
	return d
}

func (e *emitter) add(b *block, i instruction) { b.code = append(b.code, i) }

func (e *emitter) blockOf(b *block, n int32) *block {
	if e.g.nodes[n].role&^expr.Parameter == 0 {
		return e.init
	}
	return b
}

// value emits the node of r and returns its slot and the remaining sign.
func (e *emitter) value(b *block, r ref) (int32, bool) {
	n := &e.g.nodes[r.node]
	if (n.form == sumForm || n.form == productForm) && len(n.operands) == 1 {
		s, neg := e.value(b, n.operands[0])
		return s, neg != r.neg
	}
	if int(r.node) >= len(e.slot) {
		more := len(e.g.nodes) - len(e.slot)
		e.slot, e.done = append(e.slot, make([]int32, more)...), append(e.done, make([]bool, more)...)
	}
	if e.done[r.node] {
		return e.slot[r.node], r.neg
	}
	b = e.blockOf(b, r.node)
	var s int32
	switch n.form {
	case leafForm:
		s = e.slotOf[e.g.leaves[n.leaf-1]]
	case constantForm:
		s = e.constant(r.node)
	case callForm:
		s = e.call(b, n)
	default:
		var few [16]operand
		list := few[:0]
		for _, o := range n.operands {
			x, neg := e.value(b, o)
			list = append(list, operand{x, neg})
		}
		o := e.fold(b, n.form, list)
		s = o.slot
		if o.neg { // the sign cannot be stored with the node: its slot holds the value itself
			d := e.newSlot()
			e.add(b, instruction{op: opNeg, dst: d, a: s, b: s})
			s = d
		}
	}
	e.slot[r.node] = s
	e.done[r.node] = true
	return s, r.neg
}

func (e *emitter) constant(n int32) int32 {
	if s, ok := e.consts[n]; ok {
		return s
	}
	s := -1 - int32(len(e.layout.constants))
	e.layout.constants = append(e.layout.constants, e.g.nodes[n].number.Float())
	e.consts[n] = s
	return s
}

func (e *emitter) call(b *block, n *node) int32 {
	var s [2]int32
	for i, o := range n.operands {
		s[i] = e.root(b, o)
	}
	if len(n.operands) == 1 {
		s[1] = s[0]
	}
	d := e.newSlot()
	e.add(b, instruction{op: opCall + Op(n.fn), dst: d, a: s[0], b: s[1], table: n.table})
	return d
}

type operand struct {
	slot int32
	neg  bool
}

// fold combines operands pairwise, halves first, for short dependency chains and small rounding errors.
func (e *emitter) fold(b *block, f form, list []operand) operand {
	if len(list) == 1 {
		return list[0]
	}
	x := e.fold(b, f, list[:len(list)/2])
	y := e.fold(b, f, list[len(list)/2:])
	d := e.newSlot()
	switch f {
	case productForm:
		e.add(b, instruction{op: opMul, dst: d, a: x.slot, b: y.slot})
		return operand{d, x.neg != y.neg}
	case quotientForm:
		e.add(b, instruction{op: opDiv, dst: d, a: x.slot, b: y.slot})
		return operand{d, x.neg != y.neg}
	}
	switch {
	case x.neg == y.neg:
		e.add(b, instruction{op: opAdd, dst: d, a: x.slot, b: y.slot})
	case y.neg:
		e.add(b, instruction{op: opSub, dst: d, a: x.slot, b: y.slot})
	default:
		e.add(b, instruction{op: opSub, dst: d, a: y.slot, b: x.slot})
		return operand{d, false}
	}
	return operand{d, x.neg}
}

// cost counts the operations of a block.
func (b *block) cost() expr.Cost {
	var c expr.Cost
	for _, i := range b.code {
		switch i.op {
		case opAdd, opSub, opNeg:
			c.Additions++
		case opMul:
			c.Multiplications++
		case opDiv:
			c.Divisions++
		default:
			c.Functions++
		}
		c.Assignments++
	}
	return c
}
