package program

import (
	"math/bits"
	"slices"

	"skidpad/tire/machinecode"
)

// Sweeps lists derivatives of rates and some outputs at a point, by parameters, states and inputs. At computes the
// derivatives of every operation in a memory. After that, Parameters and Along sweep along directions, and Against
// sweeps against weights, as often as wanted. The results are bit-identical to Tangent and Adjoint. With fixed
// parameters, there are no derivatives by parameters: their part of a direction is not read, and Parameters does
// nothing. Other results are then equal in value to Tangent and Adjoint.
type Sweeps struct {
	At         *Straight
	Direction  Place // of the first number of a direction: parameters, then states, then inputs
	Weights    Place // of the first weight: of rates and outputs
	Parameters Run   // part of a sweep that depends on parameters of a direction; before Along
	Along      Run
	Against    Run
	Values     []Signed // derivatives of rates and outputs along the direction
	Variables  []Signed // derivatives of the weighted sum by parameters, states and inputs
	Depends    [][]int  // by value: its variables
	Start      *StartSweeps
}

// StartSweeps lists derivatives of the states at the start, on the memory of Sweeps. At computes the derivatives of
// operations, after the inputs were set. After that, Along requires Parameters, and Against is independent.
type StartSweeps struct {
	At, Along, Against Run
	Weights            Place    // of the first state
	Values             []Signed // by state
	Variables          []Signed
}

// Signed is a number in a memory or its opposite; 0 for Nowhere.
type Signed struct {
	Place
	Negative bool
}

// Sweeps implements Machine.
func (m *machine) Sweeps(to *Listed, outputs []int, fixed, start bool) (s *Sweeps, why string) {
	p := m.p
	d := newDifferentiator(p, m.wanted, fixed)
	values := slices.Clone(p.rates)
	for _, i := range outputs {
		values = append(values, p.outputs[i])
	}
	var l sweepLister
	l.differentiator, l.machine = d, m
	steps := [][]step{d.follow(&p.init)}
	l.init = d.take()
	steps = append(steps, d.follow(&p.before))
	l.before = d.take()
	steps = append(steps, d.calls(), d.follow(&p.after, &p.output))
	l.after = d.take()
	along := d.ahead()
	along.pass(steps[0]...)
	l.parameters = d.take()
	for _, s := range steps[1:] {
		along.pass(s...)
	}
	l.along = d.take()
	l.ends[0] = ends{along.seeds, along.results(values)}
	l.ends[1] = d.back(values, steps...)
	l.against = d.take()
	if start {
		begin := d.follow(&p.begin)
		l.begin = d.take()
		along.pass(begin...)
		l.start = &startLister{along: d.take()}
		l.start.ends[0] = ends{along.seeds, along.results(p.begins)}
		l.start.ends[1] = d.back(p.begins, steps[0], begin)
		l.start.against = d.take()
	}
	if s, why = l.list(to); why == "" {
		s.Depends = d.depends(values, steps...)
	}
	return s, why
}

// depends returns the variables on which each value depends.
func (d *differentiator) depends(values []int32, steps ...[]step) [][]int {
	first, n := d.p.variables()
	sets := make([][]uint64, d.size)
	for k := range n {
		sets[first+k] = make([]uint64, (n+63)/64)
		sets[first+k][k/64] = 1 << (k % 64)
	}
	for _, s := range slices.Concat(steps...) {
		set := sets[s.to]
		if set == nil {
			set = make([]uint64, (n+63)/64)
		}
		for _, f := range s.factors {
			for w, word := range sets[f.of] {
				set[w] |= word
			}
		}
		sets[s.to] = set
	}
	list := make([][]int, len(values))
	for i, slot := range values {
		for w, word := range sets[slot] {
			for ; word != 0; word &= word - 1 {
				list[i] = append(list[i], 64*w+bits.TrailingZeros64(word))
			}
		}
	}
	return list
}

// Shaping lists the parameters on which some of Constants depend, in ascending order.
func (p *Program) Shaping(constants []int) (parameters []int) {
	var needed slotSet
	for _, i := range constants {
		needed.add(p.constants[i])
	}
	needed.sources(&p.init)
	for i := range p.Parameters {
		if needed.has(p.layout.parameters + int32(i)) {
			parameters = append(parameters, i)
		}
	}
	return parameters
}

// sweepLister lists sweeps on a separate memory, which holds the numbers passed between blocks.
type sweepLister struct {
	*differentiator
	machine                                         *machine
	init, before, after, parameters, along, against block
	ends                                            [2]ends // of along and against
	begin                                           block
	start                                           *startLister // nil for no derivatives of the start
	index                                           map[int32]int
	length                                          int // of the memory
	shared                                          slotSet
}

// startLister is the part of a sweepLister for sweeps over the states at the start.
type startLister struct {
	along, against block
	ends           [2]ends
}

