package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var forceDriverType = Type{
	Word: "force-driver",
	Text: "force given by the input `force`",
	Keys: []keys.Key{fromKey, toKey, axisKey},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &ForceDriver{h, f.Text("from"), f.Text("to"), f.Axis("axis")}
	},
}

// ForceDriver applies the input <name>.force along Axis (in From) to To and
// the opposite to From.
type ForceDriver struct {
	keys.Header
	From, To string
	Axis     [3]float64
}

func (c *ForceDriver) Frames() Frames {
	return Frames{Uses: []string{c.From, c.To}, Axes: []string{c.From}}
}

func (c *ForceDriver) Edges(*Scope) []graph.Edge {
	return law("T1", graph.Translation, c.From, c.To)
}
