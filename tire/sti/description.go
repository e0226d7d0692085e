package sti

import (
	"cmp"
	"slices"
	"strings"

	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/tire"
)

// quantity is a number that need not be given.
func quantity(name, unit, text string) keys.Key {
	return keys.Key{Name: name, Shape: keys.QuantityShape, Unit: unit, Text: text, Optional: true}
}

var functionKeys = []keys.Key{
	{Name: "function", Shape: keys.TextShape, Text: "tire function"},
	{Name: "file", Shape: keys.TextShape, Text: "its parameter file, relative to the folder of this file"},
}

var rollingKeys = []keys.Key{
	{Name: "method", Shape: keys.WordShape, Choices: []string{"loaded", "unloaded", "load-dependent"},
		Text: "how the effective rolling radius follows from the load"},
	{Name: "Fz0", Shape: keys.QuantityShape, Unit: "N", Text: "nominal load", Optional: true, Positive: true},
	quantity("B", "1", "shape at low load"), quantity("D", "1", "peak"), quantity("F", "1", "slope at high load"),
}

// FileKeys are the keys of tire files in TOML.
var FileKeys = []keys.Key{
	{Name: "force", Shape: keys.TableShape, Text: "tire function of forces", Keys: functionKeys},
	{Name: "unloaded_radius", Shape: keys.QuantityShape, Unit: "m", Text: "unloaded radius", Positive: true},
	{Name: "vertical_stiffness", Shape: keys.QuantityShape, Unit: "N/m", Text: "vertical stiffness", Positive: true},
	{Name: "vertical_damping", Shape: keys.QuantityShape, Unit: "N.s/m", Text: "vertical damping", Default: "0",
		Nonnegative: true},
	{Name: "width", Shape: keys.QuantityShape, Unit: "m", Text: "width, for roads that sample a disc", Default: "0",
		Nonnegative: true},
	{Name: "side", Shape: keys.WordShape, Choices: []string{"left", "right"}, Optional: true,
		Text: "side of the vehicle; that of the parameter file by default"},
	{Name: "minimum_speed", Shape: keys.QuantityShape, Unit: "m/s", Default: "0.005", Nonnegative: true,
		Text: "speed from which slip divides by the speed itself"},
	{Name: "rolling_radius", Shape: keys.TableShape, Optional: true, Keys: rollingKeys,
		Text: "effective rolling radius; by default the loaded one"},
	{Name: "relaxation", Shape: keys.TableShape, Optional: true, Keys: functionKeys,
		Text: "tire function of transient slip; steady-state slip by default"},
	{Name: "ropar", Shape: keys.TextsShape, Text: "what the host writes to ROPAR, in this order", Optional: true},
}

// readDescription reads a tire file in TOML. Numbers have units, but are no formulas.
func readDescription(data []byte, path string) (*described, error) {
	root, err := document.Parse(data, path)
	if err != nil {
		return nil, err
	}
	r := keys.NewReader(path, root, nil)
	f := r.Fields(root, "the tire file", FileKeys)
	d := &described{title: f.Sub("force").Text("function"), carcass: carcass{radius: f.Number("unloaded_radius"),
		stiffness: f.Number("vertical_stiffness"), damping: f.Number("vertical_damping"), width: f.Number("width"),
		minimumSpeed: cmp.Or(f.Number("minimum_speed"), defaultMinimumSpeed), rolling: rollingRadius(f)},
		ropar: f.Texts("ropar")}
	for i, name := range d.ropar {
		if !slices.Contains(contact, name) {
			f.Fault("ropar", "ropar[%d] names %q; there are %s", i, name, strings.Join(contact, ", "))
		}
	}
	side := f.Text("side")
	d.force = function(f, "force", side, d.radius, forceResults)
	if f.Given("relaxation") {
		d.relaxation = function(f, "relaxation", side, d.radius, relaxationResults)
	}
	return d, r.Err()
}

// rollingRadius reads how the effective rolling radius follows from the load.
func rollingRadius(file *keys.Fields) rolling {
	f := file.Sub("rolling_radius")
	if f.Table == nil || f.Text("method") != "load-dependent" {
		return rolling{method: cmp.Or(f.Text("method"), "loaded")}
	}
	for _, key := range []string{"Fz0", "B", "D", "F"} {
		f.Require(key)
	}
	return rolling{"load-dependent", f.Number("Fz0"), f.Number("B"), f.Number("D"), f.Number("F")}
}

// function reads a function with its parameter file. radius [m] serves property files without UNLOADED_RADIUS.
func function(f *keys.Fields, key, side string, radius float64, results []string) (c call) {
	named := f.Sub(key)
	name, file := named.Text("function"), named.Text("file")
	if f.Reader.Len() > 0 {
		return c
	}
	file = bounded.Beside(f.Reader.File, file)
	data, err := bounded.Tire.Read(file)
	if err == nil {
		c, err = readCall(data, file, tire.ReadOptions{Function: name, Side: side, Radius: radius}, results)
	}
	if err != nil {
		f.Fault(key, "%v", err)
	}
	return c
}
