package main

import (
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"skidpad/harness/evidence/mainjob"
	"skidpad/harness/workbench/results/output"
)

// runCommand does the main job.
func runCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "run [flags]", Short: "run and check the reference manoeuvres of the shipped FMUs",
		Long: "Runs the vehicles of all publications through their manoeuvres, from their FMUs and through the library,\n" +
			"checks every published statement, and writes recorded variables and plots. Works on the folder resources\n" +
			"of the sources. Exit status 1 if a check does not hold.",
		Example: "  skidpad run --resources resources --out out/runs",
		Args:    noArguments,
	}
	flags := c.Flags()
	resources := flags.String("resources", "resources", "`FOLDER` with models and manoeuvres")
	out := flags.StringP("out", "o", "out/runs", "`FOLDER` for recorded variables and plots")
	fmus := flags.String("fmus", "",
		"`FOLDER` with fmi2 and fmi3, which hold the FMUs; default: the folder of this command")
	paced := secondsOrZeroFlag(flags, "paced", 2,
		"`SECONDS` of every manoeuvre that are also run in real time; 0 for none")
	libraryFile, asJSON := libraryFlag(flags), jsonFlag(flags)
	c.RunE = func(c *cobra.Command, _ []string) error {
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
			FMUs: *fmus, Library: library, Tires: tires, Resources: *resources, Out: *out, Paced: *paced, Timed: true,
			Progress: output.NewProgress(c.ErrOrStderr()),
		}
		result, err := job.Do()
		if err != nil {
			return err
		}
		print := result.Print
		if *asJSON {
			print = result.WriteJSON
		}
		if err := print(c.OutOrStdout()); err != nil {
			return err
		}
		if result.Failed() > 0 {
			return errFailed
		}
		return nil
	}
	return c
}
