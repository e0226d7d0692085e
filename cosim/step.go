package cosim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/solver"
)

// stepping is a communication step under way, with the time before it. Samples cut it into parts, each of which has
// equal solver steps.
type stepping struct {
	active bool
	start  float64
	h      float64
	stepPart
	done        int     // solver steps of the part
	doneAtInput int     // solver steps of the part made when the inputs were set the last time
	sinceBefore float64 // time from the last setting of the inputs to the begin of the part; 0 if they were set in it [s]
	inputTime   float64 // when the inputs were set the last time
}

// stepPart is a part of a communication step.
type stepPart struct {
	from, to float64
	last     bool    // it ends the communication step
	sub      float64 // solver step
	n        int     // solver steps
}

// reached is the time at the end of the latest solver step [s].
func (s *stepping) reached() float64 {
	if s.done == s.n && !s.last {
		return s.to
	}
	return s.from + float64(s.done)*s.sub
}

var (
	errNotInitialised = errors.New("the instance is not initialised")
	errNoStep         = errors.New("no communication step is under way")
)

// ErrNotFinite is wrapped by errors about states that are not finite numbers. A
// shorter step may avoid them.
var ErrNotFinite = errors.New("not a finite number")

// ulp is the distance from 1 to the next number.
const ulp = 0x1p-52

// maxSteps bounds the solver steps of one communication step.
const maxSteps = 1e9

// Step advances by a communication step h [s], divided into equal solver steps not longer than solver.step. Prescribed
// motions continue with their rates and accelerations; other inputs are held unless SetRate gave them a rate. If a step
// fails, the instance keeps the state before the step. The error names the first state that is not finite, and the
// time.
func (in *Instance) Step(h float64) error {
	if err := in.Begin(h); err != nil {
		return err
	}
	return in.finish()
}

// finish makes the solver steps that are left of a communication step.
func (in *Instance) finish() error {
	for {
		if done, err := in.Next(); done || err != nil {
			return err
		}
	}
}

// Begin starts a communication step of h [s] for Next to execute.
func (in *Instance) Begin(h float64) error {
	if !in.initialised {
		return errNotInitialised
	}
	if !(h > 0) || math.IsInf(h, 1) {
		return fmt.Errorf("the communication step is %v s; it must be a finite number above 0", h)
	}
	longest := in.settings[stepSetting]
	n, rounding := in.solverSteps(in.t, h)
	if n > maxSteps {
		return fmt.Errorf("a communication step of %g s holds more than 1e9 solver steps of %g s", h, longest)
	}
	if in.acts.changes() && math.Abs(h-n*longest) > rounding {
		return fmt.Errorf("a communication step of %g s is not an integer multiple of the solver step of %g s, as "+
			"models with wheel contacts require; choose another step, or set %s", h, longest, StepVariable)
	}
	if err := in.derived.beginStep(h); err != nil {
		return err
	}
	s := &in.pendingStep
	s.active, s.start, s.h, s.inputTime = true, in.t, h, in.t
	in.state.keep()
	for _, a := range in.acts {
		a.begin()
	}
	in.watch.kept = false
	if err := in.beginPart(in.t); err != nil {
		in.rollBack()
		return err
	}
	return nil
}

// solverSteps returns how many solver steps a time of h from time t on has, and the tolerance of h: importers compute h
// as a difference of rounded times; its last bits must not change the number of steps, nor the last bits of results.
func (in *Instance) solverSteps(t, h float64) (n, rounding float64) {
	longest := in.settings[stepSetting]
	rounding = 4 * ulp * (math.Abs(t) + h)
	if in.acts.changes() {
		rounding = max(1e-6*longest, min(rounding, longest/4))
	}
	return max(1, math.Ceil(h/longest*(1-1e-12)-max(1e-9, rounding/longest))), rounding
}

// beginPart takes the samples that are due at the time reached, and begins the part of the communication step up to the
// next sample.
func (in *Instance) beginPart(t float64) error {
	s := &in.pendingStep
	s.sinceBefore, s.done, s.doneAtInput = in.since, 0, 0
	if in.samples != nil {
		if err := in.samples.take(); err != nil {
			return in.kept(err)
		}
	}
	s.stepPart = in.partFrom(t)
	return nil
}

