package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"skidpad/harness/evidence/verify"
	"skidpad/harness/workbench/results/output"
)

// verifyCommand compares the library with references, statements and tables.
func verifyCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "verify [MODEL] [flags]", Short: "compare the library with references and published results",
		Long: "Compares runs of the library with the stored results of an independent solver and with what publications\n" +
			"state, and linear equations with those of a second method. MODEL is one of the models that have\n" +
			"references; default: all. Works on the folder resources of the sources. Exit status 1 if a bound does\n" +
			"not hold.",
		Example: "  skidpad verify generic4w --manoeuvre generic4w_sine --html out/verification.html",
		Args:    arguments(0, 1, "one MODEL or none"),
	}
	flags := c.Flags()
	resources := flags.String("resources", "resources", "`FOLDER` with models, manoeuvres, tires and references")
	manoeuvre := flags.String("manoeuvre", "", "`NAME` of a manoeuvre; default: all")
	study := flags.Bool("convergence", false,
		"also find orders and largest stable steps of the solvers, and how stabilisation and step depend")
	html := flags.String("html", "out/verification.html", "HTML `FILE` for the report; \"\" writes none")
	writesTo(flags, "html")
	libraryFile, asJSON := libraryFlag(flags), jsonFlag(flags)
	c.RunE = func(c *cobra.Command, models []string) error {
		stdout := c.OutOrStdout()
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
		progress := output.NewProgress(c.ErrOrStderr())
		costs, err := verify.EngineCosts(*resources, progress)
		if err != nil {
			return err
		}
		tables := stdout
		if *asJSON {
			tables = io.Discard
		}
		v := verify.Verification{Library: library, Resources: *resources, Manoeuvre: *manoeuvre, Costs: costs,
			JudgeTimes: true, Report: tables, Progress: progress}
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
			convergence.Print(tables)
		}
		if *asJSON {
			if err := result.WriteJSON(stdout, convergence); err != nil {
				return err
			}
		}
		if *html != "" {
			if err := output.WriteFile(*html,
				func(to io.Writer) error { return result.WriteReport(to, library, convergence) }); err != nil {
				return err
			}
			fmt.Fprintf(tables, "report: %s\n", *html)
		}
		if !result.OK() || convergence != nil && !convergence.OK() {
			return errFailed
		}
		return nil
	}
	return c
}
