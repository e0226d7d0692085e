package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"skidpad/harness/workbench/analyses/export"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/results/recording"
)

// binariesFlag adds the flag for where FMUs take their libraries from.
func binariesFlag(flags *pflag.FlagSet) *string {
	return flags.String("binaries", "",
		"`FOLDER` with the FMI libraries, one folder per platform; default: fmi beside this command")
}

// packCommand makes FMUs of models and packages of systems.
func packCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "pack MODEL -o X.fmu --fmi VERSION [flags]\npack MODEL... -o FOLDER --fmi VERSION [flags]\n" +
			"pack SYSTEM -o X.ssp --fmi VERSION [flags]",
		Short: "export models as FMUs, or a system of FMUs as an SSP package",
		Long: "Exports a model as an FMU, several models as FMUs in a folder, called like their models, or a system file\n" +
			"as a package (SSP 1.0). A subsystem file that knows a vehicle by roles alone becomes an FMU, too: a controller\n" +
			"whose inputs and outputs another tool connects (docs/own-controllers.md). FMUs hold the libraries of all\n" +
			"platforms that have been built; with --sources also the model in C99, which importers compile for other\n" +
			"platforms. With the environment variable SOURCE_DATE_EPOCH [s] the same sources give the same bytes.",
		Example: "  skidpad pack skidder -o ForestrySkidder.fmu --fmi 3\n" +
			"  skidpad pack generic4w -o car.fmu --fmi 2 --sources=only --method rk4,linearly-implicit\n" +
			"  skidpad pack resources/models/bicycle*.toml -o bicycles --fmi 2\n" +
			"  skidpad pack my_abs.toml -o my_abs.fmu --fmi 3\n" +
			"  skidpad pack lane_change -o lane_change.ssp --fmi 2",
		Args: arguments(1, math.MaxInt, "one or more models, or one SYSTEM"), ValidArgsFunction: names(resources.Models),
	}
	e, flags := &export.Export{}, c.Flags()
	out := flags.StringP("out", "o", "", "FMU or SSP `FILE` to write, or folder for FMUs called like their models "+
		"(required)")
	writesInto(flags, "out", "*.fmu")
	flags.IntVar(&e.Version, "fmi", 3, "`VERSION` of FMI: 2 or 3")
	flags.StringVar(&e.Tree, "tree", "", "tree selection of the models, by `NAME`; default: the first of each")
	prescribe := flags.String("prescribe", "", "`JOINTS` whose motion is input of the FMU: names or patterns, "+
		"separated by commas; NAME.torque or NAME.force is what the motion takes")
	reactions, frame := reactionsFlags(flags, "are outputs of the FMU")
	binaries := binariesFlag(flags)
	sources := newSourcesFlags(flags)
	c.RegisterFlagCompletionFunc("sources", cobra.FixedCompletions([]string{string(only)},
		cobra.ShellCompDirectiveNoFileComp))
	flags.BoolVar(&e.AllowPlugins, "allow-plugins", false,
		"let the SYSTEM file name libraries (plugin:, sti:) whose code then runs wherever the package is simulated")
	flags.BoolVar(&e.Coefficients, "tire-parameters", false,
		"show all coefficients of the tires, such as tire_FL.PKY1 and tire_FL.LMUY, as parameters; default: none")
	c.RunE = func(c *cobra.Command, models []string) error {
		switch {
		case *out == "":
			return usageError{errors.New("-o is missing; name a file that ends in .fmu or .ssp, or a folder")}
		case sources.content == also && slices.Contains(models, string(only)):
			return usageError{errors.New("--sources only: write --sources=only")}
		case len(models) > 1 && (export.IsFMU(*out) || export.IsSSP(*out)):
			return usageError{fmt.Errorf("-o %s is one file for %d models; it must be a folder", *out, len(models))}
		case export.IsSSP(*out) && e.Tree != "":
			return usageError{errors.New("--tree: it is for FMUs of models, not for a package of a system")}
		case export.IsSSP(*out) && *prescribe != "":
			return usageError{errors.New("--prescribe: it is for FMUs of models, not for a package of a system")}
		case export.IsSSP(*out) && *reactions != "":
			return usageError{errors.New("--reactions: it is for FMUs of models, not for a package of a system")}
		case export.IsSSP(*out) && e.Coefficients:
			return usageError{errors.New("--tire-parameters: it is for FMUs of models, not for a package of a system")}
		case export.IsSSP(*out) && sources.content != "":
			return usageError{errors.New("--sources: it is for FMUs of models, not for a package of a system")}
		}
		if err := sources.apply(e); err != nil {
			return usageError{err}
		}
		if err := export.CheckOut(*out); err != nil {
			return usageError{fmt.Errorf("-o %w", err)}
		}
		if err := e.CheckVersion(); err != nil {
			return usageError{fmt.Errorf("--fmi: %w", err)}
		}
		if err := export.MakeFolder(*out); err != nil {
			return fmt.Errorf("-o %w", err)
		}
		e.Binaries, e.Report = *binaries, c.ErrOrStderr()
		if *prescribe != "" {
			e.Prescribe = recording.Split(*prescribe)
		}
		asked, err := reactionsIn(*reactions, *frame)
		if err != nil {
			return err
		}
		if asked != "" {
			e.Reactions = strings.Split(asked, ",")
		}
		if export.IsSSP(*out) {
			if err := found(c, resources.Systems, &models[0]); err != nil {
				return err
			}
			return e.System(models[0], *out)
		}
		for i := range models {
			if err := found(c, resources.Models, &models[i]); err != nil {
				return err
			}
			warnOf(models[i], c.ErrOrStderr())
		}
		return e.Models(models, *out)
	}
	return c
}
