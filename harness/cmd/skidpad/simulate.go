package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"skidpad/harness/drive"
	"skidpad/harness/evaluate"
	"skidpad/harness/manoeuvre"
	"skidpad/harness/modelfile"
	"skidpad/harness/output"
	"skidpad/harness/plots"
	"skidpad/harness/resources"
)

// simulateFlags are the flags of simulate.
type simulateFlags struct {
	manoeuvre, out, inputs, plot *string
	method, tree, library, car   *string
	step, duration               *float64
	paced, hold                  *bool
	noPrerun, plugins            *bool
	set                          settings
	let                          constants
}

// simulateCommand drives one model or FMU through one manoeuvre.
func simulateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "simulate MODEL|X.fmu --manoeuvre MANOEUVRE [flags]",
		Short: "run one manoeuvre on a model or FMU and record its outputs",
		Long: "Runs a model file or an FMU through one manoeuvre and writes all outputs as CSV, a row for each\n" +
			"communication step. MODEL and MANOEUVRE are TOML files, or names that 'skidpad list' shows.\n" +
			"When interrupted, it writes what was recorded and ends with status 130.",
		Example: "  skidpad simulate skidder --manoeuvre skidder_braking --out braking.csv --plot braking.png\n" +
			"  skidpad simulate GenericVehicle.fmu --manoeuvre resources/manoeuvres/generic4w_sine.toml \\\n" +
			"    --set body.mass=1900 --set tire_FL.model=Fiala --set tire_FL.file=$PWD/fiala.toml --paced",
		Args: arguments(1, 1, "one MODEL or X.fmu"), ValidArgsFunction: names(resources.Models),
	}
	f, flags := &simulateFlags{}, c.Flags()
	f.manoeuvre = manoeuvreFlag(c, "`MANOEUVRE`: TOML file or name (required)")
	f.out = flags.StringP("out", "o", "-", "CSV `FILE` for all outputs, SI units; - is standard output")
	f.inputs = flags.String("inputs", "", "CSV `FILE` for what the inputs were set to, for other importers")
	f.plot = flags.String("plot", "", "PNG `FILE` with speed, yaw rate, angles, wheel loads, lateral forces and path")
	f.method = methodFlag(flags)
	f.step = flags.Float64("step", 0, "communication step in `SECONDS`; default: the manoeuvre's")
	f.duration = flags.Float64("duration", 0, "`SECONDS` to simulate; default: the manoeuvre's")
	f.paced = flags.Bool("paced", false, "run in real time")
	f.tree = flags.String("tree", "", "tree selection of a model file, by `NAME`; default: its first")
	f.library, f.hold, f.car = libraryFlag(flags), holdFlag(flags), carFlag(flags)
	f.noPrerun, f.plugins = noPrerunFlag(flags), allowPlugins(flags)
	flags.Var(&f.set, "set", "parameter or text `NAME=VALUE` to set before initialisation; may be repeated")
	flags.Var(&f.let, "let", "constant `NAME=VALUE` of the manoeuvre; may be repeated")
	c.RunE = f.run
	return c
}

func (f *simulateFlags) run(c *cobra.Command, args []string) error {
	stdout, stderr, model := c.OutOrStdout(), c.ErrOrStderr(), args[0]
	if *f.manoeuvre == "" {
		return usageError{errNoManoeuvre}
	}
	err := checkOutputs([]string{"--out", *f.out, ".csv"}, []string{"--inputs", *f.inputs, ".csv"},
		[]string{"--plot", *f.plot, ".png"})
	if err != nil {
		return err
	}
	if err := errors.Join(found(resources.Models, &model), found(resources.Manoeuvres, f.manoeuvre)); err != nil {
		return err
	}
	name, err := modelfile.Name(model)
	if err != nil {
		return err
	}
	progress, interrupt := output.NewProgress(stderr), interruptOf(c)
	open := func() (drive.Subject, func(), error) { return openSubject(model, *f.tree, *f.library) }
	e := evaluate.Evaluator{
		Target: manoeuvre.Target{Model: name, Car: *f.car}, Method: *f.method, Settings: f.set, Replaced: f.let,
		Held: *f.hold, Progress: progress, AllowPlugins: *f.plugins, Open: open, Interrupt: interrupt,
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
		Settings: f.set, Progress: progress, AllowPlugins: *f.plugins, Interrupt: interrupt,
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

// errNoManoeuvre says that a required flag is missing.
var errNoManoeuvre = errors.New("--manoeuvre is missing; give a file or a name that 'skidpad list manoeuvres' shows")

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
