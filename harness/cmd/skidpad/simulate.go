package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness"
	"skidpad/harness/library"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/plots"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
	"skidpad/model/bounded"
)

// simulateFlags are the flags of simulate.
type simulateFlags struct {
	manoeuvre, out, inputs, plot, plotStyle *string
	record, filter                          *string
	reactions, in                           *string
	method, tree, library, car              *string
	every, step, duration                   *float64
	paced, hold, energy, single             *bool
	noPrerun, plugins, pipe                 *bool
	driver                                  *string
	replay                                  replayFlags
	controllers                             *[]string
	set                                     settings
	let                                     constantValues
	endAt                                   endConditions
}

// simulateCommand drives one model or FMU through one manoeuvre.
func simulateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "simulate MODEL|X.fmu --manoeuvre MANOEUVRE | --replay DRIVE [flags]",
		Short: "run one manoeuvre on a model or FMU and record its outputs",
		Long: "Runs a model file or an FMU through one manoeuvre and writes its outputs, a row for each\n" +
			"communication step, in SI units. The ending of --out selects the format:\n" + recording.Text() +
			"MODEL and MANOEUVRE are TOML files, or names that 'skidpad list' shows.\n" +
			"CSV and MDF files are written as the run goes, and Parquet files in groups of rows; .mat, .json,\n" +
			"and what --every, --filter and --plot make, in the end.\n" +
			"When interrupted, it completes the files with what was recorded and ends with status 130.\n" +
			"With --replay it repeats a drive of 'skidpad view --record' bit by bit instead, and compares it.",
		Example: "  skidpad simulate skidder --manoeuvre skidder_braking --out braking.csv --plot braking.png\n" +
			"  skidpad simulate GenericVehicle.fmu --manoeuvre resources/manoeuvres/generic4w_sine.toml \\\n" +
			"    --set body.mass=1900 --set tire_FL.model=Fiala --set tire_FL.file=$PWD/fiala.toml --paced\n" +
			"  skidpad simulate --replay drives/drive-20260401-101500.zip --out drive.parquet",
		Args: arguments(0, 1, "one MODEL or X.fmu"), ValidArgsFunction: names(resources.Models, ".fmu"),
	}
	f, flags := &simulateFlags{}, c.Flags()
	f.manoeuvre = manoeuvreFlag(c, "`MANOEUVRE`: TOML file or name (required)")
	f.out = flags.StringP("out", "o", "-", "`FILE` for the outputs, "+strings.Join(recording.Endings(), ", ")+
		"; - is CSV on standard output")
	f.record = flags.String("record", "", "`PATTERNS` of variables to record, 'body.*,@wheel[*].F?'; -NAME leaves out; "+
		"default: what the manoeuvre records, or all")
	f.reactions, f.in = reactionsFlags(flags, "are recorded, too")
	f.single = flags.Bool("single", false, "write single precision, to .parquet, .mat and .mf4")
	f.every = secondsFlag(flags, "every", 0, "`SECONDS` between rows, 0.01 or 10ms, instead of the communication step; "+
		"signals are smoothed before")
	f.filter = flags.String("filter", "", "`EDGE` such as 10Hz of the Butterworth filter without phase shift that "+
		"smooths signals, or none; default with --every: a third of the new rate")
	f.inputs = flags.String("inputs", "", "CSV `FILE` for what the inputs were set to, for other importers")
	f.plot = flags.String("plot", "", "`FILE` (.png, .svg, .pdf) with speed, steering, lateral acceleration, yaw rate, "+
		"angles, wheel loads, lateral forces and path")
	writesTo(flags, "out", "inputs", "plot")
	f.plotStyle = plotStyleFlag(flags)
	f.method = methodFlag(flags)
	f.step = secondsFlag(flags, "step", 0, "communication step in `SECONDS`, 0.001 or 1ms; default: the manoeuvre's")
	f.duration = secondsFlag(flags, "duration", 0, "`SECONDS` to simulate, 2.5 or '1 min'; default: the manoeuvre's")
	f.paced = flags.Bool("paced", false, "run in real time")
	f.tree = flags.String("tree", "", "tree selection of a model file, by `NAME`; default: its first")
	f.library, f.hold, f.car = libraryFlag(flags), holdFlag(flags), carFlag(flags)
	f.energy, f.controllers = energyFlag(flags), controllerFlag(c)
	f.noPrerun, f.plugins, f.pipe = noPrerunFlag(flags), allowPlugins(flags), controlPipeFlag(flags)
	f.driver = driverFlag(flags)
	flags.Var(&f.set, "set", "parameter or text `NAME=VALUE` to set before initialisation, such as 'body.mass=1.1 t'; "+
		"may be repeated")
	flags.Var(&f.let, "let", "constant `NAME=VALUE` of the manoeuvre, such as 'speed=80 km/h'; may be repeated")
	flags.Var(&f.endAt, "end-at", "`CONDITION` that ends the run instead of the manoeuvre's or the vehicle's own: "+
		"fallen (of one or two wheels), rolled-over, below-road, crushed, none, or "+
		"'{ formula = \"abs(body.roll)\", above = 0.5 }'; may be repeated")
	f.replay.drive = flags.String("replay", "", "`DRIVE` to repeat, a file of 'skidpad view --record'; the time of its "+
		"outputs is that of the driver")
	f.replay.segment = flags.Int("segment", 0, "`NUMBER` of the segment of a drive to repeat, from 1 on; default: all")
	f.replay.as = flags.String("as-manoeuvre", "", "manoeuvre `FILE` to write from a segment of a drive, with its inputs "+
		"as straight lines between points each 10 ms")
	writesTo(flags, "as-manoeuvre")
	f.replay.noCheck = flags.Bool("no-check", false, "repeat a drive without comparing its states, such as on another "+
		"architecture")
	c.RunE = f.run
	return c
}

