// Package tirefile reads, describes, evaluates and mounts tire files by the engine's tire functions, without a vehicle.
package tirefile

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/workbench/results/output"
	"skidpad/model/bounded"
	"skidpad/tire"
)

// Describe prints what a tire function takes and returns.
func Describe(w io.Writer, kind *tire.Kind) {
	fmt.Fprintf(w, "%s: %s\n", kind.Name, kind.Text)
	fmt.Fprintf(w, "inputs:  %s\noutputs: %s\nparameters:\n", strings.Join(kind.Inputs, " "),
		strings.Join(kind.Outputs, " "))
	for _, p := range kind.Parameters {
		fmt.Fprintf(w, "  %-10s [%s] %s\n", p.Name, p.Unit, p.Text)
	}
	for _, p := range kind.Optional {
		fmt.Fprintf(w, "  %-10s [%s] %s; default %.4g\n", p.Name, p.Unit, p.Text, p.Default)
	}
}

// DescribeJSON is Describe as JSON.
func DescribeJSON(w io.Writer, kind *tire.Kind) error {
	type parameterJSON struct {
		Name    string   `json:"name"`
		Unit    string   `json:"unit"`
		Text    string   `json:"text"`
		Default *float64 `json:"default,omitempty"` // of one that may be left out
	}
	parameters := []parameterJSON{}
	for _, p := range kind.Parameters {
		parameters = append(parameters, parameterJSON{p.Name, p.Unit, p.Text, nil})
	}
	for _, p := range kind.Optional {
		parameters = append(parameters, parameterJSON{p.Name, p.Unit, p.Text, &p.Default})
	}
	return output.WriteJSON(w, struct {
		Function   string          `json:"function"`
		Text       string          `json:"text"`
		Inputs     []string        `json:"inputs"`
		Outputs    []string        `json:"outputs"`
		Parameters []parameterJSON `json:"parameters"`
	}{kind.Name, kind.Text, kind.Inputs, kind.Outputs, parameters})
}

// Read reads a tire file and passes its warnings on.
func Read(path, side string, warnings io.Writer) (*tire.Parameters, error) {
	return read(path, tire.ReadOptions{Side: side}, warnings)
}

func read(path string, options tire.ReadOptions, warnings io.Writer) (*tire.Parameters, error) {
	data, err := bounded.Tire.Read(path)
	if err != nil {
		return nil, fmt.Errorf("%w; the tire functions are %s", err, strings.Join(tire.Names(), ", "))
	}
	return parsed(data, filepath.Base(path), options, warnings)
}

// parsed reads the text of a tire file and passes the warnings on.
func parsed(data []byte, name string, options tire.ReadOptions, warnings io.Writer) (*tire.Parameters, error) {
	file, err := tire.ReadFile(data, name, options)
	if err == nil {
		for _, w := range file.Warnings {
			fmt.Fprintln(warnings, "warning:", w)
		}
	}
	return file, err
}

// Open makes the function of a tire file.
func Open(path, side string, warnings io.Writer) (*tire.Kind, tire.Function, error) {
	file, err := Read(path, side, warnings)
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

// direction is the direction of travel at a speed: -1 in reverse, else 1.
func direction(speed float64) float64 {
	if speed < 0 {
		return -1
	}
	return 1
}

// Evaluate copies a CSV table from from to to, the values that function returns for each line added. name is the
// table's name for messages. Without a column for the direction, VCx gives the direction, or Omega if VCx is missing.
func Evaluate(kind *tire.Kind, function tire.Function, from io.Reader, name string, to io.Writer) error {
	rows, writer := bounded.NewRows(from), csv.NewWriter(to)
	heading, err := rows.Next()
	if err != nil {
		return fmt.Errorf("%s: no heading line: %w", name, err)
	}
	heading = slices.Clone(heading)
	columns := make([]int, len(kind.Inputs))
	for i, input := range kind.Inputs {
		columns[i] = slices.Index(heading, input)
		if columns[i] < 0 && input != "mu" && input != "direction" {
			return fmt.Errorf("%s:1: no column %s; %s takes %s", name, input, kind.Name,
				strings.Join(kind.Inputs, ", "))
		}
	}
	travel := slices.Index(heading, "VCx")
	if travel < 0 {
		travel = slices.Index(heading, "Omega")
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
		number := func(column int) (float64, error) {
			x, err := strconv.ParseFloat(strings.TrimSpace(line[column]), 64)
			if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
				row, at := rows.Place(column)
				return 0, fmt.Errorf("%s:%d:%d: %s is %q; it must be a finite number", name, row, at, heading[column],
					line[column])
			}
			return x, nil
		}
		for i, column := range columns {
			values[i] = 1 // mu, when there is no column for it
			switch {
			case column >= 0:
				values[i], err = number(column)
			case kind.Inputs[i] == "direction" && travel >= 0:
				if values[i], err = number(travel); err == nil {
					values[i] = direction(values[i])
				}
			}
			if err != nil {
				return err
			}
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
