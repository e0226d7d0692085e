package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"skidpad/harness"
	"skidpad/harness/library"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/sweep"
)

// sweepFlags are the flags of sweep.
type sweepFlags struct {
	manoeuvre, study, plot, plotStyle, out, record *string
	method, tree, library, car, state              *string
	from, step, duration                           *float64
	threads, together                              *int
	json, noPrerun, plugins, figures               *bool
	percent                                        *float64
	controllers                                    *[]string
	set                                            settings
	let                                            constantValues
	vary                                           variations
	described                                      *sweep.Study // with --study
}

// sweepCommand drives a model through a manoeuvre for every combination of parameter values.
func sweepCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "sweep MODEL --manoeuvre MANOEUVRE --param NAME=VALUES [--param ...] --out FILE [flags]\n" +
			"sweep --study FILE --out FILE [--plot FILE] [flags]",
		Short: "run a manoeuvre for all combinations of parameter values",
		Long: "Runs the model once for every combination of values. VALUES is FIRST:LAST:COUNT or a list V,V,...;\n" +
			"NAME+NAME=VALUES gives several parameters the same values. A study is a file with all of that.\n" +
			"The output has a row for each run: the values, when the run ended, and the last, the least and the\n" +
			"largest value of every recorded variable. Vehicles share vector instructions and all processors.\n" +
			"With --figures the row has the characteristic values of the manoeuvre, with the run before it made for each\n" +
			"vehicle. With --percent each parameter changes alone, by as much up and down, and the table shows the change\n" +
			"of each value per percent.\n" +
			"When interrupted, it writes the rows so far, in which runs that were cut off end early, and ends with\n" +
			"status 130.",
		Example: "  skidpad sweep generic4w --manoeuvre generic4w_sine \\\n" +
			"    --param body.mass=1800:2400:7 --param body.vx=15,20,25 --record body.y,body.wz,body.roll \\\n" +
			"    --out sweep.parquet\n" +
			"  skidpad sweep generic4w --manoeuvre brake --param body.mass=1800:2400:3 --figures\n" +
			"  skidpad sweep --study resources/sweeps/comfort_damping.toml --out comfort.csv --plot comfort.png",
		Args: arguments(0, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	f, flags := &sweepFlags{}, c.Flags()
	f.manoeuvre = manoeuvreFlag(c, "`MANOEUVRE`: TOML file or name (required without --study)")
	f.study = flags.String("study", "", "study `FILE`, TOML: model, manoeuvre, what varies, what is recorded; --param "+
		"replaces values of its variations")
	f.plot = flags.String("plot", "", "`FILE` (.png, .svg, .pdf): largest magnitudes over the last of the parameters")
	f.figures = flags.Bool("figures", false, "characteristic values of the manoeuvre in place of recorded variables")
	f.percent = flags.Float64("percent", 0, "`PERCENT` by which each --param NAME, without values, goes up and down: "+
		"sensitivities of the characteristic values; --plot draws bars, the longest above")
	f.plotStyle = plotStyleFlag(flags)
	f.from = secondsOrZeroFlag(flags, "from", 0, "`SECONDS` from which on least and largest values count")
	f.out = flags.StringP("out", "o", "-", "`FILE`.parquet or .csv; - is CSV on standard output")
	writesTo(flags, "out", "plot")
	f.json = flags.Bool("json", false, "print the table as JSON in place of CSV (docs/command.md has the keys)")
	f.record = flags.String("record", "", "`PATTERNS` of variables to record, 'body.*,@wheel[*].F?'; -NAME leaves out, "+
		"rate(NAME) is the change from point to point by their time; default: every output")
	f.method = methodFlag(flags)
	f.step = secondsFlag(flags, "step", 0.01, "communication step in `SECONDS`, at which variables are sampled; inputs "+
		"change linearly in between")
	f.duration = secondsFlag(flags, "duration", 0, "`SECONDS` to simulate, 2.5 or '1 min'; default: the manoeuvre's")
	f.threads = flags.Int("threads", 0, "`NUMBER` of threads; 0: one for each processor")
	f.together = flags.Int("together", 256, "`NUMBER` of vehicles in memory at a time")
	f.tree = flags.String("tree", "", "tree selection of the model, by `NAME`; default: its first")
	f.library, f.car, f.noPrerun, f.plugins = libraryFlag(flags), carFlag(flags), noPrerunFlag(flags),
		allowPlugins(flags)
	f.state, f.controllers = stateFlag(flags, ""), controllerFlag(c)
	flags.Var(&f.set, "set", "parameter or text `NAME=VALUE` for all runs, such as 'body.mass=1.1 t'; may be repeated")
	flags.Var(&f.let, "let", "constant `NAME=VALUE` of the manoeuvre, such as 'speed=80 km/h'; may be repeated")
	flags.Var(&f.vary, "param", "parameter or start value `NAME=VALUES`, such as 'bar.stiffness=2 N/mm:6 N/mm:3'; may "+
		"be repeated")
	excludeEachOther(c, "out", "json")
	for _, one := range []string{"figures", "percent"} {
		for _, other := range []string{"study", "record", "step", "duration", "from", "json"} {
			excludeEachOther(c, one, other)
		}
	}
	excludeEachOther(c, "figures", "percent")
	excludeEachOther(c, "figures", "plot")
	c.RunE = f.run
	return c
}

