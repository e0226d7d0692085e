package cosim

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"skidpad/model/program"
	"skidpad/model/solver"
	"skidpad/tire"
)

// Fleet steps independent instances together. Those that run the same machine code share the
// lanes of vector instructions, and all are spread over the processors. Results are those of
// Instance.Step, to the last bit. Between steps the instances can be used like any others.
type Fleet struct {
	instances []*Instance
	groups    []*laneGroup
	rooms     []*program.Workspace // one for each thread that steps
	alone     []int                // instances in no lane group
	unready   []bool               // by place: not initialised when lane groups were made
	errors    []error
	read      []int // the variables that readings are for
	reads     int   // how often those have been others
	readings  map[readingKey]*reading
}

// NewFleet returns a fleet of instances, each of which appears once. A step of one that is not initialised fails.
func NewFleet(instances []*Instance) (*Fleet, error) {
	f := &Fleet{instances: slices.Clone(instances), errors: make([]error, len(instances)),
		unready: make([]bool, len(instances))}
	seen := map[*Instance]bool{}
	for i, in := range instances {
		if seen[in] {
			return nil, fmt.Errorf("instance %d is in the fleet twice", i)
		}
		seen[in] = true
	}
	return f, nil
}

// arrange puts instances that go together into lane groups: all of them at first, later those that have none and those
// whose lane group has fallen apart. The other groups stay, since making one takes as long as many steps.
func (f *Fleet) arrange() {
	free := f.alone
	if f.groups == nil {
		free = make([]int, len(f.instances))
		for i := range free {
			free[i] = i
		}
	}
	kept := []*laneGroup{}
	for _, t := range f.groups {
		if t.needsRebuild() {
			free = append(free, t.places[:]...)
		} else {
			kept = append(kept, t)
		}
	}
	slices.Sort(free)
	f.groups, f.alone = kept, nil
	var waiting [][]int
	for _, i := range free {
		in := f.instances[i]
		f.unready[i] = !in.initialised
		if !in.initialised || !in.lanes() {
			f.alone = append(f.alone, i)
			continue
		}
		k := slices.IndexFunc(waiting, func(list []int) bool { return f.instances[list[0]].matches(in) })
		if k < 0 {
			k, waiting = len(waiting), append(waiting, nil)
		}
		if waiting[k] = append(waiting[k], i); len(waiting[k]) < program.Width {
			continue
		}
		t, err := newLaneGroup(f.instances, [program.Width]int(waiting[k]))
		if err != nil {
			f.alone = append(f.alone, waiting[k]...)
		} else {
			f.groups = append(f.groups, t)
		}
		waiting = slices.Delete(waiting, k, k+1)
	}
	for _, list := range waiting {
		f.alone = append(f.alone, list...)
	}
}

// lanes reports whether an instance can run in lanes at all.
func (in *Instance) lanes() bool {
	if !in.method.InLanes() {
		return false
	}
	if slices.ContainsFunc(in.acts, func(a queuedAct) bool { return a.alone() != "" }) {
		return false
	}
	return in.code == nativeCode && !in.ledger.recorded && len(in.tires.dynamics) == 0 &&
		len(in.tires.fallible) == 0 && !in.pendingStep.active
}

// matches reports whether two instances can be in one lane group.
func (in *Instance) matches(other *Instance) bool {
	return in.sys.program == other.sys.program && in.settings[stepSetting] == other.settings[stepSetting] &&
		slices.Equal(in.tires.kinds, other.tires.kinds) && in.texts[0] == other.texts[0]
}

// FleetStep says what a step of a fleet is.
type FleetStep struct {
	H       float64 // [s]
	Threads int
	Only    []bool // the instances that step, by place; nil for all

	// Inputs are what each instance is given before it steps; an error of one comes in place of the step. Outputs are
	// written after a step that has not failed. Rows are asked for in the threads that step.
	Inputs, Outputs Rows
}

// Step advances all instances by h [s] on a number of threads, see StepSome.
func (f *Fleet) Step(h float64, threads int) []error {
	return f.StepSome(&FleetStep{H: h, Threads: threads})
}

