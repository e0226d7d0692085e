// Package preview is a driver who looks ahead and steers as C. C. MacAdam (Application of an optimal preview control
// for simulation of closed-loop automobile driving, 1981) describes: the steering whose expected motion stays nearest
// to a target over the next seconds, and the limits of the hands that turn the steering wheel. It is mathematics alone,
// and knows no vehicle.
package preview

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Motion is the linear motion that a driver expects: x' = A x + B u, and C x is the lateral position [m], to the left.
// u is the steering angle [rad].
type Motion struct {
	A    *mat.Dense
	B, C []float64
}

// Law is the steering that a driver chooses,
//
//	u = int_0^T (Y - F x) G deta / int_0^T G^2 deta
//
// with F(eta) = C exp(A eta) and G(eta) = C int_0^eta exp(A s) ds B: F x is where the vehicle comes to without
// steering, and G how far a constant steering angle moves it. Y(eta) is the target's lateral position eta seconds
// ahead. It is linear, so that u is a sum over the target, less one over the states.
//
// The law rounds a path whose curvature changes: u is constant over the preview. A driver who knows the curvature ahead
// takes u = n(eta) + w, with the steering n(eta) of the curvature there, and a constant w by the same law for what is
// left of Y. On a straight line and on a circle that is the law itself.
type Law struct {
	Preview float64   // T, s
	Target  []float64 // gains of the target's lateral positions, evenly spaced over the preview [rad/m]
	State   []float64 // gains of the states
	Known   []float64 // gains of n, evenly spaced over the preview; their sum is 1
}

// intervals of Simpson's rule over the preview; their number is even.
const intervals = 120

// NewLaw is the law for a motion with a preview [s].
func NewLaw(m Motion, preview float64) (*Law, error) {
	n := len(m.B)
	if !(preview > 0) {
		return nil, fmt.Errorf("a preview of %g s; it must be above 0", preview)
	}
	h := preview / intervals
	// with the constant u as a further state, exp(A eta) and its integral are one exponential
	rates, step := mat.NewDense(n+1, n+1, nil), new(mat.Dense)
	for i := range n {
		for k := range n {
			rates.Set(i, k, h*m.A.At(i, k))
		}
		rates.Set(i, n, h*m.B[i])
	}
	step.Exp(rates)
	l := &Law{Preview: preview, Target: make([]float64, intervals+1), State: make([]float64, n)}
	row, square := mat.NewVecDense(n+1, nil), 0.0
	answer := make([]float64, len(l.Target)) // of the position to a jerk of the steering: dG/deta
	for i, c := range m.C {
		row.SetVec(i, c)
	}
	for i := range l.Target {
		weight := simpson(i) * h / 3
		g := row.AtVec(n)
		for k := range n {
			answer[i] += row.AtVec(k) * m.B[k]
			l.State[k] += weight * row.AtVec(k) * g
		}
		l.Target[i], square = weight*g, square+weight*g*g
		next := mat.NewVecDense(n+1, nil)
		next.MulVec(step.T(), row)
		row = next
	}
	if !(square > 0) || math.IsInf(square, 0) {
		return nil, errors.New("steering does not move the vehicle to the side, so that no driver can follow a path")
	}
	for i := range l.Target {
		l.Target[i] /= square
	}
	for k := range l.State {
		l.State[k] /= square
	}
	l.Known = known(l.Target, answer)
	return l, nil
}

// known are the gains of the known steering: what the target's gains make of the positions that it gives, by the rule
// of trapezoids.
func known(target, answer []float64) []float64 {
	list := make([]float64, len(target))
	sum := 0.0
	for k := range list {
		for i := k; i < len(target); i++ {
			list[k] += target[i] * answer[i-k]
		}
		if k == 0 {
			list[k] /= 2
		}
		sum += list[k]
	}
	for k := range list {
		list[k] /= sum
	}
	return list
}

// simpson is the weight of a place in the rule of Simpson, times 3 by the distance of places.
func simpson(i int) float64 {
	switch {
	case i == 0 || i == intervals:
		return 1
	case i%2 == 1:
		return 4
	}
	return 2
}

// Places are how many lateral positions of the target a law takes.
const Places = intervals + 1

// Ahead is the time of a place of the target [s].
func (l *Law) Ahead(place int) float64 { return l.Preview * float64(place) / intervals }

// Steer is the steering angle [rad] for the target's lateral positions [m] and the states, and for the known steering
// over the preview [rad], of which now is wanted first.
func (l *Law) Steer(target, state, known []float64, now float64) float64 {
	u := now
	for k, gain := range l.Known {
		u -= gain * known[k]
	}
	for i, gain := range l.Target {
		u += gain * target[i]
	}
	for k, gain := range l.State {
		u -= gain * state[k]
	}
	return u
}
