package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"skidpad/fmu"
	"skidpad/harness"
)

// binariesHelp explains where FMUs take their libraries from.
const binariesHelp = "`FOLDER` with the FMI libraries, one folder per platform; default: fmi beside this command"

// packVerb makes an FMU of a model.
func packVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "pack MODEL -o X.fmu --fmi VERSION [flags]",
		"  skidpad pack resources/models/skidder.toml -o ForestrySkidder.fmu --fmi 3")
	out := flags.String("o", "", "FMU `FILE` to write (required)")
	version := flags.Int("fmi", 3, "`VERSION` of FMI: 2 or 3")
	binaries := flags.String("binaries", "", binariesHelp)
	models, err := parse(flags, args, 1, 1)
	if err != nil {
		return err
	}
	if *out == "" {
		return usageError{errors.New("-o is missing")}
	}
	return packModel(stderr, models[0], *out, *binaries, *version)
}

// packModel writes an FMU of a model file.
func packModel(stderr io.Writer, file, out, binaries string, version int) error {
	if binaries == "" {
		self, err := os.Executable()
		if err != nil {
			return err
		}
		binaries = filepath.Join(filepath.Dir(self), "fmi")
	}
	generated, err := buildTime()
	if err != nil {
		return err
	}
	p, err := fmu.NewPackage(file, binaries, version, fmu.About{Version: harness.Version, Generated: generated})
	if err != nil {
		return err
	}
	if err := harness.WriteFile(out, p.Write); err != nil {
		return err
	}
	fmt.Fprintf(stderr, "%s: FMI %d.0, %d variables, %s\n", out, version, len(p.Table.Variables), strings.Join(p.Platforms(), " "))
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
