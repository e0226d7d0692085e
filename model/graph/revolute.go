package graph

import "skidpad/model"

// Revolute joint from A to B about u.
//
//	T1 A -> B       r = 0
//	R1 Ground -> A  observer
//	R2 A -> B       theta = phi u
func (g *Graph) revolute(c *model.Revolute) []Edge {
	a, b := g.node(c.From), g.node(c.To)
	return []Edge{
		{Name: "T1", Domain: Translation, Tail: a, Head: b},
		g.observer(c.From),
		{Name: "R2", Domain: Rotation, Tail: a, Head: b, Space: Space{Motion: &Motion{
			Axis:       c.Axis,
			Coordinate: Coordinate{c.Name + ".phi", "rad", c.Phi},
			Speed:      Coordinate{c.Name + ".omega", "rad/s", c.Omega},
		}}},
	}
}
