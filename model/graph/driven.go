package graph

import (
	"cmp"
	"fmt"

	"skidpad/model"
)

// Torques on joints: an explicit law between the frames of each joint, or between a housing A and the
// head B of each. What is driven and is no joint, a differential, has edges of its own.
//
//	R1 A -> B  first
//	R2 A -> B  second
func (g *Graph) driven(housing string, names ...string) []Edge {
	var edges []Edge
	for i, name := range names {
		if joint, turns := g.components[name].(*model.Revolute); turns {
			edges = append(edges, g.load(fmt.Sprintf("R%d", i+1), Rotation, cmp.Or(housing, joint.From), joint.To)...)
		}
	}
	return edges
}
