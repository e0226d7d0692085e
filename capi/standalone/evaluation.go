package standalone

import (
	"fmt"

	"skidpad/model/program"
)

// evaluate writes the parts of an evaluation as statements of a function, which returns 0 if a guard fails.
func (w *writer) evaluate(of *program.Straight) error {
	for i := range of.Parts {
		part := &of.Parts[i]
		for _, m := range part.Moves {
			w.line("    %s = %s;", w.at(m.To), w.at(m.From))
		}
		if len(part.Moves) > 0 {
			continue
		}
		if part.Called != program.Nowhere {
			w.call(part.Called)
		}
		for k := range part.Runs {
			call, err := w.run(&part.Runs[k])
			if block := w.euler[placed{part.Runs[k].Block, part.Runs[k].Memory}]; err == nil && block != nil {
				var euler string
				euler, err = w.run(&program.Run{Block: block, Memory: part.Runs[k].Memory, Fixed: part.Runs[k].Fixed})
				call = fmt.Sprintf("c->method == VEHICLE_EULER ? %s : %s", euler, call)
			}
			if err != nil {
				return err
			}
			w.line("    if (%s)\n        return 0;", call)
		}
	}
	return nil
}

// put writes the copies of states and inputs to the memory of an evaluation.
func (w *writer) put(of *program.Straight, states string) {
	w.line("    memcpy(%s + %d, %s, sizeof(double) * VEHICLE_STATES);", memory(of.Memory), of.States, states)
}

// results writes the results of an evaluation to an array.
func (w *writer) results(of *program.Straight, to string) {
	w.line("    (void)%s;", to)
	for i, place := range of.Results {
		w.line("    %s[%d] = %s;", to, i, w.at(place))
	}
	w.line("    return 1;\n}\n")
}

// rates writes the rates at a state, with the inputs in their place.
func (w *writer) rates() error {
	of := w.plan.Rates
	w.line("/* The rates at states x; the inputs are in the memory already. */")
	w.line("static int vehicle_evaluate(vehicle *c, const double *x, double *dx)\n{")
	w.put(of, "x")
	if err := w.evaluate(of); err != nil {
		return err
	}
	w.results(of, "dx")
	return nil
}

// outputs writes the outputs after rates.
func (w *writer) outputs() error {
	w.line("/* The outputs, after rates. */\nstatic int vehicle_evaluate_outputs(vehicle *c, double *y)\n{")
	w.only = map[int32]bool{}
	for _, y := range w.shown() {
		w.only[int32(y.At.At)] = true
	}
	if err := w.evaluate(w.plan.Outputs); err != nil {
		return err
	}
	w.only = nil
	w.line("    (void)c;\n    (void)y;")
	for k, y := range w.shown() {
		if y.touches {
			w.line("    y[%d] = %s > 0;", k, w.at(y.At))
		} else {
			w.line("    y[%d] = %s;", k, w.at(y.At))
		}
	}
	w.line("    return 1;\n}\n")
	return nil
}

// ends writes the check of end conditions, and of tables whose range must not be left.
func (w *writer) ends() error {
	of := w.plan.Ends
	w.line("/* ended: the first condition that is true, counted from 1; 0 for none. */")
	w.line("static int vehicle_evaluate_ends(vehicle *c, const double *x, const double *u, double *ended)\n{")
	w.line("    *ended = 0;")
	if of == nil {
		w.line("    (void)c;\n    (void)x;\n    (void)u;\n    return 1;\n}\n")
		return nil
	}
	w.put(of, "x")
	w.line("    memcpy(%s + %d, u, sizeof(double) * VEHICLE_ALL_INPUTS);", memory(of.Memory), of.Inputs)
	if err := w.evaluate(of); err != nil {
		return err
	}
	conditions := len(w.in.System().Program().Ends)
	for _, k := range w.plan.Watched {
		if k >= conditions {
			w.line("    if (%s > 0)\n        return 0;", w.at(of.Results[k]))
		}
	}
	for _, k := range w.plan.Watched {
		if k < conditions {
			w.line("    if (*ended == 0 && %s > 0)\n        *ended = %d;", w.at(of.Results[k]), k+1)
		}
	}
	w.line("    return 1;\n}\n")
	return nil
}

// linear writes the implicit system of linearly-implicit.
func (w *writer) linear() error {
	l := w.plan.Linear
	if l == nil {
		return nil
	}
	w.line("static int vehicle_linearise(vehicle *c, const double *x, double step, double *k)\n{")
	w.line("    %s = step;", w.at(l.C))
	w.put(l.At, "x")
	if err := w.evaluate(l.At); err != nil {
		return err
	}
	factors, err := w.run(&l.Factors)
	if err != nil {
		return err
	}
	w.line("    if (%s)\n        return 0;", factors)
	w.line("    memcpy(k, &%s, sizeof(double) * VEHICLE_STATES);\n    return 1;\n}\n", w.at(l.Right))
	solves, err := w.run(&l.Solves)
	if err != nil {
		return err
	}
	w.line("static void vehicle_solve(vehicle *c, double *r)\n{")
	w.line("    memcpy(&%s, r, sizeof(double) * VEHICLE_STATES);\n    (void)%s;", w.at(l.Given), solves)
	w.line("    memcpy(r, &%s, sizeof(double) * VEHICLE_STATES);\n}\n", w.at(l.Right))
	return w.correction()
}

// correction writes the correction of constraints.
func (w *writer) correction() error {
	of := w.plan.Linear.Correction
	if of == nil {
		return nil
	}
	w.line("static int vehicle_residuals(vehicle *c, const double *x, double *phi)\n{")
	w.put(of.Residuals, "x")
	if err := w.evaluate(of.Residuals); err != nil {
		return err
	}
	w.results(of.Residuals, "phi")
	run, err := w.run(&of.Run)
	if err != nil {
		return err
	}
	w.line("static void vehicle_correct(vehicle *c, const double *by, double *k)\n{")
	w.line("    memcpy(&%s, by, sizeof(double) * VEHICLE_CORRECTED);\n    (void)%s;", w.at(of.By), run)
	w.line("    memcpy(k, &%s, sizeof(double) * VEHICLE_STATES);\n}\n", w.at(w.plan.Linear.Right))
	return nil
}
