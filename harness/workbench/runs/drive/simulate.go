// Package drive drives a vehicle, of the library or an FMU, through a manoeuvre, and records it.
package drive

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"skidpad/harness/library"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/cruise"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
	"skidpad/tire/external"
)

// Settable accepts settings before initialisation.
type Settable interface {
	Find(name string) (library.Variable, error)
	SetNamed(name string, value float64) error
	SetText(name, value string) error
}

// Subject can be driven through a manoeuvre: a Vehicle of the native library or a CoSimulation of an FMU.
type Subject interface {
	Settable
	References(names ...string) ([]uint32, error)
	Outputs() []string
	Locals() []string
	Set(references []uint32, values []float64) error
	Get(references []uint32, values []float64) error
	Initialise() error
	Step(h float64) error
}

// Gravity is the magnitude of the acceleration of gravity of a vehicle [m/s2].
func Gravity(s Subject) float64 {
	for _, name := range []string{"gravity.z", "gravity"} {
		if g, err := s.Find(name); err == nil && g.Causality != library.Output && g.Start != 0 {
			return math.Abs(g.Start)
		}
	}
	return 9.81
}

// Plan says how a vehicle is driven through a manoeuvre.
type Plan struct {
	Manoeuvre *manoeuvre.Manoeuvre
	Method    string              // solver.method; "" keeps the model's
	Step      float64             // communication step, s; 0 takes the manoeuvre's
	Substep   float64             // solver.step, s; 0 keeps the model's, at most Step
	Duration  float64             // s; 0 takes the manoeuvre's
	Settings  []manoeuvre.Setting // parameters and texts
	Record    []string            // variables to record; nil records every output
	Held      bool                // inputs are kept for a step; else they change linearly where that is possible
	Paced     bool                // steps begin when real time has come to them
	Progress  output.Progress     // told how far a long run is; nil for silence

	EndAt []manoeuvre.EndCondition // what ends the run; nil takes the manoeuvre's

	Interrupt <-chan struct{} // ends the run when it is closed; nil never does

	// Outputs and Inputs take what is recorded as the run goes. With Outputs the run keeps no rows itself, neither of
	// outputs nor of inputs, and Inputs may be nil.
	Outputs, Inputs Sink

	Energy bool // works are recorded, and the ledger is a result

	Control *Control // a program that sets inputs at samples; nil without

	AllowPlugins bool // the manoeuvre file may name libraries, whose code then runs in this process

	// Driver is an adapted driver, for manoeuvres with a table [driver]. With nil, the driver adapts by runs of the
	// subject before its own run; the subject then needs Reset
	Driver *preview.Driver

	// Pedals are the law of the manoeuvre's pedals, found like Driver where it is nil.
	Pedals *cruise.Law
}

// refuseLibraries is the error of settings that name libraries; nil where none does.
func refuseLibraries(settings []manoeuvre.FileSetting) error {
	var all []error
	for _, s := range settings {
		if external.Names(s.Value) {
			all = append(all,
				fmt.Errorf("%s: %s = %q names a library, whose code would run in this process; if you trust the file "+
					"and the library, use simulate, manoeuvre or sweep with --allow-plugins", s.Place, s.Name, s.Value))
		}
	}
	return errors.Join(all...)
}

// Result has all results of a run. Its traces have no rows where sinks took the rows.
type Result struct {
	Trace    *trace.Trace
	Inputs   *trace.Trace // what the inputs were set to at every communication point
	Phases   []PhaseInterval
	Verdict  string            // why the run ended before its last phase did; "" where it did not
	Failure  error             // of the step that ended it; nil where none did
	Notes    []string          // of the vehicle about its start
	Warnings []library.Warning // of the run and its start, what has come back included
	// Settings are the settings made before the start, by names of variables: patterns are expanded to the matching names,
	// and factors to values.
	Settings []manoeuvre.Setting
	Turns    float64 // of the steering wheel for one of what the manoeuvre steers by; 0 without steering
	Ratio    float64 // of the angle of the steering wheel to that of the road wheels; 0 without steering
	Timing   Timing
	Energy   *Energy // nil unless it was asked for
}

