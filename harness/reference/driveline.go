package reference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model"
	"skidpad/model/curve"
)

// drivenBy gives a driver what it follows: its own inputs, or what a steering gives it, which nobody
// else can set.
func (s *System) drivenBy(d *driver, c *model.MotionDriver, value string) {
	for _, other := range s.model.Components {
		steering, is := other.(*model.Steering)
		if !is {
			continue
		}
		for _, w := range steering.Wheels {
			if w.Driver == c.Name {
				s.steered(d, steering, w)
				return
			}
		}
	}
	d.input = s.input(value, c.Name+".rate", c.Name+".acceleration")
}

// angle is that of a road wheel over that of the hand wheel, with its derivatives.
type angle func(hand float64) (value, slope, curvature float64)

// turnedBy is the angle of a wheel.
func turnedBy(c *model.Steering, w model.SteeredWheel) angle {
	ratio, k := c.Ratio.Value, 0.0
	if w.Lateral.Value != 0 {
		k = w.Lateral.Value / c.Wheelbase.Value
	}
	var curved *table
	if w.Angle != nil {
		curved = through(w.Angle.X, w.Angle.Y, &interp.NaturalCubic{})
	}
	return func(hand float64) (value, slope, curvature float64) {
		m := hand / ratio
		if curved != nil {
			value, slope, curvature = curved.derivatives(m)
		} else {
			sin, cos := math.Sincos(m)
			across, along := sin, cos-k*sin
			square := across*across + along*along
			value, slope, curvature = math.Atan2(across, along), 1/square, (2*k*math.Cos(2*m)-k*k*math.Sin(2*m))/(square*square)
		}
		return value, slope / ratio, curvature / (ratio * ratio)
	}
}

// steered lets a driver follow the hand wheel: a part where that is free, inputs otherwise.
func (s *System) steered(d *driver, c *model.Steering, w model.SteeredWheel) {
	d.turned = turnedBy(c, w)
	if c.HandWheel != nil {
		d.hand = s.handWheel(c)
		return
	}
	hand, made := s.inputs.names[c.Name+".angle"]
	if !made {
		hand = s.input(c.Name+".angle", c.Name+".rate", c.Name+".acceleration")
	}
	at := s.slots(3)
	s.inputs.follow = append(s.inputs.follow, func(values []float64) {
		rate := values[hand+1]
		value, slope, curvature := d.turned(values[hand])
		values[at], values[at+1], values[at+2] = value, slope*rate, slope*values[hand+2]+curvature*rate*rate
	})
	s.followed = append(s.followed, followed{w.Driver + ".angle", at})
	d.input = at
}

// handWheel is a free one: a part that turns about x of ground, wherever the vehicle is. It is geared to
// the drivers by their constraints.
type handWheel struct {
	*model.Steering
	hub                marker
	column             *revolute
	held               int // input of the angle that hands hold it to, its rate and acceleration
	hold, given        int // inputs
	angle, rate, moved float64
}

// hub is the name of the frame of a free hand wheel, which no frame of a model file can have.
func hub(c *model.Steering) string { return "hub of " + c.Name }

// handWheel makes that of a steering, once.
func (s *System) handWheel(c *model.Steering) *handWheel {
	for _, h := range s.hands {
		if h.Steering == c {
			return h
		}
	}
	ground, hub := s.markers[model.GroundFrame], s.markers[hub(c)]
	h := &handWheel{
		Steering: c, hub: hub, held: s.input(c.Name+".angle", c.Name+".rate", c.Name+".acceleration"),
		hold: s.input(c.Name + ".hold"), given: s.input(c.Name + ".torque"),
		column: &revolute{name: c.Name, names: [2]string{".wheel_angle", ".wheel_rate"}, from: ground, to: hub, axis: identity[0]},
	}
	s.inputs.values[h.hold] = 1
	s.join(joint{name: c.Name, from: ground, to: hub}, points(), hinge(identity[0]))
	s.revolutes, s.hands, s.loads = append(s.revolutes, h.column), append(s.hands, h), append(s.loads, h)
	return h
}

