package tangent

import (
	"skidpad/model/component"
)

// sideForce is a force against the velocity of a frame along its y axis.
type sideForce struct{ *component.SideForce }

func init() { know("side-force", func(c *component.SideForce) element { return sideForce{c} }) }

func (c sideForce) connect(t *translator, v *Vehicle) {
	f := t.at(c.Frame)
	coefficient := t.scalar(c.Name+".coefficient", c.Coefficient)
	v.SideForces = append(v.SideForces, SideForce{c.Name, t.body(c.Frame), f.origin, f.axes.column(1), coefficient})
}

func (c sideForce) observe(t *translator, _ *Vehicle, sense sense) {
	f := t.at(c.Frame)
	across := Action{First: t.body(c.Frame), Second: Ground, At: f.origin, Direction: f.axes.column(1)}
	sense(".force", Velocity, -t.scalar(c.Name+".coefficient", c.Coefficient), across)
}
