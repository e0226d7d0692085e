package tirefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/harness/workbench/runs/rig"
	"skidpad/model/bounded"
	"skidpad/tire"
)

// Mount puts a tire file on a rig: its function and, if the file has them, nominal load [N], radius and stiffness.
// radius [m] is used for property files without UNLOADED_RADIUS; with 0 such files are refused. With relaxes the
// relaxation of the file counts.
func Mount(path, side string, radius float64, relaxes bool, warnings io.Writer) (
	on rig.Tire, nominal float64, parameters *tire.Parameters, err error,
) {
	on, nominal = Standard(path, side), standardLoad
	if parameters, err = read(path, tire.ReadOptions{Side: side, Radius: radius}, warnings); err != nil {
		return on, nominal, nil, err
	}
	on.Model, on.File = parameters.Function, path
	if x, has := parameter(parameters, "Fz0"); has {
		nominal = x
	}
	if x, has := parameter(parameters, "R0"); has {
		on.Radius = x
	}
	if x, has := parameters.Sizes["VERTICAL_STIFFNESS"]; has {
		on.Stiffness = x
	}
	if relaxes && parameters.Sizes != nil {
		relaxesByItself(&on, radius, warnings)
	}
	return on, nominal, parameters, err
}

// standardLoad is the load of tires that have none of their own [N].
const standardLoad = 4000

// Standard is a tire on a rig with the radius and stiffness of one that does not say them.
func Standard(model, side string) rig.Tire {
	return rig.Tire{Model: model, Side: side, Radius: 0.32, Stiffness: 2e5}
}

// MountFunction puts a library tire function on a rig, with a file of its parameters or "".
func MountFunction(model, file, side string) (on rig.Tire, nominal float64, err error) {
	on, nominal = Standard(model, side), standardLoad
	on.File = file
	on.Model, err = absolute(model)
	return on, nominal, err
}

// absolute is the name of a library tire function with the whole path of the library.
func absolute(model string) (string, error) {
	scheme, rest, _ := strings.Cut(model, ":")
	library, symbol, ok := strings.Cut(rest, "#")
	if !ok || !strings.ContainsAny(library, `/\`) {
		return model, nil
	}
	library, err := filepath.Abs(library)
	return scheme + ":" + library + "#" + symbol, err
}

// LibraryRelaxation is a library relaxation function, with a file of its parameters or "".
func LibraryRelaxation(function, file string) (*rig.Relaxation, error) {
	function, err := absolute(function)
	if err == nil && file != "" {
		file, err = filepath.Abs(file)
	}
	return &rig.Relaxation{Function: function, File: file, Library: true}, err
}

// parameter returns a parameter of a tire file by its name.
func parameter(p *tire.Parameters, name string) (float64, bool) {
	kind, err := tire.Lookup(p.Function)
	if err != nil {
		return 0, false
	}
	i := slices.IndexFunc(kind.Parameters, func(info tire.ParameterInfo) bool { return info.Name == name })
	if i < 0 {
		return 0, false
	}
	return p.Values[i], true
}

// relaxesByItself takes the relaxation of a property file. A tire whose file lacks the coefficients is measured without
// relaxation.
func relaxesByItself(on *rig.Tire, radius float64, warnings io.Writer) {
	relaxation, err := readRelaxation(on.File, radius)
	if err != nil {
		fmt.Fprintf(warnings, "warning: relaxation lengths are not measured: %v; add these coefficients, or name a "+
			"relaxation with --relaxation\n", err)
		return
	}
	on.Relaxation = relaxation
}

// ReadRelaxation returns the relaxation function of a file; for a property file the function of its version.
func ReadRelaxation(path string) (*rig.Relaxation, error) { return readRelaxation(path, 0) }

func readRelaxation(path string, radius float64) (*rig.Relaxation, error) {
	data, err := bounded.Tire.Read(path)
	if err != nil {
		return nil, err
	}
	function := ""
	if strings.EqualFold(filepath.Ext(path), ".tir") {
		file, err := tire.ReadFile(data, filepath.Base(path), tire.ReadOptions{Radius: radius})
		if err != nil {
			return nil, err
		}
		if function = "MFRelaxation"; file.Function == "Pacejka02" {
			function = "StretchedString"
		}
	}
	file, err := tire.ReadFile(data, filepath.Base(path), tire.ReadOptions{Function: function, Radius: radius})
	if err != nil {
		return nil, err
	}
	kind, err := tire.Lookup(file.Function)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(kind.Outputs, "q1dot") {
		return nil, fmt.Errorf("%s is for %s, which relaxes no slip", path, file.Function)
	}
	return &rig.Relaxation{Function: file.Function, File: path}, nil
}

// ErrNoPressure says that a tire function cannot be had at other pressures.
var ErrNoPressure = errors.New("knows no inflation pressure")

// PressureVariants writes the tire's parameters with other pressures; remove takes the files away.
func PressureVariants(
	on rig.Tire, parameters *tire.Parameters, pressures []float64,
) (variants []rig.Variant, remove func(), err error) {
	remove = func() {}
	if len(pressures) == 0 {
		return nil, remove, nil
	}
	kind, err := tire.Lookup(parameters.Function)
	if err != nil {
		return nil, remove, err
	}
	at := slices.IndexFunc(kind.Parameters, func(info tire.ParameterInfo) bool { return info.Name == "Pressure" })
	if at < 0 {
		return nil, remove, fmt.Errorf("%s %w", parameters.Function, ErrNoPressure)
	}
	folder, err := os.MkdirTemp("", "skidpad-pressures")
	if err != nil {
		return nil, remove, err
	}
	remove = func() { os.RemoveAll(folder) }
	for i, pressure := range pressures {
		other := *parameters
		other.Values = slices.Clone(parameters.Values)
		other.Values[at] = pressure
		text, err := tire.WriteTOML(&other)
		if err != nil {
			return nil, remove, err
		}
		v := rig.Variant{Name: fmt.Sprintf("%.5g kPa", pressure/1e3), Tire: on}
		v.Tire.File, v.Tire.Side = filepath.Join(folder, fmt.Sprintf("pressure_%d.toml", i)), ""
		if err := os.WriteFile(v.Tire.File, text, 0o600); err != nil {
			return nil, remove, err
		}
		variants = append(variants, v)
	}
	return variants, remove, nil
}
