package sti

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/tire"
	"skidpad/tire/tir"
)

// described is a tire as its file has it.
type described struct {
	carcass
	force, relaxation call // relaxation of tires with delayed slip
	// what the host writes to ROPAR, in this order, in place of what is found out of the motion
	ropar          []string
	title, warning string
}

// readFile reads a tire file: a property file (.tir) with all data of a tire, or a TOML file with the keys of a tire
// component in a model file.
func readFile(path string) (*described, error) {
	data, err := bounded.Tire.Read(path)
	if err != nil {
		return nil, err
	}
	if strings.EqualFold(filepath.Ext(path), ".tir") {
		return readProperties(data, path)
	}
	return readDescription(data, path)
}

func readProperties(data []byte, path string) (*described, error) {
	file, err := tir.Parse(data, path)
	if err != nil {
		return nil, err
	}
	p, err := tir.Read(file, 0)
	if err != nil {
		return nil, err
	}
	v := p.Values
	if v["VERTICAL_STIFFNESS"] == 0 {
		return nil, fmt.Errorf("%s: [VERTICAL] VERTICAL_STIFFNESS is missing; a tire of the Standard Tyre Interface "+
			"computes its load with it: write it", path)
	}
	d := &described{title: strings.Join(file.Comments, " "), carcass: carcass{
		radius: v["UNLOADED_RADIUS"], stiffness: v["VERTICAL_STIFFNESS"], damping: v["VERTICAL_DAMPING"],
		width:        v["WIDTH"],
		minimumSpeed: defaultMinimumSpeed, rolling: rolling{"load-dependent", v["FNOMIN"], v["BREFF"],
			v["DREFF"], v["FREFF"]},
	}}
	if d.force, err = readCall(data, path, tire.ReadOptions{}, forceResults); err != nil {
		return nil, err
	}
	if p.Lag > 0 {
		relaxation, keys := "MFRelaxation", []string{"LONGITUDINAL_STIFFNESS", "LATERAL_STIFFNESS"}
		if p.Version == tir.MF52 {
			relaxation, keys = "StretchedString", []string{"PTX1", "PTY1", "PTY2"}
		}
		if slices.ContainsFunc(keys, func(key string) bool { return v[key] == 0 }) {
			d.warning = fmt.Sprintf("USE_MODE asks for relaxation, which needs %s; without them the slip is kinematic",
				strings.Join(keys, ", "))
			return d, nil
		}
		d.relaxation, err = readCall(data, path, tire.ReadOptions{Function: relaxation}, relaxationResults)
	}
	return d, err
}

const defaultMinimumSpeed = 0.005 // m/s

var forceResults, relaxationResults = components[:5], []string{"q1dot", "q2dot"}

// readCall reads the parameters of a function and makes it.
func readCall(data []byte, path string, options tire.ReadOptions, results []string) (call, error) {
	p, err := tire.ReadFile(data, path, options)
	if err != nil {
		return call{}, err
	}
	return newCall(p.Function, p.Values, results, path)
}

func newCall(function string, values []float64, results []string, location string) (call, error) {
	k, err := tire.Lookup(function)
	if err != nil {
		return call{}, fmt.Errorf("%s: %w", location, err)
	}
	if !slices.Equal(k.Outputs, results) || k.New == nil {
		return call{}, fmt.Errorf("%s: function %s returns %s; here %s are needed, of a function of this library",
			location, function, strings.Join(k.Outputs, ", "), strings.Join(results, ", "))
	}
	c := call{in: make([]float64, len(k.Inputs)), out: make([]float64, len(k.Outputs))}
	for _, name := range k.Inputs {
		at := slices.Index(names, name)
		if at < 0 {
			return call{}, fmt.Errorf("%s: function %s asks for %q, which a tire of the Standard Tyre Interface "+
				"does not have", location, function, name)
		}
		c.inputs = append(c.inputs, at)
	}
	if c.function, err = k.New(values); err != nil {
		return call{}, fmt.Errorf("%s: %w", location, err)
	}
	return c, nil
}

var errNoFile = errors.New("CHTDST names no tire file; NCHTDS must be its length")
