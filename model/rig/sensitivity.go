package rig

import (
	"fmt"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"skidpad/model/kc"
	"skidpad/model/program"
)

// Sensitivity are the derivatives of all figures by a parameter.
type Sensitivity struct {
	Parameter string // of the left wheel, or of both
	Mirrored  string // of the right wheel, which changes as the mirror image; "" for none
	Unit      string
	Value     float64
	Figures   []Figure // D of the numbers is the derivative

	sign, mirroredValue float64 // of the parameter of the right wheel
}

// Sensitivities finds the derivatives of the figures by parameters, nil for all parameters on which the axle depends.
// Parameters of the left and of the right side change together, as mirror images.
//
// The derivatives are exact. In each state the equations g(x, p) = 0 of the unknowns x hold, and
//
//	dg/dx x' = -dg/dp,  y' = dy/dp + dy/dx x'
//
// for all values y that are read. The partial derivatives are those of the program; heights of the wheels in the design
// position change with the parameters, too.
func (r *Rig) Sensitivities(parameters []string) ([]Sensitivity, error) {
	f, err := r.figures()
	if err != nil {
		return nil, err
	}
	l := &lifts{Rig: r, states: map[*State]*linearised{}, sweep: r.machine.Tangent()}
	p := r.equations.Program
	l.direction = make([]float64, len(p.Parameters)+len(p.Inputs))
	l.design = l.linearise(f.states[Given{}])
	var list []Sensitivity
	for _, s := range r.pairs() {
		if parameters != nil && !slices.Contains(parameters, s.name) && !slices.Contains(parameters, s.mirrored) {
			continue
		}
		l.choose(s)
		if parameters == nil && !l.acts() {
			continue
		}
		f.lift = l.lift
		if err := f.find(); err != nil {
			return nil, err
		}
		v := &p.Parameters[s.index]
		found := Sensitivity{Parameter: s.name, Mirrored: s.mirrored, Unit: v.Unit, Value: r.parameters[s.index],
			Figures: f.list, sign: s.sign}
		if s.other >= 0 {
			found.mirroredValue = r.parameters[s.other]
		}
		list = append(list, found)
	}
	if len(parameters) > len(list) {
		return nil, fmt.Errorf("model %s has no parameters %s, or several of these are one pair", r.Model.Name,
			strings.Join(parameters, ", "))
	}
	return list, nil
}

// pair is a parameter, with that of the right side.
type pair struct {
	name, mirrored string
	index, other   int     // parameters of the program, other is -1 for none
	sign           float64 // of the change of the other one
}

// pairs are the parameters, without those of the right side that have one on the left.
func (r *Rig) pairs() (list []pair) {
	left, right := sideWords(r.Tires)
	parameters := r.equations.Program.Parameters
	index := map[string]int{}
	for i, v := range parameters {
		index[v.Name] = i
	}
	taken := map[int]bool{}
	for i, v := range parameters {
		if taken[i] || v.StartValue || len(v.Choices) > 0 {
			continue
		}
		p := pair{name: v.Name, index: i, other: -1}
		if other, is := mirroredName(v.Name, left, right); is {
			if k, has := index[other]; has {
				p.mirrored, p.other, taken[k] = other, k, true
				p.sign = mirrorSign(v, parameters[k])
			}
		}
		list = append(list, p)
	}
	return list
}

// sideWords are the parts of the names of the tires that tell the sides: L and R, or FL and FR.
func sideWords(tires [2]string) (left, right string) {
	a, b := strings.Split(tires[Left], "_"), strings.Split(tires[Right], "_")
	if len(a) == len(b) {
		for i := range a {
			if a[i] != b[i] {
				return a[i], b[i]
			}
		}
	}
	return "", ""
}

// mirroredName is the name of the same parameter on the right side.
func mirroredName(name, left, right string) (other string, is bool) {
	if left == "" {
		return "", false
	}
	component, key, dotted := strings.Cut(name, ".")
	words := strings.Split(component, "_")
	for i, word := range words {
		if word == left {
			words[i], is = right, true
		}
	}
	if other = strings.Join(words, "_"); dotted {
		other += "." + key
	}
	return other, is
}

// mirrorSign is -1 where the numbers of both sides are opposite, or where both are 0 and lateral.
func mirrorSign(a, b program.Variable) float64 {
	if a.Start == -b.Start && (a.Start != 0 || strings.HasSuffix(a.Name, "_y")) {
		return -1
	}
	return 1
}

// lifts adds derivatives to states.
type lifts struct {
	*Rig
	states    map[*State]*linearised
	sweep     *program.Sweep
	direction []float64 // parameters, then inputs
	design    *linearised
	height    [2]float64 // change of the centres in the design position
	chosen    map[*State]*State
}

// linearised is a state with its derivatives by the unknowns.
type linearised struct {
	*tangent
	u, y     []float64
	unknowns *mat.Dense // derivatives of outputs
}

