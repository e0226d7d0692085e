package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/vehicle"
)

// drawCommand draws a model at its start.
func drawCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "draw MODEL [flags]", Short: "draw side, front and top of a model at its start",
		Long: "Writes an SVG file with three views of a model at its start, on one scale, with the names of points: the\n" +
			"side from the right, the front from ahead, the top from above. Starts that violate constraints are\n" +
			"assembled first. Bodies with two or three points are lines or triangles; rods, springs, hinges and bushings\n" +
			"along their axis, ball joints, racks, masses and wheels are drawn as 'skidpad animate' draws them. A wheel has\n" +
			"the width of its tire if the model knows the width, else 20 mm.",
		Example: "  skidpad draw passenger_car -o car.svg\n" +
			"  skidpad draw my_car.toml --set 'tie_outer_F_z=240 mm'",
		Args: arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags := c.Flags()
	out := flags.StringP("out", "o", "drawing.svg", "`FILE` to write")
	writesTo(flags, "out")
	var set settings
	flags.Var(&set, "set", "parameter or start value `NAME=VALUE` in place of the number of the file; may be repeated")
	tree := flags.String("tree", "", "tree selection of the model, by `NAME`; default: its first")
	libraryFile := libraryFlag(flags)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := checkOutputs([]string{"--out", *out, ".svg"}); err != nil {
			return err
		}
		if err := found(c, resources.Models, &args[0]); err != nil {
			return err
		}
		m, err := readMechanism(args[0], c.ErrOrStderr())
		if err != nil {
			return err
		}
		l, err := openLibrary(*libraryFile)
		if err != nil {
			return err
		}
		loaded, err := l.Load(args[0], *tree)
		if err != nil {
			return err
		}
		defer loaded.Close()
		values := map[string]float64{}
		for _, s := range set {
			x, err := numberOf("--set", s)
			if err != nil {
				return err
			}
			about, err := loaded.Find(s.Name)
			if err == nil {
				err = s.Written.Fits(about.Unit)
			}
			if err == nil {
				err = loaded.SetNamed(s.Name, x)
			}
			if err != nil {
				return err
			}
			values[s.Name] = x
		}
		if m, err = m.WithValues(values, vehicle.Opener(args[0])); err != nil {
			return err
		}
		if err := loaded.Initialise(); err != nil {
			return err
		}
		var all []string
		for _, v := range loaded.All() {
			all = append(all, v.Name)
		}
		places := animation.Variables(m, all)
		references, err := loaded.References(places...)
		if err != nil {
			return err
		}
		now := make([]float64, len(places))
		if err := loaded.Get(references, now); err != nil {
			return err
		}
		scene, err := animation.Still(m, places, now)
		if err != nil {
			return err
		}
		if err := output.WriteFile(*out, scene.Draw); err != nil {
			return err
		}
		fmt.Fprintf(c.ErrOrStderr(), "%s: %d shapes, %d points\n", *out, len(scene.Shapes), len(scene.Names))
		return nil
	}
	return c
}
