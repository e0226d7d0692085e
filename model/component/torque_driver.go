package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var torqueDriverType = Type{
	Word: "torque-driver",
	Text: "torque given by the input `torque`",
	Keys: []keys.Key{fromKey, toKey, axisKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &TorqueDriver{h, f.Text("from"), f.Text("to"), f.Axis("axis"), false}
	},
}

var brakeType = Type{
	Word: "brake",
	Text: "torque against the relative spin, of the magnitude of the input `torque`",
	Keys: []keys.Key{fromKey, toKey, axisKey},
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
	return Frames{Uses: []string{c.From, c.To}, Axes: []string{c.From, c.To}}
}

func (c *TorqueDriver) Edges(*Scope) []graph.Edge {
	return law("R1", graph.Rotation, c.From, c.To)
}
