package reference

import (
	"fmt"
	"math"
)

// bdf integrates F(t, y, y') = 0 by backward differentiation formulas of order 1 to 5 in backward differences. Its
// steps stay equal for a while (Shampine and Reichelt 1997, without their correction terms; Brenan, Campbell and
// Petzold 1996 for the index).
//
// With differences D_m of the latest points, the prediction is y0 = sum D_m and, with
// gamma_m = 1 + 1/2 + ... + 1/m and d = y - y0,
//
//	h y' = gamma_k d + sum_{m=1..k} gamma_m D_m
//
// The local error is d/(k+1). Multipliers, and potentials and flows of
// networks, are not in the measure of the error.
type bdf struct {
	system    *System
	jacobian  *jacobian
	tolerance float64

	t, h  float64
	order int
	d     [maxOrder + 3][]float64 // differences; d[0] is y
	equal int                     // steps taken since order or step changed
	c     float64                 // of the factors that the jacobian holds
	fresh bool                    // the jacobian belongs to the present step

	y0, y, dy, psi, f, correction []float64
	Statistics
}

// Statistics count what a simulation took.
type Statistics struct {
	Steps, Rejected, Iterations, Jacobians, Factorisations int
}

const (
	maxOrder      = 5
	maxIterations = 4
	leastStep     = 1e-12 // s
)

func newBDF(s *System, tolerance float64) *bdf {
	b := &bdf{system: s, jacobian: newJacobian(s), tolerance: tolerance}
	for i := range b.d {
		b.d[i] = make([]float64, s.size)
	}
	for _, v := range []*[]float64{&b.y0, &b.y, &b.dy, &b.psi, &b.f, &b.correction} {
		*v = make([]float64, s.size)
	}
	return b
}

// start begins at t with state y and its derivative dy, which is changed: order 1 and a
// step whose error is small.
func (b *bdf) start(t float64, y, dy []float64, limit float64) {
	b.t, b.order, b.equal = t, 1, 0
	fastest := 1.0 // relative rate of change, 1/s
	for i := range b.system.algebraic {
		fastest = max(fastest, math.Abs(dy[i])/(1+math.Abs(y[i])))
	}
	b.h = min(0.1*math.Sqrt(b.tolerance)/fastest, limit)
	copy(b.d[0], y)
	for i := range dy {
		b.d[1][i] = b.h * dy[i]
	}
	for m := 2; m < len(b.d); m++ {
		clear(b.d[m])
	}
	b.c, b.fresh = 0, false
	b.jacobian.slope = b.jacobian.slope[:0]
}

// weight is the error allowed in a component of size y.
func (b *bdf) weight(y float64) float64 { return b.tolerance * (1 + math.Abs(y)) }

// norm measures scale v against the weights of y, by the worst component.
func (b *bdf) norm(v []float64, scale float64) float64 {
	worst := 0.0
	for i := range b.system.algebraic {
		e := math.Abs(v[i]*scale) / b.weight(b.y[i])
		if math.IsNaN(e) {
			return e
		}
		worst = max(worst, e)
	}
	return worst
}

// advance makes one step that ends at or before end.
func (b *bdf) advance(end float64) error {
	if b.t+b.h*(1+1e-9) >= end {
		b.rescale((end - b.t) / b.h)
	}
	for {
		if !(b.h >= leastStep) {
			return fmt.Errorf("at %.9g s no step is short enough: the corrections do not converge or the error stays above "+
				"the tolerance %g", b.t, b.tolerance)
		}
		b.predict()
		converged, err := b.correct()
		if err != nil {
			return fmt.Errorf("at %.9g s: %w", b.t, err)
		}
		if !converged {
			b.Rejected++
			b.rescale(0.25)
			continue
		}
		e := b.norm(b.correction, 1/float64(b.order+1))
		if e > 1 || math.IsNaN(e) {
			b.Rejected++
			b.rescale(max(0.2, 0.9*math.Pow(e, -1/float64(b.order+1))))
			continue
		}
		b.accept()
		b.adapt(e)
		return nil
	}
}

// predict extrapolates, and gathers what the past gives to the derivative.
func (b *bdf) predict() {
	clear(b.psi)
	copy(b.y0, b.d[0])
	gamma := 0.0
	for m := 1; m <= b.order; m++ {
		gamma += 1 / float64(m)
		for i, d := range b.d[m] {
			b.y0[i] += d
			b.psi[i] += gamma * d
		}
	}
}

// leading is gamma_k.
func (b *bdf) leading() float64 {
	gamma := 0.0
	for m := 1; m <= b.order; m++ {
		gamma += 1 / float64(m)
	}
	return gamma
}

