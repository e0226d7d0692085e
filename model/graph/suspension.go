package graph

import "skidpad/model"

// Suspension from A to B: place and axes of the head are curves over the travel q.
//
//	T1 A -> B       r = r(q), with the coordinate q
//	R1 Ground -> A  observer
//	R2 A -> B       R = R(q): about z, then the new x, then the new y; it follows the coordinate of T1
//
// Outward is to the left on the left side. Toe-in, camber with the top outward and castor with the
// top rearward are positive (ISO 8855), so that they turn about -z, -x and -y on the left side, about
// z, x and -y on the right.
func (g *Graph) suspension(c *model.Suspension) []Edge {
	a, b := g.node(c.From), g.node(c.To)
	guide := &Guide{
		Coordinate:   Coordinate{c.Name + ".travel", "m", c.Travel},
		Speed:        Coordinate{c.Name + ".travel_dot", "m/s", c.TravelDot},
		Displacement: [3]Course{{Curve: c.X}, {Curve: c.Y, Negative: c.Right}, {Curve: c.Z, Own: c.Z == nil}},
		Turns:        [3]Course{{Curve: c.Toe, Negative: !c.Right}, {Curve: c.Camber, Negative: !c.Right}, {Curve: c.Castor, Negative: true}},
	}
	return []Edge{
		{Name: "T1", Domain: Translation, Tail: a, Head: b, Space: Space{Guide: guide}},
		g.observer(c.From),
		{Name: "R2", Domain: Rotation, Tail: a, Head: b, Space: Space{Guide: guide}},
	}
}
