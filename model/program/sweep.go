package program

import (
	"fmt"
	"slices"
	"sync"
)

// A sweep is the code of a program with its derivatives: forwards along a direction, or backwards against a direction.
// It needs no symbols, and is a few times as large and slow as the program, for any number of variables. Directions and
// results of variables hold parameters, then states, then inputs; directions and results of values hold rates, then
// outputs.
type sweep struct {
	layout      layout
	ahead       bool // along a direction, so that init has derivatives along it
	constants   []constant
	init, begin func(v []float64) // parameter-only work, initial state
	portable    Code              // other blocks
	native      Code              // other blocks as machine code, or portable without machine code
	arguments   [][]int32         // of calls, in the order of their functions
	partials    [][]int32
	main, start ends
}

// ends holds the slots of directions and of results of a sweep.
type ends struct {
	seeds   int32     // first slot of the direction
	results []operand // unity for 0
}

// sweeps holds the compiled sweeps of a program, by the inputs of functions.
type sweeps struct {
	sync.Mutex
	made map[string]*sweep
}

// sweep compiles a sweep for functions with the inputs wanted.
func (p *Program) sweep(backwards bool, wanted [][]int) *sweep {
	p.sweeps.Lock()
	defer p.sweeps.Unlock()
	key := fmt.Sprint(backwards, wanted)
	w := p.sweeps.made[key]
	if w == nil {
		if p.sweeps.made == nil {
			p.sweeps.made = map[string]*sweep{}
		}
		d := newDifferentiator(p, wanted, false)
		if backwards {
			w = d.backwards()
		} else {
			w = d.forwards()
		}
		p.sweeps.made[key] = w
	}
	return w
}

// variables returns the slots of parameters, states and inputs.
func (p *Program) variables() (first, n int32) {
	return p.layout.parameters, p.layout.returned - p.layout.parameters
}

// forwards writes derivatives along a direction: a derivative for every value.
func (d *differentiator) forwards() *sweep {
	p := d.p
	a := d.ahead()
	follow := func(blocks ...*block) block {
		for _, b := range blocks {
			for _, i := range b.code {
				a.pass(step{i.dst, d.original(i)})
			}
		}
		return d.take()
	}
	init, before := follow(&p.init), follow(&p.before)
	a.pass(d.calls()...)
	after, begin := follow(&p.after, &p.output), follow(&p.begin)
	w := d.compile(init, before, after, begin, ends{a.seeds, a.results(slices.Concat(p.rates, p.outputs))},
		ends{a.seeds, a.results(p.begins)})
	w.ahead = true
	return w
}

// ahead propagates derivatives forwards from variables along a direction.
type ahead struct {
	*differentiator
	seeds int32             // first slot of the direction
	rate  map[int32]operand // by slot, unless always 0
}

func (d *differentiator) ahead() *ahead {
	first, n := d.p.variables()
	a := &ahead{d, d.room(int(n)), map[int32]operand{}}
	for k := range n {
		if d.active[first+k] {
			a.rate[first+k] = operand{a.seeds + k, false}
		}
	}
	return a
}

// pass writes the derivatives of values.
func (a *ahead) pass(steps ...step) {
	for _, s := range steps {
		for _, f := range s.factors {
			x, ok := a.rate[f.of]
			if !ok {
				continue
			}
			x = a.times(x, f)
			if sum, ok := a.rate[s.to]; ok {
				x = a.plus(sum, x)
			}
			a.rate[s.to] = x
		}
	}
}

// results returns the derivatives of values.
func (a *ahead) results(slots []int32) []operand {
	list := make([]operand, len(slots))
	for i, s := range slots {
		list[i] = of(a.rate, s)
	}
	return list
}

// backwards writes derivatives against a direction: the derivative of the result by every value.
func (d *differentiator) backwards() *sweep {
	p := d.p
	initSteps := d.follow(&p.init)
	init := d.take()
	beforeSteps := d.follow(&p.before)
	before := d.take()
	callSteps := d.calls()
	afterSteps := d.follow(&p.after, &p.output)
	main := d.back(slices.Concat(p.rates, p.outputs), initSteps, beforeSteps, callSteps, afterSteps)
	after := d.take()
	beginSteps := d.follow(&p.begin)
	start := d.back(p.begins, initSteps, beginSteps)
	return d.compile(init, before, after, d.take(), main, start)
}

// follow writes blocks with the derivatives of their values.
func (d *differentiator) follow(blocks ...*block) (steps []step) {
	for _, b := range blocks {
		for _, i := range b.code {
			steps = append(steps, step{i.dst, d.original(i)})
		}
	}
	return steps
}

// step is a computed value, with its derivatives.
type step struct {
	to      int32
	factors []factor
}

