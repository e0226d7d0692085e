// Package component holds the components of vehicle models, one per file. A file has, from top to bottom: the type (its
// word, one sentence, its keys with unit, range, default and meaning), the data of a component, its reading, and its
// answers to the rest of the engine.
//
//	Types        all types, by which files are read and documented
//	Component    what every component answers
//	interfaces   what some of them answer beyond that
//	Builder      what laws are written with: symbols, motions of frames, loads, constraints; formulation gives it
//	Scope        a list of components that find each other by name
//
// Code outside this package never needs to know the type of a component. Components know nothing of solvers, FMI and
// the harness.
package component
