package reference

import (
	"math"

	"skidpad/model/component"
)

// resistor: drop = R i.
type resistor struct {
	*component.Resistor
	edge *scalarEdge
}

func init() { know("resistor", func(c *component.Resistor) element { return &resistor{Resistor: c} }) }

func (c *resistor) add(s *System) error {
	e := s.scalar(electrical, c.Name, c.From, c.To)
	e.ofDrop(func(y []float64) float64 { return s.drop(e, y) - c.Resistance.Value*e.through(y) })
	s.heats(c.Heat, reading{edges: []*scalarEdge{e}}, copper(e, c.Resistance))
	c.edge = e
	return nil
}

func (c *resistor) quantities(s *System) []quantity { return s.publishDrop(c.Name, c.edge) }

// capacitor: C u' = i, where C is the slope of the charge over the voltage.
type capacitor struct {
	*component.Capacitor
	edge   *scalarEdge
	charge *table // nil for a constant capacitance
}

func init() {
	know("capacitor", func(c *component.Capacitor) element { return &capacitor{Capacitor: c} })
}

func (c *capacitor) add(s *System) (err error) {
	if c.charge, err = networkCurve(c.Name+".charge", c.Charge); err != nil {
		return err
	}
	e := s.scalar(electrical, c.Name, c.From, c.To)
	e.capacity = func(y []float64) float64 {
		if c.charge == nil {
			return c.Capacitance.Value
		}
		_, slope, _ := c.charge.derivatives(e.level(y))
		return slope
	}
	e.state, e.start, c.edge = c.Name+".voltage", c.Start, e
	return nil
}

func (c *capacitor) quantities(s *System) []quantity {
	list := s.publishDrop(c.Name, c.edge)
	if c.charge != nil {
		list = append(list, published(c.Name+".charge", func(y []float64) float64 { return c.charge.at(c.edge.level(y)) }))
	}
	return list
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
	e.lost = func(y []float64) float64 { return c.Resistance.Value * e.through(y) }
	e.state, e.start, c.edge = c.Name+".current", c.Start, e
	s.heats(c.Heat, reading{edges: []*scalarEdge{e}}, copper(e, c.Resistance))
	return nil
}

func (c *inductor) quantities(s *System) []quantity { return s.publishDrop(c.Name, c.edge) }

// electricalSwitch: its conductance is off^(1-u) on^u.
type electricalSwitch struct {
	*component.Switch
	edge *scalarEdge
}

func init() {
	know("switch", func(c *component.Switch) element { return &electricalSwitch{Switch: c} })
}

func (c *electricalSwitch) add(s *System) error {
	closed, err := s.course(c.Closed, c.Name)
	if err != nil {
		return err
	}
	e := s.scalar(electrical, c.Name, c.From, c.To)
	e.ofFlow(func(y []float64) float64 {
		u := min(1, max(0, closed()))
		return math.Pow(c.Off.Value, 1-u) * math.Pow(c.On.Value, u) * s.drop(e, y)
	})
	c.edge = e
	return nil
}

func (c *electricalSwitch) quantities(s *System) []quantity { return s.publishDrop(c.Name, c.edge) }

// diode: i = off d + (on - off) ramp(d - forward).
type diode struct {
	*component.Diode
	edge *scalarEdge
}

func init() { know("diode", func(c *component.Diode) element { return &diode{Diode: c} }) }

func (c *diode) add(s *System) error {
	e := s.scalar(electrical, c.Name, c.From, c.To)
	e.ofFlow(func(y []float64) float64 {
		d := s.drop(e, y)
		return c.Off.Value*d + (c.On.Value-c.Off.Value)*rampAbove(d-c.Forward.Value, c.Width.Value)
	})
	c.edge = e
	return nil
}

func (c *diode) quantities(s *System) []quantity { return s.publishDrop(c.Name, c.edge) }

// rampAbove is 0 below -w, s above w, and a parabola that joins both between.
func rampAbove(s, w float64) float64 {
	switch {
	case s <= -w:
		return 0
	case s >= w:
		return s
	}
	return (s + w) * (s + w) / (4 * w)
}

// voltageSource: the rise is the voltage less R i.
type voltageSource struct {
	*component.VoltageSource
	edge *scalarEdge
}

func init() {
	know("voltage-source", func(c *component.VoltageSource) element { return &voltageSource{VoltageSource: c} })
}

func (c *voltageSource) add(s *System) (err error) {
	c.edge, err = s.potentialSource(electrical, c.Name, c.Ends, c.Voltage, c.Resistance)
	if err != nil {
		return err
	}
	s.heats(c.Heat, reading{edges: []*scalarEdge{c.edge}}, copper(c.edge, c.Resistance))
	return nil
}

func (c *voltageSource) quantities(s *System) []quantity {
	return s.publishRise(c.Name, c.edge, c.Voltage)
}

// currentSource: the current is given.
type currentSource struct {
	*component.CurrentSource
	edge *scalarEdge
}

func init() {
	know("current-source", func(c *component.CurrentSource) element { return &currentSource{CurrentSource: c} })
}

func (c *currentSource) add(s *System) (err error) {
	c.edge, err = s.flowSource(electrical, c.Name, c.Ends, c.Current)
	return err
}

func (c *currentSource) quantities(s *System) []quantity {
	return s.publishRise(c.Name, c.edge, c.Current)
}

// probe measures between two nodes.
type probe struct{ *component.Probe }

func init() { know("probe", func(c *component.Probe) element { return probe{c} }) }

func (probe) add(*System) error { return nil }

func (c probe) quantities(s *System) []quantity {
	for _, d := range []*domain{electrical, hydraulic, thermal} {
		from, to := s.found(d, c.From), s.found(d, c.To)
		if from && to && (c.Domain == "" || c.Domain == d.name) {
			a, b := s.node(d, c.From), s.node(d, c.To)
			return []quantity{published(c.Name+"."+d.across, func(y []float64) float64 {
				return s.potential(y, a) - s.potential(y, b)
			})}
		}
	}
	return nil
}
