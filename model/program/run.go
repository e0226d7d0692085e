package program

import "skidpad/tire"

// Code is one program's blocks as functions on a machine's value memory:
// interpreted tapes, or generated Go that was made from the same blocks.
type Code struct {
	Init, Before, After, Output, Begin func(v []float64)
}

// machine runs Code.
type machine struct {
	p         *Program
	code      Code
	v         []float64
	functions []tire.Function
	in, out   []float64 // of one external call
	jacobian  *JacobianEvaluator
}

// NewTape returns a machine that interprets the program.
func (p *Program) NewTape() Machine {
	return p.NewMachine(Code{
		Init:   newTape(&p.init).runner(),
		Before: newTape(&p.before).runner(),
		After:  newTape(&p.after).runner(),
		Output: newTape(&p.output).runner(),
		Begin:  newTape(&p.begin).runner(),
	})
}

// NewMachine returns a machine that runs code, which must have been generated
// from a program of the same Fingerprint.
func (p *Program) NewMachine(code Code) Machine {
	m := &machine{
		p: p, code: code,
		v:         make([]float64, p.layout.size),
		functions: make([]tire.Function, len(p.Calls)),
	}
	copy(m.v, p.layout.constants)
	for _, c := range p.Calls {
		m.in = make([]float64, max(len(m.in), len(c.Inputs)))
		m.out = make([]float64, max(len(m.out), len(c.Outputs)))
	}
	return m
}

func (t tape) runner() func(v []float64) { return t.execute }

func (m *machine) SetParameters(p []float64) {
	copy(m.v[m.p.layout.parameters:], p[:len(m.p.Parameters)])
	m.code.Init(m.v)
	if m.jacobian != nil {
		m.jacobian.SetParameters(p)
	}
}

func (m *machine) Bind(i int, f tire.Function) {
	m.functions[i] = f
	if m.jacobian != nil {
		m.jacobian.Bind(i, f)
	}
}

func (m *machine) Start(u, x []float64) {
	copy(m.v[m.p.layout.inputs:m.p.layout.returned], u)
	m.code.Begin(m.v)
	for i, s := range m.p.begins {
		x[i] = m.v[s]
	}
}

func (m *machine) Derivatives(_ float64, x, u, dx []float64) {
	l := &m.p.layout
	copy(m.v[l.states:l.inputs], x)
	copy(m.v[l.inputs:l.returned], u)
	m.code.Before(m.v)
	for i, f := range m.functions {
		evaluate(f, m.v, m.p.arguments[i], m.p.returned[i], m.in, m.out)
	}
	m.code.After(m.v)
	for i, s := range m.p.rates {
		dx[i] = m.v[s]
	}
}

// evaluate makes one external call: arguments and values go through in and out.
func evaluate(f tire.Function, v []float64, arguments, returned []int32, in, out []float64) {
	in, out = in[:len(arguments)], out[:len(returned)]
	for k, s := range arguments {
		in[k] = v[s]
	}
	f.Eval(in, out)
	for k, s := range returned {
		v[s] = out[k]
	}
}

func (m *machine) Outputs(y []float64) {
	m.code.Output(m.v)
	for i, s := range m.p.outputs {
		y[i] = m.v[s]
	}
}
