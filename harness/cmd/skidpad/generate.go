package main

import (
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"unicode"

	"github.com/spf13/cobra"

	"skidpad/cosim"
	"skidpad/harness/workbench/files/resources"
	"skidpad/model/formulate"
)

// What is written.
const (
	acadosTarget = "acados"
	casadiTarget = "casadi"
	wasmTarget   = "wasm"
)

var targets = []string{"c", casadiTarget, acadosTarget, wasmTarget}

// generateCommand writes a model as C.
func generateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "generate MODEL --target c|casadi|acados|wasm [flags]",
		Short: "write a vehicle as a C file that needs no library",
		Long: "Writes a folder with a whole vehicle: equations, tires, solver, start and saved states in one C99 file,\n" +
			"its header and README.txt. Results are bit-identical to those of the library.\n" +
			"With tire_FL.model=plugin:LIBRARY#FUNCTION in --set, a C file calls the function that NAME_set_tire gives;\n" +
			"no library is loaded. The target wasm adds a WebAssembly module for browsers and Node.js, which clang\n" +
			"compiles. The target casadi is one file with functions for CasADi: rates f, steps step and outputs y, of\n" +
			"states, inputs and parameters, with exact derivatives. The target acados is one file with discrete dynamics\n" +
			"for acados: a step and its derivatives. Models with wheel contacts have the targets c and wasm.",
		Example: "  skidpad generate passenger_car --target c --out car\n" +
			"  skidpad generate generic4w --target c --name car --method rk4 --outputs 'body.*' --set 'body.mass=1.1 t'",
		Args: arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags := c.Flags()
	target := flags.String("target", "", "what to write: `c, casadi, acados or wasm` (required)")
	lang := flags.String("lang", "", "another name of --target")
	flags.MarkHidden("lang")
	tree := flags.String("tree", "", "tree selection of the model, by `NAME`; default: its first")
	pass := flags.String("pass", "", "`PASS` over the intermediates of tires, for comparison: unchanged, simplify or "+
		"combine, as in equations --passes; default: unchanged, the cheapest")
	c.RegisterFlagCompletionFunc("pass", cobra.FixedCompletions(formulate.PassNames(), cobra.ShellCompDirectiveNoFileComp))
	out := flags.StringP("out", "o", "", "`FOLDER` to write; default: the name")
	writesInto(flags, "out", "*.c", "*.h", "*.mjs", "*.wasm", "wasm", "*.json", "README.txt")
	whole := newStandaloneFlags(flags)
	c.RegisterFlagCompletionFunc("target", cobra.FixedCompletions(targets,
		cobra.ShellCompDirectiveNoFileComp))
	c.RunE = func(c *cobra.Command, args []string) error {
		if *lang != "" && *target == "" {
			fmt.Fprintf(c.ErrOrStderr(), "note: --lang %s is --target %[1]s, which writes a folder with the whole vehicle\n",
				*lang)
			*target = *lang
		}
		switch {
		case *target == "":
			return usageError{errors.New("--target is missing; give --target c for a vehicle as a C file, --target casadi " +
				"for functions of CasADi, --target acados for those of acados, or --target wasm for a WebAssembly module")}
		case !slices.Contains(targets, *target):
			return usageError{fmt.Errorf("--target is %q; it must be c, casadi, acados or wasm; skidpad equations %s "+
				"--export sympy|casadi|matlab writes the equations before optimisation", *target, args[0])}
		}
		intermediates, err := formulate.PassOf(*pass)
		if err != nil {
			return usageError{fmt.Errorf("--pass: %w", err)}
		}
		defer debug.SetGCPercent(debug.SetGCPercent(400)) // expressions and texts live until the end
		if err := found(c, resources.Models, &args[0]); err != nil {
			return err
		}
		return whole.write(args[0], *out, *target,
			cosim.Options{Tree: *tree, Intermediates: intermediates}, c.ErrOrStderr())
	}
	return c
}

// snake turns GenericVehicle into generic_vehicle.
func snake(s string) string {
	var b strings.Builder
	for i, r := range s {
		if unicode.IsUpper(r) && i > 0 {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
