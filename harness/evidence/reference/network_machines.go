package reference

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// shaftTorque is a torque of a network on the head of a revolute joint, which reacts on its tail, or behind a gear on a
// driven joint or differential.
type shaftTorque struct {
	joint  coordinate
	driven output // in place of the joint; nil for none
	ratio  float64
	torque func(y []float64) float64
	of     reading // of networks
	latest float64
}

// machineOn adds the torque of a machine on a joint. The torque and what it depends on are given afterwards.
func (s *System) machineOn(name, joint string) (*shaftTorque, error) {
	on, err := s.coordinateOf(name, joint)
	if err != nil {
		return nil, err
	}
	m := &shaftTorque{joint: on}
	s.loads = append(s.loads, m)
	return m, nil
}

// drivenBy adds the torque of a motor behind a gear on a joint or differential, with its rotor.
func (s *System) drivenBy(c *component.Motor) *shaftTorque {
	m := &shaftTorque{driven: s.output(cmp.Or(c.Joint, c.Drives), ""), ratio: c.Ratio.Value}
	s.loads = append(s.loads, m)
	s.spin(c.Spinning, m.driven, m.ratio)
	return m
}

func (m *shaftTorque) axis(s *System) r3.Vec {
	return s.motions[m.joint.from.part].out(m.joint.from.turn.out(m.joint.axis))
}

// speed is the speed of the joint, or that in front of the gear [rad/s].
func (m *shaftTorque) speed(s *System) float64 {
	if m.driven != nil {
		return m.ratio * m.driven.speed(s)
	}
	return r3.Dot(m.axis(s), r3.Sub(s.motions[m.joint.to.part].w, s.motions[m.joint.from.part].w))
}

func (m *shaftTorque) apply(s *System, y []float64) {
	m.latest = m.torque(y)
	if m.driven != nil {
		m.driven.turn(s, m.ratio*m.latest)
		return
	}
	u := m.axis(s)
	s.turn(m.joint.to.part, r3.Scale(m.latest, u))
	s.turn(m.joint.from.part, r3.Scale(-m.latest, u))
}

func (m *shaftTorque) touches() []int {
	if m.driven != nil {
		return m.driven.parts()
	}
	return []int{m.joint.from.part, m.joint.to.part}
}

func (m *shaftTorque) reads() *reading { return &m.of }

// dcMachine: drop = R i + L i' + k w; it turns the head of its joint by k i against the tail.
type dcMachine struct {
	*component.DCMachine
	edge  *scalarEdge
	shaft *shaftTorque
}

func init() {
	know("dc-machine", func(c *component.DCMachine) element { return &dcMachine{DCMachine: c} })
}

func (c *dcMachine) add(s *System) (err error) {
	if c.shaft, err = s.machineOn(c.Name, c.Joint); err != nil {
		return err
	}
	e := s.scalar(electrical, c.Name, c.From, c.To)
	lost := func(y []float64) float64 {
		return c.Resistance.Value*e.through(y) + c.Constant.Value*c.shaft.speed(s)
	}
	e.parts = c.shaft.touches()
	if c.Inductance.Value > 0 {
		e.inductance, e.lost = func() float64 { return c.Inductance.Value }, lost
		e.state, e.start = c.Name+".current", c.Start
	} else {
		e.ofDrop(func(y []float64) float64 { return s.drop(e, y) - lost(y) })
	}
	c.edge = e
	c.shaft.torque = func(y []float64) float64 { return c.Constant.Value * e.through(y) }
	c.shaft.of.edges = []*scalarEdge{e}
	s.heats(c.Heat, reading{edges: []*scalarEdge{e}}, copper(e, c.Resistance))
	return nil
}

func (c *dcMachine) quantities(s *System) []quantity {
	return append(s.publishDrop(c.Name, c.edge), number(c.Name+".torque", &c.shaft.latest))
}

// electricMotor: its torque follows the demand with a lag, within the limit, and it draws the power of the torque with
// the loss.
type electricMotor struct {
	*component.Motor
	edge                                *scalarEdge
	shaft                               *shaftTorque
	limit, continuous, efficiency, loss *table // nil for none
	demand, overload                    int    // inputs
	state                               *scalarState
}

func init() { know("motor", func(c *component.Motor) element { return &electricMotor{Motor: c} }) }

