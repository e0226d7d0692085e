package component

import (
	"skidpad/model/document"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var differentialType = Type{
	Word: "differential",
	Text: "gear that shares a torque between two joints, open or with limited slip",
	Keys: []keys.Key{
		{Name: "outputs", Shape: keys.TextsShape, Text: "two revolute joints or further differentials"},
		{Name: "housing", Shape: keys.FrameShape, Optional: true, Text: "frame on which torques on joints react; default: the tail of each joint"},
		{Name: "ratio", Unit: "1", Default: "1", Positive: true, Text: "speed of the input for that of the carrier"},
		fraction("share", "0.5", "of the torque, to the first output"),
		nonnegative("preload", "N.m", "0", "difference of the output torques without torque"),
		fraction("lock_drive", "0", "locking value for a positive torque: difference of the output torques for their sum"),
		fraction("lock_coast", "0", "locking value for a negative torque"),
		nonnegative("viscosity", "N.m.s/rad", "0", "difference of the output torques for that of their speeds"),
		{Name: "sliding_speed", Unit: "rad/s", Default: "1", Positive: true, Text: "difference of speeds at which preload and lock are tanh 1 of their full value"},
	},
	Read: readDifferential,
}

// Differential splits a torque, the input <name>.torque unless something drives it, between two
// revolute joints or further differentials. Torques on joints react on Housing or, without, on the
// tails of the joints.
type Differential struct {
	keys.Header
	Outputs              [2]string
	Housing              string      // "" for none
	Ratio                keys.Scalar // of the speed of the input to that of the carrier
	Share                keys.Scalar // 1, of the first output
	Preload              keys.Scalar // N m
	LockDrive, LockCoast keys.Scalar // 1, locking values
	Viscosity            keys.Scalar // N m s/rad
	SlidingSpeed         keys.Scalar // rad/s
}

func readDifferential(h keys.Header, f *keys.Fields) Component {
	d := &Differential{
		Header: h, Housing: f.Text("housing"), Ratio: f.Scalar("ratio"), Share: f.Scalar("share"), Preload: f.Scalar("preload"),
		LockDrive: f.Scalar("lock_drive"), LockCoast: f.Scalar("lock_coast"), Viscosity: f.Scalar("viscosity"), SlidingSpeed: f.Scalar("sliding_speed"),
	}
	outputs := f.Texts("outputs")
	if n := f.Table.Field("outputs"); n != nil && n.Kind == document.List && len(n.Items) != 2 {
		f.Reader.At(n, "%s.outputs names %d; a differential has two", h.Name, len(n.Items))
	}
	copy(d.Outputs[:], outputs)
	return d
}

func (c *Differential) Frames() Frames {
	return Frames{Uses: given(c.Housing), Axes: given(c.Housing)}
}

func (c *Differential) Edges(s *Scope) []graph.Edge {
	return driven(s, c.Housing, c.Outputs[:]...)
}
