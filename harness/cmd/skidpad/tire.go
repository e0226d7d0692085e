package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/workbench/analyses/tirefile"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
	"skidpad/tire"
)

// side is the value of a flag: "", left or right.
type side string

func (s *side) String() string { return string(*s) }
func (s *side) Type() string   { return "left|right" }

func (s *side) Set(text string) error {
	if text != "" && text != "left" && text != "right" {
		return errors.New("it must be left or right")
	}
	*s = side(text)
	return nil
}

// sideFlag adds the flag for the mounting side of a tire.
func sideFlag(flags *pflag.FlagSet) *side {
	var s side
	flags.Var(&s, "side", "side `left|right` on which the tire of a .tir is mounted; default: as the file says")
	return &s
}

// tireCommand evaluates a tire function for every line of a table, or describes one.
func tireCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "tire FUNCTION [--json]\ntire TIRE --in CSV [--out CSV]\ntire COMMAND",
		Short: "evaluate, describe, convert, fit or rig-test a tire",
		Long: "FUNCTION is described: its inputs, outputs and parameters. It is one of\n  " +
			strings.Join(tire.Names()[:6], ", ") + ",\n  " + strings.Join(tire.Names()[6:], ", ") + ".\n\n" +
			"TIRE, a tire file (TOML or .tir) or a name that 'skidpad list tires' shows, is evaluated for every line\n" +
			"of a table whose header row names the function's inputs in any order; a missing column mu is 1. Units\n" +
			"are SI and radians, axes ISO. The output is the table with the returned values as further columns.",
		Example: "  skidpad tire Fiala\n  skidpad tire fiala_generic4w --in slip.csv --out forces.csv",
		Args:    arguments(1, 1, "one FUNCTION or TIRE"),
		ValidArgsFunction: func(c *cobra.Command, args []string, word string) ([]string, cobra.ShellCompDirective) {
			list, directive := names(resources.Tires)(c, args, word)
			return append(list, tire.Names()...), directive
		},
	}
	flags := c.Flags()
	in := flags.String("in", "", "CSV `FILE` to read; - is standard input")
	out := flags.StringP("out", "o", "-", "CSV `FILE` to write; - is standard output")
	writesTo(flags, "out")
	mounted := sideFlag(flags)
	asJSON := flags.Bool("json", false, "describe FUNCTION as JSON (docs/command.md has the keys)")
	c.RunE = func(c *cobra.Command, args []string) error {
		stdout := c.OutOrStdout()
		kind, err := tire.Lookup(args[0])
		switch {
		case err == nil && *in != "":
			return usageError{fmt.Errorf("%s needs parameters to be evaluated; name a tire file instead", kind.Name)}
		case err == nil && *asJSON:
			return tirefile.DescribeJSON(stdout, kind)
		case err == nil:
			tirefile.Describe(stdout, kind)
			return nil
		case *asJSON:
			return usageError{errors.New("--json describes a FUNCTION; a table of a TIRE is CSV")}
		}
		return evaluateTire(c, args[0], string(*mounted), *in, *out)
	}
	c.AddCommand(convertCommand(), fitCommand(), rigCommand())
	return c
}

// evaluateTire evaluates a tire file for every line of a table.
func evaluateTire(c *cobra.Command, path, side, in, out string) error {
	if err := found(c, resources.Tires, &path); err != nil {
		return usageError{fmt.Errorf("%w; the tire functions are %s", err, strings.Join(tire.Names(), ", "))}
	}
	if err := checkOutputs([]string{"--out", out, ".csv"}); err != nil {
		return err
	}
	kind, function, err := tirefile.Open(path, side, c.ErrOrStderr())
	if err != nil {
		return err
	}
	if in == "" {
		return usageError{errors.New("--in is missing; name a CSV file, or - for standard input")}
	}
	input := c.InOrStdin()
	if in != "-" {
		file, err := bounded.Table.Open(in)
		if err != nil {
			return err
		}
		defer file.Close()
		input = file
	}
	table := func(to io.Writer) error { return tirefile.Evaluate(kind, function, input, in, to) }
	_, err = writeResults(out, c.OutOrStdout(), table)
	return err
}

