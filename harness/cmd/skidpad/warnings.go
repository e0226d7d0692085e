package main

import (
	"fmt"
	"io"
	"math"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/library"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/reduction"
	"skidpad/model/vehicle"
)

// readModel reads a model file as it runs, and prints its warnings.
func readModel(path string, stderr io.Writer) (*vehicle.Model, error) {
	return warned(reduction.Read, path, stderr)
}

// readMechanism reads a model file with its suspensions, also where it runs with tables, and prints its warnings.
func readMechanism(path string, stderr io.Writer) (*vehicle.Model, error) {
	return warned(vehicle.Read, path, stderr)
}

func warned(read func(path string) (*vehicle.Model, error), path string, stderr io.Writer) (*vehicle.Model, error) {
	m, err := read(path)
	if err != nil {
		return nil, err
	}
	for _, w := range m.Warnings {
		fmt.Fprintln(stderr, library.WarningPrefix+w)
	}
	return m, nil
}

// warnOf prints the warnings of a model file, and returns them. Its errors come with the run.
func warnOf(path string, stderr io.Writer) []string {
	if filepath.Ext(path) != ".toml" {
		return nil
	}
	m, err := readMechanism(path, stderr)
	if err != nil {
		return nil
	}
	return m.Warnings
}

// marked is a note, or a warning, as it is printed.
func marked(note string) string {
	if strings.HasPrefix(note, library.WarningPrefix) {
		return note
	}
	return "note: " + note
}

// warnOfDriven warns of inputs that are set, or varied, by a flag although the manoeuvre drives them itself.
func warnOfDriven(m *manoeuvre.Manoeuvre, flag string, names []string, stderr io.Writer) {
	for _, name := range names {
		if m.Drives(name) {
			fmt.Fprintf(stderr, "%s%s %s has no effect while manoeuvre %s drives this input; change the manoeuvre, such as by "+
				"--let\n", library.WarningPrefix, flag, name, m.Name)
		}
	}
}

// namesOf returns the names of settings.
func namesOf(set []manoeuvre.Setting) (names []string) {
	for _, s := range set {
		names = append(names, s.Name)
	}
	return names
}

// scalingFactor is a coefficient of a tire that multiplies what others give, tire_FL.LMUY.
var scalingFactor = regexp.MustCompile(`\.L(FZO|[CEHKV][XY]|MU[XY]|K[YZ]C|TR|RES|GA[XYZ]|XAL|V?YKA|S|SGKP|SGAL|` +
	`GYR|V?MX|MY|MP)$`)

// warnOfSet prints the additional warnings or errors of a model file with the given settings, compared with the model
// file alone.
func warnOfSet(path string, set []manoeuvre.Setting, stderr io.Writer) {
	values := map[string]float64{}
	for _, s := range set {
		if x, err := strconv.ParseFloat(s.Value, 64); err == nil {
			values[s.Name] = x
			if scalingFactor.MatchString(s.Name) && math.Abs(x) > 10 {
				fmt.Fprintf(stderr, "%swith what is set: %s is %g; a scaling factor of a tire is about 1, and 90 %% are 0.9\n",
					library.WarningPrefix, s.Name, x)
			}
		}
	}
	if len(values) == 0 || filepath.Ext(path) != ".toml" {
		return
	}
	m, err := vehicle.Read(path)
	if err != nil {
		return // comes with the run
	}
	with, err := m.WithValues(values, vehicle.Opener(path))
	if err != nil {
		first, _, _ := strings.Cut(err.Error(), "\n")
		fmt.Fprintf(stderr, "%swith what is set: a model file with these numbers is refused: %s\n", library.WarningPrefix,
			first)
		return
	}
	for _, w := range with.LastingWarnings() { // the vehicle itself knows how it starts
		if !slices.Contains(m.Warnings, w) {
			fmt.Fprintf(stderr, "%swith what is set: %s\n", library.WarningPrefix, w)
		}
	}
}
