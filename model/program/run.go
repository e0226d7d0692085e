package program

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// Code is one program's blocks as functions on a machine's value memory:
// interpreted tapes, or machine code.
type Code struct {
	Init, Before, After, Output, Begin func(v []float64)

	slots    int                   // of the memory, if the code needs more than the program
	reserved int                   // slots that other code must not use
	native   bool                  // machine code made at load time
	init     *machinecode.Block    // Init, of machine code
	blocks   [2]*machinecode.Block // Before and After, if machine code
}

// machine runs Code.
type machine struct {
	p         *Program
	code      Code
	v         []float64
	functions []tire.Function
	arguments [][]int32 // by call: slots of the arguments of its function
	wanted    [][]int   // by call: arguments of its function, as indices into Call.Inputs
	calls     calls
	collect   *machinecode.Code // copies the rates out of v; nil without machine code
	jacobians [len(quantities)][len(quantities)]*JacobianEvaluator
	parameter []float64

	tangent, adjoint *Sweep         // if in use
	linearisation    *Linearisation // if in use
	sides            [sideKinds]*Side
}

// NewTape returns a machine that interprets the program.
func (p *Program) NewTape() Machine {
	return p.NewMachine(p.Tape())
}

// Tape returns the program's blocks as interpreters.
func (p *Program) Tape() Code {
	return Code{
		Init:   newTape(&p.init).runner(),
		Before: newTape(&p.before).runner(),
		After:  newTape(&p.after).runner(),
		Output: newTape(&p.output).runner(),
		Begin:  newTape(&p.begin).runner(),
	}
}

// NewMachine returns a machine that runs code. The code must be generated from a program with the same Fingerprint.
func (p *Program) NewMachine(code Code) Machine {
	m := &machine{
		p: p, code: code,
		v:         make([]float64, max(int(p.layout.size), code.slots)),
		functions: make([]tire.Function, len(p.Calls)),
		arguments: make([][]int32, len(p.Calls)),
		wanted:    make([][]int, len(p.Calls)),
		parameter: make([]float64, len(p.Parameters)),
	}
	copy(m.v, p.layout.constants)
	if code.native {
		m.collect = p.copies.sideBySide(p.rates)
	}
	return m
}

func (t tape) runner() func(v []float64) { return t.execute }

func (m *machine) SetParameters(p []float64) {
	copy(m.parameter, p)
	copy(m.v[m.p.layout.parameters:], m.parameter)
	m.code.Init(m.v)
	for _, row := range m.jacobians {
		for _, j := range row {
			if j != nil {
				j.setParameters(m.parameter)
			}
		}
	}
	if m.linearisation != nil {
		m.linearisation.evaluator.setParameters(m.parameter)
	}
	for _, s := range m.sides {
		if s != nil {
			s.setParameters(m.parameter)
		}
	}
}

func (m *machine) Bind(i int, f tire.Function, inputs []string) error {
	wanted, err := m.p.Calls[i].wanted(inputs)
	if err != nil {
		return err
	}
	arguments := make([]int32, len(inputs))
	for k, at := range wanted {
		arguments[k] = m.p.arguments[i][at]
	}
	m.functions[i], m.wanted[i], m.arguments[i] = f, wanted, arguments
	m.calls = newCalls(m.functions, m.arguments, m.p.returned, m.p.loads)
	clear(m.jacobians[:])
	m.linearisation, m.tangent, m.adjoint = nil, nil, nil
	return nil
}

// wanted returns the indices of the inputs of a function among the inputs of a call.
func (c *Call) wanted(inputs []string) ([]int, error) {
	list := make([]int, len(inputs))
	for k, name := range inputs {
		if list[k] = slices.Index(c.Inputs, name); list[k] < 0 {
			return nil, fmt.Errorf("%s: the function asks for %q; there are %s", c.Name, name, strings.Join(c.Inputs, " "))
		}
	}
	return list, nil
}

func (m *machine) Unbind() {
	clear(m.functions)
	m.calls = calls{}
}

func (m *machine) Start(u, x []float64) {
	copy(m.v[m.p.layout.inputs:m.p.layout.returned], u)
	m.code.Begin(m.v)
	for i, s := range m.p.begins {
		x[i] = m.v[s]
	}
}

func (m *machine) Arguments(i int, dst []float64) {
	for k, s := range m.arguments[i] {
		dst[k] = m.v[s]
	}
}

func (m *machine) Argument(i, k int) *float64 { return &m.v[m.arguments[i][k]] }

func (m *machine) Result(i, k int) *float64 { return &m.v[m.p.returned[i][k]] }

func (m *machine) Offered(i int, name string) *float64 {
	k := slices.Index(m.p.Calls[i].Inputs, name)
	if k < 0 {
		return nil
	}
	return &m.v[m.p.arguments[i][k]]
}

func (m *machine) Watched(i int) *float64 { return &m.v[m.p.watched[i]] }

func (m *machine) Constants(dst []float64) {
	for i, s := range m.p.constants {
		dst[i] = m.v[s]
	}
}

func (m *machine) Derivatives(_ float64, x, u, dx []float64) {
	l := &m.p.layout
	copy(m.v[l.states:l.inputs], x)
	copy(m.v[l.inputs:l.returned], u)
	m.code.Before(m.v)
	m.calls.make(m.v)
	m.code.After(m.v)
	if m.collect != nil {
		m.collect.RunWith(dx, m.v)
		return
	}
	for i, s := range m.p.rates {
		dx[i] = m.v[s]
	}
}

func (m *machine) Returned(dst []float64) { copyReturned(dst, m.v, m.p.returned, m.p.loads) }

// copyReturned copies the results of calls from a memory, in the order of eachReturned.
func copyReturned(dst, v []float64, returned, loads [][]int32) {
	k := 0
	eachReturned(returned, loads, func(slot int32) {
		dst[k] = v[slot]
		k++
	})
}

// eachReturned calls do for the slots of the results of calls; the results of a call with a load are followed by the
// acting load.
func eachReturned(returned, loads [][]int32, do func(slot int32)) {
	for i, slots := range returned {
		for _, slot := range slots {
			do(slot)
		}
		if len(loads[i]) > 0 {
			do(loads[i][1])
		}
	}
}

func (m *machine) ReturnedCount() (n int) {
	eachReturned(m.p.returned, m.p.loads, func(int32) { n++ })
	return n
}

func (m *machine) Outputs(y []float64) {
	m.code.Output(m.v)
	for i, s := range m.p.outputs {
		y[i] = m.v[s]
	}
}
