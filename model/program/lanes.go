package program

import (
	"errors"
	"slices"
	"sync"

	"skidpad/model/lanes"
	"skidpad/tire"
	"skidpad/tire/machinecode"
)

// Width is the number of machines that Lanes evaluates at once.
const Width = 4

// Lanes evaluates machines of one program together, each in a lane of machine code. Vectors hold the numbers of all
// lanes side by side: number i of lane l is at i*Width + l. Results of a lane do not depend on other lanes, and are
// bit-identical to its machine.
type Lanes struct {
	machines [Width]*machine
	plain    laneMemory
	implicit laneMemory // of the machines' linearisations, if any
	work     *laneWork
	joined   []tire.Function // by call and lane
	one      oneLane
	own      []*LaneSide
	beside   int       // slots of a workspace reserved for sides
	sides    []float64 // part of the current workspace for sides
	room     []float64 // rest of the current workspace
	alone    bool      // the machines' own linearisations hold the present factors
	single   bool      // the machines have computed the latest rates one by one
}

// Workspace is memory that lanes need only during an evaluation. Each thread has a workspace for all of its lanes.
type Workspace struct{ v []float64 }

// Prepare ensures room for evaluations of lanes, and for readout r unless nil.
func (w *Workspace) Prepare(l *Lanes, r *Readout) {
	n := l.plain.slots + l.implicit.slots
	if r != nil {
		n = max(n, r.slots)
	}
	if n = (n + l.beside) * Width; n > len(w.v) {
		w.v = make([]float64, n)
	}
}

// Use selects a prepared workspace for evaluations. Results in the workspace are lost when other lanes use it.
func (l *Lanes) Use(w *Workspace) {
	n, beside := l.plain.slots*Width, l.beside*Width
	l.sides, l.room = w.v[:beside:beside], w.v[beside:]
	l.plain.v, l.implicit.v = l.room[:n], l.room[n:][:l.implicit.slots*Width]
}

// laneMemory is the memory of a program in lanes.
type laneMemory struct {
	code  *laneCode
	fixed []float64
	slots int // of a workspace
	v     []float64
	calls calls
	rates []int32 // workspace indices of the rates
}

// laneCode is machine code of a program's blocks in lanes, shared by all users.
type laneCode struct {
	once          sync.Once
	layout        *laneLayout
	before, after *machinecode.Code
	err           error
}

// laneWork is machine code of an elimination in lanes.
type laneWork struct {
	once   sync.Once
	layout *laneLayout
	parts  []*machinecode.Code
}

// point is the point of an evaluation.
type point struct{ x, u []float64 }

// oneLane holds the numbers of a single lane, for its machine.
type oneLane struct {
	x, u, dx []float64
	rates    []float64 // of all lanes, unused
}

func (c *laneCode) compile(parts func() *laneParts) error {
	c.once.Do(func() {
		p := parts()
		c.layout = newLaneLayout(p)
		if c.before, c.err = c.layout.compile(p.before.code, c.layout.copies()); c.err == nil {
			c.after, c.err = c.layout.compile(p.after.code, nil)
		}
	})
	return c.err
}

