package tangent

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

func (c prismatic) joint(t *translator) joint {
	u := vec(c.Axis)
	s, rate := t.scalar(c.Name+".s", c.S), t.scalar(c.Name+".s_dot", c.SDot)
	return joint{c, c.From, c.To, frame{origin: r3.Scale(s, u), axes: identity, velocity: r3.Scale(rate, u)}}
}

func (c prismatic) free(t *translator, m *misfit) {
	across := normalTo(t.at(c.From).axes.of(vec(c.Axis)))
	m.gap, m.slip = across.of(m.gap), across.of(m.slip)
}

func (c prismatic) connect(t *translator, v *Vehicle) {
	v.Constraints = append(v.Constraints, t.jointConstraint(c.Name, c.From, c.To, c.Axis, 2, 3))
}

func (c prismatic) spring(_ *translator, s *Spring) (from, to string, axis [3]float64, angle float64) {
	s.Kind = AlongAxis
	return c.From, c.To, c.Axis, 0
}

func (c prismatic) observe(t *translator, _ *Vehicle, sense sense) {
	t.observeSlide(c.From, c.To, c.Axis, ".s", ".s_dot", sense)
}

// observeSlide publishes the position of a head along an axis of its tail, and its rate.
func (t *translator) observeSlide(from, to string, axis [3]float64, position, rate string, sense sense) {
	point := t.at(to).origin
	along := t.at(from).axes.of(vec(axis))
	a := Action{First: t.body(to), Second: t.body(from), At: point, AtSecond: point, Direction: along}
	sense(position, Displacement, 1, a)
	sense(rate, Rate, 1, a)
}
