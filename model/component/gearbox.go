package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var gearboxType = Type{
	Word: "gearbox",
	Text: "friction clutch and gears that are chosen while it runs, between two shafts",
	Keys: []keys.Key{
		{Name: "input", Shape: keys.TextShape, Text: "revolute joint on which the clutch acts: that of the crankshaft"},
		{Name: "drives", Shape: keys.TextShape, Text: "revolute joint or differential"},
		{Name: "ratios", Shape: keys.ScalarsShape, Unit: "1", Positive: true, Text: "speed of the input for that of what it drives, in first gear and up"},
		{Name: "reverse", Unit: "1", Optional: true, Positive: true, Text: "the same of the reverse gear, without its sign; default: there is none"},
		positive("capacity", "N.m", "largest torque of the clutch"),
		{Name: "sliding_speed", Unit: "rad/s", Default: "10", Positive: true, Text: "slip at which the clutch has tanh 1 of its largest torque"},
	},
	Read: readGearbox,
}

// Gearbox couples the shaft of a revolute joint, Input, with a revolute joint or a differential by a
// friction clutch and gears. Inputs are <name>.gear and <name>.clutch.
type Gearbox struct {
	keys.Header
	Input, Drives string
	Ratios        []keys.Scalar // of the speed of the input to that of what it drives, of the gears 1, 2, ...
	HasReverse    bool
	Reverse       keys.Scalar // likewise, without its sign
	Capacity      keys.Scalar // N m, of the clutch
	SlidingSpeed  keys.Scalar // rad/s
}

func readGearbox(h keys.Header, f *keys.Fields) Component {
	return &Gearbox{
		Header: h, Input: f.Text("input"), Drives: f.Text("drives"), Ratios: f.Scalars("ratios"),
		HasReverse: f.Given("reverse"), Reverse: f.Scalar("reverse"), Capacity: f.Scalar("capacity"), SlidingSpeed: f.Scalar("sliding_speed"),
	}
}

func (*Gearbox) Frames() Frames { return Frames{} }

func (c *Gearbox) Edges(s *Scope) []graph.Edge {
	return driven(s, "", c.Input, c.Drives)
}
