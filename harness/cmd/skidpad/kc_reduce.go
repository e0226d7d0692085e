package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/model/reduction"
)

// kcReduceCommand makes tables of the kinematics of an axle.
func kcReduceCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "reduce MODEL [flags]", Short: "write the corner of an axle as fast tables of its kinematics",
		Long: "Moves the wheels of an axle over their travel and the rack on the rig of 'skidpad kc', and writes a\n" +
			"subsystem file of the corner: a suspension by tables, springs with their own laws over lengths by tables,\n" +
			"compliance over the travel, masses, wheel, brake and tire. Third springs and anti-roll bars keep their own\n" +
			"laws, and act on lengths and angles by tables. The grid of the tables becomes finer until the error midway\n" +
			"between its lines is below the tolerance. Prints the errors, the figures of the axle with and without\n" +
			"tables, the use of the file, and the components between the wheels. Lengths of third springs are CSV files\n" +
			"beside FILE. The sides must be equal. Wheels that move each other, of a rigid axle or a twist beam with ideal\n" +
			"joints, get tables over the travels of both wheels, in a file of the axle and two files beside FILE.",
		Example: "  skidpad kc reduce my_car.toml --axle 1 -o corner_fast.toml",
		Args:    arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags, axle := c.Flags(), &axleFlags{}
	axle.add(flags)
	out := flags.StringP("out", "o", "", "subsystem `FILE` to write; default: nothing is written")
	writesTo(flags, "out")
	tolerance := flags.Float64("tolerance", 1e-6, "largest `ERROR` midway between the lines of the tables [m, rad]")
	compare := flags.Bool("compare", false, "also make a step steer to 7 m/s2 and braking in a turn with and without "+
		"tables, and print the characteristic values and their differences")
	libraryFile := libraryFlag(flags)
	excludeEachOther(c, "compare", "set")
	c.RunE = func(c *cobra.Command, args []string) error {
		o, err := axle.options()
		if err != nil {
			return err
		}
		if !(*tolerance > 0) {
			return usageError{errors.New("--tolerance must be above 0")}
		}
		if *out != "" {
			if err := output.CheckOutput(*out, ".toml"); err != nil {
				return usageError{fmt.Errorf("--out %w", err)}
			}
		}
		m, of, err := axle.vehicle(c, args)
		if err != nil {
			return err
		}
		tables, err := reduction.Reduce(args[0], m, of, o, *tolerance)
		if err != nil {
			return err
		}
		for _, note := range tables.Notes {
			fmt.Fprintf(c.ErrOrStderr(), "note: %s\n", note)
		}
		if *out != "" {
			for side, file := range suspension.EndFiles(tables, *out) {
				if err := output.WriteFile(file, func(w io.Writer) error {
					return suspension.WriteEnd(tables, side, w, filepath.Dir(file))
				}); err != nil {
					return err
				}
			}
			if err := output.WriteFile(*out, func(w io.Writer) error {
				return suspension.WriteCorner(tables, w, filepath.Dir(*out))
			}); err != nil {
				return err
			}
			springs, files := suspension.Spans(tables, *out)
			for i, file := range files {
				if err := output.WriteFile(file, func(w io.Writer) error { return tables.WriteSpan(springs[i], w) }); err != nil {
					return err
				}
			}
		}
		if err := suspension.PrintReduction(tables, c.OutOrStdout()); err != nil || !*compare {
			return err
		}
		drives, err := compareDrives(c, tables, axle, *libraryFile)
		if err != nil {
			return err
		}
		return suspension.PrintDrives(drives, c.OutOrStdout())
	}
	return c
}

// compareDrives makes manoeuvres with the model and with its variant with tables.
func compareDrives(
	c *cobra.Command, r *reduction.Axle, axle *axleFlags, libraryFile string,
) ([]suspension.Drive, error) {
	folder, err := os.MkdirTemp("", "skidpad")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(folder)
	variant := filepath.Join(folder, "tables.toml")
	if err := output.WriteFile(variant, func(w io.Writer) error { return suspension.Variant(r, w) }); err != nil {
		return nil, err
	}
	evaluator := func(model string) (e evaluate.Evaluator, err error) {
		if e.Target, err = modelfile.Target(model, *axle.car); err != nil {
			return e, err
		}
		tree := axle.of.Tree
		e.Find = finder(model, tree, libraryFile)
		e.Open = func() (drive.Subject, func(), error) { return openSubject(model, tree, libraryFile) }
		e.Progress, e.Interrupt = output.NewProgress(c.ErrOrStderr()), interruptOf(c)
		return e, nil
	}
	full, err := evaluator(r.File)
	if err != nil {
		return nil, err
	}
	tables, err := evaluator(variant)
	if err != nil {
		return nil, err
	}
	drives := suspension.Drives()
	for i := range drives {
		path := drives[i].Manoeuvre
		if err := found(c, resources.Manoeuvres, &path); err != nil {
			return nil, err
		}
		if err := drives[i].Make(path, full, tables); err != nil {
			return nil, err
		}
	}
	return drives, nil
}
