package main

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/equations"
	"skidpad/model/vehicle"
)

// matricesOptions holds the options for matrices of the equations of motion, printed or exported.
type matricesOptions struct {
	print            bool
	only             []string
	format           string
	inline           int
	language, output string
}

var matrixFormats = []string{"text", "latex", "json"}

func (o *matricesOptions) add(c *cobra.Command) {
	flags := c.Flags()
	flags.BoolVar(&o.print, "matrices", false, "print the matrices of the equations of motion, entry by entry")
	flags.StringSliceVar(&o.only, "only", nil, "with --matrices: these `PARTS` of M,C,b,Phi,h,e alone")
	flags.StringVar(&o.format, "format", "text", "with --matrices: `text|latex|json`")
	flags.IntVar(&o.inline, "inline", 0, "with --matrices: write out definitions that are used at most `N` times")
	flags.StringVar(&o.language, "export", "", "write the matrices as functions for `sympy|casadi|matlab`, into --out")
	flags.StringVarP(&o.output, "out", "o", "", "with --export: `FILE` to write; - is standard output")
	writesTo(flags, "out")
	fixed := func(flag string, words []string) {
		c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	fixed("format", matrixFormats)
	fixed("only", equations.PartNames)
	fixed("export", equations.Languages)
	excludeEachOther(c, "matrices", "export")
	for _, other := range []string{"text", "passes", "intermediates"} {
		excludeEachOther(c, "matrices", other)
		excludeEachOther(c, "export", other)
	}
	excludeEachOther(c, "format", "json")
	excludeEachOther(c, "export", "json")
}

func (o *matricesOptions) asked() bool { return o.print || o.language != "" }

// check refuses options that go with nothing.
func (o *matricesOptions) check(c *cobra.Command) error {
	for _, flag := range []string{"only", "format", "inline"} {
		if c.Flags().Changed(flag) && !o.print {
			return usageError{fmt.Errorf("--%s belongs to --matrices: give that, too", flag)}
		}
	}
	exports := c.Flags().Changed("export")
	switch {
	case !slices.Contains(matrixFormats, o.format):
		return usageError{fmt.Errorf("--format is %q; it must be text, latex or json", o.format)}
	case o.inline < 0:
		return usageError{fmt.Errorf("--inline is %d; it must be 0 or more", o.inline)}
	case exports && !slices.Contains(equations.Languages, o.language):
		return usageError{fmt.Errorf("--export is %q; it must be sympy, casadi or matlab", o.language)}
	case exports && o.output == "":
		return usageError{errors.New("--out is missing; give it the file that --export writes, or - for standard output")}
	case !exports && c.Flags().Changed("out"):
		return usageError{errors.New("--out belongs to --export: give that, too")}
	}
	for _, part := range o.only {
		if !slices.Contains(equations.PartNames, part) {
			return usageError{fmt.Errorf("--only has %q; the parts are M, C, b, Phi, h and e", part)}
		}
	}
	if !exports {
		return nil
	}
	return checkOutputs([]string{"--out", o.output, equations.Ending(o.language)})
}

// write prints or exports the matrices.
func (o *matricesOptions) write(c *cobra.Command, m *vehicle.Model, tree string, asJSON bool) error {
	if o.language != "" {
		_, err := writeResults(o.output, c.OutOrStdout(), func(to io.Writer) error {
			return equations.Export(to, m, tree, o.language, o.output)
		})
		return err
	}
	x, err := equations.MatricesOf(m, tree, o.only, o.inline)
	switch {
	case err != nil:
		return err
	case asJSON || o.format == "json":
		return x.WriteJSON(c.OutOrStdout())
	case o.format == "latex":
		x.PrintLatex(c.OutOrStdout())
	default:
		x.PrintText(c.OutOrStdout())
	}
	return nil
}
