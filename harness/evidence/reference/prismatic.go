package reference

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// prismatic is a joint that slides along one axis.
type prismatic struct{ *component.Prismatic }

func init() {
	know("prismatic", func(c *component.Prismatic) element {
		if c.Given {
			return drivenJoint(c.Header, c.From, c.To, c.Axis, true)
		}
		return prismatic{c}
	})
}

func (c prismatic) frames() []string { return []string{c.From, c.To} }

func (c prismatic) add(s *System) error {
	s.join(joint{name: c.Name, from: s.markers[c.From], to: s.markers[c.To]}, across(unit(c.Axis)), parallel())
	return nil
}

func (c prismatic) connection(s *System, g *givens) connection {
	rest := motion{axes: identity}
	m := rest.shifted(unit(c.Axis), g.get(c.Name+".s", c.S), g.get(c.Name+".s_dot", c.SDot), 0)
	return connection{c.Name, s.markers[c.From], s.markers[c.To], m}
}

func (c prismatic) coordinate(s *System) (coordinate, error) {
	return coordinate{from: s.markers[c.From], to: s.markers[c.To], kind: alongAxis, axis: unit(c.Axis)}, nil
}

func (c prismatic) quantities(s *System) []quantity {
	return alongJoint(s.markers[c.From], s.markers[c.To], unit(c.Axis), c.Name+".s", c.Name+".s_dot")
}

// alongJoint are position and rate of a frame along an axis of another.
func alongJoint(from, to marker, u r3.Vec, position, rate string) []quantity {
	derivative := func(order int) func(s *System, y []float64) float64 {
		return func(s *System, _ []float64) float64 {
			f, t := s.at(&from), s.at(&to)
			a, ra, sa := f.fixed(u)
			d, dv, da := r3.Sub(t.r, f.r), r3.Sub(t.v, f.v), r3.Sub(t.a, f.a)
			return [...]float64{
				r3.Dot(a, d), r3.Dot(ra, d) + r3.Dot(a, dv), r3.Dot(sa, d) + 2*r3.Dot(ra, dv) + r3.Dot(a, da),
			}[order]
		}
	}
	return []quantity{{position, derivative(0), derivative(1)}, {rate, derivative(1), derivative(2)}}
}
