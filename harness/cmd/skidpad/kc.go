package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/rig"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// kcCommand measures kinematics and compliance.
func kcCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "kc MODEL [flags]", Short: "measure kinematics and compliance (K&C) of a suspension on a rig",
		Long: "Holds the chassis, locks the wheels of one axle to their carriers, puts them on level pads without\n" +
			"friction, and solves the statics of the model's own equations: any joints, loops, bushings and springs.\n" +
			"Prints the figures about the design position, left and right: bump steer, camber, wheel rate, motion\n" +
			"ratios, roll stiffness, roll centres, anti-dive, castor, trail, compliance and others. A missing figure\n" +
			"states the reason. docs/kc.md defines each of them. --out writes figures.json, the curves of the tests\n" +
			"as kc.csv, both in SI units, the points of the axle as points.csv, and report.html with a drawing.",
		Example: "  skidpad kc passenger_car\n" +
			"  skidpad kc passenger_car --axle 2 --hold-at-zero toe_RL,toe_RR,camber_RL,camber_RR\n" +
			"  skidpad kc my_car.toml --test bounce,lateral --rack free --out front",
		Args: arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags := c.Flags()
	var o suspension.Options
	axle := &axleFlags{}
	axle.add(flags)
	tests := flags.String("test", "", "`TESTS` whose curves are written: bounce, roll, steer, lateral, longitudinal, "+
		"aligning; default: all")
	hold := flags.String("hold", "height", "`height` or load: what wheels keep under loads in the curves")
	flags.BoolVar(&o.Sensitivities, "sensitivities", false, "also print how parameters, such as coordinates of points, "+
		"change the figures")
	flags.BoolVar(&o.Shares, "shares", false, "also print the contributions of bushings and other yielding components "+
		"to the compliance")
	cases := flags.String("forces", "", "also print the forces of all joints for the load cases of a TOML `FILE`")
	targets := flags.String("target", "", "TOML `FILE` of wanted figures with tolerances, which are compared")
	json := jsonFlag(flags)
	out := flags.StringP("out", "o", "", "`FOLDER` for figures.json, kc.csv, points.csv and report.html")
	writesInto(flags, "out", "figures.json", "kc.csv", "points.csv", "report.html",
		"sensitivities.csv", "shares.csv", "forces.csv")
	c.RunE = func(c *cobra.Command, args []string) error {
		var err error
		if o.Tests, err = suspension.ParseTests(*tests); err != nil {
			return usageError{fmt.Errorf("--test: %w", err)}
		}
		switch *hold {
		case "height":
		case "load":
			o.ByPads = true
		default:
			return usageError{fmt.Errorf("--hold %q: write height or load", *hold)}
		}
		if o.Options, err = axle.options(); err != nil {
			return err
		}
		if *cases != "" {
			if o.Cases, err = suspension.ReadCases(*cases); err != nil {
				return err
			}
		}
		if *targets != "" {
			if o.Targets, err = suspension.ReadTargets(*targets); err != nil {
				return err
			}
		}
		o.Curves = *out != ""
		m, of, err := axle.vehicle(c, args)
		if err != nil {
			return err
		}
		if *out != "" {
			if err := output.MakeFolder(*out); err != nil {
				return err
			}
		}
		result, err := suspension.Measure(m, of, o)
		if err != nil {
			return err
		}
		if len(result.Loose) > 0 {
			fmt.Fprintf(c.ErrOrStderr(), "note: %s can move in the design position while nothing resists: give the "+
				"bushings there a small rotational stiffness\n", strings.Join(result.Loose, ", "))
		}
		for _, curve := range result.Curves {
			for _, end := range curve.Ends {
				fmt.Fprintf(c.ErrOrStderr(), "note: %s: %s\n", curve.Test, end)
			}
		}
		for _, test := range o.Tests {
			if why := result.Missing[test]; why != "" {
				fmt.Fprintf(c.ErrOrStderr(), "note: %s has no curve: %s\n", test, why)
			}
		}
		if *out != "" {
			if err := result.WriteFolder(*out); err != nil {
				return err
			}
		}
		if *json {
			return result.WriteJSON(c.OutOrStdout())
		}
		if err := result.Print(c.OutOrStdout()); err != nil {
			return err
		}
		if err := result.PrintForces(c.OutOrStdout()); err != nil {
			return err
		}
		if o.Shares {
			if err := result.PrintShares(c.OutOrStdout()); err != nil {
				return err
			}
		}
		if !o.Sensitivities {
			return nil
		}
		return result.PrintSensitivities(c.OutOrStdout())
	}
	c.AddCommand(kcTuneCommand(), kcReduceCommand(), kcImportCommand())
	return c
}

// axleFlags say which axle is on the rig, and how.
type axleFlags struct {
	of              rig.Options
	set             settings
	rack, held, car *string
}

func (f *axleFlags) add(flags *pflag.FlagSet) {
	flags.IntVar(&f.of.Axle, "axle", 1, "`NUMBER` of the axle, from the front")
	f.rack = flags.String("rack", "held", "the rack is held, free, or has this stiffness [`N/m`, N.m/rad]")
	flags.Var(&f.set, "set", "parameter `NAME=VALUE` in place of the number of the file, such as "+
		"'front_spring=26 N/mm'; may be repeated")
	f.held = flags.String("hold-at-zero", "", "`JOINTS` that stay at 0, such as joints that yield")
	flags.Float64Var(&f.of.Radius, "radius", 0, "loaded `RADIUS` of the wheels [m]; default: as they stand at the start")
	flags.StringVar(&f.of.Tree, "tree", "", "tree selection of the model, by `NAME`; default: its first")
	f.car = carFlag(flags)
}

// options are the options of the rig.
func (f *axleFlags) options() (rig.Options, error) {
	o := f.of
	if err := holdRack(&o, *f.rack); err != nil {
		return o, usageError{err}
	}
	if *f.held != "" {
		o.Hold = strings.Split(*f.held, ",")
	}
	if o.Radius < 0 {
		return o, usageError{errors.New("--radius must be above 0")}
	}
	for _, s := range f.set {
		x, err := numberOf("--set", s)
		if err != nil {
			return o, err
		}
		o.Set = append(o.Set, rig.Setting{Name: s.Name, Value: x, Fits: s.Written.Fits})
	}
	return o, nil
}

// numberOf is the number of a setting.
func numberOf(flag string, s manoeuvre.Setting) (float64, error) {
	x, err := strconv.ParseFloat(s.Value, 64)
	if err != nil {
		return 0, usageError{fmt.Errorf("%s %s=%s: it must be a number", flag, s.Name, s.Value)}
	}
	return x, nil
}

// vehicle reads the model and the roles.
func (f *axleFlags) vehicle(c *cobra.Command, args []string) (*vehicle.Model, *roles.Roles, error) {
	if err := found(c, resources.Models, &args[0]); err != nil {
		return nil, nil, err
	}
	m, err := readMechanism(args[0], c.ErrOrStderr())
	if err != nil {
		return nil, nil, err
	}
	target, err := modelfile.Target(args[0], *f.car)
	if err != nil {
		return nil, nil, err
	}
	of, err := target.Resolved()
	return m, of, err
}

// holdRack reads how the rack is held.
func holdRack(o *rig.Options, text string) error {
	switch text {
	case "held":
		return nil
	case "free":
		o.Rack = rig.RackFree
		return nil
	}
	o.Rack = rig.RackElastic
	if _, err := fmt.Sscanf(text, "%g", &o.Rate); err != nil || !(o.Rate > 0) {
		return fmt.Errorf("--rack %q: write held, free or a stiffness above 0", text)
	}
	return nil
}
