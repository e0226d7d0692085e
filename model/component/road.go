package component

import (
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var roadType = Type{
	Word:   "road",
	Text:   "plane road; its frame's z axis is the normal",
	Middle: true,
	Keys: []keys.Key{
		{Name: "frame", Shape: keys.FrameShape, Optional: true,
			Text: "frame in the plane; default: the component's name"},
		vector(keys.Polar, "translation", "m", "position of the frame, in ground"),
		vector(keys.EulerAngles, "angles", "rad", "angles of the frame, in the order of the sequence"),
		sequence("321"),
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Road{h, f.Frame("frame", h.Name), f.Vector("translation"), f.Text("sequence"), f.Vector("angles")}
	},
}

// Road is a plane; its frame's z axis is the normal. Inputs <name>.z and .z_dot
// move the frame along the normal, <name>.mu scales friction.
type Road struct {
	keys.Header
	Frame       string
	Translation keys.Vector // m, ground frame
	Sequence    string
	Angles      keys.Vector // rad
}

func (c *Road) Frames() Frames {
	return Frames{Joins: onGround(c.Frame), Carries: true}
}

// Edges: frame Q is moved along its normal by inputs.
//
//	T1 Ground -> Q  r = constant + z n
//	R1 Ground -> Q  R = constant
func (c *Road) Edges(s *Scope) []graph.Edge {
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: graph.GroundFrame, To: c.Frame, Space: graph.Space{
			Offset: c.Translation,
			Motion: &graph.Motion{
				Axis:       [3]float64{0, 0, 1},
				AxisInHead: true,
				Prescribed: true,
				Coordinate: graph.Coordinate{Name: c.Name + ".z", Unit: "m"},
				Speed:      graph.Coordinate{Name: c.Name + ".z_dot", Unit: "m/s"},
				Text:       "motion of the road plane along its normal",
			},
		}},
		{Name: "R1", Domain: graph.Rotation, From: graph.GroundFrame, To: c.Frame,
			Space: graph.Space{Sequence: c.Sequence, Angles: c.Angles}},
	}
}

// Check has nothing to add to the keys.
func (*Road) Check(*Scope, *keys.Reader) {}

// Law: tires and wheels that stand on it have laws.
func (*Road) Law(Builder) {}

// Surrounds says that a road is around the vehicle.
func (*Road) Surrounds() {}

// Paves reports whether a frame belongs to the road.
func (c *Road) Paves(frame string) bool { return c.Frame == frame }

// Friction is the input that scales the friction of the road.
func (c *Road) Friction(b Builder, text string) *expr.Expr { return frictionScale(b, text) }

func frictionScale(b Builder, text string) *expr.Expr { return b.NonnegativeInput("mu", "1", text, 1) }
