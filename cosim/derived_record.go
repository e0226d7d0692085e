package cosim

import (
	"fmt"

	"skidpad/model/solver"
)

// record holds a run for the way back: inputs that were set, states at some communication points, and the stages of all
// steps while the memory suffices. Dropped stages are computed again from the states, bit-identically.
type record struct {
	limit    int64 // of all that is kept [bytes]; 0: no record
	steps    []recordedStep
	changes  []inputChange
	points   []recordedPoint
	spacing  int // least number of solver steps between points
	since    int // solver steps since the latest point
	start    []float64
	u, rate  []float64 // after the latest step, before inputs are set
	made     store     // stages of the communication steps from and up to, without to
	from, to int
	// ofSolverStep is how many numbers are kept of a solver step.
	ofSolverStep int
	dropped      bool // stages are made again, segment by segment
	solver       int  // solver steps of the communication step under way
	again        *Instance
	repeated     stages // of again
}

// recordedStep is a communication step of a record.
type recordedStep struct {
	h       float64
	solver  int // solver steps
	changes int // number of changes up to its begin
	at      int // of its numbers in the store, while they are there
}

// inputChange is an input that was set before a communication step.
type inputChange struct {
	input       int
	value, rate float64
}

// recordedPoint is the saved state at the begin of a communication step.
type recordedPoint struct {
	step  int
	state []byte
}

// store is a list of numbers in chunks, which does not move when it grows.
type store struct {
	chunks [][]float64
	length int
}

// chunk is the number of numbers in a chunk of a store.
const chunk = 1 << 13

func (s *store) append(x ...float64) {
	for len(x) > 0 {
		if s.length == len(s.chunks)*chunk {
			s.chunks = append(s.chunks, make([]float64, chunk))
		}
		n := copy(s.chunks[s.length/chunk][s.length%chunk:], x)
		x, s.length = x[n:], s.length+n
	}
}

// read copies numbers from a place into dst, and returns the place after them.
func (s *store) read(at int, dst []float64) int {
	for len(dst) > 0 {
		n := copy(dst, s.chunks[at/chunk][at%chunk:])
		dst, at = dst[n:], at+n
	}
	return at
}

// firstSpacing is the number of solver steps between saved states, until their memory makes it larger.
const firstSpacing = 64

func (r *record) begin(run *RunDerivatives) {
	if r.limit == 0 {
		return
	}
	in := run.in
	r.spacing, r.since = firstSpacing, firstSpacing // the first step begins with a point
	r.u, r.rate = append([]float64(nil), in.u...), append([]float64(nil), in.rate...)
	in.arrange(0, in.x)
	r.start = append(append([]float64(nil), in.x[:len(run.stateAt)]...), in.continued...)
	r.ofSolverStep = 1 + len(run.stages.of)*(1+len(r.start))
}

// end releases what the record holds.
func (r *record) end() {
	if r.again != nil {
		r.repeated.release()
		r.again.Close()
	}
	r.again = nil
}

// beginStep notes the inputs of a communication step, and saves the state where a point is due.
func (r *record) beginStep(in *Instance, h float64) {
	if r.limit == 0 {
		return
	}
	r.solver = 0
	r.steps = append(r.steps, recordedStep{h: h, changes: len(r.changes), at: r.made.length})
	if r.since >= r.spacing {
		state := make([]byte, in.StateSize())
		if in.Save(state) == nil { // it fails within a communication step only
			r.points, r.since = append(r.points, recordedPoint{len(r.steps) - 1, state}), 0
		}
	}
	for i := range in.u[:len(in.u)-in.sys.program.Controls] {
		if in.u[i] != r.u[i] || in.rate[i] != r.rate[i] {
			r.changes = append(r.changes, inputChange{i, in.u[i], in.rate[i]})
		}
	}
}

// putBack removes the communication step that failed.
func (r *record) putBack() {
	if r.limit == 0 {
		return
	}
	last := r.steps[len(r.steps)-1]
	r.steps = r.steps[:len(r.steps)-1]
	if n := len(r.points); r.points[n-1].step == len(r.steps) {
		r.points, r.since = r.points[:n-1], r.spacing
	}
	r.changes = r.changes[:last.changes]
	if !r.dropped {
		r.made.length = last.at
	}
}

