// Package component holds the components of vehicle models, one to a file. A file says, from top to
// bottom: the type (its word, one sentence, its keys with unit, range, default and meaning), what the
// component is once it is read, how it is read, and what it answers to the rest of the engine.
//
//	Types        all types, by which files are read and documented
//	Component    what every component answers
//	interfaces   what some of them answer beyond that
//	Builder      what laws are written with: symbols, motions of frames, loads, constraints; formulation gives it
//	Scope        a list of components that find each other by name
//
// Nothing in the engine outside of this package needs to know which component it has before it.
// Components know nothing of solvers, FMI and the harness.
package component
