package cosim

import (
	"skidpad/model/program"
	"skidpad/model/solver"
	"skidpad/tire"
)

// laneGroup is a group of as many instances as there are lanes. Its vectors interleave their numbers.
type laneGroup struct {
	instances   [program.Width]*Instance
	places      [program.Width]int       // in the fleet
	tires       [program.Width]*bindings // other functions come with other texts, too
	generations [program.Width]int
	changes     [program.Width]int // of the parameters of tire functions
	lanes       *program.Lanes
	solver      solver.Solver
	x, u        []float64
	by, change  []float64           // of corrections
	one         []float64           // the states of one lane
	moves       []bool              // by input: whether it changes within a step
	moving      []int               // the inputs that change within a step
	settled     bool                // the planes under tires are known and do not depend on states
	steps       [program.Width]bool // the lanes whose instances make the step; the others copy the lead
	lead        int                 // the first lane that makes the step
	looks       []laneLook          // by act; nil for an act without one
	energies    *program.LaneSide   // nil unless steps return some
	watch       laneWatch
	reading     *reading // of the outputs that steps return
	read        int      // value of Fleet.reads for which reading was made
}

func newLaneGroup(instances []*Instance, places [program.Width]int) (*laneGroup, error) {
	t := &laneGroup{places: places}
	var machines [program.Width]program.Machine
	var functions [program.Width][]tire.Function
	var callees [program.Width][]program.Callee
	for lane, i := range places {
		in := instances[i]
		t.instances[lane], t.tires[lane] = in, in.tires
		t.generations[lane], t.changes[lane] = in.generation, in.changes
		machines[lane], functions[lane], callees[lane] = in.machine, in.tires.functions, in.tires.callees
	}
	first := t.instances[0]
	var err error
	if t.lanes, err = program.NewLanes(machines, first.tires.kinds, callees, functions); err != nil {
		return nil, err
	}
	n := len(first.x) * program.Width
	t.x, t.u, t.one = make([]float64, n), make([]float64, len(first.u)*program.Width), make([]float64, len(first.x))
	t.by, t.change = make([]float64, len(first.sides.phi)*program.Width), make([]float64, n)
	t.moves = make([]bool, len(first.u))
	t.solver = first.method.New(n)
	t.watch.open(t)
	return t, t.openActs()
}

// needsRebuild reports whether an instance has other functions now, or can no longer step with the group.
func (t *laneGroup) needsRebuild() bool {
	for lane, in := range t.instances {
		if in.tires != t.tires[lane] || !in.initialised || !in.lanes() || !in.matches(t.instances[0]) {
			return true
		}
	}
	return false
}

// step advances those instances of the lane group that are to step.
func (t *laneGroup) step(step *FleetStep) (failed [program.Width]error) {
	t.take(step, &failed)
	if step.ReadFirst && t.lead >= 0 {
		t.begin()
		t.give(step, &failed)
	}
	t.lead = -1
	for lane, in := range t.instances {
		if t.steps[lane] && failed[lane] == nil {
			failed[lane] = in.Begin(step.H)
		}
		t.makes(lane, t.steps[lane] && failed[lane] == nil)
	}
	switch {
	case t.lead < 0:
		return failed
	case t.alike(&failed):
		t.solve(&failed)
	default:
		t.finish(&failed)
		t.begin()
	}
	if !step.ReadFirst {
		t.give(step, &failed)
	}
	return failed
}

// take gives the instances that are to step their inputs, and the lanes what has changed in the instances.
func (t *laneGroup) take(step *FleetStep, failed *[program.Width]error) {
	t.lead = -1
	for lane, in := range t.instances {
		takes := step.steps(t.places[lane])
		if takes {
			failed[lane] = in.take(&step.Inputs, t.places[lane])
		}
		t.makes(lane, takes && failed[lane] == nil)
		if in.generation != t.generations[lane] {
			t.lanes.Refresh(lane)
			t.generations[lane] = in.generation
			t.watch.stale = true // limits follow from parameters
		}
		if in.changes != t.changes[lane] {
			t.lanes.Reload(lane)
			t.changes[lane] = in.changes
		}
	}
}

// makes records whether the instance of a lane makes the step.
func (t *laneGroup) makes(lane int, step bool) {
	if t.steps[lane] = step; step && t.lead < 0 {
		t.lead = lane
	}
}

