package tire

import (
	"fmt"
	"math"
	"slices"

	"skidpad/tire/formula"
)

// Sensitivity evaluates a function of a kind with the derivatives of its results by some of its numbers. The law is the
// law of the function, written once more with those coefficients as inputs that follow from the numbers.
type Sensitivity struct {
	kind     *Kind
	combined string
	places   []int // of the numbers, in the complete parameters
	varying  []int // coefficients of the law that follow from the numbers

	law    formulas
	by     [][]float64 // derivatives of the varying coefficients by the numbers
	in     []float64
	slopes []float64
}

// NewSensitivity makes a function of complete parameters with derivatives by the numbers at some places. combined is
// what combines slips, as in Make.
func NewSensitivity(k *Kind, values []float64, combined string, places []int) (*Sensitivity, error) {
	s := &Sensitivity{kind: k, combined: combined, places: places}
	at, err := s.coefficients(values)
	if err != nil {
		return nil, err
	}
	varies := make([]bool, len(at))
	for _, place := range places {
		for _, change := range []float64{1e-3, -1e-3, 0.1} { // a largest or least value can hide a small one
			changed := slices.Clone(values)
			changed[place] += change * max(math.Abs(changed[place]), 1e-3)
			if other, err := s.coefficients(changed); err == nil {
				for i := range at {
					varies[i] = varies[i] || other[i] != at[i]
				}
			}
		}
	}
	for i, v := range varies {
		if v {
			s.varying = append(s.varying, i)
		}
	}
	f, err := k.Make(values, combined)
	if err != nil {
		return nil, err
	}
	s.write(f.(interface{ written() *formulas }).written().text, at)
	return s, s.Set(values)
}

// coefficients returns the coefficients of the law for parameters.
func (s *Sensitivity) coefficients(values []float64) ([]float64, error) {
	f, err := s.kind.Make(values, s.combined)
	if err != nil {
		return nil, err
	}
	of, is := f.(interface{ written() *formulas })
	if !is {
		return nil, fmt.Errorf("%s is not written as formulas, so that it has no derivatives by its numbers", s.kind.Name)
	}
	return of.written().coefficients, nil
}

// write writes the law with the varying coefficients as further inputs. Terms of absent coefficients are left out.
func (s *Sensitivity) write(text lawText, at []float64) {
	shape := text.shape()
	g := formula.NewGraph(shape.inputs + len(s.varying))
	in, coefficients := make([]formula.Number, shape.inputs), make([]formula.Number, shape.coefficients)
	for i := range in {
		in[i] = g.Input(i)
	}
	for i := range coefficients {
		k, varies := slices.BinarySearch(s.varying, i)
		_, absent := slices.BinarySearch(shape.absent, i)
		switch {
		case varies:
			coefficients[i] = g.Input(shape.inputs + k)
		case absent && at[i] == 0:
			coefficients[i] = g.Constant(0)
		default:
			coefficients[i] = g.Coefficient(i)
		}
	}
	_, results := text.write(in, coefficients)
	var list []formula.Number
	for i, d := range formula.Derivatives(results) {
		if i%(shape.inputs+len(s.varying)) >= shape.inputs {
			list = append(list, d)
		}
	}
	l := &Law{text: text, inputs: shape.inputs + len(s.varying), Values: formula.NewProgram(results),
		Slopes: formula.NewProgram(append(list, results...))}
	l.formulas = g.Law(l.Values, l.Slopes)
	s.law = formulas{law: l, fields: make([]float64, l.Fields())}
	s.in, s.slopes = make([]float64, l.inputs), make([]float64, len(list)+len(results))
}

// Set gives the numbers other values, those of complete parameters.
func (s *Sensitivity) Set(values []float64) error {
	at, err := s.coefficients(values)
	if err != nil {
		return err
	}
	s.by = s.by[:0]
	for _, place := range s.places {
		h := 1e-6 * max(math.Abs(values[place]), 1e-3)
		changed, column := slices.Clone(values), make([]float64, len(s.varying))
		for _, side := range []float64{1, -1} {
			changed[place] = values[place] + side*h
			other, err := s.coefficients(changed)
			if err != nil {
				return err
			}
			for k, i := range s.varying {
				column[k] += side * other[i] / (2 * h)
			}
		}
		s.by = append(s.by, column)
	}
	l := s.law.law
	l.formulas.Bind(at, s.law.fields)
	s.law.slopes = evaluation{program: l.Slopes}
	if _, slopes := l.Code(1); slopes != nil {
		s.law.slopes.code, s.law.slopes.memory = slopes.Code, make([]float64, slopes.Code.Slots)
		copy(s.law.slopes.memory[l.inputs:], s.law.fields)
	}
	for k, i := range s.varying {
		s.in[l.inputs-len(s.varying)+k] = at[i]
	}
	return nil
}

// Eval writes the results for inputs, and their derivatives, slopes[r*numbers + i] of result r by number i.
func (s *Sensitivity) Eval(in, results, slopes []float64) {
	copy(s.in, in[:s.law.law.inputs-len(s.varying)])
	s.law.run(&s.law.slopes, s.in, s.slopes)
	n, m := s.law.law.Values.Results(), len(s.varying)
	copy(results, s.slopes[n*m:])
	for r := range n {
		row := s.slopes[r*m : (r+1)*m]
		for i, column := range s.by {
			sum := 0.0
			for k, d := range row {
				if d != 0 {
					sum += d * column[k]
				}
			}
			slopes[r*len(s.by)+i] = sum
		}
	}
}
