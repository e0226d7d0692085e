package reference

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// sensor publishes the motion of one frame relative to another, in the axes of a third.
type sensor struct{ *component.Sensor }

func init() { know("sensor", func(c *component.Sensor) element { return sensor{c} }) }

func (sensor) add(*System) error { return nil }

func (c sensor) quantities(s *System) []quantity {
	from, to, in := s.markers[c.From], s.markers[c.To], s.markers[c.Resolve]
	difference := func(pick func(m *motion) r3.Vec) func(s *System, y []float64) r3.Vec {
		return func(s *System, _ []float64) r3.Vec {
			f, t, in := s.at(&from), s.at(&to), s.at(&in)
			return in.in(r3.Sub(pick(&t), pick(&f)))
		}
	}
	list := three(c.Name, positionNames, difference(func(m *motion) r3.Vec { return m.r }), nil)
	list = append(list, three(c.Name, velocityNames, difference(func(m *motion) r3.Vec { return m.v }), nil)...)
	list = append(list, three(c.Name, accelerations, difference(func(m *motion) r3.Vec { return m.a }), nil)...)
	if s.turns(from.part) && s.turns(to.part) {
		list = append(list, three(c.Name, angles, relativeAngles(from, to, "321"), nil)...)
		list = append(list, three(c.Name, spinNames, difference(func(m *motion) r3.Vec { return m.w }), nil)...)
	}
	return list
}

// turns reports whether a part has axes.
func (s *System) turns(part int) bool { return part < s.fixed || s.parts[part].turns }
