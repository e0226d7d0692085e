package program

import (
	"fmt"
	"slices"
	"sync"

	"skidpad/model/expr"
	"skidpad/tire"
)

// Derivatives is the symbolic Jacobian of some quantities of a program, made by
// the formulation on request.
type Derivatives struct {
	Rows, Columns int
	Entries       []Entry
	// Partials[c][i*len(wanted[c])+j] is the symbol of d output i / d wanted input j of call c.
	Partials [][]*expr.Expr
}

// Entry is one structurally non-zero entry of a Jacobian.
type Entry struct {
	Row, Column int
	Value       *expr.Expr
}

// Quantity selects groups of variables of a program.
type Quantity uint8

// The groups that can be differentiated (rates, outputs), and the groups of variables of differentiation.
const (
	StateQuantity Quantity = iota // as rows: the rates of the states
	InputQuantity
	ParameterQuantity
	OutputQuantity
	StartQuantity // the initial state; for dependencies only
	CallQuantity  // each call, with its arguments; for dependencies only
)

// quantities lists the groups.
var quantities = [...]Quantity{StateQuantity, InputQuantity, ParameterQuantity, OutputQuantity, StartQuantity}

// JacobianProgram is the code of a Jacobian.
type JacobianProgram struct {
	Rows, Columns int
	// Pattern marks, row by row, the structurally non-zero entries.
	Pattern []bool
	Cost    expr.Cost

	program   *Program
	layout    layout
	init      block
	before    block
	after     block
	arguments [][]int32
	returned  [][]int32
	loads     [][]int32
	partials  [][]int32
	entries   []entry
	given     []int32 // slots of further symbols
	further   []int32 // slots of further values
	portable  Code
	native    Code // machine code, or the portable code without machine code
	shared    slotSet
	reads     slotSet // slots that the blocks read
	lanes     laneCode
	laneWork  laneWork
}

type entry struct{ index, slot int32 }

// jacobians holds the compiled Jacobians of a program. Its lock protects the pool of the formulation, which has one
// user at a time.
type jacobians struct {
	sync.Mutex
	made     map[string]*JacobianProgram
	implicit map[string]*ImplicitProgram
}

// Differentiate compiles the Jacobian of some quantities with respect to others, for functions that take the inputs
// wanted, by call as indices into Call.Inputs. External functions that are tire.Differentiable contribute their own
// derivatives, other functions central differences.
func (p *Program) Differentiate(of, by Quantity, wanted [][]int) *JacobianProgram {
	p.jacobians.Lock()
	defer p.jacobians.Unlock()
	key := fmt.Sprint(of, by, wanted)
	j := p.jacobians.made[key]
	if j == nil {
		j = p.differentiate(p.source.Derivatives(of, by, wanted), nil, nil, wanted)
		if p.jacobians.made == nil {
			p.jacobians.made = map[string]*JacobianProgram{}
		}
		p.jacobians.made[key] = j
	}
	return j
}

// differentiate compiles derivatives, and further values of the same point and of given symbols.
func (p *Program) differentiate(d *Derivatives, given, further []*expr.Expr, wanted [][]int) *JacobianProgram {
	s := p.source
	j := &JacobianProgram{Rows: d.Rows, Columns: d.Columns, Pattern: make([]bool, d.Rows*d.Columns), program: p}
	c := newCompiler(s, s.Pool.Len()/2)
	for _, symbols := range append(slices.Clone(d.Partials), given) {
		for _, x := range symbols {
			c.slotOf[x] = c.layout.size
			c.layout.size++
		}
	}
	var roots, values []ref
	arguments := make([][]ref, len(s.Calls))
	for i := range s.Calls {
		for _, k := range wanted[i] {
			arguments[i] = append(arguments[i], c.g.lower(s.Calls[i].Arguments[k]))
		}
		roots = append(roots, arguments[i]...)
	}
	for _, e := range d.Entries {
		values = append(values, c.g.lower(e.Value))
	}
	var others []ref
	for _, e := range further {
		others = append(others, c.g.lower(e))
	}
	c.optimise(slices.Concat(roots, values, others), productForm)
	e := c.emitter(&j.init)
	for i := range s.Calls {
		j.arguments = append(j.arguments, e.roots(&j.before, arguments[i]))
		j.returned = append(j.returned, c.slots(s.Calls[i].Returned))
		j.loads = append(j.loads, c.load(e, &j.before, &s.Calls[i]))
		j.partials = append(j.partials, c.slots(d.Partials[i]))
	}
	j.after.code = make([]instruction, 0, len(c.g.nodes))
	slots := e.roots(&j.after, values)
	j.given, j.further = c.slots(given), e.roots(&j.after, others)
	j.layout = c.layOutMemory(&j.init, &j.before, &j.after)
	c.shift(slots, j.given, j.further)
	c.shift(j.arguments...)
	c.shift(j.returned...)
	c.shift(j.loads...)
	c.shift(j.partials...)
	for i, x := range d.Entries {
		at := x.Row*d.Columns + x.Column
		j.Pattern[at] = true
		j.entries = append(j.entries, entry{int32(at), slots[i]})
	}
	j.Cost = j.before.cost().Plus(j.after.cost())
	j.makeCode()
	return j
}

