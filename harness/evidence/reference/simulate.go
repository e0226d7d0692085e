package reference

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Experiment says what is simulated and how closely.
type Experiment struct {
	Inputs    Inputs
	Start     map[string]float64 // start values that replace those of the file, by variable
	Duration  float64            // s
	Sampling  float64            // distance of the samples of the result, s
	Corners   []float64          // times of jumps in derivatives of inputs, s
	Tolerance float64            // of the local error: absolute for numbers below 1 in SI units, relative above
	Progress  func(t float64)    // called with the time occasionally; nil for silence
}

// Result holds the published quantities of the model's components at the samples.
type Result struct {
	Names  []string // "body.vx"
	Time   []float64
	Values [][]float64 // by name, then by sample
	Statistics
}

// run is a simulation in progress.
type run struct {
	*System
	Experiment
	dynamics   *dynamics
	bdf        *bdf
	quantities []quantity
	samples    int
	y, dy      []float64
	result     *Result
}

// Simulate integrates the model.
func (s *System) Simulate(e Experiment) (*Result, error) {
	if !(e.Tolerance > 0 && e.Tolerance < 1) {
		return nil, fmt.Errorf("tolerance %g; it must be between 0 and 1", e.Tolerance)
	}
	samples := int(math.Round(e.Duration / e.Sampling))
	if samples < 1 || math.Abs(float64(samples)*e.Sampling-e.Duration) > 1e-9*e.Duration {
		return nil, fmt.Errorf("a duration of %g s is not a whole number of samples of %g s", e.Duration, e.Sampling)
	}
	if err := s.inputs.connect(e.Inputs); err != nil {
		return nil, err
	}
	y, err := s.start(e.Start)
	if err != nil {
		return nil, err
	}
	r := &run{
		System: s, Experiment: e, dynamics: newDynamics(s), bdf: newBDF(s, e.Tolerance),
		quantities: s.quantities(), samples: samples, y: y, dy: make([]float64, s.size),
	}
	if err := s.settle(0, y); err != nil {
		return nil, err
	}
	r.result = &Result{Values: make([][]float64, len(r.quantities))}
	for _, q := range r.quantities {
		r.result.Names = append(r.result.Names, q.name)
	}
	if err := r.sample(0); err != nil {
		return nil, err
	}
	from := 0.0
	for _, to := range r.ends() {
		if err := r.piece(from, to); err != nil {
			return nil, err
		}
		from = to
	}
	if len(r.result.Time) != samples+1 {
		return nil, errors.New("the simulation ended before the last sample")
	}
	r.result.Statistics = r.bdf.Statistics
	return r.result, nil
}

// sample records the quantities of the state at a time.
func (r *run) sample(t float64) error {
	if err := r.dynamics.solve(t, r.y); err != nil {
		return fmt.Errorf("at %.6g s: %w", t, err)
	}
	r.result.Time = append(r.result.Time, t)
	for i, q := range r.quantities {
		r.result.Values[i] = append(r.result.Values[i], q.value(r.System, r.y))
	}
	return nil
}

// ends are the ends of the intervals without jumps in derivatives of inputs.
func (r *run) ends() []float64 {
	outside := func(t float64) bool { return t <= 0 || t >= r.Duration }
	ends := append(slices.DeleteFunc(slices.Clone(r.Corners), outside), r.Duration)
	slices.Sort(ends)
	return slices.Compact(ends)
}

// piece integrates to the end of a piece, and records the samples that lie in it.
func (r *run) piece(from, to float64) error {
	d, b, y := r.dynamics, r.bdf, r.y
	if err := r.settle(from, y); err != nil {
		return fmt.Errorf("at %.6g s: %w", from, err)
	}
	if err := d.solve(from, y); err != nil {
		return fmt.Errorf("at %.6g s: %w", from, err)
	}
	d.rates(y, r.dy)
	for k := range r.equations {
		y[r.lambda+k], y[r.mu+k] = d.b[r.auxiliaries-r.velocities+k], 0
	}
	b.start(from, y, r.dy, to-from)
	for to-b.t > 1e-12*max(1, to) {
		if err := b.advance(to); err != nil {
			return err
		}
		for len(r.result.Time) <= r.samples {
			next := float64(len(r.result.Time)) * r.Sampling
			if next > b.t+1e-12*max(1, next) {
				break
			}
			b.interpolate(next, y)
			if err := r.sample(next); err != nil {
				return err
			}
		}
		if r.Progress != nil {
			r.Progress(b.t)
		}
	}
	copy(y, b.d[0])
	return nil
}

// Evaluate returns the published quantities, and the derivatives of the states that bodies,
// joints and tires have, at one state: start values by variable, inputs at time 0.
func (s *System) Evaluate(states map[string]float64, inputs Inputs) (values, derivatives map[string]float64,
	err error) {
	if err := s.inputs.connect(inputs); err != nil {
		return nil, nil, err
	}
	y, err := s.start(states)
	if err != nil {
		return nil, nil, err
	}
	if err := s.settle(0, y); err != nil {
		return nil, nil, err
	}
	if err := newDynamics(s).solve(0, y); err != nil {
		return nil, nil, err
	}
	values, derivatives = map[string]float64{}, map[string]float64{}
	for _, q := range s.quantities() {
		values[q.name] = q.value(s, y)
		if q.derivative != nil {
			derivatives[q.name] = q.derivative(s, y)
		}
	}
	return values, derivatives, nil
}
