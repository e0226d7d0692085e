package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/vehicle"
)

// manoeuvreFlags are the flags of manoeuvre.
type manoeuvreFlags struct {
	manoeuvre, out                *string
	method, tree, library         *string
	car, state, design, record    *string
	reactions, in                 *string
	controllers                   *[]string
	markdown, json, hold, plugins *bool
	energy, full, check, verbose  *bool
	pipe                          *bool
	driver                        *string
	set                           settings
	let                           constantValues
}

// manoeuvreCommand runs a manoeuvre and prints its characteristic values.
func manoeuvreCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "manoeuvre MODEL|X.fmu --manoeuvre MANOEUVRE [flags]",
		Short: "run a test procedure and print its characteristic values",
		Long: "Makes all runs of a manoeuvre that has a table [figures] and prints its characteristic values: first those\n" +
			"of all runs together with their definitions, how the runs ended and how many warnings there are, then a\n" +
			"column for each run; angles are printed in degrees. MODEL and MANOEUVRE are TOML files, or names that\n" +
			"'skidpad list' shows. When interrupted, it evaluates what was recorded and ends with status 130.",
		Example: "  skidpad manoeuvre generic4w --manoeuvre step_steer --let lateral=2 --out step\n" +
			"  skidpad manoeuvre GenericVehicle.fmu --manoeuvre resources/manoeuvres/sine_with_dwell.toml",
		Args: arguments(1, 1, "one MODEL or X.fmu"), ValidArgsFunction: names(resources.Models, ".fmu"),
	}
	f, flags := &manoeuvreFlags{}, c.Flags()
	f.manoeuvre = manoeuvreFlag(c, "`MANOEUVRE` with a table [figures]: TOML file or name (required)")
	f.out = flags.StringP("out", "o", "", "`FOLDER` for figures.csv, figures.json, report.html and run_N.parquet of "+
		"every run, a row each 10 ms; SI units")
	writesInto(flags, "out", "figures.csv", "figures.parquet", "figures.json", "report.html", "run_*.parquet",
		"run_*.csv", "inputs_*.csv")
	f.record = flags.String("record", "", "`PATTERNS` of variables to record in the runs of --out, besides what the "+
		"characteristic values need; default: what the manoeuvre records")
	f.reactions, f.in = reactionsFlags(flags, "are recorded, too, in the runs of --out")
	f.full = flags.Bool("full", false, "write run_N.csv and inputs_N.csv with all rows in place of run_N.parquet")
	f.verbose = flags.Bool("verbose", false, "print a line for each figure of each run, with its time and definition, "+
		"also of the run before")
	f.markdown = flags.Bool("markdown", false, "print the characteristic values as Markdown, without definitions")
	f.json = jsonFlag(flags)
	f.method = methodFlag(flags)
	f.tree = flags.String("tree", "", "tree selection of a model file, by `NAME`; default: its first")
	f.library, f.hold, f.car, f.plugins = libraryFlag(flags), holdFlag(flags), carFlag(flags), allowPlugins(flags)
	f.energy, f.state, f.controllers = energyFlag(flags), stateFlag(flags, ""), controllerFlag(c)
	f.design = flags.String("design", "", "CSV `FILE` with names of parameters or start values in its header, also with "+
		"a unit, body.mass [t], and a row of values for each of many vehicles; prints a table of characteristic "+
		"values, with --json a line of JSON for each vehicle; with --out it is figures.csv and figures.parquet, and the "+
		"runs of row N, from 0 on, are run_*.parquet in FOLDER/N")
	flags.Var(&f.set, "set", "parameter or text `NAME=VALUE` of the vehicle, such as 'body.mass=1.1 t'; may be "+
		"repeated")
	flags.Var(&f.let, "let", "constant `NAME=VALUE` of the manoeuvre, such as 'speed=80 km/h', also instead of "+
		"the values of a sweep or of a manoeuvre before; may be repeated")
	f.pipe, f.driver = controlPipeFlag(flags), driverFlag(flags)
	f.check = flags.Bool("check", false, "with --design, check the manoeuvre, its constants and the header of the table, "+
		"and run no vehicle")
	for _, pair := range [][2]string{{"markdown", "json"}, {"verbose", "markdown"}, {"verbose", "json"}} {
		excludeEachOther(c, pair[0], pair[1])
	}
	for _, other := range []string{"markdown", "full", "verbose", "control-pipe"} {
		excludeEachOther(c, "design", other)
	}
	c.RunE = f.run
	return c
}

// runDesign runs the manoeuvre with every vehicle of a design.
func (f *manoeuvreFlags) runDesign(c *cobra.Command, e *evaluate.Evaluator) error {
	design, err := evaluate.ReadDesign(*f.design)
	if err != nil {
		return fmt.Errorf("--design: %w", err)
	}
	if err := e.CheckDesign(*f.manoeuvre, design); err != nil || *f.check {
		return err
	}
	e.Progress = output.NewProgressOf(c.ErrOrStderr(), "done")
	if *f.json {
		return e.WriteDesign(c.OutOrStdout(), *f.manoeuvre, design, *f.out)
	}
	table, err := e.Figures(*f.manoeuvre, design, *f.out)
	if table == nil {
		return err
	}
	reportFailures(c.ErrOrStderr(), table)
	if err == nil && *f.out != "" {
		err = errors.Join(output.MakeFolder(*f.out),
			output.WriteFile(filepath.Join(*f.out, "figures.csv"), table.WriteCSV),
			output.WriteFile(filepath.Join(*f.out, "figures.parquet"), table.WriteParquet))
	}
	return errors.Join(err, table.Write(c.OutOrStdout()))
}

