// Package graph holds linear graphs, one per domain, of the edges that
// components have, and selects their trees.
//
// Nodes are reference frames. Edges belong to the translational or the rotational domain. An edge describes in which
// directions its across variable can vary (the rest is the through space): its offset at level 0, its degrees of
// freedom, its prescribed motion. The package knows no component and no equations of motion; package formulate builds
// the equations from this description.
//
//	New, Add(owner, edges) -> Graph (nodes, edges)
//	Graph + Selection -> Select -> Forest (a spanning tree per domain)
//	Forest -> Path, Circuits, Cutsets
//
// Sources: Morency (2007), chapters 2 and 4; linear-graph specification
// sections 2 to 6.
package graph
