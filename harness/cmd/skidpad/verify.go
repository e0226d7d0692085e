package main

import (
	"fmt"
	"io"
	"path/filepath"

	"skidpad/harness/output"
	"skidpad/harness/verify"
)

// verifyVerb compares the library with references, statements and tables.
func verifyVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "verify [MODEL] [--manoeuvre NAME] [flags]",
		"  skidpad verify generic4w --manoeuvre generic4w_sine --html out/verification.html")
	resources := flags.String("resources", "resources", "`FOLDER` with models, manoeuvres, tires and references")
	manoeuvre := flags.String("manoeuvre", "", "`NAME` of a manoeuvre; default: all")
	study := flags.Bool("convergence", false,
		"also find orders and largest stable steps of the solvers, and how stabilisation and step depend")
	html := flags.String("html", "out/verification.html", "HTML `FILE` for the report; \"\" writes none")
	libraryFile := flags.String("library", "", "shared library `FILE`; default: "+libraryName()+" beside this command")
	models, err := parse(flags, args, 0, 1)
	if err != nil {
		return err
	}
	if *html != "" {
		if err := output.MakeFolder(filepath.Dir(*html)); err != nil {
			return err
		}
		if err := checkOutputs([]string{"--html", *html, ".html", ".htm"}); err != nil {
			return err
		}
	}
	library, err := openLibrary(*libraryFile)
	if err != nil {
		return err
	}
	progress := output.NewProgress(stderr)
	costs, err := verify.EngineCosts(*resources, progress)
	if err != nil {
		return err
	}
	v := verify.Verification{Library: library, Resources: *resources, Manoeuvre: *manoeuvre, Costs: costs,
		Report: stdout, Progress: progress}
	if len(models) > 0 {
		v.Model = models[0]
	}
	result, err := v.Do()
	if err != nil {
		return err
	}
	var convergence *verify.Convergence
	if *study {
		if convergence, err = (&verify.ConvergenceStudy{Library: library, Resources: *resources,
			Progress: progress}).Do(); err != nil {
			return err
		}
		convergence.Print(stdout)
	}
	if *html != "" {
		if err := output.WriteFile(*html,
			func(to io.Writer) error { return result.WriteReport(to, library, convergence) }); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "report: %s\n", *html)
	}
	if !result.OK() || convergence != nil && !convergence.OK() {
		return errFailed
	}
	return nil
}
