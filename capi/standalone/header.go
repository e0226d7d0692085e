package standalone

import (
	"fmt"
	"strings"

	"skidpad/capi/standalone/text"
)

// header is the C header.
func (w *writer) header() string {
	p := w.in.System().Program()
	var s strings.Builder
	fmt.Fprintf(&s, "/* The functions of %s.c. */\n#ifndef VEHICLE_H\n#define VEHICLE_H\n\n", w.Name)
	s.WriteString("#include <stddef.h>\n\n")
	if len(w.plan.Called) > 0 {
		s.WriteString("#include <stdint.h>\n\n")
	}
	if w.forFMU { // names for the files of this FMU only
		s.WriteString("#if defined(__GNUC__) && !defined(_WIN32)\n#pragma GCC visibility push(hidden)\n#endif\n\n")
	}
	s.WriteString("#ifdef __cplusplus\nextern \"C\" {\n#endif\n\nenum {\n")
	count := func(name string, n int, about string) { fmt.Fprintf(&s, "    VEHICLE_%s = %d,%s\n", name, n, about) }
	count("STATES", len(p.States), "")
	count("INPUTS", len(p.Inputs)-p.Controls, "")
	count("ALL_INPUTS", len(p.Inputs), " /* with those that the solver sets itself */")
	count("PARAMETERS", len(w.parameters()), "")
	count("OUTPUTS", len(w.shown()), "")
	count("WARNINGS", len(w.warnings()), "")
	count("ENDS", len(p.Ends), "")
	count("RANGES", len(p.Ranges), " /* tables whose arguments must not leave their points */")
	count("METHODS", len(w.method), "")
	if w.plan.Derivatives != nil {
		s.WriteString("    VEHICLE_VARIABLES = VEHICLE_PARAMETERS + VEHICLE_STATES + VEHICLE_INPUTS,\n" +
			"    VEHICLE_VALUES = VEHICLE_STATES + VEHICLE_OUTPUTS,\n")
		count("ENTRIES", w.entryCount(), " /* of the Jacobian */")
		if w.forFMU {
			count("CARCASS_STATES", len(w.plan.Derivatives.Carcasses), "")
		}
	}
	s.WriteString("};\n\n/* The methods, indices of vehicle_method_table; the first is the default. */\nenum {")
	for i, name := range w.method {
		fmt.Fprintf(&s, "%s VEHICLE_%s", []string{"", ","}[min(i, 1)], constantOf(name))
	}
	s.WriteString(" };\n\nenum { VEHICLE_OK, VEHICLE_WARNING, VEHICLE_ENDED, VEHICLE_ERROR };\n\n")
	s.WriteString("typedef struct {\n    const char *name, *unit, *description;\n    double start, min, max;\n")
	s.WriteString("} vehicle_variable;\n\n")
	for _, t := range []struct {
		name string
		n    int
	}{{"state", len(p.States)}, {"input", len(p.Inputs) - p.Controls}, {"parameter", len(w.parameters())},
		{"output", len(w.shown())}} {
		fmt.Fprintf(&s, "extern const vehicle_variable vehicle_%s_table[%d];\n", t.name, max(1, t.n))
	}
	s.WriteString("extern const char *const vehicle_method_table[VEHICLE_METHODS];\n")
	fmt.Fprintf(&s, "extern const char *const vehicle_warning_table[%d];\n", max(1, len(w.warnings())))
	fmt.Fprintf(&s, "extern const char *const vehicle_end_table[%d];\n\n", max(1, len(p.Ends)))
	s.WriteString("typedef struct vehicle vehicle;\n")
	if n := len(w.plan.Called); n > 0 {
		fmt.Fprintf(&s, "\n/* Tires whose functions are in libraries. */\nenum { VEHICLE_TIRES = %d };\n"+
			"extern const char *const vehicle_tire_table[VEHICLE_TIRES];\n\n%s\n", n, text.Tires)
	}
	s.WriteString("struct vehicle { /* read and write it by the functions below */\n")
	n, inputs, rows := max(1, len(p.States)), max(1, len(p.Inputs)), len(w.plan.Rows)
	s.WriteString("    double time, ended, ended_at, out, longest, tolerance;\n")
	fmt.Fprintf(&s, "    double states[%d], inputs[%d], input_rates[%[2]d], "+
		"parameters[%[3]d];\n", n, inputs, max(1, len(w.parameters())))
	fmt.Fprintf(&s, "    double outputs[%d], levels[%d], gate_limits[%d], row_limits[%d], noted[%d], kept[%[5]d];\n",
		max(1, len(w.shown())), 5*len(w.plan.Surfaces)+1, 2*rows+2, 4*rows+1, 5*rows+1)
	fmt.Fprintf(&s, "    double work[%d], placed[%d], footprints[%d], shares[%d], memory[%d];\n", 6*n+3*inputs,
		5*len(w.plan.Grounds)+1, 2*len(w.plan.Grounds)+1, w.shares(), w.total())
	fmt.Fprintf(&s, "    double along[%d], reached[%[1]d], along_before[%[1]d];\n", len(w.plan.Grounds)+1)
	fmt.Fprintf(&s, "    double contact_along[%d], contact_along_before[%[1]d];\n", len(w.plan.Contacts)+1)
	fmt.Fprintf(&s, "    double samples[%d], samples_before[%d], sampling[%d], next_values[%d];\n", w.sampleNumbers()+1,
		w.sampleNumbers()+1, 3*len(w.plan.Samplers)+1, w.heldValues()+1)
	if d := w.plan.Derivatives; d != nil {
		fmt.Fprintf(&s, "    double shapes[%d], planes[%d], swept[%d];\n", len(d.Shaping)*2*w.shapeSize()+1,
			inputs+5*len(w.plan.Grounds), len(d.Variables)+len(p.States)+len(w.shown()))
	}
	if w.forFMU {
		s.WriteString("    double fault_by[2];\n    int fault; /* why the start was refused */\n")
	}
	fmt.Fprintf(&s, "    double left[%d];\n    unsigned char untold[%d];\n    unsigned long long warnings;\n"+
		"    int ready, method, gate_count, gates[%[2]d];\n", 2*rows+1, rows+1)
	if len(w.plan.Called) > 0 {
		s.WriteString("    vehicle_tire tires[VEHICLE_TIRES];\n")
	}
	s.WriteString("};\n\n")
	functions, end := text.Vehicle, ""
	if w.plan.Derivatives != nil {
		functions += text.Derivatives
	}
	if w.forFMU {
		functions += text.ModelHeader
		end = "\n#if defined(__GNUC__) && !defined(_WIN32)\n#pragma GCC visibility pop\n#endif\n"
	}
	return w.named(s.String() + functions + "\n#ifdef __cplusplus\n}\n#endif\n" + end + "\n#endif\n")
}

// banner is the comment at the beginning of the C file.
func (w *writer) banner() string {
	return fmt.Sprintf("/* %s, with its equations, tires and solver (%s): one file that needs no library.\n *\n"+
		" *     cc -O2 -march=native -c %s.c\n */\n", printable(w.in.System().Model().Name),
		strings.Join(w.method, ", "), w.Name)
}
