package preview

import (
	"errors"
	"math"
	"math/cmplx"

	"gonum.org/v1/gonum/mat"
)

// wanted is the damping ratio of the slow motion of vehicle and driver that gives the preview.
const wanted = 0.6

// Previews between which a driver looks for his own [s].
const (
	shortest = 0.4
	longest  = 4.0
)

// Modes are the eigenvalues [1/s] of vehicle and driver on a straight path, with the delay and the lag of his hands
// [s]. The delay is that of a Pade approximation of second order.
func (l *Law) Modes(m Motion, delay, lag float64) ([]complex128, error) {
	n := len(m.B)
	size := n
	at := func(is bool, count int) int { // of the states of a part that may be missing
		if !is {
			return -1
		}
		size += count
		return size - count
	}
	late, slow := at(delay > 0, 2), at(lag > 0, 1)
	a := mat.NewDense(size, size, nil)
	// signal is a row over all states: first the steering that the driver wants, at last that of his hands
	signal := make([]float64, size)
	for k, gain := range l.State {
		signal[k] = -gain
	}
	if late >= 0 {
		// (1 - p d/2 + p^2 d^2/12)/(1 + p d/2 + p^2 d^2/12) = 1 - 12 p/d / (p^2 + 6 p/d + 12/d^2)
		for k, x := range signal {
			a.Set(late+1, k, x)
		}
		a.Set(late, late+1, 1)
		a.Set(late+1, late, a.At(late+1, late)-12/(delay*delay))
		a.Set(late+1, late+1, a.At(late+1, late+1)-6/delay)
		signal[late+1] -= 12 / delay
	}
	if slow >= 0 {
		for k, x := range signal {
			a.Set(slow, k, a.At(slow, k)+x/lag)
		}
		a.Set(slow, slow, a.At(slow, slow)-1/lag)
		clear(signal)
		signal[slow] = 1
	}
	for i := range n {
		for k := range n {
			a.Set(i, k, m.A.At(i, k))
		}
		for k, x := range signal {
			a.Set(i, k, a.At(i, k)+m.B[i]*x)
		}
	}
	var e mat.Eigen
	if !e.Factorize(a, mat.EigenNone) {
		return nil, errors.New("the eigenvalues of vehicle and driver are not found")
	}
	return e.Values(nil), nil
}

// SlowDamping is the damping ratio of the slow oscillation of vehicle and driver. Of the eigenvalues that oscillate or
// grow, the smallest one counts; without any the ratio is 1.
func (l *Law) SlowDamping(m Motion, delay, lag float64) (float64, error) {
	modes, err := l.Modes(m, delay, lag)
	if err != nil {
		return 0, err
	}
	slowest, damping := math.Inf(1), 1.0
	for _, p := range modes {
		size := cmplx.Abs(p)
		if real(p) >= 0 {
			return min(0, -real(p)/max(size, 1e-300)), nil // nothing else matters
		}
		if imag(p) != 0 && size < slowest {
			slowest, damping = size, -real(p)/size
		}
	}
	return damping, nil
}

// Adapted is the law with the shortest preview of 0.4 s or more that damps the slow oscillation of vehicle and driver
// by 0.6. Where no preview up to 4 s does, it is the law with the largest damping. It returns the damping ratio, too.
func Adapted(m Motion, delay, lag float64) (*Law, float64, error) {
	at := func(preview float64) (*Law, float64, error) {
		l, err := NewLaw(m, preview)
		if err != nil {
			return nil, 0, err
		}
		damping, err := l.SlowDamping(m, delay, lag)
		return l, damping, err
	}
	const step = 0.05 // s
	best, most, err := at(shortest)
	before := shortest
	for i := 1; err == nil && most < wanted && shortest+float64(i)*step <= longest; i++ {
		preview := shortest + float64(i)*step
		l, damping, fault := at(preview)
		if err = fault; err == nil && damping >= wanted {
			return between(at, before, preview)
		}
		if damping > most {
			best, most = l, damping
		}
		before = preview
	}
	return best, most, err
}

// between finds the law with the wanted damping between a preview that damps less and one that damps as much.
func between(
	at func(preview float64) (*Law, float64, error), less, enough float64,
) (l *Law, damping float64, err error) {
	const close = 1e-4 // s
	for enough-less > close {
		middle := (less + enough) / 2
		if _, damping, err = at(middle); err != nil {
			return nil, 0, err
		}
		if damping >= wanted {
			enough = middle
		} else {
			less = middle
		}
	}
	return at(enough)
}
