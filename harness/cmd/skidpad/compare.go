package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/workbench/results/compare"
	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/signals"
	"skidpad/harness/workbench/results/validation"
)

const mostRuns = 20 // that are compared with a measured file

// compareCommand compares two runs or two reports.
func compareCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "compare OURS REFERENCE [flags]\n" +
			"compare RUN... --measured FILE [flags]\n" +
			"compare --iso 19364|19365|22140 SIMULATED MEASURED... [flags]",
		Short: "compare runs with references, or the results of two folders",
		Long: "OURS and REFERENCE are files with a column time (.csv, .csv.gz, .parquet), or folders that\n" +
			"'skidpad manoeuvre --out' has written. Exit status 1 if a corridor or a tolerance does not hold.\n" +
			"With --measured, runs are compared with a measured file: residuals, and corridors. REFERENCE and FILE may\n" +
			"be tables of data loggers, Parquet, MAT-files (-v6, -v7), and .mf4 that Skidpad has written; --by maps their\n" +
			"columns, with unit, gain, offset and filter.\n" +
			"With --iso, a folder of 'skidpad manoeuvre --out' is compared with measured runs of the same test, after a\n" +
			"standard for the validation of simulations: boundary curves about the simulation, measured points with their\n" +
			"scatter, a verdict for each curve and characteristic value. MEASURED are files, or folders of them.",
		Example: "  skidpad compare run.csv --measured logger.csv --by channels.toml --out comparison.html\n" +
			"  skidpad compare run_1.csv measured.csv --by step_corridor.toml --out comparison.html\n" +
			"  skidpad compare new old\n" +
			"  skidpad compare --iso 22140 step measured --by channels.toml --out validation.html",
		Args: arguments(0, 201, "two files or two folders, OURS and REFERENCE, or with --measured one run or more"),
	}
	by := c.Flags().String("by", "", "`FILE` with corridors, tolerances of characteristic values and names of "+
		"columns, TOML; without it the characteristic values of folders are printed side by side")
	out := c.Flags().StringP("out", "o", "", "HTML `FILE` with tables and plots")
	writesTo(c.Flags(), "out")
	measured := c.Flags().String("measured", "", "measured `FILE` with which the runs are compared")
	align := alignFlag(c.Flags())
	iso := c.Flags().String("iso", "", "`NUMBER` of a standard for the validation of simulations: "+
		strings.Join(validation.Numbers(), ", "))
	tolerances := c.Flags().Bool("tolerances", false, "print the tolerances of --iso, for a file of --by, and compare "+
		"nothing")
	asJSON := jsonFlag(c.Flags())
	for _, pair := range [][2]string{{"iso", "measured"}, {"iso", "align"}, {"tolerances", "out"}, {"tolerances", "json"},
		{"tolerances", "by"}} {
		excludeEachOther(c, pair[0], pair[1])
	}
	c.RunE = func(c *cobra.Command, files []string) error {
		if err := checkOutputs([]string{"--out", *out, ".html", ".htm"}); err != nil {
			return err
		}
		if *iso != "" || *tolerances {
			return validate(c, files, *iso, *by, *out, *tolerances, *asJSON)
		}
		if *measured == "" && len(files) != 2 {
			return usageError{fmt.Errorf("%d files; without --measured there are two, OURS and REFERENCE", len(files))}
		}
		if len(files) == 0 || len(files) > mostRuns {
			return usageError{fmt.Errorf("%d runs; 1 to %d are compared", len(files), mostRuns)}
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
		return showComparison(c, result, *out, *asJSON)
	}
	return c
}

// comparison is a result of a comparison. Pass reports whether its bounds hold.
type comparison interface {
	WriteTable(to io.Writer) error
	WriteJSON(to io.Writer) error
	Page(units *display.Units) *report.Page
	Pass() bool
}

// showComparison prints a result, and writes its page.
func showComparison(c *cobra.Command, result comparison, out string, asJSON bool) error {
	print := result.WriteTable
	if asJSON {
		print = result.WriteJSON
	}
	if err := print(c.OutOrStdout()); err != nil {
		return err
	}
	if out != "" {
		if err := output.WriteFile(out, result.Page(display.Default()).Write); err != nil {
			return err
		}
	}
	if !result.Pass() {
		return errFailed
	}
	return nil
}

// validate compares a simulated test with measured runs, or prints the tolerances of a standard.
func validate(c *cobra.Command, files []string, iso, by, out string, tolerances, asJSON bool) error {
	text, err := validation.Shipped(iso)
	switch {
	case err != nil:
		return usageError{err}
	case tolerances && len(files) > 0:
		return usageError{fmt.Errorf("--tolerances prints a file and compares nothing; leave out %s", files[0])}
	case tolerances:
		_, err := c.OutOrStdout().Write(text)
		return err
	case len(files) < 2:
		return usageError{fmt.Errorf("%d paths; with --iso there are two or more: SIMULATED, a folder of 'skidpad manoeuvre "+
			"--out', and MEASURED files or folders", len(files))}
	}
	spec, err := validation.ReadSpec(iso, by)
	if err != nil {
		return err
	}
	result, err := spec.Compare(files[0], files[1:])
	if err != nil {
		return err
	}
	return showComparison(c, result, out, asJSON)
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
