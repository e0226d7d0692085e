package rig

import (
	"math"

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
		for _, key := range []string{"steer_per_rack", "c_factor", "overall_ratio", "ackermann", "turning_circle"} {
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
	f.ratios(f.list[len(f.list)-1])
	f.ackermann(c)
	return nil
}

// ratios finds the travel of the rack per turn of the steering wheel, and the overall ratio of the steering wheel to
// the road wheels.
func (f *figures) ratios(perRack Figure) {
	ratio := kc.Of(2).By(perRack.Left.Plus(perRack.Right))
	perTurn, missing := f.perTurn()
	if missing == "" {
		f.axle("c_factor", "m/rad", perTurn)
	} else {
		f.missing("c_factor", missing)
	}
	switch {
	case f.rackUnit() == "rad":
	case missing != "":
		f.missing("overall_ratio", missing)
		return
	default:
		ratio = ratio.By(perTurn)
	}
	f.axle("overall_ratio", "1", absolute(ratio))
}

// perTurn is the travel of the rack per angle of the steering wheel [m/rad]. The text says why there is none.
func (f *figures) perTurn() (travel kc.Number, missing string) {
	switch s := f.roles.Steering; {
	case !math.IsNaN(f.design.slope.V):
		return absolute(f.design.slope), ""
	case s != nil && s.Rack && s.Ratio > 0:
		return kc.Of(1 / s.Ratio), ""
	case f.rackUnit() == "rad":
		return travel, "the steering wheel turns the wheels without a rack"
	}
	return travel, "no steering wheel shifts the rack: give a steering with a rack, or the ratio of the role steering"
}

func absolute(x kc.Number) kc.Number {
	if x.V < 0 {
		return x.Negative()
	}
	return x
}

// torques finds the load on the rack and the torque on the steering wheel against an aligning moment of 1 N m on each
// wheel. An input that moves the rack has no load. Its load follows by virtual work: the moments times the rotations
// of the wheels about the vertical, per displacement of the rack.
func (f *figures) torques(loads []float64, states []*State) error {
	keys := [2]string{"rack_load_per_aligning", "hand_torque_per_aligning"}
	if missing := f.steer.Ends; len(f.steer.States) == 0 {
		for _, key := range keys {
			f.missing(key, missing[0])
		}
		return nil
	}
	load := kc.Slope(constants(loads), read(states, func(s *State) kc.Number { return s.RackForce }))
	if f.rackRow < 0 {
		load = kc.Of(0)
		for side := range 2 {
			_, turn, err := f.motionBy(func(x float64) Given { return Given{Rack: x} }, side)
			if err != nil {
				return err
			}
			load = load.Minus(turn[2].Scaled(sign(side)))
		}
	}
	if f.rackUnit() == "rad" {
		f.axle(keys[1], "1", load)
		return nil
	}
	f.axle(keys[0], "N/N.m", load)
	if perTurn, missing := f.perTurn(); missing == "" {
		f.axle(keys[1], "1", load.Times(perTurn))
	} else {
		f.missing(keys[1], missing)
	}
	return nil
}

// besideBy is the distance of states for derivatives of motions [m, rad].
const besideBy = 2e-5

// beside are the states on both sides of the design position.
func (f *figures) beside(given func(x float64) Given) (ends [2]*State, err error) {
	for i, x := range []float64{-besideBy, besideBy} {
		if ends[i], err = f.at(given(x), f.design); err != nil {
			return ends, err
		}
	}
	return ends, nil
}

// motionBy is the motion of the carrier of a wheel per change of a motion of the rig, about the design position. It has
// the displacement of the point at the contact and the rotation, with y outward. A mirror turns rotations round: on the
// right side, a rotation to the left about z is negative.
func (f *figures) motionBy(given func(x float64) Given, side int) (shift, turn kc.Vector, err error) {
	ends, err := f.beside(given)
	if err != nil {
		return shift, turn, err
	}
	rate := func(of func(s *State) kc.Vector) kc.Vector {
		return of(ends[1]).Minus(of(ends[0])).Scaled(1 / (2 * besideBy))
	}
	for axis := range 3 { // the sum of e x e' is twice the rotation
		e := func(s *State) kc.Vector { return s.carrier[side][axis] }
		turn = turn.Plus(e(f.design).Cross(rate(e)).Scaled(0.5))
	}
	centre := func(s *State) kc.Vector { return s.Wheels[side].Centre }
	arm := f.design.Wheels[side].Contact().Minus(centre(f.design))
	return rate(centre).Plus(turn.Cross(arm)), turn, nil
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
