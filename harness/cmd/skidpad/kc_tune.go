package main

import (
	"errors"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/files/resources"
	"skidpad/model/rig"
)

// kcTuneCommand finds parameters by wanted figures.
func kcTuneCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "tune MODEL [flags]", Short: "find the smallest moves of points that give wanted figures",
		Long: "Changes parameters, such as coordinates of points, until the figures of 'skidpad kc' have the values of\n" +
			"--target. The moves are the smallest that do this, as shares of the largest ones. Prints moves and figures.",
		Example: "  skidpad kc tune my_car.toml --target 'toe_per_travel=0' --move 'tie_inner_z=20 mm' \\\n" +
			"    --move 'tie_outer_z=20 mm'",
		Args: arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags, axle := c.Flags(), &axleFlags{}
	axle.add(flags)
	var targets, moves settings
	flags.Var(&targets, "target", "wanted value `FIGURE=VALUE` of the left wheel or the axle, by the key in "+
		"figures.json, SI; may be repeated")
	flags.Var(&moves, "move", "parameter and its largest change to both sides, `NAME=VALUE`; may be repeated")
	c.RunE = func(c *cobra.Command, args []string) error {
		o, err := axle.options()
		if err != nil {
			return err
		}
		if len(targets) == 0 || len(moves) == 0 {
			return usageError{errors.New("give a wanted figure by --target, and what may move by --move")}
		}
		var wanted []rig.Target
		for _, s := range targets {
			x, err := numberOf("--target", s)
			if err != nil {
				return err
			}
			wanted = append(wanted, rig.Target{Figure: s.Name, Value: x, Fits: s.Written.Fits})
		}
		var free []rig.Move
		for _, s := range moves {
			x, err := numberOf("--move", s)
			if err == nil && !(x > 0) {
				err = usageError{fmt.Errorf("--move %s=%s: the largest change must be above 0", s.Name, s.Value)}
			}
			if err != nil {
				return err
			}
			free = append(free, rig.Move{Parameter: s.Name, Most: x})
		}
		m, of, err := axle.vehicle(c, args)
		if err != nil {
			return err
		}
		o.Roles = of
		tuned, err := rig.Tune(m, o, wanted, free)
		if err != nil {
			return err
		}
		w := tabwriter.NewWriter(c.OutOrStdout(), 0, 0, 2, ' ', 0)
		fmt.Fprint(w, "parameter\tfrom\tto\tmove\n")
		for _, move := range tuned.Moves {
			fmt.Fprintf(w, "%s\t%.6g\t%.6g\t%+.4g\n", move.Parameter, move.From, move.To, move.To-move.From)
		}
		fmt.Fprint(w, "\nfigure\tbefore\tafter\tunit\n")
		for i := range tuned.After {
			if f := &tuned.After[i]; f.Missing == "" {
				unit, si := suspension.Shown(f)
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", suspension.Text(f.Key), suspension.Number(tuned.Before[i].Left.V/si),
					suspension.Number(f.Left.V/si), unit)
			}
		}
		return w.Flush()
	}
	return c
}