func (h *handWheel) apply(s *System, _ []float64) {
	w, in := h.HandWheel, s.inputs.values
	h.moved = in[h.given] + in[h.hold]*(w.HoldStiffness.Value*(in[h.held]-h.angle)+w.HoldDamping.Value*(in[h.held+1]-h.rate)+w.Inertia.Value*in[h.held+2])
	lost := w.Damping.Value*h.rate + w.Friction.Value*math.Tanh(h.rate/w.SlidingSpeed.Value)
	s.turn(h.hub.part, r3.Vec{X: h.moved - lost})
}

func (h *handWheel) touches() []int { return []int{h.hub.part} }

// braked makes the input of a brake: its own, or its part of one that is distributed.
func (s *System) braked(name string) int {
	for _, c := range s.model.Components {
		d, is := c.(*model.BrakeDistribution)
		if !is {
			continue
		}
		for _, axle := range d.Axles {
			if !slices.Contains(axle.Brakes, name) {
				continue
			}
			total, made := s.inputs.names[d.Name+".torque"]
			if !made {
				total = s.input(d.Name + ".torque")
			}
			own, part := s.slots(1), axle.Share.Value/float64(len(axle.Brakes))
			s.inputs.follow = append(s.inputs.follow, func(values []float64) { values[own] = part * values[total] })
			s.followed = append(s.followed, followed{name + ".torque", own})
			return own
		}
	}
	return s.input(name + ".torque")
}

// followed is a published input that follows others.
type followed struct {
	name  string
	input int
}

// slots makes inputs without names and returns the number of the first.
func (s *System) slots(count int) int {
	s.inputs.values = append(s.inputs.values, make([]float64, count)...)
	return len(s.inputs.values) - count
}

// air is the air's force and moment on a frame.
type air struct {
	*model.Aerodynamics
	at                                         marker
	wind                                       int // input of wind_x and wind_y
	drag, liftFront, liftRear, side, roll, yaw *table
	speed, slip                                float64
	force, moment                              r3.Vec // frame axes
}

func (s *System) air(c *model.Aerodynamics) {
	monotone := func(t *curve.Curve) *table {
		if t == nil {
			return nil
		}
		return through(t.X, t.Y, &interp.FritschButland{})
	}
	s.loads = append(s.loads, &air{
		Aerodynamics: c, at: s.markers[c.Frame], wind: s.input(c.Name+".wind_x", c.Name+".wind_y"),
		drag: monotone(c.DragCurve), liftFront: monotone(c.LiftFrontCurve), liftRear: monotone(c.LiftRearCurve),
		side: monotone(c.SideCurve), roll: monotone(c.RollCurve), yaw: monotone(c.YawCurve),
	})
}

func (l *air) apply(s *System, _ []float64) {
	m := s.at(&l.at)
	against := m.in(r3.Sub(m.v, r3.Vec{X: s.inputs.values[l.wind], Y: s.inputs.values[l.wind+1]}))
	square := against.X*against.X + against.Y*against.Y
	l.speed, l.slip = math.Sqrt(square+1e-4), math.Atan2(against.Y, math.Sqrt(against.X*against.X+1e-4))
	forwards, qA := math.Tanh(against.X), 0.5*l.Density.Value*square*l.Area.Value
	coefficient := func(scalar model.Scalar, of float64, t *table) float64 { return scalar.Value*of + t.at(l.slip) }
	front, rear := coefficient(l.LiftFront, 1, l.liftFront), coefficient(l.LiftRear, 1, l.liftRear)
	l.force = r3.Scale(qA, r3.Vec{X: -forwards * coefficient(l.Drag, 1, l.drag), Y: -coefficient(l.Side, l.slip, l.side), Z: front + rear})
	half := l.Length.Value / 2
	l.moment = r3.Add( // the lifts by their arms
		r3.Add(r3.Cross(r3.Vec{X: half}, r3.Vec{Z: qA * front}), r3.Cross(r3.Vec{X: -half}, r3.Vec{Z: qA * rear})),
		r3.Scale(qA*l.Length.Value, r3.Vec{X: coefficient(l.Roll, l.slip, l.roll), Z: -forwards * coefficient(l.Yaw, l.slip, l.yaw)}))
	s.push(l.at.part, m.out(l.force), m.r)
	s.turn(l.at.part, m.out(l.moment))
}

