package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"skidpad/harness/drive"
	"skidpad/harness/manoeuvre"
	"skidpad/harness/modelfile"
	"skidpad/harness/output"
	"skidpad/harness/sweep"
	"skidpad/harness/trace"
)

// variations collects --param NAME=VALUES.
type variations []manoeuvre.Variation

func (v *variations) String() string { return "" }

func (v *variations) Set(text string) error {
	one, err := manoeuvre.ParseVariation(text)
	*v = append(*v, one)
	return err
}

// sweepVerb drives a model through a manoeuvre for every combination of parameter values.
func sweepVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "sweep MODEL.toml --manoeuvre FILE --param NAME=VALUES [--param ...] --out FILE [flags]\n"+
		"       skidpad sweep --study FILE --out FILE [--plot FILE] [flags]\n\n"+
		"Drives the model once for every combination of values. VALUES is FIRST:LAST:COUNT or a list V,V,...;\n"+
		"NAME+NAME=VALUES gives several parameters the same values. A study is a file that says all that.\n"+
		"FILE gets a row for each run: the values, when the run ended, and of every recorded variable the\n"+
		"last, the least and the largest value. Vehicles share vector instructions and all processors.",
		"  skidpad sweep resources/models/generic4w.toml --manoeuvre resources/manoeuvres/generic4w_sine.toml \\\n"+
			"    --param body.mass=1800:2400:7 --param body.vx=15,20,25 --record body.y,body.wz,body.roll --out sweep.parquet\n"+
			"  skidpad sweep --study resources/sweeps/comfort_damping.toml --out comfort.csv --plot comfort.png")
	manoeuvreFile := flags.String("manoeuvre", "", "manoeuvre `FILE`, TOML (required)")
	studyFile := flags.String("study", "", "study `FILE`, TOML: model, manoeuvre, what varies, what is recorded")
	plotFile := flags.String("plot", "", "PNG `FILE`: largest magnitudes over the last of the parameters")
	from := flags.Float64("from", 0, "`SECONDS` from which on least and largest values count")
	out := flags.String("out", "-", "`FILE`.parquet or .csv; - is CSV on stdout")
	record := flags.String("record", "", "`VARIABLES` to record, with commas between, and rate(VARIABLE) for changes from point to point by their time; default: every output")
	method := flags.String("method", "", "solver: euler, heun, rk4, linearly-implicit; default: the model's")
	step := flags.Float64("step", 0.01, "communication step in `SECONDS`, at which variables are sampled; inputs change linearly in between")
	duration := flags.Float64("duration", 0, "`SECONDS` to simulate; default: the manoeuvre's")
	threads := flags.Int("threads", 0, "`NUMBER` of threads; 0: one for each processor")
	together := flags.Int("together", 256, "`NUMBER` of vehicles in memory at a time")
	tree := flags.String("tree", "", "tree selection of the model; default: its first")
	libraryFile := flags.String("library", "", "shared library `FILE`; default: "+libraryName()+" beside this command")
	car := carFlag(flags)
	noPrerun := flags.Bool("no-prerun", false, "take constants from the manoeuvre file that figures of a run before the manoeuvre would give")
	plugins := allowPlugins(flags)
	var set settings
	flags.Var(&set, "set", "parameter or text `NAME=VALUE` for all runs; may be repeated")
	var let constants
	flags.Var(&let, "let", "constant `NAME=VALUE` of the manoeuvre; may be repeated")
	var vary variations
	flags.Var(&vary, "param", "parameter or start value `NAME=VALUES`; may be repeated")
	models, err := parse(flags, args, 0, 1)
	if err != nil {
		return err
	}
	if *studyFile != "" {
		study, err := sweep.ReadStudy(*studyFile)
		if err != nil {
			return err
		}
		if len(models) > 0 || *manoeuvreFile != "" || len(vary) > 0 {
			return usageError{errors.New("a study has its own model, manoeuvre and parameters")}
		}
		models, *manoeuvreFile, vary = []string{study.Model}, study.Manoeuvre, study.Variations
		*record, *step, *from = strings.Join(study.Record, ","), study.Step, study.From
	}
	write := (*trace.Table).WriteCSV
	if strings.EqualFold(filepath.Ext(*out), ".parquet") {
		write = (*trace.Table).WriteParquet
	}
	switch {
	case len(models) == 0:
		return usageError{errors.New("the model file is missing")}
	case *manoeuvreFile == "":
		return usageError{errors.New("--manoeuvre is missing")}
	case len(vary) == 0:
		return usageError{errors.New("--param is missing: there is nothing to vary")}
	case *together < 1 || *threads < 0:
		return usageError{errors.New("--together must be above 0, --threads not negative")}
	}
	if err := checkOutputs([]string{"--out", *out, ".parquet", ".csv"}, []string{"--plot", *plotFile, ".png"}); err != nil {
		return err
	}
	model, err := modelfile.Name(models[0])
	if err != nil {
		return err
	}
	manoeuvre, err := manoeuvre.ReadFor(manoeuvre.Target{Model: model, Car: *car}, *manoeuvreFile, let...)
	if err != nil {
		return err
	}
	if p := manoeuvre.Prerun; p != nil && !*noPrerun {
		if wanted := p.Wanted(let); len(wanted) > 0 {
			return usageError{fmt.Errorf("%s takes %s from a run of %s before, which is another one for every vehicle of a sweep; "+
				"give the value with --let %[2]s=VALUE, or take the file's with --no-prerun", *manoeuvreFile, wanted[0].Constant, p.File)}
		}
	}
	library, err := openLibrary(*libraryFile)
	if err != nil {
		return err
	}
	s := sweep.Sweep{
		Library: library, Model: models[0], Tree: *tree, Variations: vary, From: *from, Together: *together, Threads: *threads, Progress: output.NewProgress(stderr),
		Run: drive.Plan{Manoeuvre: manoeuvre, Method: *method, Step: *step, Duration: *duration, Settings: set, AllowPlugins: *plugins},
	}
	if *record != "" {
		s.Run.Record = strings.Split(*record, ",")
	}
	begin := time.Now()
	table, failure := s.Do()
	if table == nil {
		return failure
	}
	length := *duration
	if length == 0 {
		length = manoeuvre.Duration
	}
	took := time.Since(begin)
	fmt.Fprintf(stderr, "%d runs of %g s in %.3g s: %.0f times real time\n", len(table.Rows), length, took.Seconds(), float64(len(table.Rows))*length/took.Seconds())
	if *plotFile != "" && failure == nil {
		draw := func(to io.Writer) error {
			return sweep.Plot(to, table, vary, s.Run.Record, manoeuvre.Title)
		}
		if err := output.WriteFile(*plotFile, draw); err != nil {
			return err
		}
	}
	where := "standard output"
	if *out == "-" {
		err = write(table, stdout)
	} else {
		where, err = *out, output.WriteFile(*out, func(to io.Writer) error { return write(table, to) })
	}
	if failure != nil && err == nil {
		return fmt.Errorf("%w; %s has the %d runs that were complete before", failure, where, len(table.Rows))
	}
	return errors.Join(failure, err)
}
