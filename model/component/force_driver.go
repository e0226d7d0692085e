package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var forceDriverType = Type{
	Word: "force-driver",
	Text: "force given by the input `force`",
	Keys: []keys.Key{fromKey, toKey, translationAxisKey, mirrorKey},
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

// Check has nothing to add to the keys.
func (*ForceDriver) Check(*Scope, *keys.Reader) {}

// Terminal returns the driver's terminal.
func (*ForceDriver) Terminal() Terminal { return Terminal{} }

// Law applies the input along the axis on the head and its opposite on the tail.
func (c *ForceDriver) Law(b Builder) {
	x := b.Along(c.From, c.To, c.Axis)
	b.Apply(x, b.Input("force", "N", "force along the axis, reacting on "+c.From, 0))
}

// IgnoresTurn: the force follows only the rotation of the tail, in which the axis is fixed.
func (c *ForceDriver) IgnoresTurn(t Turn) bool { return !t.Tail }

// Energy is the power that the force supplies.
func (c *ForceDriver) Energy(b Builder) Energy {
	return Energy{Supplied: power(b, b.Along(c.From, c.To, c.Axis), b.Input("force", "N", "", 0))}
}
