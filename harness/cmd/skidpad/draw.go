package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
)

// drawCommand draws a model at its start.
func drawCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "draw MODEL [flags]", Short: "draw side, front and top of a model at its start",
		Long: "Writes an SVG file with three views of a model at its start, on one scale, with the names of points: the\n" +
			"side from the right, the front from ahead, the top from above. Starts that violate constraints are\n" +
			"assembled first. Bodies with two or three points are lines or triangles; rods, springs, bushings along\n" +
			"their axis, racks, masses and wheels are drawn as 'skidpad animate' draws them.",
		Example: "  skidpad draw passenger_car -o car.svg",
		Args:    arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags := c.Flags()
	out := flags.StringP("out", "o", "drawing.svg", "`FILE` to write")
	writesTo(flags, "out")
	tree := flags.String("tree", "", "tree selection of the model, by `NAME`; default: its first")
	libraryFile := libraryFlag(flags)
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := checkOutputs([]string{"--out", *out, ".svg"}); err != nil {
			return err
		}
		if err := found(c, resources.Models, &args[0]); err != nil {
			return err
		}
		m, err := readModel(args[0], c.ErrOrStderr())
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
		values := make([]float64, len(places))
		if err := loaded.Get(references, values); err != nil {
			return err
		}
		scene, err := animation.Still(m, places, values)
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
