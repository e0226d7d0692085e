package program

import (
	"math"
	"sync"

	"skidpad/model/expr"
	"skidpad/tire"
)

// Derivatives is the symbolic Jacobian of some quantities of a program, made by
// the formulation on request.
type Derivatives struct {
	Rows, Columns int
	Entries       []Entry
	// Partials[c][i*inputs+j] is the symbol of d output i / d input j of call c.
	Partials [][]*expr.Expr
}

// Entry is one structurally non-zero entry of a Jacobian.
type Entry struct {
	Row, Column int
	Value       *expr.Expr
}

// Quantity selects groups of variables of a program.
type Quantity uint8

// The groups: what can be differentiated (rates, outputs) and by what.
const (
	StateQuantity Quantity = iota // as rows: the rates of the states
	InputQuantity
	ParameterQuantity
	OutputQuantity
)

// JacobianProgram is the code of a Jacobian, compiled on first use.
type JacobianProgram struct {
	Rows, Columns int
	// Pattern holds, row by row, which entries can be non-zero.
	Pattern []bool
	Cost    expr.Cost

	program   *Program
	layout    layout
	init      block
	before    block
	after     block
	arguments [][]int32
	returned  [][]int32
	partials  [][]int32
	entries   []entry
}

type entry struct{ index, slot int32 }

type jacobian struct {
	once    sync.Once
	program *JacobianProgram
}

// Jacobian returns the program of d rates / d states.
func (p *Program) Jacobian() *JacobianProgram {
	p.jacobian.once.Do(func() { p.jacobian.program = p.Differentiate(StateQuantity, StateQuantity) })
	return p.jacobian.program
}

// JacobianPattern returns, row by row, which entries of d rates / d states can
// be non-zero.
func (p *Program) JacobianPattern() []bool { return p.Jacobian().Pattern }

// Differentiate compiles the Jacobian of the rates of the states or of the
// outputs with respect to states, inputs or parameters. External functions
// contribute their own derivatives where they are tire.Differentiable, else
// central differences.
func (p *Program) Differentiate(of, by Quantity) *JacobianProgram {
	s := p.source
	d := s.Derivatives(of, by)
	j := &JacobianProgram{Rows: d.Rows, Columns: d.Columns, Pattern: make([]bool, d.Rows*d.Columns), program: p}
	c := newCompiler(s)
	for _, symbols := range d.Partials {
		for _, x := range symbols {
			c.slotOf[x] = c.layout.size
			c.layout.size++
		}
	}
	var roots, values []ref
	arguments := make([][]ref, len(s.Calls))
	for i := range s.Calls {
		for _, a := range s.Calls[i].Arguments {
			arguments[i] = append(arguments[i], c.g.lower(a))
		}
		roots = append(roots, arguments[i]...)
	}
	for _, e := range d.Entries {
		values = append(values, c.g.lower(e.Value))
	}
	c.optimise(append(roots, values...))
	e := c.emitter(&j.init)
	for i := range s.Calls {
		j.arguments = append(j.arguments, e.roots(&j.before, arguments[i]))
		j.returned = append(j.returned, c.slots(s.Calls[i].Returned))
		j.partials = append(j.partials, c.slots(d.Partials[i]))
	}
	slots := e.roots(&j.after, values)
	j.layout = c.finish(&j.init, &j.before, &j.after)
	c.shift(slots)
	c.shift(j.arguments...)
	c.shift(j.returned...)
	c.shift(j.partials...)
	for i, x := range d.Entries {
		at := x.Row*d.Columns + x.Column
		j.Pattern[at] = true
		j.entries = append(j.entries, entry{int32(at), slots[i]})
	}
	j.Cost = j.before.cost().Plus(j.after.cost())
	return j
}

// JacobianEvaluator evaluates a JacobianProgram; it owns its memory and is not
// safe for concurrent use. Bind and SetParameters come before Evaluate.
type JacobianEvaluator struct {
	j                   *JacobianProgram
	v                   []float64
	functions           []tire.Function
	in, out, part       []float64
	init, before, after tape
}

// NewEvaluator returns an evaluator without bound functions.
func (j *JacobianProgram) NewEvaluator() *JacobianEvaluator {
	m := &JacobianEvaluator{
		j: j, v: make([]float64, j.layout.size),
		functions: make([]tire.Function, len(j.program.Calls)),
		init:      newTape(&j.init), before: newTape(&j.before), after: newTape(&j.after),
	}
	copy(m.v, j.layout.constants)
	for _, c := range j.program.Calls {
		m.in = make([]float64, max(len(m.in), len(c.Inputs)))
		m.out = make([]float64, max(len(m.out), 2*len(c.Outputs)))
		m.part = make([]float64, max(len(m.part), len(c.Inputs)*len(c.Outputs)))
	}
	return m
}

// Bind makes call i use f.
func (m *JacobianEvaluator) Bind(i int, f tire.Function) { m.functions[i] = f }

// SetParameters runs parameter-only work for p, ordered as Program.Parameters.
func (m *JacobianEvaluator) SetParameters(p []float64) {
	copy(m.v[m.j.layout.parameters:], p[:len(m.j.program.Parameters)])
	m.init.execute(m.v)
}

// Evaluate writes the Jacobian at state x and inputs u to jac, row by row.
func (m *JacobianEvaluator) Evaluate(x, u, jac []float64) {
	l := &m.j.layout
	copy(m.v[l.states:l.inputs], x)
	copy(m.v[l.inputs:l.returned], u)
	m.before.execute(m.v)
	for i, f := range m.functions {
		evaluate(f, m.v, m.j.arguments[i], m.j.returned[i], m.in, m.out)
		m.differentiate(f, i)
	}
	m.after.execute(m.v)
	clear(jac)
	for _, e := range m.j.entries {
		jac[e.index] = m.v[e.slot]
	}
}

// differentiate fills in the partial derivatives of call i at m.in.
func (m *JacobianEvaluator) differentiate(f tire.Function, i int) {
	n, k := len(m.j.arguments[i]), len(m.j.returned[i])
	in, part := m.in[:n], m.part[:n*k]
	if d, ok := f.(tire.Differentiable); ok {
		d.Jacobian(in, part)
	} else {
		up, down := m.out[:k], m.out[k:2*k]
		for a := range in {
			x := in[a]
			h := 1e-6 * max(1, math.Abs(x))
			in[a] = x + h
			f.Eval(in, up)
			in[a] = x - h
			f.Eval(in, down)
			in[a] = x
			for o := range up {
				part[o*n+a] = (up[o] - down[o]) / (2 * h)
			}
		}
	}
	for a, s := range m.j.partials[i] {
		m.v[s] = part[a]
	}
}

// Jacobian evaluates d dx / d x. The first call compiles and allocates.
func (m *machine) Jacobian(_ float64, x, u, jac []float64) {
	if m.jacobian == nil {
		m.jacobian = m.p.Jacobian().NewEvaluator()
		copy(m.jacobian.functions, m.functions)
		m.jacobian.SetParameters(m.v[m.p.layout.parameters:])
	}
	m.jacobian.Evaluate(x, u, jac)
}
