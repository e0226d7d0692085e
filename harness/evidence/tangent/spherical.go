package tangent

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// spherical is a joint that turns freely about a point.
type spherical struct{ *component.Spherical }

func init() { know("spherical", func(c *component.Spherical) element { return spherical{c} }) }

func (c spherical) frames() []string { return []string{c.From, c.To} }

func (c spherical) joint(t *translator) joint {
	axes := sequenced(c.Sequence, t.vector(c.Name, angleNames, c.Angles))
	spin := axes.of(vec(t.vector(c.Name, spinNames, c.AngularVelocity)))
	return joint{c, c.From, c.To, frame{axes: axes, spin: spin}}
}

func (spherical) free(_ *translator, m *misfit) { m.spin, m.off = r3.Vec{}, 0 }

func (c spherical) connect(t *translator, v *Vehicle) {
	v.Constraints = append(v.Constraints, Constraint{
		Name: c.Name, First: t.body(c.To), Second: t.body(c.From), Point: t.at(c.To).origin, Forces: 3,
	})
}
