package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"skidpad/fmu"
	"skidpad/fmu/system"
	"skidpad/harness"
	"skidpad/harness/output"
)

// binariesHelp explains where FMUs take their libraries from.
const binariesHelp = "`FOLDER` with the FMI libraries, one folder per platform; default: fmi beside this command"

// packVerb makes FMUs of models and packages of systems.
func packVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout,
		"pack MODEL -o X.fmu --fmi VERSION [flags]\n       skidpad pack MODEL... -o FOLDER --fmi VERSION [flags]\n   "+
			"    skidpad pack SYSTEM -o X.ssp --fmi VERSION [flags]",
		"  skidpad pack resources/models/skidder.toml -o ForestrySkidder.fmu --fmi 3\n  skidpad pack "+
			"resources/models/bicycle*.toml -o bicycles --fmi 2\n  skidpad pack resources/systems/lane_change.toml -o "+
			"lane_change.ssp --fmi 2")
	out := flags.String("o", "", "FMU or SSP `FILE` to write, or FOLDER for FMUs called like their models (required)")
	version := flags.Int("fmi", 3, "`VERSION` of FMI: 2 or 3")
	binaries := flags.String("binaries", "", binariesHelp)
	plugins := flags.Bool("allow-plugins", false,
		"let the SYSTEM file name libraries (plugin:, sti:) whose code then runs wherever the package is simulated")
	coefficients := flags.Bool("tire-parameters", false,
		"show all coefficients of the tires, such as tire_FL.PKY1 and tire_FL.LMUY, as parameters; default: none")
	models, err := parse(flags, args, 1, math.MaxInt)
	if err != nil {
		return err
	}
	if *out == "" {
		return usageError{errors.New("-o is missing")}
	}
	if len(models) > 1 && (isFMU(*out) || isSSP(*out)) {
		return usageError{fmt.Errorf("-o %s is one file for %d models; it must be a folder", *out, len(models))}
	}
	if isSSP(*out) && *coefficients {
		return usageError{errors.New("--tire-parameters: it is for FMUs of models, not for a package of a system")}
	}
	if isSSP(*out) {
		return packSystem(stderr, models[0], *out, *binaries, *version, *plugins)
	}
	return packModels(stderr, models, *out, *binaries, *version, *coefficients)
}

// isFMU tells a file of an FMU from a folder for some.
func isFMU(out string) bool { return strings.HasSuffix(out, ".fmu") }

// isSSP tells a package of a system.
func isSSP(out string) bool { return strings.HasSuffix(out, ".ssp") }

// packSystem writes a package of a system file.
func packSystem(stderr io.Writer, file, out, binaries string, version int, allowPlugins bool) error {
	whole, err := system.Read(file, allowPlugins)
	if err != nil {
		return err
	}
	libraries, about, err := packaging(binaries)
	if err != nil {
		return err
	}
	if err := output.WriteFile(out,
		func(w io.Writer) error { return whole.Write(w, libraries, version, about) }); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: SSP 1.0, FMI %d.0, %d components, %d connections\n", out, version, len(whole.Components),
		len(whole.Connections))
	return nil
}

// packaging returns what FMUs are made of beside their models; binaries "" is the folder fmi beside the command.
func packaging(binaries string) (*fmu.Libraries, fmu.About, error) {
	if binaries == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fmu.About{}, err
		}
		binaries = filepath.Join(filepath.Dir(self), "fmi")
	}
	generated, err := buildTime()
	if err != nil {
		return nil, fmu.About{}, err
	}
	libraries, err := fmu.ReadLibraries(binaries)
	return libraries, fmu.About{Version: harness.Version, Generated: generated}, err
}

// packModels writes FMUs of model files: one to a file, or all into a folder, called like their models.
func packModels(stderr io.Writer, models []string, out, binaries string, version int, coefficients bool) error {
	libraries, about, err := packaging(binaries)
	if err != nil {
		return err
	}
	called := map[string]string{}
	for _, model := range models {
		p, err := fmu.NewPackage(model, libraries, version, about)
		if err != nil {
			return err
		}
		if coefficients {
			p.ShowCoefficients()
		}
		file := out
		if !isFMU(out) {
			file = filepath.Join(out, p.Table.Name+".fmu")
		}
		if other, ok := called[file]; ok {
			return fmt.Errorf("%s and %s would both be %s; give one of the models another name, or pack it into "+
				"another folder", other, model, file)
		}
		called[file] = model
		if err := output.WriteFile(file, p.Write); err != nil {
			return err
		}
		fmt.Fprintf(stderr, "%s: FMI %d.0, %d variables, %s\n", file, version, len(p.Table.Variables),
			strings.Join(p.Platforms(), " "))
	}
	return nil
}

// buildTime is now, or what SOURCE_DATE_EPOCH says for builds that can be repeated.
func buildTime() (time.Time, error) {
	text := os.Getenv("SOURCE_DATE_EPOCH")
	if text == "" {
		return time.Now(), nil
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH = %q is not a number of seconds", text)
	}
	return time.Unix(seconds, 0), nil
}
