package rig

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/search"
	"skidpad/model/vehicle"
)

// Target is a wanted value of a figure, of the left wheel or of the axle.
type Target struct {
	Figure string // key
	Value  float64
	Fits   func(unit string) error // refuses another unit; nil for none
}

// Move is a parameter that may change.
type Move struct {
	Parameter string
	Most      float64 // largest change to both sides, in the unit of the parameter
	From, To  float64
}

// Tuned are changed parameters, with the figures before and after.
type Tuned struct {
	Moves         []Move
	Before, After []Figure
	Steps         int
}

// Tune finds the smallest change of parameters that meets all targets: changes count as shares of their largest change.
// Parameters of both sides move as mirror images.
func Tune(m *vehicle.Model, o Options, targets []Target, moves []Move) (*Tuned, error) {
	t := &tuning{model: m, options: o, targets: targets, moves: slices.Clone(moves)}
	var names []string
	for _, move := range moves {
		names = append(names, move.Parameter)
	}
	first, err := t.measure(nil)
	if err != nil {
		return nil, err
	}
	before, values := first.Figures, []float64(nil)
	for i := range t.moves {
		at := slices.IndexFunc(t.found, func(s Sensitivity) bool { return s.Parameter == t.moves[i].Parameter })
		if at < 0 {
			return nil, fmt.Errorf("%s moves nothing; give parameters of the model", t.moves[i].Parameter)
		}
		t.moves[i].From = t.found[at].Value
		values = append(values, t.moves[i].From)
	}
	if err := t.scales(before); err != nil {
		return nil, err
	}
	s := search.Search{Of: t, Equations: len(targets), Enough: met, Steps: tuneSteps, Nearest: true}
	for i := range t.moves {
		move := &t.moves[i]
		s.Units = append(s.Units, move.Most)
		s.Low, s.High = append(s.Low, move.From-move.Most), append(s.High, move.From+move.Most)
	}
	result, _ := s.Run(values) // where all moves are at their ends, it has an error
	if t.err != nil {
		return nil, t.err
	}
	if !(result.Largest <= met) {
		target := &targets[result.Worst]
		return nil, fmt.Errorf("%s cannot reach %.4g within the moves of %s: the nearest is %.4g", target.Figure,
			target.Value, strings.Join(names, ", "), t.figure(target.Figure))
	}
	for i := range t.moves {
		t.moves[i].To = values[i]
	}
	return &Tuned{t.moves, before, t.found[0].Figures, result.Steps}, nil
}

const (
	met       = 1e-6 // of the scale of a target
	tuneSteps = 20
)

// tuning are the equations of Tune.
type tuning struct {
	model   *vehicle.Model
	options Options
	targets []Target
	moves   []Move
	scale   []float64 // by target
	found   []Sensitivity
	err     error
}

// measure finds figures and derivatives with changed parameters, nil for the first time.
func (t *tuning) measure(x []float64) (first *Sensitivity, err error) {
	o := t.options
	o.Set = slices.Clone(o.Set)
	var names []string
	for i, move := range t.moves {
		names = append(names, move.Parameter)
		if x == nil {
			continue
		}
		s := t.found[i]
		o.Set = append(o.Set, Setting{Name: move.Parameter, Value: x[i]})
		if s.Mirrored != "" {
			o.Set = append(o.Set, Setting{Name: s.Mirrored, Value: s.mirroredValue + s.sign*(x[i]-s.Value)})
		}
	}
	r, err := New(t.model, o)
	if err != nil {
		return nil, err
	}
	list, err := r.Sensitivities(names)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(list, func(a, b Sensitivity) int {
		return slices.Index(names, a.Parameter) - slices.Index(names, b.Parameter)
	})
	t.found = list
	return &list[0], nil
}

// scales finds the scale of each target: its change by the largest moves.
func (t *tuning) scales(figures []Figure) error {
	for _, target := range t.targets {
		i := slices.IndexFunc(figures, func(f Figure) bool { return f.Key == target.Figure })
		switch {
		case i < 0:
			return fmt.Errorf("there is no figure %q", target.Figure)
		case figures[i].Missing != "":
			return fmt.Errorf("%s is missing: %s", target.Figure, figures[i].Missing)
		}
		if target.Fits != nil {
			if err := target.Fits(figures[i].Unit); err != nil {
				return fmt.Errorf("%s: %w", target.Figure, err)
			}
		}
		scale := 0.0
		for k := range t.moves {
			scale += math.Abs(t.found[k].Figures[i].Left.D * t.moves[k].Most)
		}
		if !(scale > 0) {
			return fmt.Errorf("no move changes %s", target.Figure)
		}
		t.scale = append(t.scale, scale)
	}
	return nil
}

// figure is the present value of a figure.
func (t *tuning) figure(key string) float64 {
	figures := t.found[0].Figures
	return figures[slices.IndexFunc(figures, func(f Figure) bool { return f.Key == key })].Left.V
}

// Evaluate implements search.Equations.
func (t *tuning) Evaluate(x, f []float64) {
	if _, err := t.measure(x); err != nil {
		t.err = err
		for i := range f {
			f[i] = math.NaN()
		}
		return
	}
	t.err = nil
	for i, target := range t.targets {
		f[i] = (t.figure(target.Figure) - target.Value) / t.scale[i]
	}
}

// Differentiate implements search.Equations.
func (t *tuning) Differentiate(_ []float64, j *mat.Dense) {
	for i, target := range t.targets {
		for k := range t.found {
			figures := t.found[k].Figures
			at := slices.IndexFunc(figures, func(f Figure) bool { return f.Key == target.Figure })
			j.Set(i, k, figures[at].Left.D/t.scale[i])
		}
	}
}
