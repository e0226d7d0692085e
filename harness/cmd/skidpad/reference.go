package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/evidence/references"
	"skidpad/harness/workbench/results/output"
)

// referenceCommand regenerates stored references.
func referenceCommand() *cobra.Command {
	var cases []string
	for _, c := range references.Cases {
		cases = append(cases, c.Name)
	}
	c := &cobra.Command{
		Use: "reference [CASE ...] [flags]", Short: "regenerate the stored results of the independent solver",
		Long: "Runs the independent solver and writes a file of samples for each case. Works on the folder resources of\n" +
			"the sources. CASE is one of these; default: all.\n\n  " + strings.Join(cases, "\n  "),
		Example: "  skidpad reference generic4w_sine --resources resources",
		Args:    arguments(0, len(cases), "known cases"), ValidArgs: cases,
	}
	resources := c.Flags().String("resources", "resources", "`FOLDER` with models, manoeuvres and tires")
	out := c.Flags().StringP("out", "o", "", "`FOLDER` for the files; default: references/trajectories in the resources")
	c.RunE = func(c *cobra.Command, wanted []string) error {
		for _, name := range wanted {
			if !slices.Contains(cases, name) {
				return usageError{fmt.Errorf("there is no case %q%s; there are %s", name, didYouMean(name, "", cases),
					strings.Join(cases, ", "))}
			}
		}
		if *out == "" {
			*out = filepath.Join(*resources, "references", "trajectories")
		}
		if err := output.MakeFolder(*out); err != nil {
			return err
		}
		progress := output.NewProgress(c.ErrOrStderr())
		for _, of := range references.Cases {
			if len(wanted) > 0 && !slices.Contains(wanted, of.Name) {
				continue
			}
			if err := references.Make(of, *resources, *out, progress); err != nil {
				return err
			}
			fmt.Fprintf(c.OutOrStdout(), "%s\n", filepath.Join(*out, of.Name+".csv"))
		}
		return nil
	}
	return c
}
