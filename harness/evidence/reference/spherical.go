package reference

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// spherical is a joint that turns freely about a point.
type spherical struct{ *component.Spherical }

func init() { know("spherical", func(c *component.Spherical) element { return spherical{c} }) }

func (c spherical) frames() []string { return []string{c.From, c.To} }

func (c spherical) add(s *System) error {
	s.join(joint{name: c.Name, from: s.markers[c.From], to: s.markers[c.To]}, points())
	return nil
}

func (c spherical) connection(s *System, g *givens) connection {
	m := motion{axes: sequence(c.Sequence, g.vector(c.Name, anyAngles, c.Angles))}
	m.w = m.out(triple(g.vector(c.Name, spinNames, c.AngularVelocity)))
	return connection{c.Name, s.markers[c.From], s.markers[c.To], m}
}

// quantities are the angles in the order of the sequence, and the relative angular velocity in the axes of the head.
func (c spherical) quantities(s *System) []quantity {
	from, to := s.markers[c.From], s.markers[c.To]
	list := three(c.Name, anyAngles, relativeAngles(from, to, c.Sequence), nil)
	return append(list, three(c.Name, spinNames, func(s *System, _ []float64) r3.Vec {
		f, t := s.at(&from), s.at(&to)
		return t.in(r3.Sub(t.w, f.w))
	}, nil)...)
}

// relativeAngles are the angles of one frame against another.
func relativeAngles(from, to marker, sequence string) func(s *System, y []float64) r3.Vec {
	return func(s *System, _ []float64) r3.Vec {
		f, t := s.at(&from), s.at(&to)
		back := f.transposed()
		relative := back.times(&t.axes)
		return triple(relative.turns(sequence))
	}
}
