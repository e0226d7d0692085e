package tangent

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// rollingWheel is a wheel that stands upright on its road and rolls.
type rollingWheel struct{ *component.RollingWheel }

func init() {
	know("rolling-wheel", func(c *component.RollingWheel) element { return rollingWheel{c} })
}

func (c rollingWheel) connect(t *translator, v *Vehicle) {
	wheel, road := t.at(c.Frame), t.at(c.Road)
	radius, crown := t.scalar(c.Name+".radius", c.Radius), t.scalar(c.Name+".crown_radius", c.CrownRadius)
	normal, axis := road.axes.column(2), wheel.axes.column(1)
	body := t.body(c.Frame)
	height := r3.Dot(normal, r3.Sub(wheel.origin, road.origin))
	switch {
	case t.body(c.Road) != Ground:
		t.fail(c, "its road %s moves; let it be fixed to ground", c.Road)
	case body == Ground:
		t.fail(c, "its wheel %s is fixed to ground", c.Frame)
	case math.Abs(r3.Dot(normal, axis)) > meets:
		lean := math.Asin(max(-1, min(1, r3.Dot(normal, axis))))
		t.fail(c, "the wheel leans by %.6g rad at the start; it must be upright", lean)
	case math.Abs(height-radius) > meets:
		t.fail(c, "the centre of the wheel is %.9g m above the road at the start, its radius is %.9g m", height, radius)
	default:
		t.carried(c, c.Frame, axis)
		contact := r3.Sub(wheel.origin, r3.Scale(radius, normal))
		v.Constraints = append(v.Constraints, RollingWheel(c.Name, body, contact, axis, crown)...)
	}
}
