package tirefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/harness/rig"
	"skidpad/model/bounded"
	"skidpad/tire"
	"skidpad/tire/tir"
)

// Mount puts a tire file on a rig: the function that it is of and what it says of load [N], radius and stiffness.
// relaxes says that its own relaxation counts, where it has one.
func Mount(path, side string, relaxes bool, warnings io.Writer) (
	on rig.Tire, nominal float64, parameters *tire.Parameters, err error,
) {
	on, nominal = Standard(path, side), standardLoad
	if parameters, err = Read(path, side, warnings); err != nil {
		return on, nominal, nil, err
	}
	on.Model, on.File = parameters.Function, path
	if x, has := parameter(parameters, "Fz0"); has {
		nominal = x
	}
	if x, has := parameter(parameters, "R0"); has {
		on.Radius = x
	}
	err = fromProperties(&on, relaxes, warnings)
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
	if scheme, rest, ok := strings.Cut(model, ":"); ok {
		if library, symbol, ok := strings.Cut(rest, "#"); ok && strings.ContainsAny(library, `/\`) {
			if library, err = filepath.Abs(library); err != nil {
				return on, nominal, err
			}
			on.Model = scheme + ":" + library + "#" + symbol
		}
	}
	return on, nominal, nil
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

// fromProperties takes the vertical stiffness and, where that is wanted, the relaxation from a property file. A tire
// whose file lacks what its relaxation needs is measured without.
func fromProperties(on *rig.Tire, relaxes bool, warnings io.Writer) error {
	if !strings.EqualFold(filepath.Ext(on.File), ".tir") {
		return nil
	}
	data, err := bounded.Tire.Read(on.File)
	if err != nil {
		return err
	}
	f, err := tir.Parse(data, filepath.Base(on.File))
	if err != nil {
		return err
	}
	p, err := tir.Read(f)
	if err != nil {
		return err
	}
	on.Stiffness = p.Values["VERTICAL_STIFFNESS"]
	if !relaxes {
		return nil
	}
	relaxation, err := ReadRelaxation(on.File)
	if err != nil {
		fmt.Fprintf(warnings, "warning: relaxation lengths are not measured: %v; add these coefficients, or name a "+
			"relaxation with --relaxation\n", err)
		return nil
	}
	on.Relaxation = relaxation
	return nil
}

// ReadRelaxation tells which function relaxes slip by a file; of a property file that of its version.
func ReadRelaxation(path string) (*rig.Relaxation, error) {
	data, err := bounded.Tire.Read(path)
	if err != nil {
		return nil, err
	}
	function := ""
	if strings.EqualFold(filepath.Ext(path), ".tir") {
		file, err := tire.ReadFile(data, filepath.Base(path), tire.ReadOptions{})
		if err != nil {
			return nil, err
		}
		if function = "MFRelaxation"; file.Function == "Pacejka02" {
			function = "StretchedString"
		}
	}
	file, err := tire.ReadFile(data, filepath.Base(path), tire.ReadOptions{Function: function})
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
