package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var rollingWheelType = Type{
	Word: "rolling-wheel",
	Text: "rolling without slip on a plane road, in place of a tire",
	Keys: []keys.Key{
		frame("frame", "frame of the wheel at its centre, y axis to the left"),
		frame("road", "frame of the road"),
		positive("radius", "m", "radius"),
		nonnegative("crown_radius", "m", "0", "radius of the cross-section of a torus; 0: a thin disc"),
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &RollingWheel{h, f.Text("frame"), f.Text("road"), f.Scalar("radius"), f.Scalar("crown_radius")}
	},
}

// RollingWheel lets the wheel of a frame, whose y axis points to the left, roll on the plane of a
// road without slip: a disc, or a torus with the crown radius.
type RollingWheel struct {
	keys.Header
	Frame, Road         string
	Radius, CrownRadius keys.Scalar // m
}

func (c *RollingWheel) Frames() Frames {
	return Frames{Uses: []string{c.Frame, c.Road}, Axes: []string{c.Frame, c.Road}}
}

func (c *RollingWheel) Edges(*Scope) []graph.Edge {
	return law("T1", graph.Translation, c.Road, c.Frame)
}
