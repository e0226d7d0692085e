package reference

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// revolute is a revolute joint with its angle, which is an unknown of its own because a
// quaternion does not count turns.
type revolute struct {
	name     string
	names    [2]string // of angle and rate
	from, to marker
	axis     r3.Vec
	start    keys.Scalar // of the angle
	unknown  int
}

// acceleration is the second derivative of the angle [rad/s2].
func (r *revolute) acceleration(s *System) float64 {
	from, to := &s.motions[r.from.part], &s.motions[r.to.part]
	u := from.out(r.from.turn.out(r.axis))
	relative := r3.Sub(to.w, from.w)
	return r3.Dot(r3.Cross(from.w, u), relative) + r3.Dot(u, r3.Sub(to.dw, from.dw))
}

func (r *revolute) quantities() []quantity {
	rate := func(s *System, _ []float64) float64 { return r.rate(s) }
	return []quantity{
		{r.name + r.names[0], func(_ *System, y []float64) float64 { return y[r.unknown] }, rate},
		{r.name + r.names[1], rate, func(s *System, _ []float64) float64 { return r.acceleration(s) }},
	}
}

// revoluteJoint turns about one axis.
type revoluteJoint struct {
	*component.Revolute
	angle *revolute
}

func init() {
	know("revolute", func(c *component.Revolute) element {
		if c.Given {
			return drivenJoint(c.Header, c.From, c.To, c.Axis, false)
		}
		return &revoluteJoint{Revolute: c}
	})
}

func (c *revoluteJoint) frames() []string { return []string{c.From, c.To} }

func (c *revoluteJoint) add(s *System) error {
	from, to, u := s.markers[c.From], s.markers[c.To], unit(c.Axis)
	s.join(joint{name: c.Name, from: from, to: to}, points(), hinge(u))
	if c.Torque {
		s.loads = append(s.loads, &torque{from: from, to: to, axis: u, input: s.input(c.Name + ".torque")})
	}
	c.angle = &revolute{
		name: c.Name, names: [2]string{".phi", ".omega"}, from: from, to: to, axis: u, start: c.Phi,
	}
	s.revolutes = append(s.revolutes, c.angle)
	return nil
}

func (c *revoluteJoint) connection(s *System, g *givens) connection {
	rest := motion{axes: identity}
	m := rest.driven(unit(c.Axis), g.get(c.Name+".phi", c.Phi), g.get(c.Name+".omega", c.Omega), 0)
	return connection{c.Name, s.markers[c.From], s.markers[c.To], m}
}

func (c *revoluteJoint) coordinate(*System) (coordinate, error) {
	if c.angle == nil {
		return coordinate{}, errNotYet
	}
	return coordinate{from: c.angle.from, to: c.angle.to, kind: aboutAxis, axis: c.angle.axis, angle: c.angle}, nil
}

func (c *revoluteJoint) output(s *System, housing string) output {
	from := s.markers[c.From]
	h := &halfShaft{joint: c.Revolute, tail: from, from: from, to: s.markers[c.To], axis: unit(c.Axis)}
	if housing != "" {
		h.from = s.markers[housing]
	}
	return h
}
