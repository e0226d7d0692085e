package main

import (
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
)

// expandCommand prints models without bases and uses.
func expandCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "expand MODEL [flags]", Short: "print a model with all components of its subsystems",
		Long: "Prints a model file as one flat file: with what its bases and subsystem files put into it. A comment\n" +
			"before each component of a subsystem names the file and the use that it comes from. The flat file gives\n" +
			"the same equations and the same FMU. The names of files in it lead from the folder of the model, or with\n" +
			"--out from the folder of the file that is written. A model with an error is printed, too, before the error,\n" +
			"as far as its files can be put together; no file is written then.",
		Example: "  skidpad expand passenger_car\n  skidpad expand resources/models/truck3.toml -o truck3_flat.toml",
		Args:    arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	out := c.Flags().StringP("out", "o", "", "`FILE` to write; default: standard output")
	writesTo(c.Flags(), "out")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := found(c, resources.Models, &args[0]); err != nil {
			return err
		}
		if *out == "" {
			return modelfile.Expand(c.OutOrStdout(), args[0], "")
		}
		if err := output.CheckOutput(*out, ".toml"); err != nil {
			return usageError{fmt.Errorf("--out %w", err)}
		}
		return output.WriteFile(*out, func(w io.Writer) error {
			return modelfile.Expand(w, args[0], filepath.Dir(*out))
		})
	}
	return c
}
