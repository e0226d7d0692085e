package formula

import (
	"math"

	"skidpad/tire/elementary"
)

// tape is a program for evaluation without machine code. Its memory holds the inputs, fields and constants, then the
// results of its operations, in their order.
type tape struct {
	steps     []tapeStep
	fields    []int32 // of the law, which it needs
	constants []float64
	first     int // slot of the first operation
	results   []int32
}

// tapeStep is an operation on slots, whose result has the next slot. Some do what a step and the one before it would.
type tapeStep struct {
	op         operation
	a, b, c, d int32
}

// Operations of tapes only.
const (
	tapeMulAdd     operation = iota + opAsin + 1 // a b + c, rounded twice
	tapeMulSub                                   // a b - c
	tapeSubMul                                   // c - a b
	tapeSelectLess                               // a < b ? c : d
)

// newTape numbers what a program needs.
func newTape(p *Program) *tape {
	g, t := p.law.graph, &tape{}
	slots := make([]int32, len(g.code))
	needed := make([]bool, len(g.code))
	for _, n := range p.results {
		needed[n] = true
	}
	for _, n := range p.steps {
		list, count := g.code[n].operands()
		for _, o := range list[:count] {
			needed[o] = true
		}
	}
	next := int32(g.inputs)
	for n := range g.inputs {
		slots[n] = int32(n) // inputs are the first nodes
	}
	for f, n := range p.law.fields {
		if needed[n] {
			t.fields = append(t.fields, int32(f))
			slots[n] = next
			next++
		}
	}
	for n := range g.code {
		if x, known := g.known(node(n)); known && needed[n] {
			t.constants = append(t.constants, x)
			slots[n] = next
			next++
		}
	}
	t.first = int(next)
	t.number(p, slots, next)
	for _, n := range p.results {
		t.results = append(t.results, slots[n])
	}
	return t
}

// number makes the steps. An operation with one user may become a part of it.
func (t *tape) number(p *Program, slots []int32, next int32) {
	g := p.law.graph
	users, inside := make([]int32, len(g.code)), make([]bool, len(g.code))
	for _, n := range p.results {
		users[n]++
	}
	for _, n := range p.steps {
		list, count := g.code[n].operands()
		for _, o := range list[:count] {
			users[o]++
		}
	}
	varies := make([]bool, len(g.code))
	for _, n := range p.steps {
		varies[n] = true
	}
	part := func(n node, op operation) bool { return varies[n] && g.code[n].op == op && users[n] == 1 }
	for _, n := range p.steps {
		switch i := &g.code[n]; {
		case i.op == opSelect && part(i.a, opLess):
			inside[i.a] = true
		case i.op == opAdd && part(i.a, opMul), i.op == opSub && part(i.a, opMul):
			inside[i.a] = true
		case i.op == opAdd && part(i.b, opMul), i.op == opSub && part(i.b, opMul):
			inside[i.b] = true
		}
	}
	for _, n := range p.steps {
		if inside[n] {
			continue
		}
		i := &g.code[n]
		first, second := &g.code[i.a], &g.code[i.b]
		step := tapeStep{op: i.op, a: slots[i.a], b: slots[i.b], c: slots[i.c]}
		switch {
		case i.op == opSelect && inside[i.a]:
			step = tapeStep{tapeSelectLess, slots[first.a], slots[first.b], slots[i.b], slots[i.c]}
		case i.op == opAdd && inside[i.a]:
			step = tapeStep{op: tapeMulAdd, a: slots[first.a], b: slots[first.b], c: slots[i.b]}
		case i.op == opAdd && inside[i.b]:
			step = tapeStep{op: tapeMulAdd, a: slots[second.a], b: slots[second.b], c: slots[i.a]}
		case i.op == opSub && inside[i.a]:
			step = tapeStep{op: tapeMulSub, a: slots[first.a], b: slots[first.b], c: slots[i.b]}
		case i.op == opSub && inside[i.b]:
			step = tapeStep{op: tapeSubMul, a: slots[second.a], b: slots[second.b], c: slots[i.a]}
		}
		t.steps = append(t.steps, step)
		slots[n] = next
		next++
	}
}

// Memory is the working memory of a program without machine code. It serves one evaluation at a time.
type Memory struct {
	tape  *tape
	slots []float64
}

// NewMemory returns a memory with the fields of the program's law.
func (p *Program) NewMemory(fields []float64) *Memory {
	p.once.Do(func() { p.tape = newTape(p) })
	t := p.tape
	m := &Memory{t, make([]float64, t.first+len(t.steps))}
	at := m.slots[p.law.graph.inputs:]
	for i, f := range t.fields {
		at[i] = fields[f]
	}
	copy(at[len(t.fields):], t.constants)
	return m
}

// Run evaluates the program of the memory, whose first results go to out. Products carry a conversion, which keeps
// compilers from fusing them into sums. The race detector would look at each of some thousand numbers.
//
//go:norace
func (m *Memory) Run(in, out []float64) {
	t, v := m.tape, m.slots
	copy(v, in)
	to := v[t.first:][:len(t.steps)]
	for k := range t.steps {
		s := &t.steps[k]
		x := v[s.a]
		switch s.op {
		case opAdd:
			to[k] = x + v[s.b]
		case opSub:
			to[k] = x - v[s.b]
		case opMul:
			to[k] = float64(x * v[s.b])
		case tapeMulAdd:
			to[k] = float64(x*v[s.b]) + v[s.c]
		case tapeMulSub:
			to[k] = float64(x*v[s.b]) - v[s.c]
		case tapeSubMul:
			to[k] = v[s.c] - float64(x*v[s.b])
		case tapeSelectLess:
			if x < v[s.b] {
				to[k] = v[s.c]
			} else {
				to[k] = v[s.d]
			}
		case opDiv:
			to[k] = x / v[s.b]
		case opNeg:
			to[k] = -x
		case opAbs:
			to[k] = math.Abs(x)
		case opSqrt:
			to[k] = math.Sqrt(x)
		case opSelect:
			if math.Signbit(x) {
				to[k] = v[s.b]
			} else {
				to[k] = v[s.c]
			}
		case opLess:
			to[k] = 0
			if x < v[s.b] {
				to[k] = math.Float64frombits(math.MaxUint64)
			}
		case opWithout:
			to[k] = math.Float64frombits(math.Float64bits(v[s.b]) &^ math.Float64bits(x))
		case opNotAbove:
			to[k] = x
			if y := v[s.b]; y < x {
				to[k] = y
			}
		case opNotBelow:
			to[k] = x
			if y := v[s.b]; y > x {
				to[k] = y
			}
		case opAtan:
			to[k] = elementary.Atan(x)
		default:
			to[k] = (&instruction{op: s.op}).evaluate(x, v[s.b], v[s.c])
		}
	}
	for k := range min(len(out), len(t.results)) {
		out[k] = v[t.results[k]]
	}
}
