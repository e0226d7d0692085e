package graph

import "skidpad/model"

// Parallelogram A, B, C, D: a constraint between four nodes, whose edges say what it joins.
//
//	T1 A -> B, T2 B -> C, T3 C -> D
func (g *Graph) parallelogram(c *model.Parallelogram) []Edge {
	var list []Edge
	for i, name := range []string{"T1", "T2", "T3"} {
		list = append(list, g.load(name, Translation, c.Corners[i], c.Corners[i+1])...)
	}
	return list
}
