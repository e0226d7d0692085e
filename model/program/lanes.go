package program

import (
	"errors"
	"slices"
	"sync"

	"skidpad/model/lanes"
	"skidpad/model/machinecode"
	"skidpad/tire"
)

// Width is how many machines Lanes evaluates at once.
const Width = 4

// Lanes evaluates machines of one program together, each in a lane of machine code. Vectors
// hold the numbers of all lanes side by side: number i of lane l is at i*Width + l. What a lane
// computes does not depend on the others, and is what its machine computes, to the last bit.
type Lanes struct {
	machines [Width]*machine
	plain    laneMemory
	implicit laneMemory // of the machines' linearisations, if they have some
	work     *laneWork
	joined   []tire.Function // by call and lane
	one      []float64
	alone    bool // the present factors are those of the machines' own linearisations
}

// laneMemory is the memory of a program in lanes, with what runs on it.
type laneMemory struct {
	code   *laneCode
	layout *layout
	v      []float64
	calls  calls
	rates  []int32
}

// laneCode is machine code of a program's blocks in lanes, shared by all that run it.
type laneCode struct {
	once          sync.Once
	before, after *machinecode.Code
	err           error
}

// laneWork is the same of an elimination.
type laneWork struct {
	once            sync.Once
	factors, solves *machinecode.Code
}

func (c *laneCode) compile(before, after *block, l *layout, shared slotSet) error {
	c.once.Do(func() {
		for _, x := range []struct {
			block *block
			code  **machinecode.Code
		}{{before, &c.before}, {after, &c.after}} {
			b, err := blockOperations(x.block, shared)
			if err == nil {
				*x.code, err = machinecode.Compile(b, int(l.size), Width)
			}
			if err != nil {
				c.err = err
				return
			}
		}
	})
	return c.err
}

// NewLanes returns lanes for machines of one program, whose parameters are set; kinds are
// those of the functions of calls, the same in all lanes; callees and functions are those by lane. Parameters and
// functions of the machines must not change afterwards. An error says why there can be no lanes.
func NewLanes(machines [Width]Machine, kinds []*tire.Kind, callees [Width][]Callee, functions [Width][]tire.Function) (
	*Lanes, error,
) {
	l := &Lanes{}
	for i := range machines {
		l.machines[i] = machines[i].(*machine)
		if m := l.machines[i]; !m.code.native || m.p != l.machines[0].p {
			return nil, errors.New("lanes are machine code of one program")
		}
	}
	m := l.machines[0]
	of, all := sideBySide(kinds, functions)
	all = Joined(calleesSideBySide(callees), of, all, true)
	l.joined = all
	p := m.p
	if err := p.lanes.compile(&p.before, &p.after, &p.layout, p.sharedSlots()); err != nil {
		return nil, err
	}
	l.plain = laneMemory{code: &p.lanes, layout: &p.layout, calls: newCalls(all, laneSlots(m.arguments),
		laneSlots(p.returned), laneSlots(p.loads)), rates: p.rates}
	l.plain.calls.mergeLaneMoves()
	l.plain.fill(max(p.lanes.before.Slots, p.lanes.after.Slots), func(lane int) []float64 { return l.machines[lane].v })
	if m.linearisation == nil {
		return l, nil
	}
	j := m.linearisation.evaluator.JacobianProgram
	l.work, l.one = &j.laneWork, make([]float64, m.linearisation.plan.states)
	e := m.linearisation.plan
	if err := j.lanes.compile(&j.before, &j.after, &j.layout, j.shared); err != nil {
		return nil, err
	}
	l.work.once.Do(func() { l.work.factors, l.work.solves = e.machineCode(Width) })
	if l.work.solves == nil {
		return nil, errors.New("there is no machine code of the elimination")
	}
	l.implicit = laneMemory{
		code: &j.lanes, layout: &j.layout, rates: j.rates,
		calls: newSlopes(all, laneSlots(j.arguments), laneSlots(j.partials), laneSlots(j.returned), laneSlots(j.loads)),
	}
	l.implicit.calls.scatter = slices.DeleteFunc(l.implicit.calls.scatter,
		func(x move) bool { return !j.reads.has(x.slot / Width) })
	l.implicit.calls.mergeLaneMoves()
	l.implicit.fill(max(j.lanes.before.Slots, j.lanes.after.Slots, l.work.factors.Slots, l.work.solves.Slots,
		int(e.size)), func(lane int) []float64 {
		return l.machines[lane].linearisation.evaluator.v
	})
	return l, nil
}

