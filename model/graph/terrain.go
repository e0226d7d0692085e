package graph

import "skidpad/model"

// Terrain, whose frame is that of ground.
//
//	T1 Ground -> Q  r = 0
//	R1 Ground -> Q  R = 1
func (g *Graph) terrain(c *model.Terrain) []Edge {
	q := g.node(c.Frame)
	return []Edge{
		{Name: "T1", Domain: Translation, Tail: Ground, Head: q},
		{Name: "R1", Domain: Rotation, Tail: Ground, Head: q},
	}
}
