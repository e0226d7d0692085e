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

// tapeStep is an operation on slots, whose result has the next slot.
type tapeStep struct {
	op      operation
	a, b, c int32
}

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
	for k, n := range p.steps {
		i := &g.code[n]
		slots[n] = next + int32(k)
		t.steps = append(t.steps, tapeStep{i.op, slots[i.a], slots[i.b], slots[i.c]})
	}
	for _, n := range p.results {
		t.results = append(t.results, slots[n])
	}
	return t
}

// Memory is what a program is evaluated on without machine code. It serves one evaluation at a time.
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
// compilers from fusing them into sums.
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
