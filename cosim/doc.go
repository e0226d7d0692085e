// Package cosim steps models: solvers, instances, trim, saved states.
//
//	model.Model -> Load, New -> System (program, variables; immutable, shared)
//	System -> Instantiate -> Instance (state, inputs, parameters, scratch memory)
//	Instance: Set, Trim, Initialise, Step, Get, Save, Restore, Reset
//
// A step does the same work every time: it allocates nothing, locks nothing,
// looks at no clock. The package knows models and tires, and nothing of FMI or C.
package cosim
