package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/files/hardpoints"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
	"skidpad/model/rig"
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
			"  a Chrono suspension: JSON with the Template DoubleWishbone, MacPhersonStrut, MultiLink, SemiTrailingArm or\n" +
			"  SolidAxle\n" +
			"Standard error shows the points that were read, mapped and ignored, and figures of the suspension beside the\n" +
			"figures of the file. With --out the points go into a file. A .csv is a table for the key points of a use; sides\n" +
			"that differ make two tables, whose names end in _L and _R, both for the left side, because a subsystem mirrors\n" +
			"its right instance. A .toml is a model of the axle with the shipped corner that has these points, ready for\n" +
			"skidpad kc.\n" +
			"docs/hardpoints.md explains names, axes and use.",
		Example: "  skidpad hardpoints front.txt -o front_axle.toml\n" +
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
		axle, err := in.Axle(axleName(*out), filepath.Base(args[0]))
		if strings.EqualFold(filepath.Ext(*out), ".toml") {
			if err != nil {
				return fmt.Errorf("%s: %w; the points alone can go into a .csv", args[0], err)
			}
			if _, err := writeResults(*out, c.OutOrStdout(), func(to io.Writer) error {
				_, err := io.WriteString(to, axle.Text)
				return err
			}); err != nil {
				return err
			}
		} else if err := writeTables(c, in, *out); err != nil {
			return err
		}
		if err != nil {
			fmt.Fprintln(c.ErrOrStderr(), "note: no figures:", err)
			return nil
		}
		return describeAxle(c.ErrOrStderr(), in, axle)
	}
	return c
}

// axleName is the name of the model in a file.
func axleName(out string) string {
	name := notOfNames.ReplaceAllString(strings.TrimSuffix(filepath.Base(out), filepath.Ext(out)), "_")
	if name == "" || name[0] == '_' || name[0] >= '0' && name[0] <= '9' {
		return "axle" + name
	}
	return name
}

var notOfNames = regexp.MustCompile(`[^A-Za-z0-9]+`)

// geometry are the figures of an axle that need no more than points.
var geometry = []string{"toe_per_travel", "camber_per_travel", "roll_centre_one_wheel", "castor", "inclination",
	"trail",
	"scrub", "hub_trail", "hub_offset"}

// describeAxle tells which shipped corner fits, and shows its figures beside those of the file.
func describeAxle(to io.Writer, in *hardpoints.Import, axle *hardpoints.Axle) error {
	fmt.Fprintf(to, "the points are those of %s\n", axle.Corner)
	for _, unused := range axle.Unused {
		fmt.Fprintln(to, "  unused by it:", unused)
	}
	r, err := suspension.Measure(axle.Model, axle.Model.Roles, suspension.Options{Options: rig.Options{Axle: 1}})
	if err != nil {
		fmt.Fprintln(to, "note: no figures:", err)
		return nil
	}
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "figure\tof these points\tof the file\tunit")
	for i := range r.Figures {
		f := &r.Figures[i]
		if f.Missing != "" || !slices.Contains(geometry, f.Key) {
			continue
		}
		unit, si := suspension.Shown(f)
		stated := ""
		for _, p := range in.Printed {
			if p.Figure == f.Key {
				stated = fmt.Sprintf("%.5g", p.Value/si)
			}
		}
		fmt.Fprintf(w, "%s\t%.5g\t%s\t%s\n", suspension.Text(f.Key), f.Left.V/si, stated, unit)
	}
	return w.Flush()
}

// mostIgnored bounds the list of entries that were ignored.
const mostIgnored = 60

// describeImport tells what was read, mapped and ignored.
func describeImport(to io.Writer, file string, in *hardpoints.Import) {
	fmt.Fprintf(to, "%s: %s, axes %s, unit %s, %d points\n", file, in.Form, in.Axes, in.Unit, len(in.Left))
	for _, p := range in.Left {
		if p.From != p.Name {
			fmt.Fprintf(to, "  %s is %s\n", p.From, p.Name)
		}
	}
	for i, ignored := range in.Ignored {
		if i == mostIgnored {
			fmt.Fprintf(to, "  ignored: %d more\n", len(in.Ignored)-i)
			break
		}
		fmt.Fprintln(to, "  ignored:", ignored)
	}
	for _, n := range in.Notes {
		fmt.Fprintln(to, "note:", n)
	}
}

// writeTables writes one table of points, or one for each side.
func writeTables(c *cobra.Command, in *hardpoints.Import, out string) error {
	ending := filepath.Ext(out)
	one := func(file string, points []hardpoints.Point) error {
		_, err := writeResults(file, c.OutOrStdout(), func(to io.Writer) error { return hardpoints.WriteCSV(to, points) })
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
