package formulate

import "skidpad/model"

type forceDriver struct{ *model.ForceDriver }

// Law applies the input along the axis on the head and its opposite on the tail.
func (c forceDriver) Law(b Builder) {
	x := b.Along(c.From, c.To, c.Axis)
	b.Apply(x, b.Input("force", "N", "force along the axis, reacting on "+c.From, 0))
}

// IgnoresTurn: the axis is fixed in the tail.
func (c forceDriver) IgnoresTurn(t Turn) bool { return !t.Tail }
