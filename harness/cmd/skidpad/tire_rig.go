package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/rig"
	"skidpad/model/bounded"
	"skidpad/tire"
	"skidpad/tire/tir"
)

// rigVerb measures a tire on a test rig.
func rigVerb(args []string, stdout, stderr io.Writer) error {
	flags := newFlags(stdout, "tire rig FILE|LIBRARY [flags]\n\n"+
		"FILE is a tire file (TOML or .tir), LIBRARY what tire.model of a vehicle takes: plugin:LIBRARY#SYMBOL.\n"+
		"The figures of merit are printed: stiffnesses, pneumatic trail, largest friction and its slip, relaxation\n"+
		"lengths. With --out also curves and carpets of slip, camber, load, turn slip and combined slip are written.",
		"  skidpad tire rig resources/tires/mf61_205_60R15.tir --out mf61 --pressures 200e3,240e3\n"+
			"  skidpad tire rig resources/tires/pacejka2002.toml --relaxation resources/tires/stretched_string.toml\n"+
			"  skidpad tire rig plugin:$PWD/out/tires/fiala.so#skidpad_fiala --file resources/tires/fiala_generic4w.toml --loads 2000,4000,6000")
	out := flags.String("out", "", "`FOLDER` for points.csv, report.html and an SVG of each plot")
	file := flags.String("file", "", "parameter `FILE` of a LIBRARY")
	relaxation := flags.String("relaxation", "", "`FILE` of the relaxation; default: of a .tir the file itself")
	side := flags.String("side", "", "side `left|right` on which the tire of a .tir is mounted; empty: as it says")
	var loads, pressures numbers
	flags.Var(&loads, "loads", "`N,N,...`, rising; default: quarter to double nominal load, 1000 to 8000 N without one")
	flags.Var(&pressures, "pressures", "`Pa,Pa,...` to compare at one load, of tires that have inflation pressure")
	speed := flags.Float64("speed", 16.7, "`m/s`")
	radius := flags.Float64("radius", 0, "unloaded radius `m`; default: the file's, 0.32 m without one")
	stiffness := flags.Float64("stiffness", 0, "vertical stiffness `N/m`; default: a .tir's, 200 kN/m without one")
	libraryFile := flags.String("library", "", "shared library `FILE` of Skidpad; default: "+libraryName()+" beside this command")
	what, err := parse(flags, args, 1, 1)
	if err != nil {
		return err
	}
	if *side != "" && *side != "left" && *side != "right" {
		return usageError{fmt.Errorf("--side is %q; it must be left or right", *side)}
	}
	on := rig.Tire{Model: what[0], File: *file, Side: *side, Radius: 0.32, Stiffness: 2e5}
	nominal := 4000.0 // N
	var parameters *tire.Parameters
	if strings.Contains(what[0], "#") {
		if len(pressures) > 0 {
			return usageError{errors.New("--pressures is for tire files, whose parameters are known")}
		}
		if scheme, rest, ok := strings.Cut(what[0], ":"); ok {
			if library, symbol, ok := strings.Cut(rest, "#"); ok && strings.ContainsAny(library, `/\`) {
				if library, err = filepath.Abs(library); err != nil {
					return err
				}
				on.Model = scheme + ":" + library + "#" + symbol
			}
		}
	} else {
		if *file != "" {
			return usageError{errors.New("--file is for a LIBRARY; a tire file needs none")}
		}
		if parameters, err = readTire(what[0], *side, stderr); err != nil {
			return err
		}
		on.Model, on.File = parameters.Function, what[0]
		if x, has := parameter(parameters, "Fz0"); has {
			nominal = x
		}
		if x, has := parameter(parameters, "R0"); has {
			on.Radius = x
		}
		if err := fromProperties(&on, *relaxation == ""); err != nil {
			return err
		}
	}
	if *radius != 0 {
		on.Radius = *radius
	}
	if *stiffness != 0 {
		on.Stiffness = *stiffness
	}
	if !(on.Radius > 0 && on.Stiffness > 0 && *speed > 0) {
		return usageError{errors.New("--radius, --stiffness and --speed must be above 0")}
	}
	if *relaxation != "" {
		p, err := readRelaxation(*relaxation)
		if err != nil {
			return err
		}
		on.Relaxation = p
	}
	if on.File != "" {
		if on.File, err = filepath.Abs(on.File); err != nil {
			return err
		}
	}
	plan := rig.Standard(nominal)
	plan.Speed = *speed
	if len(loads) > 0 {
		if !slices.IsSorted(loads) || loads[0] <= 0 || loads[len(loads)-1] >= on.Radius*on.Stiffness {
			return usageError{fmt.Errorf("--loads %v: they must rise from above 0 to below %.4g N, with which the wheel's centre is on the road", loads, on.Radius*on.Stiffness)}
		}
		plan.Loads = loads
	}
	variants, remove, err := pressureVariants(on, parameters, pressures)
	if err != nil {
		return err
	}
	defer remove()
	library, err := openLibrary(*libraryFile)
	if err != nil {
		return err
	}
	measured, err := rig.Measure(library, on, plan, variants)
	if err != nil {
		return err
	}
	if err := measured.WriteTable(stdout); err != nil || *out == "" {
		return err
	}
	return measured.WriteFolder(*out)
}

// numbers collects N,N,...
type numbers []float64

func (n *numbers) String() string { return "" }

func (n *numbers) Set(text string) error {
	for part := range strings.SplitSeq(text, ",") {
		x, err := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("%q is not a finite number", part)
		}
		*n = append(*n, x)
	}
	return nil
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

// fromProperties takes the vertical stiffness and, where that is wanted, the relaxation from a property file.
func fromProperties(on *rig.Tire, relaxes bool) error {
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
	if relaxes {
		on.Relaxation, err = readRelaxation(on.File)
	}
	return err
}

// readRelaxation tells which function relaxes slip by a file; of a property file that of its version.
func readRelaxation(path string) (*rig.Relaxation, error) {
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

// pressureVariants writes the tire's parameters with other pressures; remove takes the files away.
func pressureVariants(on rig.Tire, parameters *tire.Parameters, pressures []float64) (variants []rig.Variant, remove func(), err error) {
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
		return nil, remove, usageError{fmt.Errorf("--pressures: %s knows no inflation pressure", parameters.Function)}
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
