package sti

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
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

// readFile reads a tire file: a property file (.tir), which says everything about a tire, or a TOML file with the keys
// that a tire component of a model file has for it:
//
//	force = { function = "Fiala", file = "fiala.toml" }
//	unloaded_radius = 0.355              # m
//	vertical_stiffness = 3.04e5          # N/m
//	vertical_damping = 500               # N s/m; default 0
//	width = 0.2                          # m; default 0
//	side = "left"                        # default: as the parameter file
//	minimum_speed = 0.005                # m/s
//	rolling_radius = { method = "loaded" }
//	relaxation = { function = "StretchedString", file = "..." } # default: kinematic slip
//	ropar = ["Fz", "S"]                  # default: none
//
// Paths are relative to the file.
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

func newCall(function string, values []float64, results []string, place string) (call, error) {
	k, err := tire.Lookup(function)
	if err != nil {
		return call{}, fmt.Errorf("%s: %w", place, err)
	}
	if !slices.Equal(k.Outputs, results) || k.New == nil {
		return call{}, fmt.Errorf("%s: function %s returns %s; here %s are needed, of a function of this library",
			place, function, strings.Join(k.Outputs, ", "), strings.Join(results, ", "))
	}
	c := call{in: make([]float64, len(k.Inputs)), out: make([]float64, len(k.Outputs))}
	for _, name := range k.Inputs {
		at := slices.Index(names, name)
		if at < 0 {
			return call{}, fmt.Errorf("%s: function %s asks for %q, which a tire of the Standard Tyre Interface "+
				"does not have", place, function, name)
		}
		c.inputs = append(c.inputs, at)
	}
	if c.function, err = k.New(values); err != nil {
		return call{}, fmt.Errorf("%s: %w", place, err)
	}
	return c, nil
}

// description reads the keys of a TOML file.
type description struct {
	root   *document.Node
	faults document.Faults
	path   string
}

func readDescription(data []byte, path string) (*described, error) {
	root, err := document.Parse(data, path)
	if err != nil {
		return nil, err
	}
	r := &description{root: root, faults: document.Faults{File: path}, path: path}
	keys := []string{"force", "unloaded_radius", "vertical_stiffness", "vertical_damping", "width", "side",
		"minimum_speed", "rolling_radius", "relaxation", "ropar"}
	r.known(root, keys)
	d := &described{title: r.text(root, "force", "function")}
	d.radius, d.stiffness = r.number(root, "unloaded_radius", positive), r.number(root, "vertical_stiffness", positive)
	d.damping, d.width = r.number(root, "vertical_damping", optional), r.number(root, "width", optional)
	d.minimumSpeed = cmp.Or(r.number(root, "minimum_speed", optional), defaultMinimumSpeed)
	d.rolling.method = "loaded"
	if n := root.Field("rolling_radius"); n != nil {
		r.known(n, []string{"method", "Fz0", "B", "D", "F"})
		d.rolling.method = r.text(root, "rolling_radius", "method")
		switch d.rolling.method {
		case "loaded", "unloaded":
		case "load-dependent":
			d.rolling.fz0 = r.number(n, "Fz0", positive)
			d.rolling.b, d.rolling.d, d.rolling.f = r.number(n, "B", anyNumber), r.number(n, "D", anyNumber),
				r.number(n, "F", anyNumber)
		default:
			r.faults.At(n, "method is %q; it must be loaded, unloaded or load-dependent", d.rolling.method)
		}
	}
	if n := root.Field("ropar"); n != nil {
		for _, item := range n.Items {
			if !slices.Contains(contact, item.Text) {
				r.faults.At(item, "ropar names %s; there are %s", item, strings.Join(contact, ", "))
			}
			d.ropar = append(d.ropar, item.Text)
		}
	}
	side := ""
	if n := root.Field("side"); n != nil {
		if side = n.Text; side != "left" && side != "right" {
			r.faults.At(n, "side is %s; it must be left or right", n)
		}
	}
	d.force = r.function("force", side, d.radius, forceResults)
	if root.Field("relaxation") != nil {
		d.relaxation = r.function("relaxation", side, d.radius, relaxationResults)
	}
	return d, r.faults.Err()
}

// known refuses keys that there are not.
func (r *description) known(n *document.Node, keys []string) {
	for _, key := range n.Keys {
		if !slices.Contains(keys, key) {
			r.faults.At(n.Field(key), "unknown key %q; allowed are %s", key, strings.Join(keys, ", "))
		}
	}
}

// need is what a number has to be.
type need uint8

const (
	anyNumber need = iota
	positive
	optional // 0 where it is absent, and not negative
)

func (r *description) number(in *document.Node, key string, must need) float64 {
	n := in.Field(key)
	switch {
	case n == nil && must == optional:
		return 0
	case n == nil:
		r.faults.At(in, "the key %q is missing", key)
		return 1
	case n.Kind != document.Number || unusable(n.Number):
		r.faults.At(n, "%s is %s; it must be a finite number", key, n)
	case must == positive && n.Number <= 0:
		r.faults.At(n, "%s is %s; it must be positive", key, n)
	case must == optional && n.Number < 0:
		r.faults.At(n, "%s is %s; it must not be negative", key, n)
	}
	return n.Number
}

// text reads a text of a table.
func (r *description) text(in *document.Node, table, key string) string {
	t := in.Field(table)
	if t == nil || t.Kind != document.Table || t.Field(key) == nil || t.Field(key).Kind != document.Text {
		at := cmp.Or(t, in)
		r.faults.At(at, "%s must be a table with the text %q", table, key)
		return ""
	}
	return t.Field(key).Text
}

// function reads a function with its parameter file. radius [m] serves property files without UNLOADED_RADIUS.
func (r *description) function(key, side string, radius float64, results []string) call {
	name, file := r.text(r.root, key, "function"), r.text(r.root, key, "file")
	if r.faults.Len() > 0 {
		return call{}
	}
	r.known(r.root.Field(key), []string{"function", "file"})
	if !filepath.IsAbs(file) {
		file = filepath.Join(filepath.Dir(r.path), filepath.FromSlash(file))
	}
	data, err := bounded.Tire.Read(file)
	var c call
	if err == nil {
		c, err = readCall(data, file, tire.ReadOptions{Function: name, Side: side, Radius: radius}, results)
	}
	if err != nil {
		r.faults.At(r.root.Field(key), "%v", err)
	}
	return c
}

var errNoFile = errors.New("CHTDST names no tire file; NCHTDS must be its length")
