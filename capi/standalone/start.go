package standalone

import (
	"fmt"
	"math"
	"slices"

	"skidpad/cosim"
	"skidpad/model/program"
	"skidpad/model/road"
	"skidpad/tire/machinecode"
)

// prepare writes the copies of parameters to the memories and the numbers computed from them, first for memories of
// steps.
func (w *writer) prepare() error {
	var puts [2]statements
	stepping := w.stepping()
	of := func(memory int) *statements { return &puts[map[bool]int{true: 0, false: 1}[stepping[memory]]] }
	for k := range w.plan.Memories {
		if w.frozen.memories[k] {
			continue
		}
		if err := w.putMemory(k, of(k)); err != nil {
			return err
		}
	}
	for _, l := range w.limbs {
		of(l.memory).last = append(of(l.memory).last, l.copy)
	}
	for _, p := range w.frozen.wanted {
		puts[0].last = append(puts[0].last, fmt.Sprintf("c->memory[VEHICLE_MEMORY_%d + %d] = %s;", p.Memory, p.At, w.at(p)))
	}
	for i, name := range []string{"step", "other"} {
		w.line("/* Puts constants and parameters where %s want them; 0 where what follows cannot be computed. */",
			[]string{"steps", "other equations"}[i])
		w.line("static int vehicle_put_%s_numbers(vehicle *c)\n{\n    (void)c;", name)
		for _, statement := range slices.Concat(puts[i].numbers, puts[i].calls, puts[i].last) {
			w.line("    %s", statement)
		}
		if w.plan.Derivatives != nil && i == 1 {
			w.line("    return vehicle_shape(c);\n}\n")
		} else {
			w.line("    return 1;\n}\n")
		}
	}
	w.line("static int vehicle_put_numbers(vehicle *c)\n{\n" +
		"    return vehicle_put_step_numbers(c) && vehicle_put_other_numbers(c);\n}\n")
	w.line("/* The parameters since vehicle_initialise. */")
	in := "c->parameters"
	if !w.Frozen {
		in = fmt.Sprintf("%s + %d", memory(w.plan.Rates.Memory), w.plan.Memories[w.plan.Rates.Memory].Parameters)
	}
	w.line("static const double *vehicle_in_use(const vehicle *c)\n{\n    return %s;\n}\n", in)
	return nil
}

// statements update memories: numbers first, then calls that compute further numbers.
type statements struct{ numbers, calls, last []string }

// stepping reports for each memory whether steps and outputs use it.
func (w *writer) stepping() []bool {
	is := make([]bool, len(w.plan.Memories))
	for _, r := range w.runs() {
		is[r.Memory] = true
	}
	return is
}

// putMemory adds the statements of a memory.
func (w *writer) putMemory(k int, to *statements) error {
	m := &w.plan.Memories[k]
	if m.To > m.From && w.size[k] > 0 {
		w.line("static const double vehicle_numbers_%d[%d] = {", k, m.To-m.From)
		to.numbers = append(to.numbers, fmt.Sprintf("op_copy(%s + %d, vehicle_numbers_%d, %d);", memory(k), m.From, k,
			m.To-m.From))
		for i, x := range w.plan.Memory[k][m.From:m.To] {
			if math.IsNaN(x) { // a mask: all bits matter
				to.numbers = append(to.numbers, fmt.Sprintf("%s = op_number(UINT64_C(0x%x));",
					w.at(cosim.Place{Memory: k, At: m.From + i}), math.Float64bits(x)))
				x = 0
			}
			w.line("    %s,", machinecode.Number(x))
		}
		w.line("};\n")
	}
	if (w.CasADi || w.Acados) && m.From > 0 { // arguments of lanes without a tire may be any number
		to.numbers = append(to.numbers, fmt.Sprintf("memset(%s, 0, sizeof(double) * %d);", memory(k), m.From))
	}
	if m.Parameters >= 0 {
		to.numbers = append(to.numbers, fmt.Sprintf("memcpy(%s + %d, c->parameters, sizeof(double) * VEHICLE_PARAMETERS);",
			memory(k), m.Parameters))
	}
	if m.Init == nil {
		return nil
	}
	call, err := w.run(&cosim.Run{Block: m.Init, Memory: k, Fixed: cosim.Nowhere})
	to.calls = append(to.calls, fmt.Sprintf("if (%s)\n        return 0;", call))
	return err
}

// level returns the C expression of a number of a surface.
func level(surface int, name string) string {
	return fmt.Sprintf("c->levels[%d * STEP_GROUND_NUMBERS + STEP_%s]", surface, name)
}

