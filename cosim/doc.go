// Package cosim steps models: solvers, instances, trim, saved states.
//
//	vehicle.Model -> Load, New -> System (program, variables; immutable, shared)
//	System -> Instantiate -> Instance (state, inputs, parameters, scratch memory)
//	Instance: Set, Trim, Initialise, Step, Get, Save, Restore, Reset
//
// The files, by what they hold; each group knows the groups above it:
//
//	constant       system, variables, table, load, tires, tire_sizes, curve_files, coefficient_names
//	state          instance, state (the list of what is saved), values, texts, coefficients, bindings
//	evaluation     evaluation, terrain, ledger, watched, watch
//	between steps  act (the queue), wheel_contacts, ends
//	steps          start, solver, constrained, step, events, time_limit
//	fleets         fleet, fleet_rows, lane_group, lane_acts, lane_watch
//	about a run    notes, loads, nominal, radii, speeds, standstill, rules, warnings, warning_lines;
//	               plan, saved_state, sensitivity, differences, trim
//
// Types that embed an instance, such as notes, derivatives, planner and problem, each implement one aspect of it.
//
// A step does the same work every time: it allocates nothing, locks nothing,
// looks at no clock. The package knows models and tires, and nothing of FMI or C.
package cosim
