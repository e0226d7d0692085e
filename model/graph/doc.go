// Package graph turns the components of a model into linear graphs, one per
// domain, and selects their trees.
//
// Nodes are reference frames; edges belong to the translational or the
// rotational domain and say in which directions their across variable may vary
// (the rest is the through space). The package holds, for each component, one
// file that answers the same questions in the same order: which edges, their
// offset at level 0, their degrees of freedom, what is prescribed. It knows no equations
// of motion; those are built by package formulate from this description.
//
//	model.Model -> Build -> Graph (nodes, edges)
//	Graph + model.Tree -> Select -> Forest (a spanning tree per domain)
//	Forest -> Path, Circuits, Cutsets
//
// Sources: Morency (2007), chapters 2 and 4; linear-graph specification
// sections 2 to 6.
package graph
