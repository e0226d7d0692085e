package component

import (
	"skidpad/model/curve"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var engineType = Type{
	Word: "engine",
	Text: "torque by speed and throttle on a joint or a differential",
	Keys: []keys.Key{
		{Name: "drives", Shape: keys.TextShape, Text: "revolute joint or differential"},
		scalar("ratio", "1", "1", "speed of the engine for that of what it drives: the gear; negative: reverse, 0: none"),
		{Name: "full_load", Shape: keys.CurveShape, Unit: "rad/s, N.m", Text: "torque with the throttle open, over the speed of the engine"},
		monotone("drag", "rad/s, N.m", "torque with the throttle closed, negative; through [0, 0] it holds nothing at standstill, and goes against reverse, too"),
		nonnegative("inertia", "kg.m2", "0", "of what turns with the engine, about its axis"),
		{Name: "frame", Shape: keys.FrameShape, Optional: true, Text: "frame that carries what has inertia"},
		{Name: "axis", Shape: keys.AxisShape, Optional: true, Text: "axis in `frame`, about which it turns in the positive sense while it drives forwards"},
	},
	Read: readEngine,
}

// Engine gives a revolute joint or a differential a torque by its speed and the input <name>.throttle.
type Engine struct {
	keys.Header
	Drives         string
	Ratio          keys.Scalar  // of its speed to that of what it drives
	FullLoad, Drag *curve.Curve // N m over rad/s, with the throttle open and closed; Drag is nil for none
	Inertia        keys.Scalar  // kg m^2, about its axis
	Frame          string       // that carries it, "" without inertia
	Axis           [3]float64
}

func readEngine(h keys.Header, f *keys.Fields) Component {
	e := &Engine{Header: h, Drives: f.Text("drives"), Ratio: f.Scalar("ratio"), FullLoad: f.Curve("full_load"), Drag: f.Curve("drag"), Inertia: f.Scalar("inertia"), Frame: f.Text("frame"), Axis: f.Axis("axis")}
	for _, key := range []string{"frame", "axis"} {
		switch turns := f.Given("inertia"); {
		case turns && !f.Given(key):
			f.FaultOfTable("%s has inertia and lacks the key %q, of what carries it", h.Name, key)
		case !turns && f.Given(key):
			f.Fault(key, "%s.%s goes with inertia only", h.Name, key)
		}
	}
	return e
}

func (c *Engine) Frames() Frames {
	return Frames{Uses: given(c.Frame), Axes: given(c.Frame)}
}

func (c *Engine) Edges(s *Scope) []graph.Edge {
	return driven(s, "", c.Drives)
}