// OfRun are the warnings of what happened in the run, after its start, without what the verdict says.
func (r *Result) OfRun() (list []library.Warning) {
	for _, w := range r.Warnings {
		if w.OfRun() && (w.Rule != "end" || r.Verdict == "") {
			list = append(list, w)
		}
	}
	return list
}

// WarningTexts are these warnings, a line each.
func (r *Result) WarningTexts() string {
	var lines []string
	for _, w := range r.OfRun() {
		lines = append(lines, w.Text)
	}
	return strings.Join(lines, "\n")
}

// AdaptTo finds what the driver and the pedals of the manoeuvre must know of a subject and do not know yet. The subject
// is one that has just been loaded, and is again at the end.
func (run *Plan) AdaptTo(s Subject) (err error) {
	if run.Manoeuvre.Driver != nil && run.Driver == nil {
		if run.Driver, err = Adapt(s, *run); err != nil {
			return err
		}
	}
	if run.Manoeuvre.Pedals != nil && run.Pedals == nil {
		run.Pedals, err = AdaptPedals(s, *run)
	}
	return err
}

// Simulate drives a fresh subject through a manoeuvre. At every communication point
// the variables are read, the inputs are set to the manoeuvre's values at that time, and
// the subject steps. Where that fails, or is interrupted, what the run gave up to there is returned with the error.
func Simulate(s Subject, run Plan) (_ *Result, failure error) {
	defer func() { failure = Located(failure, run.Manoeuvre.Roles) }()
	h, duration, steps, err := run.Steps()
	if err != nil {
		return nil, err
	}
	if err := run.AdaptTo(s); err != nil {
		return nil, err
	}
	recorder, err := run.newRecorder(s)
	if err != nil {
		return nil, err
	}
	d, err := run.Prepare(s, h)
	if err != nil {
		return nil, err
	}
	var notes []string
	if n, ok := s.(interface{ Notes() ([]string, error) }); ok {
		if notes, err = n.Notes(); err != nil {
			return nil, err
		}
	}
	ratio, err := d.handWheel.overallRatio(d)
	if err != nil {
		return nil, err
	}
	if err := recorder.begin(&run, d, steps); err != nil {
		return nil, err
	}
	if run.Control != nil {
		if err := run.Control.Program.Begin(run.Manoeuvre); err != nil {
			return nil, err
		}
		defer func() {
			verdict := d.verdict
			if failure != nil {
				verdict = failure.Error()
			}
			failure = errors.Join(failure, run.Control.Program.End(verdict))
		}()
	}
	clock := newClock(h, steps, run.Paced)
	result := func(t float64) *Result {
		r := &Result{Trace: recorder.trace, Inputs: recorder.inputs, Phases: d.passed(t), Verdict: d.verdict,
			Turns: d.handWheel.turns, Ratio: ratio, Timing: clock.timing(), Notes: notes, Settings: d.settings}
		if run.Energy {
			r.Energy = recorder.ledger.of(s)
		}
		if w, ok := s.(interface {
			Warnings() ([]library.Warning, error)
		}); ok {
			r.Warnings, _ = w.Warnings() // of a vehicle that a step has broken there are none
		}
		return r
	}
	for n := 0; ; n++ {
		t := float64(n) * h
		if err := recorder.take(t); err != nil {
			return result(t), err
		}
		err := d.At(t, h)
		if err := recorder.takeInputs(t, d.recorded()); err != nil {
			return result(t), err
		}
		if err != nil {
			return result(t), fmt.Errorf("at %.6g s: %w", t, err)
		}
		if n == steps || d.Done {
			return result(t), nil
		}
		if output.Interrupted(run.Interrupt) {
			return result(t), fmt.Errorf("at %.6g s: %w", t, output.ErrInterrupted)
		}
		clock.wait(n)
		before := time.Now()
		err = s.Step(h)
		clock.took(n, time.Since(before))
		if ended := (*library.Ended)(nil); errors.As(err, &ended) {
			d.verdict = ended.Error()
			return result(t), nil
		}
		if err != nil {
			return result(t), fmt.Errorf("step from %.6g s: %w", t, err)
		}
		if run.Progress != nil {
			run.Progress.At(run.Manoeuvre.Name, float64(n+1)*h, duration)
		}
	}
}

// MostRecorded bounds the numbers that a run, or a sweep, keeps in memory: 8 GB.
const MostRecorded = 1e9

