// Package search solves nonlinear equations of a model: steady states, closed loops, statics of a rig.
package search

import (
	"errors"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Equations are the system f(x) = 0, with any numbers of equations and unknowns.
type Equations interface {
	// Evaluate writes f at x. A value that is not finite makes x inadmissible.
	Evaluate(x, f []float64)
	// Differentiate writes df/dx at the point that was evaluated last, row by row.
	Differentiate(x []float64, j *mat.Dense)
}

// Search looks for a solution from a start by damped Gauss-Newton steps. Each step is the smallest change of the
// unknowns that solves the linearised equations, or comes nearest to that where they contradict each other. Unknowns
// without effect stay as they are.
type Search struct {
	Of        Equations
	Equations int     // their number
	Enough    float64 // largest magnitude of f at which the search ends
	Steps     int     // most steps

	// Units are the changes of the unknowns that count alike; nil for 1 of each.
	Units []float64
	// ByEffect measures changes by their effect on the equations instead.
	ByEffect bool
	// Low and High bound the unknowns; nil for no bounds.
	Low, High []float64
	// Resolved is the share of the largest singular value of the derivatives below which a direction has no effect; 0
	// stands for 1e-10, which suits exact derivatives.
	Resolved float64
	// Balanced weights each equation by the error of the unknowns that it allows. With stiff and soft equations side by
	// side, the values alone would allow only short steps along the directions that the stiff ones leave free. The first
	// step is damped: with tires that hardly resist, a full step can lead to another solution, where wheels slide.
	Balanced bool
	// Nearest looks for the solution nearest to the start, by Units, instead of one that small steps lead to.
	Nearest bool
	// Natural measures the progress of a step by the next change of the unknowns, in Units, instead of the equations.
	// With stiff equations full steps then remain possible along curved ways, from the first one on. The search also ends
	// after a change below Within.
	Natural bool
	Within  float64
}

// Result is where a search ended.
type Result struct {
	Steps   int
	Values  []float64 // f
	Largest float64   // magnitude of f, +Inf where a value is not finite
	Worst   int       // equation with this magnitude

	// Of a search that ended without a solution: the equations that no change of the unknowns balances in the equations
	// linearised last, and the unknowns that bounds hold.
	Unbalanced, Held []int
}

// Limits of the damping, as shares of the square of the largest singular value.
const (
	leastDamping = 1e-12
	mostDamping  = 1e6
	firstDamping = 1e-6 // of balanced equations
)

// exact is Resolved for exact derivatives.
const exact = 1e-10

// errNoEffect is the error of a step where no unknown has an effect, or derivatives are not finite.
var errNoEffect = errors.New("no unknown has an effect on the equations; look at the parameters and start values")

// Run changes x to the best point found; Equations are evaluated there last. The error says that there is no step; the
// caller judges the result.
func (s *Search) Run(x []float64) (r Result, err error) {
	w := &work{Search: s, x: x, start: append([]float64(nil), x...), values: make([]float64, s.Equations),
		weights: make([]float64, s.Equations), next: make([]float64, len(x))}
	s.Of.Evaluate(x, w.values)
	damping := 0.0
	if s.Balanced && !s.Natural {
		damping = firstDamping
	}
	for ; r.Steps < s.Steps; r.Steps++ {
		if r.measure(w.values); r.Largest <= s.Enough || len(x) == 0 || s.Equations == 0 {
			break
		}
		if err = w.linearise(); err != nil {
			break
		}
		last := s.Natural && w.size(w.values) <= s.Within
		if !w.improve(&damping) {
			break
		}
		if last {
			r.Steps++
			break
		}
	}
	if r.measure(w.values); r.Largest > s.Enough && w.jacobian != nil {
		r.Unbalanced, r.Held = w.unbalanced()
	}
	return r, err
}

// measure notes the values.
func (r *Result) measure(values []float64) {
	r.Values, r.Largest, r.Worst = values, 0, 0
	for i, v := range values {
		a := math.Abs(v)
		if v-v != 0 {
			a = math.Inf(1)
		}
		if a > r.Largest {
			r.Largest, r.Worst = a, i
		}
	}
}

// work is a search under way.
type work struct {
	*Search
	x, start, next []float64
	values         []float64 // at x
	weights        []float64 // of the equations
	free           []int     // unknowns that a bound does not hold
	units          []float64 // by free unknown
	jacobian       *mat.Dense
	scaled         *mat.Dense // the weighted derivatives by the free unknowns, in units
	direct         bool       // lu alone gives steps without damping, and the singular values are not known
	lu             mat.LU
	svd            mat.SVD
	singular       []float64 // values, as many as have an effect
	u, v           mat.Dense
}

// linearise decomposes the weighted derivatives at x by the unknowns that bounds do not hold. An unknown at its bound
// is held while the step would lead beyond.
func (w *work) linearise() error {
	if w.jacobian == nil {
		w.jacobian = mat.NewDense(w.Equations, len(w.x), nil)
	}
	w.jacobian.Zero()
	w.Of.Differentiate(w.x, w.jacobian)
	for i := range w.weights {
		w.weights[i] = 1
		if w.Balanced {
			w.weights[i] = 1 / max(1, mat.Norm(w.jacobian.RowView(i), 2))
		}
	}
	w.free = w.free[:0]
	for k := range w.x {
		w.free = append(w.free, k)
	}
	for {
		if err := w.decompose(); err != nil {
			return err
		}
		change, free := w.step(0), w.free[:0:0]
		for i, k := range w.free {
			down, up := w.Low != nil && w.x[k] <= w.Low[k], w.High != nil && w.x[k] >= w.High[k]
			if !(down && change[i] < 0 || up && change[i] > 0) {
				free = append(free, k)
			}
		}
		if len(free) == len(w.free) {
			return nil
		}
		w.free = free
	}
}

// decompose scales the weighted derivatives by the free unknowns, and decomposes them. As many unknowns as equations,
// all with an effect, need no singular values for a step without damping.
func (w *work) decompose() error {
	w.singular, w.direct = nil, false
	if len(w.free) == 0 {
		return errNoEffect
	}
	a := mat.NewDense(w.Equations, len(w.free), nil)
	w.units = w.units[:0]
	for i, k := range w.free {
		for row := range w.Equations {
			a.Set(row, i, w.weights[row]*w.jacobian.At(row, k))
		}
		unit := 1.0
		if size := mat.Norm(a.ColView(i), 2); w.ByEffect && size > 0 {
			unit = 1 / size
		} else if w.Units != nil {
			unit = w.Units[k]
		}
		for row := range w.Equations {
			a.Set(row, i, unit*a.At(row, i))
		}
		w.units = append(w.units, unit)
	}
	w.scaled = a
	if w.Equations == len(w.free) {
		w.lu.Factorize(a)
		w.direct = w.lu.Cond()*float64(len(w.free)) < wellBehaved/w.resolved()
	}
	if w.direct {
		return nil
	}
	return w.decomposeFully()
}

// wellBehaved is the part of 1/resolved below which the condition number by the norm of sums, times the number of
// unknowns, tells that no singular value is too small. The condition number is an estimate.
const wellBehaved = 0.1

func (w *work) resolved() float64 {
	if w.Resolved == 0 {
		return exact
	}
	return w.Resolved
}

// decomposeFully finds the singular values of the scaled derivatives.
func (w *work) decomposeFully() error {
	if !w.svd.Factorize(w.scaled, mat.SVDThin) {
		return errNoEffect
	}
	w.singular = w.svd.Values(nil)
	rank := 0
	for rank < len(w.singular) && w.singular[rank] > w.resolved()*w.singular[0] {
		rank++
	}
	if w.singular = w.singular[:rank]; rank == 0 {
		return errNoEffect
	}
	w.direct = false
	w.u.Reset()
	w.v.Reset()
	w.svd.UTo(&w.u)
	w.svd.VTo(&w.v)
	return nil
}

// step is the change of the free unknowns with a damping.
func (w *work) step(damping float64) []float64 { return w.stepFrom(w.values, damping) }

// stepFrom is the step from values of the equations, with the derivatives at x.
func (w *work) stepFrom(values []float64, damping float64) []float64 {
	if w.direct && (damping == 0 || w.decomposeFully() != nil) {
		return w.directStep(values)
	}
	away := make([]float64, len(w.free)) // from the start, in units
	if w.Nearest {
		for i, k := range w.free {
			away[i] = (w.x[k] - w.start[k]) / w.units[i]
		}
	}
	change := make([]float64, len(w.free))
	for i := range change {
		change[i] = -away[i] / (1 + damping)
	}
	for r, s := range w.singular {
		right, along := 0.0, 0.0
		for i, v := range values {
			right += w.u.At(i, r) * w.weights[i] * v
		}
		for i, d := range away {
			along += w.v.At(i, r) * d
		}
		by := along/(1+damping) - right*s/(s*s+damping*w.singular[0]*w.singular[0])
		for i := range change {
			change[i] += w.v.At(i, r) * by
		}
	}
	for i := range change {
		change[i] *= w.units[i]
	}
	return change
}

// directStep is the only step that solves the linearised equations.
func (w *work) directStep(values []float64) []float64 {
	right := mat.NewVecDense(len(values), nil)
	for i, v := range values {
		right.SetVec(i, -w.weights[i]*v)
	}
	// the condition number is known to be small, which is the only error
	_ = w.lu.SolveVecTo(right, false, right)
	change := right.RawVector().Data
	for i := range change {
		change[i] *= w.units[i]
	}
	return change
}

// alike is the share of the largest unbalanced value above which an equation is named, too.
const alike = 0.5

// unbalanced lists the equations with a large part beyond the reach of the unknowns, and the unknowns held by bounds.
func (w *work) unbalanced() (equations, held []int) {
	rest := make([]float64, len(w.values))
	if !w.direct { // otherwise a change of the unknowns balances all equations
		for i, v := range w.values {
			rest[i] = w.weights[i] * v
		}
	}
	for r := range w.singular {
		along := 0.0
		for i, v := range w.values {
			along += w.u.At(i, r) * w.weights[i] * v
		}
		for i := range rest {
			rest[i] -= along * w.u.At(i, r)
		}
	}
	most := 0.0
	for _, v := range rest {
		most = max(most, math.Abs(v))
	}
	for i, v := range rest {
		if most > 0 && math.Abs(v) > alike*most {
			equations = append(equations, i)
		}
	}
	for k := range w.x {
		if !slices.Contains(w.free, k) {
			held = append(held, k)
		}
	}
	return equations, held
}

// improve makes the longest step that lowers the weighted values; false if none does.
func (w *work) improve(damping *float64) bool {
	old, trial := w.size(w.values), make([]float64, len(w.values))
	for ; *damping <= mostDamping; *damping = max(leastDamping, 10**damping) {
		copy(w.next, w.x)
		for i, d := range w.step(*damping) {
			k := w.free[i]
			w.next[k] += d
			if w.Low != nil {
				w.next[k] = max(w.next[k], w.Low[k])
			}
			if w.High != nil {
				w.next[k] = min(w.next[k], w.High[k])
			}
		}
		w.Of.Evaluate(w.next, trial)
		if w.size(trial) < old {
			copy(w.x, w.next)
			copy(w.values, trial)
			if *damping /= 10; *damping < leastDamping {
				*damping = 0
			}
			return true
		}
	}
	w.Of.Evaluate(w.x, w.values)
	return false
}

// size is the measure of progress: the norm of weighted values, or of the change of the unknowns that they demand.
func (w *work) size(values []float64) float64 {
	if !w.Natural {
		return w.norm(values)
	}
	change := w.stepFrom(values, 0)
	for i := range change {
		change[i] /= w.units[i]
	}
	return floats.Norm(change, 2)
}

// norm is the size of weighted values, NaN where one is not finite.
func (w *work) norm(values []float64) float64 {
	sum := 0.0
	for i, v := range values {
		sum += w.weights[i] * v * w.weights[i] * v
	}
	return math.Sqrt(sum)
}

// Differences writes central differences of the equations in place of derivatives. Steps are a share of each unknown,
// and of 1 at least.
func Differences(of Equations, x []float64, share float64, j *mat.Dense) {
	n, _ := j.Dims()
	above, below := make([]float64, n), make([]float64, n)
	for k, v := range x {
		h := share * max(1, math.Abs(v))
		x[k] = v + h
		of.Evaluate(x, above)
		x[k] = v - h
		of.Evaluate(x, below)
		x[k] = v
		for i := range above {
			j.Set(i, k, (above[i]-below[i])/(2*h))
		}
	}
}

// Continue follows solutions from share 0, which has been solved, to 1. At solves at a share from the unknowns of the
// solution before, which Continue restores where it fails; then the step is halved, and after a success doubled. The
// error is that of the shortest step, and reached the share of the last solution.
func Continue(first, least float64, at func(share float64) error, unknowns ...[]float64) (reached float64, err error) {
	var before []float64
	for step := first; reached < 1; {
		before = before[:0]
		for _, x := range unknowns {
			before = append(before, x...)
		}
		next := min(1, reached+step)
		if err = at(next); err == nil {
			reached, step = next, 2*step
			continue
		}
		rest := before
		for _, x := range unknowns {
			rest = rest[copy(x, rest):]
		}
		if step /= 2; step < least {
			return reached, err
		}
	}
	return reached, nil
}
