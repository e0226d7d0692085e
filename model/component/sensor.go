package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var sensorType = Type{
	Word:   "sensor",
	Text:   "publishes the motion of one frame relative to another",
	Middle: true,
	Keys: []keys.Key{
		{Name: "from", Shape: keys.FrameShape, Default: graph.GroundFrame, Text: "reference frame of the measurement"},
		frame("to", "measured frame"),
		{Name: "resolve", Shape: keys.FrameShape, Optional: true,
			Text: "frame in which vectors are resolved; default: `from`"},
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		return &Sensor{h, f.Text("from"), f.Text("to"), f.Frame("resolve", f.Text("from"))}
	},
}

// Sensor publishes the motion of To relative to From, resolved in Resolve.
type Sensor struct {
	keys.Header
	From, To, Resolve string
}

func (c *Sensor) Frames() Frames {
	return Frames{Uses: []string{c.From, c.To, c.Resolve}, Axes: []string{c.Resolve}, Alike: true}
}

// Edges: a sensor measures across variables of paths; it adds none.
func (*Sensor) Edges(*Scope) []graph.Edge { return nil }

// Check has nothing to add to the keys.
func (*Sensor) Check(*Scope, *keys.Reader) {}

// Law: it measures only.
func (*Sensor) Law(Builder) {}

// Observed is the motion of one frame against another.
func (c *Sensor) Observed(b Builder) {
	in := b.OwnAxes(c.Resolve)
	publishPosition(b, c.From, c.To, in, "relative to "+c.From)
	publishVector(b, [3]string{"vx", "vy", "vz"}, "m/s", "difference of inertial velocities",
		b.Velocity(c.From, c.To, in))
	publishVector(b, [3]string{"ax", "ay", "az"}, "m/s2", "difference of inertial accelerations",
		b.FullAcceleration(c.From, c.To, in))
	if b.HasAxes(c.From) && b.HasAxes(c.To) {
		publishAngles(b, c.From, c.To)
		w := b.AngularVelocity(c.From, c.To, in)
		publishVector(b, [3]string{"wx", "wy", "wz"}, "rad/s", "relative angular velocity", w)
	}
}