// Steps are how long a step is and the run [s], and how many steps it has at most.
func (run *Plan) Steps() (h, duration float64, steps int, err error) {
	h, duration = run.Step, run.Duration
	if h == 0 {
		h = run.Manoeuvre.Step
	}
	if duration == 0 {
		duration = run.Manoeuvre.Duration
	}
	const most = 1e8 // whose rows could not be kept
	if duration/h > most {
		return 0, 0, 0, fmt.Errorf("a duration of %g s has more than %g steps of %g s", duration, most, h)
	}
	if run.Duration == 0 && run.Manoeuvre.Phases != nil && h > 0 {
		// each ends at a communication point
		return h, duration, int(math.Ceil(duration/h)) + len(run.Manoeuvre.Phases), nil
	}
	steps = int(math.Round(duration / h))
	if h <= 0 || steps < 1 || math.Abs(float64(steps)*h-duration) > 1e-9*duration {
		return 0, 0, 0, fmt.Errorf("a duration of %g s is not a whole number of steps of %g s", duration, h)
	}
	return h, duration, steps, nil
}

// Prepare sets what has to be set before the first step, and initialises.
func (run *Plan) Prepare(s Subject, h float64) (*InputDriver, error) {
	return run.PrepareLike(s, h, nil)
}

// PrepareLike is Prepare, with the driver of another subject of the same model, or nil. The other driver was prepared
// by the same manoeuvre and has set nothing since. If it can serve both subjects (see Common), it is the result.
func (run *Plan) PrepareLike(s Subject, h float64, other *InputDriver) (*InputDriver, error) {
	if !run.AllowPlugins {
		if err := refuseLibraries(run.Manoeuvre.Settings); err != nil {
			return nil, err
		}
	}
	if run.Method != "" {
		if err := s.SetText("solver.method", run.Method); err != nil {
			return nil, err
		}
	}
	if run.Energy {
		if err := s.SetText("energy.record", "true"); err != nil {
			return nil, err
		}
	}
	if run.Substep != 0 {
		if err := s.SetNamed("solver.step", run.Substep); err != nil {
			return nil, err
		}
	}
	several := patterned{subject: s, vehicle: run.Manoeuvre.Roles, set: map[string]float64{}}
	if err := several.apply(manoeuvre.Plain(run.Manoeuvre.Settings)); err != nil {
		return nil, err
	}
	for _, start := range run.Manoeuvre.Start {
		if err := Fits(s, start.Variable, start.Written); err != nil {
			return nil, err
		}
		if err := s.SetNamed(start.Variable, start.Value); err != nil {
			return nil, err
		}
		several.set[start.Variable] = start.Value
	}
	if err := several.apply(run.Settings); err != nil {
		return nil, err
	}
	if other != nil && other.Common() && other.beginsWith(several.set) {
		if err := other.startLike(s); err != nil {
			return nil, err
		}
		return other, s.Initialise()
	}
	d, err := newAdaptedDriver(s, run.Manoeuvre, several.set, run.Driver, run.Pedals)
	if err != nil {
		return nil, err
	}
	if err := run.connectControl(d, h); err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	d.settings = several.done
	endAt := run.EndAt
	if endAt == nil {
		endAt = run.Manoeuvre.EndAt
	}
	if err := d.ends.connect(s, endAt); err != nil {
		return nil, err
	}
	r, ok := s.(ramped)
	switch {
	case run.Held:
		d.holding = heldAtBegin
	case ok && r.TakesRates():
		d.ramped, h = r, 0
	default:
		d.holding, h = heldAtEnd, 0
	}
	d.first = h
	if err := d.set(0, h); err != nil { // a vehicle that begins with held inputs begins with those of the first step
		return nil, err
	}
	return d, s.Initialise()
}

// set sets a number, or a text where the value is none.
func set(s Settable, setting manoeuvre.Setting) error {
	value, err := strconv.ParseFloat(setting.Value, 64)
	if err == nil {
		err = s.SetNamed(setting.Name, value)
	} else {
		err = s.SetText(setting.Name, setting.Value)
	}
	if err != nil && !strings.Contains(err.Error(), setting.Name) {
		return fmt.Errorf("%s = %s: %w", setting.Name, setting.Value, err)
	}
	return err
}
