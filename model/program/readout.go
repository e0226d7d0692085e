package program

import (
	"slices"

	"skidpad/tire/machinecode"
)

// Readout computes some outputs and rates of a program in lanes, and nothing that they do not need: operations of the
// blocks of rates and outputs, in their order, with bit-identical results.
type Readout struct {
	slots         int     // of a workspace
	first         int32   // place of the first result, outputs first
	from          []int32 // slots of the results
	called        bool    // some depend on what external calls return
	before, after *machinecode.Code
}

// NewReadout makes the code for outputs and rates, which are indices into Outputs and States, and behind them for what
// Machine.Returned writes, if that is wanted, in lanes with these KeptLoads. An error says why there can be none.
func (p *Program) NewReadout(outputs, rates []int, returned bool, kept KeptLoads) (*Readout, error) {
	r := &Readout{}
	for _, i := range outputs {
		r.from = append(r.from, p.outputs[i])
		for call, load := range p.loads[:min(mostCalls, len(p.loads))] {
			if kept[call] && p.outputs[i] == load[1] {
				r.from[len(r.from)-1] = load[0] // which is there without a call
			}
		}
	}
	for _, i := range rates {
		r.from = append(r.from, p.rates[i])
	}
	for i := 0; returned && i < len(p.returned); i++ {
		r.from = append(r.from, p.returned[i]...)
		if len(p.loads[i]) > 0 {
			r.from = append(r.from, p.loads[i][1])
		}
	}
	var needed slotSet
	for _, s := range r.from {
		needed.add(s)
	}
	output := needed.sources(&p.output)
	after := needed.sources(&p.after)
	for i, returned := range p.returned {
		if len(p.loads[i]) > 0 {
			returned = slices.Concat(returned, p.loads[i][1:]) // not the load that is given, an argument
		}
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
	return r, p.compileReadout(r, first, last)
}

// compileReadout makes code of the instructions that stand before the calls, and behind them.
func (p *Program) compileReadout(r *Readout, first, last []instruction) error {
	if err := p.lanes.compile(p.laneParts); err != nil {
		return err
	}
	l := p.lanes.layout.ofCalls(p)
	var copies []laneStore
	if r.called {
		copies = l.copies()
		l.handOver(first, last, r.from)
	} else {
		first, last = slices.Concat(first, last), nil
	}
	r.first = l.size
	var results []laneStore
	for _, s := range r.from {
		results = append(results, laneStore{s, l.size})
		l.size++
	}
	var err error
	if !r.called {
		r.before, err = l.compile(first, results)
		r.after = r.before
	} else if r.before, err = l.compile(first, copies); err == nil {
		r.after, err = l.compile(last, results)
	}
	if err == nil {
		r.slots = max(r.before.Slots, r.after.Slots)
	}
	return err
}

// ofCalls is a layout in which nothing but states, inputs and what calls take and return has a place.
func (l *laneLayout) ofCalls(p *Program) *laneLayout {
	to := *l
	to.place = slices.Repeat([]int32{nowhere}, len(l.place))
	copy(to.place[l.of.states:l.of.returned], l.place[l.of.states:])
	for _, slots := range slices.Concat(p.arguments, p.loads, p.returned) {
		for _, s := range slots {
			to.place[s] = l.place[s]
		}
	}
	return &to
}

// handOver gives those numbers places that one list of instructions leaves to another, or as results.
func (l *laneLayout) handOver(first, last []instruction, results []int32) {
	var written slotSet
	for k := range first {
		written.add(first[k].dst)
	}
	read := func(s int32) {
		if written.has(s) {
			l.put(s)
		}
	}
	for k := range last {
		for _, s := range last[k].reads() {
			read(s)
		}
	}
	for _, s := range results {
		read(s)
	}
}

// KeptLoads says of each call whether the load that acts is the one that its function is given.
type KeptLoads [mostCalls]bool

// mostCalls is of how many calls that is known.
const mostCalls = 64

// KeptLoads returns those of the functions in the lanes.
func (l *Lanes) KeptLoads() (kept KeptLoads) {
	p := l.machines[0].p
	place := p.lanes.layout.place
	for call, load := range p.loads[:min(mostCalls, len(p.loads))] {
		kept[call] = slices.ContainsFunc(l.plain.calls.kept, func(m []int32) bool {
			return len(load) > 0 && m[0] == place[load[0]]*Width && m[1] == place[load[1]]*Width
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

// Read evaluates a readout at states x and inputs u in all lanes, in the workspace in use; Value has the results then.
func (l *Lanes) Read(r *Readout, x, u []float64) {
	m, at := &l.plain, point{x, u}
	v := l.room[:r.slots*Width]
	m.put(v, at)
	good := r.before.RunWith(v, m.fixed)
	if good && r.called {
		m.calls.make(v)
		good = r.after.RunWith(v, m.fixed)
	}
	if good {
		return
	}
	for lane, of := range l.machines {
		o := &l.one
		take(o.x, x, lane)
		take(o.u, u, lane)
		of.Derivatives(0, o.x, o.u, o.dx)
		of.code.Output(of.v)
		for i, s := range r.from {
			v[(int(r.first)+i)*Width+lane] = of.v[s]
		}
	}
}

// Value is a result of the latest Read, for one lane.
func (l *Lanes) Value(r *Readout, result, lane int) float64 {
	return l.room[(int(r.first)+result)*Width+lane]
}

// IsState reports whether an output is nothing but a state, and which.
func (p *Program) IsState(output int) (state int, is bool) {
	s := p.outputs[output]
	return int(s - p.layout.states), s >= p.layout.states && s < p.layout.inputs
}
