package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/plots"
	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/document"
	"skidpad/model/roles"
	"skidpad/model/solver"
)

// settings collects --set NAME=VALUE, where a number can have a unit.
type settings []manoeuvre.Setting

func (s *settings) String() string { return "" }
func (s *settings) Type() string   { return "NAME=VALUE" }

func (s *settings) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("%q is not NAME=VALUE", text)
	}
	setting, err := manoeuvre.ParseSetting("--set", name, value)
	*s = append(*s, setting)
	return withoutFlag("--set", err)
}

// withoutFlag is an error that does not begin with the flag, which the command line puts before it.
func withoutFlag(flag string, err error) error {
	if err == nil {
		return nil
	}
	return errors.New(strings.TrimPrefix(err.Error(), flag+": "))
}

// constants collects --let NAME=VALUE, where the number can have a unit.
type constantValues []manoeuvre.ConstantValue

func (c *constantValues) String() string { return "" }
func (c *constantValues) Type() string   { return "NAME=VALUE" }

func (c *constantValues) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("%q is not NAME=VALUE", text)
	}
	x, written, is, err := constants.ParseWritten("--let", name, value)
	if !is && err == nil {
		x, err = finite(value)
	}
	*c = append(*c, manoeuvre.ConstantValue{Name: name, Value: x, Written: written})
	return withoutFlag("--let", err)
}

// endConditions are the values of --end-at, as given.
type endConditions []string

func (e *endConditions) String() string { return "" }
func (e *endConditions) Type() string   { return "CONDITION" }

func (e *endConditions) Set(text string) error {
	*e = append(*e, text)
	if roles.Mentions(text) {
		return nil // it is read with the roles of the vehicle
	}
	_, err := manoeuvre.ParseEndAt(text, nil)
	return err
}

// of reads the conditions for a vehicle; nil for none.
func (e endConditions) of(vehicle *roles.Roles) (list []manoeuvre.EndCondition, err error) {
	for _, text := range e {
		c, err := manoeuvre.ParseEndAt(text, vehicle)
		if err != nil {
			return nil, usageError{err}
		}
		list = append(list, c)
	}
	return list, nil
}

// variations collects --param NAME=VALUES, and NAME without values.
type variations []manoeuvre.Variation

func (v *variations) String() string { return "" }
func (v *variations) Type() string   { return "NAME=VALUES" }

func (v *variations) Set(text string) error {
	if text != "" && !strings.Contains(text, "=") { // one whose own value changes by a percentage
		*v = append(*v, manoeuvre.Variation{Name: text})
		return nil
	}
	one, err := manoeuvre.ParseVariation(text)
	*v = append(*v, one)
	return err
}

// numbers collects N,N,...
type numbers []float64

func (n *numbers) String() string { return "" }
func (n *numbers) Type() string   { return "N,N,..." }

func (n *numbers) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		x, err := finite(strings.TrimSpace(part))
		if err != nil {
			return err
		}
		*n = append(*n, x)
	}
	return nil
}

// excludeEachOther refuses two flags of a command together.
func excludeEachOther(c *cobra.Command, one, other string) {
	before := c.PreRunE
	c.PreRunE = func(c *cobra.Command, args []string) error {
		if before != nil {
			if err := before(c, args); err != nil {
				return err
			}
		}
		if c.Flags().Changed(one) && c.Flags().Changed(other) {
			return usageError{fmt.Errorf("--%s and --%s exclude each other: give one of them", one, other)}
		}
		return nil
	}
}

// finite reads a finite number.
func finite(text string) (float64, error) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, fmt.Errorf("%q is not a finite number", text)
	}
	return x, nil
}

// allowPlugins adds the flag for files that name libraries.
func allowPlugins(flags *pflag.FlagSet) *bool {
	return flags.Bool("allow-plugins", false,
		"let the manoeuvre file name libraries (plugin:, sti:), whose code then runs in this process; only for files "+
			"and libraries that you trust; --set needs no permission")
}

// holdFlag adds the flag for inputs that are held.
func holdFlag(flags *pflag.FlagSet) *bool {
	return flags.Bool("hold", false,
		"hold inputs for each step, as importers do that set no derivatives; default: they change linearly "+
			"within a step, where FMI 3.0 and FMUs that do not interpolate take their values at its end")
}

// carFlag adds the flag for a car file.
func carFlag(flags *pflag.FlagSet) *string {
	return flags.String("car", "",
		"car `FILE` with [roles] of the vehicle, which add to its own and replace them (docs/cars.md); default: the "+
			"vehicle's own, and a file in the manoeuvre's folder \"cars\" that lists the model")
}

// noPrerunFlag adds the flag for constants that a run before would give.
func noPrerunFlag(flags *pflag.FlagSet) *bool {
	return flags.Bool("no-prerun", false, "take constants from the manoeuvre file that figures of a run before the "+
		"manoeuvre would give")
}

// libraryFlag adds the flag for the shared library.
func libraryFlag(flags *pflag.FlagSet) *string {
	return flags.String("library", "", "shared library `FILE` of Skidpad; default: libskidpad beside this command")
}