// of returns the instance of a lane. An idle lane repeats the states and inputs of the lead.
func (t *laneGroup) of(lane int) *Instance {
	if t.steps[lane] {
		return t.instances[lane]
	}
	return t.instances[t.lead]
}

// load copies the states of the lane's instance.
func (t *laneGroup) load(lane int) {
	for i, x := range t.of(lane).x {
		t.x[i*program.Width+lane] = x
	}
}

// unload writes the states of a lane to its instance.
func (t *laneGroup) unload(lane int) {
	x := t.instances[lane].x
	for i := range x {
		x[i] = t.x[i*program.Width+lane]
	}
}

// solve makes the solver steps of a communication step that has begun. Samples cut it into parts.
func (t *laneGroup) solve(failed *[program.Width]error) {
	t.begin()
	t.watch.begin(t)
	for {
		t.solvePart(failed)
		if !t.leads(failed) {
			return
		}
		last := t.instances[t.lead].pendingStep.last
		for lane, in := range t.instances {
			if !t.steps[lane] || failed[lane] != nil {
				continue
			}
			t.unload(lane)
			if last {
				failed[lane] = in.arrive()
			} else if failed[lane] = in.beginPart(in.pendingStep.to); failed[lane] != nil {
				in.rollBack()
			}
		}
		if last || !t.leads(failed) {
			return
		}
		alike := t.alike(failed)
		if !alike {
			t.finish(failed)
		}
		t.begin()
		if !alike {
			return
		}
	}
}

// leads lets the first lane whose step has not failed lead. It reports false where none is left.
func (t *laneGroup) leads(failed *[program.Width]error) bool {
	for lane, steps := range t.steps {
		if steps && failed[lane] == nil {
			t.lead = lane
			return true
		}
	}
	return false
}

// solvePart makes the solver steps of a part of the communication step.
func (t *laneGroup) solvePart(failed *[program.Width]error) {
	part := &t.instances[t.lead].pendingStep
	before, n, sub := part.sinceBefore, part.n, part.sub
	for k := range n {
		t.watch.due = len(t.watch.gates) > 0
		t.solver.Step(t, before+float64(k)*sub, sub, t.x)
		since := before + float64(k+1)*sub
		for lane, in := range t.instances {
			if t.steps[lane] && failed[lane] == nil {
				in.commitRoadPlaces()
				in.pendingStep.done, in.since = k+1, since
			}
		}
		t.act(true, since, sub, failed)
		if firstNonFinite(t.x) >= 0 {
			t.retireLanes(failed)
		}
		t.act(false, since, sub, failed)
	}
}

// finish lets the instances finish the communication step one by one.
func (t *laneGroup) finish(failed *[program.Width]error) {
	for lane, in := range t.instances {
		if t.steps[lane] && failed[lane] == nil {
			failed[lane] = in.finish()
		}
	}
}

// alike reports whether all instances divide the part of the communication step in the same way. Times with rounding
// errors of different sizes can be divided differently, and samples can have other times.
func (t *laneGroup) alike(failed *[program.Width]error) bool {
	first := &t.instances[t.lead].pendingStep
	for lane, in := range t.instances {
		s := &in.pendingStep
		if t.steps[lane] && failed[lane] == nil && (s.n != first.n || s.sub != first.sub || s.last != first.last ||
			s.sinceBefore != first.sinceBefore) {
			return false
		}
	}
	return true
}

// retireLanes ends the step of lanes whose states are no longer finite. The lanes continue with their previous states,
// which nobody sees.
func (t *laneGroup) retireLanes(failed *[program.Width]error) {
	for lane, in := range t.instances {
		bad := -1
		for i := range in.x {
			if v := t.x[i*program.Width+lane]; v-v != 0 && bad < 0 {
				bad = i
			}
		}
		if bad < 0 {
			continue
		}
		if t.steps[lane] && failed[lane] == nil {
			failed[lane] = in.notFinite(bad, t.x[bad*program.Width+lane], in.pendingStep.reached(),
				in.pendingStep.start)
			in.rollBack()
		}
		t.load(lane)
	}
}

// begin copies the present states and inputs.
func (t *laneGroup) begin() {
	for lane := range t.instances {
		t.load(lane)
	}
	t.takeInputs()
}

