package graph

import "skidpad/model"

// Spring-damper: an explicit law along the line of two frames, or on the
// coordinate of a joint, whose frames it then shares.
//
//	T1 A -> B  on a line, a prismatic joint or a suspension
//	R1 A -> B  on a revolute joint
func (g *Graph) springDamper(c *model.SpringDamper) []Edge {
	if c.Joint != "" {
		return g.loadOn(c.Joint, "1")
	}
	return g.load("T1", Translation, c.From, c.To)
}

// loadOn is a single edge whose through variable is an explicit law of a joint's coordinate: T or R
// and the number.
func (g *Graph) loadOn(joint, number string) []Edge {
	switch j := g.components[joint].(type) {
	case *model.Prismatic:
		return g.load("T"+number, Translation, j.From, j.To)
	case *model.Suspension:
		return g.load("T"+number, Translation, j.From, j.To)
	case *model.Revolute:
		return g.load("R"+number, Rotation, j.From, j.To)
	}
	panic("graph: no coordinate in " + joint)
}