// partFrom is the part of the communication step that begins at time t, once the samples at t have been taken.
func (in *Instance) partFrom(t float64) stepPart {
	s := &in.pendingStep
	p := stepPart{from: t, to: s.start + s.h, last: true}
	length := s.h
	if t != s.start {
		length = p.to - t
	}
	if in.samples != nil {
		if at, uncut := in.samples.after(t); p.to > uncut {
			p.to, p.last, length = at, false, at-t
		}
	}
	n, rounding := in.solverSteps(t, length)
	p.n = int(n)
	if longest := in.settings[stepSetting]; math.Abs(length-n*longest) <= rounding {
		p.sub = longest
	} else {
		p.sub = length / n
	}
	return p
}

// Next makes one solver step of the communication step that Begin started. done reports whether this was the last
// solver step. After a failure the instance is as before Begin.
func (in *Instance) Next() (done bool, err error) {
	if in.slow.limit == 0 {
		return in.next()
	}
	in.slow.begin()
	done, err = in.next()
	in.slow.end(done || err != nil, in.tires, in.t)
	return done, err
}

func (in *Instance) next() (done bool, err error) {
	s := &in.pendingStep
	if !s.active {
		return false, errNoStep
	}
	if s.done == s.n { // a sample comes
		if err := in.beginPart(s.to); err != nil {
			in.rollBack()
			return false, err
		}
	}
	in.watch.due = len(in.watch.gates) > 0
	// These methods begin with the rates of the present state. If steps are timed, they evaluate these rates again.
	in.known = in.fresh && in.since == 0 && in.method.InC && in.slow.limit == 0
	in.solver.Step(problem{in}, in.since, s.sub, in.x)
	s.done++
	in.since = s.sinceBefore + float64(s.done-s.doneAtInput)*s.sub
	reached := s.reached()
	in.commitRoadPlaces()
	if err := in.act(reached); err != nil {
		in.rollBack()
		return false, err
	}
	if s.done == s.n && s.last {
		if err := in.arrive(); err != nil {
			return false, err
		}
		if err := in.derived.endStep(s.h); err != nil {
			in.rollBack()
			return false, err
		}
	}
	for _, f := range in.tires.observers {
		f.Accepted(reached)
	}
	if !s.active {
		return true, nil
	}
	in.t, in.fresh = reached, false
	return false, nil
}

// act executes the acts that are due at time t, and checks the result of the solver step.
func (in *Instance) act(t float64) error {
	s := &in.pendingStep
	if err := in.acts.do(true, t, s.sub); err != nil {
		return in.kept(err)
	}
	if err := in.tires.fault(); err != nil {
		return fmt.Errorf("%w; at t = %g s", err, t)
	}
	if k := firstNonFinite(in.x); k >= 0 {
		return in.notFinite(k, in.x[k], t, s.start)
	}
	if m, ok := in.solver.(solver.Iterative); ok && m.Failure() != nil {
		return fmt.Errorf("%s: %w; at t = %g s; the state at %g s is kept; try a smaller solver.step or the "+
			"method dlmm", in.method.Name, m.Failure(), t, s.start)
	}
	if err := in.acts.do(false, t, s.sub); err != nil {
		return in.kept(err)
	}
	return nil
}

// kept adds the time of the state that is kept to the error of an act.
func (in *Instance) kept(err error) error {
	return fmt.Errorf("%w; the state at %g s is kept", err, in.pendingStep.start)
}

// notFinite returns the error about a state that is not finite, with a remedy for the method in use.
func (in *Instance) notFinite(state int, value, reached, kept float64) error {
	remedy := "try a smaller solver.step or the method linearly-implicit"
	if in.method.Implicit {
		remedy = "try a smaller solver.step, and look for an input, a parameter or a tire function out of its range"
	}
	return fmt.Errorf("%w: %s = %v at t = %g s; the state at %g s is kept; %s", ErrNotFinite, in.stateName(state),
		value, reached, kept, in.remedy(remedy))
}