// methodFlag adds the flag for the solver.
func methodFlag(flags *pflag.FlagSet) *string {
	return flags.String("method", "", "`SOLVER` (docs/solvers.md): "+strings.Join(solver.Names(), ", ")+
		"; default: the model's")
}

// manoeuvreFlag adds the flag for a manoeuvre, by path or by name.
func manoeuvreFlag(c *cobra.Command, usage string) *string {
	value := c.Flags().String("manoeuvre", "", usage)
	c.RegisterFlagCompletionFunc("manoeuvre", names(resources.Manoeuvres))
	return value
}

// found replaces the names of resources by their paths.
func found(c *cobra.Command, kind resources.Kind, words ...*string) error {
	for _, word := range words {
		path, err := kind.Find(*word)
		if err != nil {
			return usageError{err}
		}
		if path != *word && isFolder(*word) {
			fmt.Fprintf(c.ErrOrStderr(), "note: %s is a folder here; the %s is %s\n", *word, kind.One, path)
		}
		*word = path
	}
	return nil
}

// checkOutputs refuses files for results, each behind its flag and before what its name may end in.
func checkOutputs(files ...[]string) error {
	for _, f := range files {
		if file := f[1]; file != "" && file != "-" {
			if err := output.CheckOutput(file, f[2:]...); err != nil {
				return usageError{fmt.Errorf("%s %w", f[0], err)}
			}
		}
	}
	return nil
}

// checkDistinct rejects files that would replace each other. Each argument is the name of a file in messages, then its
// path.
func checkDistinct(files ...[2]string) error {
	for i, f := range files {
		for _, other := range files[:i] {
			if f[1] != "" && f[1] != "-" && output.SameFile(f[1], other[1]) {
				return usageError{fmt.Errorf("%s and %s are both %s; give each a file of its own", other[0], f[0], f[1])}
			}
		}
	}
	return nil
}

// plotStyleFlag is the style of --plot.
func plotStyleFlag(flags *pflag.FlagSet) *string {
	return flags.String("plot-style", plots.Styles[0], "`STYLE` of --plot: screen, 175 mm wide with two columns, "+
		"or paper, 85 mm wide with one")
}

// checkPlot refuses a file or a style of a plot before the work.
func checkPlot(file, style string) error {
	if err := plots.CheckStyle(style); err != nil {
		return usageError{fmt.Errorf("--plot-style: %w", err)}
	}
	return checkOutputs(append([]string{"--plot", file}, plots.Endings...))
}

// energyFlag records works.
func energyFlag(flags *pflag.FlagSet) *bool {
	return flags.Bool("energy", false, "record energy: columns energy.*, and the ledger of what each component stores, "+
		"supplies and dissipates")
}

// openSubject makes an instance of an FMU, or loads a model file into the library.
func openSubject(path, tree, libraryFile string) (subject drive.Subject, closeAll func(), err error) {
	return openAsking(path, tree, libraryFile, "")
}

// openAsking is openSubject with reactions that are asked for beside those of the model file.
func openAsking(path, tree, libraryFile, reactions string) (subject drive.Subject, closeAll func(), err error) {
	if strings.EqualFold(filepath.Ext(path), ".fmu") {
		if reactions != "" {
			return nil, nil, usageError{errors.New("--reactions is for model files; an FMU has those that it was packed " +
				"with: pack it again, with --reactions")}
		}
		if tree != "" || libraryFile != "" {
			return nil, nil, usageError{errors.New("--tree and --library are for model files; an FMU has its own")}
		}
		shieldStdout()
		f, err := library.OpenFMU(path)
		if err != nil {
			return nil, nil, err
		}
		c, err := f.Instantiate(f.ModelName, f.Token)
		if err != nil {
			f.Close()
			return nil, nil, fmt.Errorf("%s: %w", path, err)
		}
		return c, func() { c.Close(); f.Close() }, nil
	}
	lib, err := openLibrary(libraryFile)
	if err != nil {
		return nil, nil, err
	}
	vehicle, err := lib.LoadReactions(path, tree, reactions)
	if err != nil {
		return nil, nil, err
	}
	vehicle.Know(func() []document.Formula { return modelfile.Formulas(path) })
	return vehicle, func() { vehicle.Close() }, nil
}

// libraryName is the file name of the shared library on this system.
func libraryName() string {
	switch runtime.GOOS {
	case "windows":
		return "libskidpad.dll"
	case "darwin":
		return "libskidpad.dylib"
	}
	return "libskidpad.so"
}

// openLibrary loads the library at path, or, without path, the one that lies
// beside this command.
func openLibrary(path string) (*library.Library, error) {
	if path == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, err
		}
		path = filepath.Join(filepath.Dir(self), libraryName())
	}
	absolute, err := filepath.Abs(path) // the system's loader searches for bare names
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(absolute); err != nil {
		return nil, fmt.Errorf("no library: %w; build it with ./build.sh or name it with --library", err)
	}
	return library.Open(absolute)
}

// writeResults writes to a file, or to stdout for -, and returns the name of the output.
func writeResults(file string, stdout io.Writer, write func(io.Writer) error) (where string, err error) {
	if file == "-" {
		return "standard output", write(stdout)
	}
	return file, output.WriteFile(file, write)
}
