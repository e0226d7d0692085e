package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var parallelogramType = Type{
	Word: "parallelogram",
	Text: "four points that stay the corners of a parallelogram",
	Keys: []keys.Key{
		frame("corner", "first corner"),
		frame("from", "second corner"),
		frame("opposite", "third corner"),
		frame("to", "fourth corner"),
		activeKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Parallelogram{h, [4]string{f.Text("corner"), f.Text("from"), f.Text("opposite"), f.Text("to")}, f.Scalar("active")}
	},
}

// Parallelogram: Corners[0] + Corners[2] = Corners[1] + Corners[3].
type Parallelogram struct {
	keys.Header
	Corners [4]string
	Active  keys.Scalar
}

func (c *Parallelogram) Frames() Frames {
	return Frames{Uses: c.Corners[:]}
}

// Edges: a constraint between four nodes, whose edges say what it joins.
//
//	T1 A -> B, T2 B -> C, T3 C -> D
func (c *Parallelogram) Edges(*Scope) []graph.Edge {
	var list []graph.Edge
	for i, name := range []string{"T1", "T2", "T3"} {
		list = append(list, graph.Law(name, graph.Translation, c.Corners[i], c.Corners[i+1]))
	}
	return list
}