// takeInputs copies the present inputs.
func (t *laneGroup) takeInputs() {
	t.settled = false
	clear(t.moves)
	for lane := range t.instances {
		in := t.of(lane)
		for i, u := range in.u {
			t.u[i*program.Width+lane] = u
			if in.rate[i] != 0 {
				t.moves[i] = true
			}
		}
		for _, m := range in.sys.program.Motions {
			if in.u[m.Rate] != 0 || in.rate[m.Rate] != 0 || m.Acceleration >= 0 && in.u[m.Acceleration] != 0 {
				t.moves[m.Position], t.moves[m.Rate] = true, true
			}
		}
	}
	t.moving = t.moving[:0]
	for i, moves := range t.moves {
		if moves {
			t.moving = append(t.moving, i)
		}
	}
}

// inputs continues the inputs of all lanes, and finds the planes under their tires at states.
func (t *laneGroup) inputs(since float64, x []float64) {
	uneven := t.instances[0].sys.program.Uneven
	if len(t.moving) == 0 && (len(uneven) == 0 || t.settled) {
		return
	}
	t.settled = true
	for lane, in := range t.instances {
		if !t.steps[lane] {
			continue
		}
		in.inputsAt(since)
		for _, i := range t.moving {
			t.u[i*program.Width+lane] = in.continued[i]
		}
		if len(uneven) == 0 {
			continue
		}
		if !in.updateLevelPlanes() {
			t.settled = false
			for i := range t.one {
				t.one[i] = x[i*program.Width+lane]
			}
			in.updateLocalPlanes(in.timeAfter(since), t.one)
		}
		for k := range uneven {
			for _, i := range uneven[k].Plane() {
				t.u[i*program.Width+lane] = in.continued[i]
			}
		}
	}
	for lane, steps := range t.steps {
		if !steps {
			t.followInputs(lane)
		}
	}
}

// followInputs copies to a lane the inputs of the lead that may have changed.
func (t *laneGroup) followInputs(lane int) {
	for _, i := range t.moving {
		t.u[i*program.Width+lane] = t.u[i*program.Width+t.lead]
	}
	uneven := t.instances[0].sys.program.Uneven
	for k := range uneven {
		for _, i := range uneven[k].Plane() {
			t.u[i*program.Width+lane] = t.u[i*program.Width+t.lead]
		}
	}
}

// Rates implements solver.Problem.
func (t *laneGroup) Rates(since float64, x, dx []float64) {
	t.inputs(since, x)
	t.lanes.Derivatives(x, t.u, dx)
	if t.watch.due {
		t.look(since)
	}
}

// Linearise implements solver.Problem.
func (t *laneGroup) Linearise(since float64, x, k []float64, c float64) {
	t.inputs(since, x)
	t.lanes.At(x, t.u, c, k)
}

// Correct implements solver.Corrected.
func (t *laneGroup) Correct(since, c float64, x []float64) {
	if !t.instances[t.lead].corrects() {
		return
	}
	const w = program.Width
	m, p := len(t.by)/w/2, t.instances[t.lead].sys.program.Speeds
	for lane := range t.instances {
		for i := range t.one {
			t.one[i] = x[i*w+lane]
		}
		for i, v := range (problem{t.of(lane)}).Residuals(since, t.one) {
			if i < m {
				t.by[i*w+lane] = -v / c
			} else {
				t.by[i*w+lane] = -v
			}
		}
	}
	var stopped [w]bool
	t.lanes.Correct(t.by[:m*w], t.change)
	for lane := range stopped {
		stopped[lane] = singular(t.by[:m*w], t.change[:p*w], lane, w)
	}
	for i := p * w; i < 2*p*w; i++ {
		if !stopped[i%w] {
			x[i] += t.change[i]
		}
	}
	t.lanes.Correct(t.by[m*w:], t.change)
	for lane := range stopped {
		stopped[lane] = stopped[lane] || singular(t.by[m*w:], t.change[:p*w], lane, w)
	}
	for i := range p * w {
		if !stopped[i%w] {
			x[i] += t.change[i]
		}
	}
}

// Solve implements solver.Problem.
func (t *laneGroup) Solve(r []float64) { t.lanes.Solve(r) }
