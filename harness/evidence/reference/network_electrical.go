package reference

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// resistor: 0 = drop - R i.
type resistor struct {
	*component.Resistor
	edge *scalarEdge
}

func init() { know("resistor", func(c *component.Resistor) element { return &resistor{Resistor: c} }) }

func (c *resistor) add(s *System) error {
	e := s.scalar(electrical, c.Name, c.From, c.To)
	e.law = func(y []float64) float64 { return s.drop(e, y) - c.Resistance.Value*y[e.flow] }
	c.edge = e
	return nil
}

func (c *resistor) quantities(s *System) []quantity {
	return s.publishScalar(c.Name, c.edge, "voltage", "current", 1)
}

// capacitor: C u' = i.
type capacitor struct {
	*component.Capacitor
	edge *scalarEdge
}

func init() {
	know("capacitor", func(c *component.Capacitor) element { return &capacitor{Capacitor: c} })
}

func (c *capacitor) add(s *System) error {
	e := s.scalar(electrical, c.Name, c.From, c.To)
	e.capacity = func(float64) float64 { return c.Capacitance.Value }
	e.state, e.start, c.edge = c.Name+".voltage", c.Start, e
	return nil
}

func (c *capacitor) quantities(s *System) []quantity {
	return s.publishScalar(c.Name, c.edge, "voltage", "current", 1)
}

// inductor: L i' = drop - R i.
type inductor struct {
	*component.Inductor
	edge *scalarEdge
}

func init() { know("inductor", func(c *component.Inductor) element { return &inductor{Inductor: c} }) }

func (c *inductor) add(s *System) error {
	e := s.scalar(electrical, c.Name, c.From, c.To)
	e.inductance = func() float64 { return c.Inductance.Value }
	e.lost = func(y []float64) float64 { return c.Resistance.Value * y[e.flow] }
	e.state, e.start, c.edge = c.Name+".current", c.Start, e
	return nil
}

func (c *inductor) quantities(s *System) []quantity {
	return s.publishScalar(c.Name, c.edge, "voltage", "current", 1)
}

// voltageSource: the rise is the voltage less R i.
type voltageSource struct {
	*component.VoltageSource
	edge *scalarEdge
}

func init() {
	know("voltage-source", func(c *component.VoltageSource) element { return &voltageSource{VoltageSource: c} })
}

func (c *voltageSource) add(s *System) error {
	value, err := s.course(c.Voltage, c.Name)
	if err != nil {
		return err
	}
	e := s.scalar(electrical, c.Name, c.From, c.To)
	e.law = func(y []float64) float64 { return -s.drop(e, y) - value() + c.Resistance.Value*y[e.flow] }
	e.exact, c.edge = c.Resistance.Value == 0, e
	return nil
}

func (c *voltageSource) quantities(s *System) []quantity {
	return s.publishScalar(c.Name, c.edge, "terminal_voltage", "current", -1)
}

// currentSource: the current is given.
type currentSource struct {
	*component.CurrentSource
	edge *scalarEdge
}

func init() {
	know("current-source", func(c *component.CurrentSource) element { return &currentSource{CurrentSource: c} })
}

func (c *currentSource) add(s *System) error {
	value, err := s.course(c.Current, c.Name)
	if err != nil {
		return err
	}
	e := s.scalar(electrical, c.Name, c.From, c.To)
	e.law = func(y []float64) float64 { return y[e.flow] - value() }
	e.exact, c.edge = true, e
	return nil
}

func (c *currentSource) quantities(s *System) []quantity {
	return s.publishScalar(c.Name, c.edge, "voltage", "current", -1)
}

// converter: the voltage of the load is m times that of the supply, the current from the supply m times that to the
// load.
// The flow of the load's edge is the current that leaves the load, against the current to the load.
type converter struct {
	*component.Converter
	load, supply *scalarEdge
}

func init() {
	know("converter", func(c *component.Converter) element { return &converter{Converter: c} })
}

func (c *converter) add(s *System) error {
	ratio, err := s.course(c.Ratio, c.Name)
	if err != nil {
		return err
	}
	load := s.scalar(electrical, c.Name, c.Load[0], c.Load[1])
	supply := s.scalar(electrical, c.Name, c.Supply[0], c.Supply[1])
	load.law = func(y []float64) float64 { return s.drop(load, y) - ratio()*s.drop(supply, y) }
	supply.law = func(y []float64) float64 { return y[supply.flow] + ratio()*y[load.flow] }
	load.reads, supply.reads = []*scalarEdge{supply}, []*scalarEdge{load}
	load.exact, supply.exact = true, true
	c.load, c.supply = load, supply
	return nil
}

func (c *converter) quantities(*System) []quantity {
	current := func(_ *System, y []float64) float64 { return -y[c.load.flow] }
	voltage := func(s *System, y []float64) float64 { return s.drop(c.load, y) }
	return []quantity{
		{name: c.Name + ".voltage", value: voltage}, {name: c.Name + ".current", value: current},
		{name: c.Name + ".supply_current", value: func(_ *System, y []float64) float64 { return y[c.supply.flow] }},
		{name: c.Name + ".power", value: func(s *System, y []float64) float64 { return voltage(s, y) * current(s, y) }},
	}
}

// dcMachine: drop = R i + L i' + k w; it turns the head of its joint by k i against the tail.
type dcMachine struct {
	*component.DCMachine
	edge   *scalarEdge
	joint  coordinate
	torque float64
}

func init() {
	know("dc-machine", func(c *component.DCMachine) element { return &dcMachine{DCMachine: c} })
}

func (c *dcMachine) add(s *System) (err error) {
	if c.joint, err = s.coordinateOf(c.Name, c.Joint); err != nil {
		return err
	}
	e := s.scalar(electrical, c.Name, c.From, c.To)
	lost := func(y []float64) float64 {
		from, to := &s.motions[c.joint.from.part], &s.motions[c.joint.to.part]
		u := from.out(c.joint.from.turn.out(c.joint.axis))
		return c.Resistance.Value*y[e.flow] + c.Constant.Value*r3.Dot(u, r3.Sub(to.w, from.w))
	}
	e.parts = c.touches()
	if c.Inductance.Value > 0 {
		e.inductance, e.lost = func() float64 { return c.Inductance.Value }, lost
		e.state, e.start = c.Name+".current", c.Start
	} else {
		e.law = func(y []float64) float64 { return s.drop(e, y) - lost(y) }
	}
	c.edge = e
	s.loads = append(s.loads, c)
	return nil
}

func (c *dcMachine) apply(s *System, y []float64) {
	c.torque = c.Constant.Value * y[c.edge.flow]
	from := &s.motions[c.joint.from.part]
	u := from.out(c.joint.from.turn.out(c.joint.axis))
	s.turn(c.joint.to.part, r3.Scale(c.torque, u))
	s.turn(c.joint.from.part, r3.Scale(-c.torque, u))
}

func (c *dcMachine) touches() []int { return []int{c.joint.from.part, c.joint.to.part} }

// flows are the flows that the load depends on.
func (c *dcMachine) flows() []int { return []int{c.edge.flow} }

func (c *dcMachine) quantities(s *System) []quantity {
	return append(s.publishScalar(c.Name, c.edge, "voltage", "current", 1), number(c.Name+".torque", &c.torque))
}
