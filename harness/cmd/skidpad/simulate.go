package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"skidpad/harness/drive"
	"skidpad/harness/evaluate"
	"skidpad/harness/library"
	"skidpad/harness/manoeuvre"
	"skidpad/harness/modelfile"
	"skidpad/harness/output"
	"skidpad/harness/plots"
)

// settings collects --set NAME=VALUE.
type settings []manoeuvre.Setting

func (s *settings) String() string { return "" }

func (s *settings) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	if !ok || name == "" {
		return fmt.Errorf("%q is not NAME=VALUE", text)
	}
	*s = append(*s, manoeuvre.Setting{Name: name, Value: value})
	return nil
}

// allowPlugins adds the flag for files that name libraries.
func allowPlugins(flags *flag.FlagSet) *bool {
	return flags.Bool("allow-plugins", false, "let the manoeuvre file name libraries (plugin:, sti:) whose code then runs in this process;\n"+
		"only for files and libraries that you trust; --set needs no permission")
}

// holdFlag adds the flag for inputs that are held.
func holdFlag(flags *flag.FlagSet) *bool {
	return flags.Bool("hold", false, "hold inputs for each step, as importers do that set no derivatives; default: they change linearly\n"+
		"within a step, where FMI 3.0 and FMUs that do not interpolate take their values at its end")
}

// carFlag adds the flag for a car file.
func carFlag(flags *flag.FlagSet) *string {
	return flags.String("car", "", "car `FILE` of a manoeuvre for any car; default: the one in the manoeuvre's folder \"cars\" that lists the model")
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

// simulateVerb drives one model or FMU through one manoeuvre.
func simulateVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "simulate X.fmu|MODEL.toml --manoeuvre FILE [flags]",
		"  skidpad simulate resources/models/skidder.toml \\\n"+
			"    --manoeuvre resources/manoeuvres/skidder_braking.toml --out braking.csv --plot braking.png\n"+
			"  skidpad simulate GenericVehicle.fmu --manoeuvre resources/manoeuvres/generic4w_sine.toml \\\n"+
			"    --set body.mass=1900 --set tire_FL.model=Fiala --set tire_FL.file=$PWD/fiala.toml --paced")
	manoeuvreFile := flags.String("manoeuvre", "", "manoeuvre `FILE`, TOML (required)")
	out := flags.String("out", "-", "CSV `FILE` for all outputs, SI units; - is stdout")
	inputsFile := flags.String("inputs", "", "CSV `FILE` for what the inputs were set to, for other importers")
	plotFile := flags.String("plot", "", "PNG `FILE` with speed, yaw rate, angles, wheel loads, lateral forces and path")
	method := flags.String("method", "", "solver: euler, heun, rk4, linearly-implicit; default: the model's")
	step := flags.Float64("step", 0, "communication step in `SECONDS`; default: the manoeuvre's")
	duration := flags.Float64("duration", 0, "`SECONDS` to simulate; default: the manoeuvre's")
	paced := flags.Bool("paced", false, "run in real time")
	hold := holdFlag(flags)
	car := carFlag(flags)
	noPrerun := flags.Bool("no-prerun", false, "take constants from the manoeuvre file that figures of a run before the manoeuvre would give")
	tree := flags.String("tree", "", "tree selection of a model file; default: its first")
	libraryFile := flags.String("library", "", "shared library `FILE` for a model file; default: "+libraryName()+" beside this command")
	plugins := allowPlugins(flags)
	var set settings
	flags.Var(&set, "set", "parameter or text `NAME=VALUE` to set before initialisation; may be repeated")
	var let constants
	flags.Var(&let, "let", "constant `NAME=VALUE` of the manoeuvre; may be repeated")
	models, err := parse(flags, args, 1, 1)
	if err != nil {
		return err
	}
	if *manoeuvreFile == "" {
		return usageError{errors.New("--manoeuvre is missing")}
	}
	if err := checkOutputs([]string{"--out", *out, ".csv"}, []string{"--inputs", *inputsFile, ".csv"}, []string{"--plot", *plotFile, ".png"}); err != nil {
		return err
	}
	model, err := modelfile.Name(models[0])
	if err != nil {
		return err
	}
	progress := output.NewProgress(stderr)
	e := evaluate.Evaluator{Target: manoeuvre.Target{Model: model, Car: *car}, Method: *method, Settings: set, Replaced: let, Held: *hold, Progress: progress, AllowPlugins: *plugins,
		Open: func() (drive.Subject, func(), error) { return openSubject(models[0], *tree, *libraryFile) }}
	manoeuvre, err := readForOneRun(&e, *manoeuvreFile, *noPrerun, stderr)
	if err != nil {
		return err
	}
	subject, closeAll, err := openSubject(models[0], *tree, *libraryFile)
	if err != nil {
		return err
	}
	defer closeAll()
	result, failure := drive.Simulate(subject, drive.Plan{
		Manoeuvre: manoeuvre, Method: *method, Step: *step, Duration: *duration, Held: *hold, Paced: *paced, Settings: set, Progress: progress, AllowPlugins: *plugins,
	})
	if result == nil {
		return failure
	}
	for _, p := range result.Phases {
		fmt.Fprintf(stderr, "%s: phase %s from %.6g to %.6g s\n", manoeuvre.Name, p.Name, p.Begin, p.End)
	}
	if result.Verdict != "" {
		fmt.Fprintf(stderr, "%s: %s\n", manoeuvre.Name, result.Verdict)
	}
	t, missed := result.Timing, ""
	if *paced {
		missed = fmt.Sprintf("%d missed their deadline, ", t.Missed)
	}
	fmt.Fprintf(stderr, "%s: %d steps, median %v, p99.9 %v, worst %v, %s%.0f times real time\n",
		manoeuvre.Name, t.Steps, t.Median, t.P999, t.Worst, missed, t.RealTime)
	if *plotFile != "" && len(result.Trace.Time) > 1 {
		draw := func(to io.Writer) error {
			return plots.Overview(to, result.Trace, manoeuvre.Title)
		}
		if err := output.WriteFile(*plotFile, draw); err != nil {
			return err
		}
	}
	if *inputsFile != "" {
		if err := output.WriteFile(*inputsFile, result.Inputs.WriteCSV); err != nil {
			return err
		}
	}
	where := "standard output"
	if *out == "-" {
		err = result.Trace.WriteCSV(stdout)
	} else {
		where, err = *out, output.WriteFile(*out, result.Trace.WriteCSV)
	}
	if failure != nil && err == nil {
		return fmt.Errorf("%w; %s has what was recorded up to there", failure, where)
	}
	return errors.Join(failure, err)
}

