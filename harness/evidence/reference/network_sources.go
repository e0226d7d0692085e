package reference

import (
	"skidpad/model/component"
	"skidpad/model/keys"
)

// potentialSource is an edge whose rise is a given value less the drop of its resistance.
func (s *System) potentialSource(
	d *domain, name string, ends component.Ends, given component.TimeCourse, resistance keys.Scalar,
) (*scalarEdge, error) {
	value, err := s.course(given, name)
	if err != nil {
		return nil, err
	}
	e := s.scalar(d, name, ends.From, ends.To)
	e.ofDrop(func(y []float64) float64 { return -s.drop(e, y) - value() + resistance.Value*e.through(y) })
	e.exact = resistance.Value == 0
	return e, nil
}

// flowSource is an edge with a given flow.
func (s *System) flowSource(
	d *domain, name string, ends component.Ends, given component.TimeCourse,
) (*scalarEdge, error) {
	value, err := s.course(given, name)
	if err != nil {
		return nil, err
	}
	e := s.scalar(d, name, ends.From, ends.To)
	e.ofFlow(func([]float64) float64 { return value() })
	e.exact = true
	return e, nil
}

// givenPotential is a source of pressure or temperature, and givenFlow a source of oil or heat.
type givenPotential struct {
	*component.PotentialSource
	domain *domain
	edge   *scalarEdge
}

type givenFlow struct {
	*component.FlowSource
	domain *domain
	edge   *scalarEdge
}

func init() {
	know("pressure-source", func(c *component.PressureSource) element {
		return &givenPotential{PotentialSource: &c.PotentialSource, domain: hydraulic}
	})
	know("temperature-source", func(c *component.PotentialSource) element {
		return &givenPotential{PotentialSource: c, domain: thermal}
	})
	know("flow-source", func(c *component.OilSource) element {
		return &givenFlow{FlowSource: &c.FlowSource, domain: hydraulic}
	})
	know("heat-source", func(c *component.FlowSource) element { return &givenFlow{FlowSource: c, domain: thermal} })
}

func (c *givenPotential) add(s *System) (err error) {
	c.edge, err = s.potentialSource(c.domain, c.Name, c.Ends, c.Value, c.Resistance)
	return err
}

func (c *givenPotential) quantities(s *System) []quantity {
	return s.publishRise(c.Name, c.edge, c.Value)
}

func (c *givenFlow) add(s *System) (err error) {
	c.edge, err = s.flowSource(c.domain, c.Name, c.Ends, c.Value)
	return err
}

func (c *givenFlow) quantities(s *System) []quantity { return s.publishRise(c.Name, c.edge, c.Value) }
