package main

import (
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"skidpad/capi/standalone"
	"skidpad/cosim"
	"skidpad/harness/library"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/runs/drive"
)

// standaloneFlags holds the flags of generated vehicles.
type standaloneFlags struct {
	name, method, outputs *string
	vary, controls        *string
	frozen, trim          *bool
	derivatives           *bool
	set                   settings
}

func newStandaloneFlags(flags *pflag.FlagSet) *standaloneFlags {
	f := &standaloneFlags{
		name: flags.String("name", "", "beginning of all `NAMES` in C; default: the model's name in small letters"),
		method: flags.String("method", "", "`METHODS` of the solver, "+standalone.Methods+": one, or several with commas, "+
			"of which the first is the default; default: the model's"),
		outputs: flags.String("outputs", "all", "`OUTPUTS` that are computed: all, none, or names and patterns with commas"),
		frozen: flags.Bool("freeze", false, "parameters become constants of the equations: the file has no parameters, and "+
			"is shorter and faster; functions for CasADi and acados without --vary are always so"),
		trim: flags.Bool("trim", false, "start in a steady motion, or at rest, as trim finds it: its start values become "+
			"those of the file"),
		derivatives: flags.Bool("derivatives", false, "with exact derivatives of rates and outputs by states, inputs and "+
			"parameters, in C: functions NAME_jacobian, NAME_forward and NAME_adjoint"),
		vary: flags.String("vary", "", "`PARAMETERS` that functions for CasADi and acados take as p, with commas; "+
			"default: none"),
		controls: flags.String("controls", "", "`INPUTS` that functions for acados take as u, with commas; others keep "+
			"their start values; default: all"),
	}
	flags.Var(&f.set, "set", "parameter or text `NAME=VALUE` of the vehicle, such as 'body.mass=1.1 t'; may be repeated")
	return f
}

// split returns the names of a list.
func split(list string) []string {
	return strings.FieldsFunc(list, func(r rune) bool { return r == ',' || r == ' ' })
}

var identifier = regexp.MustCompile(`^[a-z][a-z0-9_]{0,23}$`)

// write writes a vehicle into a folder.
func (f *standaloneFlags) write(model, out, target string, o cosim.Options, stderr io.Writer) error {
	module, functions := target == wasmTarget, target == casadiTarget || target == acadosTarget
	switch {
	case *f.derivatives && module:
		return usageError{errors.New("--derivatives goes with --target c; a WebAssembly module has none")}
	case *f.vary != "" && !functions:
		return usageError{errors.New("--vary goes with --target casadi or acados; a C file has all parameters")}
	case *f.controls != "" && target != acadosTarget:
		return usageError{errors.New("--controls goes with --target acados; other files have all inputs")}
	case *f.frozen && *f.vary != "":
		return usageError{errors.New("--freeze leaves no parameters to --vary; leave one of them out")}
	}
	instances, err := f.instances(model, o, stderr)
	if err != nil {
		return err
	}
	defer func() {
		for _, in := range instances {
			in.Close()
		}
	}()
	system := instances[0].System()
	name := *f.name
	if name == "" {
		name = snake(system.Model().Name)
	}
	if !identifier.MatchString(name) {
		return usageError{fmt.Errorf("--name is %q; it must begin with a small letter, and have small letters, digits and _ "+
			"only, at most 24 in all", name)}
	}
	wanted, err := f.wanted(system)
	if err != nil {
		return err
	}
	files, err := standalone.Files(instances, standalone.Options{Name: name, Outputs: wanted, Frozen: *f.frozen,
		Derivatives: *f.derivatives, CasADi: target == casadiTarget, Acados: target == acadosTarget, Module: module,
		Vary: split(*f.vary), Controls: split(*f.controls)})
	if err != nil {
		return err
	}
	if out == "" {
		out = name
	}
	if err := output.MakeFolder(out); err != nil {
		return err
	}
	for _, file := range files {
		path := filepath.Join(out, filepath.FromSlash(file.Name))
		if err := output.MakeFolder(filepath.Dir(path)); err != nil {
			return err
		}
		if err := output.WriteFile(path, func(to io.Writer) error {
			_, err := io.WriteString(to, file.Text)
			return err
		}); err != nil {
			return err
		}
	}
	switch {
	case module:
		return compileModule(name, out, stderr)
	case target == acadosTarget:
		fmt.Fprintf(stderr, "%s: model.dyn_generic_source of acados, with the functions %s_disc_dyn_fun and "+
			"%[2]s_disc_dyn_fun_jac; the first parameter is the step [s]\n", filepath.Join(out, name+"_acados.c"), name)
		return nil
	case functions:
		fmt.Fprintf(stderr, "%s: compile it in its folder by cc %s; then casadi.external('f', './%s_casadi.so')\n",
			filepath.Join(out, name+"_casadi.c"), strings.Join(standalone.CasADiCommand(name), " "), name)
		return nil
	}
	fmt.Fprintf(stderr, "%s: compile it by cc -O2 -march=native -c %s.c; %s.h has its functions\n",
		filepath.Join(out, name+".c"), name, name)
	return nil
}