// Reload takes over the parameters of the functions of a lane, which were replaced.
func (l *Lanes) Reload(lane int) {
	for i := lane; i < len(l.joined); i += Width {
		lanes.Reload(l.joined[i])
	}
}

// sideBySide lists the functions and their kinds call by call, those of all lanes next to each other, to be
// evaluated together.
func sideBySide(kinds []*tire.Kind, functions [Width][]tire.Function) (of []*tire.Kind, all []tire.Function) {
	for i, k := range kinds {
		for lane := range Width {
			all, of = append(all, functions[lane][i]), append(of, k)
		}
	}
	return of, all
}

// calleesSideBySide lists callees in the same order.
func calleesSideBySide(callees [Width][]Callee) (all []Callee) {
	for i := range callees[0] {
		for lane := range Width {
			all = append(all, callees[lane][i])
		}
	}
	return all
}

// laneSlots are the places of slots in lanes, by function in the order of sideBySide.
func laneSlots(slots [][]int32) [][]int32 {
	var list [][]int32
	for _, s := range slots {
		for lane := range int32(Width) {
			moved := make([]int32, len(s))
			for k := range s {
				moved[k] = s[k]*Width + lane
			}
			list = append(list, moved)
		}
	}
	return list
}

// fill makes the memory of a number of slots and takes over what the machines hold.
func (m *laneMemory) fill(slots int, of func(lane int) []float64) {
	m.v = make([]float64, slots*Width)
	for lane := range Width {
		for i, x := range of(lane)[:m.layout.size] {
			m.v[i*Width+lane] = x
		}
	}
}

// run runs code on all lanes; alone does the same for the memory of one lane, where machine
// code gives up.
func (m *laneMemory) run(code *machinecode.Code, alone func(lane int) (v []float64, run func(v []float64))) {
	if code.Run(m.v) {
		return
	}
	for lane := range Width {
		v, run := alone(lane)
		n := int(m.layout.size)
		for i := range n {
			v[i] = m.v[i*Width+lane]
		}
		run(v)
		for i := range n {
			m.v[i*Width+lane] = v[i]
		}
	}
}

// evaluate writes the rates at states x and inputs u.
func (m *laneMemory) evaluate(x, u, dx []float64, alone func(lane int) (v []float64, code *Code)) {
	l := m.layout
	copy(m.v[l.states*Width:l.inputs*Width], x)
	copy(m.v[l.inputs*Width:l.returned*Width], u)
	m.run(m.code.before, func(lane int) ([]float64, func([]float64)) { v, code := alone(lane); return v, code.Before })
	m.calls.make(m.v)
	m.run(m.code.after, func(lane int) ([]float64, func([]float64)) { v, code := alone(lane); return v, code.After })
	for i, s := range m.rates {
		moveLanes((*[Width]float64)(dx[i*Width:]), (*[Width]float64)(m.v[s*Width:]))
	}
}

// Derivatives evaluates dx = f(x, u) in all lanes.
func (l *Lanes) Derivatives(x, u, dx []float64) {
	l.plain.evaluate(x, u, dx, func(lane int) ([]float64, *Code) { return l.machines[lane].v, &l.machines[lane].code })
}

// At is Linearisation.At in all lanes.
func (l *Lanes) At(x, u, dx []float64) {
	l.implicit.evaluate(x, u, dx, func(lane int) ([]float64, *Code) {
		e := l.machines[lane].linearisation.evaluator
		return e.v, &e.code
	})
}

// Factorise is Linearisation.Factorise in all lanes.
func (l *Lanes) Factorise(c float64) {
	v, e := l.implicit.v, l.machines[0].linearisation.plan
	for lane := range int32(Width) {
		v[e.c*Width+lane] = -c
	}
	l.alone = !l.work.factors.Run(v)
	if !l.alone {
		return
	}
	for lane, m := range l.machines {
		own := m.linearisation.evaluator.v
		for i := range int(l.implicit.layout.size) {
			own[i] = v[i*Width+lane]
		}
		m.linearisation.Factorise(c)
	}
}

// Solve is Linearisation.Solve in all lanes.
func (l *Lanes) Solve(b []float64) {
	v, e := l.implicit.v, l.machines[0].linearisation.plan
	if !l.alone {
		copy(v[e.given*Width:], b)
		l.work.solves.Run(v)
		copy(b, v[e.right*Width:])
		return
	}
	one := l.one
	for lane, m := range l.machines {
		for i := range one {
			one[i] = b[i*Width+lane]
		}
		m.linearisation.Solve(one)
		for i, x := range one {
			b[i*Width+lane] = x
		}
	}
}