// keepStages keeps the stages of a solver step of h [s].
func (r *record) keepStages(s *stages, h float64) {
	if r.limit == 0 {
		return
	}
	r.solver++
	if r.dropped && s != &r.repeated {
		return
	}
	r.made.append(h)
	for i := range s.of {
		r.made.append(s.of[i].since)
		r.made.append(s.of[i].x...)
		r.made.append(s.of[i].inputs...)
	}
}

// keepEnd keeps the point at the end of a communication step.
func (r *record) keepEnd(in *Instance) {
	in.arrange(0, in.x)
	r.made.append(in.x[:len(in.sys.program.States)]...)
	r.made.append(in.continued...)
}

// endStep keeps the end of a communication step, and stays within the memory.
func (r *record) endStep(in *Instance) error {
	if r.limit == 0 {
		return nil
	}
	r.steps[len(r.steps)-1].solver = r.solver
	r.since += r.solver
	copy(r.u, in.u)
	copy(r.rate, in.rate)
	if !r.dropped {
		r.keepEnd(in)
		r.to = len(r.steps)
		if r.used() <= r.limit {
			return nil
		}
		r.dropped, r.made, r.to = true, store{}, 0
	}
	for r.used() > r.limit {
		if len(r.points) < 3 || r.spacing > 8*len(r.points)*firstSpacing { // segments need more than states
			return fmt.Errorf("the record of the run needs more than %d bytes; give it more memory", r.limit)
		}
		r.thinOut()
	}
	return nil
}

// thinOut removes every second point.
func (r *record) thinOut() {
	r.spacing *= 2
	kept := r.points[:0]
	for i, p := range r.points {
		if i%2 == 0 {
			kept = append(kept, p)
		}
	}
	clear(r.points[len(kept):])
	r.points = kept
}

// used is the memory of the record with its longest segment [bytes]. Lists grow in steps, which counts as a quarter.
func (r *record) used() int64 {
	used := 5 * (32*int64(len(r.steps)) + 24*int64(len(r.changes))) / 4
	if len(r.points) > 0 {
		used += int64(len(r.points)) * int64(len(r.points[0].state)+32)
	}
	if !r.dropped {
		return used + 8*int64(len(r.made.chunks)*chunk)
	}
	return used + 8*int64((r.spacing+r.solver)*(r.ofSolverStep+len(r.start))+chunk)
}

// load brings the stages of communication step i to hand.
func (r *record) load(in *Instance, i int) error {
	if r.from <= i && i < r.to {
		return nil
	}
	first := r.points[0]
	for _, p := range r.points {
		if p.step <= i {
			first = p
		}
	}
	if r.again == nil {
		again, err := in.sys.Instantiate()
		if err != nil {
			return err
		}
		r.again = again
	}
	if err := r.again.Restore(first.state); err != nil {
		return err
	}
	if r.again.solver != solver.Solver(&r.repeated) {
		r.repeated.take(r.again, func(h float64) { r.keepStages(&r.repeated, h) })
	}
	r.made.length, r.from, r.to = 0, first.step, first.step
	for ; r.to <= i; r.to++ {
		step := &r.steps[r.to]
		changes := r.changes[step.changes:]
		if r.to+1 < len(r.steps) {
			changes = r.changes[step.changes:r.steps[r.to+1].changes]
		}
		for _, c := range changes {
			r.again.u[c.input], r.again.rate[c.input] = c.value, c.rate
		}
		r.again.fresh = false
		step.at = r.made.length
		if err := r.again.Step(step.h); err != nil {
			return err
		}
		r.keepEnd(r.again)
	}
	return nil
}

// endOf reads the point at the end of communication step i, the start for -1: its states and its inputs.
func (r *record) endOf(i int, x, u []float64) {
	if i < 0 {
		copy(u, r.start[copy(x, r.start):])
		return
	}
	step := &r.steps[i]
	r.made.read(r.made.read(step.at+step.solver*r.ofSolverStep, x), u)
}
