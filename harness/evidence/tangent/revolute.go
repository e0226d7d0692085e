package tangent

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// revolute is a joint that turns about one axis.
type revolute struct{ *component.Revolute }

func init() {
	know("revolute", func(c *component.Revolute) element {
		if c.Given {
			return drivenJoint(c.Header, c.From, c.To, c.Axis, false)
		}
		return revolute{c}
	})
}

func (c revolute) frames() []string { return []string{c.From, c.To} }

func (c revolute) joint(t *translator) joint {
	u := vec(c.Axis)
	angle, rate := t.scalar(c.Name+".phi", c.Phi), t.scalar(c.Name+".omega", c.Omega)
	return joint{c, c.From, c.To, frame{axes: turned(angle, u), spin: r3.Scale(rate, u)}}
}

func (c revolute) free(t *translator, m *misfit) {
	axis := t.at(c.From).axes.of(vec(c.Axis))
	m.spin, m.off = normalTo(axis).of(m.spin), r3.Norm(r3.Sub(m.turn.of(axis), axis))
}

func (c revolute) connect(t *translator, v *Vehicle) {
	v.Constraints = append(v.Constraints, t.jointConstraint(c.Name, c.From, c.To, c.Axis, 3, 2))
	if c.Torque {
		t.torque(v, c, c.From, c.To, c.Axis)
	}
}

func (c revolute) spring(t *translator, s *Spring) (from, to string, axis [3]float64, angle float64) {
	s.Kind = AboutAxis
	return c.From, c.To, c.Axis, t.scalar(c.Name+".phi", c.Phi)
}

func (c revolute) observe(t *translator, _ *Vehicle, sense sense) {
	a := Action{First: t.body(c.To), Second: t.body(c.From), Moment: t.at(c.From).axes.of(vec(c.Axis))}
	sense(".phi", Displacement, 1, a)
	sense(".omega", Rate, 1, a)
}
