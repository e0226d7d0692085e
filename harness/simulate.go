package harness

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
)

// Run says how a vehicle is driven through a manoeuvre.
type Run struct {
	Manoeuvre *Manoeuvre
	Method    string    // solver.method; "" keeps the model's
	Step      float64   // communication step, s; 0 takes the manoeuvre's
	Substep   float64   // solver.step, s; 0 keeps the model's, at most Step
	Record    []string  // variables to record; nil records every output
	Progress  io.Writer // told once a second of real time how far a long run is; nil for silence
}

// Result is what a run gave.
type Result struct {
	Trace  *Trace
	Timing Timing
}

// Simulate drives a freshly loaded or reset vehicle through a manoeuvre.
//
// At every communication point the inputs are set to the manoeuvre's values at
// that time, the vehicle steps, and the variables are read. Inputs are set for
// the end point once more, so that the last row belongs to the last inputs.
func (v *Vehicle) Simulate(run Run) (*Result, error) {
	h := run.Step
	if h == 0 {
		h = run.Manoeuvre.Step
	}
	steps := int(math.Round(run.Manoeuvre.Duration / h))
	if h <= 0 || steps < 1 || math.Abs(float64(steps)*h-run.Manoeuvre.Duration) > 1e-9*run.Manoeuvre.Duration {
		return nil, fmt.Errorf("a duration of %g s is not a whole number of steps of %g s", run.Manoeuvre.Duration, h)
	}
	if run.Method != "" {
		if err := v.SetText("solver.method", run.Method); err != nil {
			return nil, err
		}
	}
	if run.Substep != 0 {
		if err := v.SetNamed("solver.step", run.Substep); err != nil {
			return nil, err
		}
	}
	for _, start := range run.Manoeuvre.Start {
		if err := v.SetNamed(start.Variable, start.Value); err != nil {
			return nil, err
		}
	}
	names := run.Record
	if names == nil {
		names = v.outputs()
	}
	recorded, err := v.References(names...)
	if err != nil {
		return nil, err
	}
	drive, err := v.newDrive(run.Manoeuvre)
	if err != nil {
		return nil, err
	}
	if err := drive.set(0); err != nil {
		return nil, err
	}
	if err := v.Initialise(); err != nil {
		return nil, err
	}

	trace := NewTrace(names, steps+1)
	row := make([]float64, len(names))
	durations := make([]time.Duration, 0, steps)
	nextWord := time.Now().Add(time.Second)
	for n := 0; ; n++ {
		t := float64(n) * h
		if err := drive.set(t); err != nil {
			return nil, fmt.Errorf("at %.6g s: %w", t, err)
		}
		if err := v.Get(recorded, row); err != nil {
			return nil, fmt.Errorf("at %.6g s: %w", t, err)
		}
		trace.Append(t, row)
		if n == steps {
			break
		}
		before := time.Now()
		err := v.Step(h)
		durations = append(durations, time.Since(before))
		if err != nil {
			return nil, fmt.Errorf("step from %.6g s: %w", t, err)
		}
		if run.Progress != nil && time.Now().After(nextWord) {
			fmt.Fprintf(run.Progress, "%s: %.1f of %g s\n", run.Manoeuvre.Name, t, run.Manoeuvre.Duration)
			nextWord = time.Now().Add(time.Second)
		}
	}
	return &Result{Trace: trace, Timing: newTiming(durations, h)}, nil
}

// outputs names every output of the vehicle.
func (v *Vehicle) outputs() []string {
	var names []string
	for _, variable := range v.Variables {
		if variable.Causality == Output {
			names = append(names, variable.Name)
		}
	}
	return names
}

// drive sets a vehicle's inputs as a manoeuvre says.
type drive struct {
	vehicle    *Vehicle
	signals    []Signal
	motion     []bool // signals[i] prescribes a motion: three values instead of one
	targets    []int  // number of drivers or variables signals[i] goes to
	references []uint32
	values     []float64
}

// newDrive finds the inputs that a manoeuvre sets.
func (v *Vehicle) newDrive(m *Manoeuvre) (*drive, error) {
	d := &drive{vehicle: v}
	for _, input := range m.Inputs {
		names := input.Variables
		for _, driver := range input.Drivers {
			value := driver + ".angle"
			if _, err := v.Find(driver + ".position"); err == nil {
				value = driver + ".position" // a driver of a translation
			}
			names = append(names, value, driver+".rate", driver+".acceleration")
		}
		references, err := v.References(names...)
		if err != nil {
			return nil, fmt.Errorf("%w; manoeuvre %s is meant for %s", err, m.Name, strings.Join(m.Models, ", "))
		}
		d.signals = append(d.signals, input.Signal)
		d.motion = append(d.motion, len(input.Drivers) > 0)
		d.targets = append(d.targets, max(len(input.Drivers), len(input.Variables)))
		d.references = append(d.references, references...)
	}
	d.values = make([]float64, len(d.references))
	return d, nil
}

// set sets all inputs to their values at t seconds.
func (d *drive) set(t float64) error {
	at := 0
	for i, signal := range d.signals {
		value, rate, acceleration := signal.At(t)
		for range d.targets[i] {
			d.values[at] = value
			at++
			if d.motion[i] {
				d.values[at], d.values[at+1] = rate, acceleration
				at += 2
			}
		}
	}
	return d.vehicle.Set(d.references, d.values)
}
