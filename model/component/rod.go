package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var rodType = Type{
	Word: "rod",
	Text: "massless rod of fixed length between two frames",
	Keys: []keys.Key{
		fromKey, toKey, positive("length", "m", "length"),
		{Name: "form", Shape: keys.WordShape, Default: "distance", Choices: []string{"distance", "square"}, Text: "what must vanish: distance - length, or distance^2 - length^2"},
		activeKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Rod{h, f.Text("from"), f.Text("to"), f.Scalar("length"), f.Text("form") == "square", f.Scalar("active")}
	},
}

// Rod is a massless rigid link between the origins of two frames. Active is 1, or 0 where
// it is inactive.
type Rod struct {
	keys.Header
	From, To string
	Length   keys.Scalar // m
	Square   bool        // the squares of distance and length are compared
	Active   keys.Scalar
}

func (c *Rod) Frames() Frames {
	return Frames{Uses: []string{c.From, c.To}}
}

// Edges: only the distance is given, so that it is always a chord.
//
//	T1 A -> B  |r| = L
func (c *Rod) Edges(*Scope) []graph.Edge {
	return []graph.Edge{{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To, Space: graph.Space{Distance: &c.Length}}}
}