func (l *lifts) linearise(s *State) *linearised {
	if at := l.states[s]; at != nil {
		return at
	}
	t := l.tangent(s, nil)
	inputs, wide := t.columns()
	at := &linearised{tangent: t, u: slices.Clone(l.u), y: slices.Clone(l.y),
		unknowns: mat.NewDense(len(l.y), len(inputs), nil)}
	for i := range l.y {
		for k, by := range inputs {
			at.unknowns.Set(i, k, wide[k]*l.j[i*len(l.u)+by])
		}
	}
	l.states[s] = at
	return at
}

// choose begins with a parameter.
func (l *lifts) choose(p pair) {
	clear(l.direction)
	l.direction[p.index] = 1
	if p.other >= 0 {
		l.direction[p.other] = p.sign
	}
	l.chosen = map[*State]*State{}
	l.designMoves()
}

// explicit is the derivative of the outputs at inputs, with the inputs constant.
func (l *lifts) explicit(u []float64) []float64 {
	result := make([]float64, len(l.y))
	l.sweep.At(nil, u, l.direction, result)
	return result
}

// designMoves finds the change of the design position: of the start values, and the smallest further change of the
// coordinates that keeps loops closed.
func (l *lifts) designMoves() {
	l.height = [2]float64{}
	e := l.equations
	r := l.Rig
	copy(r.u, r.design)
	r.evaluate()
	r.derivatives.Renew(nil, r.u, r.j)
	d := l.explicit(r.design)
	width := len(r.u)
	q := make([]float64, len(r.coordinates))
	for i, k := range r.coordinates {
		c := &e.Coordinates[k]
		if c.Start >= 0 && !c.Guided {
			q[i] = d[c.Start]
		}
	}
	if n := len(r.constraints); n > 0 && len(q) > 0 {
		rows, gap := mat.NewDense(n, len(q), nil), make([]float64, n)
		for i, at := range r.constraints {
			of := e.Constraints[at].Gap
			gap[i] = -d[of]
			for k, c := range r.coordinates {
				v := r.j[of*width+e.Coordinates[c].Input]
				rows.Set(i, k, v)
				gap[i] -= v * q[k]
			}
		}
		if slices.ContainsFunc(gap, func(x float64) bool { return x != 0 }) {
			var inverse mat.SVD
			var change mat.VecDense
			inverse.Factorize(rows, mat.SVDThin)
			inverse.SolveVecTo(&change, mat.NewVecDense(n, gap), inverse.Rank(resolved))
			for k := range q {
				q[k] += change.AtVec(k)
			}
		}
	}
	for side := range 2 {
		of := e.Wheels[side].Centre + 2
		l.height[side] = d[of]
		for k, c := range r.coordinates {
			l.height[side] += r.j[of*width+e.Coordinates[c].Input] * q[k]
		}
	}
}

// acts reports whether the parameter has an effect on the axle in the design position, or beside it: the stiffness of a
// spring with a given load has none in the design position.
func (l *lifts) acts() bool {
	const beside = 1e-3 // m, rad
	u := slices.Clone(l.design.u)
	for i, k := range l.coordinates {
		u[k] += beside * float64(i+1) / float64(len(l.coordinates))
	}
	return l.actsAt(l.design.u) || l.actsAt(u)
}

func (l *lifts) actsAt(u []float64) bool {
	d := l.explicit(u)
	outputs, _ := l.design.rows()
	e := l.equations
	for side := range 2 {
		w := &e.Wheels[side]
		for _, first := range append([]int{w.Centre, w.Spin}, w.Balls...) {
			outputs = append(outputs, first, first+1, first+2)
		}
	}
	for i := range l.springs {
		outputs = append(outputs, l.springs[i].output)
	}
	for i := range 4 {
		outputs = append(outputs, e.Mass+i)
	}
	return slices.ContainsFunc(outputs, func(i int) bool { return d[i] != 0 })
}

// lift adds the derivatives to a state.
func (l *lifts) lift(s *State) *State {
	if lifted := l.chosen[s]; lifted != nil {
		return lifted
	}
	at := l.linearise(s)
	d := l.explicit(at.u)
	outputs, factors := at.rows()
	right := make([]float64, len(outputs))
	for i, of := range outputs {
		right[i] = -factors[i] * d[of]
	}
	n := len(l.coordinates) + len(l.constraints)
	for side := range len(right) - n {
		right[n+side] += scale * l.height[side]
	}
	x := at.solve(right)
	var moved mat.VecDense
	moved.MulVec(at.unknowns, mat.NewVecDense(len(x), x))
	lifted := *s
	for side := range len(right) - n {
		lifted.Pads[side].D = scale * x[n+side]
	}
	l.read(&lifted, func(i int) kc.Number { return kc.Number{V: at.y[i], D: d[i] + moved.AtVec(i)} })
	l.chosen[s] = &lifted
	return &lifted
}
