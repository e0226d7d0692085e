package main

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/results/compare"
	"skidpad/harness/workbench/results/output"
)

// compareCommand compares two runs or two reports.
func compareCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "compare OURS REFERENCE [flags]", Short: "compare runs with references, or the results of two folders",
		Long: "OURS and REFERENCE are files with a column time (.csv, .csv.gz, .parquet), or folders that\n" +
			"'skidpad manoeuvre --out' has written. Exit status 1 if a corridor or a tolerance does not hold.",
		Example: "  skidpad compare run_1.csv measured.csv --by step_corridor.toml --out comparison.html\n" +
			"  skidpad compare new old",
		Args: arguments(2, 2, "two files or two folders, OURS and REFERENCE"),
	}
	by := c.Flags().String("by", "", "`FILE` with corridors, tolerances of characteristic values and names of "+
		"columns, TOML; without it the characteristic values of folders are printed side by side")
	out := c.Flags().StringP("out", "o", "", "HTML `FILE` with tables and plots")
	writesTo(c.Flags(), "out")
	asJSON := jsonFlag(c.Flags())
	c.RunE = func(c *cobra.Command, files []string) error {
		if err := checkOutputs([]string{"--out", *out, ".html", ".htm"}); err != nil {
			return err
		}
		for _, file := range files {
			if info, err := os.Stat(file); *by == "" && err == nil && !info.IsDir() {
				return usageError{fmt.Errorf("%s is a file, not a folder, and nothing says what to compare in it; give corridors "+
					"with --by", file)}
			}
		}
		spec, err := &compare.Spec{Title: "Comparison"}, error(nil)
		if *by != "" {
			if spec, err = compare.ReadSpec(*by); err != nil {
				return err
			}
		}
		result, err := spec.Compare(files[0], files[1])
		if err != nil {
			return err
		}
		print := result.WriteTable
		if *asJSON {
			print = result.WriteJSON
		}
		if err := print(c.OutOrStdout()); err != nil {
			return err
		}
		if *out != "" {
			if err := output.WriteFile(*out, result.WriteReport); err != nil {
				return err
			}
		}
		if !result.Pass() {
			return errFailed
		}
		return nil
	}
	return c
}
