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

// drive sets a vehicle's inputs as a manoeuvre says: prescribed motions by
// position, rate and acceleration, other inputs by value and rate, so that both
// follow their signals between communication points, too.
type drive struct {
	vehicle *Vehicle
	inputs  []driven

	references, ramps []uint32 // of all inputs; of those that are given a rate
	values, rates     []float64
}

// driven is one signal and the number of its targets.
type driven struct {
	signal    Signal
	motions   int
	variables int
}

// newDrive finds the inputs that a manoeuvre sets.
func (v *Vehicle) newDrive(m *Manoeuvre) (*drive, error) {
	d := &drive{vehicle: v}
	for _, input := range m.Inputs {
		var names []string
		for _, driver := range input.Drivers {
			value := driver + ".angle"
			if _, err := v.Find(driver + ".position"); err == nil {
				value = driver + ".position" // a driver of a translation
			}
			names = append(names, value, driver+".rate", driver+".acceleration")
		}
		motions, err := v.References(names...)
		if err == nil {
			var variables []uint32
			variables, err = v.References(input.Variables...)
			d.references = append(append(d.references, motions...), variables...)
			d.ramps = append(d.ramps, variables...)
		}
		if err != nil {
			return nil, fmt.Errorf("%w; manoeuvre %s is meant for %s", err, m.Name, strings.Join(m.Models, ", "))
		}
		d.inputs = append(d.inputs, driven{input.Signal, len(input.Drivers), len(input.Variables)})
	}
	d.values = make([]float64, len(d.references))
	d.rates = make([]float64, len(d.ramps))
	return d, nil
}

// set sets all inputs to their values at t seconds.
func (d *drive) set(t float64) error {
	values, rates := d.values[:0], d.rates[:0]
	for _, input := range d.inputs {
		value, rate, acceleration := input.signal.At(t)
		for range input.motions {
			values = append(values, value, rate, acceleration)
		}
		for range input.variables {
			values = append(values, value)
			rates = append(rates, rate)
		}
	}
	if err := d.vehicle.Set(d.references, values); err != nil {
		return err
	}
	return d.vehicle.SetRates(d.ramps, rates)
}
