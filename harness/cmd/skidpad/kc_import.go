package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/identify"
	"skidpad/harness/workbench/files/measured"
	"skidpad/harness/workbench/results/output"
)

// kcImportCommand makes a corner of measured tables.
func kcImportCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "import FOLDER [flags]", Short: "write a corner with the measured kinematics and compliance of an axle",
		Long: "Reads the tables of a K&C measurement: kc.csv with the columns that 'skidpad kc --out' writes, or a file " +
			"for\n" +
			"each test, such as bounce.csv. FOLDER can also be the path of one file with all tests. Writes a subsystem file\n" +
			"of the corner: a suspension by tables over travel and steering, spring and stops at the wheel, and joints for\n" +
			"the compliance of toe, camber and recession. Closed forms give the joints; the rig of 'skidpad kc' measures\n" +
			"the corner, and the differences correct it. Prints the slopes of tables and corner, the largest differences of\n" +
			"their curves, and the use of the file with its anti-roll bar.\n" +
			"The test bounce is required, other tests are optional. Headers have units, such as toe_left [deg].\n" +
			"Notes list unused columns and missing tests. docs/kc.md explains tables, joints and limits.",
		Example: "  skidpad kc import measured -o front_corner.toml --unsprung 42 --wheel 21\n" +
			"  skidpad kc import rear.csv --names rig.toml -o rear_corner.toml --unsprung 38 --wheel 21 --radius 0.302",
		Args: arguments(1, 1, "one FOLDER"),
	}
	flags := c.Flags()
	var o identify.Options
	flags.Float64Var(&o.Unsprung, "unsprung", 0, "unsprung `MASS` of the corner, with the wheel [kg]; required")
	flags.Float64Var(&o.Wheel, "wheel", 0, "`MASS` of the parts that turn with the wheel [kg]; required")
	flags.Float64Var(&o.Damping, "damping", 0, "`DAMPING` of the damper at the wheel [N.s/m]; default: 0.3 of critical")
	flags.Float64Var(&o.Radius, "radius", 0, "loaded `RADIUS` of the wheel [m]; default: by contact_y and camber")
	flags.StringVar(&o.Side, "side", "mean", "mean, left or right: the `WHEEL` that becomes the corner")
	names := flags.String("names", "", "TOML `FILE` with tables [names] and [tests]: names in the tables = names in "+
		"kc.csv")
	out := flags.StringP("out", "o", "", "subsystem `FILE` to write; default: nothing is written")
	writesTo(flags, "out")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case !(o.Wheel > 0) || !(o.Unsprung > o.Wheel) || o.Unsprung > 1e5:
			return usageError{errors.New("the tables have no masses: give --unsprung and --wheel, the part of it that turns, " +
				"both above 0 and below 1e5 kg")}
		case !(o.Damping >= 0) || o.Damping > 1e6:
			return usageError{errors.New("--damping must be from 0 to 1e6 N.s/m")}
		case o.Radius != 0 && !(o.Radius > 0.1 && o.Radius < 2):
			return usageError{errors.New("--radius must be from 0.1 to 2 m")}
		case !slices.Contains(identify.Sides, o.Side):
			return usageError{fmt.Errorf("--side %q: write %s", o.Side, strings.Join(identify.Sides, ", "))}
		}
		if *out != "" {
			if err := output.CheckOutput(*out, ".toml"); err != nil {
				return usageError{fmt.Errorf("--out %w", err)}
			}
		}
		var of *measured.Names
		var err error
		if *names != "" {
			if of, err = measured.ReadNames(*names); err != nil {
				return err
			}
		}
		tables, err := measured.Read(args[0], of)
		if err != nil {
			return err
		}
		for _, ignored := range tables.Ignored {
			fmt.Fprintln(c.ErrOrStderr(), "note: not used:", ignored)
		}
		corner, err := identify.Find(tables, o)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		for _, note := range corner.Notes {
			fmt.Fprintln(c.ErrOrStderr(), "note:", note)
		}
		file, use := "...", "R"
		if corner.Steered() != "" {
			use = "F"
		}
		if *out != "" {
			if err := output.WriteFile(*out, corner.Write); err != nil {
				return err
			}
			file = filepath.Base(*out)
		}
		return corner.Print(c.OutOrStdout(), use, file)
	}
	return c
}
