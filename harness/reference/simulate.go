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
	Corners   []float64          // times at which derivatives of inputs jump, s
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
	d, b, dy := newDynamics(s), newBDF(s, e.Tolerance), make([]float64, s.size)
	quantities := s.quantities()
	r := &Result{Values: make([][]float64, len(quantities))}
	for _, q := range quantities {
		r.Names = append(r.Names, q.name)
	}
	sample := func(t float64, y []float64) error {
		if err := d.solve(t, y); err != nil {
			return fmt.Errorf("at %.6g s: %w", t, err)
		}
		r.Time = append(r.Time, t)
		for i, q := range quantities {
			r.Values[i] = append(r.Values[i], q.value(s, y))
		}
		return nil
	}
	if err := sample(0, y); err != nil {
		return nil, err
	}
	ends := append(slices.DeleteFunc(slices.Clone(e.Corners), func(t float64) bool {
		return t <= 0 || t >= e.Duration
	}), e.Duration)
	slices.Sort(ends)
	t := 0.0
	for _, end := range slices.Compact(ends) {
		if err := d.solve(t, y); err != nil {
			return nil, fmt.Errorf("at %.6g s: %w", t, err)
		}
		d.rates(y, dy)
		for k := range s.equations {
			y[s.lambda+k], y[s.mu+k] = d.b[s.auxiliaries-s.velocities+k], 0
		}
		b.start(t, y, dy, end-t)
		for end-b.t > 1e-12*max(1, end) {
			if err := b.advance(end); err != nil {
				return nil, err
			}
			for len(r.Time) <= samples {
				next := float64(len(r.Time)) * e.Sampling
				if next > b.t+1e-12*max(1, next) {
					break
				}
				b.interpolate(next, y)
				if err := sample(next, y); err != nil {
					return nil, err
				}
			}
			if e.Progress != nil {
				e.Progress(b.t)
			}
		}
		copy(y, b.d[0])
		t = end
	}
	if len(r.Time) != samples+1 {
		return nil, errors.New("the simulation ended before the last sample")
	}
	r.Statistics = b.Statistics
	return r, nil
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
