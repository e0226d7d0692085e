package tangent

import (
	"skidpad/model/component"
)

// torqueDriver is a torque by an input.
type torqueDriver struct{ *component.TorqueDriver }

func init() {
	know("torque-driver", func(c *component.TorqueDriver) element { return torqueDriver{c} })
}

func (c torqueDriver) connect(t *translator, v *Vehicle) { t.torque(v, c, c.From, c.To, c.Axis) }

// forceDriver is a force by an input.
type forceDriver struct{ *component.ForceDriver }

func init() { know("force-driver", func(c *component.ForceDriver) element { return forceDriver{c} }) }

func (c forceDriver) connect(t *translator, v *Vehicle) {
	from, to := t.at(c.From), t.at(c.To)
	along := from.axes.of(vec(c.Axis))
	t.carried(c, c.From, along)
	v.Actuators = append(v.Actuators, Actuator{c.Name + ".force", Action{
		First: t.body(c.To), Second: t.body(c.From), At: to.origin, AtSecond: from.origin, Direction: along,
	}})
}
