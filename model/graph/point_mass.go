package graph

import "skidpad/model"

// Point mass at the origin of its frame.
//
//	T1 Ground -> P  free, or in a plane: position and speeds in ground
func (g *Graph) pointMass(c *model.PointMass) []Edge {
	return []Edge{{Name: "T1", Domain: Translation, Tail: Ground, Head: g.node(c.Frame), Space: Space{Free: &Free{
		Axes:        c.Axes,
		Coordinates: coordinates(c.Name, [3]string{"x", "y", "z"}, "m", c.Start.Position),
		Speeds:      coordinates(c.Name, [3]string{"vx", "vy", "vz"}, "m/s", c.Start.Velocity),
	}}}}
}