// model is the model file of the arguments, or the model file of a study; a study then also sets the flags.
func (f *sweepFlags) model(c *cobra.Command, models []string) (string, error) {
	if *f.study != "" {
		study, err := sweep.ReadStudy(*f.study)
		if err != nil {
			return "", err
		}
		if len(models) > 0 || *f.manoeuvre != "" {
			return "", usageError{errors.New("a study has its own model and manoeuvre")}
		}
		if err := study.Narrow(f.vary); err != nil {
			return "", usageError{err}
		}
		f.described = study
		models, *f.manoeuvre, f.vary = []string{study.Model}, study.Manoeuvre, study.Runs()
		*f.record, *f.step, *f.from = strings.Join(study.Record, ","), study.Step, study.From
	}
	switch {
	case len(models) == 0:
		return "", usageError{errors.New("the model is missing; give a file or a name that 'skidpad list models' shows")}
	case *f.manoeuvre == "":
		return "", usageError{errNoManoeuvre}
	case len(f.vary) == 0:
		return "", usageError{errors.New("--param is missing: there is nothing to vary")}
	case *f.together < 1 || *f.threads < 0:
		return "", usageError{errors.New("--together must be above 0, --threads not negative")}
	}
	if err := cmp.Or(checkOutputs([]string{"--out", *f.out, ".parquet", ".csv"}),
		checkPlot(*f.plot, *f.plotStyle),
		checkDistinct([2]string{"--out", *f.out}, [2]string{"--plot", *f.plot})); err != nil {
		return "", err
	}
	err := errors.Join(found(c, resources.Models, &models[0]), found(c, resources.Manoeuvres, f.manoeuvre))
	return models[0], err
}

// read reads the manoeuvre for a model file; the run of another manoeuvre before it is not made.
func (f *sweepFlags) read(model string) (*manoeuvre.Manoeuvre, error) {
	target, err := modelfile.Target(model, *f.car)
	if err != nil {
		return nil, err
	}
	target.Find = finder(model, *f.tree, *f.library)
	m, err := manoeuvre.ReadFor(target, *f.manoeuvre, f.let...)
	if err != nil || m.Prerun == nil || *f.noPrerun {
		return m, err
	}
	if wanted := m.Prerun.Wanted(f.let); len(wanted) > 0 {
		return nil, usageError{fmt.Errorf("%s takes %s from a run of %s before, which is another one for every "+
			"vehicle of a sweep; give the value with --let %[2]s=VALUE, or take the file's with --no-prerun",
			*f.manoeuvre, wanted[0].Constant, m.Prerun.File)}
	}
	return m, nil
}

// warn prints what a vehicle of the sweep would be warned of, with the least and the largest value of each variation.
func (f *sweepFlags) warn(model string, m *manoeuvre.Manoeuvre, varied []string, stderr io.Writer) {
	warnOfDriven(m, "--set", namesOf(f.set), stderr)
	warnOfDriven(m, "--param", varied, stderr)
	var said strings.Builder
	for _, at := range []func(values []float64) float64{slices.Min[[]float64], slices.Max[[]float64]} {
		set := slices.Clone([]manoeuvre.Setting(f.set))
		for _, v := range f.vary {
			for name := range strings.SplitSeq(v.Name, "+") {
				set = append(set, manoeuvre.Setting{Name: name, Value: strconv.FormatFloat(at(v.Values), 'g', -1, 64)})
			}
		}
		warnOfSet(model, set, &said)
	}
	lines := strings.SplitAfter(said.String(), "\n")
	for i, line := range lines {
		if !slices.Contains(lines[:i], line) {
			fmt.Fprint(stderr, line)
		}
	}
}

