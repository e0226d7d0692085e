package graph

import "skidpad/model"

// Rigid arm from A to B; a weld is an arm without length and turn.
//
//	T1 A -> B       r = constant in A
//	R1 Ground -> A  observer
//	R2 A -> B       R = constant
func (g *Graph) rigidArm(c *model.RigidArm) []Edge {
	a, b := g.node(c.From), g.node(c.To)
	return []Edge{
		{Name: "T1", Domain: Translation, Tail: a, Head: b, Space: Space{Offset: c.Translation}},
		g.observer(c.From),
		{Name: "R2", Domain: Rotation, Tail: a, Head: b, Space: Space{Sequence: c.Sequence, Angles: c.Angles}},
	}
}