// correct solves for the new point by Newton's method with a Jacobian that is recomputed
// only when it is too old to converge.
func (b *bdf) correct() (converged bool, err error) {
	s, c := b.system, b.leading()/b.h
	t := b.t + b.h
	if len(b.jacobian.slope) == 0 {
		b.refresh(t)
	}
	for {
		if b.c != c {
			if err := b.jacobian.factor(c); err != nil {
				return false, err
			}
			b.c = c
			b.Factorisations++
		}
		clear(b.correction)
		copy(b.y, b.y0)
		previous := math.NaN()
		for iteration := range maxIterations {
			b.Iterations++
			for i := range b.dy {
				b.dy[i] = c*b.correction[i] + b.psi[i]/b.h
			}
			s.residual(t, b.y, b.dy, b.f)
			b.jacobian.matrix.solve(b.f)
			for i, f := range b.f {
				b.correction[i] -= f
				b.y[i] = b.y0[i] + b.correction[i]
			}
			size := b.norm(b.f, 1)
			if math.IsNaN(size) || math.IsInf(size, 0) {
				break
			}
			rate := size / previous
			left := float64(maxIterations - iteration - 1)
			if iteration > 0 && (rate >= 1 || math.Pow(rate, left)/(1-rate)*size > newtonTolerance) {
				break
			}
			if size == 0 || iteration > 0 && rate/(1-rate)*size < newtonTolerance || size < 1e-3*newtonTolerance {
				return true, nil
			}
			previous = size
		}
		if b.fresh {
			return false, nil
		}
		b.refresh(t)
	}
}

// newtonTolerance is the error left by the iteration, relative to the tolerance.
const newtonTolerance = 0.03

// refresh takes the Jacobian at the predicted point.
func (b *bdf) refresh(t float64) {
	for i := range b.dy {
		b.dy[i] = b.psi[i] / b.h
	}
	b.jacobian.update(t, b.y0, b.dy)
	b.Jacobians++
	b.c, b.fresh = 0, true
}

// accept takes the new point into the differences.
func (b *bdf) accept() {
	b.Steps++
	b.t += b.h
	b.equal++
	b.fresh = false
	k := b.order
	for i, d := range b.correction {
		b.d[k+2][i] = d - b.d[k+1][i]
		b.d[k+1][i] = d
		for m := k; m >= 0; m-- {
			b.d[m][i] += b.d[m+1][i]
		}
	}
}

// adapt chooses order and step after some equal steps, from the errors that the orders
// below and above would have had.
func (b *bdf) adapt(e float64) {
	k := b.order
	if b.equal < k+1 {
		return
	}
	best, factor := k, growth(e, k)
	if k > 1 {
		if g := growth(b.norm(b.d[k], 1/float64(k)), k-1); g > factor {
			best, factor = k-1, g
		}
	}
	if k < maxOrder {
		if g := growth(b.norm(b.d[k+2], 1/float64(k+2)), k+1); g > factor {
			best, factor = k+1, g
		}
	}
	if best == k && factor > 0.9 && factor < 1.15 {
		return
	}
	b.order = best
	b.rescale(min(10, factor))
}

// growth is by how much a step may grow whose error, of a method of the order, was e.
func growth(e float64, order int) float64 {
	return 0.85 * math.Pow(max(e, 1e-12), -1/float64(order+1))
}

// rescale changes the step and interpolates the differences for it.
func (b *bdf) rescale(factor float64) {
	if factor == 1 {
		return
	}
	k := b.order
	r, u := interpolation(k, factor), interpolation(k, 1)
	var ru [maxOrder + 1][maxOrder + 1]float64
	for i := range k + 1 {
		for j := range k + 1 {
			for m := range k + 1 {
				ru[i][j] += r[i][m] * u[m][j]
			}
		}
	}
	for i := range b.d[0] {
		var old [maxOrder + 1]float64
		for m := range k + 1 {
			old[m] = b.d[m][i]
		}
		for j := 1; j <= k; j++ { // row 0, y itself, stays
			sum := 0.0
			for m := 1; m <= k; m++ {
				sum += ru[m][j] * old[m]
			}
			b.d[j][i] = sum
		}
	}
	b.h *= factor
	b.equal = 0
	b.fresh = false
}

// interpolation is the matrix of products prod_{i=1..m} (i - 1 - factor j)/i.
func interpolation(order int, factor float64) (r [maxOrder + 1][maxOrder + 1]float64) {
	for j := range order + 1 {
		r[0][j] = 1
		for i := 1; i <= order; i++ {
			r[i][j] = r[i-1][j] * (float64(i) - 1 - factor*float64(j)) / float64(i)
		}
	}
	return r
}

// interpolate writes the state at a time within the latest step.
func (b *bdf) interpolate(t float64, y []float64) {
	copy(y, b.d[0])
	x := (t - b.t) / b.h
	product := 1.0
	for m := 1; m <= b.order; m++ {
		product *= (x + float64(m-1)) / float64(m)
		for i, d := range b.d[m] {
			y[i] += product * d
		}
	}
}
