package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var rightAngleType = Type{
	Word: "right-angle",
	Text: "two lines from one corner that stay perpendicular to each other",
	Keys: []keys.Key{
		frame("corner", "where the lines meet"),
		frame("from", "end of the first line"),
		frame("to", "end of the second line"),
		{Name: "length", Unit: "m", Optional: true, Positive: true, Text: "length that something else gives the second line; then by the theorem of Pythagoras"},
		activeKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &RightAngle{h, f.Text("corner"), f.Text("from"), f.Text("to"), f.Given("length"), f.Scalar("length"), f.Scalar("active")}
	},
}

// RightAngle keeps the lines from Corner to From and to To perpendicular:
//
//	2 r.e + L^2 - e.e = 0,  r = From - Corner, e = To - Corner
//
// which is |r|^2 + L^2 - |From - To|^2 (van Iwaarden 2003, 2.7). Without Length it is 2 r.e = 0.
type RightAngle struct {
	keys.Header
	Corner, From, To string
	WithLength       bool
	Length           keys.Scalar // m
	Active           keys.Scalar
}

func (c *RightAngle) Frames() Frames {
	return Frames{Uses: []string{c.Corner, c.From, c.To}}
}

func (c *RightAngle) Edges(*Scope) []graph.Edge {
	return []graph.Edge{
		graph.Law("T1", graph.Translation, c.Corner, c.From), graph.Law("T2", graph.Translation, c.Corner, c.To),
	}
}
