package reference

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// pointMass is a mass without extension, which has no axes of its own.
type pointMass struct{ *component.PointMass }

func init() { know("point-mass", func(c *component.PointMass) element { return pointMass{c} }) }

func (c pointMass) add(*System) error {
	if c.Anisotropic {
		return fmt.Errorf("%s: the reference solver does not know inertial masses", c.Name)
	}
	return nil
}

func (c pointMass) body() (body, bool) {
	return body{frame: c.Frame, mass: c.Mass.Value, point: true}, true
}

func (c pointMass) start(g *givens) (frame string, m motion) {
	m.axes = identity
	m.r = triple(g.vector(c.Name, positionNames, c.Start.Position))
	m.v = triple(g.vector(c.Name, velocityNames, c.Start.Velocity))
	return c.Frame, m
}

func (c pointMass) quantities(s *System) []quantity {
	at := s.markers[c.Frame]
	acceleration := func(s *System, _ []float64) r3.Vec { return s.at(&at).a }
	list := three(c.Name, positionNames, func(s *System, _ []float64) r3.Vec { return s.at(&at).r }, nil)
	list = append(list, three(c.Name, velocityNames,
		func(s *System, _ []float64) r3.Vec { return s.at(&at).v }, acceleration)...)
	return append(list, three(c.Name, accelerations, acceleration, nil)...)
}