// back propagates derivatives backwards over steps from values, and returns the derivatives by all variables.
func (d *differentiator) back(values []int32, steps ...[]step) ends {
	e := ends{seeds: d.room(len(values))}
	weight := map[int32]operand{} // by slot, unless always 0
	add := func(slot int32, x operand) {
		if sum, ok := weight[slot]; ok {
			x = d.plus(sum, x)
		}
		weight[slot] = x
	}
	for i, slot := range values {
		add(slot, operand{e.seeds + int32(i), false})
	}
	all := slices.Concat(steps...)
	for _, s := range slices.Backward(all) {
		if x, ok := weight[s.to]; ok {
			for _, f := range s.factors {
				add(f.of, d.times(x, f))
			}
		}
	}
	first, n := d.p.variables()
	for k := range n {
		e.results = append(e.results, of(weight, first+k))
	}
	return e
}

// of returns the entry of a map for a slot, or 0.
func of(m map[int32]operand, slot int32) operand {
	if x, ok := m[slot]; ok {
		return x
	}
	return operand{unity, false}
}

// compile compiles the written blocks to a sweep.
func (d *differentiator) compile(init, before, after, begin block, main, start ends) *sweep {
	wanted := slices.Concat(d.arguments...)
	for _, load := range d.p.loads {
		wanted = append(wanted, load...)
	}
	for _, r := range slices.Concat(main.results, start.results) {
		wanted = append(wanted, r.slot)
	}
	blocks := []*block{&init, &before, &after, &begin}
	prune(blocks, wanted)
	w := &sweep{
		layout: d.p.layout, constants: d.constants, init: newTape(&init).runner(), begin: newTape(&begin).runner(),
		portable:  Code{Before: newTape(&before).runner(), After: newTape(&after).runner()},
		arguments: d.arguments, partials: d.partials, main: main, start: start,
	}
	w.layout.size = d.size
	var err error
	if w.native, err = nativeCode(nil, &before, &after, &w.layout, sharedAmong(blocks, wanted), w.portable); err != nil {
		w.native = w.portable
	}
	return w
}

// prune removes values that no derivative needs.
func prune(blocks []*block, wanted []int32) {
	var needed slotSet
	for _, slot := range wanted {
		needed.add(slot)
	}
	for _, b := range slices.Backward(blocks) {
		var kept []instruction
		for _, i := range slices.Backward(b.code) {
			if needed.has(i.dst) {
				kept = append(kept, i)
				for _, slot := range i.reads() {
					needed.add(slot)
				}
			}
		}
		slices.Reverse(kept)
		b.code = kept
	}
}

// Sweep evaluates derivatives for one machine, with its parameters and functions. It owns its
// memory and is not safe for concurrent use.
type Sweep struct {
	*sweep
	machine *machine
	code    Code
	v       []float64
	slopes  calls
	latest  []float64 // parameters of the latest init, then their direction, where init has it
	current bool      // init has run for latest
}

// Tangent implements Machine.
func (m *machine) Tangent() *Sweep { return m.sweepOf(&m.tangent, false) }

// Adjoint implements Machine.
func (m *machine) Adjoint() *Sweep { return m.sweepOf(&m.adjoint, true) }

func (m *machine) sweepOf(s **Sweep, backwards bool) *Sweep {
	if *s == nil {
		w := m.p.sweep(backwards, m.wanted)
		code := w.portable
		if m.code.native {
			code = w.native
		}
		*s = &Sweep{
			sweep: w, machine: m, code: code, v: make([]float64, max(int(w.layout.size), code.slots)),
			slopes: newSlopes(m.functions, w.arguments, w.partials, m.p.returned, m.p.loads, everything),
		}
		copy((*s).v, w.layout.constants)
		for _, c := range w.constants {
			(*s).v[c.slot] = c.value
		}
	}
	return *s
}

// At sweeps over rates and outputs at state x and inputs u.
func (s *Sweep) At(x, u, direction, result []float64) {
	s.prepare(u, s.main, direction)
	copy(s.v[s.layout.states:s.layout.inputs], x)
	s.code.Before(s.v)
	s.slopes.make(s.v)
	s.code.After(s.v)
	s.read(s.main, result)
}

// Start sweeps over the initial state for inputs u. States have no share in it.
func (s *Sweep) Start(u, direction, result []float64) {
	s.prepare(u, s.start, direction)
	s.begin(s.v)
	s.read(s.start, result)
}

func (s *Sweep) prepare(u []float64, e ends, direction []float64) {
	copy(s.v[s.layout.inputs:s.layout.returned], u)
	copy(s.v[e.seeds:], direction)
	n := len(s.machine.parameter)
	along := direction[:0]
	if s.ahead {
		along = direction[:n]
	}
	if s.current && slices.Equal(s.latest[:n], s.machine.parameter) && slices.Equal(s.latest[n:], along) {
		return
	}
	s.latest = append(append(s.latest[:0], s.machine.parameter...), along...)
	s.current = true
	copy(s.v[s.layout.parameters:s.layout.states], s.machine.parameter)
	s.init(s.v)
}

func (s *Sweep) read(e ends, result []float64) {
	for i, r := range e.results {
		switch {
		case r.slot == unity:
			result[i] = 0
		case r.neg:
			result[i] = -s.v[r.slot]
		default:
			result[i] = s.v[r.slot]
		}
	}
}
