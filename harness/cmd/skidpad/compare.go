package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/workbench/results/compare"
	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/signals"
)

// compareCommand compares two runs or two reports.
func compareCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "compare OURS REFERENCE [flags]\n" +
			"compare RUN... --measured FILE [flags]", Short: "compare runs with references, or the results of two folders",
		Long: "OURS and REFERENCE are files with a column time (.csv, .csv.gz, .parquet), or folders that\n" +
			"'skidpad manoeuvre --out' has written. Exit status 1 if a corridor or a tolerance does not hold.\n" +
			"With --measured, runs are compared with a measured file: residuals, and corridors. REFERENCE and FILE may\n" +
			"be tables of data loggers, Parquet, MAT-files (-v6, -v7), and .mf4 that Skidpad has written; --by maps their\n" +
			"columns, with unit, gain, offset and filter.",
		Example: "  skidpad compare run.csv --measured logger.csv --by channels.toml --out comparison.html\n" +
			"  skidpad compare run_1.csv measured.csv --by step_corridor.toml --out comparison.html\n" +
			"  skidpad compare new old",
		Args: arguments(1, 20, "two files or two folders, OURS and REFERENCE, or with --measured one run or more"),
	}
	by := c.Flags().String("by", "", "`FILE` with corridors, tolerances of characteristic values and names of "+
		"columns, TOML; without it the characteristic values of folders are printed side by side")
	out := c.Flags().StringP("out", "o", "", "HTML `FILE` with tables and plots")
	writesTo(c.Flags(), "out")
	measured := c.Flags().String("measured", "", "measured `FILE` with which the runs are compared")
	align := alignFlag(c.Flags())
	asJSON := jsonFlag(c.Flags())
	c.RunE = func(c *cobra.Command, files []string) error {
		if err := checkOutputs([]string{"--out", *out, ".html", ".htm"}); err != nil {
			return err
		}
		if *measured == "" && len(files) != 2 {
			return usageError{fmt.Errorf("%d files; without --measured there are two, OURS and REFERENCE", len(files))}
		}
		for _, file := range files {
			if *measured != "" {
				break
			}
			if info, err := os.Stat(file); *by == "" && err == nil && !info.IsDir() {
				return usageError{fmt.Errorf("%s is a file, not a folder, and nothing says what to compare in it; give corridors "+
					"with --by", file)}
			}
		}
		spec, err := readComparison(*by, *align)
		if err != nil {
			return err
		}
		var result *compare.Result
		if *measured != "" {
			result, err = compareMeasured(spec, files, nil, *measured, nil)
		} else {
			result, err = spec.Compare(files[0], files[1])
		}
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
			if err := output.WriteFile(*out, result.Page(display.Default()).Write); err != nil {
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

// alignFlag is the flag that has a shift found.
func alignFlag(flags *pflag.FlagSet) *string {
	return flags.String("align", "", "`VARIABLE` by which the shift of the measured time is found, by correlation")
}

// readComparison reads the file of --by, if there is one.
func readComparison(by, align string) (*compare.Spec, error) {
	spec := &compare.Spec{Title: "Comparison"}
	if by != "" {
		var err error
		if spec, err = compare.ReadSpec(by); err != nil {
			return nil, err
		}
	}
	if align == "" {
		return spec, nil
	}
	if spec.Shift != 0 {
		return nil, usageError{fmt.Errorf("--align %s: %s gives a shift; leave one out", align, by)}
	}
	spec.Align = align
	return spec, nil
}

// compareMeasured compares runs, files or folders, with a measured file.
func compareMeasured(spec *compare.Spec, paths, names []string, file string, chosen []string) (*compare.Result, error) {
	runs, err := signals.Read(paths, names)
	if err != nil {
		return nil, err
	}
	if len(spec.Figures) > 0 {
		return nil, usageError{errors.New("[[figure]] is for two folders, and --measured for signals; leave one out")}
	}
	return spec.WithMeasurement(runs, file, chosen)
}