func (f *sweepFlags) run(c *cobra.Command, args []string) (ended error) {
	stdout, stderr := c.OutOrStdout(), c.ErrOrStderr()
	model, err := f.model(c, args)
	if err != nil {
		return err
	}
	saved, _, err := stateSettings(*f.state, model, *f.tree, *f.library, f.set)
	if err != nil {
		return err
	}
	var varied []string
	for _, v := range f.vary {
		varied = append(varied, strings.Split(v.Name, "+")...)
	}
	if *f.percent < 0 || *f.percent >= 100 {
		return usageError{fmt.Errorf("--percent %g: it must be above 0 and below 100", *f.percent)}
	}
	for _, v := range f.vary {
		switch {
		case v.Values == nil && *f.percent == 0:
			return usageError{fmt.Errorf("--param %s has no values: give NAME=VALUES, or --percent by which it changes",
				v.Name)}
		case v.Values != nil && *f.percent > 0:
			return usageError{fmt.Errorf("--param %s has values, and --percent changes it from its own: leave one out",
				v.Name)}
		}
	}
	for _, s := range f.set {
		if slices.Contains(varied, s.Name) {
			return usageError{fmt.Errorf("%s is set and varied; leave out its --set", s.Name)}
		}
	}
	f.set = slices.Concat(saved, f.set)
	controlled, err := withControllers(c, model, *f.controllers)
	if err != nil {
		return err
	}
	defer func() { ended = errors.Join(controlled.Renamed(ended), controlled.Close()) }()
	file := model
	model, *f.tree = controlled.Path, cmp.Or(*f.tree, controlled.Tree)
	if *f.figures || *f.percent > 0 {
		return f.evaluate(c, model)
	}
	m, err := f.read(model)
	if err != nil {
		return err
	}
	warnOf(model, stderr)
	for _, note := range m.CarNotes() {
		fmt.Fprintln(stderr, marked(note))
	}
	f.warn(model, m, varied, stderr)
	interrupt := interruptOf(c)
	loaded, err := openLibrary(*f.library)
	if err != nil {
		return err
	}
	s := sweep.Sweep{
		Library: loaded, Model: model, Tree: *f.tree, Variations: f.vary, From: *f.from, Together: *f.together,
		Threads: *f.threads, Progress: output.NewProgress(stderr), Plotted: *f.plot != "",
		Run: drive.Plan{
			Manoeuvre: m, Method: *f.method, Step: *f.step, Duration: *f.duration, Settings: f.set,
			AllowPlugins: *f.plugins, Interrupt: interrupt,
		},
	}
	if *f.record != "" {
		s.Run.Record = recording.Split(*f.record)
	}
	if f.described != nil {
		s.Settle = f.described.Settle
	}
	begin := time.Now()
	table, failure := s.Do()
	if table == nil {
		return failure
	}
	length := cmp.Or(*f.duration, m.Duration)
	took := time.Since(begin).Seconds()
	fmt.Fprintf(stderr, "%d runs of %g s in %.3g s: %.0f times real time\n",
		len(table.Rows), length, took, float64(len(table.Rows))*length/took)
	if n := len(s.Failures); n > 0 {
		first := s.Failures[0]
		fmt.Fprintf(stderr, "%s%d of %d runs failed and end early; the first is run %d: %v\n", library.WarningPrefix, n,
			len(table.Rows), first.Run, first.Reason)
	}
	for _, w := range library.Notice(s.Warnings) {
		fmt.Fprintln(stderr, w.Line(len(table.Rows)))
	}
	if *f.plot != "" && failure == nil {
		figure, err := s.Plot(table, m.Title)
		if err != nil {
			return err
		}
		draw := func(to io.Writer) error { return figure.Write(to, *f.plot, *f.plotStyle) }
		if err := output.WriteFile(*f.plot, draw); err != nil {
			return err
		}
	}
	done := len(table.Rows)
	if f.described != nil {
		table = f.described.Result(table, length)
		if text := f.described.Agreement(table); text != "" {
			fmt.Fprintln(stderr, text)
		}
	}
	table.Facts = map[string]string{"model": filepath.Base(file), "manoeuvre": m.Name,
		"controllers": controllerFacts(controlled.Controllers),
		"constants":   inForce(m, f.let, nil), "version": harness.Version}
	maps.DeleteFunc(table.Facts, func(_, text string) bool { return text == "" })
	write := table.WriteCSV
	if *f.json {
		write = table.WriteJSON
	}
	if strings.EqualFold(filepath.Ext(*f.out), ".parquet") {
		write = table.WriteParquet
	}
	where, err := writeResults(*f.out, stdout, write)
	if failure != nil && err == nil {
		return fmt.Errorf("%w; %s has the %d runs so far", failure, where, done)
	}
	return errors.Join(failure, err)
}
