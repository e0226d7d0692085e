package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/assess"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/model/bounded"
)

// assessFlags are the flags of assess.
type assessFlags struct {
	out, model, library     *string
	rows                    *[]string
	json, markdown, plugins *bool
	set                     settings
}

// assessCommand runs the rows of an assessment and compares their values with bounds.
func assessCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "assess ASSESSMENT [flags]",
		Short: "run an acceptance table: manoeuvres, vehicles, values, bounds",
		Long: "Makes the runs of all rows of an assessment and prints a table: characteristic values, and values of\n" +
			"signals, for each vehicle, with bounds and verdicts. ASSESSMENT is a TOML file, or a name that 'skidpad\n" +
			"list' shows. Exit status 1 if a value is beyond its bound. When interrupted, it prints the rows so far and\n" +
			"ends with status 130.",
		Example: "  skidpad assess brake_and_stability_control --row 'full pedal*'\n" +
			"  skidpad assess my_assessment.toml --out results",
		Args: arguments(1, 1, "one ASSESSMENT"), ValidArgsFunction: names(resources.Assessments),
	}
	f, flags := &assessFlags{}, c.Flags()
	f.rows = flags.StringArray("row", nil, "`NAME` or pattern of rows to run; may be repeated; default: all")
	f.model = flags.String("model", "", "`MODEL` or FMU in place of those that the file names: file or name")
	flags.Var(&f.set, "set", "parameter or text `NAME=VALUE` of all vehicles, behind those of the file; may be repeated")
	f.out = flags.StringP("out", "o", "", "`FOLDER` for assessment.csv, assessment.json and report.html; SI units")
	writesInto(flags, "out", "assessment.csv", "assessment.json", "report.html")
	f.markdown = flags.Bool("markdown", false, "print the table as Markdown")
	f.json = jsonFlag(flags)
	f.library, f.plugins = libraryFlag(flags), allowPlugins(flags)
	excludeEachOther(c, "markdown", "json")
	c.RunE = f.run
	return c
}

func (f *assessFlags) run(c *cobra.Command, args []string) error {
	file := args[0]
	if err := found(c, resources.Assessments, &file); err != nil {
		return err
	}
	a, err := assess.Read(file)
	if err == nil && *f.rows != nil {
		err = a.Only(*f.rows)
	}
	if err != nil {
		return err
	}
	// a name without folder and ending is that of a resource, all others are files beside the assessment
	find := func(kind resources.Kind, word string) (string, error) {
		if word == filepath.Base(word) && filepath.Ext(word) == "" {
			return kind.Find(word)
		}
		return bounded.Beside(file, word), nil
	}
	result, err := a.Run(assess.Options{
		Vehicle: func(model string) (assess.Subject, error) { return f.vehicle(c, model, find) },
		Manoeuvre: func(name string) (string, error) {
			return find(resources.Manoeuvres, name)
		},
		Settings: f.set, Progress: output.NewProgressOf(c.ErrOrStderr(), "rows"), Interrupt: interruptOf(c),
		AllowPlugins: *f.plugins,
	})
	if err != nil {
		return err
	}
	print := result.WriteTable
	switch {
	case *f.json:
		print = result.WriteJSON
	case *f.markdown:
		print = result.WriteMarkdown
	}
	err = errors.Join(result.Failure, print(c.OutOrStdout()))
	if *f.out != "" {
		err = errors.Join(err, output.MakeFolder(*f.out))
		for _, file := range result.Files() {
			err = errors.Join(err, output.WriteFile(filepath.Join(*f.out, file.Name), file.Write))
		}
	}
	if err == nil && !result.Pass() {
		return errFailed
	}
	return err
}

// vehicle is a model of the file, or that of --model in its place.
func (f *assessFlags) vehicle(c *cobra.Command, model string,
	find func(resources.Kind, string) (string, error)) (s assess.Subject, err error) {
	if *f.model != "" {
		model = *f.model
		err = found(c, resources.Models, &model)
	} else {
		model, err = find(resources.Models, model)
	}
	if err != nil {
		return s, err
	}
	library := *f.library
	if strings.EqualFold(filepath.Ext(model), ".fmu") {
		library = ""
	}
	if s.Target, err = modelfile.Target(model, ""); err != nil {
		return s, err
	}
	s.Target.Find = finder(model, "", library)
	s.Open = func() (drive.Subject, func(), error) { return openSubject(model, "", library) }
	return s, nil
}