// remedy returns otherwise, unless a mass is missing: then it names the mass.
func (in *Instance) remedy(otherwise string) string {
	if massless := in.massless(); massless != nil {
		return "give " + strings.Join(massless, ", ") + " a value above 0, as the model does"
	}
	return otherwise
}

// massless names the masses and moments of inertia that were set to 0 and are above 0 in the model.
func (in *Instance) massless() []string {
	var names []string
	for i := range in.sys.variables {
		v := &in.sys.variables[i]
		if v.Kind == Parameter && v.parameter >= 0 && (v.Unit == "kg" || v.Unit == "kg.m2") && v.Start > 0 &&
			in.p[v.parameter] == 0 {
			names = append(names, v.Name)
		}
	}
	return names
}

// Stepping reports whether a communication step is under way.
func (in *Instance) Stepping() bool { return in.pendingStep.active }

// NextEnd returns the time that Next would reach [s].
func (in *Instance) NextEnd() float64 {
	s := &in.pendingStep
	part, done := s.stepPart, s.done
	if done == part.n {
		part, done = in.partFrom(part.to), 0
	}
	if done+1 < part.n {
		return part.from + float64(done+1)*part.sub
	}
	return part.to
}

// CorrectTime corrects the time reached to t, which differs only by rounding: importers add up communication steps in
// their own way.
func (in *Instance) CorrectTime(t float64) {
	if t != in.t && len(in.sys.program.Uneven) > 0 { // the ground can move
		in.fresh = false
	}
	in.t = t
}

// Stop ends a communication step early, at the time reached.
func (in *Instance) Stop() {
	if in.pendingStep.active {
		in.advance(in.t)
		in.pendingStep.active = false
	}
}

// farOut is a size of states and inputs, in SI units, far beyond any vehicle. Only beyond it can rates and outputs of
// finite states overflow.
const farOut = 1 << 31

// isFarOut reports whether a number is beyond farOut.
func isFarOut(x float64) bool { return !(math.Abs(x) < farOut) }

// arrive ends a communication step. It fails if rates or outputs at its end are not finite, though the states are.
func (in *Instance) arrive() error {
	s := &in.pendingStep
	in.advance(s.start + s.h)
	s.active = false
	if !slices.ContainsFunc(in.x, isFarOut) && !slices.ContainsFunc(in.u, isFarOut) {
		return nil
	}
	err, reached := in.refresh(), in.t
	if k := firstNonFinite(in.dx); err == nil && k >= 0 {
		err = fmt.Errorf("%w: the rate of %s is %v", ErrNotFinite, in.stateName(k), in.dx[k])
	}
	if k := firstNonFinite(in.y); err == nil && k >= 0 {
		err = fmt.Errorf("%w: an output is %v", ErrNotFinite, in.y[k])
	}
	if err == nil {
		return nil
	}
	err = fmt.Errorf("%w at t = %g s, where %s; the state at %g s is kept; %s", err, reached, in.extreme(), s.start,
		in.remedy("look for an input, a parameter or a state out of its range"))
	in.rollBack()
	return err
}

// extreme names the state or the input with the largest size.
func (in *Instance) extreme() string {
	text, largest := "", -1.0
	for i, x := range in.x {
		if math.Abs(x) > largest {
			text, largest = fmt.Sprintf("%s is %g", in.stateName(i), x), math.Abs(x)
		}
	}
	for i, v := range in.sys.program.Inputs {
		if x := in.u[i]; math.Abs(x) > largest {
			text, largest = fmt.Sprintf("%s is %g", v.Name, x), math.Abs(x)
		}
	}
	return text
}

// rollBack returns to the state before Begin.
func (in *Instance) rollBack() {
	s := &in.pendingStep
	in.t, in.since = s.start, 0
	in.state.putBack()
	in.watch.rollBack()
	in.fresh, s.active = false, false
	in.derived.putBack()
}

// advance moves the time to t, and the prescribed motions to that time.
func (in *Instance) advance(t float64) {
	in.inputsAt(in.since)
	copy(in.u, in.continued)
	s := &in.pendingStep
	in.t, in.since, in.fresh = t, 0, false
	s.doneAtInput, s.sinceBefore, s.inputTime = s.done, 0, t
}
