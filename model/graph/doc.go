// Package graph holds the linear graphs of a model, one for each domain, and selects their spanning trees.
//
// Nodes are reference frames. Edges come from components and belong to the translational or the rotational domain. An
// edge has an offset at level 0, degrees of freedom and a prescribed motion. The across variable can vary along
// the degrees of freedom. The other directions are the through space. The package knows no component and no equations
// of motion; package formulate builds the equations from this description.
//
//	New, Add(owner, edges) -> Graph (nodes, edges)
//	Graph + Selection -> Select -> Forest (a spanning tree per domain)
//	Forest -> Path, Circuits, Cutsets
//
// Sources: Morency (2007), chapters 2 and 4; linear-graph specification
// sections 2 to 6.
package graph
