package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var sphericalType = Type{
	Word: "spherical",
	Text: "joint that rotates freely about a point",
	Keys: []keys.Key{
		fromKey, toKey, sequence("321"),
		{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial motion", Keys: []keys.Key{
			vector(keys.EulerAngles, "angles", "rad", "angles, in the order of the sequence"),
			vector(keys.Axial, "angular_velocity", "rad/s",
				"angular velocity of the head relative to the tail, in the head's frame"),
			keepKey,
		}},
		reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		s := f.Sub("start")
		h.Kept = s.Truth(keepKey.Name)
		return &Spherical{h, f.Text("from"), f.Text("to"), f.Text("sequence"), s.Vector("angles"),
			s.Vector("angular_velocity")}
	},
}

// Spherical joint.
type Spherical struct {
	keys.Header
	From, To        string
	Sequence        string      // of the start angles and coordinates
	Angles          keys.Vector // start values, rad
	AngularVelocity keys.Vector // start values, rad/s, of To relative to From, in To
}

func (c *Spherical) Frames() Frames {
	return Frames{Joins: [2]string{c.From, c.To}}
}

// Balls implements Balled.
func (c *Spherical) Balls() []Ball { return []Ball{{At: c.From, Of: c.From}, {At: c.To, Of: c.To}} }

// Edges: a joint from A to B.
//
//	T1 A -> B       r = 0
//	R1 Ground -> A  observer
//	R2 A -> B       free: angles of the sequence, speeds in B
//
// As a chord its rotational edge constrains nothing.
func (c *Spherical) Edges(s *Scope) []graph.Edge {
	turning := angularVelocity(c.Name, c.AngularVelocity)
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To},
		graph.Observer("R1", c.From),
		{Name: "R2", Domain: graph.Rotation, From: c.From, To: c.To, Space: graph.Space{Free: &graph.Free{
			Axes:        all,
			Sequence:    c.Sequence,
			Coordinates: graph.Coordinates(c.Name, [3]string{"angle1", "angle2", "angle3"}, "rad", c.Angles),
			Speeds:      turning, Starts: turning,
		}}},
	}
}

// Check has nothing to add to the keys.
func (*Spherical) Check(*Scope, *keys.Reader) {}

// Holds: its moment is 0.
func (c *Spherical) Holds() (tail, head string) { return c.From, c.To }

// Law: its edges say everything.
func (*Spherical) Law(Builder) {}