// makeCode makes machine code of the blocks, or interpreters without machine code.
func (j *JacobianProgram) makeCode() {
	var slots []int32
	for _, e := range j.entries {
		slots = append(slots, e.slot)
	}
	blocks := []*block{&j.init, &j.before, &j.after}
	j.shared = sharedAmong(blocks, slices.Concat([][]int32{slots, j.further}, j.arguments, j.loads)...)
	for _, b := range blocks {
		fuse(b, j.shared)
		for k := range b.code {
			for _, slot := range b.code[k].reads() {
				j.reads.add(slot)
			}
		}
	}
	for _, slot := range slices.Concat(slots, j.further) { // an entry can be a partial derivative itself
		j.reads.add(slot)
	}
	Beside(func() { j.portable.Init, j.portable.Before = newTape(&j.init).runner(), newTape(&j.before).runner() },
		func() { j.portable.After = newTape(&j.after).runner() })
	var err error
	if j.native, err = nativeCode(&j.init, &j.before, &j.after, &j.layout, j.shared, j.portable); err != nil {
		j.native = j.portable
	}
}

// JacobianEvaluator evaluates a JacobianProgram for one machine; it owns its memory
// and is not safe for concurrent use.
type JacobianEvaluator struct {
	*JacobianProgram
	v      []float64
	code   Code
	slopes calls
	every  []move // results of groups, including results that the code does not read
}

// keepReturned copies all results of groups to the memory, also results that the code does not read.
func (m *JacobianEvaluator) keepReturned() {
	var wanted slotSet
	for _, slot := range slices.Concat(m.returned...) {
		wanted.add(slot)
	}
	m.slopes.scatter = slices.DeleteFunc(slices.Clone(m.every), func(x move) bool {
		return !m.reads.has(x.slot) && !wanted.has(x.slot)
	})
}

// Jacobian implements Machine.
func (m *machine) Jacobian(of, by Quantity) *JacobianEvaluator {
	j := m.jacobians[of][by]
	if j == nil {
		j = newEvaluator(m.p.Differentiate(of, by, m.wanted), m.functions, m.code.native)
		j.setParameters(m.parameter)
		m.jacobians[of][by] = j
	}
	return j
}

func newEvaluator(j *JacobianProgram, functions []tire.Function, native bool) *JacobianEvaluator {
	code := j.portable
	if native {
		code = j.native
	}
	m := &JacobianEvaluator{
		JacobianProgram: j, code: code, v: make([]float64, max(int(j.layout.size), code.slots)),
		slopes: newSlopes(functions, j.arguments, j.partials, j.returned, j.loads, j.reads.has),
	}
	m.every = slices.Clone(m.slopes.scatter)
	m.slopes.scatter = slices.DeleteFunc(m.slopes.scatter, func(x move) bool { return !j.reads.has(x.slot) })
	copy(m.v, j.layout.constants)
	return m
}

func (m *JacobianEvaluator) setParameters(p []float64) {
	copy(m.v[m.layout.parameters:], p)
	m.code.Init(m.v)
}

// Evaluate writes the Jacobian at state x and inputs u to jac, row by row.
func (m *JacobianEvaluator) Evaluate(x, u, jac []float64) {
	clear(jac)
	m.Renew(x, u, jac)
}

// Renew is Evaluate for a Jacobian of another point, whose zeros stay.
func (m *JacobianEvaluator) Renew(x, u, jac []float64) {
	m.evaluate(x, u)
	for _, e := range m.entries {
		jac[e.index] = m.v[e.slot]
	}
}

// evaluate computes the entries in the memory.
func (m *JacobianEvaluator) evaluate(x, u []float64) {
	l := &m.layout
	copy(m.v[l.states:l.inputs], x)
	copy(m.v[l.inputs:l.returned], u)
	m.code.Before(m.v)
	m.slopes.make(m.v)
	m.code.After(m.v)
}
