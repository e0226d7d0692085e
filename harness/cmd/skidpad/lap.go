package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/files/tracks"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/course"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/drivenlap"
	"skidpad/harness/workbench/runs/envelope"
	"skidpad/harness/workbench/runs/lap"
	"skidpad/harness/workbench/runs/laps"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// lapCommand finds quasi-steady laps.
func lapCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "lap CAR|X.fmu TRACK [flags]", Short: "find the quasi-steady lap time of a car on a track",
		Long: "Measures the largest accelerations of a car over its speed by short runs, and finds the fastest lap of a\n" +
			"point with them along the line of a track (docs/laps.md). Prints the lap time, sectors, and the largest\n" +
			"accelerations. TRACK is a CSV file or an OpenCRG road, or a name that 'skidpad list tracks' shows.\n" +
			"A closed track has a flying lap. With --drive a driver drives the lap in the full model, too.\n" +
			"'skidpad report FOLDER FOLDER...' lays laps of --out over each other.",
		Example: "  skidpad lap passenger_car club\n" +
			"  skidpad lap passenger_car club --line least-curvature\n" +
			"  skidpad lap passenger_car club --drive\n" +
			"  skidpad lap passenger_car club --set 'sprung=1.1 t' --out heavy\n" +
			"  skidpad lap passenger_car_manual track.csv --gears 1,2,3,4,5 --sectors 400,900",
		Args:              arguments(2, 2, "one CAR or X.fmu, and one TRACK"),
		ValidArgsFunction: names(resources.Models, ".fmu", ".csv", ".crg"),
	}
	flags := c.Flags()
	out := flags.StringP("out", "o", "", "`FOLDER` for lap.json, lap.csv, lap.parquet and report.html; SI units")
	writesInto(flags, "out", laps.FileNames...)
	var sectors, gears numbers
	start := &speedOption{}
	flags.Var(&sectors, "sectors", "distances `N,N,...` [m] at which sectors end; default: three of one length")
	flags.Var(&gears, "gears", "gears `N,N,...` to drive in, numbers or ratios as the model has them; default: from the "+
		"lowest to the normal one of the role gear")
	drives := flags.Bool("drive", false, "a driver drives the lap in the full model, too, on a level road and in one gear")
	lineOf := lineFlags(flags, drives)
	flags.Var(start, "start-speed", "`SPEED` at the beginning of an open track, in m/s or as '50 km/h'")
	method, car, libraryFile := methodFlag(flags), carFlag(flags), libraryFlag(flags)
	tree := flags.String("tree", "", "tree selection of a model file, by `NAME`; default: its first")
	asJSON := jsonFlag(flags)
	var set settings
	flags.Var(&set, "set", "parameter or text `NAME=VALUE` of the car, such as 'sprung=1.1 t'; may be repeated")
	c.RunE = func(c *cobra.Command, args []string) error {
		model, file := args[0], args[1]
		if err := found(c, resources.Models, &model); err != nil {
			return err
		}
		file, err := tracks.Find(file, ".")
		if err != nil {
			return usageError{err}
		}
		track, err := tracks.Read(file, course.Usual)
		if err != nil {
			return err
		}
		if track.Closed && flags.Changed("start-speed") {
			return usageError{fmt.Errorf("--start-speed is for open tracks; %s is closed, and its lap is a flying one",
				args[1])}
		}
		target, err := modelfile.Target(model, *car)
		if err != nil {
			return err
		}
		gear := math.NaN()
		if *drives {
			if !track.Closed && start.value < drivenlap.LeastStart {
				return usageError{fmt.Errorf("--drive begins with a car that rolls, and %s is open; give --start-speed, from %g "+
					"m/s on", args[1], drivenlap.LeastStart)}
			}
			if gear, err = oneGear(target, gears); err != nil {
				return err
			}
			gears = numbers{gear}
		}
		track, line, width, err := lineOf(target, track)
		if err != nil {
			return err
		}
		road := laps.Track(track)
		if err := laps.CheckMarks(sectors, road.S[len(road.S)-1]); err != nil {
			return usageError{fmt.Errorf("--sectors: %w", err)}
		}
		if *out != "" {
			if err := output.MakeFolder(*out); err != nil {
				return err
			}
		}
		target.Find = finder(model, *tree, *libraryFile)
		warnOfSet(model, set, c.ErrOrStderr())
		measured := envelope.Car{Target: target, Method: *method, Settings: set, Gears: gears,
			Open:     func() (drive.Subject, func(), error) { return openAsking(model, *tree, *libraryFile, "") },
			Progress: output.NewProgress(c.ErrOrStderr()), Interrupt: c.Context().Done()}
		e, err := envelope.Measure(measured)
		if err != nil {
			return err
		}
		fastest, err := lap.Solve(e, road, start.value)
		if err != nil {
			return fmt.Errorf("%s: %w", args[1], err)
		}
		result, err := laps.Of(e, track, fastest, sectors)
		if err != nil {
			return err
		}
		if *drives {
			o := drivenlap.Options{Start: start.value, Gear: gear, Width: width}
			if result.Driven, err = drivenlap.Drive(measured, e, track, o); err != nil {
				return fmt.Errorf("%s, driven: %w", args[1], err)
			}
		}
		result.Version, result.Line = version(), line
		for _, s := range set {
			result.Settings = append(result.Settings, s.Name+"="+s.Value)
		}
		var failures []error
		if *asJSON {
			failures = append(failures, output.WriteJSON(c.OutOrStdout(), result))
		} else {
			failures = append(failures, result.Write(c.OutOrStdout()))
		}
		if *out != "" {
			for _, file := range result.Files() {
				failures = append(failures, output.WriteFile(filepath.Join(*out, file.Name), file.Write))
			}
		}
		return errors.Join(failures...)
	}
	return c
}

// oneGear is the gear in which the driver of a lap stays: that of --gears, or the normal one; NaN is for a car without.
func oneGear(target manoeuvre.Target, gears numbers) (float64, error) {
	switch {
	case len(gears) > 1:
		return 0, usageError{errors.New("--drive stays in one gear; give one number to --gears, or none for the normal gear")}
	case len(gears) == 1:
		return gears[0], nil
	}
	o, err := target.Resolved()
	if err != nil {
		return 0, err
	}
	list := envelope.Gears(o)
	return list[len(list)-1], nil
}
