package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var revoluteType = Type{
	Word: "revolute",
	Text: "joint that turns about one axis",
	Keys: []keys.Key{
		fromKey, toKey, axisKey,
		{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial motion", Keys: []keys.Key{
			scalar("phi", "rad", "0", "angle"), scalar("omega", "rad/s", "0", "rate"),
		}},
		{Name: "torque", Shape: keys.WordShape, Default: "none", Choices: []string{"none", "input"}, Text: "input: a torque on the head about the axis, reacting on the tail"},
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		s := f.Sub("start")
		return &Revolute{h, f.Text("from"), f.Text("to"), f.Axis("axis"), s.Scalar("phi"), s.Scalar("omega"), f.Text("torque") == "input"}
	},
}

// Revolute joint about Axis (unit vector in From).
type Revolute struct {
	keys.Header
	From, To   string
	Axis       [3]float64
	Phi, Omega keys.Scalar // start values, rad, rad/s
	Torque     bool        // there is an input <name>.torque
}

func (c *Revolute) Frames() Frames {
	return Frames{Joins: [2]string{c.From, c.To}}
}

// Edges: a joint from A to B about u.
//
//	T1 A -> B       r = 0
//	R1 Ground -> A  observer
//	R2 A -> B       theta = phi u
func (c *Revolute) Edges(s *Scope) []graph.Edge {
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To},
		graph.Observer("R1", c.From),
		{Name: "R2", Domain: graph.Rotation, From: c.From, To: c.To, Space: graph.Space{Motion: &graph.Motion{
			Axis:       c.Axis,
			Coordinate: graph.Coordinate{Name: c.Name + ".phi", Unit: "rad", Start: c.Phi},
			Speed:      graph.Coordinate{Name: c.Name + ".omega", Unit: "rad/s", Start: c.Omega},
		}}},
	}
}

// Moves is the coordinate of the joint.
func (c *Revolute) Moves() (d graph.Domain, from, to string) { return graph.Rotation, c.From, c.To }
