package graph

import (
	"slices"

	"skidpad/model"
)

// Anti-roll bar: an explicit law on the coordinates of two joints, whose frames it shares.
//
//	T1 A -> B, T2 C -> D  of the left and the right joint
//	R1, R2                the same of revolute joints
func (g *Graph) antiRollBar(c *model.AntiRollBar) []Edge {
	return slices.Concat(g.loadOn(c.Left, "1"), g.loadOn(c.Right, "2"))
}
