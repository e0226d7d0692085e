package main

import (
	"io"

	"skidpad/harness"
)

// verifyVerb compares the library with references, statements and tables.
func verifyVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "verify [MODEL] [--manoeuvre NAME] [flags]",
		"  skidpad verify generic4w --manoeuvre generic4w_sine --html out/verification.html")
	resources := flags.String("resources", "resources", "`FOLDER` with models, manoeuvres, tires and references")
	manoeuvre := flags.String("manoeuvre", "", "`NAME` of a manoeuvre; default: all")
	libraryFile := flags.String("library", "", "shared library `FILE`; default: "+libraryName()+" beside this command")
	models, err := parse(flags, args, 0, 1)
	if err != nil {
		return err
	}
	library, err := openLibrary(*libraryFile)
	if err != nil {
		return err
	}
	progress := harness.NewProgress(stderr)
	costs, err := engineCosts(*resources, progress)
	if err != nil {
		return err
	}
	v := harness.Verification{Library: library, Resources: *resources, Manoeuvre: *manoeuvre, Costs: costs, Report: stdout, Progress: progress}
	if len(models) > 0 {
		v.Model = models[0]
	}
	result, err := v.Do()
	if err != nil {
		return err
	}
	if !result.OK() {
		return errFailed
	}
	return nil
}