// reportFailures says which vehicles could not be evaluated, and why, and what was noticed in the runs of the others.
func reportFailures(to io.Writer, table *evaluate.FigureTable) {
	for _, failure := range table.Failures {
		fmt.Fprintln(to, library.WarningPrefix+failure)
	}
	for _, warning := range table.Warnings {
		fmt.Fprintln(to, warning)
	}
}

func (f *manoeuvreFlags) run(c *cobra.Command, args []string) (failure error) {
	model := args[0]
	if *f.manoeuvre == "" {
		return usageError{errNoManoeuvre}
	}
	if err := errors.Join(found(c, resources.Models, &model), found(c, resources.Manoeuvres, f.manoeuvre)); err != nil {
		return err
	}
	saved, _, err := stateSettings(*f.state, model, *f.tree, *f.library, f.set)
	if err != nil {
		return err
	}
	f.set = slices.Concat(saved, f.set)
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
	reactions, err := reactionsIn(*f.reactions, *f.in)
	if err != nil {
		return err
	}
	e := evaluate.Evaluator{
		Target: target, Method: *f.method, Settings: f.set, Replaced: f.let,
		Held: *f.hold, Energy: *f.energy, Progress: output.NewProgress(c.ErrOrStderr()), AllowPlugins: *f.plugins,
		Open:      func() (drive.Subject, func(), error) { return openAsking(model, *f.tree, *f.library, reactions) },
		Interrupt: interruptOf(c), Controllers: controlled.Controllers,
		Mass: func(set []manoeuvre.Setting) float64 { return modelfile.Mass(model, set) },
	}
	if e.Knows, err = knowledge(*f.driver); err != nil {
		return err
	}
	stdout := c.OutOrStdout()
	if e.Control, err = controlOf(c, *f.pipe, *f.out != ""); err != nil {
		return err
	}
	if *f.pipe {
		stdout = c.ErrOrStderr()
	}
	if *f.check && *f.design == "" {
		return usageError{errors.New("--check: there is no --design whose names could be checked")}
	}
	if *f.record != "" {
		if *f.out == "" {
			return usageError{errors.New("--record: there is no --out, so that no run is written")}
		}
		e.Record = recording.Split(*f.record)
	}
	if reactions != "" {
		if *f.out == "" {
			return usageError{errors.New("--reactions: there is no --out, so that no run is written")}
		}
		e.Chosen = func(outputs []string) []string { return withReactions(nil, reactions, outputs) }
	}
	if *f.out != "" && !(*f.design != "" && *f.json) { // programs that read lines of JSON name what they want
		if m, err := vehicle.Read(model); err == nil { // not of FMUs
			reacting := e.Chosen
			e.Chosen = func(outputs []string) []string {
				list := animation.Variables(m, outputs)
				if reacting != nil {
					list = append(list, reacting(outputs)...)
				}
				return list
			}
		}
	}
	if *f.design != "" {
		return f.runDesign(c, &e)
	}
	if *f.out != "" {
		if err := output.MakeFolder(*f.out); err != nil {
			return err
		}
	}
	warnOfSet(model, f.set, c.ErrOrStderr())
	result, err := e.Evaluate(*f.manoeuvre)
	if err != nil {
		warnOf(model, c.ErrOrStderr())
		return err
	}
	warnOfDriven(result.Manoeuvre, "--set", namesOf(f.set), c.ErrOrStderr())
	sources, err := controlled.Sources()
	if err != nil {
		return err
	}
	sources = append(sources, *f.manoeuvre)
	print := result.WriteSummary
	switch {
	case *f.verbose:
		print = result.WriteTable
	case *f.markdown:
		print = result.WriteMarkdown
	case *f.json:
		print = func(to io.Writer) error { return result.WriteJSON(to, sources...) }
	}
	failures := result.Failures()
	err = print(stdout)
	for _, note := range result.Notes() { // behind the answer, which they would push off a screen
		fmt.Fprintln(c.ErrOrStderr(), marked(note))
	}
	for _, warning := range result.Warnings() {
		fmt.Fprintln(c.ErrOrStderr(), warning)
	}
	if err != nil || *f.out == "" {
		return errors.Join(failures, err)
	}
	var unwritten []error
	// what can be written is, also where the report of a run that failed can't
	files := result.Files(*f.full, sources...)
	for _, file := range files {
		unwritten = append(unwritten, output.WriteFile(filepath.Join(*f.out, file.Name), file.Write))
	}
	unwritten = append(unwritten, evaluate.RemoveOldRuns(*f.out, files))
	if failures != nil {
		failures = fmt.Errorf("%w; %s has what was recorded up to there", failures, *f.out)
	}
	return errors.Join(failures, errors.Join(unwritten...))
}
