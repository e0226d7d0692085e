package main

import (
	"errors"
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

// manoeuvreVerb runs a manoeuvre and prints its key figures.
func manoeuvreVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "manoeuvre X.fmu|MODEL.toml --manoeuvre FILE [flags]",
		"  skidpad manoeuvre resources/models/generic4w.toml \\\n"+
			"    --manoeuvre resources/manoeuvres/step_steer.toml --let lateral=2 --out step\n"+
			"  skidpad manoeuvre GenericVehicle.fmu --manoeuvre resources/manoeuvres/sine_with_dwell.toml")
	manoeuvreFile := flags.String("manoeuvre", "", "manoeuvre `FILE` with a table [figures], TOML (required)")
	out := flags.String("out", "", "`FOLDER` for figures.csv, figures.json, report.html and, of every run, run_N.csv and inputs_N.csv; SI units")
	markdown := flags.Bool("markdown", false, "print the figures as Markdown, without definitions")
	method := flags.String("method", "", "solver; default: the model's")
	tree := flags.String("tree", "", "tree selection of a model file; default: its first")
	libraryFile := flags.String("library", "", "shared library `FILE` for a model file; default: "+libraryName()+" beside this command")
	hold := holdFlag(flags)
	car := carFlag(flags)
	plugins := allowPlugins(flags)
	var set settings
	flags.Var(&set, "set", "parameter or text `NAME=VALUE` of the vehicle; may be repeated")
	var let constants
	flags.Var(&let, "let", "constant `NAME=VALUE` of the manoeuvre, also one that it varies or takes from another manoeuvre; may be repeated")
	models, err := parse(flags, args, 1, 1)
	if err != nil {
		return err
	}
	if *manoeuvreFile == "" {
		return usageError{errors.New("--manoeuvre is missing")}
	}
	model, err := modelfile.Name(models[0])
	if err != nil {
		return err
	}
	e := evaluate.Evaluator{Target: manoeuvre.Target{Model: model, Car: *car}, Method: *method, Settings: set, Replaced: let, Held: *hold, Progress: output.NewProgress(stderr), AllowPlugins: *plugins,
		Open: func() (drive.Subject, func(), error) { return openSubject(models[0], *tree, *libraryFile) }}
	if *out != "" {
		if err := output.MakeFolder(*out); err != nil {
			return err
		}
	}
	result, err := e.Evaluate(*manoeuvreFile)
	if err != nil {
		return err
	}
	print := result.WriteTable
	if *markdown {
		print = result.WriteMarkdown
	}
	failures := result.Failures()
	if err := print(stdout); err != nil || *out == "" {
		return errors.Join(failures, err)
	}
	sources, err := modelfile.Sources(models[0])
	if err != nil {
		return err
	}
	type job struct {
		file  string
		write func(io.Writer) error
	}
	jobs := []job{
		{"figures.csv", result.WriteCSV},
		{"figures.json", func(to io.Writer) error { return result.WriteJSON(to, append(sources, *manoeuvreFile)...) }},
		{"report.html", result.WriteReport},
	}
	for i, run := range result.Runs {
		jobs = append(jobs, job{fmt.Sprintf("run_%d.csv", i+1), run.Result.Trace.WriteCSV}, job{fmt.Sprintf("inputs_%d.csv", i+1), run.Result.Inputs.WriteCSV})
	}
	var unwritten []error
	for _, j := range jobs { // what can be written is, also where the report of a run that failed can't
		unwritten = append(unwritten, output.WriteFile(filepath.Join(*out, j.file), j.write))
	}
	if failures != nil {
		failures = fmt.Errorf("%w; %s has what was recorded up to there", failures, *out)
	}
	return errors.Join(failures, errors.Join(unwritten...))
}