func (l *air) touches() []int { return []int{l.at.part} }

// output is what a torque can act on.
type output interface {
	speed(s *System) float64 // rad/s
	turn(s *System, torque float64)
	// levers are how the speed depends on angular velocities, and slide is its rate without angular
	// accelerations.
	levers(s *System) []lever
	slide(s *System) float64
	parts() []int
}

// lever is by how much the angular velocity of a part counts, vector by vector, in ground.
type lever struct {
	part int
	by   r3.Vec
}

// halfShaft leads to the wheel of a joint, from its tail or a housing.
type halfShaft struct {
	joint          *model.Revolute
	tail, from, to marker
	axis           r3.Vec // in the tail
}

func (h *halfShaft) out(s *System) (axis, rate r3.Vec) {
	t := s.at(&h.tail)
	axis, rate, _ = t.fixed(h.axis)
	return axis, rate
}

func (h *halfShaft) relative(s *System) r3.Vec {
	return r3.Sub(s.motions[h.to.part].w, s.motions[h.from.part].w)
}

func (h *halfShaft) speed(s *System) float64 {
	u, _ := h.out(s)
	return r3.Dot(u, h.relative(s))
}

func (h *halfShaft) turn(s *System, torque float64) {
	u, _ := h.out(s)
	s.turn(h.to.part, r3.Scale(torque, u))
	s.turn(h.from.part, r3.Scale(-torque, u))
}

func (h *halfShaft) levers(s *System) []lever {
	u, _ := h.out(s)
	return []lever{{h.to.part, u}, {h.from.part, r3.Scale(-1, u)}}
}

func (h *halfShaft) slide(s *System) float64 {
	_, rate := h.out(s)
	return r3.Dot(rate, h.relative(s))
}

func (h *halfShaft) parts() []int { return []int{h.tail.part, h.from.part, h.to.part} }

// gear is a differential: a planetary gear whose carrier the input turns by a ratio, and friction
// between its outputs.
type gear struct {
	*model.Differential
	outputs          [2]output
	input            int // of the torque, -1 where something drives it
	torque           float64
	torques          [2]float64
	inputSpeed, loss float64
}

func (g *gear) weights() [2]float64 {
	return [2]float64{g.Ratio.Value * g.Share.Value, g.Ratio.Value * (1 - g.Share.Value)}
}

func (g *gear) speed(s *System) float64 {
	w := g.weights()
	return w[0]*g.outputs[0].speed(s) + w[1]*g.outputs[1].speed(s)
}

func (g *gear) turn(s *System, torque float64) {
	w := g.weights()
	difference := g.outputs[0].speed(s) - g.outputs[1].speed(s)
	sum := torque * g.Ratio.Value
	locking := g.LockDrive.Value
	if sum < 0 {
		locking = g.LockCoast.Value
	}
	friction := (g.Preload.Value+locking*math.Abs(sum))*math.Tanh(difference/g.SlidingSpeed.Value) + g.Viscosity.Value*difference
	g.torque, g.inputSpeed, g.loss = torque, g.speed(s), friction*difference/2
	g.torques = [2]float64{w[0]*torque - friction/2, w[1]*torque + friction/2}
	g.outputs[0].turn(s, g.torques[0])
	g.outputs[1].turn(s, g.torques[1])
}

func (g *gear) levers(s *System) []lever {
	var list []lever
	for i, w := range g.weights() {
		for _, l := range g.outputs[i].levers(s) {
			list = append(list, lever{l.part, r3.Scale(w, l.by)})
		}
	}
	return list
}

func (g *gear) slide(s *System) float64 {
	w := g.weights()
	return w[0]*g.outputs[0].slide(s) + w[1]*g.outputs[1].slide(s)
}

func (g *gear) parts() []int { return slices.Concat(g.outputs[0].parts(), g.outputs[1].parts()) }

func (g *gear) apply(s *System, _ []float64) { g.turn(s, s.inputs.values[g.input]) }

