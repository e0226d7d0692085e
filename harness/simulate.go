package harness

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"skidpad/model/expr"
)

// Subject is what can be driven through a manoeuvre: a Vehicle of the native library
// or a CoSimulation of an FMU.
type Subject interface {
	Find(name string) (Variable, error)
	References(names ...string) ([]uint32, error)
	Outputs() []string
	Set(references []uint32, values []float64) error
	Get(references []uint32, values []float64) error
	SetNamed(name string, value float64) error
	SetText(name, value string) error
	Initialise() error
	Step(h float64) error
}

// Run says how a vehicle is driven through a manoeuvre.
type Run struct {
	Manoeuvre *Manoeuvre
	Method    string    // solver.method; "" keeps the model's
	Step      float64   // communication step, s; 0 takes the manoeuvre's
	Substep   float64   // solver.step, s; 0 keeps the model's, at most Step
	Duration  float64   // s; 0 takes the manoeuvre's
	Settings  []Setting // parameters and texts
	Record    []string  // variables to record; nil records every output
	Ramps     bool      // inputs change linearly between communication points, where the subject can do that; of motions, the accelerations
	Paced     bool      // steps begin when real time has come to them
	Progress  Progress  // told how far a long run is; nil for silence
}

// Setting is a parameter or a text that is set before initialisation.
type Setting struct{ Name, Value string }

// Result is what a run gave.
type Result struct {
	Trace  *Trace
	Inputs *Trace // what the inputs were set to at every communication point
	Timing Timing
}

// Simulate drives a fresh subject through a manoeuvre. At every communication point
// the variables are read, the inputs are set to the manoeuvre's values at that time, and
// the subject steps.
func Simulate(s Subject, run Run) (*Result, error) {
	h, duration := run.Step, run.Duration
	if h == 0 {
		h = run.Manoeuvre.Step
	}
	if duration == 0 {
		duration = run.Manoeuvre.Duration
	}
	steps := int(math.Round(duration / h))
	if h <= 0 || steps < 1 || math.Abs(float64(steps)*h-duration) > 1e-9*duration {
		return nil, fmt.Errorf("a duration of %g s is not a whole number of steps of %g s", duration, h)
	}
	names := run.Record
	if names == nil {
		names = s.Outputs()
	}
	recorded, err := s.References(names...)
	if err != nil {
		return nil, err
	}
	d, err := run.prepare(s, h)
	if err != nil {
		return nil, err
	}
	trace, inputs := NewTrace(names, steps+1), NewTrace(d.everyName(), steps+1)
	row := make([]float64, len(names))
	clock := newClock(h, steps, run.Paced)
	for n := 0; ; n++ {
		t := float64(n) * h
		if err := s.Get(recorded, row); err != nil {
			return nil, fmt.Errorf("at %.6g s: %w", t, err)
		}
		trace.Append(t, row)
		if err := errors.Join(d.set(t, h), d.close(t)); err != nil {
			return nil, fmt.Errorf("at %.6g s: %w", t, err)
		}
		inputs.Append(t, d.everyValue())
		if n == steps {
			break
		}
		clock.wait(n)
		before := time.Now()
		err := s.Step(h)
		clock.took(n, time.Since(before))
		if err != nil {
			return nil, fmt.Errorf("step from %.6g s: %w", t, err)
		}
		if run.Progress != nil {
			run.Progress.At(run.Manoeuvre.Name, float64(n+1)*h, duration)
		}
	}
	return &Result{Trace: trace, Inputs: inputs, Timing: clock.timing()}, nil
}

// prepare sets what has to be set before the first step, and initialises.
func (run *Run) prepare(s Subject, h float64) (*drive, error) {
	if run.Method != "" {
		if err := s.SetText("solver.method", run.Method); err != nil {
			return nil, err
		}
	}
	if run.Substep != 0 {
		if err := s.SetNamed("solver.step", run.Substep); err != nil {
			return nil, err
		}
	}
	for _, setting := range run.Manoeuvre.Settings {
		if err := set(s, setting); err != nil {
			return nil, err
		}
	}
	for _, start := range run.Manoeuvre.Start {
		if err := s.SetNamed(start.Variable, start.Value); err != nil {
			return nil, err
		}
	}
	for _, setting := range run.Settings {
		if err := set(s, setting); err != nil {
			return nil, err
		}
	}
	d, err := newDrive(s, run.Manoeuvre)
	if err != nil {
		return nil, err
	}
	if r, ok := s.(ramped); ok && run.Ramps {
		d.ramped = r
	}
	if err := d.set(0, h); err != nil {
		return nil, err
	}
	return d, s.Initialise()
}

// everyName lists all inputs that are set, those of feedback last.
func (d *drive) everyName() []string {
	names := slices.Clone(d.names)
	for _, f := range d.feedback {
		names = append(names, f.names...)
	}
	return names
}

// everyValue lists what they were set to.
func (d *drive) everyValue() []float64 {
	values := slices.Clone(d.values)
	for _, f := range d.feedback {
		values = append(values, f.values...)
	}
	return values
}

// close sets what feedback sets, which needs what the vehicle publishes.
func (d *drive) close(t float64) error {
	for i := range d.feedback {
		if err := d.feedback[i].set(d.subject, t); err != nil {
			return err
		}
	}
	return nil
}

