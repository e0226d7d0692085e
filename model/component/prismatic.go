package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var prismaticType = Type{
	Word: "prismatic",
	Text: "joint that slides along one axis",
	Keys: []keys.Key{
		fromKey, toKey, translationAxisKey, mirrorKey,
		{Name: "start", Shape: keys.TableShape, Optional: true, Text: "initial motion", Keys: []keys.Key{
			asymmetric(keys.OfCoordinate, scalar("s", "m", "0", "position")),
			asymmetric(keys.OfCoordinate, scalar("s_dot", "m/s", "0", "rate")),
			keepKey,
		}},
		motionKey, reactionsKey,
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		s := f.Sub("start")
		h.Kept = s.Truth(keepKey.Name)
		return &Prismatic{h, f.Text("from"), f.Text("to"), f.Axis("axis"), s.Scalar("s"), s.Scalar("s_dot"),
			readMotion(h, f, "start")}
	},
}

// Prismatic joint along Axis (unit vector in From).
type Prismatic struct {
	keys.Header
	From, To string
	Axis     [3]float64
	S, SDot  keys.Scalar // start values, m, m/s
	Given    bool        // the motion is input
}

func (c *Prismatic) Frames() Frames {
	return Frames{Joins: [2]string{c.From, c.To}}
}

// Edges: a joint from A to B along u.
//
//	T1 A -> B       r = s u
//	R1 Ground -> A  observer
//	R2 A -> B       R = 1
//
// A motion that is input has f in place of s.
func (c *Prismatic) Edges(s *Scope) []graph.Edge {
	motion := &graph.Motion{
		Axis:       c.Axis,
		Coordinate: graph.Coordinate{Name: c.Name + ".s", Unit: "m", Start: c.S},
		Speed:      graph.Coordinate{Name: c.Name + ".s_dot", Unit: "m/s", Start: c.SDot},
	}
	if c.Given {
		motion = givenMotion(c.Name, graph.Translation, c.Axis)
		motion.Joint, motion.Lead = true, s.leads[c.Name]
	}
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To, Space: graph.Space{Motion: motion}},
		graph.Observer("R1", c.From),
		{Name: "R2", Domain: graph.Rotation, From: c.From, To: c.To},
	}
}

// Check has nothing to add to the keys.
func (*Prismatic) Check(*Scope, *keys.Reader) {}

// Law: its edges say everything.
func (*Prismatic) Law(Builder) {}

// Followed: suspensions can follow it, as a rack, unless a steering shifts it, which they can follow then.
func (c *Prismatic) Followed(s *Scope) (can, travel bool) {
	_, led := SteeredBy(s, c.Name)
	return !led, false
}

// Receives: a steering can shift it where its motion is input.
func (c *Prismatic) Receives(p Part) bool { return p == Shifted && c.Given }

// Holds: along the axis its reaction is 0.
func (c *Prismatic) Holds() (tail, head string) { return c.From, c.To }

// Moves is the coordinate of the joint.
func (c *Prismatic) Moves() Movement {
	return Movement{Domain: graph.Translation, From: c.From, To: c.To, Axis: c.Axis}
}

// Coordinate is the position of the joint.
func (c *Prismatic) Coordinate(b Builder) Coordinate { return b.Along(c.From, c.To, c.Axis) }

// Observed are position and rate.
func (c *Prismatic) Observed(b Builder) {
	x := c.Coordinate(b)
	b.Publish("s", "m", "position along the joint axis", x.Value)
	b.Publish("s_dot", "m/s", "rate of s", x.Rate)
}
