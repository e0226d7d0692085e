package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var freeJointType = Type{
	Word: "free",
	Text: "joint without constraints: six coordinates of one frame against another, and their motion as outputs",
	Keys: []keys.Key{
		fromKey, toKey, sequence("321"),
		speedsKey("`x_dot y_dot z_dot` as `from` sees them and `wx wy wz` of `to`"),
		{Name: "start", Shape: keys.TableShape, Optional: true,
			Text: "initial motion, if the joint's edges are tree branches", Keys: []keys.Key{
				vector(keys.Polar, "position", "m", "position of `to` against `from`, in the frame `from`"),
				vector(keys.EulerAngles, "angles", "rad", "angles, in the order of the sequence"),
				vector(keys.Polar, "velocity", "m/s", "rates of the position, as the frame `from` sees it"),
				vector(keys.Axial, "angular_velocity", "rad/s",
					"angular velocity of the head relative to the tail, in the head's frame"),
				keepKey,
			}},
	},
	Read: func(h keys.Header, f *keys.Fields) Component {
		s := f.Sub("start")
		h.Kept = s.Truth(keepKey.Name)
		return &FreeJoint{h, f.Text("from"), f.Text("to"), f.Text("sequence"), f.Text("speeds"), FreeStart{s.Table != nil,
			s.Vector("position"), s.Vector("angles"), s.Vector("velocity"), s.Vector("angular_velocity")}}
	},
}

// FreeJoint measures the motion of one frame against another by coordinates (Morency 2007, 2.1.3: indirect
// coordinates).
type FreeJoint struct {
	keys.Header
	From, To string
	Sequence string // of the angles
	Speeds   string // word of the key, "" for the default
	Start    FreeStart
}

func (c *FreeJoint) Frames() Frames {
	return Frames{Joins: [2]string{c.From, c.To}}
}

// Edges: a joint from A to B.
//
//	T1 A -> B       free: position and its rates in A, unless other speeds are chosen
//	R1 Ground -> A  observer
//	R2 A -> B       free: angles of the sequence, speeds in B, unless others are chosen
//
// As chords they constrain nothing. The edges of bodies come before them in the choice of a tree.
func (c *FreeJoint) Edges(*Scope) []graph.Edge {
	angles := [3]string{"angle1", "angle2", "angle3"}
	if c.Sequence == "321" { // as published
		angles = [3]string{"yaw", "pitch", "roll"}
	}
	velocity, turning := positionRates(c.Name, c.Start.Velocity), angularVelocity(c.Name, c.Start.AngularVelocity)
	return []graph.Edge{
		{Name: "T1", Domain: graph.Translation, From: c.From, To: c.To, Late: true, Space: graph.Space{Free: &graph.Free{
			Axes:        all,
			Coordinates: graph.Coordinates(c.Name, [3]string{"x", "y", "z"}, "m", c.Start.Position),
			Speeds:      velocities(c.Speeds, c.Name, c.From, velocity),
			Starts:      velocity,
		}}},
		graph.Observer("R1", c.From),
		{Name: "R2", Domain: graph.Rotation, From: c.From, To: c.To, Late: true, Space: graph.Space{Free: &graph.Free{
			Axes:        all,
			Sequence:    c.Sequence,
			Coordinates: graph.Coordinates(c.Name, angles, "rad", c.Start.Angles),
			Speeds:      turnRates(c.Speeds, c.Name, angles, turning),
			Starts:      turning,
		}}},
	}
}

// Check has nothing to add to the keys.
func (*FreeJoint) Check(*Scope, *keys.Reader) {}

// Law: it acts on nothing.
func (*FreeJoint) Law(Builder) {}

// Resolve is the frame in whose axes velocities and accelerations are published.
func (c *FreeJoint) Resolve() string {
	if c.Speeds == bodySpeeds {
		return c.To
	}
	return c.From
}

// Observed is the motion of the head against the tail.
func (c *FreeJoint) Observed(b Builder) {
	in := b.OwnAxes(c.From)
	publishPosition(b, c.From, c.To, in, "relative to "+c.From)
	publishAngles(b, c.From, c.To)
	in = b.OwnAxes(c.Resolve())
	publishVector(b, [3]string{"vx", "vy", "vz"}, "m/s", "difference of inertial velocities",
		b.Velocity(c.From, c.To, in))
	publishVector(b, [3]string{"ax", "ay", "az"}, "m/s2", "difference of inertial accelerations",
		b.FullAcceleration(c.From, c.To, in))
	publishVector(b, [3]string{"wx", "wy", "wz"}, "rad/s", "angular velocity relative to "+c.From+", in "+c.To,
		b.AngularVelocity(c.From, c.To, b.OwnAxes(c.To)))
}
