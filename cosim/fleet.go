package cosim

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"skidpad/model/program"
)

// Fleet steps independent instances together. Those that run the same machine code share the
// lanes of vector instructions, and all are spread over the processors. Results are bit-identical to Instance.Step.
// Between steps the instances can be used like any others.
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

// NewFleet returns a fleet of distinct instances. A step of one that is not initialised fails.
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

// arrange puts compatible instances into lane groups: at first all instances, later the ungrouped ones and the
// members of groups that have fallen apart. The other groups stay, since making one takes as long as many steps.
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
	if !in.method.InLanes() || in.carriesDerivatives() {
		return false
	}
	if slices.ContainsFunc(in.acts, func(a queuedAct) bool { return a.alone() != "" }) {
		return false
	}
	return in.code == nativeCode && !in.ledger.recorded && len(in.tires.stateful) == 0 &&
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

	// Inputs are written to each instance before it steps; an error in an instance's inputs replaces its step.
	// Outputs are written after a step that has not failed. Rows are asked for in the threads that step.
	Inputs, Outputs Rows

	// ReadFirst writes the outputs before the step, after the inputs of an instance have been taken, also where the
	// step fails then.
	ReadFirst bool
}

// Step advances all instances by h [s] on a number of threads, see StepSome.
func (f *Fleet) Step(h float64, threads int) []error {
	return f.StepSome(&FleetStep{H: h, Threads: threads})
}

// StepSome advances instances. The result holds, by place, nil or why a step failed; such an instance keeps the state
// it had before. If only a part of a lane group steps, idle lanes copy an active lane; the instances of idle lanes
// are not written.
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
	if err == nil && step.ReadFirst {
		err = in.give(&step.Outputs, place)
	}
	if err == nil {
		err = in.Step(step.H)
	}
	if err == nil && !step.ReadFirst {
		err = in.give(&step.Outputs, place)
	}
	f.errors[place] = err
}

// fewest is the smallest number of active lanes for a joint step of a group: with fewer, stepping one by one takes
// less time.
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
