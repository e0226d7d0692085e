package optimise

import (
	"fmt"
	"math/cmplx"
	"slices"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/model/linear"
)

// none is the cost where no mode counts at any value, or where a value has no steady motion [1/s].
const none = 1e9

// Evaluation is a point of the search.
type Evaluation struct {
	Values      []float64 // by Study.Vary
	Masked, All float64   // largest real part of the modes that count, and of all modes [1/s]
	Steady      bool      // there are steady motions at all values
}

// CountedMode is a mode with the share of its shape in the outputs of the mask.
type CountedMode struct {
	linear.Mode
	Share  float64
	Counts bool
}

// objective evaluates points for a vehicle. Objectives that share the equations can be used side by side.
type objective struct {
	*linear.Model
	study *Study
	rows  []int // of C, by output
}

// newObjective looks the outputs up and tries the bounds, so that a search meets neither unknown names nor values that
// cannot be.
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

// copied is an objective for another goroutine.
func (v *objective) copied() (*objective, error) {
	m, err := v.Model.Copy()
	return &objective{m, v.study, v.rows}, err
}

// set gives the parameters their values.
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

// modes are the modes at value k of the steady motions, with the present settings.
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

// share is the share of the mask's outputs in the shape of a mode: their part of the sum of squares of all outputs. It
// is 0 if no output observes the mode.
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

// evaluate is a pure function of the values.
func (v *objective) evaluate(values []float64) (Evaluation, error) {
	e := Evaluation{Values: slices.Clone(values), Masked: none, All: none}
	if err := v.set(values); err != nil {
		return e, err
	}
	first := true
	for k := range v.study.At.Values {
		modes, err := v.modes(k)
		if err != nil {
			e.Masked, e.All = none, none
			return e, nil
		}
		for _, m := range modes {
			x := real(m.Value)
			if first || x > e.All {
				e.All, first = x, false
			}
			if m.Counts && (e.Masked == none || x > e.Masked) {
				e.Masked = x
			}
		}
	}
	e.Steady = true
	return e, nil
}
