package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var strutType = Type{
	Word: "strut",
	Text: "joint that keeps a point on a line of another frame and rotates freely",
	Keys: []keys.Key{
		frame("from", "frame whose origin stays on the line, such as the upper end of a strut on the chassis"),
		frame("to", "frame that has the line through its origin, such as a wheel carrier"),
		{Name: "axis", Shape: keys.AxisShape, In: "to", Mirror: keys.TranslationAxis, Optional: true,
			Text: "direction of the line in the frame `to`, towards `from`; default: the line of the two frames in the design " +
				"position (BODY@POINT)"},
		reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		if !f.Given("axis") {
			f.FaultOfTable("%s lacks its axis; only a strut between points of the design position (BODY@POINT) can do "+
				"without", h.Name)
			return &Strut{h, f.Text("from"), f.Text("to"), [3]float64{0, 0, 1}}
		}
		return &Strut{h, f.Text("from"), f.Text("to"), f.Axis("axis")}
	},
}

// Strut keeps the origin of From on the line through the origin of To along Axis (unit vector in To).
type Strut struct {
	keys.Header
	From, To string
	Axis     [3]float64
}

func (c *Strut) Frames() Frames {
	return Frames{Uses: []string{c.From, c.To}, Axes: []string{c.To}}
}

// Edges: the point A may leave the origin of B along u only. The edge is always a chord.
//
//	T1 B -> A       r = L u
//	R1 Ground -> B  observer
func (c *Strut) Edges(*Scope) []graph.Edge {
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: c.To, To: c.From, Chord: true,
			Space: graph.Space{Motion: &graph.Motion{Axis: c.Axis}}},
		graph.Observer("R1", c.To),
	}
}

// Balls implements Balled.
func (c *Strut) Balls() []Ball { return []Ball{{At: c.From, Of: c.To}} }

// Check has nothing to add to the keys.
func (*Strut) Check(*Scope, *keys.Reader) {}

// Law: its edges say everything.
func (*Strut) Law(Builder) {}

// Holds: the frame that has the line is the tail. Along the line its reaction is 0.
func (c *Strut) Holds() (tail, head string) { return c.To, c.From }

// Moves is the coordinate of the joint.
func (c *Strut) Moves() Movement {
	return Movement{Domain: graph.Translation, From: c.To, To: c.From, Axis: c.Axis}
}

// Coordinate is the length.
func (c *Strut) Coordinate(b Builder) Coordinate { return b.Along(c.To, c.From, c.Axis) }

// Observed are length and rate.
func (c *Strut) Observed(b Builder) {
	x := c.Coordinate(b)
	b.Publish("length", "m", "position of "+c.From+" along the line, from the origin of "+c.To, x.Value)
	b.Publish("length_dot", "m/s", "rate of length", x.Rate)
}
