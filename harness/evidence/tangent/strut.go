package tangent

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// strut keeps the origin of a frame on a line of another.
type strut struct{ *component.Strut }

func init() { know("strut", func(c *component.Strut) element { return strut{c} }) }

func (c strut) connect(t *translator, v *Vehicle) {
	line := t.jointConstraint(c.Name, c.To, c.From, c.Axis, 2, 0)
	if off := r3.Norm(normalTo(line.Axis).of(r3.Sub(line.Point, t.at(c.To).origin))); off > meets {
		t.fail(c, "the origin of %s is %.9g m off the line of %s at the start", c.From, off, c.To)
	}
	v.Constraints = append(v.Constraints, line)
}

func (c strut) spring(_ *translator, s *Spring) (from, to string, axis [3]float64, angle float64) {
	s.Kind = AlongAxis
	return c.To, c.From, c.Axis, 0
}

func (c strut) observe(t *translator, _ *Vehicle, sense sense) {
	t.observeSlide(c.To, c.From, c.Axis, ".length", ".length_dot", sense)
}