// start writes the states at the start, and the numbers of surfaces.
func (w *writer) start() error {
	s := w.plan.Start
	call, err := w.run(&s.Run)
	if err != nil {
		return err
	}
	w.faults()
	w.grounds()
	w.line("/* What starts and grounds follow from, with the inputs in their place. */")
	put := ""
	if len(w.plan.Samplers) > 0 {
		put = "    vehicle_put_samplers(c);\n"
	}
	w.line("static int vehicle_measure(vehicle *c)\n{\n    if (%s)\n        return 0;", call)
	w.line("    vehicle_put_grounds(c);\n%s    return 1;\n}\n", put)
	w.line("/* The same, with the check that grounds are those that steps are for. */")
	w.line("static int vehicle_begin(vehicle *c)\n{\n    return vehicle_measure(c) && vehicle_fits_grounds(c);\n}\n")
	w.line("static void vehicle_start_states(vehicle *c)\n{\n    (void)c;")
	for i, place := range s.States {
		w.line("    c->states[%d] = %s;", i, w.at(place))
	}
	w.line("}\n")
	return nil
}

// grounds writes the numbers of grounds, and the check that the file supports such grounds.
func (w *writer) grounds() {
	w.line("static void vehicle_put_grounds(vehicle *c)\n{\n    (void)c;")
	for i := range w.plan.Surfaces {
		s := &w.plan.Surfaces[i]
		w.line("    %s = %s;", level(i, "LEVEL"), w.at(s.Height))
		w.line("    %s = %s;", level(i, "SLOPE_X"), w.at(s.SlopeX))
		w.line("    %s = %s;", level(i, "SLOPE_Y"), w.at(s.SlopeY))
		w.line("    %s = %s;", level(i, "LEFT"), w.at(s.Left))
		w.line("    %s = %s;", level(i, "RIGHT"), w.at(s.Right))
	}
	for i, g := range w.plan.Grounds {
		if g.Points > 0 && w.wheelsOf() != nil {
			w.line("    c->footprints[%d] = %s;", 2*i, w.at(g.Length))
			w.line("    c->footprints[%d] = %s;", 2*i+1, w.at(g.Width))
		}
	}
	w.contactNumbers()
	w.line("}\n\nstatic int vehicle_fits_grounds(vehicle *c)\n{\n    (void)c;")
	for i := range w.plan.Surfaces {
		s := &w.plan.Surfaces[i]
		if s.Heights.Kind == road.ISO8608 {
			seed := machinecode.Number(w.plan.Seeds[i])
			w.line("    if (!(%s == %s))\n        return %s; /* other waves */", w.at(s.Seed), seed,
				w.fault(seedFault, w.at(s.Seed), seed))
		}
		if w.plan.Wheels == nil && len(w.plan.Grounds) > 0 {
			w.line("    if (!(%s == %s))\n        return %s; /* two sides of the ground differ */", level(i, "LEFT"),
				level(i, "RIGHT"), w.fault(frictionFault, level(i, "LEFT"), level(i, "RIGHT")))
		}
	}
	w.line("    return 1;\n}\n")
}

// carcasses writes the conversion of delayed slips at the start to states of carcasses.
func (w *writer) carcasses() error {
	w.line("/* Turns delayed slips into the states of carcasses, which takes the loads there. */")
	w.line("static int vehicle_start_carcasses(vehicle *c)\n{")
	if len(w.plan.Carcasses) == 0 {
		w.line("    (void)c;\n    return 1;\n}\n")
		return nil
	}
	w.line("    if (!vehicle_evaluate(c, c->states, c->work))\n        return 0;")
	for i := range w.plan.Carcasses {
		group := &w.plan.Carcasses[i]
		call, err := w.run(&group.Run)
		if err != nil {
			return err
		}
		for _, s := range group.States {
			w.line("    %s = c->states[%d];", w.at(s.Slip), s.State)
		}
		w.line("    if (%s)\n        return 0;", call)
		for _, s := range group.States {
			w.line("    c->states[%d] = %s;", s.State, w.at(s.Energy))
		}
	}
	w.line("    return 1;\n}\n")
	return nil
}

// formulaBounds writes the check of bounds of formulas of parameters.
func (w *writer) formulaBounds() {
	w.line("/* Whether bounds of formulas of parameters hold. */")
	w.line("static int vehicle_holds_bounds(vehicle *c)\n{\n    (void)c;")
	for i, b := range w.plan.Bounds {
		for k, rule := range boundRules(b.Of) {
			if rule.must != "" {
				w.line("    if (!(%s %s))\n        return %s; /* %s */", w.at(b.At), rule.holds, w.fault(1+3*i+k, w.at(b.At), "0"),
					printable(b.Of.Name))
			}
		}
	}
	w.line("    return 1;\n}\n")
}

