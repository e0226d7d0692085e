package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var torqueDriverType = Type{
	Word: "torque-driver",
	Text: "torque given by the input `torque`",
	Keys: []keys.Key{fromKey, toKey, rotationAxisKey, mirrorKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &TorqueDriver{h, f.Text("from"), f.Text("to"), f.Axis("axis"), false}
	},
}

var brakeType = Type{
	Word: "brake",
	Text: "torque against the relative spin, with the magnitude given by the input `torque`",
	Keys: []keys.Key{fromKey, toKey, rotationAxisKey, mirrorKey, heatKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &TorqueDriver{h, f.Text("from"), f.Text("to"), f.Axis("axis"), true}
	},
}

// TorqueDriver applies the input <name>.torque about Axis (in From) to To and
// the opposite to From. With Brake the input is a magnitude that acts against
// the relative spin and holds at standstill (formulate documents the law).
type TorqueDriver struct {
	keys.Header
	From, To string
	Axis     [3]float64
	Brake    bool
}

func (c *TorqueDriver) Frames() Frames {
	return Frames{Uses: []string{c.From, c.To}, Axes: []string{c.From, c.To}, Resists: c.Brake}
}

func (c *TorqueDriver) Edges(*Scope) []graph.Edge {
	return law("R1", graph.Rotation, c.From, c.To)
}

// Check has nothing to add to the keys.
func (*TorqueDriver) Check(*Scope, *keys.Reader) {}

// Terminal returns the terminal of the driver, or the hub of the torque's wheel.
func (c *TorqueDriver) Terminal() Terminal {
	if c.Brake {
		return Terminal{}
	}
	return Terminal{Hub: c.To}
}

// Receives: a distribution may brake with it.
func (c *TorqueDriver) Receives(p Part) bool { return p == Braked && c.Brake }

// Law applies the input about the axis on the head and its opposite on the tail. A brake's magnitude acts against the
// relative spin.
func (c *TorqueDriver) Law(b Builder) {
	x := b.About(c.From, c.To, c.Axis)
	if !c.Brake {
		b.Drive(x, b.Input("torque", "N.m", "torque about the axis, reacting on "+c.From, 0))
		return
	}
	if d, found := ActingOn[sharing](b.Scope(), c.Name, Braked); found {
		torque := d.Share(b.For(d), c.Name)
		b.Publish("torque", "N.m", "magnitude of the brake torque", torque)
		b.Brake(x, torque)
		return
	}
	b.Brake(x, b.Input("torque", "N.m", "magnitude of the brake torque", 0))
}

// IgnoresTurn: the axis is fixed in the tail.
func (c *TorqueDriver) IgnoresTurn(t Turn) bool {
	return !t.Tail || graph.CoordinateAxis(c.Axis) == t.Axis
}

// Energy: a driver supplies power; a brake dissipates it.
func (c *TorqueDriver) Energy(b Builder) Energy {
	x := b.About(c.From, c.To, c.Axis)
	if c.Brake {
		return Energy{Dissipated: b.Pool().Neg(power(b, x, b.Kept("applied")))}
	}
	return Energy{Supplied: power(b, x, b.Input("torque", "N.m", "", 0))}
}