// StepSome advances instances. The result holds, by place, nil or why a step failed; such an instance keeps the state
// it had before. In a lane group of which only a part steps, the other lanes follow one that does, and their instances
// stay where they are.
func (f *Fleet) StepSome(step *FleetStep) []error {
	clear(f.errors)
	arranged := f.groups == nil || slices.ContainsFunc(f.groups, func(t *laneGroup) bool {
		return step.count(t) > 0 && t.needsRebuild()
	}) || slices.ContainsFunc(f.alone, func(i int) bool { return f.unready[i] && f.instances[i].initialised })
	if arranged {
		f.arrange()
	}
	planned := f.planReadings(step.Outputs.Variables)
	jobs := len(f.groups) + len(f.alone)
	workers := max(1, min(step.Threads, jobs))
	f.makeRoom(workers, arranged || planned)
	var next atomic.Int64
	var crash atomic.Pointer[any]
	work := func(room *program.Workspace) {
		defer func() {
			if cause := recover(); cause != nil {
				crash.Store(&cause) // for the caller, who may be able to contain it
			}
		}()
		for {
			switch k := int(next.Add(1)) - 1; {
			case k < len(f.groups):
				f.stepGroup(f.groups[k], step, room)
			case k < jobs:
				f.stepOne(f.alone[k-len(f.groups)], step)
			default:
				return
			}
		}
	}
	var done sync.WaitGroup
	for _, room := range f.rooms[1:workers] {
		done.Go(func() { work(room) })
	}
	work(f.rooms[0])
	done.Wait()
	if cause := crash.Load(); cause != nil {
		panic(*cause)
	}
	return f.errors
}

// makeRoom gives each thread a workspace that is large enough for every lane group, again if these have changed.
func (f *Fleet) makeRoom(threads int, changed bool) {
	first := len(f.rooms)
	for len(f.rooms) < threads {
		f.rooms = append(f.rooms, &program.Workspace{})
	}
	if changed {
		first = 0
	}
	for _, room := range f.rooms[first:] {
		for _, t := range f.groups {
			room.Prepare(t.lanes, t.readout())
		}
	}
}

// steps reports whether the instance at a place steps.
func (s *FleetStep) steps(place int) bool { return s.Only == nil || s.Only[place] }

// count is how many instances of a lane group step.
func (s *FleetStep) count(t *laneGroup) (n int) {
	for _, place := range t.places {
		if s.steps(place) {
			n++
		}
	}
	return n
}

// stepOne steps an instance by itself, if it is to step.
func (f *Fleet) stepOne(place int, step *FleetStep) {
	if !step.steps(place) {
		return
	}
	in := f.instances[place]
	if !in.initialised { // nor takes inputs
		f.errors[place] = errNotInitialised
		return
	}
	err := in.take(&step.Inputs, place)
	if err == nil {
		err = in.Step(step.H)
	}
	if err == nil {
		err = in.give(&step.Outputs, place)
	}
	f.errors[place] = err
}

// fewest is how many lanes of a group must step for it to be done together: below that, one by one takes less time.
const fewest = 2

// stepGroup steps a lane group in a workspace.
func (f *Fleet) stepGroup(t *laneGroup, step *FleetStep, room *program.Workspace) {
	count := step.count(t)
	if count == 0 {
		return
	}
	if count < fewest {
		for _, place := range t.places {
			f.stepOne(place, step)
		}
		return
	}
	t.lanes.Use(room)
	failed := t.step(step)
	for lane, place := range t.places {
		if step.steps(place) {
			f.errors[place] = failed[lane]
		}
	}
}

// laneGroup is as many instances as there are lanes. Its vectors hold their numbers side by side.
type laneGroup struct {
	instances   [program.Width]*Instance
	places      [program.Width]int       // in the fleet
	tires       [program.Width]*bindings // others come with other texts, too
	generations [program.Width]int
	changes     [program.Width]int // of the parameters of tire functions
	lanes       *program.Lanes
	solver      solver.Solver
	x, u        []float64
	one         []float64           // states of one lane
	moves       []bool              // by input: whether it changes within a step
	moving      []int               // the inputs that do
	settled     bool                // planes under tires are there that do not depend on states
	steps       [program.Width]bool // the lanes whose instances make the step; the others follow the first of them
	lead        int                 // the first of them
	looks       []laneLook          // by act; nil where there is none
	energies    *program.LaneSide   // nil unless steps give some
	watch       laneWatch
	reading     *reading // of the outputs that steps give
	read        int      // of which of Fleet.reads that is
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
	t.moves = make([]bool, len(first.u))
	t.solver = first.method.New(n)
	t.watch.open(t)
	return t, t.openActs()
}

// needsRebuild reports whether an instance has got other functions, or can no longer step with the others.
func (t *laneGroup) needsRebuild() bool {
	for lane, in := range t.instances {
		if in.tires != t.tires[lane] || !in.initialised || !in.lanes() || !in.matches(t.instances[0]) {
			return true
		}
	}
	return false
}

