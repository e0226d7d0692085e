package graph

import "skidpad/model"

// Massless rod between the origins of A and B: only the distance is given, so
// it is always a chord.
//
//	T1 A -> B  |r| = L
func (g *Graph) rod(c *model.Rod) []Edge {
	return []Edge{{Name: "T1", Domain: Translation, Tail: g.node(c.From), Head: g.node(c.To),
		Space: Space{Distance: &c.Length}}}
}
