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
	return flags.Bool("allow-plugins", false,
		"let the manoeuvre file name libraries (plugin:, sti:) whose code then runs in this process;\n"+
			"only for files and libraries that you trust; --set needs no permission")
}

// holdFlag adds the flag for inputs that are held.
func holdFlag(flags *flag.FlagSet) *bool {
	return flags.Bool("hold", false,
		"hold inputs for each step, as importers do that set no derivatives; default: they change linearly\n"+
			"within a step, where FMI 3.0 and FMUs that do not interpolate take their values at its end")
}

// carFlag adds the flag for a car file.
func carFlag(flags *flag.FlagSet) *string {
	return flags.String("car", "",
		"car `FILE` of a manoeuvre for any car; default: the one in the manoeuvre's folder \"cars\" that lists the "+
			"model")
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

// noPrerunFlag adds the flag for constants that a run before would give.
func noPrerunFlag(flags *flag.FlagSet) *bool {
	return flags.Bool("no-prerun", false, "take constants from the manoeuvre file that figures of a run before the "+
		"manoeuvre would give")
}

// writeResults writes to a file, or to stdout where it is called -, and says where that was.
func writeResults(file string, stdout io.Writer, write func(io.Writer) error) (where string, err error) {
	if file == "-" {
		return "standard output", write(stdout)
	}
	return file, output.WriteFile(file, write)
}

// simulateFlags are the flags of simulate.
type simulateFlags struct {
	flags *flag.FlagSet

	manoeuvre, out, inputs, plot *string
	method, tree, library, car   *string
	step, duration               *float64
	paced, hold                  *bool
	noPrerun, plugins            *bool
	set                          settings
	let                          constants
}

func newSimulateFlags(help io.Writer) *simulateFlags {
	flags := newFlags(help, "simulate X.fmu|MODEL.toml --manoeuvre FILE [flags]",
		"  skidpad simulate resources/models/skidder.toml \\\n"+
			"    --manoeuvre resources/manoeuvres/skidder_braking.toml --out braking.csv --plot braking.png\n"+
			"  skidpad simulate GenericVehicle.fmu --manoeuvre resources/manoeuvres/generic4w_sine.toml \\\n"+
			"    --set body.mass=1900 --set tire_FL.model=Fiala --set tire_FL.file=$PWD/fiala.toml --paced")
	f := &simulateFlags{flags: flags}
	f.manoeuvre = flags.String("manoeuvre", "", "manoeuvre `FILE`, TOML (required)")
	f.out = flags.String("out", "-", "CSV `FILE` for all outputs, SI units; - is stdout")
	f.inputs = flags.String("inputs", "", "CSV `FILE` for what the inputs were set to, for other importers")
	f.plot = flags.String("plot", "", "PNG `FILE` with speed, yaw rate, angles, wheel loads, lateral forces and path")
	f.method = flags.String("method", "", "solver: euler, heun, rk4, linearly-implicit; default: the model's")
	f.step = flags.Float64("step", 0, "communication step in `SECONDS`; default: the manoeuvre's")
	f.duration = flags.Float64("duration", 0, "`SECONDS` to simulate; default: the manoeuvre's")
	f.paced = flags.Bool("paced", false, "run in real time")
	f.tree = flags.String("tree", "", "tree selection of a model file; default: its first")
	f.library = flags.String("library", "", "shared library `FILE` for a model file; default: "+libraryName()+
		" beside this command")
	f.hold, f.car, f.noPrerun, f.plugins = holdFlag(flags), carFlag(flags), noPrerunFlag(flags), allowPlugins(flags)
	flags.Var(&f.set, "set", "parameter or text `NAME=VALUE` to set before initialisation; may be repeated")
	flags.Var(&f.let, "let", "constant `NAME=VALUE` of the manoeuvre; may be repeated")
	return f
}

// simulateVerb drives one model or FMU through one manoeuvre.
func simulateVerb(args []string, stdout, stderr io.Writer) error {
	f := newSimulateFlags(stdout)
	models, err := parse(f.flags, args, 1, 1)
	if err != nil {
		return err
	}
	if *f.manoeuvre == "" {
		return usageError{errors.New("--manoeuvre is missing")}
	}
	err = checkOutputs([]string{"--out", *f.out, ".csv"}, []string{"--inputs", *f.inputs, ".csv"},
		[]string{"--plot", *f.plot, ".png"})
	if err != nil {
		return err
	}
	model, err := modelfile.Name(models[0])
	if err != nil {
		return err
	}
	progress := output.NewProgress(stderr)
	open := func() (drive.Subject, func(), error) { return openSubject(models[0], *f.tree, *f.library) }
	e := evaluate.Evaluator{
		Target: manoeuvre.Target{Model: model, Car: *f.car}, Method: *f.method, Settings: f.set, Replaced: f.let,
		Held: *f.hold, Progress: progress, AllowPlugins: *f.plugins, Open: open,
	}
	m, err := readForOneRun(&e, *f.manoeuvre, *f.noPrerun, stderr)
	if err != nil {
		return err
	}
	subject, closeAll, err := open()
	if err != nil {
		return err
	}
	defer closeAll()
	result, failure := drive.Simulate(subject, drive.Plan{
		Manoeuvre: m, Method: *f.method, Step: *f.step, Duration: *f.duration, Held: *f.hold, Paced: *f.paced,
		Settings: f.set, Progress: progress, AllowPlugins: *f.plugins,
	})
	if result == nil {
		return failure
	}
	f.report(stderr, m.Name, result)
	where, err := f.write(stdout, m.Title, result)
	if failure != nil && err == nil {
		return fmt.Errorf("%w; %s has what was recorded up to there", failure, where)
	}
	return errors.Join(failure, err)
}

// report prints phases, verdict and the duration of the steps.
func (f *simulateFlags) report(to io.Writer, name string, result *drive.Result) {
	for _, p := range result.Phases {
		fmt.Fprintf(to, "%s: phase %s from %.6g to %.6g s\n", name, p.Name, p.Begin, p.End)
	}
	if result.Verdict != "" {
		fmt.Fprintf(to, "%s: %s\n", name, result.Verdict)
	}
	t, missed := result.Timing, ""
	if *f.paced {
		missed = fmt.Sprintf("%d missed their deadline, ", t.Missed)
	}
	fmt.Fprintf(to, "%s: %d steps, median %v, p99.9 %v, worst %v, %s%.0f times real time\n",
		name, t.Steps, t.Median, t.P999, t.Worst, missed, t.RealTime)
}

// write writes what was recorded, and says where the outputs are.
func (f *simulateFlags) write(stdout io.Writer, title string, result *drive.Result) (where string, err error) {
	if *f.plot != "" && len(result.Trace.Time) > 1 {
		draw := func(to io.Writer) error { return plots.Overview(to, result.Trace, title) }
		if err := output.WriteFile(*f.plot, draw); err != nil {
			return "", err
		}
	}
	if *f.inputs != "" {
		if err := output.WriteFile(*f.inputs, result.Inputs.WriteCSV); err != nil {
			return "", err
		}
	}
	return writeResults(*f.out, stdout, result.Trace.WriteCSV)
}

// readForOneRun reads a manoeuvre of which one run is made: with the constants that a run before it gives, which is
// made here unless it is left out. What it gave is reported on to.
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
			fmt.Fprintf(to, "%s: one run, with the %s of [constants]; skidpad manoeuvre makes all of [sweep]\n", m.Name,
				v.Name)
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