func (g *gear) touches() []int { return g.parts() }

// motor is an engine with what turns with it: a rotor whose momentum along its axis, in a part that
// carries it, is that of its speed against that part.
type motor struct {
	*model.Engine
	driven       output
	throttle     int
	full, drag   *table
	carrier      marker
	rate, torque float64
}

func (m *motor) apply(s *System, _ []float64) {
	m.rate = m.Ratio.Value * m.driven.speed(s)
	open := min(max(s.inputs.values[m.throttle], 0), 1)
	m.torque = open*m.full.at(m.rate) + (1-open)*m.drag.at(m.rate)
	m.driven.turn(s, m.Ratio.Value*m.torque)
	if m.Inertia.Value == 0 {
		return
	}
	// what the rotor has of inertia loads without angular accelerations; momentum is I w a
	carrier := s.at(&m.carrier)
	axis, turning, _ := carrier.fixed(triple(m.Axis))
	slide := m.Ratio.Value * m.driven.slide(s)
	for _, l := range m.levers(s) {
		s.turn(l.part, r3.Scale(-m.Inertia.Value*slide, l.by))
	}
	s.turn(m.carrier.part, r3.Scale(-m.Inertia.Value, r3.Add(r3.Scale(slide, axis), r3.Scale(m.rate, turning))))
}

// levers are those of the speed against the carrier.
func (m *motor) levers(s *System) []lever {
	var list []lever
	for _, l := range m.driven.levers(s) {
		list = append(list, lever{l.part, r3.Scale(m.Ratio.Value, l.by)})
	}
	return list
}

func (m *motor) touches() []int {
	if m.Inertia.Value == 0 {
		return m.driven.parts()
	}
	return append(m.driven.parts(), m.carrier.part)
}

// gearbox is a clutch before a pair of wheels of the gear that is engaged.
type gearbox struct {
	*model.Gearbox
	from                       *halfShaft
	to                         output
	controls                   int // input of gear and clutch
	ratio, slip, torque, drive float64
	loss                       float64
}

// engaged is the ratio of the gear nearest to what is asked for, 0 for none; the lower one of two.
func (g *gearbox) engaged(gear float64) float64 {
	number := int(math.Copysign(math.Ceil(math.Abs(gear)-0.5), gear))
	switch {
	case number > 0:
		return g.Ratios[min(number, len(g.Ratios))-1].Value
	case number < 0 && g.HasReverse:
		return -g.Reverse.Value
	}
	return 0
}

func (g *gearbox) apply(s *System, _ []float64) {
	g.ratio, g.slip, g.torque = g.engaged(s.inputs.values[g.controls]), 0, 0
	if g.ratio != 0 {
		g.slip = g.from.speed(s) - g.ratio*g.to.speed(s)
		g.torque = g.Capacity.Value * min(max(s.inputs.values[g.controls+1], 0), 1) * math.Tanh(g.slip/g.SlidingSpeed.Value)
	}
	g.drive, g.loss = g.ratio*g.torque, g.torque*g.slip
	g.from.turn(s, -g.torque)
	g.to.turn(s, g.drive)
}

func (g *gearbox) touches() []int { return slices.Concat(g.from.parts(), g.to.parts()) }

// rotorEntries gives add what rotors add to the matrix of inertia, in the rows and columns of angular
// velocities.
func (s *System) rotorEntries(add func(row, column int, value float64)) {
	for _, load := range s.loads {
		m, is := load.(*motor)
		if !is || m.Inertia.Value == 0 {
			continue
		}
		carrier := s.at(&m.carrier)
		along := lever{m.carrier.part, carrier.out(triple(m.Axis))}
		product := func(a, b lever) {
			if a.part < s.fixed || b.part < s.fixed {
				return
			}
			for i, x := range components(a.by) {
				for k, y := range components(b.by) {
					add(s.parts[a.part].v+3+i, s.parts[b.part].v+3+k, m.Inertia.Value*x*y)
				}
			}
		}
		own := m.levers(s)
		for _, l := range own {
			for _, k := range own {
				product(l, k)
			}
			product(l, along)
			product(along, l)
		}
	}
}

