package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var sideForceType = Type{
	Word: "side-force",
	Text: "tire as a damper: a force against the lateral velocity of a frame",
	Keys: []keys.Key{
		frame("frame", "frame at whose origin it acts, along its y axis"),
		nonnegative("coefficient", "N.s/m", "", "force for a velocity; the cornering stiffness by the speed"),
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &SideForce{h, f.Text("frame"), f.Scalar("coefficient")}
	},
}

// SideForce is a tire as a damper: at the origin of a frame, along its y axis, the force
// -Coefficient v_y for the inertial velocity v_y of the origin along that axis.
type SideForce struct {
	keys.Header
	Frame       string
	Coefficient keys.Scalar // N s/m
}

func (c *SideForce) Frames() Frames {
	return Frames{Uses: []string{c.Frame}, Axes: []string{c.Frame}}
}

func (c *SideForce) Edges(*Scope) []graph.Edge {
	return law("T1", graph.Translation, graph.GroundFrame, c.Frame)
}
