package tangent

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// springDamper acts between two origins or on a joint.
type springDamper struct{ *component.SpringDamper }

func init() {
	know("spring-damper", func(c *component.SpringDamper) element { return springDamper{c} })
}

// connect adds a spring with the tension that it has at the start.
func (c springDamper) connect(t *translator, v *Vehicle) {
	s := Spring{
		Name: c.Name, Stiffness: t.scalar(c.Name+".stiffness", c.Stiffness),
		Damping: t.scalar(c.Name+".damping", c.Damping),
	}
	t.scalar(c.Name+".quadratic_damping", c.QuadraticDamping) // nothing at rest, and without slope there
	free := t.scalar(c.Name+".free_length", c.FreeLength)
	from, to := c.From, c.To
	var axis [3]float64
	length := 0.0
	if j, is := t.element(c.Joint).(sprung); is {
		from, to, axis, length = j.spring(t, &s)
	}
	tail, head := t.at(from), t.at(to)
	// tail and head are so that along and about axes First is the head
	s.First, s.Second, s.At, s.AtSecond = t.body(to), t.body(from), head.origin, tail.origin
	s.Axis = tail.axes.of(vec(axis))
	switch s.Kind {
	case OnLine:
		length = r3.Norm(r3.Sub(head.origin, tail.origin))
	case AlongAxis:
		length = r3.Dot(s.Axis, r3.Sub(head.origin, tail.origin))
	}
	deflection := length - free
	if s.Kind == AboutAxis && math.Abs(deflection) <= meets {
		deflection = 0
	}
	s.Tension = s.Stiffness * deflection
	if c.SpringForce != nil {
		force, slope, _ := c.SpringForce.At(deflection)
		s.Tension, s.Stiffness = s.Tension+force, s.Stiffness+slope
	}
	if c.DamperForce != nil {
		force, slope, _ := c.DamperForce.At(0) // nothing changes its length in a steady motion
		s.Tension, s.Damping = s.Tension+force, s.Damping+slope
	}
	if c.SpringSurface != nil {
		force, slope, damping := c.SpringSurface.At(deflection, 0)
		s.Tension, s.Stiffness, s.Damping = s.Tension+force, s.Stiffness+slope, s.Damping+damping
	}
	if c.DamperSurface != nil {
		force, slope, _ := c.DamperSurface.At(0, 0)
		s.Tension, s.Damping = s.Tension+force, s.Damping+slope
	}
	v.Springs = append(v.Springs, s)
}

func (c springDamper) observe(_ *translator, v *Vehicle, sense sense) {
	for i := range v.Springs {
		if s := &v.Springs[i]; s.Name == c.Name && s.Kind != AboutAxis {
			sense(".length", Displacement, 1, s.action())
		}
	}
}