// output finds what a component drives.
func (s *System) output(name, housing string) output {
	for _, c := range s.model.Components {
		if c.Head().Name != name {
			continue
		}
		switch c := c.(type) {
		case *model.Revolute:
			h := &halfShaft{joint: c, tail: s.markers[c.From], from: s.markers[c.From], to: s.markers[c.To], axis: unit(c.Axis)}
			if housing != "" {
				h.from = s.markers[housing]
			}
			return h
		case *model.Differential:
			return s.gear(c)
		}
	}
	panic("reference: nothing is called " + name) // the parser of model files has looked
}

func (s *System) gear(c *model.Differential) *gear {
	g := &gear{Differential: c, outputs: [2]output{s.output(c.Outputs[0], c.Housing), s.output(c.Outputs[1], c.Housing)}}
	s.gears = append(s.gears, g)
	return g
}

// driveline adds what an engine or a gearbox drives, or a differential that nothing drives.
func (s *System) driveline(c model.Component) {
	switch c := c.(type) {
	case *model.Differential:
		if s.model.Driver(c.Name) == nil {
			g := s.gear(c)
			g.input = s.input(c.Name + ".torque")
			s.loads = append(s.loads, g)
		}
	case *model.Engine:
		m := &motor{Engine: c, driven: s.output(c.Drives, ""), throttle: s.input(c.Name + ".throttle"), full: through(c.FullLoad.X, c.FullLoad.Y, &interp.FritschButland{}), carrier: s.markers[c.Frame]}
		if c.Drag != nil {
			m.drag = through(c.Drag.X, c.Drag.Y, &interp.FritschButland{})
		}
		s.loads = append(s.loads, m)
	case *model.Gearbox:
		g := &gearbox{Gearbox: c, from: s.output(c.Input, "").(*halfShaft), to: s.output(c.Drives, ""), controls: s.input(c.Name+".gear", c.Name+".clutch")}
		s.inputs.values[g.controls+1] = 1
		s.loads = append(s.loads, g)
	}
}

// drivelineQuantities are what air, side forces, steering, brakes, differentials, engines and gearboxes publish.
func (s *System) drivelineQuantities() []quantity {
	var list []quantity
	number := func(name string, v *float64) {
		list = append(list, quantity{name: name, value: func(*System, []float64) float64 { return *v }})
	}
	for _, f := range s.followed {
		list = append(list, quantity{name: f.name, value: func(s *System, _ []float64) float64 { return s.inputs.values[f.input] }})
	}
	for _, h := range s.hands {
		number(h.Name+".wheel_torque", &h.moved)
		for _, w := range h.Wheels {
			turned := turnedBy(h.Steering, w)
			list = append(list, quantity{name: w.Driver + ".angle", value: func(*System, []float64) float64 { value, _, _ := turned(h.angle); return value }})
		}
	}
	for _, g := range s.gears {
		number(g.Name+".torque", &g.torque)
		number(g.Name+".torque_1", &g.torques[0])
		number(g.Name+".torque_2", &g.torques[1])
		number(g.Name+".speed", &g.inputSpeed)
		number(g.Name+".loss", &g.loss)
	}
	for _, l := range s.loads {
		switch l := l.(type) {
		case *motor:
			number(l.Name+".speed", &l.rate)
			number(l.Name+".torque", &l.torque)
		case *gearbox:
			number(l.Name+".ratio", &l.ratio)
			number(l.Name+".slip", &l.slip)
			number(l.Name+".clutch_torque", &l.torque)
			number(l.Name+".torque", &l.drive)
			number(l.Name+".loss", &l.loss)
		case *sideForce:
			number(l.Name+".force", &l.force)
		case *air:
			number(l.Name+".airspeed", &l.speed)
			number(l.Name+".side_slip", &l.slip)
			for i, v := range []*float64{&l.force.X, &l.force.Y, &l.force.Z, &l.moment.X, &l.moment.Y, &l.moment.Z} {
				number(l.Name+[...]string{".Fx", ".Fy", ".Fz", ".Mx", ".My", ".Mz"}[i], v)
			}
		}
	}
	return list
}