func (f *simulateFlags) run(c *cobra.Command, args []string) (failure error) {
	if *f.replay.drive != "" {
		if len(args) > 0 || *f.manoeuvre != "" {
			return usageError{errors.New("--replay repeats a drive with its own vehicle and inputs; give no MODEL and no " +
				"--manoeuvre")}
		}
		if err := f.replay.check(c.Flags()); err != nil {
			return usageError{err}
		}
		return f.replayed(c)
	}
	if *f.replay.segment != 0 || *f.replay.noCheck || *f.replay.as != "" {
		return usageError{errors.New("--segment, --no-check and --as-manoeuvre belong to --replay")}
	}
	if len(args) == 0 {
		return usageError{errors.New("expected one MODEL or X.fmu, got none")}
	}
	stdout, stderr, model := c.OutOrStdout(), c.ErrOrStderr(), args[0]
	if *f.manoeuvre == "" {
		return usageError{errNoManoeuvre}
	}
	err := cmp.Or(checkOutputs([]string{"--inputs", *f.inputs, ".csv"}), checkPlot(*f.plot, *f.plotStyle))
	if err != nil {
		return err
	}
	if err := recording.Check(*f.out, *f.single); err != nil {
		return usageError{fmt.Errorf("--out %w", err)}
	}
	if err := checkDistinct([2]string{"--out", *f.out}, [2]string{"--inputs", *f.inputs},
		[2]string{"--plot", *f.plot}); err != nil {
		return err
	}
	thinning, err := recording.ParseThinning(*f.every, *f.filter)
	if err != nil {
		return usageError{err}
	}
	if err := errors.Join(found(c, resources.Models, &model), found(c, resources.Manoeuvres, f.manoeuvre)); err != nil {
		return err
	}
	controlled, err := withControllers(c, model, *f.controllers)
	if err != nil {
		return err
	}
	defer func() { failure = errors.Join(controlled.Renamed(failure), controlled.Close()) }()
	file := model
	model, *f.tree = controlled.Path, cmp.Or(*f.tree, controlled.Tree)
	target, err := modelfile.Target(model, *f.car)
	if err != nil {
		return err
	}
	target.File, target.Find = file, finder(model, *f.tree, *f.library)
	progress, interrupt := output.NewProgress(stderr), interruptOf(c)
	reactions, err := reactionsIn(*f.reactions, *f.in)
	if err != nil {
		return err
	}
	open := func() (drive.Subject, func(), error) { return openAsking(model, *f.tree, *f.library, reactions) }
	e := evaluate.Evaluator{
		Target: target, Method: *f.method, Settings: f.set, Replaced: f.let,
		Held: *f.hold, Progress: progress, AllowPlugins: *f.plugins, Open: open, Interrupt: interrupt,
	}
	if e.Control, err = controlOf(c, *f.pipe, *f.out != "-"); err != nil {
		return err
	}
	m, constants, err := readForOneRun(&e, *f.manoeuvre, *f.noPrerun, stderr)
	if err != nil {
		return err
	}
	knows, err := knowledge(*f.driver)
	if err != nil {
		return err
	}
	var driver *preview.Driver
	if knows != nil {
		if driver, err = knows.Driver(m, target.Model, modelfile.Mass(model, f.set)); err != nil {
			return err
		}
	}
	if err := thinning.Check(cmp.Or(*f.step, m.Step)); err != nil {
		return usageError{err}
	}
	subject, closeAll, err := open()
	if err != nil {
		return err
	}
	defer closeAll()
	warnOfSet(model, f.set, stderr)
	warnOfDriven(m, "--set", namesOf(f.set), stderr)
	var record []string
	patterns, origin := m.Record, "record of the manoeuvre"
	if *f.record != "" {
		patterns, origin = recording.Split(*f.record), "--record"
	}
	if patterns != nil {
		if record, err = recording.Choose(patterns, subject.Outputs(), subject.Locals(), m.Roles); err != nil {
			return usageError{fmt.Errorf("%s: %w", origin, err)}
		}
		record = withReactions(record, reactions, subject.Outputs())
	}
	endAt, err := f.endAt.of(m.Roles)
	if err != nil {
		return err
	}
	rec := f.recorder(stdout, thinning, []recording.Fact{{Name: "title", Text: m.Title},
		{Name: "vehicle", Text: target.Model}, {Name: "model", Text: file}, {Name: "manoeuvre", Text: m.Name},
		{Name: "constants", Text: constants}, {Name: "controllers", Text: controllerFacts(controlled.Controllers)}})
	var inputs *recorder
	plan := drive.Plan{
		Record: record, Manoeuvre: m, Method: *f.method, Step: *f.step, Duration: *f.duration, Held: *f.hold, Paced: *f.paced,
		Energy: *f.energy, Settings: f.set, Progress: progress, AllowPlugins: *f.plugins, Interrupt: interrupt,
		EndAt: endAt, Outputs: rec, Control: e.Control, Driver: driver,
	}
	if *f.inputs != "" || *f.plot != "" {
		inputs = &recorder{path: *f.inputs, keeps: *f.plot != ""}
		plan.Inputs = inputs
	}
	result, ended := drive.Simulate(subject, plan)
	if result == nil {
		return ended
	}
	result.Notes = append(result.Notes, m.CarNotes()...)
	f.report(stderr, m.Name, result)
	if result.Energy != nil {
		if err := result.Energy.Write(stderr); err != nil {
			return err
		}
	}
	where, err := rec.end(result)
	if *f.inputs != "" {
		_, failed := inputs.end(&drive.Result{})
		err = errors.Join(err, failed)
	}
	if *f.plot != "" {
		drawn := rec.Trace
		if len(inputs.Trace.Time) == len(drawn.Time) { // a step that fails may have only one of them
			drawn = drawn.Beside(inputs.Trace) // which may be what steers
		}
		err = errors.Join(err, f.draw(drawn, fmt.Sprintf("%s: %s (%s)", target.Model, m.Title, m.Name)))
	}
	if ended != nil && err == nil {
		return fmt.Errorf("%w; %s has what was recorded up to there", ended, where)
	}
	return errors.Join(ended, err)
}