// step advances the lane group, as far as its instances are to step.
func (t *laneGroup) step(step *FleetStep) (failed [program.Width]error) {
	t.lead = -1
	for lane, in := range t.instances {
		if in.generation != t.generations[lane] {
			t.lanes.Refresh(lane)
			t.generations[lane] = in.generation
			t.watch.stale = true // limits follow from parameters
		}
		t.steps[lane] = false
		if !step.steps(t.places[lane]) {
			continue
		}
		if failed[lane] = in.take(&step.Inputs, t.places[lane]); failed[lane] != nil {
			continue
		}
		if failed[lane] = in.Begin(step.H); failed[lane] != nil {
			continue
		}
		if t.steps[lane] = true; t.lead < 0 {
			t.lead = lane
		}
	}
	switch {
	case t.lead < 0:
		return failed
	case t.alike():
		t.solve(&failed)
	default:
		for lane, in := range t.instances {
			if t.steps[lane] {
				failed[lane] = in.Step(step.H)
			}
		}
		t.begin()
	}
	t.give(step, &failed)
	return failed
}

// of is the instance whose states and inputs a lane has: its own, or that which it follows.
func (t *laneGroup) of(lane int) *Instance {
	if t.steps[lane] {
		return t.instances[lane]
	}
	return t.instances[t.lead]
}

// load takes over the states of the instance that a lane has.
func (t *laneGroup) load(lane int) {
	for i, x := range t.of(lane).x {
		t.x[i*program.Width+lane] = x
	}
}

// unload gives the instance of a lane its states.
func (t *laneGroup) unload(lane int) {
	x := t.instances[lane].x
	for i := range x {
		x[i] = t.x[i*program.Width+lane]
	}
}

// solve makes the solver steps of a communication step that has begun.
func (t *laneGroup) solve(failed *[program.Width]error) {
	for lane, in := range t.instances {
		if in.changes != t.changes[lane] {
			t.lanes.Reload(lane)
			t.changes[lane] = in.changes
		}
	}
	t.begin()
	t.watch.begin(t)
	pending := &t.instances[t.lead].pendingStep
	n, sub := pending.n, pending.sub
	for k := range n {
		t.watch.due = len(t.watch.gates) > 0
		t.solver.Step(t, float64(k)*sub, sub, t.x)
		for lane, in := range t.instances {
			if t.steps[lane] && failed[lane] == nil {
				in.commitRoadPlaces()
			}
		}
		since := float64(k+1) * sub
		t.act(true, since, sub, failed)
		if firstNonFinite(t.x) >= 0 {
			t.retireLanes(since, failed)
		}
		t.act(false, since, sub, failed)
	}
	for lane, in := range t.instances {
		if !t.steps[lane] || failed[lane] != nil {
			continue
		}
		t.unload(lane)
		in.pendingStep.done, in.since = n, float64(n-in.pendingStep.held)*sub
		failed[lane] = in.arrive()
	}
}

// alike reports whether all instances divide the communication step in the same way. Where their times have rounding
// errors of another size, they may not.
func (t *laneGroup) alike() bool {
	first := &t.instances[t.lead].pendingStep
	for lane, in := range t.instances {
		if s := &in.pendingStep; t.steps[lane] && (s.n != first.n || s.sub != first.sub) {
			return false
		}
	}
	return true
}

// retireLanes ends the step of lanes whose states are no longer finite. They go on with the state they
// had before, which nobody sees.
func (t *laneGroup) retireLanes(since float64, failed *[program.Width]error) {
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
			failed[lane] = in.notFinite(bad, t.x[bad*program.Width+lane], in.pendingStep.start+since,
				in.pendingStep.start)
			in.rollBack()
		}
		t.load(lane)
	}
}

// begin takes over the states and the inputs as they are now.
func (t *laneGroup) begin() {
	for lane := range t.instances {
		t.load(lane)
	}
	t.takeInputs()
}

// takeInputs takes over the inputs as they are now.
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

// followInputs gives a lane those inputs of the one it follows that may have changed.
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
func (t *laneGroup) Linearise(since float64, x, dx []float64, c float64) {
	t.inputs(since, x)
	t.lanes.At(x, t.u, dx)
	t.lanes.Factorise(c)
}

// Solve implements solver.Problem.
func (t *laneGroup) Solve(r []float64) { t.lanes.Solve(r) }
