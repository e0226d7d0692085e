package main

import (
	"io"
	"os"
	"path/filepath"

	"skidpad/harness/mainjob"
	"skidpad/harness/output"
)

// runVerb does the main job.
func runVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "run [flags]",
		"  out/skidpad run --resources resources --out out/runs")
	resources := flags.String("resources", "resources", "`FOLDER` with models and manoeuvres")
	out := flags.String("out", "out/runs", "`FOLDER` for recorded variables and plots")
	fmus := flags.String("fmus", "",
		"`FOLDER` with fmi2 and fmi3, which hold the FMUs; default: the folder of this command")
	paced := flags.Float64("paced", 2, "`SECONDS` of every manoeuvre that are also run in real time; 0 for none")
	libraryFile := flags.String("library", "", "shared library `FILE`; default: "+libraryName()+" beside this command")
	if _, err := parse(flags, args, 0, 0); err != nil {
		return err
	}
	if *out != "" {
		if err := output.MakeFolder(*out); err != nil {
			return err
		}
	}
	library, err := openLibrary(*libraryFile)
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	if *fmus == "" {
		*fmus = filepath.Dir(self)
	}
	tires := filepath.Join(filepath.Dir(self), "tires", "fiala"+filepath.Ext(libraryName()))
	if _, err := os.Stat(tires); err != nil {
		tires = ""
	}
	job := mainjob.Job{
		FMUs: *fmus, Library: library, Tires: tires, Resources: *resources, Out: *out, Paced: *paced,
		Report: stdout, Progress: output.NewProgress(stderr),
	}
	ok, err := job.Do()
	if err != nil {
		return err
	}
	if !ok {
		return errFailed
	}
	return nil
}
