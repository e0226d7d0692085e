package verify

import (
	"path/filepath"
	"time"

	"skidpad/harness/output"
	"skidpad/harness/references"
	"skidpad/model"
	"skidpad/model/formulate"
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
	for _, vehicle := range []string{"generic4w", "skidder"} {
		for i, v := range variants {
			if v.fiala && vehicle == "skidder" {
				continue // its tires are Fiala's
			}
			progress.At("formulating "+vehicle, float64(i), float64(len(variants)))
			begin := time.Now()
			m, err := model.Read(filepath.Join(resources, "models", vehicle+".toml"))
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
			costs = append(costs, EngineCost{
				Vehicle: vehicle, Variant: v.name, Formulation: time.Since(begin),
				Operations: [4]int{c.Additions, c.Multiplications, c.Divisions, c.Functions},
			})
		}
	}
	return costs, nil
}
