package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/output"
	"skidpad/model/bounded"
	"skidpad/tire"
	"skidpad/tire/tir"
)

// tireVerb evaluates a tire function for every line of a table, describes one, converts a tire file, or measures a tire on a rig.
func tireVerb(args []string, stdout, stderr io.Writer) error {
	if len(args) > 0 && args[0] == "rig" {
		return rigVerb(args[1:], stdout, stderr)
	}
	flags := newFlags(stdout, "tire FUNCTION\n       skidpad tire FILE --in CSV [--out CSV]\n       skidpad tire convert FROM TO [--side left|right] [--vertical-stiffness N/m]\n       skidpad tire rig FILE|LIBRARY [flags]   (skidpad tire rig --help)\n\n"+
		"FUNCTION, one of "+strings.Join(tire.Names(), ", ")+", is described.\n"+
		"FILE, a tire file (TOML or .tir), is evaluated for every line of a table whose heading names the\n"+
		"function's inputs in any order; a missing column mu is 1. Units are SI and radians,\n"+
		"axes ISO. The output is the table with the returned values as further columns.\n\n"+
		"FROM, a tire file, is written as TO in the form that its ending .toml or .tir names;\n"+
		"from .tir to .tir all entries stay, in one form.",
		"  skidpad tire Fiala\n  skidpad tire resources/tires/fiala_generic4w.toml --in slip.csv --out forces.csv\n"+
			"  skidpad tire convert resources/tires/pacejka2002.toml tire.tir --vertical-stiffness 3.04e5")
	in := flags.String("in", "", "CSV `FILE` to read; - is stdin")
	out := flags.String("out", "-", "CSV `FILE` to write; - is stdout")
	side := flags.String("side", "", "side `left|right` on which the tire of a .tir is mounted; empty: as it says")
	stiffness := flags.Float64("vertical-stiffness", 0, "vertical stiffness `N/m` for a .tir of a TOML file, which does not have it")
	what, err := parse(flags, args, 1, 3)
	if err != nil {
		return err
	}
	if *side != "" && *side != "left" && *side != "right" {
		return usageError{fmt.Errorf("--side is %q; it must be left or right", *side)}
	}
	switch {
	case what[0] == "convert" && len(what) == 3:
		return convertTire(what[1], what[2], *side, *stiffness, stderr)
	case what[0] == "convert" || len(what) != 1:
		return usageError{fmt.Errorf("%d arguments %q; one FUNCTION or FILE, or convert FROM TO expected", len(what), what)}
	}
	if kind, err := tire.Lookup(what[0]); err == nil {
		if *in != "" {
			return usageError{fmt.Errorf("%s needs parameters to be evaluated; name a tire file instead", kind.Name)}
		}
		describeTire(stdout, kind)
		return nil
	}
	kind, function, err := openTire(what[0], *side, stderr)
	if err != nil {
		return err
	}
	if *in == "" {
		return usageError{errors.New("--in is missing")}
	}
	if err := checkOutputs([]string{"--out", *out, ".csv"}); err != nil {
		return err
	}
	var input io.Reader = os.Stdin
	if *in != "-" {
		file, err := bounded.Table.Open(*in)
		if err != nil {
			return err
		}
		defer file.Close()
		input = file
	}
	table := func(to io.Writer) error { return evaluateTire(kind, function, input, *in, to) }
	if *out == "-" {
		return table(stdout)
	}
	return output.WriteFile(*out, table)
}

// describeTire prints what a tire function takes and returns.
func describeTire(w io.Writer, kind *tire.Kind) {
	fmt.Fprintf(w, "%s: %s\n", kind.Name, kind.Text)
	fmt.Fprintf(w, "inputs:  %s\noutputs: %s\nparameters:\n", strings.Join(kind.Inputs, " "), strings.Join(kind.Outputs, " "))
	for _, p := range kind.Parameters {
		fmt.Fprintf(w, "  %-10s [%s] %s\n", p.Name, p.Unit, p.Text)
	}
	for _, p := range kind.Optional {
		fmt.Fprintf(w, "  %-10s [%s] %s; default %.4g\n", p.Name, p.Unit, p.Text, p.Default)
	}
}

