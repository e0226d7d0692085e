package graph

import "skidpad/model"

// Spring-damper: an explicit law along the line of two frames, or on the
// coordinate of a joint, whose frames it then shares.
//
//	T1 A -> B  on a line or a prismatic joint
//	R1 A -> B  on a revolute joint
func (g *Graph) springDamper(c *model.SpringDamper) []Edge {
	switch joint := g.components[c.Joint].(type) {
	case *model.Prismatic:
		return g.load("T1", Translation, joint.From, joint.To)
	case *model.Revolute:
		return g.load("R1", Rotation, joint.From, joint.To)
	}
	return g.load("T1", Translation, c.From, c.To)
}
