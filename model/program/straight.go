package program

import (
	"sync"

	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// Straight is an evaluation as a list of what is done, for callers outside of Go: States and Inputs are put into the
// memory, the parts are carried out one after the other, and the numbers at Results are what comes out. It stays as it
// is until a function is bound again; nothing of it may be used while Go evaluates the same machine.
type Straight struct {
	States, Inputs []float64
	Parts          []Part
	Results        []*float64
	Collect        *machinecode.Job // copies all results to a memory, side by side; of rates only
}

// Part is one part of a Straight: one of its fields.
type Part struct {
	Moves []Move
	Jobs  []*machinecode.Job // a guard that gives up ends the evaluation: Go knows what to do then
	Group tire.Group         // whose Eval is not machine code
}

// Move takes a number from one place to another.
type Move struct{ From, To *float64 }

// Linear is an implicit system as a list of what is done: At writes its numbers into the memory, and the rates; Factors
// prepares Solves for the number -c at C; Solves takes a right-hand side at Given and leaves the result at Right. Where
// Factors gives up, rows have to be exchanged, which Go does.
type Linear struct {
	At              *Straight
	C               *float64
	Given, Right    []float64
	Factors, Solves *machinecode.Job
}

// outputCode is machine code of the outputs, made when it is asked for.
type outputCode struct {
	once sync.Once
	code *machinecode.Code // nil where there can be none
}

// outputsInCode returns machine code of the outputs, nil where there can be none. It does not use the slots that the
// code of the rates has reserved, which are as many in all code of a program.
func (p *Program) outputsInCode(reserved int) *machinecode.Code {
	p.outputCode.once.Do(func() {
		operations, err := blockOperations(&p.output, p.sharedSlots())
		if err != nil {
			return
		}
		code, err := machinecode.Compile(operations, reserved, 1)
		if err != nil {
			return
		}
		portable := newTape(&p.output).runner()
		if sameResults(&p.output, &p.layout, p.sharedSlots(), portable, runner(code, portable), code) == nil {
			p.outputCode.code = code
		}
	})
	return p.outputCode.code
}

// Straight implements Machine.
func (m *machine) Straight() (rates, outputs *Straight) {
	if m.code.blocks[0] == nil {
		return nil, nil
	}
	shown := m.p.outputsInCode(m.code.reserved)
	if shown == nil {
		return nil, nil
	}
	m.v = append(m.v, make([]float64, max(0, shown.Slots-len(m.v)))...)
	l := &m.p.layout
	rates = &Straight{States: m.v[l.states:l.inputs], Inputs: m.v[l.inputs:l.returned]}
	if !rates.evaluate(&m.code, &m.calls, m.v, &m.p.copies) {
		return nil, nil
	}
	rates.collect(m.v, m.p.rates, &m.p.copies)
	outputs = &Straight{}
	outputs.run(shown.Job(m.v, nil))
	outputs.read(m.v, m.p.outputs)
	return rates, outputs
}

// Straight returns what At, Factorise and Solve do as lists for callers outside of Go, nil where they cannot be ones.
func (l *Linearisation) Straight() *Linear {
	e, v, p := l.evaluator, l.evaluator.v, l.plan
	at := &Straight{States: v[e.layout.states:e.layout.inputs], Inputs: v[e.layout.inputs:e.layout.returned]}
	if !l.native || e.code.blocks[0] == nil || p.code() == nil || !at.evaluate(&e.code, &e.slopes, v, l.copies) {
		return nil
	}
	at.collect(v, e.rates, l.copies)
	return &Linear{At: at, C: &v[p.c], Given: v[p.given:][:p.states], Right: v[p.right:][:p.states],
		Factors: p.nativeFactors.Job(v, nil), Solves: p.nativeSolves.Job(v, nil)}
}

// evaluate adds both blocks and the calls between them. It reports whether all of it can be in the list.
func (s *Straight) evaluate(code *Code, c *calls, v []float64, copied *copies) bool {
	if len(c.single) > 0 || !s.run(code.blocks[0].Job(v, nil)) {
		return false
	}
	s.call(c, v, copied)
	return s.run(code.blocks[1].Job(v, nil))
}

// Straight returns the evaluation of a side, nil where it is no machine code that C can call.
func (s *Side) Straight() *Straight {
	l := &s.layout
	list := &Straight{States: s.v[l.states:l.inputs], Inputs: s.v[l.inputs:l.returned]}
	if s.code.blocks[0] == nil || len(s.given) > 0 || !list.run(s.code.blocks[0].Job(s.v, nil)) {
		return nil
	}
	list.read(s.v, s.values)
	return list
}

func (s *Straight) run(jobs ...*machinecode.Job) bool {
	for _, j := range jobs {
		if j == nil {
			return false
		}
	}
	s.Parts = append(s.Parts, Part{Jobs: jobs})
	return true
}

// call adds external calls, in the order of calls.make.
func (s *Straight) call(c *calls, v []float64, copied *copies) {
	var arguments, results []Move
	for _, m := range c.gather {
		arguments = append(arguments, Move{&v[m.slot], m.at})
	}
	for _, m := range c.spread {
		for k := range m.at {
			arguments = append(arguments, Move{&v[int(m.slot)+k], &m.at[k]})
		}
	}
	for _, m := range c.collect {
		for k := range m.at {
			results = append(results, Move{&m.at[k], &v[int(m.slot)+k]})
		}
	}
	for _, m := range c.scatter {
		results = append(results, Move{m.at, &v[m.slot]})
	}
	for _, m := range c.kept {
		results = append(results, Move{&v[m[0]], &v[m[1]]})
	}
	memories := [][]float64{v}
	for _, g := range c.groups {
		if coded, ok := g.(coded); ok {
			for _, j := range coded.Jobs() {
				memories = append(memories, j.Memory)
			}
		}
	}
	s.move(arguments, copied, func(memory []float64) (to, from []float64) { return memory, v }, memories)
	for _, g := range c.groups {
		if coded, ok := g.(coded); ok {
			s.run(coded.Jobs()...)
		} else {
			s.Parts = append(s.Parts, Part{Group: g})
		}
	}
	s.move(results, copied, func(memory []float64) (to, from []float64) { return v, memory }, memories)
}

// coded is a group whose Eval runs machine code.
type coded interface{ Jobs() []*machinecode.Job }

// move adds moves between one memory and others: as machine code as far as they lie in these, else one by one.
func (s *Straight) move(list []Move, copied *copies, between func(memory []float64) (to, from []float64),
	memories [][]float64) {
	for _, memory := range memories {
		to, from := between(memory)
		var job *machinecode.Job
		if job, list = copied.between(list, to, from); job != nil {
			s.run(job)
		}
	}
	if len(list) > 0 {
		s.Parts = append(s.Parts, Part{Moves: list})
	}
}

// collect says where results stand, and how they are put side by side.
func (s *Straight) collect(v []float64, slots []int32, copied *copies) {
	s.read(v, slots)
	if code := copied.sideBySide(slots); code != nil {
		s.Collect = code.Job(nil, v)
	}
}

func (s *Straight) read(v []float64, slots []int32) {
	for _, slot := range slots {
		s.Results = append(s.Results, &v[slot])
	}
}