// set sets a number, or a text where the value is none.
func set(s Subject, setting Setting) error {
	value, err := strconv.ParseFloat(setting.Value, 64)
	if err == nil {
		err = s.SetNamed(setting.Name, value)
	} else {
		err = s.SetText(setting.Name, setting.Value)
	}
	if err != nil {
		return fmt.Errorf("%s = %s: %w", setting.Name, setting.Value, err)
	}
	return nil
}

// ramped is a subject whose inputs can change linearly.
type ramped interface {
	SetRates(references []uint32, rates []float64) error
}

// drive sets a vehicle's inputs as a manoeuvre says: prescribed motions by
// position, rate and acceleration, so that they follow their signals between
// communication points, too; other inputs by value. Where wanted, values and
// accelerations have rates.
type drive struct {
	subject Subject
	ramped  ramped // nil where inputs are held
	inputs  []driven

	names             []string // of all inputs
	references, ramps []uint32 // of all inputs; of those that are given a rate
	values, rates     []float64
	feedback          []feedback
}

// feedback is a law that is closed.
type feedback struct {
	names        []string // of what it sets
	reads, sets  []uint32
	symbols      []*expr.Expr
	law          *expr.Expr
	read, values []float64
	time         int // place of the time among what it reads, -1 for none
}

// close finds what a law reads and sets; names are those of all inputs.
func (l *FeedbackLaw) close(s Subject) (f feedback, err error) {
	pool := expr.NewPool()
	var names []string
	f.time = -1
	for i, name := range l.Reads {
		f.symbols = append(f.symbols, pool.Sym(name, expr.Input))
		if name == "time" {
			f.time = i
			continue
		}
		names = append(names, name)
	}
	if f.law, err = pool.Parse(l.Law, func(name string) *expr.Expr { return pool.Sym(name, expr.Input) }); err != nil {
		return f, err
	}
	if f.reads, err = s.References(names...); err != nil {
		return f, err
	}
	f.names = l.Variables
	f.sets, err = s.References(l.Variables...)
	f.read, f.values = make([]float64, len(names)), make([]float64, len(l.Variables))
	return f, err
}

// set evaluates a law at t seconds.
func (f *feedback) set(s Subject, t float64) error {
	if err := s.Get(f.reads, f.read); err != nil {
		return err
	}
	values, k := map[*expr.Expr]float64{}, 0
	for i, symbol := range f.symbols {
		if i == f.time {
			values[symbol] = t
			continue
		}
		values[symbol] = f.read[k]
		k++
	}
	v := expr.NewEvaluator(values).Value(f.law)
	for i := range f.values {
		f.values[i] = v
	}
	return s.Set(f.sets, f.values)
}

// driven is one signal and the number of its targets.
type driven struct {
	signal    Signal
	motions   int
	roads     int
	variables int
}

// newDrive finds the inputs that a manoeuvre sets.
func newDrive(s Subject, m *Manoeuvre) (*drive, error) {
	d := &drive{subject: s}
	for _, input := range m.Inputs {
		var names, ramps, roads []string
		for _, driver := range input.Drivers {
			if _, err := s.Find(driver + ".z_dot"); err == nil {
				roads = append(roads, driver)
				continue
			}
			value := driver + ".angle"
			if _, err := s.Find(driver + ".position"); err == nil {
				value = driver + ".position" // a driver of a translation
			}
			names = append(names, value, driver+".rate", driver+".acceleration")
			ramps = append(ramps, driver+".acceleration")
		}
		for _, road := range roads {
			names, ramps = append(names, road+".z", road+".z_dot"), append(ramps, road+".z_dot")
		}
		names, ramps = append(names, input.Variables...), append(ramps, input.Variables...)
		references, err := s.References(names...)
		if err == nil {
			d.references, d.names = append(d.references, references...), append(d.names, names...)
			references, err = s.References(ramps...)
			d.ramps = append(d.ramps, references...)
		}
		if err != nil {
			return nil, fmt.Errorf("%w; manoeuvre %s is meant for %s", err, m.Name, strings.Join(m.Models, ", "))
		}
		d.inputs = append(d.inputs, driven{input.Signal, len(input.Drivers) - len(roads), len(roads), len(input.Variables)})
	}
	for i := range m.Feedback {
		f, err := m.Feedback[i].close(s)
		if err != nil {
			return nil, fmt.Errorf("feedback: %w; manoeuvre %s is meant for %s", err, m.Name, strings.Join(m.Models, ", "))
		}
		d.feedback = append(d.feedback, f)
	}
	d.values = make([]float64, len(d.references))
	d.rates = make([]float64, len(d.ramps))
	return d, nil
}

// set sets all inputs to their values at t seconds, h before the next time.
func (d *drive) set(t, h float64) error {
	values, rates := d.values[:0], d.rates[:0]
	for _, input := range d.inputs {
		value, rate, acceleration := input.signal.At(t)
		_, nextRate, next := input.signal.At(t + h)
		for range input.motions {
			values = append(values, value, rate, acceleration)
			rates = append(rates, (next-acceleration)/h)
		}
		for range input.roads {
			values = append(values, value, rate)
			rates = append(rates, (nextRate-rate)/h)
		}
		if f, ok := input.signal.(*Formula); ok && d.ramped == nil {
			value, _, _ = f.At(t + h/2) // held for the step: what it is on average
		}
		for range input.variables {
			values = append(values, value)
			rates = append(rates, rate)
		}
	}
	if err := d.subject.Set(d.references, values); err != nil || d.ramped == nil {
		return err
	}
	return d.ramped.SetRates(d.ramps, rates)
}
