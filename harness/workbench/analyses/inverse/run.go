package inverse

import (
	"errors"
	"fmt"
	"math"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
)

// run moves a vehicle as a motion asks for.
type run struct {
	*Analysis
	vehicle *library.Vehicle
	motions []Motion
	result  *Result

	inputs   []uint32 // of the motions: position, rate and acceleration of each; then others
	others   []string // further inputs, which the run has as columns
	recorded []uint32
}

// connect finds the inputs of the run, and the recorded variables.
func (r *run) connect(driven []modelfile.Driven) error {
	moved := map[string]bool{}
	for _, d := range driven {
		m, found, err := motionOf(r.Motion, d)
		switch {
		case err != nil:
			return err
		case !found && d.Joint:
			joint := jointNames[d.Translation]
			return fmt.Errorf("the motion has no column %s or %s; record the joint in the run, as by --record '%s.*'",
				d.Name+joint[0], d.Position(), d.Name)
		case !found:
			r.result.Idle = append(r.result.Idle, d.Name)
			continue
		}
		r.motions = append(r.motions, m)
		names := []string{d.Position(), d.Rate(), d.Acceleration()}
		references, err := r.vehicle.References(names...)
		if err != nil {
			return err
		}
		r.inputs = append(r.inputs, references...)
		for _, name := range names {
			moved[name] = true
		}
	}
	r.result.Splined = splined(r.motions)
	for _, v := range r.vehicle.All() {
		if v.Causality == library.Input && v.Kind == library.Number && !moved[v.Name] && r.Motion.Has(v.Name) {
			r.others, r.inputs = append(r.others, v.Name), append(r.inputs, v.Reference)
		}
	}
	return r.choose(driven)
}

// choose selects the recorded variables: load and power of each driver, reactions, and variables matching the patterns.
func (r *run) choose(driven []modelfile.Driven) error {
	var names []string
	for _, d := range driven {
		names = append(names, d.Load(), d.Power())
	}
	taken := map[string]bool{}
	for _, name := range names {
		taken[name] = true
	}
	more := func(list []string) {
		for _, name := range list {
			if !taken[name] {
				taken[name] = true
				names = append(names, name)
			}
		}
	}
	if r.Chosen != nil {
		more(r.Chosen(r.vehicle.Outputs()))
	}
	if r.Record != nil {
		list, err := recording.Choose(r.Record, r.vehicle.Outputs(), r.vehicle.Locals(), nil)
		if err != nil {
			return fmt.Errorf("--record: %w", err)
		}
		more(list)
	}
	var channels []trace.Channel
	for _, name := range names {
		v, err := r.vehicle.Find(name)
		if err != nil {
			return err
		}
		channels = append(channels, trace.Channel{Name: v.Name, Unit: v.Unit, Text: v.Text})
		r.recorded = append(r.recorded, v.Reference)
	}
	r.result.Trace = trace.New(channels, len(r.Motion.Time))
	return nil
}

// row sets the values of the inputs at a row of the motion.
func (r *run) row(n int, values []float64) {
	k := 0
	for i := range r.motions {
		m := &r.motions[i]
		values[k], values[k+1], values[k+2] = m.Position[n], m.Rate[n], m.Acceleration[n]
		k += 3
	}
	for _, name := range r.others {
		values[k] = r.Motion.Column(name)[n]
		k++
	}
}

// start sets the remaining states to their values in the run's first row. Of all outputs, states alone take a value
// before the start.
func (r *run) start() {
	for _, v := range r.vehicle.All() {
		if v.Causality != library.Output && v.Causality != library.Local || v.Kind != library.Number ||
			!r.Motion.Has(v.Name) {
			continue
		}
		if err := r.vehicle.SetNamed(v.Name, r.Motion.Column(v.Name)[0]); err == nil {
			r.result.Started = append(r.result.Started, v.Name)
		}
	}
}

// step computes the inputs and their rates for a step of h seconds from a row to the next one. A position goes on with
// its rate and half the acceleration, a rate with the acceleration; corrections make the inputs end at the next row.
// The mean acceleration is the change of the rate over the step, so that the prescribed motions give the free motions
// the right momentum.
func (r *run) step(values, next []float64, h float64, given, rates []float64) {
	copy(given, values)
	k := 0
	for ; k < 3*len(r.motions); k += 3 {
		mean := (next[k+1] - values[k+1]) / h
		begin := 2*mean - next[k+2]
		given[k+2], rates[k+2] = begin, (next[k+2]-begin)/h
		rates[k+1] = mean - begin
		rates[k] = (next[k]-values[k])/h - values[k+1] - h/2*mean
	}
	for ; k < len(values); k++ {
		rates[k] = (next[k] - values[k]) / h
	}
}

func (r *run) do() error {
	r.start()
	if err := drive.Apply(r.vehicle, r.Settings); err != nil {
		return err
	}
	size := len(r.inputs)
	values, next := make([]float64, size), make([]float64, size)
	given, rates := make([]float64, size), make([]float64, size)
	outputs := make([]float64, len(r.recorded))
	times := r.Motion.Time
	r.row(0, values)
	if err := r.vehicle.Set(r.inputs, values); err != nil {
		return err
	}
	if err := r.vehicle.Initialise(); err != nil {
		return err
	}
	for n, t := range times {
		if output.Interrupted(r.Interrupt) {
			return fmt.Errorf("at %.6g s: %w", t, output.ErrInterrupted)
		}
		if n > 0 {
			h := t - times[n-1]
			r.row(n, next)
			r.step(values, next, h, given, rates)
			copy(values, next)
			if err := errors.Join(r.vehicle.Set(r.inputs, given), r.vehicle.SetRates(r.inputs, rates)); err != nil {
				return fmt.Errorf("at %.6g s: %w", times[n-1], err)
			}
			if err := r.vehicle.Step(h); err != nil {
				return fmt.Errorf("step to %.6g s: %w", t, err)
			}
			if err := r.vehicle.Set(r.inputs, values); err != nil {
				return fmt.Errorf("at %.6g s: %w", t, err)
			}
		}
		if err := r.vehicle.Get(r.recorded, outputs); err != nil {
			return fmt.Errorf("at %.6g s: %w", t, err)
		}
		r.result.Trace.Append(t, outputs)
		if r.Progress != nil && len(times) > 1 {
			r.Progress.At("inverse dynamics", t-times[0], max(times[len(times)-1]-times[0], math.SmallestNonzeroFloat64))
		}
	}
	return nil
}
