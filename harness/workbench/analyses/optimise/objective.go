package optimise

import (
	"fmt"
	"math/cmplx"
	"slices"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/model/linear"
)

// worstCost [1/s] is the cost of a point without modes that count, or without a steady motion at a value of Study.At.
const worstCost = 1e9

// Evaluation is a point of the search with its costs.
type Evaluation struct {
	Values      []float64 // one for each of Study.Vary
	Masked, All float64   // largest real part of the modes that count, and of all modes, over all values of Study.At [1/s]
	Steady      bool      // there is a steady motion at every value of Study.At
}

// CountedMode is a mode, the share of the mask's outputs in its shape, and whether it counts.
type CountedMode struct {
	linear.Mode
	Share  float64
	Counts bool
}

// objective evaluates points of the search for a vehicle. Goroutines can evaluate at the same time, each with its own
// objective; these objectives share the equations.
type objective struct {
	*linear.Model
	study *Study
	rows  []int // the row of the matrix C for each of Study.Outputs
}

// newObjective finds the outputs and sets the parameters to all their bounds once. Unknown names and rejected values
// are therefore errors before the search starts.
func newObjective(m *linear.Model, s *Study) (*objective, error) {
	v := &objective{Model: m, study: s}
	for _, o := range s.Outputs {
		row, err := m.Output(o.Variable)
		if err != nil {
			return nil, fmt.Errorf("outputs: %w", err)
		}
		v.rows = append(v.rows, row)
	}
	for _, b := range s.Vary {
		for _, name := range b.Variables {
			if err := b.Written.Fits(m.Unit(name)); err != nil {
				return nil, err
			}
		}
	}
	for _, written := range []constants.Written{s.At.Written, s.Range.Written} {
		if err := written.Fits(m.Unit(s.At.Name)); err != nil {
			return nil, err
		}
	}
	for _, pick := range []func(b Bounds) float64{
		func(b Bounds) float64 { return b.To }, func(b Bounds) float64 { return b.From },
	} {
		var values []float64
		for _, b := range s.Vary {
			values = append(values, pick(b))
		}
		if err := v.set(values); err != nil {
			return nil, fmt.Errorf("vary: %w", err)
		}
	}
	if err := v.Set(s.At.Name, s.At.Values[0]); err != nil {
		return nil, fmt.Errorf("at: %w", err)
	}
	return v, nil
}

// duplicate returns an objective for another goroutine.
func (v *objective) duplicate() (*objective, error) {
	m, err := v.Model.Copy()
	return &objective{m, v.study, v.rows}, err
}

// set sets the parameters to values, one for each of Study.Vary.
func (v *objective) set(values []float64) error {
	for i, b := range v.study.Vary {
		for _, name := range b.Variables {
			if err := v.Set(name, values[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// modes returns the modes of the steady motion at value k of Study.At, with the present parameters.
func (v *objective) modes(k int) ([]CountedMode, error) {
	at := v.study.At
	if err := v.Set(at.Name, at.Values[k]); err != nil {
		return nil, err
	}
	system, err := v.At()
	if err != nil {
		return nil, err
	}
	modes, err := system.Modes()
	if err != nil {
		return nil, err
	}
	list := make([]CountedMode, len(modes))
	for i, m := range modes {
		share := v.share(system, &m, k)
		list[i] = CountedMode{m, share, share >= v.study.Share}
	}
	return list, nil
}

// share returns the share of the mask's outputs in the shape of a mode at value k of Study.At: the sum of squares of
// these scaled outputs, divided by the sum of squares of all scaled outputs. It is 0 if no output observes the mode.
func (v *objective) share(system *linear.System, m *linear.Mode, k int) float64 {
	masked, all := 0.0, 0.0
	for i, o := range v.study.Outputs {
		deviation := complex128(0)
		for state, x := range m.Shape {
			deviation += complex(system.C.At(v.rows[i], state), 0) * x
		}
		size := cmplx.Abs(deviation) * o.Scales[k]
		if all += size * size; o.Counts {
			masked += size * size
		}
	}
	if all == 0 {
		return 0
	}
	return masked / all
}

// evaluate returns the costs of a point. They depend on its values only, not on earlier evaluations.
func (v *objective) evaluate(values []float64) (Evaluation, error) {
	e := Evaluation{Values: slices.Clone(values), Masked: worstCost, All: worstCost}
	if err := v.set(values); err != nil {
		return e, err
	}
	first := true
	for k := range v.study.At.Values {
		modes, err := v.modes(k)
		if err != nil {
			e.Masked, e.All = worstCost, worstCost
			return e, nil
		}
		for _, m := range modes {
			x := real(m.Value)
			if first || x > e.All {
				e.All, first = x, false
			}
			if m.Counts && (e.Masked == worstCost || x > e.Masked) {
				e.Masked = x
			}
		}
	}
	e.Steady = true
	return e, nil
}
