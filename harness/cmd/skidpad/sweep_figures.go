package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// evaluate makes the sweep of characteristic values, or of their sensitivities.
func (f *sweepFlags) evaluate(c *cobra.Command, model string) error {
	target, err := modelfile.Target(model, *f.car)
	if err != nil {
		return err
	}
	target.Find = finder(model, *f.tree, *f.library)
	stderr := c.ErrOrStderr()
	e := evaluate.Evaluator{
		Target: target, Method: *f.method, Settings: f.set, Replaced: f.let, AllowPlugins: *f.plugins,
		Progress:  output.NewProgressOf(stderr, "done"),
		Open:      func() (drive.Subject, func(), error) { return openAsking(model, *f.tree, *f.library, "") },
		Interrupt: interruptOf(c),
		Mass:      func(set []manoeuvre.Setting) float64 { return modelfile.Mass(model, set) },
	}
	warnOf(model, stderr)
	if *f.percent > 0 {
		return f.sensitivities(c, &e)
	}
	design := evaluate.Combinations(f.vary)
	if err := e.CheckDesign(*f.manoeuvre, design); err != nil {
		return err
	}
	table, err := e.Figures(*f.manoeuvre, design, "")
	if table == nil {
		return err
	}
	reportFailures(stderr, table)
	write := table.WriteCSV
	switch {
	case *f.out == "-" && !c.Flags().Changed("out"):
		write = table.Write
	case strings.EqualFold(filepath.Ext(*f.out), ".parquet"):
		write = table.WriteParquet
	}
	_, failure := writeResults(*f.out, c.OutOrStdout(), write)
	return errors.Join(err, failure)
}

// sensitivities writes how the figures change with each parameter, and draws it.
func (f *sweepFlags) sensitivities(c *cobra.Command, e *evaluate.Evaluator) error {
	var names []string
	for _, v := range f.vary {
		names = append(names, v.Name)
	}
	list, warnings, err := e.Sensitivities(*f.manoeuvre, names, *f.percent)
	if err != nil {
		return err
	}
	for _, warning := range warnings {
		fmt.Fprintln(c.ErrOrStderr(), warning)
	}
	write := evaluate.WriteSensitivitiesCSV
	switch {
	case !c.Flags().Changed("out"):
		write = evaluate.WriteSensitivities
	case strings.EqualFold(filepath.Ext(*f.out), ".parquet"):
		write = evaluate.WriteSensitivitiesParquet
	}
	_, err = writeResults(*f.out, c.OutOrStdout(), func(to io.Writer) error { return write(to, list) })
	if *f.plot == "" || err != nil {
		return err
	}
	figure, err := evaluate.Tornado(list, "Change per percent of each parameter")
	if err != nil {
		return err
	}
	return output.WriteFile(*f.plot, func(to io.Writer) error { return figure.Write(to, *f.plot, *f.plotStyle) })
}
