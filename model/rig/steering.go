package rig

import (
	"skidpad/model/kc"
)

// steering finds the figures of a steered axle.
func (f *figures) steering() error {
	if f.steer == nil {
		c, missing, err := f.Curve("steer", false)
		if err != nil {
			return err
		}
		if missing != "" {
			c = &Curve{Ends: []string{missing}}
		}
		f.steer = c
	}
	c := f.steer
	if len(c.States) == 0 {
		for _, key := range []string{"steer_per_rack", "ackermann", "turning_circle"} {
			f.missing(key, c.Ends[0])
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
		s, err := f.at(Given{Rack: x}, f.design)
		if err != nil {
			return err
		}
		turned[i] = s
	}
	unit := "rad/m"
	if f.rackUnit() == "rad" {
		unit = "1"
	}
	f.wheels("steer_per_rack", unit, func(side int) kc.Number {
		return angle(turned[1], side).Minus(angle(turned[0], side)).Scaled(1 / (2 * h))
	})
	f.ackermann(c)
	return nil
}

// angle is the steer angle of a wheel to the left [rad].
func angle(s *State, side int) kc.Number { return s.Wheels[side].Toe().Scaled(-sign(side)) }

// ackermann finds the Ackermann percentage and the turning circle at the ends of the curve: Left in the left turn.
func (f *figures) ackermann(c *Curve) {
	if len(f.roles.Axles) < 2 {
		f.missing("ackermann", "the vehicle has one axle")
		f.missing("turning_circle", "the vehicle has one axle")
		return
	}
	base := f.design.wheelbase
	width := kc.Of(0) // of the steering axes on the ground; of the contacts where there are none
	for side := range 2 {
		ground := f.design.Wheels[side].Contact()
		if axis, missing := f.axisOf(side); missing == "" {
			ground = axis.At(ground[2])
		}
		width = width.Plus(ground[1])
	}
	ends := [2]*State{f.lifted(c.States[0]), f.lifted(c.States[len(c.States)-1])}
	if angle(ends[0], Left).V < angle(ends[1], Left).V {
		ends[0], ends[1] = ends[1], ends[0]
	}
	of := func(turn int) (inner, outer kc.Number) {
		s := ends[turn] // the left wheel is the inner one of a left turn
		of := func(side int) kc.Number { return angle(s, side).Minus(angle(f.design, side)).Scaled(sign(turn)) }
		return of(turn), of(1 - turn)
	}
	f.wheels("ackermann", "1", func(turn int) kc.Number {
		inner, outer := of(turn)
		return kc.Ackermann(inner, outer, width, base)
	})
	f.wheels("turning_circle", "m", func(turn int) kc.Number {
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
	loaded, err := r.Solve(Given{ByPads: true, Pads: design.pads()}, design)
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
					m[6*side+k][6*on+i], m[6*side+3+k][6*on+i] = shift[k].V, turn[k].V
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
	value := func(output int) kc.Vector { return kc.At(t.y[output], t.y[output+1], t.y[output+2]) }
	rate := func(output int) kc.Vector {
		of := func(i int) float64 { return t.change(output+i, moved, input) }
		return kc.At(of(0), of(1), of(2))
	}
	for i := range 3 { // the sum of e x e' is twice the rotation
		turn = turn.Plus(value(w.Carrier + 3*i).Cross(rate(w.Carrier + 3*i)).Scaled(0.5))
	}
	wheel := kc.Wheel{Spin: value(w.Spin), Radius: t.radius[side]}
	return rate(w.Centre).Plus(turn.Cross(wheel.Contact())), turn
}
