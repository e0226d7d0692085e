package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"skidpad/harness/workbench/analyses/export"
	"skidpad/harness/workbench/analyses/linearise"
	"skidpad/harness/workbench/results/output"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/linear"
)

// linearExport holds the self-contained outputs of linearize: a model file of linear equations, and its FMU.
type linearExport struct {
	toml, fmu, binaries *string
	version             *int
}

func linearExportFlags(flags *pflag.FlagSet) *linearExport {
	e := &linearExport{
		toml: flags.String("toml", "",
			"model `FILE` of the linear equations to write, about a single value; it runs like any other"),
		fmu: flags.String("fmu", "",
			"FMU `FILE` of the linear equations to write, with the vehicle's inputs and outputs, about a single value"),
		version:  flags.Int("fmi", 3, "`VERSION` of FMI of the FMU: 2 or 3"),
		binaries: binariesFlag(flags),
	}
	writesTo(flags, "toml", "fmu")
	return e
}

// asked reports whether there is anything to write.
func (e *linearExport) asked() bool { return *e.toml != "" || *e.fmu != "" }

// check refuses what cannot be written before anything is computed.
func (e *linearExport) check(varied manoeuvre.Variation) error {
	if e.asked() && len(varied.Values) > 1 {
		return errors.New("--toml and --fmu hold the linear equations about one steady motion; give --at NAME=VALUE")
	}
	if *e.fmu != "" && !export.IsFMU(*e.fmu) {
		return fmt.Errorf("--fmu %s is not an FMU; the name must end in .fmu", *e.fmu)
	}
	return (&export.Export{Version: *e.version}).CheckVersion()
}

// makeFolders makes the folders of what is to be written.
func (e *linearExport) makeFolders() error {
	for _, file := range []string{*e.toml, *e.fmu} {
		if file != "" {
			if err := output.MakeFolder(filepath.Dir(file)); err != nil {
				return err
			}
		}
	}
	return nil
}

// write writes the linear equations about the only value of the result.
func (e *linearExport) write(stderr io.Writer, vehicle *linear.Model, result *linearise.Result) error {
	if !e.asked() {
		return nil
	}
	file := *e.toml
	if file == "" {
		folder, err := os.MkdirTemp("", "skidpad-linear-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(folder)
		file = filepath.Join(folder, "linear.toml")
	}
	var left []string
	about := fmt.Sprintf("%s = %g", result.Varied.Name, result.Varied.Values[0])
	err := output.WriteFile(file, func(to io.Writer) (err error) {
		left, err = vehicle.WriteModel(to, result.Systems[0], about)
		return err
	})
	if err != nil {
		return err
	}
	if len(left) > 0 {
		fmt.Fprintf(stderr, "left out, because they do not stay linear as the steady motion goes on: %s\n",
			strings.Join(left, ", "))
	}
	if *e.fmu == "" {
		return nil
	}
	x := export.Export{Binaries: *e.binaries, Version: *e.version, Report: stderr}
	return x.Models([]string{file}, *e.fmu)
}
