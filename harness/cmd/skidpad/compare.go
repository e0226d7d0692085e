package main

import (
	"io"

	"skidpad/harness/compare"
	"skidpad/harness/output"
)

// compareVerb compares two runs or two reports.
func compareVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "compare OURS REFERENCE [flags]\n\n"+
		"OURS and REFERENCE are CSV files with a column time, or folders that skidpad manoeuvre --out has written.\n"+
		"Exit status 1 if a corridor or a tolerance does not hold.",
		"  skidpad compare run_1.csv measured.csv --by step_corridor.toml --out comparison.html\n  skidpad compare "+
			"new old")
	by := flags.String("by", "",
		"`FILE` with corridors, tolerances of key figures and names of columns, TOML; without it the key figures of "+
			"folders are printed side by side")
	out := flags.String("out", "", "HTML `FILE` with tables and plots")
	files, err := parse(flags, args, 2, 2)
	if err != nil {
		return err
	}
	if err := checkOutputs([]string{"--out", *out, ".html", ".htm"}); err != nil {
		return err
	}
	c := &compare.Spec{Title: "Comparison"}
	if *by != "" {
		if c, err = compare.ReadSpec(*by); err != nil {
			return err
		}
	}
	result, err := c.Compare(files[0], files[1])
	if err != nil {
		return err
	}
	if err := result.WriteTable(stdout); err != nil {
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
