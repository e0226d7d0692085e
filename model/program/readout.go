package program

import (
	"slices"

	"skidpad/model/machinecode"
)

// Readout computes some outputs and rates of a program in lanes, and nothing that they do not need: operations of the
// blocks of rates and outputs, in their order, with bit-identical results.
type Readout struct {
	slots         []int32 // where the results stand, outputs first
	idle          bool    // they stand there without any code
	called        bool    // some depend on what external calls return
	before, after *machinecode.Code
}

// NewReadout makes the code for outputs and rates, which are indices into Outputs and States, in lanes with these
// KeptLoads. An error says why there can be none.
func (p *Program) NewReadout(outputs, rates []int, kept KeptLoads) (*Readout, error) {
	r := &Readout{}
	for _, i := range outputs {
		r.slots = append(r.slots, p.outputs[i])
		for call, load := range p.loads[:min(mostCalls, len(p.loads))] {
			if kept[call] && p.outputs[i] == load[1] {
				r.slots[len(r.slots)-1] = load[0] // which is there without a call
			}
		}
	}
	for _, i := range rates {
		r.slots = append(r.slots, p.rates[i])
	}
	var needed slotSet
	for _, s := range r.slots {
		needed.add(s)
	}
	output := needed.sources(&p.output)
	after := needed.sources(&p.after)
	for i, returned := range p.returned {
		returned = slices.Concat(returned, p.loads[i])
		r.called = r.called || slices.ContainsFunc(returned, needed.has)
	}
	if r.called {
		for i, arguments := range p.arguments {
			for _, s := range slices.Concat(arguments, p.loads[i]) {
				needed.add(s)
			}
		}
	}
	first, last := needed.sources(&p.before), slices.Concat(after, output)
	if !r.called {
		first, last = slices.Concat(first, last), nil
	}
	r.idle = !r.called && len(first) == 0
	stored := p.storedFor(r, last)
	var err error
	if r.before, err = p.laneCodeOf(first, stored); err == nil {
		r.after, err = p.laneCodeOf(last, stored)
	}
	return r, err
}

// storedFor lists the slots that code has to leave in the memory: results, and what the calls and the code behind them
// read.
func (p *Program) storedFor(r *Readout, last []instruction) (stored slotSet) {
	for _, s := range r.slots {
		stored.add(s)
	}
	if !r.called {
		return stored
	}
	var own slotSet
	for k := range last {
		for _, s := range last[k].reads() {
			if !own.has(s) {
				stored.add(s)
			}
		}
		own.add(last[k].dst)
	}
	for i, arguments := range p.arguments {
		for _, s := range slices.Concat(arguments, p.loads[i]) {
			stored.add(s)
		}
	}
	return stored
}

// KeptLoads says of each call whether the load that acts is the one that its function is given.
type KeptLoads [mostCalls]bool

// mostCalls is of how many calls that is known.
const mostCalls = 64

// KeptLoads returns those of the functions in the lanes.
func (l *Lanes) KeptLoads() (kept KeptLoads) {
	p := l.machines[0].p
	for call, load := range p.loads[:min(mostCalls, len(p.loads))] {
		kept[call] = slices.ContainsFunc(l.plain.calls.kept, func(m []int32) bool {
			return len(load) > 0 && m[0] == load[0]*Width && m[1] == load[1]*Width
		})
	}
	return kept
}

// sources takes the instructions of a block that write needed slots, and adds what they read.
func (s *slotSet) sources(b *block) []instruction {
	var list []instruction
	for k := len(b.code) - 1; k >= 0; k-- {
		i := b.code[k]
		if !s.has(i.dst) {
			continue
		}
		for _, read := range i.reads() {
			s.add(read)
		}
		list = append(list, i)
	}
	slices.Reverse(list)
	return list
}

// laneCodeOf compiles instructions that leave stored slots in the memory.
func (p *Program) laneCodeOf(list []instruction, stored slotSet) (*machinecode.Code, error) {
	operations, err := blockOperations(&block{list}, stored)
	if err != nil {
		return nil, err
	}
	return machinecode.Compile(operations, int(p.layout.size), Width)
}

// Read evaluates a readout at states x and inputs u in all lanes; Value has the results then.
func (l *Lanes) Read(r *Readout, x, u []float64) {
	m := &l.plain
	if slots := Width * max(r.before.Slots, r.after.Slots); slots > len(m.v) {
		m.v = append(m.v, make([]float64, slots-len(m.v))...)
	}
	copy(m.v[m.layout.states*Width:m.layout.inputs*Width], x)
	copy(m.v[m.layout.inputs*Width:m.layout.returned*Width], u)
	if r.idle {
		return
	}
	whole := func(lane int) ([]float64, func([]float64)) {
		code := &l.machines[lane].code
		return l.machines[lane].v, func(v []float64) {
			code.Before(v)
			if !r.called {
				code.After(v)
				code.Output(v)
			}
		}
	}
	m.run(r.before, whole)
	if !r.called {
		return
	}
	m.calls.make(m.v)
	m.run(r.after, func(lane int) ([]float64, func([]float64)) {
		code := &l.machines[lane].code
		return l.machines[lane].v, func(v []float64) {
			code.Before(v) // of which the first part has left only what it needs itself
			code.After(v)
			code.Output(v)
		}
	})
}

// Value is a result of the latest Read, for one lane.
func (l *Lanes) Value(r *Readout, result, lane int) float64 {
	return l.plain.v[int(r.slots[result])*Width+lane]
}

// IsState reports whether an output is nothing but a state, and which.
func (p *Program) IsState(output int) (state int, is bool) {
	s := p.outputs[output]
	return int(s - p.layout.states), s >= p.layout.states && s < p.layout.inputs
}