// NewLanes returns lanes for machines of one program with set parameters. The kinds of the functions by call are the
// same in all lanes; callees and functions have a list for each lane. Functions of the machines must not change
// afterwards. Refresh must follow a change of parameters. An error gives the reason for no lanes.
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
	p := m.p
	of, all := sideBySide(kinds, functions)
	l.joined = Joined(calleesSideBySide(callees), of, all, true)
	if err := p.lanes.compile(p.laneParts); err != nil {
		return nil, err
	}
	at := p.lanes.layout
	l.plain = laneMemory{code: &p.lanes, rates: p.rates, slots: max(p.lanes.before.Slots, p.lanes.after.Slots)}
	l.plain.calls = newCalls(l.joined, at.laneIndices(m.arguments), at.laneIndices(p.returned), at.laneIndices(p.loads))
	l.plain.finish(at, func(lane int) []float64 { return l.machines[lane].v })
	n := len(p.States)
	l.one = oneLane{make([]float64, n), make([]float64, len(p.Inputs)), make([]float64, n), make([]float64, n*Width)}
	if m.linearisation != nil {
		if err := l.linearise(); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// linearise creates lanes of the machines' linearisations.
func (l *Lanes) linearise() error {
	m := l.machines[0]
	j, e := m.linearisation.evaluator.JacobianProgram, m.linearisation.plan
	l.work = &j.laneWork
	if err := j.lanes.compile(m.linearisation.lanes); err != nil {
		return err
	}
	at := j.lanes.layout
	l.work.once.Do(func() {
		l.work.layout = at.withElimination(e)
		l.work.parts = e.machineCode(l.work.layout)
	})
	if l.work.parts == nil {
		return errors.New("there is no machine code of the elimination")
	}
	l.implicit = laneMemory{code: &j.lanes, slots: max(j.lanes.before.Slots, j.lanes.after.Slots)}
	for _, code := range l.work.parts {
		l.implicit.slots = max(l.implicit.slots, code.Slots)
	}
	l.implicit.calls = newSlopes(l.joined, at.laneIndices(j.arguments), at.laneIndices(j.partials),
		at.laneIndices(j.returned), at.laneIndices(j.loads), func(at int32) bool { return at/Width != l.work.layout.unread })
	l.implicit.finish(at, func(lane int) []float64 { return l.machines[lane].linearisation.evaluator.v })
	return nil
}

// Refresh takes over changed parameters of the machine of a lane.
func (l *Lanes) Refresh(lane int) {
	m := l.machines[lane]
	l.plain.refresh(lane, m.v)
	if l.work != nil {
		l.implicit.refresh(lane, m.linearisation.evaluator.v)
	}
	for _, s := range l.own {
		s.memory.refresh(lane, m.Side(s.kind).v)
	}
}

// Reload takes over the parameters of replaced functions of a lane.
func (l *Lanes) Reload(lane int) {
	for i := lane; i < len(l.joined); i += Width {
		lanes.Reload(l.joined[i])
	}
}

// sideBySide lists the functions and their kinds by call, with the functions of all lanes next to each other, for joint
// evaluation.
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

// finish plans moves, and copies the numbers fixed by parameters from the machines' memories.
func (m *laneMemory) finish(l *laneLayout, of func(lane int) []float64) {
	m.calls.scatter = slices.DeleteFunc(m.calls.scatter, func(x move) bool { return x.slot/Width == l.unread })
	m.calls.mergeLaneMoves()
	m.rates = l.indices(m.rates)
	m.fixed = make([]float64, len(l.fixed)*Width)
	for lane := range Width {
		m.refresh(lane, of(lane))
	}
}

// refresh copies the numbers fixed by parameters in a lane.
func (m *laneMemory) refresh(lane int, v []float64) {
	for i, slot := range m.code.layout.fixed {
		m.fixed[i*Width+lane] = v[slot]
	}
}

// evaluate writes the rates at states x and inputs u. It reports whether all code succeeded.
func (m *laneMemory) evaluate(at point, dx []float64) bool {
	m.put(m.v, at)
	if !m.run() {
		return false
	}
	for i, s := range m.rates {
		moveLanes((*[Width]float64)(dx[i*Width:]), (*[Width]float64)(m.v[s*Width:]))
	}
	return true
}

// run runs the code at the states and inputs in the workspace. It reports whether all code succeeded.
func (m *laneMemory) run() bool {
	if !m.code.before.RunWith(m.v, m.fixed) {
		return false
	}
	m.calls.make(m.v)
	return m.code.after.RunWith(m.v, m.fixed)
}

// put writes states and inputs at the beginning of a workspace.
func (m *laneMemory) put(v []float64, at point) {
	copy(v, at.x)
	copy(v[len(at.x):], at.u)
}

// oneByOne lets the machines evaluate after a failure of the code in lanes, and writes their rates.
func (l *Lanes) oneByOne(at point, dx []float64, evaluate func(m *machine, x, u, dx []float64)) {
	o := &l.one
	for lane, m := range l.machines {
		take(o.x, at.x, lane)
		take(o.u, at.u, lane)
		evaluate(m, o.x, o.u, o.dx)
		for i, x := range o.dx {
			dx[i*Width+lane] = x
		}
	}
}

// take copies the numbers of a lane.
func take(to, from []float64, lane int) {
	for i := range to {
		to[i] = from[i*Width+lane]
	}
}

// Derivatives evaluates dx = f(x, u) in all lanes.
func (l *Lanes) Derivatives(x, u, dx []float64) {
	at := point{x, u}
	if l.single = !l.plain.evaluate(at, dx); l.single {
		l.oneByOne(at, dx, func(m *machine, x, u, dx []float64) { m.Derivatives(0, x, u, dx) })
	}
}

// At is Linearisation.At in all lanes. Without states there is nothing to linearise.
func (l *Lanes) At(x, u []float64, c float64, k []float64) {
	if len(x) == 0 {
		l.Derivatives(x, u, k)
		return
	}
	v, e, index := l.implicit.v, l.machines[0].linearisation.plan, l.work.layout.index
	at := index[e.step] * Width
	for lane := range int32(Width) {
		v[at+lane] = c
	}
	l.implicit.put(v, point{x, u})
	if l.alone = !l.implicit.run() || !l.work.parts[factorBlock].RunWith(v, l.implicit.fixed); l.alone {
		l.oneByOne(point{x, u}, k, func(m *machine, x, u, k []float64) { m.linearisation.At(x, u, c, k) })
		return
	}
	copy(k, v[index[e.right]*Width:])
}

// Solve is Linearisation.Solve in all lanes.
func (l *Lanes) Solve(b []float64) {
	if len(b) == 0 {
		return
	}
	if !l.alone {
		v, e, index := l.implicit.v, l.machines[0].linearisation.plan, l.work.layout.index
		copy(v[index[e.given]*Width:], b)
		l.work.parts[solveBlock].RunWith(v, l.implicit.fixed)
		copy(b, v[index[e.right]*Width:])
		return
	}
	one := l.one.x
	for lane, m := range l.machines {
		take(one, b, lane)
		m.linearisation.Solve(one)
		for i, x := range one {
			b[i*Width+lane] = x
		}
	}
}

// Correct is Linearisation.Correct in all lanes.
func (l *Lanes) Correct(by, k []float64) {
	if len(k) == 0 {
		return
	}
	if !l.alone {
		v, e, index := l.implicit.v, l.machines[0].linearisation.plan, l.work.layout.index
		copy(v[index[e.violations]*Width:], by)
		l.work.parts[correctBlock].RunWith(v, l.implicit.fixed)
		copy(k, v[index[e.right]*Width:])
		return
	}
	one, own := l.one.x, l.one.rates[:len(by)/Width]
	for lane, m := range l.machines {
		take(own, by, lane)
		m.linearisation.Correct(own, one)
		for i, x := range one {
			k[i*Width+lane] = x
		}
	}
}