// errNoManoeuvre says that a required flag is missing.
var errNoManoeuvre = errors.New("--manoeuvre is missing; give a file or a name that 'skidpad list manoeuvres' shows")

// report prints phases, verdict and the duration of the steps.
func (f *simulateFlags) report(to io.Writer, name string, result *drive.Result) {
	for _, note := range result.Notes {
		fmt.Fprintf(to, "%s: %s\n", name, marked(note))
	}
	for _, p := range result.Phases {
		fmt.Fprintf(to, "%s: phase %s from %.6g to %.6g s\n", name, p.Name, p.Begin, p.End)
	}
	if result.Verdict != "" {
		fmt.Fprintf(to, "%s: %s\n", name, result.Verdict)
	}
	for _, w := range result.OfRun() {
		fmt.Fprintf(to, "%s: %s%s\n", name, library.WarningPrefix, w.String())
	}
	t, missed := result.Timing, ""
	if *f.paced {
		missed = fmt.Sprintf("%d missed their deadline, ", t.Missed)
	}
	fmt.Fprintf(to, "%s: %d steps, median %v, p99.9 %v, worst %v, %s%.0f times real time\n",
		name, t.Steps, t.Median, t.P999, t.Worst, missed, t.RealTime)
}

// recorder takes the outputs: during the run if the file is written by rows, and at the end if the file, --every or
// --plot needs all rows. The facts of the run are the facts of the caller, the files and their digests, the settings,
// and the version.
func (f *simulateFlags) recorder(stdout io.Writer, thinning recording.Thinning, facts []recording.Fact) *recorder {
	r := &recorder{path: *f.out, stdout: stdout, thinning: thinning, keeps: *f.plot != ""}
	r.Facts, r.Single = facts, *f.single
	r.know("model_sha256", digest(bounded.FMU, r.Fact("model")))
	r.know("manoeuvre_sha256", digest(bounded.Manoeuvre, *f.manoeuvre))
	var set []string
	for _, s := range f.set {
		set = append(set, s.Name+"="+s.Value)
	}
	for _, c := range f.let {
		set = append(set, fmt.Sprintf("%s=%v", c.Name, c.Value))
	}
	r.know("options", modelfile.Options(r.Fact("model")))
	r.know("set", strings.Join(set, "\n"))
	r.know("method", *f.method)
	r.know("version", harness.Version)
	return r
}

