package graph

import "skidpad/model"

// Spherical joint from A to B.
//
//	T1 A -> B       r = 0
//	R1 Ground -> A  observer
//	R2 A -> B       free: angles of the sequence, speeds in B
//
// As a chord its rotational edge constrains nothing.
func (g *Graph) spherical(c *model.Spherical) []Edge {
	a, b := g.node(c.From), g.node(c.To)
	return []Edge{
		{Name: "T1", Domain: Translation, Tail: a, Head: b},
		g.observer(c.From),
		{Name: "R2", Domain: Rotation, Tail: a, Head: b, Space: Space{Free: &Free{
			Axes:        all,
			Sequence:    c.Sequence,
			HeadSpeeds:  true,
			Coordinates: coordinates(c.Name, [3]string{"angle1", "angle2", "angle3"}, "rad", c.Angles),
			Speeds:      coordinates(c.Name, [3]string{"wx", "wy", "wz"}, "rad/s", c.AngularVelocity),
		}}},
	}
}
