package reference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/curve"
	"skidpad/model/keys"
)

// angle is the position of a driver as a function of the angle of the shaft that leads it, with its derivatives.
type angle func(hand float64) (value, slope, curvature float64)

// shiftedBy is the position of a rack.
func shiftedBy(r *component.Rack) angle {
	if r.Travel != nil {
		return through(r.Travel.X, r.Travel.Y, &interp.NaturalCubic{}).derivatives
	}
	return func(hand float64) (value, slope, curvature float64) {
		return r.PerTurn.Value * hand, r.PerTurn.Value, 0
	}
}

// turnedBy is the angle of a wheel.
func turnedBy(c *component.Steering, w component.SteeredWheel) angle {
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
			value, slope = math.Atan2(across, along), 1/square
			curvature = (2*k*math.Cos(2*m) - k*k*math.Sin(2*m)) / (square * square)
		}
		return value, slope / ratio, curvature / (ratio * ratio)
	}
}

// steering leads motion drivers by a steering wheel, or by a pinion behind a column.
type steering struct {
	*component.Steering
	hand      *handWheel // nil where it is not free
	column    *column    // nil where it is rigid
	published []quantity
}

func init() { know("steering", func(c *component.Steering) element { return &steering{Steering: c} }) }

// add makes sure of the curves. The rest is added with what follows it.
func (c *steering) add(*System) error {
	curves := map[string]*curve.Curve{}
	for _, w := range c.Wheels {
		curves[w.Driver] = w.Angle
	}
	if c.Rack != nil {
		curves[c.Rack.Driver] = c.Rack.Travel
	}
	for driver, x := range curves {
		if x == nil {
			continue
		}
		if err := through(x.X, x.Y, &interp.NaturalCubic{}).of(c.Name+"."+driver, x); err != nil {
			return err
		}
	}
	return nil
}

// body is the body of a free steering wheel; its centre rests, so its mass has no effect.
func (c *steering) body() (b body, free bool) {
	if c.HandWheel == nil {
		return b, false
	}
	b = body{frame: hub(c.Steering), mass: 1}
	for i, e := range identity {
		b.inertia[i] = r3.Scale(c.HandWheel.Inertia.Value, e)
	}
	return b, true
}

// frames are the pinion behind a column, which has no mass.
func (c *steering) frames() []string {
	if c.Column == nil {
		return nil
	}
	return []string{pinion(c.Steering)}
}

func (c *steering) lead(s *System, d *driver, name string) bool {
	if c.Rack != nil && c.Rack.Driver == name {
		c.move(s, d, name+".position", shiftedBy(c.Rack))
		c.published = append(c.published, quantity{name: c.Name + ".rack_ratio", value: func(s *System, _ []float64) float64 {
			angle := 0.0
			if d.hand != nil {
				angle = d.hand.angle
			} else {
				angle = s.inputs.values[s.handInput(c.Steering)]
			}
			_, slope, _ := d.turned(angle)
			return slope
		}})
		return true
	}
	for _, w := range c.Wheels {
		if w.Driver == name {
			c.move(s, d, name+".angle", turnedBy(c.Steering, w))
			return true
		}
	}
	return false
}

// move lets a driver follow the steering wheel or the pinion: a part where that is free, inputs otherwise.
func (c *steering) move(s *System, d *driver, name string, by angle) {
	d.turned = by
	if c.HandWheel != nil && c.hand == nil {
		c.hand = s.handWheel(c.Steering)
		d.hand = c.hand.shaft
	}
	if c.Column != nil && c.column == nil {
		c.column = s.column(c.Steering, c.hand)
	}
	switch {
	case c.column != nil:
		d.hand = c.column.pinion
	case c.hand != nil:
		d.hand = c.hand.shaft
	}
	if d.hand != nil {
		c.published = append(c.published, quantity{name: name, value: func(*System, []float64) float64 {
			value, _, _ := d.turned(d.hand.angle)
			return value
		}})
		return
	}
	hand := s.handInput(c.Steering)
	at := s.slots(3)
	s.inputs.follow = append(s.inputs.follow, func(values []float64) {
		rate := values[hand+1]
		value, slope, curvature := d.turned(values[hand])
		values[at], values[at+1], values[at+2] = value, slope*rate, slope*values[hand+2]+curvature*rate*rate
	})
	c.published = append(c.published, s.inputQuantity(name, at))
	d.input = at
}

// handInput is the input of the angle of a steering wheel, before its rate and acceleration.
func (s *System) handInput(c *component.Steering) int {
	if hand, made := s.inputs.names[c.Name+".angle"]; made {
		return hand
	}
	return s.input(c.Name+".angle", c.Name+".rate", c.Name+".acceleration")
}

