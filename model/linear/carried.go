package linear

import (
	"gonum.org/v1/gonum/mat"

	"skidpad/model/program"
)

// begin sets the states as the start values give them, at rest relative to the chassis.
func (l *Model) begin(x []float64) {
	l.machine.Start(l.u, x)
	if l.carried != nil {
		l.carried.Follow(x)
	}
}

// moving are the derivatives of the rates by the states where all bodies that move with the chassis follow its
// coordinates.
func (l *Model) moving() *mat.Dense {
	a := l.jacobian(program.StateQuantity, program.StateQuantity)
	if l.carried == nil {
		return a
	}
	var combined mat.Dense
	combined.Mul(a, l.carried.Frame(l.x))
	return &combined
}

// relative are the rates of the places of bodies relative to the chassis that carries them.
func (l *Model) relative() []float64 {
	if l.carried == nil {
		return nil
	}
	rates := make([]float64, l.carried.Rates())
	l.carried.Relative(l.x, l.dx, rates)
	return rates
}

// turning is the lowest angular velocity of a steady motion that counts as a turn [rad/s].
const turning = 1e-9

// fixToChassis changes the deviations of the coordinates of carried bodies to deviations from places that are fixed to
// the chassis: lengths along its axes, and angles. In a turn only these have constant linear equations. With
// z = J z', of a matrix J that turns with the chassis,
//
//	dz'/dt = J^-1 (A J - dJ/dt) z' + B u,  y = C J z' + D u,
//
// because no input enters the rates of coordinates.
func (l *Model) fixToChassis(s *System) error {
	if l.carried == nil {
		return nil
	}
	n := len(l.x)
	frame := l.carried.Frame(l.x)
	var inverse, moved mat.Dense
	if err := inverse.Inverse(frame); err != nil {
		return errSolve
	}
	moved.Mul(s.A, frame)
	if l.carried.Turns(l.dx, turning) {
		const h = 1e-5
		at := make([]float64, n)
		ways := [2]*mat.Dense{}
		for way, step := range []float64{h, -h} {
			for i := range at {
				at[i] = l.x[i] + step*l.dx[i]
			}
			ways[way] = l.carried.Frame(at)
		}
		for i := range n {
			for k := range n {
				moved.Set(i, k, moved.At(i, k)-(ways[0].At(i, k)-ways[1].At(i, k))/(2*h))
			}
		}
	}
	s.A = plus(nil, &inverse, &moved)
	if !s.C.IsEmpty() {
		s.C = plus(nil, s.C, frame)
	}
	if s.constraints != nil {
		s.constraints = plus(nil, s.constraints, frame)
	}
	for i := range s.Rates {
		if l.carried.Has(i) {
			s.Rates[i] = 0
		}
	}
	return nil
}
