package reference

import (
	"skidpad/model/component"
	"skidpad/model/keys"
)

// heats sends a loss to a thermal node; "" is none.
func (s *System) heats(node string, of reading, loss func(y []float64) float64) {
	if node == "" {
		return
	}
	e := s.scalar(thermal, "heat of "+node, "", node)
	e.ofFlow(loss)
	e.reading = of
}

// copper is the loss R i^2 of an edge.
func copper(e *scalarEdge, resistance keys.Scalar) func(y []float64) float64 {
	return func(y []float64) float64 { return resistance.Value * e.through(y) * e.through(y) }
}

// heatCapacity: C T' = flow of heat.
type heatCapacity struct {
	*component.HeatCapacity
	edge *scalarEdge
}

func init() {
	know("heat-capacity", func(c *component.HeatCapacity) element { return &heatCapacity{HeatCapacity: c} })
}

func (c *heatCapacity) add(s *System) error {
	e := s.scalar(thermal, c.Name, c.From, c.To)
	e.capacity = func([]float64) float64 { return c.Capacity.Value }
	e.state, e.start, c.edge = c.Name+".temperature", c.Start, e
	return nil
}

func (c *heatCapacity) quantities(s *System) []quantity { return s.publishDrop(c.Name, c.edge) }

// heatResistance: drop = R times the flow of heat.
type heatResistance struct {
	*component.HeatResistance
	edge *scalarEdge
}

func init() {
	know("heat-resistance", func(c *component.HeatResistance) element { return &heatResistance{HeatResistance: c} })
}

func (c *heatResistance) add(s *System) error {
	e := s.scalar(thermal, c.Name, c.From, c.To)
	e.ofDrop(func(y []float64) float64 { return s.drop(e, y) - c.Resistance.Value*e.through(y) })
	c.edge = e
	return nil
}

func (c *heatResistance) quantities(s *System) []quantity { return s.publishDrop(c.Name, c.edge) }
