package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/inverse"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/recording"
)

// inverseCommand finds what a given motion takes.
func inverseCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "inverse MODEL --prescribe JOINTS --motion RUN [flags]",
		Short: "forces and torques that a given motion takes (inverse dynamics)",
		Long: "Moves joints of a model as a run says, and writes what that takes: torque or force and power of each\n" +
			"driver, and reactions. Revolute and prismatic joints become motion drivers, all or some of them; what is\n" +
			"left moves freely, from the states of the first row of the run, under its inputs (--inputs).\n" +
			"RUN is a table as 'skidpad simulate' writes it: .csv, .csv.gz or .parquet. Of a joint it has the columns\n" +
			"JOINT.phi and JOINT.omega, or JOINT.s and JOINT.s_dot, or JOINT.angle (.position), JOINT.rate and\n" +
			"JOINT.acceleration. Cubic splines through the rows give the rates and accelerations that it lacks. A model\n" +
			"whose motion is prescribed in full has no states: its values are exact at each row.",
		Example: "  skidpad inverse arm.toml --prescribe 'shoulder,elbow' --motion wanted.csv --out torques.csv\n" +
			"  skidpad inverse generic4w --prescribe 'susp_*' --motion run.csv --inputs inputs.csv --out forces.csv",
		Args: arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags, set := c.Flags(), settings{}
	prescribe := flags.String("prescribe", "", "`JOINTS` whose motion is prescribed: names or patterns, separated by "+
		"commas (required)")
	motion := flags.String("motion", "", "`RUN` with the motion (required)")
	inputs := flags.String("inputs", "", "`FILE` with the inputs of the run, as simulate --inputs writes it; default: "+
		"those among the columns of RUN, else as the model has them")
	reactions, frame := reactionsFlags(flags, "are written, too")
	record := flags.String("record", "", "further `VARIABLES` to write, as of simulate")
	out := flags.StringP("out", "o", "-", "`FILE` to write, .csv, .csv.gz, .parquet, .mat, .mf4, .json; - is CSV on "+
		"standard output")
	writesTo(flags, "out")
	tree := flags.String("tree", "", "tree selection of the model, by `NAME`; default: its first")
	libraryFile, state := libraryFlag(flags), stateFlag(flags, "")
	flags.Var(&set, "set", "parameter or text `NAME=VALUE` to set before the start; may be repeated")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch {
		case *prescribe == "":
			return usageError{errors.New("--prescribe is missing; name the joints whose motion is given, such as 'susp_*'")}
		case *motion == "":
			return usageError{errors.New("--motion is missing; give a table as 'skidpad simulate' writes it, with the motion " +
				"of the joints")}
		}
		if err := recording.Check(*out, false); err != nil {
			return usageError{fmt.Errorf("--out %w", err)}
		}
		if err := found(c, resources.Models, &args[0]); err != nil {
			return err
		}
		table, err := recording.Read(*motion)
		if err != nil {
			return fmt.Errorf("--motion %w", err)
		}
		if *inputs != "" {
			more, err := recording.Read(*inputs)
			if err != nil {
				return fmt.Errorf("--inputs %w", err)
			}
			if !slices.Equal(more.Time, table.Time) {
				return fmt.Errorf("--inputs %s has other times than %s; both must be of one run, and of all of its steps", *inputs,
					*motion)
			}
			table = table.Beside(more)
		}
		saved, _, err := stateSettings(*state, args[0], *tree, *libraryFile, set)
		if err != nil {
			return err
		}
		library, err := openLibrary(*libraryFile)
		if err != nil {
			return err
		}
		warnOfSet(args[0], set, c.ErrOrStderr())
		asked, err := reactionsIn(*reactions, *frame)
		if err != nil {
			return err
		}
		a := inverse.Analysis{Library: library, Model: args[0], Prescribe: recording.Split(*prescribe), Tree: *tree,
			Reactions: asked, Settings: slices.Concat(saved, set), Motion: table,
			Progress: output.NewProgress(c.ErrOrStderr()), Interrupt: interruptOf(c)}
		if asked != "" {
			a.Chosen = func(outputs []string) []string { return withReactions(nil, asked, outputs) }
		}
		if *record != "" {
			a.Record = recording.Split(*record)
		}
		result, err := a.Do()
		if err != nil {
			return err
		}
		reportInverse(c.ErrOrStderr(), result)
		r := recording.Recording{Trace: result.Trace, Facts: []recording.Fact{{Name: "model", Text: args[0]},
			{Name: "motion", Text: *motion}, {Name: "prescribed", Text: *prescribe},
			{Name: "splines", Text: strings.Join(result.Splined, " ")}}}
		_, err = writeResults(*out, c.OutOrStdout(), func(to io.Writer) error { return r.Write(*out, to) })
		return err
	}
	return c
}

// reportInverse says what was taken from where.
func reportInverse(to io.Writer, r *inverse.Result) {
	for _, d := range r.Drivers {
		if d.Joint {
			fmt.Fprintf(to, "%s is prescribed: %s, %s\n", d.Name, d.Load(), d.Power())
		}
	}
	if len(r.Splined) > 0 {
		fmt.Fprintf(to, "from cubic splines through the rows: %s\n", strings.Join(r.Splined, ", "))
	}
	if len(r.Started) > 0 {
		fmt.Fprintf(to, "start as in the first row: %s\n", strings.Join(r.Started, ", "))
	}
	if len(r.Idle) > 0 {
		fmt.Fprintf(to, "not moved, because the run has no columns of them: %s\n", strings.Join(r.Idle, ", "))
	}
}