func (c *electricMotor) add(s *System) (err error) {
	for key, surface := range map[string]bool{"limit": c.Limit.Surface != nil, "loss": c.LossSurface != nil,
		"continuous": c.Continuous.Surface != nil, "efficiency": c.Efficiency.Surface != nil} {
		if surface {
			return noSurface(c.Name, key)
		}
	}
	if c.limit, err = networkCurve(c.Name+".limit", c.Limit.Curve); err != nil {
		return err
	}
	if c.continuous, err = networkCurve(c.Name+".continuous", c.Continuous.Curve); err != nil {
		return err
	}
	if c.loss, err = networkCurve(c.Name+".loss", c.Loss); err != nil {
		return err
	}
	if c.efficiency, err = networkCurve(c.Name+".efficiency", c.Efficiency.Curve); err != nil {
		return err
	}
	if c.Drives != "" || c.Ratio.Value != 1 || c.Inertia.Value != 0 {
		c.shaft = s.drivenBy(c.Motor)
	} else if c.shaft, err = s.machineOn(c.Name, c.Joint); err != nil {
		return err
	}
	c.demand = s.input(c.Name + ".demand")
	if c.continuous != nil {
		c.overload = s.input(c.Name + ".overload")
		s.inputs.values[c.overload] = 1
	}
	c.edge = s.scalar(electrical, c.Name, c.From, c.To)
	if c.Lag.Value > 0 {
		c.state = s.ownState(c.Name+".torque", keys.Scalar{}, reading{parts: c.shaft.touches()})
		c.state.rate = func(y []float64) float64 { return (c.limited(s) - c.state.at(y)) / c.Lag.Value }
		c.shaft.of.states = []*scalarState{c.state}
	}
	c.shaft.torque = func(y []float64) float64 {
		if c.state != nil {
			return c.state.at(y)
		}
		return c.limited(s)
	}
	c.edge.reading = reading{states: c.shaft.of.states, parts: c.shaft.touches()}
	s.ofPower(c.edge, func(y []float64) float64 { return c.shaft.torque(y)*c.shaft.speed(s) + c.lost(s, y) })
	return nil
}

// limited is the torque that is asked for, within the limit.
func (c *electricMotor) limited(s *System) float64 {
	demand := s.inputs.values[c.demand]
	if c.limit == nil {
		return demand
	}
	most := c.most(s)
	return max(-most, min(most, demand))
}

// most is the limit of the torque.
func (c *electricMotor) most(s *System) float64 {
	speed := roundedSize(c.shaft.speed(s))
	most := max(0, c.limit.at(speed))
	if c.continuous != nil {
		low := max(0, c.continuous.at(speed))
		most = low + max(0, min(1, s.inputs.values[c.overload]))*(most-low)
	}
	return most
}

// within limits a torque to the value of a curve over the magnitude of a speed; nil does not limit.
func within(torque float64, limit *table, speed float64) float64 {
	if limit == nil {
		return torque
	}
	most := max(0, limit.at(roundedSize(speed)))
	return max(-most, min(most, torque))
}

// lost is the loss, by its curve, by its factors or by the efficiency.
func (c *electricMotor) lost(s *System, y []float64) float64 {
	torque := c.shaft.torque(y)
	if c.Copper != nil || c.Iron != nil || c.Eddy != nil {
		speed := c.shaft.speed(s)
		return factor(c.Copper)*torque*torque + factor(c.Iron)*roundedSize(speed) + factor(c.Eddy)*speed*speed
	}
	if c.loss != nil {
		return max(0, c.loss.at(roundedSize(torque)))
	}
	power, efficiency := torque*c.shaft.speed(s), c.Efficiency.Number.Value
	if c.efficiency != nil {
		efficiency = min(1, max(0.01, c.efficiency.at(roundedSize(torque))))
	}
	return behind(efficiency, power) - power
}

// factor is a number of a file, 0 where it is not given.
func factor(s *keys.Scalar) float64 {
	if s == nil {
		return 0
	}
	return s.Value
}

func (c *electricMotor) quantities(s *System) []quantity {
	list := append(s.publishDrop(c.Name, c.edge),
		published(c.Name+".speed", func([]float64) float64 { return c.shaft.speed(s) }),
		published(c.Name+".loss", func(y []float64) float64 { return c.lost(s, y) }))
	if c.state != nil {
		list = append(list, c.state.quantity())
	} else {
		list = append(list, published(c.Name+".torque", c.shaft.torque))
	}
	if c.limit != nil {
		list = append(list, published(c.Name+".limit", func([]float64) float64 { return c.most(s) }))
	}
	return list
}

// pmMachine follows its demand by two currents in the frame of its rotor.
type pmMachine struct {
	*component.PMMachine
	edge             *scalarEdge
	shaft            *shaftTorque
	peak, continuous *table // nil for none
	demand, overload int    // inputs
	id, iq           *scalarState
}

