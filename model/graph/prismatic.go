package graph

import "skidpad/model"

// Prismatic joint from A to B along u.
//
//	T1 A -> B       r = s u
//	R1 Ground -> A  observer
//	R2 A -> B       R = 1
func (g *Graph) prismatic(c *model.Prismatic) []Edge {
	a, b := g.node(c.From), g.node(c.To)
	return []Edge{
		{Name: "T1", Domain: Translation, Tail: a, Head: b, Space: Space{Motion: &Motion{
			Axis:       c.Axis,
			Coordinate: Coordinate{c.Name + ".s", "m", c.S},
			Speed:      Coordinate{c.Name + ".s_dot", "m/s", c.SDot},
		}}},
		g.observer(c.From),
		{Name: "R2", Domain: Rotation, Tail: a, Head: b},
	}
}
