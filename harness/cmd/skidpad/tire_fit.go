package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/leastsquares"
	"skidpad/harness/workbench/analyses/tirefile"
	"skidpad/harness/workbench/analyses/tirefit"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
	"skidpad/tire"
)

// fitCommand fits coefficients of a tire to measured points.
func fitCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "fit TIRE CSV... [flags]", Short: "fit coefficients of a tire to measured points",
		Long: "TIRE, a tire file or a name that 'skidpad list tires' shows, is the start. CSV has a row for each point,\n" +
			"and a header with units: Fz [N], alpha [deg], S, gamma [deg], VCx [m/s], pressure [kPa] and the outputs\n" +
			"Fx, Fy [N], Mx, My, Mz [N.m], or names of rigs: FZ, SA, SL, IA, V, P, FX, FY, MX, MZ. Without --fit\n" +
			"the coefficients of Magic Formula tires are fitted that the outputs concern. Prints each coefficient\n" +
			"with its standard deviation, the residuals, and what the points do not tell.",
		Example: "  skidpad tire fit mf61_205_60R15 sweep.csv --of Fy --hold 'PHY*' --out own.tir",
		Args:    arguments(2, 100, "a TIRE and one CSV or more"), ValidArgsFunction: names(resources.Tires),
	}
	flags := c.Flags()
	out := flags.StringP("out", "o", "", "tire `FILE` to write, in the form of TIRE")
	page := flags.String("report", "", "HTML `FILE` with plots")
	writesTo(flags, "out", "report")
	of := flags.StringSlice("of", nil, "`OUTPUT,...` to fit; default: all that the points have")
	fit := flags.StringSlice("fit", nil, "`NAME,...` of coefficients, or patterns such as 'PKY*'; default: by the outputs")
	hold := flags.StringSlice("hold", nil, "`NAME,...` of coefficients, or patterns, that are not fitted")
	var from axes
	flags.Var(&from, "from", "axes `sae|iso` of the points; sae: y to the right, z down, loads negative; default: iso")
	asJSON := jsonFlag(flags)
	c.RunE = func(c *cobra.Command, args []string) error {
		file := args[0]
		if err := found(c, resources.Tires, &file); err != nil {
			return err
		}
		ending := strings.ToLower(filepath.Ext(file))
		if err := checkOutputs([]string{"--out", *out, ending}, []string{"--report", *page, ".html"}); err != nil {
			return err
		}
		text, err := bounded.Tire.Read(file)
		if err != nil {
			return err
		}
		p, err := tirefile.Read(file, "", c.ErrOrStderr())
		if err != nil {
			return err
		}
		kind, err := tire.Lookup(p.Function)
		if err != nil {
			return err
		}
		data := &tirefit.Data{}
		for _, name := range args[1:] {
			if err := addPoints(data, name, from == "sae"); err != nil {
				return err
			}
		}
		progress := output.NewProgressOf(c.ErrOrStderr(), "steps")
		setup := &tirefit.Setup{Kind: kind, Values: kind.Complete(p.Values), Combined: tire.CombinedByFile, Outputs: *of,
			Fit: *fit, Hold: *hold, Progress: func(n int, _ float64) bool {
				progress.At("fit", float64(n), leastsquares.MostIterations)
				return !output.Interrupted(c.Context().Done())
			}}
		result, err := setup.Run(data)
		progress.At("fit", 1, 1)
		if errors.Is(err, leastsquares.ErrInterrupted) {
			return output.ErrInterrupted
		}
		if err != nil {
			return fmt.Errorf("fit of %s: %w", args[0], err)
		}
		if *out != "" {
			written, err := result.Write(text, filepath.Base(file))
			if err != nil {
				return err
			}
			if err := output.WriteFile(*out, func(w io.Writer) error {
				_, err := w.Write(written)
				return err
			}); err != nil {
				return err
			}
		}
		if *page != "" {
			title := fmt.Sprintf("%s, %s", args[0], strings.Join(args[1:], ", "))
			if err := output.WriteFile(*page, func(w io.Writer) error { return result.Report(w, title) }); err != nil {
				return err
			}
		}
		if *asJSON {
			return output.WriteJSON(c.OutOrStdout(), result)
		}
		if data.Left > 0 {
			fmt.Fprintf(c.ErrOrStderr(), "note: %d points without a load or with an empty cell are left out\n", data.Left)
		}
		result.Print(c.OutOrStdout())
		return nil
	}
	return c
}

// addPoints adds the points of a file.
func addPoints(data *tirefit.Data, name string, sae bool) error {
	file, err := bounded.Table.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return data.Add(file, name, sae)
}
