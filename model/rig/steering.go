package rig

import (
	"math"

	"skidpad/model/kc"
)

// steering finds the figures of a steered axle.
func (f *figures) steering() error {
	c, missing, err := f.Curve("steer", false)
	if err != nil {
		return err
	}
	if missing != "" {
		for _, key := range []string{"steer_per_rack", "ackermann", "turning_circle"} {
			f.missing(key, missing)
		}
		return nil
	}
	const probe = 0.1 // of the curve's range, to both sides
	if len(c.At) < 3 || c.At[0] >= 0 || c.At[len(c.At)-1] <= 0 {
		f.missing("steer_per_rack", "the rack cannot move")
		return nil
	}
	h := probe * min(-c.At[0], c.At[len(c.At)-1])
	var turned [2]*State
	for i, x := range []float64{-h, h} {
		if turned[i], err = f.Solve(Given{Rack: x}, f.design); err != nil {
			return err
		}
	}
	unit := "rad/m"
	if f.rackUnit() == "rad" {
		unit = "1"
	}
	f.wheels("steer_per_rack", unit, func(side int) float64 {
		return (angle(turned[1], side) - angle(turned[0], side)) / (2 * h)
	})
	f.ackermann(c)
	return nil
}

// angle is the steer angle of a wheel to the left [rad].
func angle(s *State, side int) float64 { return -sign(side) * s.Wheels[side].Toe() }

// ackermann finds the Ackermann percentage and the turning circle at the ends of the curve: Left in the left turn.
func (f *figures) ackermann(c *Curve) {
	if len(f.roles.Axles) < 2 {
		f.missing("ackermann", "the vehicle has one axle")
		f.missing("turning_circle", "the vehicle has one axle")
		return
	}
	base := math.Abs(f.wheelbase())
	width := f.design.axle().Width() // of the steering axes on the ground
	for side := range 2 {
		if axis, missing := f.SteeringAxis(f.design, side); missing == "" {
			_, scrub := axis.Trail(&f.design.Wheels[side])
			width -= scrub
		}
	}
	ends := [2]*State{c.States[0], c.States[len(c.States)-1]}
	if angle(ends[0], Left) < angle(ends[1], Left) {
		ends[0], ends[1] = ends[1], ends[0]
	}
	of := func(turn int) (inner, outer float64) {
		s := ends[turn] // the left wheel is the inner one of a left turn
		to := sign(turn)
		return to * (angle(s, turn) - angle(f.design, turn)), to * (angle(s, 1-turn) - angle(f.design, 1-turn))
	}
	f.wheels("ackermann", "1", func(turn int) float64 {
		inner, outer := of(turn)
		return kc.Ackermann(inner, outer, width, base)
	})
	f.wheels("turning_circle", "m", func(turn int) float64 {
		_, outer := of(turn)
		return kc.TurningCircle(outer, base)
	})
}

// Matrix is the compliance of the axle with the forces of the pads held: six motions of each wheel by six loads at each
// contact. Columns are Fx, Fy, Fz, Mx, My, Mz on the left and on the right wheel [N, N m], rows the displacement of the
// point of the wheel at the contact and the rotation [m, rad], in axes of the chassis. It is symmetric.
type Matrix [12][12]float64

// ComplianceMatrix is the compliance in the design position.
func (r *Rig) ComplianceMatrix() (*Matrix, error) {
	design, err := r.Solve(Given{}, nil)
	if err != nil {
		return nil, err
	}
	loaded, err := r.Solve(Given{ByPads: true, Pads: design.Pads}, design)
	if err != nil {
		return nil, err
	}
	t := r.tangent(loaded, nil)
	m := &Matrix{}
	for on := range 2 {
		w := &r.equations.Wheels[on]
		for i := range 6 {
			input := w.Contact + i
			if i >= 3 {
				input = w.Moment + i - 3
			}
			moved := t.by(input, nil)
			for side := range 2 {
				shift, turn := t.wheelMotion(side, moved, input)
				for k := range 3 {
					m[6*side+k][6*on+i], m[6*side+3+k][6*on+i] = shift[k], turn[k]
				}
			}
		}
	}
	return m, nil
}

// wheelMotion is the displacement of the point of a wheel at its contact, and the rotation, in axes of the chassis. The
// unknowns change as given, and an input changes by 1.
func (t *tangent) wheelMotion(side int, moved []float64, input int) (shift, turn kc.Vector) {
	w := &t.equations.Wheels[side]
	value := func(output int) (v kc.Vector) { return kc.Vector(t.y[output : output+3]) }
	rate := func(output int) (v kc.Vector) {
		for i := range v {
			v[i] = t.change(output+i, moved, input)
		}
		return v
	}
	for i := range 3 { // the sum of e x e' is twice the rotation
		turn = turn.Plus(value(w.Carrier + 3*i).Cross(rate(w.Carrier + 3*i)).Times(0.5))
	}
	wheel := kc.Wheel{Spin: value(w.Spin), Radius: t.radius[side]}
	return rate(w.Centre).Plus(turn.Cross(wheel.Contact())), turn
}
