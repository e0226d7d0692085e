package main

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/workbench/analyses/suspension"
	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/report"
	"skidpad/harness/workbench/results/setups"
	"skidpad/harness/workbench/results/signals"
	"skidpad/harness/workbench/runs/laps"
)

// reportCommand lays set-ups over each other.
func reportCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "report REFERENCE FOLDER... --out FILE [flags]\n" +
			"report RUN... --signals SIGNALS --out FILE [flags]\n" +
			"report RUN... --measured MEASURED --out FILE [flags]",
		Short: "report of several set-ups in one manoeuvre or on the K&C rig",
		Long: "The folders are those that 'skidpad manoeuvre --out' has written for one manoeuvre; the first is the\n" +
			"reference. The page shows what differs between the set-ups, characteristic values with differences,\n" +
			"and the first runs over each other. Folders of 'skidpad kc --out' give figures with differences, and curves\n" +
			"over each other. Folders of 'skidpad lap --out' give laps over the distance, with time differences.\n" +
			"With --signals the page has plots of what is named, of files of runs or of\n" +
			"all runs of such folders: NAME over time, also as a pattern or a role; NAME/NAME, a quotient; X:Y, one over\n" +
			"the other. With --measured it has the measured signals with the runs over them and the residuals below;\n" +
			"--by is the file of 'skidpad compare' with columns and corridors.",
		Example: "  skidpad report soft stiff --names 'soft springs,stiff springs' --out springs.html\n" +
			"  skidpad report front_soft front_stiff --out kc.html\n" +
			"  skidpad report run.csv --measured logger.csv --by channels.toml --out overlay.html\n" +
			"  skidpad report soft stiff --signals 'chassis.ay,tire_*.Fz,body.ay/body.wz,body.x:body.y' --out signals.html",
		Args: arguments(1, 20, "two or more folders, the reference first, or with --signals or --measured one run or more"),
	}
	names := c.Flags().StringSlice("names", nil, "`NAMES` of the set-ups, separated by commas; without it those of the "+
		"folders")
	accel := c.Flags().String("accel", "m/s2", "`UNIT` of accelerations: g or m/s2")
	file := c.Flags().String("display", "", "TOML `FILE` with a table [display] of units, such as N = \"kN\"")
	chosen := c.Flags().String("signals", "", "`SIGNALS` to plot, separated by commas: NAME, NAME/NAME or X:Y")
	measured := c.Flags().String("measured", "", "measured `FILE` to lay the runs over")
	by := c.Flags().String("by", "", "TOML `FILE` with columns of the measured file, and corridors")
	align := alignFlag(c.Flags())
	out := c.Flags().StringP("out", "o", "", "`FILE` of the report: .html, or .pdf for sheets of A4")
	writesTo(c.Flags(), "out")
	c.RunE = func(_ *cobra.Command, folders []string) error {
		if *out == "" {
			return usageError{errors.New("--out is missing; name the file of the report, .html or .pdf")}
		}
		if err := checkOutputs([]string{"--out", *out, ".html", ".htm", ".pdf"}); err != nil {
			return err
		}
		units := display.Default()
		if *file != "" {
			if err := units.Read(*file); err != nil {
				return err
			}
		}
		if err := units.Acceleration(*accel); err != nil {
			return usageError{fmt.Errorf("--accel: %w", err)}
		}
		if *measured == "" && (*by != "" || *align != "") {
			return usageError{errors.New("--by and --align are for a measured file; name it with --measured")}
		}
		var page *report.Page
		var err error
		if *measured != "" {
			page, err = overlayPage(folders, *names, *measured, *by, *align, *chosen, units)
		} else {
			page, err = reportPage(folders, *names, *chosen, units)
		}
		if err != nil {
			return err
		}
		if strings.EqualFold(filepath.Ext(*out), ".pdf") {
			return output.WriteFile(*out, page.WritePDF)
		}
		return output.WriteFile(*out, page.Write)
	}
	return c
}

// reportPage is a page of signals, where some are chosen, otherwise of set-ups.
func reportPage(paths, names []string, chosen string, units *display.Units) (*report.Page, error) {
	if chosen != "" {
		runs, err := signals.Read(paths, names)
		if err != nil {
			return nil, err
		}
		return signals.Report(runs, recording.Split(chosen), units)
	}
	if laps.IsFolder(paths[0]) {
		list, names, err := laps.Read(paths, names)
		if err != nil {
			return nil, err
		}
		return laps.Overlay(list, names), nil
	}
	if suspension.IsFolder(paths[0]) {
		list, err := suspension.ReadSetups(paths, names)
		if err != nil {
			return nil, err
		}
		return suspension.Overlay(list), nil
	}
	list, err := setups.Read(paths, names)
	if err != nil {
		return nil, err
	}
	return setups.Report(list, units), nil
}

// overlayPage is a page of runs over a measurement.
func overlayPage(paths, names []string, file, by, align, chosen string, units *display.Units) (*report.Page, error) {
	spec, err := readComparison(by, align)
	if err != nil {
		return nil, err
	}
	var list []string
	if chosen != "" {
		list = recording.Split(chosen)
	}
	result, err := compareMeasured(spec, paths, names, file, list)
	if err != nil {
		return nil, err
	}
	return result.Page(units), nil
}
