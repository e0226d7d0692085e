package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/trim"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
	"skidpad/model/vehicle"
)

// trimCommand finds start values.
func trimCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "trim MODEL [flags]", Short: "find start values at which a vehicle is at rest or drives steadily",
		Long: "Replaces the start values of a model file by those of a steady motion, without moving its vehicle: nothing\n" +
			"accelerates but in the direction of travel, to 1e-9 m/s2, rad/s2 and 1/s. The speed of travel and the\n" +
			"inputs stay. Without speed it is rest, where --set makes the speed of travel 0 or all speeds of the file\n" +
			"are 0; a vehicle that its engine or a slope drives rests with its brakes only. Potentials and flows of\n" +
			"networks are steady; states of charge and temperatures stay. Prints the tables that\n" +
			"change; --write puts them into the file, where comments and layout stay, and --out writes a changed copy;\n" +
			"both print a line for each key. Start values that are formulas stay. Inputs and parameters of --set are\n" +
			"not written, but named in a comment at the end of the file: the start values are steady with them.",
		Example: "  skidpad trim my_car.toml\n  skidpad trim my_car.toml --write\n" +
			"  skidpad trim my_car.toml --set body.vx=30 -o my_car_fast.toml\n" +
			"  skidpad trim my_car.toml --set body.vx=0 -o my_car_at_rest.toml",
		Args: arguments(1, 1, "one MODEL"), ValidArgsFunction: names(resources.Models),
	}
	flags, set := c.Flags(), settings{}
	out := flags.StringP("out", "o", "", "`FILE` to write, in the folder of the model; default: print the tables")
	writesTo(flags, "out")
	write := flags.Bool("write", false, "write into the model file")
	tree := flags.String("tree", "", "tree selection of the model, by `NAME`; default: its first")
	libraryFile := libraryFlag(flags)
	flags.Var(&set, "set", "input, parameter or start value `NAME=VALUE` of the steady motion, such as "+
		"'body.vx=80 km/h'; may be repeated")
	excludeEachOther(c, "out", "write")
	c.RunE = func(c *cobra.Command, args []string) error {
		if err := found(c, resources.Models, &args[0]); err != nil {
			return err
		}
		file := args[0]
		if *write {
			*out = file
		}
		if *out != "" {
			if err := output.CheckOutput(*out, ".toml"); err != nil {
				return usageError{fmt.Errorf("--out %w", err)}
			}
			if filepath.Dir(filepath.Clean(*out)) != filepath.Dir(filepath.Clean(file)) {
				return usageError{fmt.Errorf("--out %s is not in the folder of %s, from which the model names its files", *out,
					file)}
			}
		}
		data, changes, err := trimmed(file, *tree, *libraryFile, set, *out, c.ErrOrStderr())
		if err != nil {
			return err
		}
		if len(changes) == 0 {
			fmt.Fprintf(c.ErrOrStderr(), "%s: the start is steady as it is\n", file)
		}
		if *out == "" {
			return trim.WriteTables(c.OutOrStdout(), changes)
		}
		if err := output.WriteFile(*out, func(to io.Writer) error {
			_, err := to.Write(data)
			return err
		}); err != nil {
			return err
		}
		return trim.WriteSummary(c.OutOrStdout(), *out, changes)
	}
	return c
}

// trimmed is the text of a model file with the start values of a steady motion, and what changes in it. Where there is
// none, what the author of the file hardly means goes to stderr. Settings that out, the file to write, does not get are
// named there, too.
func trimmed(file, tree, libraryFile string, set settings, out string, stderr io.Writer) ([]byte, []trim.Change,
	error) {
	m, err := vehicle.Read(file)
	if err != nil {
		return nil, nil, err
	}
	data, err := bounded.Model.Read(file)
	if err != nil {
		return nil, nil, err
	}
	l, err := openLibrary(libraryFile)
	if err != nil {
		return nil, nil, err
	}
	loaded, err := l.Load(file, tree)
	if err != nil {
		return nil, nil, err
	}
	defer loaded.Close()
	warnOfSet(file, set, stderr)
	changes, err := trim.Find(m, loaded, set)
	if err != nil {
		warnOf(file, stderr)
		return nil, nil, err
	}
	if data, err = trim.Rewrite(data, file, changes); err != nil {
		return nil, nil, err
	}
	if _, err := vehicle.Parse(data, file, vehicle.Opener(file)); err != nil {
		return nil, nil, fmt.Errorf("the start values cannot be written into the file; write the tables that are printed "+
			"without --write: %w", err)
	}
	unwritten := trim.Unwritten(m, set)
	if len(unwritten) > 0 {
		fmt.Fprintf(stderr, "%s: the start values are steady with %s of --set, which the file does not have\n",
			cmp.Or(out, file), trim.Listed(unwritten))
	}
	return trim.Conditioned(data, unwritten), changes, nil
}
