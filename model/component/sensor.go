package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var sensorType = Type{
	Word: "sensor",
	Text: "publishes the motion of one frame relative to another",
	Keys: []keys.Key{
		{Name: "from", Shape: keys.FrameShape, Default: graph.GroundFrame, Text: "frame relative to which is measured"},
		frame("to", "frame that is measured"),
		{Name: "resolve", Shape: keys.FrameShape, Optional: true, Text: "frame in which vectors are resolved; default: `from`"},
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Sensor{h, f.Text("from"), f.Text("to"), f.Frame("resolve", f.Text("from"))}
	},
}

// Sensor publishes the motion of To relative to From, resolved in Resolve.
type Sensor struct {
	keys.Header
	From, To, Resolve string
}

func (c *Sensor) Frames() Frames {
	return Frames{Uses: []string{c.From, c.To, c.Resolve}, Axes: []string{c.Resolve}, Alike: true}
}

// Edges: a sensor measures across variables of paths; it adds none.
func (*Sensor) Edges(*Scope) []graph.Edge { return nil }
