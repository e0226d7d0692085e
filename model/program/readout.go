package program

import (
	"slices"

	"skidpad/tire/machinecode"
)

// Readout computes some outputs and rates of a program in lanes, with the required operations only. Operations of the
// blocks of rates and outputs keep their order, and results are bit-identical.
type Readout struct {
	slots         int     // of a workspace
	first         int32   // workspace index of the first result, outputs first
	from          []int32 // slots of the results
	called        bool    // some results depend on external calls
	before, after *machinecode.Code
}

// NewReadout returns the code for outputs and rates in lanes with these KeptLoads; outputs and rates are indices into
// Outputs and States. With returned, the values of Machine.Returned follow. An error gives the reason for no code.
func (p *Program) NewReadout(outputs, rates []int, returned bool, kept KeptLoads) (*Readout, error) {
	r := &Readout{}
	for _, i := range outputs {
		r.from = append(r.from, p.outputs[i])
		for call, load := range p.loads[:min(mostCalls, len(p.loads))] {
			if kept[call] && p.outputs[i] == load[1] {
				r.from[len(r.from)-1] = load[0] // known without a call
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
			returned = slices.Concat(returned, p.loads[i][1:]) // the acting load, not the argument
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

// compileReadout makes code of the instructions before the calls, and of the instructions after them.
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

// ofCalls returns a layout with workspace indices only for states, inputs, and arguments and results of calls.
func (l *laneLayout) ofCalls(p *Program) *laneLayout {
	to := *l
	to.index = slices.Repeat([]int32{nowhere}, len(l.index))
	copy(to.index[l.of.states:l.of.returned], l.index[l.of.states:])
	for _, slots := range slices.Concat(p.arguments, p.loads, p.returned) {
		for _, s := range slots {
			to.index[s] = l.index[s]
		}
	}
	return &to
}

// handOver assigns workspace indices to numbers of first that last reads, or that are results.
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

// KeptLoads reports for each call whether the acting load equals the load argument of its function.
type KeptLoads [mostCalls]bool

// mostCalls is the largest number of calls with this information.
const mostCalls = 64

// KeptLoads returns the kept loads of the functions in the lanes.
func (l *Lanes) KeptLoads() (kept KeptLoads) {
	p := l.machines[0].p
	index := p.lanes.layout.index
	for call, load := range p.loads[:min(mostCalls, len(p.loads))] {
		kept[call] = slices.ContainsFunc(l.plain.calls.kept, func(m []int32) bool {
			return len(load) > 0 && m[0] == index[load[0]]*Width && m[1] == index[load[1]]*Width
		})
	}
	return kept
}

// sources returns the instructions of a block that write needed slots, and adds the slots that they read.
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

// Read evaluates a readout at states x and inputs u in all lanes, in the current workspace. Value then returns the
// results.
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

// Value returns a result of the latest Read, for a lane.
func (l *Lanes) Value(r *Readout, result, lane int) float64 {
	return l.room[(int(r.first)+result)*Width+lane]
}

// IsState reports whether an output is just a state, and returns its index.
func (p *Program) IsState(output int) (state int, is bool) {
	s := p.outputs[output]
	return int(s - p.layout.states), s >= p.layout.states && s < p.layout.inputs
}