// readForOneRun reads a manoeuvre of which one run is made: with the constants that a run before it gives, which is made
// here unless it is left out. What it gave is reported on to.
func readForOneRun(e *evaluate.Evaluator, file string, noPrerun bool, to io.Writer) (*manoeuvre.Manoeuvre, error) {
	if noPrerun {
		return manoeuvre.ReadFor(e.Target, file, e.Replaced...)
	}
	m, found, err := e.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%w (--no-prerun takes the constants of the file)", err)
	}
	for _, c := range found {
		fmt.Fprintf(to, "%s: %s = %.6g, from the run of %s before\n", m.Name, c.Name, c.Value, m.Prerun.File)
	}
	for _, v := range m.Sweep {
		if !slices.ContainsFunc(e.Replaced, func(c manoeuvre.ConstantValue) bool { return c.Name == v.Name }) {
			fmt.Fprintf(to, "%s: one run, with the %s of [constants]; skidpad manoeuvre makes all of [sweep]\n", m.Name, v.Name)
		}
	}
	return m, nil
}

// openSubject makes an instance of an FMU, or loads a model file into the library.
func openSubject(path, tree, libraryFile string) (subject drive.Subject, closeAll func(), err error) {
	if strings.EqualFold(filepath.Ext(path), ".fmu") {
		if tree != "" || libraryFile != "" {
			return nil, nil, usageError{errors.New("--tree and --library are for model files; an FMU has its own")}
		}
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
	library, err := openLibrary(libraryFile)
	if err != nil {
		return nil, nil, err
	}
	vehicle, err := library.Load(path, tree)
	if err != nil {
		return nil, nil, err
	}
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