// instances are the vehicle with the settings, initialised, by method.
func (f *standaloneFlags) instances(model string, o cosim.Options, stderr io.Writer) ([]*cosim.Instance, error) {
	methods, err := standalone.SplitMethods(*f.method)
	if err != nil {
		return nil, usageError{fmt.Errorf("--method: %w", err)}
	}
	m, err := readModel(model, stderr)
	if err != nil {
		return nil, err
	}
	s, err := cosim.New(m, o)
	if err != nil {
		return nil, err
	}
	return standalone.Instances(methods, func() (*cosim.Instance, error) {
		in, err := s.Instantiate()
		if err != nil {
			return nil, err
		}
		if err := drive.Apply(adjusted{in}, f.set); err != nil {
			in.Close()
			return nil, usageError{fmt.Errorf("--set: %w", err)}
		}
		if *f.trim {
			if err := steady(in, methods); err != nil {
				in.Close()
				return nil, fmt.Errorf("--trim: %w", err)
			}
		}
		return in, nil
	})
}

// steady gives an instance the start values of a steady motion with the first of some methods, which all are to share;
// without methods, with that of the model.
func steady(in *cosim.Instance, methods []string) error {
	if len(methods) > 0 {
		if err := in.SetText("solver.method", methods[0]); err != nil {
			return err
		}
	}
	if err := standalone.Refusal(in); err != nil {
		return err
	}
	if name := standalone.LibraryTire(in); name != "" {
		return fmt.Errorf("the function of %s is in a library, which is not loaded: without its forces there is no steady "+
			"motion; leave out --trim", name)
	}
	_, err := in.Trim()
	return err
}

// wanted are the outputs that are computed; nil for all.
func (f *standaloneFlags) wanted(s *cosim.System) (func(name string) bool, error) {
	switch *f.outputs {
	case "all":
		return nil, nil
	case "none":
		return func(string) bool { return false }, nil
	}
	var names []string
	for _, v := range s.Variables()[s.First(cosim.Output):s.First(cosim.Energy)] {
		names = append(names, v.Name)
	}
	patterns := recording.Split(*f.outputs)
	matches := func(pattern, name string) bool {
		is, err := filepath.Match(pattern, name)
		return err == nil && is
	}
	for _, p := range patterns {
		if !slices.ContainsFunc(names, func(name string) bool { return matches(p, name) }) {
			return nil, usageError{fmt.Errorf("--outputs: the model has no output %s; 'skidpad list MODEL' names all", p)}
		}
	}
	return func(name string) bool {
		return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, name) })
	}, nil
}

// adjusted takes settings for an instance of the engine.
type adjusted struct{ *cosim.Instance }

// Find implements drive.Settable.
func (a adjusted) Find(name string) (library.Variable, error) {
	s := a.System()
	if i, ok := s.Find(name); ok {
		v := s.Variables()[i]
		return library.Variable{Name: v.Name, Unit: v.Unit, Text: v.Text, Start: v.Start}, nil
	}
	for _, c := range a.Coefficients() {
		if c.Name == name {
			return library.Variable{Name: c.Name, Unit: c.Unit, Text: c.Text, Start: c.Start}, nil
		}
	}
	return library.Variable{}, fmt.Errorf("the model has no variable %s; 'skidpad list MODEL' names all", name)
}

// SetNamed implements drive.Settable.
func (a adjusted) SetNamed(name string, value float64) error {
	if i, ok := a.System().Find(name); ok {
		return a.Set(i, value)
	}
	for _, c := range a.Coefficients() {
		if c.Name == name {
			return a.Set(c.Index, value)
		}
	}
	_, err := a.Find(name)
	return err
}

// Adjustable lists what patterns of settings match.
func (a adjusted) Adjustable() (names []string) {
	s := a.System()
	for _, v := range s.Variables() {
		if v.Kind <= cosim.Input {
			names = append(names, v.Name)
		}
	}
	for _, c := range a.Coefficients() {
		names = append(names, c.Name)
	}
	return names
}

// compileModule compiles a WebAssembly module, or says how it is compiled.
func compileModule(name, out string, stderr io.Writer) error {
	compiler, err := exec.LookPath("clang")
	for version := 30; err != nil && version >= 11; version-- {
		compiler, err = exec.LookPath(fmt.Sprint("clang-", version))
	}
	command := standalone.ModuleCommand(name)
	if err != nil {
		fmt.Fprintf(stderr, "%s: there is no clang here; install clang and lld, then run in this folder: clang %s\n", out,
			strings.Join(command, " "))
		return nil
	}
	c := exec.Command(compiler, command...)
	c.Dir = out
	if said, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %s %s: %w\n%s\nclang needs the target wasm32 and the linker wasm-ld of the package lld", out,
			compiler, strings.Join(command, " "), err, strings.TrimSpace(string(said)))
	}
	fmt.Fprintf(stderr, "%s: import { load } from './%s.mjs'\n", filepath.Join(out, name+".wasm"), name)
	return nil
}
