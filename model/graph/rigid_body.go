package graph

import "skidpad/model"

// Rigid body, frame B at its centre of mass.
//
//	T1 Ground -> B  free: position in ground, speeds in B
//	R1 Ground -> B  free: angles of the sequence, speeds in B
func (g *Graph) rigidBody(c *model.RigidBody) []Edge {
	b := g.node(c.Frame)
	// yaw, pitch and roll are published as 3-2-1 angles only
	angles := [3]string{"angle1", "angle2", "angle3"}
	if c.Sequence == "321" {
		angles = [3]string{"yaw", "pitch", "roll"}
	}
	return []Edge{
		{Name: "T1", Domain: Translation, Tail: Ground, Head: b, Space: Space{Free: &Free{
			Axes:        all,
			HeadSpeeds:  true,
			Coordinates: coordinates(c.Name, [3]string{"x", "y", "z"}, "m", c.Start.Position),
			Speeds:      coordinates(c.Name, [3]string{"vx", "vy", "vz"}, "m/s", c.Start.Velocity),
		}}},
		{Name: "R1", Domain: Rotation, Tail: Ground, Head: b, Space: Space{Free: &Free{
			Axes:        all,
			Sequence:    c.Sequence,
			HeadSpeeds:  true,
			Coordinates: coordinates(c.Name, angles, "rad", c.Start.Angles),
			Speeds:      coordinates(c.Name, [3]string{"wx", "wy", "wz"}, "rad/s", c.Start.AngularVelocity),
		}}},
	}
}
