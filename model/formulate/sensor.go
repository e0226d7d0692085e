package formulate

import "skidpad/model"

type sensor struct{ *model.Sensor }

// Observed is the motion of one frame against another.
func (c sensor) Observed(b Builder) {
	in := b.OwnAxes(c.Resolve)
	publishPosition(b, c.From, c.To, in, "relative to "+c.From)
	publishVector(b, [3]string{"vx", "vy", "vz"}, "m/s", "difference of inertial velocities", b.Velocity(c.From, c.To, in))
	publishVector(b, [3]string{"ax", "ay", "az"}, "m/s2", "difference of inertial accelerations", b.Full(c.From, c.To, in))
	if b.HasAxes(c.From) && b.HasAxes(c.To) {
		publishAngles(b, c.From, c.To)
		publishVector(b, [3]string{"wx", "wy", "wz"}, "rad/s", "relative angular velocity", b.AngularVelocity(c.From, c.To, in))
	}
}