// axes is the value of a flag: "" or iso, or sae.
type axes string

func (a *axes) String() string { return string(*a) }
func (a *axes) Type() string   { return "sae|iso" }

func (a *axes) Set(text string) error {
	if text != "" && text != "iso" && text != "sae" {
		return errors.New("it must be sae or iso")
	}
	*a = axes(text)
	return nil
}

// convertCommand writes a tire file in the form that the ending of its new name tells.
func convertCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "convert FROM TO [flags]", Short: "write a tire file in another form, or in ISO axes",
		Long: "Writes FROM, a tire file or a name that 'skidpad list tires' shows, as TO in the form that its ending\n" +
			".toml or .tir names; from .tir to .tir all entries stay, in one form. With --out there is no TO.\n" +
			"With --from sae the coefficients of FROM, a .tir, are for SAE axes (y to the right, z down). Those of\n" +
			"lateral force, aligning moment and their offsets change their signs. PKY1 > 0 stands for adapted SAE axes,\n" +
			"whose slip angle has the sign of ISO, PKY1 < 0 for SAE J670. The text of the file stays otherwise.",
		Example: "  skidpad tire convert resources/tires/pacejka2002.toml tire.tir --vertical-stiffness 3.04e5\n" +
			"  skidpad tire convert sae.tir --from sae -o iso.tir",
		Args: arguments(1, 2, "two files, convert FROM TO"), ValidArgsFunction: names(resources.Tires),
	}
	flags := c.Flags()
	mounted := sideFlag(flags)
	out := flags.StringP("out", "o", "", "`FILE` to write, in place of TO; - is standard output, in the form of FROM")
	writesTo(flags, "out")
	var from axes
	flags.Var(&from, "from", "axes `sae|iso` of the coefficients in FROM; default: iso")
	c.RegisterFlagCompletionFunc("from", cobra.FixedCompletions([]string{"sae", "iso"},
		cobra.ShellCompDirectiveNoFileComp))
	stiffness := flags.Float64("vertical-stiffness", 0,
		"vertical stiffness [`N/m`] for a .tir of a TOML file, which does not have it")
	c.RunE = func(c *cobra.Command, args []string) error {
		file, to := args[0], *out
		switch {
		case len(args) == 2 && to != "":
			return usageError{fmt.Errorf("the file to write is %s and --out %s; name it once", args[1], to)}
		case len(args) == 2:
			to = args[1]
		case to == "":
			return usageError{fmt.Errorf("expected two files, convert FROM TO or convert FROM --out TO, got 1: %q", args)}
		}
		if err := found(c, resources.Tires, &file); err != nil {
			return err
		}
		ending := strings.ToLower(filepath.Ext(to))
		if to == "-" {
			ending = strings.ToLower(filepath.Ext(file))
		}
		switch {
		case ending != ".toml" && ending != ".tir":
			return usageError{fmt.Errorf("%s ends with %q; .toml and .tir can be written", to, filepath.Ext(to))}
		case tirefile.IsProperties(file) && ending == ".tir" && *mounted != "":
			return usageError{errors.New("--side goes with TOML: a .tir says on which side its tire was measured")}
		}
		if err := checkDistinct([2]string{"FROM", file}, [2]string{"TO", to}); err != nil {
			return err
		}
		if to != "-" {
			if err := output.MakeFolder(filepath.Dir(to)); err != nil {
				return err
			}
		}
		if err := checkOutputs([]string{"TO", to, ending}); err != nil {
			return err
		}
		text, err := tirefile.Convert(file, tirefile.Conversion{Properties: ending == ".tir", Side: string(*mounted),
			SAE: from == "sae", Stiffness: *stiffness}, c.ErrOrStderr())
		if err != nil {
			return err
		}
		_, err = writeResults(to, c.OutOrStdout(), func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
		return err
	}
	return c
}
