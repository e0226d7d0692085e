package main

import (
	"io"

	"skidpad/harness"
)

// runVerb does the main job.
func runVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "run [flags]",
		"  out/skidpad run --resources resources --out out/runs")
	resources := flags.String("resources", "resources", "`FOLDER` with models and manoeuvres")
	out := flags.String("out", "out/runs", "`FOLDER` for recorded variables and plots")
	libraryFile := flags.String("library", "", "shared library `FILE`; default: "+libraryName()+" beside this command")
	if _, err := parse(flags, args, 0, 0); err != nil {
		return err
	}
	library, err := openLibrary(*libraryFile)
	if err != nil {
		return err
	}
	job := harness.Job{Library: library, Resources: *resources, Out: *out, Report: stdout, Progress: stderr}
	ok, err := job.Do()
	if err != nil {
		return err
	}
	if !ok {
		return errFailed
	}
	return nil
}
