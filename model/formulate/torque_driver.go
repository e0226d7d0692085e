package formulate

import "skidpad/model"

type torqueDriver struct{ *model.TorqueDriver }

// Law applies the input about the axis on the head and its opposite on the tail. A brake's magnitude acts against the
// relative spin.
func (c torqueDriver) Law(b Builder) {
	x := b.About(c.From, c.To, c.Axis)
	if !c.Brake {
		b.Drive(x, b.Input("torque", "N.m", "torque about the axis, reacting on "+c.From, 0))
		return
	}
	if d, all, found := find(b, func(d sharing) bool { return d.Brakes(c.Name) }); found {
		torque := d.Share(all, c.Name)
		b.Publish("torque", "N.m", "magnitude of the brake torque", torque)
		b.Brake(x, torque)
		return
	}
	b.Brake(x, b.Input("torque", "N.m", "magnitude of the brake torque", 0))
}

// IgnoresTurn: the axis is fixed in the tail.
func (c torqueDriver) IgnoresTurn(t Turn) bool { return !t.Tail || coordinateAxis(c.Axis) == t.Axis }
