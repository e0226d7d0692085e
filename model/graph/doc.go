// Package graph holds linear graphs, one per domain, of the edges that
// components have, and selects their trees.
//
// Nodes are reference frames; edges belong to the translational or the
// rotational domain and say in which directions their across variable may vary
// (the rest is the through space): their offset at level 0, their degrees of freedom,
// what is prescribed. The package knows no component and no equations of motion;
// those are built by package formulate from this description.
//
//	New, Add(owner, edges) -> Graph (nodes, edges)
//	Graph + Selection -> Select -> Forest (a spanning tree per domain)
//	Forest -> Path, Circuits, Cutsets
//
// Sources: Morency (2007), chapters 2 and 4; linear-graph specification
// sections 2 to 6.
package graph