func (l *sweepLister) list(to *Listed) (s *Sweeps, why string) {
	p, functions := l.p, l.machine.functions
	called := newSlopes(functions, l.arguments, l.partials, p.returned, p.loads, everything)
	if !called.listed() {
		return nil, "a tire function has no derivatives in machine code"
	}
	wanted := slices.Concat(l.arguments...)
	for _, load := range p.loads {
		wanted = append(wanted, load...)
	}
	results := slices.Concat(l.ends[0].results, l.ends[1].results)
	blocks := []*block{&l.init, &l.before, &l.after, &l.parameters, &l.along, &l.against}
	if l.start != nil {
		results = slices.Concat(results, l.start.ends[0].results, l.start.ends[1].results)
		blocks = append(blocks, &l.begin, &l.start.along, &l.start.against)
	}
	for _, r := range results {
		wanted = append(wanted, r.slot)
	}
	prune(blocks, wanted)
	l.shared = sharedAmong(blocks, wanted)
	var read slotSet
	for _, s := range wanted {
		read.add(s)
	}
	for _, b := range blocks {
		for k := range b.code {
			for _, s := range b.code[k].reads() {
				read.add(s)
			}
		}
	}
	first, variables := p.variables()
	l.index = map[int32]int{}
	var numbers []float64
	for _, slot := range wanted { // constants that are arguments of functions
		if _, has := l.index[slot]; slot >= 0 && int(slot) < len(p.layout.constants) && !has {
			numbers = append(numbers, p.layout.constants[slot])
			l.put(slot, 1)
		}
	}
	l.put(first, int(variables))
	l.put(l.ends[0].seeds, int(variables))
	l.put(l.ends[1].seeds, len(l.ends[0].results))
	if l.start != nil {
		l.put(l.start.ends[1].seeds, len(p.begins))
	}
	made := make([]*Block, len(blocks))
	for k, b := range blocks {
		operations, err := l.operations(b)
		if err != nil {
			return nil, err.Error()
		}
		made[k] = &Block{Lanes: 1, Operations: func() (*machinecode.Builder, error) { return operations, nil }}
	}
	called.gather = l.moves(called.gather, nil)
	called.scatter = l.moves(called.scatter, read)
	for k, load := range called.kept {
		called.kept[k] = []int32{int32(l.of(load[0])), int32(l.of(load[1]))}
	}
	to.addGroups(&called)
	number := len(to.Memories)
	s = &Sweeps{
		At:        &Straight{Memory: number, States: l.of(p.layout.states), Inputs: l.of(p.layout.inputs)},
		Direction: Place{number, l.of(l.ends[0].seeds)}, Weights: Place{number, l.of(l.ends[1].seeds)},
		Parameters: Run{made[3], number, Nowhere}, Along: Run{made[4], number, Nowhere},
		Against: Run{made[5], number, Nowhere},
		Values:  l.signed(number, l.ends[0].results), Variables: l.signed(number, l.ends[1].results),
	}
	if l.start != nil {
		s.Start = &StartSweeps{
			At: Run{made[6], number, Nowhere}, Along: Run{made[7], number, Nowhere}, Against: Run{made[8], number, Nowhere},
			Weights: Place{number, l.of(l.start.ends[1].seeds)}, Values: l.signed(number, l.start.ends[0].results),
			Variables: l.signed(number, l.start.ends[1].results),
		}
	}
	s.At.run(made[1], number)
	s.At.call(to, &called, nil)
	s.At.run(made[2], number)
	to.Add(l.numbers(), Memory{Size: l.length, To: len(numbers), Parameters: l.of(first), Init: made[0]})
	return s, ""
}

// numbers returns the content of the memory: constants, parameters, and numbers computed from them.
func (l *sweepLister) numbers() []float64 {
	// The number after the slots is the position of empty lists, such as weights by the states of a model without
	// states.
	v := make([]float64, l.size+1)
	copy(v, l.p.layout.constants)
	for _, c := range l.constants {
		v[c.slot] = c.value
	}
	copy(v[l.p.layout.parameters:l.p.layout.states], l.machine.parameter)
	newTape(&l.init).runner()(v)
	list := make([]float64, l.length)
	for slot, at := range l.index {
		list[at] = v[slot]
	}
	return list
}

// put assigns neighbouring indices to neighbouring slots.
func (l *sweepLister) put(slot int32, n int) {
	for k := range int32(n) {
		l.index[slot+k] = l.length
		l.length++
	}
}

// of returns the index of a slot, and assigns it at first use.
func (l *sweepLister) of(slot int32) int {
	if _, has := l.index[slot]; !has {
		l.put(slot, 1)
	}
	return l.index[slot]
}

// operations returns the operations of a block; its constants are operations, too.
func (l *sweepLister) operations(b *block) (*machinecode.Builder, error) {
	t := newTranslator(len(b.code), int(l.differentiator.size))
	t.load = func(slot int32) machinecode.Value {
		if int(slot) < len(l.p.layout.constants) {
			return t.b.Const(l.p.layout.constants[slot])
		}
		for _, c := range l.constants {
			if c.slot == slot {
				return t.b.Const(c.value)
			}
		}
		return t.b.Load(int32(l.of(slot)))
	}
	for k := range b.code {
		i := &b.code[k]
		v, err := t.instruction(i)
		if err != nil {
			return nil, err
		}
		if l.shared.has(i.dst) {
			t.b.Store(int32(l.of(i.dst)), v)
		}
	}
	return t.b, nil
}

// moves converts moves of the slots in read; nil: all slots.
func (l *sweepLister) moves(list []move, read slotSet) (kept []move) {
	for _, m := range list {
		if read == nil || read.has(m.slot) {
			kept = append(kept, move{int32(l.of(m.slot)), m.at})
		}
	}
	return kept
}

// signed returns the positions of results.
func (l *sweepLister) signed(memory int, results []operand) []Signed {
	list := make([]Signed, len(results))
	for i, r := range results {
		if r.slot == unity {
			list[i].Memory = Nowhere
			continue
		}
		list[i] = Signed{Place{memory, l.of(r.slot)}, r.neg}
	}
	return list
}
