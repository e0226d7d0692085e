// Package tiretest has parameters and inputs of all tire functions for tests.
package tiretest

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"skidpad/model/bounded"
	"skidpad/tire"
)

// Sample draws inputs of a function by name, away from lift-off and standstill.
func Sample(r *rand.Rand, inputs []string) []float64 {
	in := make([]float64, len(inputs))
	for i, name := range inputs {
		switch name {
		case "Fz":
			in[i] = 1000 + 8000*r.Float64()
		case "S", "alpha", "q1", "q2":
			in[i] = 0.3 * (2*r.Float64() - 1)
		case "gamma":
			in[i] = 0.15 * (2*r.Float64() - 1)
		case "mu":
			in[i] = 0.4 + r.Float64()
		case "Reff":
			in[i] = 0.35
		case "Omega":
			if in[i] = 3 + 20*r.Float64(); r.IntN(2) == 0 {
				in[i] = -in[i]
			}
		case "direction":
			in[i] = 2*r.Float64() - 1
		default: // speeds
			in[i] = 3 + 20*r.Float64()
			if r.IntN(2) == 0 {
				in[i] = -in[i]
			}
		}
	}
	return in
}

// Parameters returns a lively parameter set of every function. Functions that are not named here have the first
// parameter file in the folder resources/tires that is for them.
func Parameters(t testing.TB, folder string) map[string][]float64 {
	t.Helper()
	parse := func(path string) *tire.Parameters {
		data, err := bounded.Tire.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		p, err := tire.ParseFile(data, filepath.Base(path))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	read := func(name string) []float64 { return parse(filepath.Join(folder, name)).Values }
	list := Lookup(t, "Pacejka02").Parameters
	pacejka := slices.Clone(read("pacejka2002.toml"))[:len(list)] // without ranges
	length := read("stretched_string.toml")
	for i, p := range list {
		switch p.Name { // zero in Table A.4 or next to it, so that every term is exercised
		case "QSx1", "QSx2", "QSx3", "QSy2", "QSy3", "QSy4", "QBz10", "QEz3", "PEx4", "PVx1", "PVx2", "RHy1", "RHy2":
			pacejka[i] = 0.02
		}
	}
	sets := map[string][]float64{
		"MFRelaxation": {
			4000, 2.2e5, 2.4e5, 1.05, 1.1, 0.9, 21.8, -0.12, 0.17, -0.36, 0.24, -19.6, 1.72, 0.34, 2, 0.15, -0.55, 0.92,
			3e5, 0.1, 0.05, 0.2, 1.05e5, 0.14, -0.03, 0.3,
		},
		"MF61": read("mf61_205_60R15.tir"), "MF62": read("mf62_205_60R15.tir"),
		"Pacejka02": pacejka, "Fiala": read("fiala_generic4w.toml"), "StretchedString": length,
		"StretchedStringLimited": append(append([]float64(nil), length...), 2.5, 1, 1),
		"ConstantLength":         {0.7, 0.4},
		"Brush":                  {2e4, 2.5e4, 0.3, 0.9, 0.01, 0.8},
		"BrushTurnSlip":          {2e4, 2.5e4, 0.3, 0.9, 0.01, 0.8},
		"BrushRelaxation":        {0.4},
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.toml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if p := parse(file); sets[p.Function] == nil {
			sets[p.Function] = p.Values
		}
	}
	for _, name := range tire.Names() {
		if len(sets[name]) < len(Lookup(t, name).Parameters) {
			t.Fatalf("%s has %d parameters here, of %d; add a parameter file of it to resources/tires, or parameters with "+
				"which every term counts to package tiretest", name, len(sets[name]), len(Lookup(t, name).Parameters))
		}
	}
	return sets
}

// Lookup finds a function.
func Lookup(t testing.TB, name string) *tire.Kind {
	t.Helper()
	k, err := tire.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return k
}