// shaft is a part that turns about x of ground, wherever the vehicle is: a steering wheel or a pinion. It is geared to
// drivers by their constraints.
type shaft struct {
	hub         marker
	turn        *revolute
	startRate   keys.Scalar
	angle, rate float64
}

// shaft adds one, whose frame has a name that no frame of a model file can have.
func (s *System) shaft(name, frame string, names [2]string, angle, rate keys.Scalar) *shaft {
	ground, hub := s.markers[component.GroundFrame], s.markers[frame]
	h := &shaft{hub: hub, startRate: rate, turn: &revolute{name: name, names: names, from: ground, to: hub,
		axis: identity[0], start: angle}}
	s.join(joint{name: name, from: ground, to: hub}, points(), hinge(identity[0]))
	s.revolutes, s.shafts = append(s.revolutes, h.turn), append(s.shafts, h)
	return h
}

func hub(c *component.Steering) string { return "hub of " + c.Name }

func pinion(c *component.Steering) string { return "pinion of " + c.Name }

// handWheel is a free steering wheel.
type handWheel struct {
	*component.Steering
	*shaft
	prescribed  int // input of the angle that hands hold it to, its rate and acceleration
	hold, given int // inputs
	moved       float64
}

// handWheel makes that of a steering.
func (s *System) handWheel(c *component.Steering) *handWheel {
	h := &handWheel{
		Steering: c, prescribed: s.handInput(c), hold: s.input(c.Name + ".hold"), given: s.input(c.Name + ".torque"),
		shaft: s.shaft(c.Name, hub(c), [2]string{".wheel_angle", ".wheel_rate"}, c.HandWheel.Angle, c.HandWheel.Rate),
	}
	s.inputs.values[h.hold] = 1
	s.loads = append(s.loads, h)
	return h
}

// column is a torsion bar from a steering wheel, or its input, to a pinion.
type column struct {
	*component.Column
	hand   *handWheel // nil for the input
	input  int
	pinion *shaft
	torque float64
}

// column makes that of a steering. The pinion starts as a free steering wheel does, otherwise straight ahead at rest.
func (s *System) column(c *component.Steering, hand *handWheel) *column {
	var angle, rate keys.Scalar
	if hand != nil {
		angle, rate = c.HandWheel.Angle, c.HandWheel.Rate
	}
	k := &column{Column: c.Column, hand: hand, input: s.handInput(c),
		pinion: s.shaft(c.Name, pinion(c), [2]string{".pinion_angle", ".pinion_rate"}, angle, rate)}
	s.loads = append(s.loads, k)
	return k
}

func (k *column) apply(s *System, _ []float64) {
	angle, rate := s.inputs.values[k.input], s.inputs.values[k.input+1]
	if k.hand != nil {
		angle, rate = k.hand.angle, k.hand.rate
	}
	k.torque = k.Stiffness.Value*(angle-k.pinion.angle) + k.Damping.Value*(rate-k.pinion.rate)
	s.turn(k.pinion.hub.part, r3.Vec{X: k.torque})
	if k.hand != nil {
		s.turn(k.hand.hub.part, r3.Vec{X: -k.torque})
	}
}

func (k *column) angles() []int {
	if k.hand == nil {
		return []int{k.pinion.turn.unknown}
	}
	return []int{k.pinion.turn.unknown, k.hand.turn.unknown}
}

func (k *column) touches() []int {
	if k.hand == nil {
		return []int{k.pinion.hub.part}
	}
	return []int{k.pinion.hub.part, k.hand.hub.part}
}

func (h *handWheel) apply(s *System, _ []float64) {
	w, in := h.HandWheel, s.inputs.values
	hands := w.HoldStiffness.Value*(in[h.prescribed]-h.angle) + w.HoldDamping.Value*(in[h.prescribed+1]-h.rate) +
		w.Inertia.Value*in[h.prescribed+2]
	h.moved = in[h.given] + in[h.hold]*hands
	lost := w.Damping.Value*h.rate + w.Friction.Value*math.Tanh(h.rate/w.SlidingSpeed.Value)
	s.turn(h.hub.part, r3.Vec{X: h.moved - lost})
}

func (h *handWheel) angles() []int { return []int{h.turn.unknown} }

func (h *handWheel) touches() []int { return []int{h.hub.part} }

func (c *steering) quantities(*System) []quantity {
	list := slices.Clone(c.published)
	torque := func(name string, of *float64) { list = append(list, number(c.Name+name, of)) }
	if c.hand != nil {
		torque(".wheel_torque", &c.hand.moved)
	}
	if c.column != nil {
		if torque(".column_torque", &c.column.torque); c.hand == nil {
			torque(".wheel_torque", &c.column.torque)
		}
	}
	return list
}
