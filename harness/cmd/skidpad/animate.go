package main

import (
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// animateCommand makes a page that plays a recorded run.
func animateCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "animate RESULT --model MODEL [flags]",
		Short: "write an HTML animation of a recorded run",
		Long: "Writes a self-contained page that plays a recorded run: body, wheels, masses, springs and rods as\n" +
			"the model file has them, where the recorded variables put them, with forces on the tires, cameras and\n" +
			"plots. RESULT ends in .csv, .csv.gz or .parquet; the runs that 'skidpad manoeuvre --out' writes have\n" +
			"all that is needed.",
		Example: "  skidpad simulate bicycle --manoeuvre bicycle_counter_steer --out ride.csv\n" +
			"  skidpad animate ride.csv --model bicycle -o ride.html\n" +
			"  skidpad animate soft.csv --model passenger_car --ghost stiff.csv --plot body.ay,body.wz -o both.html",
		Args: arguments(1, 1, "one RESULT, .csv, .csv.gz or .parquet"),
	}
	flags := c.Flags()
	modelFile := flags.String("model", "", "`MODEL`: TOML file or name (required)")
	inputs := flags.String("inputs", "", "`FILE` of the inputs, .csv, .csv.gz or .parquet, for motion drivers that steer")
	driven := manoeuvreFlag(c, "`MANOEUVRE`, TOML file or name, for the terrain that it sets")
	plots := flags.StringArray("plot", nil, "`PATTERNS` of recorded signals, separated by commas, for a plot below the "+
		"scene; may be repeated")
	ghosts := flags.StringArray("ghost", nil, "`RUN` of the same vehicle, like RESULT, that drives along as a "+
		"transparent vehicle; may be repeated")
	car := carFlag(flags)
	libraryFile := libraryFlag(flags)
	out := flags.StringP("out", "o", "animation.html", "`FILE` to write")
	writesTo(flags, "out")
	c.RegisterFlagCompletionFunc("model", names(resources.Models))
	c.RunE = func(c *cobra.Command, args []string) error {
		if *modelFile == "" {
			return usageError{errors.New("--model is missing; give the model whose run it is")}
		}
		if err := checkOutputs([]string{"--out", *out, ".html", ".htm"}); err != nil {
			return err
		}
		if err := errors.Join(found(c, resources.Models, modelFile), found(c, resources.Manoeuvres, driven)); err != nil {
			return err
		}
		m, err := readModel(*modelFile, c.ErrOrStderr())
		if err != nil {
			return err
		}
		if *driven != "" {
			target, err := modelfile.Target(*modelFile, *car)
			if err != nil {
				return err
			}
			target.Find = finder(*modelFile, "", *libraryFile)
			driven, err := manoeuvre.ReadFor(target, *driven)
			if err != nil {
				return err
			}
			animation.SetTerrain(m, driven.Settings)
		}
		run, err := animation.ReadRun(args[0], *inputs)
		if err != nil {
			return err
		}
		scene, err := animation.New(m, run)
		if err != nil {
			return err
		}
		for _, patterns := range *plots {
			if err := scene.Plot(m, run, patterns); err != nil {
				return fmt.Errorf("--plot: %w", err)
			}
		}
		for _, file := range *ghosts {
			other, err := animation.ReadRun(file)
			if err != nil {
				return err
			}
			if err := scene.Ghost(m, other); err != nil {
				return fmt.Errorf("--ghost %s: %w", file, err)
			}
		}
		if err := output.WriteFile(*out, scene.Write); err != nil {
			return err
		}
		fmt.Fprintf(c.ErrOrStderr(), "%s: %d shapes, %d moments\n", *out, len(scene.Shapes), len(scene.Times))
		return nil
	}
	return c
}
