package verify

import (
	"path/filepath"
	"time"

	"skidpad/harness/evidence/references"
	"skidpad/harness/workbench/results/output"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// variants are the rows of the tables of Morency (2007) as options of the formulation.
var variants = []struct {
	name    string
	options formulate.Options
	fiala   bool
}{
	{"no tire edge in the tree", formulate.Options{}, false},
	{"intermediates simplified", formulate.Options{Equations: formulate.Simplified,
		Intermediates: formulate.Simplified}, false},
	{"intermediates combined", formulate.Options{Equations: formulate.Simplified, Intermediates: formulate.Combined},
		false},
	{"tire edges in the tree", formulate.Options{Tree: "tire"}, false},
	{"Fiala tires", formulate.Options{}, true},
}

// EngineCosts formulates both vehicles in the variants of the tables of Morency (2007).
func EngineCosts(resources string, progress output.Progress) ([]EngineCost, error) {
	var costs []EngineCost
	for _, name := range []string{"generic4w", "skidder"} {
		for i, v := range variants {
			if v.fiala && name == "skidder" {
				continue // its tires are Fiala's
			}
			progress.At("formulating "+name, float64(i), float64(len(variants)))
			begin := time.Now()
			m, err := vehicle.Read(filepath.Join(resources, "models", name+".toml"))
			if err != nil {
				return nil, err
			}
			if v.fiala {
				if err := references.FitTires(m, "Fiala",
					filepath.Join(resources, "tires", "fiala_generic4w.toml")); err != nil {
					return nil, err
				}
			}
			p, err := formulate.Program(m, v.options)
			if err != nil {
				return nil, err
			}
			c := p.RateCost
			cost := EngineCost{
				Vehicle: name, Variant: v.name, Formulation: time.Since(begin),
				Operations: [4]int{c.Additions, c.Multiplications, c.Divisions, c.Functions},
			}
			if v.options.Intermediates != formulate.Default {
				if cost.Times, err = variantTimes(resources, name, m, v.options); err != nil {
					return nil, err
				}
			}
			costs = append(costs, cost)
		}
	}
	return costs, nil
}
