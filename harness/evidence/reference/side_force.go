package reference

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// sideForce is a force against the velocity of a frame along its y axis.
type sideForce struct {
	*component.SideForce
	at    marker
	force float64 // along that axis [N]
}

func init() {
	know("side-force", func(c *component.SideForce) element { return &sideForce{SideForce: c} })
}

func (l *sideForce) add(s *System) error {
	l.at = s.markers[l.Frame]
	s.loads = append(s.loads, l)
	return nil
}

func (l *sideForce) quantities(*System) []quantity {
	return []quantity{number(l.Name+".force", &l.force)}
}

func (l *sideForce) apply(s *System, _ []float64) {
	m := s.at(&l.at)
	l.force = -l.Coefficient.Value * m.in(m.v).Y
	s.push(l.at.part, m.out(r3.Vec{Y: l.force}), m.r)
}

func (l *sideForce) touches() []int { return []int{l.at.part} }