// checks writes the checks of parameters and of the start.
func (w *writer) checks() error {
	w.formulaBounds()
	w.contactModes()
	w.sampleTimes()
	return w.constraints()
}

// boundRule is a bound in C and in words; both are empty for no bound.
type boundRule struct{ holds, must string }

// boundRules returns the rules for a formula of parameters.
func boundRules(b *program.Bound) (rules [3]boundRule) {
	if b.Positive {
		rules[0] = boundRule{"> 0", "be above 0"}
	}
	if b.Nonnegative {
		rules[1] = boundRule{">= 0", "not be negative"}
	}
	if b.AtMostOne {
		rules[2] = boundRule{"<= 1", "not be above 1"}
	}
	return rules
}

// Numbers of faults other than bounds: violated constraints, grounds with different friction left and right, or waves
// of another seed.
const (
	constraintFault = -1
	frictionFault   = -2
	seedFault       = -3
)

// fault returns the C result of a failed check: 0, and in FMUs a call that records the fault (a number of tables.h) and
// its values.
func (w *writer) fault(number int, x, y string) string {
	if !w.forFMU {
		return "0"
	}
	return fmt.Sprintf("vehicle_fault(c, %d, %s, %s)", number, x, y)
}

// faults writes the function that records faults.
func (w *writer) faults() {
	ground := slices.ContainsFunc(w.plan.Surfaces, func(s cosim.Surface) bool {
		return w.plan.Wheels == nil && len(w.plan.Grounds) > 0 || s.Heights.Kind == road.ISO8608
	})
	others := len(w.plan.Bounds) + len(w.plan.Contacts) + len(w.plan.Samplers)
	if !w.forFMU || others == 0 && w.plan.Residuals == nil && !ground {
		return
	}
	w.line("static int vehicle_fault(vehicle *c, int number, double x, double y)\n{\n    c->fault = number;\n" +
		"    c->fault_by[0] = x;\n    c->fault_by[1] = y;\n    return 0;\n}\n")
}

// constraints writes the check of the constraints at the start.
func (w *writer) constraints() error {
	of := w.plan.Residuals
	w.line("/* Whether constraints hold at the start. */\nstatic int vehicle_holds_constraints(vehicle *c)\n{")
	if of == nil {
		w.line("    (void)c;\n    return 1;\n}\n")
		return nil
	}
	w.line("    double largest = 0, fastest = 0;")
	w.put(of, "c->states")
	w.line("    memcpy(%s + %d, c->inputs, sizeof(double) * VEHICLE_ALL_INPUTS);", memory(of.Memory), of.Inputs)
	if err := w.evaluate(of); err != nil {
		return err
	}
	for i, place := range of.Results {
		of := "largest"
		if i >= len(w.plan.Residuals.Results)/2 {
			of = "fastest" // of rates
		}
		w.line("    %s = op_abs(%s) <= %[1]s ? %[1]s : op_abs(%[2]s);", of, w.at(place))
	}
	w.line("    if (!(largest <= c->tolerance && fastest <= c->tolerance))\n        return %s;\n    return 1;\n}\n",
		w.fault(constraintFault, "largest", "fastest"))
	return nil
}

// motions writes the prescribed motions.
func (w *writer) motions() {
	motions := w.plan.Motions
	w.line("enum { VEHICLE_MOTIONS = %d };\n", len(motions))
	w.line("static const step_motion vehicle_motions[VEHICLE_MOTIONS + 1] = {")
	for _, m := range motions {
		w.line("    {%d, %d, %d},", m.Position, m.Rate, m.Acceleration)
	}
	w.line("    {0, 0, 0}\n};\n")
	w.line("static void vehicle_time_runs(vehicle *c)\n{")
	if w.in.System().Program().Timed {
		w.line("    c->input_rates[VEHICLE_ALL_INPUTS - 1] = 1;")
	} else {
		w.line("    (void)c;")
	}
	w.line("}\n")
}

// tolerance returns the allowed constraint violation at the start; 0 in a model without constraints.
func (w *writer) tolerance() float64 {
	variable, known := w.in.System().Find(cosim.ToleranceVariable)
	if !known {
		return 0
	}
	most, _ := w.in.Get(variable) // the variable is a number
	return most
}