// digest is the SHA-256 of a file, "" where it cannot be read any more.
func digest(kind bounded.Kind, path string) string {
	file, err := kind.Open(path)
	if err != nil {
		return ""
	}
	defer file.Close()
	hash := sha256.New()
	if _, err := io.Copy(hash, file); err != nil {
		return ""
	}
	return fmt.Sprintf("%x", hash.Sum(nil))
}

// draw draws the plot of what was recorded.
func (f *simulateFlags) draw(recorded *trace.Trace, caption string) error {
	if len(recorded.Time) < 2 {
		return nil
	}
	figure, empty := plots.Overview(recorded, caption)
	if empty != nil {
		return fmt.Errorf("--plot %s: %w", *f.plot, empty)
	}
	return output.WriteFile(*f.plot, func(to io.Writer) error { return figure.Write(to, *f.plot, *f.plotStyle) })
}

// readForOneRun reads a manoeuvre for one run. Constants that come from a prerun are computed here, unless noPrerun is
// set. The results of the prerun are reported on to. constants are all applied constants, one per line, with the
// origins of their values.
func readForOneRun(e *evaluate.Evaluator, file string, noPrerun bool, to io.Writer) (m *manoeuvre.Manoeuvre,
	constants string, err error) {
	if noPrerun {
		m, err = manoeuvre.ReadFor(e.Target, file, e.Replaced...)
		return m, inForce(m, e.Replaced, nil), err
	}
	m, found, err := e.Read(file)
	if err != nil {
		if _, without := manoeuvre.ReadFor(e.Target, file, e.Replaced...); without != nil {
			return nil, "", without
		}
		if fault := faultOfVehicle(e); fault != nil {
			return nil, "", fault
		}
		return nil, "", fmt.Errorf("%w (--no-prerun takes the constants of the file)", err)
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
	return m, inForce(m, e.Replaced, found), nil
}

// faultOfVehicle returns why no run of a vehicle can be made, with or without one before it: it cannot be opened, or
// has nothing of the name of a setting.
func faultOfVehicle(e *evaluate.Evaluator) error {
	subject, closeAll, err := e.Open()
	if err != nil {
		return err
	}
	defer closeAll()
	for _, s := range e.Settings {
		unknown := (*library.UnknownVariable)(nil)
		if err := drive.CheckSetting(subject, nil, s); errors.As(err, &unknown) {
			return fmt.Errorf("--set %s=%s: %w", s.Name, s.Value, err)
		}
	}
	return nil
}

// inForce lists the constants of a manoeuvre, a line each.
func inForce(m *manoeuvre.Manoeuvre, replaced, found []manoeuvre.ConstantValue) string {
	if m == nil {
		return ""
	}
	var lines []string
	for _, c := range evaluate.InForce(m, replaced, found) {
		lines = append(lines, c.String())
	}
	return strings.Join(lines, "\n")
}