func init() {
	know("pm-machine", func(c *component.PMMachine) element { return &pmMachine{PMMachine: c} })
}

func (c *pmMachine) add(s *System) (err error) {
	if c.peak, err = networkCurve(c.Name+".peak", c.Peak); err != nil {
		return err
	}
	if c.continuous, err = networkCurve(c.Name+".continuous", c.Continuous); err != nil {
		return err
	}
	if c.shaft, err = s.machineOn(c.Name, c.Joint); err != nil {
		return err
	}
	c.demand = s.input(c.Name + ".demand")
	if c.continuous != nil {
		c.overload = s.input(c.Name + ".overload")
		s.inputs.values[c.overload] = 1
	}
	c.edge = s.scalar(electrical, c.Name, c.From, c.To)
	of := reading{edges: []*scalarEdge{c.edge}, parts: c.shaft.touches()}
	c.id = s.ownState(c.Name+".current_d", keys.Scalar{}, of)
	c.iq = s.ownState(c.Name+".current_q", keys.Scalar{}, of)
	currents := []*scalarState{c.id, c.iq}
	c.id.states, c.iq.states = currents, currents
	c.id.rate = func(y []float64) float64 { id, _ := c.wanted(s, y); return (id - c.id.at(y)) / c.Lag.Value }
	c.iq.rate = func(y []float64) float64 { _, iq := c.wanted(s, y); return (iq - c.iq.at(y)) / c.Lag.Value }
	c.shaft.torque = func(y []float64) float64 { return c.linkage(y) * c.iq.at(y) }
	c.shaft.of.states = currents
	c.edge.reading = reading{states: currents, parts: c.shaft.touches()}
	s.ofPower(c.edge, func(y []float64) float64 { return c.shaft.torque(y)*c.shaft.speed(s) + c.lost(s, y) })
	return nil
}

// across is Lq.
func (c *pmMachine) across() float64 {
	if c.Quadrature != nil {
		return c.Quadrature.Value
	}
	return c.Direct.Value
}

// linkage is the torque per current iq.
func (c *pmMachine) linkage(y []float64) float64 {
	return 1.5 * float64(c.PolePairs) * (c.Flux.Value + (c.Direct.Value-c.across())*c.id.at(y))
}

// wanted are the currents that give the demand within the limits. The root id of the condition on the voltage,
// a id^2 + 2 b id + c = 0, is the larger one, and iq is limited so that there is one.
func (c *pmMachine) wanted(s *System, y []float64) (id, iq float64) {
	speed := c.shaft.speed(s)
	r, ld, lq, we := c.Resistance.Value, c.Direct.Value, c.across(), float64(c.PolePairs)*speed
	demand := s.inputs.values[c.demand]
	if c.continuous == nil {
		demand = within(demand, c.peak, speed)
	} else {
		size, over := roundedSize(speed), min(1, max(0, s.inputs.values[c.overload]))
		low := c.continuous.at(size)
		most := max(0, low+over*(c.peak.at(size)-low))
		demand = max(-most, min(most, demand))
	}
	u := max(0, s.drop(c.edge, y))
	a := r*r + we*ld*we*ld
	// b^2 - a c falls with iq on both sides of its largest value at the middle.
	slope, middle := r*r+we*we*ld*lq, -r*we*c.Flux.Value
	reach := 0.9999 * math.Sqrt(max(1e-12, a*u*u/3))
	iq = max((middle-reach)/slope, min((middle+reach)/slope, demand/c.linkage(y)))
	induced := r*iq + we*c.Flux.Value
	b := -r*we*lq*iq + we*ld*induced
	rest := we*lq*iq*we*lq*iq + induced*induced - u*u/3
	return min(0, (math.Sqrt(max(1e-12, b*b-a*rest))-b)/a), iq
}

// lost is the loss in copper and iron.
func (c *pmMachine) lost(s *System, y []float64) float64 {
	id, iq, speed := c.id.at(y), c.iq.at(y), c.shaft.speed(s)
	return 1.5*c.Resistance.Value*(id*id+iq*iq) + c.IronLoss.Value*roundedSize(speed) + c.EddyLoss.Value*speed*speed
}

func (c *pmMachine) quantities(s *System) []quantity {
	return append(s.publishDrop(c.Name, c.edge), c.id.quantity(), c.iq.quantity(),
		published(c.Name+".torque", c.shaft.torque),
		published(c.Name+".loss", func(y []float64) float64 { return c.lost(s, y) }))
}
