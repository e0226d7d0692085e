package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var relaxedWheelType = Type{
	Word: "relaxed-wheel",
	Text: "wheel that rolls without slip up to its grip limit and slides beyond it, on a plane road; needs the formulation udwadia-kalaba",
	Keys: []keys.Key{
		frame("frame", "frame of the wheel at its centre, y axis to the left"),
		frame("road", "frame of the road"),
		positive("radius", "m", "radius"),
		nonnegative("stiction_factor", "1", "1", "k_s, share of the torque that counts against grip in rolling"),
		nonnegative("friction_factor", "1", "1", "k_F, share of it that counts in sliding"),
		{Name: "sliding_speed", Unit: "m/s", Default: "1", Positive: true, Text: "v_s, speed of sliding at which friction is tanh 1 of its full value"},
		{Name: "vertical_stiffness", Unit: "N/m", Optional: true, Positive: true, Text: "of a spring that carries the wheel, instead of a constraint"},
		nonnegative("vertical_damping", "N.s/m", "0", "beside the spring"),
		nonnegative("load", "N", "0", "with which the spring gives the wheel its radius"),
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		w := &RelaxedWheel{
			Header: h, Frame: f.Text("frame"), Road: f.Text("road"), Radius: f.Scalar("radius"),
			StictionFactor: f.Scalar("stiction_factor"), FrictionFactor: f.Scalar("friction_factor"), SlidingSpeed: f.Scalar("sliding_speed"),
			Elastic: f.Given("vertical_stiffness"), VerticalStiffness: f.Scalar("vertical_stiffness"), VerticalDamping: f.Scalar("vertical_damping"), Load: f.Scalar("load"),
		}
		for _, key := range []string{"vertical_damping", "load"} {
			if f.Given(key) && !w.Elastic {
				f.Fault(key, "%s.%s goes with vertical_stiffness only", h.Name, key)
			}
		}
		return w
	},
}

// RelaxedWheel lets the wheel of a frame, whose y axis points to the left, roll on the plane of a
// road up to its grip limit, and slide beyond it (Ikoki 2022). It acts along the path and along
// the normal, not across.
type RelaxedWheel struct {
	keys.Header
	Frame, Road           string
	Radius                keys.Scalar // m
	StictionFactor        keys.Scalar // k_s, 1
	FrictionFactor        keys.Scalar // k_F, 1
	SlidingSpeed          keys.Scalar // v_s, m/s
	Elastic               bool        // a spring and a damper carry the wheel instead of a constraint
	VerticalStiffness     keys.Scalar // N/m, of the spring
	VerticalDamping, Load keys.Scalar // N s/m; N, with which its length is the radius
}

func (c *RelaxedWheel) Frames() Frames {
	return Frames{Uses: []string{c.Frame, c.Road}, Axes: []string{c.Frame, c.Road}}
}

func (c *RelaxedWheel) Edges(*Scope) []graph.Edge {
	return law("T1", graph.Translation, c.Road, c.Frame)
}
