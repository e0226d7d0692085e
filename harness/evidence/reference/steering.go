package reference

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// angle is the angle of a road wheel as a function of the steering-wheel angle, with its derivatives.
type angle func(hand float64) (value, slope, curvature float64)

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

// steering leads motion drivers by a steering wheel.
type steering struct {
	*component.Steering
	hand      *handWheel // nil where it is not free
	published []quantity
}

func init() { know("steering", func(c *component.Steering) element { return &steering{Steering: c} }) }

// add makes sure of the curves. The rest is added with what follows it.
func (c *steering) add(*System) error {
	for _, w := range c.Wheels {
		if w.Angle == nil {
			continue
		}
		if err := through(w.Angle.X, w.Angle.Y, &interp.NaturalCubic{}).of(c.Name+"."+w.Driver, w.Angle); err != nil {
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

func (c *steering) lead(s *System, d *driver, name string) bool {
	for _, w := range c.Wheels {
		if w.Driver == name {
			c.turn(s, d, w)
			return true
		}
	}
	return false
}

// turn lets a driver follow the steering wheel: a part where that is free, inputs otherwise.
func (c *steering) turn(s *System, d *driver, w component.SteeredWheel) {
	d.turned = turnedBy(c.Steering, w)
	if c.HandWheel != nil {
		if c.hand == nil {
			c.hand = s.handWheel(c.Steering)
		}
		d.hand = c.hand
		c.published = append(c.published, quantity{name: w.Driver + ".angle", value: func(*System, []float64) float64 {
			value, _, _ := d.turned(d.hand.angle)
			return value
		}})
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
	c.published = append(c.published, s.inputQuantity(w.Driver+".angle", at))
	d.input = at
}

// handWheel is a free one: a part that turns about x of ground, wherever the vehicle is. It is geared to
// the drivers by their constraints.
type handWheel struct {
	*component.Steering
	hub                marker
	column             *revolute
	prescribed         int // input of the angle that hands hold it to, its rate and acceleration
	hold, given        int // inputs
	angle, rate, moved float64
}

// hub is the name of the frame of a free steering wheel, which no frame of a model file can have.
func hub(c *component.Steering) string { return "hub of " + c.Name }

// handWheel makes that of a steering.
func (s *System) handWheel(c *component.Steering) *handWheel {
	ground, hub := s.markers[component.GroundFrame], s.markers[hub(c)]
	h := &handWheel{
		Steering: c, hub: hub, prescribed: s.input(c.Name+".angle", c.Name+".rate", c.Name+".acceleration"),
		hold: s.input(c.Name + ".hold"), given: s.input(c.Name + ".torque"),
		column: &revolute{
			name: c.Name, names: [2]string{".wheel_angle", ".wheel_rate"}, from: ground, to: hub, axis: identity[0],
			start: c.HandWheel.Angle,
		},
	}
	s.inputs.values[h.hold] = 1
	s.join(joint{name: c.Name, from: ground, to: hub}, points(), hinge(identity[0]))
	s.revolutes, s.hands, s.loads = append(s.revolutes, h.column), append(s.hands, h), append(s.loads, h)
	return h
}

func (h *handWheel) apply(s *System, _ []float64) {
	w, in := h.HandWheel, s.inputs.values
	hands := w.HoldStiffness.Value*(in[h.prescribed]-h.angle) + w.HoldDamping.Value*(in[h.prescribed+1]-h.rate) +
		w.Inertia.Value*in[h.prescribed+2]
	h.moved = in[h.given] + in[h.hold]*hands
	lost := w.Damping.Value*h.rate + w.Friction.Value*math.Tanh(h.rate/w.SlidingSpeed.Value)
	s.turn(h.hub.part, r3.Vec{X: h.moved - lost})
}

func (h *handWheel) touches() []int { return []int{h.hub.part} }

func (c *steering) quantities(*System) []quantity {
	list := slices.Clone(c.published)
	if c.hand != nil {
		list = append(list, number(c.Name+".wheel_torque", &c.hand.moved))
	}
	return list
}
