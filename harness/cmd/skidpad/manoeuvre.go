package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strconv"

	"skidpad/harness/drive"
	"skidpad/harness/evaluate"
	"skidpad/harness/manoeuvre"
	"skidpad/harness/modelfile"
	"skidpad/harness/output"
)

// constants collects --let NAME=VALUE.
type constants []manoeuvre.ConstantValue

func (c *constants) String() string { return "" }

func (c *constants) Set(text string) error {
	var s settings
	if err := s.Set(text); err != nil {
		return err
	}
	x, err := strconv.ParseFloat(s[0].Value, 64)
	if err != nil || x-x != 0 {
		return fmt.Errorf("%q is not a finite number", s[0].Value)
	}
	*c = append(*c, manoeuvre.ConstantValue{Name: s[0].Name, Value: x})
	return nil
}

// manoeuvreFlags are the flags of manoeuvre.
type manoeuvreFlags struct {
	flags *flag.FlagSet

	manoeuvre, out             *string
	method, tree, library, car *string
	markdown, hold, plugins    *bool
	set                        settings
	let                        constants
}

func newManoeuvreFlags(help io.Writer) *manoeuvreFlags {
	flags := newFlags(help, "manoeuvre X.fmu|MODEL.toml --manoeuvre FILE [flags]",
		"  skidpad manoeuvre resources/models/generic4w.toml \\\n"+
			"    --manoeuvre resources/manoeuvres/step_steer.toml --let lateral=2 --out step\n"+
			"  skidpad manoeuvre GenericVehicle.fmu --manoeuvre resources/manoeuvres/sine_with_dwell.toml")
	f := &manoeuvreFlags{flags: flags}
	f.manoeuvre = flags.String("manoeuvre", "", "manoeuvre `FILE` with a table [figures], TOML (required)")
	f.out = flags.String("out", "", "`FOLDER` for figures.csv, figures.json, report.html and, of every run, "+
		"run_N.csv and inputs_N.csv; SI units")
	f.markdown = flags.Bool("markdown", false, "print the figures as Markdown, without definitions")
	f.method = flags.String("method", "", "solver; default: the model's")
	f.tree = flags.String("tree", "", "tree selection of a model file; default: its first")
	f.library = flags.String("library", "", "shared library `FILE` for a model file; default: "+libraryName()+
		" beside this command")
	f.hold, f.car, f.plugins = holdFlag(flags), carFlag(flags), allowPlugins(flags)
	flags.Var(&f.set, "set", "parameter or text `NAME=VALUE` of the vehicle; may be repeated")
	flags.Var(&f.let, "let", "constant `NAME=VALUE` of the manoeuvre, also one that it varies or takes from another "+
		"manoeuvre; may be repeated")
	return f
}

// manoeuvreVerb runs a manoeuvre and prints its key figures.
func manoeuvreVerb(args []string, stdout, stderr io.Writer) error {
	f := newManoeuvreFlags(stdout)
	models, err := parse(f.flags, args, 1, 1)
	if err != nil {
		return err
	}
	if *f.manoeuvre == "" {
		return usageError{errors.New("--manoeuvre is missing")}
	}
	model, err := modelfile.Name(models[0])
	if err != nil {
		return err
	}
	e := evaluate.Evaluator{
		Target: manoeuvre.Target{Model: model, Car: *f.car}, Method: *f.method, Settings: f.set, Replaced: f.let,
		Held: *f.hold, Progress: output.NewProgress(stderr), AllowPlugins: *f.plugins,
		Open: func() (drive.Subject, func(), error) { return openSubject(models[0], *f.tree, *f.library) },
	}
	if *f.out != "" {
		if err := output.MakeFolder(*f.out); err != nil {
			return err
		}
	}
	result, err := e.Evaluate(*f.manoeuvre)
	if err != nil {
		return err
	}
	print := result.WriteTable
	if *f.markdown {
		print = result.WriteMarkdown
	}
	failures := result.Failures()
	if err := print(stdout); err != nil || *f.out == "" {
		return errors.Join(failures, err)
	}
	sources, err := modelfile.Sources(models[0])
	if err != nil {
		return err
	}
	var unwritten []error
	// what can be written is, also where the report of a run that failed can't
	for _, file := range result.Files(append(sources, *f.manoeuvre)...) {
		unwritten = append(unwritten, output.WriteFile(filepath.Join(*f.out, file.Name), file.Write))
	}
	if failures != nil {
		failures = fmt.Errorf("%w; %s has what was recorded up to there", failures, *f.out)
	}
	return errors.Join(failures, errors.Join(unwritten...))
}
