package graph

import "skidpad/model"

// Tire: wheel frame C, road frame Q (tire-component specification, section 2).
//
//	T1 Ground -> C  inertia and weight; as a branch: position and speeds in ground
//	T2 Ground -> Q  observer
//	T3 Q -> C       force of the road
//	R1 Ground -> C  rotary inertia; as a branch: angles of the sequence, speeds in C
//	R2 Ground -> Q  moment of the reaction about the road's origin
//	R3 Q -> C       moment of the road
func (g *Graph) tire(c *model.Tire) []Edge {
	w, q := g.node(c.Frame), g.node(c.Road)
	law := Space{FullLaw: true}
	return []Edge{
		{Name: "T1", Domain: Translation, Tail: Ground, Head: w, Space: Space{Free: &Free{
			Axes:        all,
			Coordinates: coordinates(c.Name, [3]string{"x", "y", "z"}, "m", model.Vector{}),
			Speeds:      coordinates(c.Name, [3]string{"x_dot", "y_dot", "z_dot"}, "m/s", model.Vector{}),
		}}},
		{Name: "T2", Domain: Translation, Tail: Ground, Head: q, Observer: true, Space: law},
		{Name: "T3", Domain: Translation, Tail: q, Head: w, Space: law},
		{Name: "R1", Domain: Rotation, Tail: Ground, Head: w, Space: Space{Free: &Free{
			Axes:        all,
			Sequence:    c.Sequence,
			HeadSpeeds:  true,
			Coordinates: coordinates(c.Name, [3]string{"yaw", "tilt", "spin"}, "rad", model.Vector{}),
			Speeds:      coordinates(c.Name, [3]string{"wx", "wy", "wz"}, "rad/s", model.Vector{}),
		}}},
		{Name: "R2", Domain: Rotation, Tail: Ground, Head: q, Space: law},
		{Name: "R3", Domain: Rotation, Tail: q, Head: w, Space: law},
	}
}
