package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/hardpoints"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
)

// hardpointsCommand reads hard points of other programs.
func hardpointsCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "hardpoints FILE [flags]",
		Short: "read hard points of a suspension from a file of another program",
		Long: "Reads the hard points of one axle. Prints them with the names and in the axes of Skidpad: x forward, y to\n" +
			"the left, z up, in mm, for the left side. FILE is one of\n" +
			"  a table: CSV rows of name, x, y, z; names can begin with hpl_, hpr_ or hps_ (left, right, middle)\n" +
			"  a subsystem text: rows 'name' 'left/right' x y z in a block [HARDPOINT]; --axes is needed\n" +
			"  a Lotus listing: rows x y z POINT:n name, or x y z POINT ( n ) = name\n" +
			"  a Chrono suspension: JSON with the Template DoubleWishbone, MacPhersonStrut, MultiLink or SemiTrailingArm\n" +
			"Standard error gets what was read, mapped and ignored. With --out the points go into a file: .csv, or .toml\n" +
			"with a table [parameters] for a subsystem file or a model. Sides that differ make two files, whose names\n" +
			"end in _L and _R; both are written for the left side, because a subsystem mirrors its right instance.\n" +
			"docs/hardpoints.md explains names, axes and use.",
		Example: "  skidpad hardpoints front.csv -o front.toml\n" +
			"  skidpad hardpoints front.sub --axes adams --symmetric -o front.csv",
		Args: arguments(1, 1, "one FILE"),
	}
	flags := c.Flags()
	var o hardpoints.Options
	flags.StringVar(&o.Axes, "axes", "", "`AXES` of the file: iso (x forward, y left, z up), adams (x rearward, y right, "+
		"z up), sae (x forward, y right, z down) or lotus (x rearward, z up, either side); default: iso for tables")
	flags.StringVar(&o.Unit, "unit", "", "`UNIT` of the coordinates: mm, cm, m or in; default: as the file says, else mm")
	flags.BoolVar(&o.Symmetric, "symmetric", false, "take the average of left and right points that differ")
	names := flags.String("names", "", "TOML `FILE` with a table [names]: names in the file = names in Skidpad")
	out := flags.StringP("out", "o", "-", "`FILE` to write, .csv or .toml; - is standard output, as CSV")
	writesTo(flags, "out")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := checkOutputs([]string{"--out", *out, ".csv", ".toml"}); err != nil {
			return err
		}
		text, err := bounded.HardPoints.Read(args[0])
		if err != nil {
			return err
		}
		if *names != "" {
			if o.Names, err = hardpoints.ReadNames(*names); err != nil {
				return err
			}
		}
		in, err := hardpoints.Read(text, o)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		describeImport(c.ErrOrStderr(), args[0], in)
		return writeImport(c, in, *out)
	}
	return c
}

// describeImport tells what was read, mapped and ignored.
func describeImport(to io.Writer, file string, in *hardpoints.Import) {
	fmt.Fprintf(to, "%s: %s, axes %s, unit %s, %d points\n", file, in.Form, in.Axes, in.Unit, len(in.Left))
	for _, p := range in.Left {
		if p.From != p.Name {
			fmt.Fprintf(to, "  %s is %s\n", p.From, p.Name)
		}
	}
	for _, i := range in.Ignored {
		fmt.Fprintln(to, "  ignored:", i)
	}
	for _, n := range in.Notes {
		fmt.Fprintln(to, "note:", n)
	}
}

// writeImport writes one file, or one for each side.
func writeImport(c *cobra.Command, in *hardpoints.Import, out string) error {
	write := hardpoints.WriteCSV
	ending := filepath.Ext(out)
	if strings.EqualFold(ending, ".toml") {
		write = hardpoints.WriteTOML
	}
	one := func(file string, points []hardpoints.Point) error {
		_, err := writeResults(file, c.OutOrStdout(), func(to io.Writer) error { return write(to, points) })
		return err
	}
	switch {
	case len(in.Right) == 0:
		return one(out, in.Left)
	case out == "-":
		return usageError{errors.New("left and right differ: name a file by --out, which becomes two, or add --symmetric")}
	}
	for _, side := range []struct {
		name   string
		points []hardpoints.Point
	}{{"_L", in.Left}, {"_R", in.Right}} {
		file := strings.TrimSuffix(out, ending) + side.name + ending
		if err := output.CheckOutput(file, ending); err != nil {
			return usageError{fmt.Errorf("--out %w", err)}
		}
		if err := one(file, side.points); err != nil {
			return err
		}
		fmt.Fprintln(c.ErrOrStderr(), "written:", file)
	}
	return nil
}
