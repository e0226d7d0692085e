package main

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/preview"
)

// driverCommand is about drivers who look ahead.
func driverCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "driver COMMAND", Short: "let a driver get to know a vehicle",
		Long:    "Drivers of manoeuvres with a table [driver] look ahead, and know the vehicle (docs/drivers.md).",
		Example: "  skidpad driver adapt passenger_car -o driver.toml",
		Args:    arguments(1, 1, "a COMMAND: adapt"),
		RunE:    func(c *cobra.Command, args []string) error { return usageError{unknownCommand(c, args[0])} },
	}
	c.AddCommand(driverAdaptCommand())
	return c
}

// driverFlag adds the flag for what a driver knows.
func driverFlag(flags *pflag.FlagSet) *string {
	return flags.String("driver", "", "`FILE` with what the driver of the table [driver] knows of the vehicle, as "+
		"'skidpad driver adapt' writes it; default: he finds it out before the run")
}

// knowledge reads the file of the flag; nil without.
func knowledge(file string) (*drive.Knowledge, error) {
	if file == "" {
		return nil, nil
	}
	return drive.ReadKnowledge(file)
}

// driverAdaptCommand lets a driver get to know a vehicle.
func driverAdaptCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "adapt MODEL|X.fmu [flags]", Short: "find out how a vehicle answers the steering wheel, for its driver",
		Long: "Makes short runs of a vehicle as a driver does who adapts: pulses of the steering wheel at 8 speeds, and a\n" +
			"steering wheel that turns slowly to the limit. Prints for each speed the steady yaw rate, lateral velocity\n" +
			"and lateral acceleration for a steering-wheel angle of 1 rad, and the preview that he takes, then the steady\n" +
			"curve. The speeds, the hands of the driver and the road are those of the manoeuvre. --driver FILE of\n" +
			"simulate and manoeuvre uses the file of --out in place of these runs, for the same vehicle.",
		Example: "  skidpad driver adapt passenger_car -o driver.toml\n" +
			"  skidpad manoeuvre passenger_car --manoeuvre double_lane_change_limit --driver driver.toml",
		Args: arguments(1, 1, "one MODEL or X.fmu"), ValidArgsFunction: names(resources.Models, ".fmu"),
	}
	flags := c.Flags()
	file := manoeuvreFlag(c, "`MANOEUVRE` with a table [driver]: TOML file or name; default: double_lane_change_limit")
	out := flags.StringP("out", "o", "", "TOML `FILE` for what he knows; default: nothing is written")
	writesTo(flags, "out")
	method, car, libraryFile, hold := methodFlag(flags), carFlag(flags), libraryFlag(flags), holdFlag(flags)
	tree := flags.String("tree", "", "tree selection of a model file, by `NAME`; default: its first")
	var set settings
	var let constantValues
	flags.Var(&set, "set", "parameter or text `NAME=VALUE` of the vehicle, such as 'body.mass=1.1 t'; may be repeated")
	flags.Var(&let, "let", "constant `NAME=VALUE` of the manoeuvre, such as 'delay=150 ms'; may be repeated")
	c.RunE = func(c *cobra.Command, args []string) error {
		model := args[0]
		if *file == "" {
			*file = "double_lane_change_limit"
		}
		if *out != "" {
			if err := output.CheckOutput(*out, ".toml"); err != nil {
				return usageError{fmt.Errorf("--out %w", err)}
			}
		}
		if err := errors.Join(found(c, resources.Models, &model), found(c, resources.Manoeuvres, file)); err != nil {
			return err
		}
		target, err := modelfile.Target(model, *car)
		if err != nil {
			return err
		}
		target.Find = finder(model, *tree, *libraryFile)
		m, err := manoeuvre.ReadFor(target, *file, let...)
		if err != nil {
			return err
		}
		if m.Driver == nil {
			return fmt.Errorf("%s: the manoeuvre has no table [driver]; give one that has, such as double_lane_change_limit",
				*file)
		}
		subject, closeAll, err := openAsking(model, *tree, *libraryFile, "")
		if err != nil {
			return err
		}
		defer closeAll()
		warnOfSet(model, set, c.ErrOrStderr())
		d, err := drive.Adapt(subject, drive.Plan{Manoeuvre: m, Method: *method, Settings: set, Held: *hold,
			Interrupt: interruptOf(c)})
		if err != nil {
			return err
		}
		knows := &drive.Knowledge{Vehicle: target.Model, Mass: modelfile.Mass(model, set), Vehicles: d.Vehicles,
			Limit: d.Limit}
		if *out != "" {
			if err := output.WriteFile(*out, knows.Write); err != nil {
				return err
			}
		}
		return writeDriver(c.OutOrStdout(), target.Model, d)
	}
	return c
}

// writeDriver prints what a driver knows, for a steering-wheel angle of 1 rad.
func writeDriver(to io.Writer, vehicle string, d *preview.Driver) error {
	w := &written{Writer: to}
	fmt.Fprintf(w, "%s, for 1 rad of the steering wheel\n%8s %10s %18s %22s %9s\n%8s %10s %18s %22s %9s\n", vehicle,
		"speed", "yaw rate", "lateral velocity", "lateral acceleration", "preview", "[km/h]", "[rad/s]", "[m/s]", "[m/s2]",
		"[s]")
	for i := range d.Vehicles {
		v := &d.Vehicles[i]
		gains := v.At(0)
		fmt.Fprintf(w, "%8.1f %10.4f %18.4f %22.3f %9.3f\n", v.Speed*3.6, real(gains[1]), real(gains[0]), v.Lateral(),
			d.Previews[i])
	}
	fmt.Fprintf(w, "steady curve\n%22s %32s\n%22s %32s\n", "lateral acceleration", "more than the linear angle", "[m/s2]",
		"[deg]")
	next := 0.0
	last := len(d.Limit.Lateral) - 1
	for i, a := range d.Limit.Lateral {
		if a >= next || i == last {
			fmt.Fprintf(w, "%22.2f %32.2f\n", a, d.Limit.More[i]*180/math.Pi)
			next = math.Floor(a) + 1
		}
	}
	return w.err
}