// readTire reads a tire file and passes its warnings on.
func readTire(path, side string, stderr io.Writer) (*tire.Parameters, error) {
	data, err := bounded.Tire.Read(path)
	if err != nil {
		return nil, fmt.Errorf("%w; the tire functions are %s", err, strings.Join(tire.Names(), ", "))
	}
	file, err := tire.ReadFile(data, filepath.Base(path), tire.ReadOptions{Side: side})
	if err == nil {
		for _, w := range file.Warnings {
			fmt.Fprintln(stderr, "warning:", w)
		}
	}
	return file, err
}

// convertTire writes a tire file in the form that the ending of its new name tells.
func convertTire(from, to, side string, stiffness float64, stderr io.Writer) error {
	file, err := readTire(from, side, stderr)
	if err != nil {
		return err
	}
	properties := strings.EqualFold(filepath.Ext(from), ".tir")
	var text []byte
	switch ending := strings.ToLower(filepath.Ext(to)); {
	case ending == ".toml":
		text, err = tire.WriteTOML(file)
	case ending != ".tir":
		return usageError{fmt.Errorf("%s ends with %q; .toml and .tir can be written", to, ending)}
	case properties && side != "":
		return usageError{errors.New("--side goes with TOML: a .tir says on which side its tire was measured")}
	case properties:
		text, err = rewritten(from)
	default:
		text, err = tire.WriteProperties(file, stiffness)
	}
	if err != nil {
		return err
	}
	return output.WriteFile(to, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// rewritten is a property file in the form in which they are written here.
func rewritten(path string) ([]byte, error) {
	data, err := bounded.Tire.Read(path)
	if err != nil {
		return nil, err
	}
	file, err := tir.Parse(data, filepath.Base(path))
	if err != nil {
		return nil, err
	}
	return file.Format(), nil
}

// openTire makes the function of a tire file.
func openTire(path, side string, stderr io.Writer) (*tire.Kind, tire.Function, error) {
	file, err := readTire(path, side, stderr)
	if err != nil {
		return nil, nil, err
	}
	kind, err := tire.Lookup(file.Function)
	if err != nil {
		return nil, nil, err
	}
	function, err := kind.New(file.Values)
	return kind, function, err
}

// evaluateTire copies a CSV table from from to to, the values that function
// returns for each line added. name is the table's name for messages.
func evaluateTire(kind *tire.Kind, function tire.Function, from io.Reader, name string, to io.Writer) error {
	rows, writer := bounded.NewRows(from), csv.NewWriter(to)
	heading, err := rows.Next()
	if err != nil {
		return fmt.Errorf("%s: no heading line: %w", name, err)
	}
	heading = slices.Clone(heading)
	columns := make([]int, len(kind.Inputs))
	for i, input := range kind.Inputs {
		columns[i] = slices.Index(heading, input)
		if columns[i] < 0 && input != "mu" {
			return fmt.Errorf("%s:1: no column %s; %s takes %s", name, input, kind.Name, strings.Join(kind.Inputs, ", "))
		}
	}
	writer.Write(append(heading, kind.Outputs...))
	values, results := make([]float64, len(kind.Inputs)), make([]float64, len(kind.Outputs))
	for {
		line, err := rows.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for i, column := range columns {
			values[i] = 1 // mu, when there is no column for it
			if column < 0 {
				continue
			}
			x, err := strconv.ParseFloat(strings.TrimSpace(line[column]), 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				row, at := rows.Place(column)
				return fmt.Errorf("%s:%d:%d: %s is %q; it must be a finite number", name, row, at, kind.Inputs[i], line[column])
			}
			values[i] = x
		}
		function.Eval(values, results)
		row := slices.Clone(line)
		for _, result := range results {
			row = append(row, strconv.FormatFloat(result, 'g', -1, 64))
		}
		writer.Write(row)
	}
	writer.Flush()
	return writer.Error()
}
