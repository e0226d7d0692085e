package standalone

import (
	"fmt"
	"strings"
)

// readme returns README.txt, which describes the C file.
func (w *writer) readme() string {
	p := w.in.System().Program()
	choice := ""
	if len(w.method) > 1 {
		choice = fmt.Sprintf(" vehicle_reset chooses %s; another one:\n          "+
			"vehicle_set_method(&v, VEHICLE_%s).", w.method[0], constantOf(w.method[1]))
	}
	more := ""
	if w.Derivatives {
		more = "\nDerivatives of rates and outputs: vehicle_jacobian, vehicle_forward, vehicle_adjoint.\n"
	}
	if len(w.plan.Called) > 0 {
		var names []string
		for _, f := range w.plan.Called {
			names = append(names, f.Component)
		}
		more = "\nTires:    vehicle_set_tire gives functions of skidpad_tire.h to " + strings.Join(names, ", ") + ",\n" +
			"          before vehicle_initialise.\n"
	}
	return w.named(fmt.Sprintf(`%s as C99: equations, tires, solver (%s), start and saved states.

Compile:  cc -O2 -march=native -c %s.c
          Any C99 or C++ compiler does, with or without these options; results are bit-identical. Options that relax
          arithmetic (-ffast-math) are refused. The object needs memcpy, memset and memmove, and sqrt on processors
          for which the file knows no instruction.

Use:      #include "%[3]s.h"

          static vehicle v;
          vehicle_reset(&v);
          if (vehicle_initialise(&v) != VEHICLE_OK) ...
          vehicle_input(&v)[0] = 0.05;
          if (vehicle_step(&v, 0.001) == VEHICLE_ERROR) ...
          ... vehicle_state(&v)[0], vehicle_output(&v)[0] ...

          Names, units and start values: vehicle_input_table, vehicle_state_table, vehicle_output_table,
          vehicle_parameter_table. The functions are described in %[3]s.h.
%[11]s
Size:     %[4]d states, %d inputs, %d parameters, %d outputs. An instance has %d bytes, sizeof(vehicle). Machine code,
          constants and names have about %[12]d kB (gcc -O2 -march=native, x86-64 with AVX).
Cost:     operations on numbers of a solver step, without outputs and conditions that end runs: %[13]s.
Solver:   %[2]s, steps of at most %[9]g s.%[10]s
Differs from the library: where an argument of a sine, a cosine, a tangent or an exponential function is not a number
          or is out of range (2^20 rad and more), the library goes on; vehicle_step returns VEHICLE_ERROR.
`, printable(w.in.System().Model().Name), strings.Join(w.method, ", "), w.Name,
		len(p.States), len(p.Inputs)-p.Controls, len(w.parameters()), len(w.shown()), w.bytes(), w.plan.LongestStep, choice,
		more, w.flash()/1000, w.costs()))
}

// printable is a string of a model file, for a comment or for README.txt.
func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return ' '
		}
		return r
	}, text)
	return strings.ReplaceAll(strings.ReplaceAll(text, "*/", "* /"), "/*", "/ *") // in this order, for /*/
}
