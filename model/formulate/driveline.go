package formulate

import (
	"fmt"
	"slices"

	"skidpad/model"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// steeringOf returns the steering that turns a motion driver, nil for none.
func (f *Formulation) steeringOf(driver string) (*model.Steering, *model.SteeredWheel) {
	for _, c := range f.Model.Components {
		if s, ok := c.(*model.Steering); ok {
			for i := range s.Wheels {
				if s.Wheels[i].Driver == driver {
					return s, &s.Wheels[i]
				}
			}
		}
	}
	return nil, nil
}

// handWheel returns angle and rate of the hand wheel of a steering in which it is free.
func (f *Formulation) handWheel(s *model.Steering) (angle, rate *expr.Expr) {
	return f.Pool.Sym(s.Name+".wheel_angle", expr.State), f.Pool.Sym(s.Name+".wheel_rate", expr.State)
}

// steered is the angle delta(D) of a driver that a steering turns, with its derivatives by the angle D
// of the hand wheel. In the middle delta is D over the ratio, m. A wheel y to the left of the middle,
// whose axis meets those of the others on the axle a wheelbase l behind (Ackermann), has
// tan delta = l sin m/(l cos m - y sin m), which is tan(delta - m) = y sin^2 m/(l - y sin m cos m)
// without a pole.
func (f *Formulation) steered(s *model.Steering, wheel *model.SteeredWheel, x *expr.Expr) guideCurve {
	p := f.Pool
	angle := p.Div(x, f.scalar(s.Name+".ratio", "1", s.Ratio))
	lateral := f.scalar(s.Name+"."+wheel.Driver+"_lateral", "m", wheel.Lateral)
	switch {
	case wheel.Angle != nil:
		angle, _, _ = f.curveAt("curve_"+wheel.Driver, wheel.Angle, f.define("angle_"+s.Name, angle))
	case !lateral.IsZero():
		base := f.scalar(s.Name+".wheelbase", "m", s.Wheelbase)
		middle := f.define("angle_"+s.Name, angle)
		sin, cos := p.Call(expr.Sin, middle), p.Call(expr.Cos, middle)
		angle = p.Add(middle, p.Call(expr.Atan, p.Div(p.Mul(lateral, p.Pow(sin, 2)), p.Sub(base, p.Mul(lateral, sin, cos)))))
	}
	angle = f.define("angle_"+wheel.Driver, angle)
	slope := f.define("slope_"+wheel.Driver, p.Diff(angle, x))
	return guideCurve{angle, slope, p.Diff(slope, x)}
}

// prescribedSteering is the motion of a driver where that of the hand wheel is given: delta, delta' D',
// and delta' D" + delta" D'^2.
func (f *Formulation) prescribedSteering(s *model.Steering, wheel *model.SteeredWheel) motionState {
	p := f.Pool
	x, v, a := f.motion(s.Name+".angle", s.Name+".rate", s.Name+".acceleration", "rad", "hand wheel, positive to the left")
	angle := f.steered(s, wheel, x)
	return motionState{
		position: angle.value, rate: f.define("rate_"+wheel.Driver, p.Mul(angle.slope, v)),
		acceleration: f.define("acceleration_"+wheel.Driver, p.Add(p.Mul(angle.slope, a), p.Mul(angle.curvature, p.Pow(v, 2)))),
	}
}

// steering publishes the angles of its wheels. A free hand wheel has the equation
//
//	I D" = T - c D' - F tanh(D'/s) + sum over the wheels of delta' M,
//	T = torque + hold (k (angle - D) + d (rate - D') + I acceleration)
//
// where T is the driver's torque and M are the moments about the axes of the drivers of all that they
// turn, which the projection finds.
func (f *Formulation) steering(c *model.Steering) {
	p := f.Pool
	edge := func(name string) *graph.Edge {
		for i := range f.Forest.Graph.Edges {
			if e := &f.Forest.Graph.Edges[i]; e.Owner.Name == name && e.Space.Motion != nil {
				return e
			}
		}
		panic("formulate: " + name + " drives nothing") // the reader has looked
	}
	for i := range c.Wheels {
		f.publish(c.Wheels[i].Driver+".angle", "rad", "angle that the hand wheel gives", f.motionOf(edge(c.Wheels[i].Driver)).position)
	}
	h := c.HandWheel
	if h == nil {
		return
	}
	angle, rate := f.handWheel(c)
	wantedAngle, wantedRate, wantedAcceleration := f.motion(c.Name+".angle", c.Name+".rate", c.Name+".acceleration", "rad", "what hands hold the hand wheel to, positive to the left")
	hold := f.input(c.Name+".hold", "1", "1: hands hold the hand wheel, 0: they let it go", 1)
	given := f.input(c.Name+".torque", "N.m", "torque of the driver beside that of holding, positive to the left", 0)
	inertia := f.scalar(c.Name+".inertia", "kg.m2", h.Inertia)
	torque := f.define("T_"+c.Name, p.Add(given, p.Mul(hold, p.Add(
		p.Mul(f.scalar(c.Name+".hold_stiffness", "N.m/rad", h.HoldStiffness), p.Sub(wantedAngle, angle)),
		p.Mul(f.scalar(c.Name+".hold_damping", "N.m.s/rad", h.HoldDamping), p.Sub(wantedRate, rate)),
		p.Mul(inertia, wantedAcceleration)))))
	f.publish(c.Name+".wheel_torque", "N.m", "torque of the driver on the hand wheel, positive to the left", torque)
	load := p.Sub(torque, p.Mul(f.scalar(c.Name+".damping", "N.m.s/rad", h.Damping), rate))
	if friction := f.scalar(c.Name+".friction", "N.m", h.Friction); !friction.IsZero() {
		load = p.Sub(load, p.Mul(friction, p.Call(expr.Tanh, p.Div(rate, f.scalar(c.Name+".sliding_speed", "rad/s", h.SlidingSpeed)))))
	}
	k := f.steeringWheelSpeed(c)
	f.direct[k] = p.Add(f.direct[k], load)
}

// steeringWheelSpeed is the speed of a free hand wheel.
func (f *Formulation) steeringWheelSpeed(c *model.Steering) int {
	_, rate := f.handWheel(c)
	return slices.IndexFunc(f.Speeds, func(s State) bool { return s.Symbol == rate })
}

// handWheelMass adds to M the inertia of free hand wheels.
func (f *Formulation) handWheelMass() {
	for _, c := range f.Model.Components {
		if s, ok := c.(*model.Steering); ok && s.HandWheel != nil {
			k := f.steeringWheelSpeed(s)
			f.Mass[k][k] = f.define("M_"+f.Speeds[k].Name, f.Pool.Add(f.Mass[k][k], f.scalar(s.Name+".inertia", "kg.m2", s.HandWheel.Inertia)))
		}
	}
}

// brakeTorque is the magnitude of a brake's torque: its own input, or its part of one that is
// distributed.
func (f *Formulation) brakeTorque(brake string) *expr.Expr {
	p := f.Pool
	for _, c := range f.Model.Components {
		d, ok := c.(*model.BrakeDistribution)
		if !ok {
			continue
		}
		for _, axle := range d.Axles {
			for _, name := range axle.Brakes {
				if name == brake {
					total := f.input(d.Name+".torque", "N.m", "magnitude of all brake torques together", 0)
					share := f.scalar(d.Name+"."+axle.Brakes[0]+"_share", "1", axle.Share)
					torque := f.define("distributed_"+brake, p.Scale(expr.Fraction(1, int64(len(axle.Brakes))), p.Mul(share, total)))
					f.publish(brake+".torque", "N.m", "magnitude of the brake torque", torque)
					return torque
				}
			}
		}
	}
	return f.input(brake+".torque", "N.m", "magnitude of the brake torque", 0)
}

// shaft is what a torque acts on: a joint, or the input of a differential.
type shaft struct {
	speed *expr.Expr // rad/s
	// partials of the speed with respect to the speeds of the model, and what its rate is beside their
	// rates
	partials []*expr.Expr
	bias     *expr.Expr
	turn     func(torque *expr.Expr)
}

// shaft returns what a component drives.
func (f *Formulation) shaft(name, housing string) shaft {
	if c, ok := f.component(name).(*model.Differential); ok {
		return f.differential(c)
	}
	return f.joint(f.component(name).(*model.Revolute), housing)
}

// joint is the shaft of a joint: from its tail, or with universal joints from a housing that need not
// be parallel to the tail, whose torque and speed are taken about the joint's axis, too.
func (f *Formulation) joint(c *model.Revolute, housing string) shaft {
	p := f.Pool
	tail, to := f.node(c.From), f.node(c.To)
	r, from := f.about(tail, to, c.Axis), tail
	if housing != "" && f.classOf[f.node(housing)] != f.classOf[tail] {
		from = f.node(housing)
		frame := f.resolvedIn(tail)
		r = relative{speed: -1, axis: f.constant(frame, c.Axis)}
		r.rate = p.Dot(r.axis, f.AcrossRotation(from, to, Velocity, frame))
	}
	s := shaft{
		speed: f.define("speed_"+c.Name, r.rate), partials: f.noPartials(), bias: p.Int(0),
		turn: func(torque *expr.Expr) { f.drive(from, to, r, torque) },
	}
	if r.speed >= 0 {
		s.partials[r.speed] = p.Int(r.sign)
		return s
	}
	frame := r.axis.Frame
	add := func(node int, sign int64) {
		for _, k := range f.classes[f.classOf[node]].moved {
			part := p.Scale(expr.Integer(sign), p.Dot(r.axis, f.resolve(f.speedAxis(k, f.classOf[node]), frame)))
			s.partials[k] = f.define("d_speed_"+c.Name, p.Add(s.partials[k], part))
		}
	}
	add(to, 1)
	add(from, -1)
	turning := p.Cross(f.AcrossRotation(graph.Ground, tail, Velocity, frame), r.axis)
	s.bias = p.Add(p.Dot(r.axis, f.AcrossRotation(from, to, Acceleration, frame)), p.Dot(turning, f.AcrossRotation(from, to, Velocity, frame)))
	return s
}

// noPartials are those of a speed that depends on no other.
func (f *Formulation) noPartials() []*expr.Expr {
	list := make([]*expr.Expr, len(f.Speeds))
	for k := range list {
		list[k] = f.Pool.Int(0)
	}
	return list
}

// differential is the shaft of a differential's input. The speed w of the carrier is that of the input
// over the ratio; with the share s of the first output
//
//	w = s w1 + (1 - s) w2
//	T1 = s T - L/2,  T2 = (1 - s) T + L/2
//	L = (preload + lock |T|) tanh((w1 - w2)/sliding speed) + viscosity (w1 - w2)
//
// where lock is that of the sign of T, so that T w = T1 w1 + T2 w2 + L (w1 - w2)/2, of which the last
// is lost.
func (f *Formulation) differential(c *model.Differential) shaft {
	p := f.Pool
	first, second := f.shaft(c.Outputs[0], c.Housing), f.shaft(c.Outputs[1], c.Housing)
	ratio, share := f.scalar(c.Name+".ratio", "1", c.Ratio), f.scalar(c.Name+".share", "1", c.Share)
	rest := p.Sub(p.Int(1), share)
	mean := func(a, b *expr.Expr) *expr.Expr { return p.Mul(ratio, p.Add(p.Mul(share, a), p.Mul(rest, b))) }
	s := shaft{speed: f.define("speed_"+c.Name, mean(first.speed, second.speed)), partials: f.noPartials(), bias: mean(first.bias, second.bias)}
	for k := range s.partials {
		s.partials[k] = mean(first.partials[k], second.partials[k])
	}
	s.turn = func(input *expr.Expr) {
		carrier := f.define("T_"+c.Name, p.Mul(ratio, input))
		slide := f.define("slide_"+c.Name, p.Sub(first.speed, second.speed))
		locked := f.lock(c, carrier, slide)
		half := p.Scale(expr.Fraction(1, 2), locked)
		for i, output := range []struct {
			shaft
			torque *expr.Expr
		}{{first, p.Sub(p.Mul(share, carrier), half)}, {second, p.Add(p.Mul(rest, carrier), half)}} {
			number := string(rune('1' + i))
			torque := f.define("T_"+c.Name+"_"+number, output.torque)
			output.turn(torque)
			f.publish(c.Name+".torque_"+number, "N.m", "torque on "+c.Outputs[i], torque)
		}
		f.publish(c.Name+".speed", "rad/s", "speed of the input", s.speed)
		f.publish(c.Name+".loss", "W", "power lost by friction", p.Mul(half, slide))
		if f.Model.Driver(c.Name) != nil {
			f.publish(c.Name+".torque", "N.m", "torque on the input", input)
		}
	}
	return s
}

// lock is the difference of the output torques of a differential.
func (f *Formulation) lock(c *model.Differential, carrier, slide *expr.Expr) *expr.Expr {
	p := f.Pool
	drive, coast := f.scalar(c.Name+".lock_drive", "1", c.LockDrive), f.scalar(c.Name+".lock_coast", "1", c.LockCoast)
	friction := p.Add(
		f.scalar(c.Name+".preload", "N.m", c.Preload),
		p.Mul(drive, p.Call(expr.Max, p.Int(0), carrier)),
		p.Mul(coast, p.Call(expr.Max, p.Int(0), p.Neg(carrier))),
	)
	locked := p.Mul(f.scalar(c.Name+".viscosity", "N.m.s/rad", c.Viscosity), slide)
	if !friction.IsZero() {
		locked = p.Add(locked, p.Mul(friction, p.Call(expr.Tanh, p.Div(slide, f.scalar(c.Name+".sliding_speed", "rad/s", c.SlidingSpeed)))))
	}
	return f.define("lock_"+c.Name, locked)
}

// engine gives what it drives the torque
//
//	T = drag(w) + throttle (full load(w) - drag(w))
//
// times its ratio; w is the ratio times the speed of what it drives, throttle is limited to 0..1. What
// has inertia I and turns with w about an axis a of a frame that turns with W has the momentum I w a
// beside what it would have if it stood still in the frame: its kinetic energy adds to the equations
//
//	I w^2/2 + I w a.W
//
// as mass, and, as loads, what does not depend on accelerations.
func (f *Formulation) engine(c *model.Engine) {
	p := f.Pool
	driven, speed := f.engineSpeed(c)
	full, _, _ := f.curveAt("full_load_"+c.Name, c.FullLoad, speed)
	drag := p.Int(0)
	if c.Drag != nil {
		drag, _, _ = f.curveAt("drag_"+c.Name, c.Drag, speed)
	}
	throttle := f.input(c.Name+".throttle", "1", "0: closed, 1: open", 0)
	open := f.define("throttle_"+c.Name, p.Call(expr.Max, p.Int(0), p.Call(expr.Min, p.Int(1), throttle)))
	torque := f.define("T_"+c.Name, p.Add(drag, p.Mul(open, p.Sub(full, drag))))
	f.publish(c.Name+".speed", "rad/s", "speed of the engine", speed)
	f.publish(c.Name+".torque", "N.m", "torque of the engine by speed and throttle", torque)
	ratio := f.scalar(c.Name+".ratio", "1", c.Ratio)
	if r := f.rotor(c); r != nil {
		w := f.classes[r.carrier].omega
		alpha := f.classes[r.carrier].alpha
		load := f.define("inertia_"+c.Name, p.Mul(r.inertia, p.Add(r.bias, p.Dot(f.resolve(r.axis, alpha.Frame), alpha))))
		for k, e := range r.partials {
			f.direct[k] = p.Sub(f.direct[k], p.Mul(load, e))
		}
		momentum := p.DefineV("H_"+c.Name, p.ScaleV(p.Mul(r.inertia, speed), r.axis))
		rest := p.AddV(p.ScaleV(p.Mul(r.inertia, r.bias), r.axis), p.Cross(f.resolve(w, r.axis.Frame), momentum))
		f.addMoment(f.forces, r.carrier, p.NegV(rest))
	}
	driven.turn(f.define("T_on_"+c.Drives, p.Mul(ratio, torque)))
}

// gearbox couples a shaft of speed w1 with one of speed w2 by a clutch of capacity C, engaged by the
// share u, and the ratio i of the gear, negative in reverse:
//
//	T = C u tanh((w1 - i w2)/sliding speed)
//
// brakes the first and reacts on its tail; i T drives the second. In neutral i is 0, and T, too. The gear
// is the nearest there is: its ratio is a sum in which all others count nothing.
func (f *Formulation) gearbox(c *model.Gearbox) {
	p := f.Pool
	gear := f.input(c.Name+".gear", "1", "-1: reverse, 0: neutral, 1: first; the nearest there is", 0)
	clutch := f.input(c.Name+".clutch", "1", "0: open, 1: engaged", 1)
	beyond := func(x *expr.Expr, k int64) *expr.Expr { // 1 for x > k - 1/2
		return p.Call(expr.Step, p.Sub(x, p.Num(expr.Fraction(2*k-1, 2))))
	}
	engaged, ratio := beyond(gear, 1), p.Int(0)
	for i, r := range c.Ratios {
		number, last := int64(i+1), i == len(c.Ratios)-1
		own := beyond(gear, number)
		if !last {
			own = p.Sub(own, beyond(gear, number+1))
		}
		ratio = p.Add(ratio, p.Mul(own, f.scalar(fmt.Sprintf("%s.ratio_%d", c.Name, number), "1", r)))
	}
	if c.HasReverse {
		back := beyond(p.Neg(gear), 1)
		engaged = p.Add(engaged, back)
		ratio = p.Sub(ratio, p.Mul(back, f.scalar(c.Name+".reverse", "1", c.Reverse)))
	}
	ratio = f.define("ratio_"+c.Name, ratio)
	input, output := f.shaft(c.Input, ""), f.shaft(c.Drives, "")
	slip := f.define("slip_"+c.Name, p.Sub(p.Mul(engaged, input.speed), p.Mul(ratio, output.speed)))
	closed := p.Call(expr.Max, p.Int(0), p.Call(expr.Min, p.Int(1), clutch))
	torque := f.define("T_"+c.Name, p.Mul(
		f.scalar(c.Name+".capacity", "N.m", c.Capacity), closed,
		p.Call(expr.Tanh, p.Div(slip, f.scalar(c.Name+".sliding_speed", "rad/s", c.SlidingSpeed)))))
	driving := f.define("T_on_"+c.Drives, p.Mul(ratio, torque))
	input.turn(p.Neg(torque))
	output.turn(driving)
	f.publish(c.Name+".ratio", "1", "ratio of the gear, negative in reverse, 0 in neutral", ratio)
	f.publish(c.Name+".slip", "rad/s", "speed of the input less the ratio times that of the output; 0 in neutral", slip)
	f.publish(c.Name+".clutch_torque", "N.m", "torque of the clutch, positive where the input drives", torque)
	f.publish(c.Name+".torque", "N.m", "torque on "+c.Drives, driving)
	f.publish(c.Name+".loss", "W", "power lost in the clutch", p.Mul(torque, slip))
}

// engineSpeed returns the shaft that an engine drives, and the speed of the engine.
func (f *Formulation) engineSpeed(c *model.Engine) (shaft, *expr.Expr) {
	s := f.shaft(c.Drives, "")
	return s, f.define("speed_"+c.Name, f.Pool.Mul(f.scalar(c.Name+".ratio", "1", c.Ratio), s.speed))
}

// rotor is what turns with an engine.
type rotor struct {
	inertia *expr.Expr
	carrier int         // class of the frame that carries it
	axis    expr.Vector // in that frame
	// The rate of the speed against the carrier is the partials times the rates of the model's speeds
	// and the bias; along is how much the carrier turns about the axis with each.
	partials, along []*expr.Expr
	bias            *expr.Expr
}

// rotor returns that of an engine, nil without.
func (f *Formulation) rotor(c *model.Engine) *rotor {
	p := f.Pool
	inertia := f.scalar(c.Name+".inertia", "kg.m2", c.Inertia)
	if inertia.IsZero() {
		return nil
	}
	node := f.node(c.Frame)
	s, _ := f.engineSpeed(c)
	ratio := f.scalar(c.Name+".ratio", "1", c.Ratio)
	r := &rotor{inertia: inertia, carrier: f.classOf[node], axis: f.constant(f.resolvedIn(node), c.Axis), partials: f.noPartials(), along: f.noPartials(), bias: p.Mul(ratio, s.bias)}
	for k := range s.partials {
		r.partials[k] = p.Mul(ratio, s.partials[k])
	}
	for _, k := range f.classes[r.carrier].moved {
		r.along[k] = p.Dot(r.axis, f.resolve(f.speedAxis(k, r.carrier), r.axis.Frame))
	}
	return r
}

// rotorMass adds to M what rotors have: I (J J^T + J A^T + A J^T), with J the partials of the speed
// against the carrier and A those of the carrier about the axis.
func (f *Formulation) rotorMass() {
	p := f.Pool
	for _, c := range f.Model.Components {
		e, ok := c.(*model.Engine)
		if !ok {
			continue
		}
		r := f.rotor(e)
		if r == nil {
			continue
		}
		for j := range f.Speeds {
			for k := range j + 1 {
				own := p.Add(p.Mul(r.partials[j], r.partials[k]), p.Mul(r.partials[j], r.along[k]), p.Mul(r.along[j], r.partials[k]))
				if own.IsZero() {
					continue
				}
				m := f.define("M_"+f.Speeds[j].Name+"_"+f.Speeds[k].Name, p.Add(f.Mass[j][k], p.Mul(r.inertia, own)))
				f.Mass[j][k], f.Mass[k][j] = m, m
			}
		}
	}
}
