package formula

import (
	"slices"
	"sync"
)

// Law is a law of a tire, ready to be evaluated. Operations that depend on coefficients alone are done once for a set
// of coefficients: their results are the fields of the law.
type Law struct {
	graph   *Graph
	fields  []node
	fieldOf []int32 // by node: which of the fields it is, -1 for none
	prelude *prelude
}

// Program computes results of a law.
type Program struct {
	law     *Law
	results []node
	steps   []node // the operations that depend on inputs, in their order

	once sync.Once
	tape *tape // made when it is needed
}

// NewProgram is a program with some results, values or derivatives.
func NewProgram(results []Number) *Program {
	p := &Program{}
	for _, r := range results {
		p.results = append(p.results, r.v)
	}
	return p
}

// Law ends the making of a law, which consists of programs.
func (g *Graph) Law(programs ...*Program) *Law {
	w := newWalk(g)
	l := &Law{graph: g, fieldOf: make([]int32, len(g.code))}
	for n := range l.fieldOf {
		l.fieldOf[n] = none32
	}
	for _, p := range programs {
		p.law = l
		w.program(p, l)
	}
	l.prelude = l.newPrelude(w.prelude)
	return l
}

const none32 = -1

// walk finds what of a graph depends on what.
type walk struct {
	g               *Graph
	varies, depends []bool // with inputs, on coefficients
	prelude         []bool
}

func newWalk(g *Graph) *walk {
	n := len(g.code)
	w := &walk{g, make([]bool, n), make([]bool, n), make([]bool, n)}
	for n := range g.code {
		i := &g.code[n]
		w.varies[n], w.depends[n] = i.op == opInput, i.op == opCoefficient
		list, count := i.operands()
		for _, o := range list[:count] {
			w.varies[n], w.depends[n] = w.varies[n] || w.varies[o], w.depends[n] || w.depends[o]
		}
	}
	return w
}

// program lists the steps of a program, and adds the fields that they need.
func (w *walk) program(p *Program, l *Law) {
	needed := make([]bool, len(w.g.code))
	for _, n := range p.results {
		w.need(n, needed, l)
	}
	for n := len(w.g.code) - 1; n >= 0; n-- {
		if !needed[n] {
			continue
		}
		list, count := w.g.code[n].operands()
		for _, o := range list[:count] {
			w.need(o, needed, l)
		}
	}
	for n := range w.g.code {
		if needed[n] && w.g.code[n].op != opInput {
			p.steps = append(p.steps, node(n))
		}
	}
	w.g.inStages(p.steps)
}

// inStages orders operations by how many elementary functions their operands wait for: functions that do not wait for
// each other stand together, and processors compute them side by side.
func (g *Graph) inStages(steps []node) {
	stages := make([]int, len(g.code))
	for _, n := range steps { // in the order of the graph: operands come first
		list, count := g.code[n].operands()
		for _, o := range list[:count] {
			stage := stages[o]
			if g.code[o].isFunction() {
				stage++
			}
			stages[n] = max(stages[n], stage)
		}
	}
	slices.SortStableFunc(steps, func(a, b node) int { return stages[a] - stages[b] })
}

// isFunction reports whether an operation is an elementary function.
func (i *instruction) isFunction() bool { return i.op >= opSin || i.op == opDiv || i.op == opSqrt }

// need notes an operation that varies with inputs as a step, one that depends on coefficients alone as a field.
func (w *walk) need(n node, needed []bool, l *Law) {
	switch {
	case w.varies[n]:
		needed[n] = true
	case w.depends[n] && l.fieldOf[n] < 0:
		l.fieldOf[n] = int32(len(l.fields))
		l.fields = append(l.fields, n)
		w.precede(n)
	}
}

// precede notes what a field is made of.
func (w *walk) precede(n node) {
	if w.prelude[n] {
		return
	}
	w.prelude[n] = true
	list, count := w.g.code[n].operands()
	for _, o := range list[:count] {
		if w.depends[o] {
			w.precede(o)
		}
	}
}

// operands returns the operands of an instruction; the first n are in use.
func (i *instruction) operands() (list [3]node, n int) {
	list = [...]node{i.a, i.b, i.c}
	switch i.op {
	case opConst, opInput, opCoefficient:
		return list, 0
	case opSelect:
		return list, 3
	case opNeg, opAbs, opSqrt, opSin, opCos, opTan, opExp, opAtan, opAsin:
		return list, 1
	}
	return list, 2
}

// Settled are results of inputs within their bounds, whose derivatives by an input are 0 where that is beyond them.
func Settled(results, inputs, bounded []Number) []Number {
	settled := make([]Number, len(results))
	beyond := make([]Mask, len(inputs))
	for k, b := range bounded {
		if x := inputs[k]; x.v != b.v {
			beyond[k] = x.Below(b).Or(b.Below(x))
		}
	}
	for i, r := range results {
		settled[i] = r
		if r.slopes == nil {
			continue
		}
		settled[i].slopes = append([]node(nil), r.slopes...)
		for k, m := range beyond {
			if d := r.slopes[k]; d != none && m.of != nil {
				settled[i].slopes[k] = r.of.without(m.v, d)
			}
		}
	}
	return settled
}

// Derivatives returns the derivatives of results by the inputs, row by row.
func Derivatives(results []Number) []Number {
	var list []Number
	for _, r := range results {
		for k := range r.of.inputs {
			d := r.Constant(0)
			if n := r.slope(k); n != none {
				d.v = n
			}
			list = append(list, d)
		}
	}
	return list
}

// Fields is how many fields the law has.
func (l *Law) Fields() int { return len(l.fields) }

// Results is how many numbers the program computes.
func (p *Program) Results() int { return len(p.results) }
