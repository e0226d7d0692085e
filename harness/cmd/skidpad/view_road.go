package main

import (
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"skidpad/harness/library"
	"skidpad/harness/workbench/files/animation"
	"skidpad/harness/workbench/files/resources"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
	"skidpad/model/road"
	"skidpad/model/roles"
	"skidpad/model/vehicle"
)

// roadKinds are the kinds of terrain of files by their ending.
var roadKinds = map[string]string{".crg": road.CRG, ".rdf": road.RDF, ".asc": road.Grid, ".csv": road.Table}

// roadSettings put a terrain, the role road, on a shipped road or a file; none for no road. The ground at the origin,
// where vehicles start, gets the height 0.
func roadSettings(c *cobra.Command, word string, o *roles.Roles) ([]manoeuvre.Setting, error) {
	if word == "" {
		return nil, nil
	}
	path := word
	if err := found(c, resources.Roads, &path); err != nil {
		return nil, fmt.Errorf("--road: %w", err)
	}
	kind, known := roadKinds[strings.ToLower(filepath.Ext(path))]
	if !known {
		return nil, usageError{fmt.Errorf("--road %s; a road is a file in .crg, .rdf, .asc or .csv, or the name of a "+
			"shipped one, which 'skidpad list roads' shows", word)}
	}
	if o.Road == "" {
		return nil, errors.New("--road needs the role \"road\": name a terrain of the vehicle in [roles] road, or in a " +
			"car file")
	}
	if !bounded.IsAbsolute(path) {
		var err error
		if path, err = filepath.Abs(path); err != nil {
			return nil, err
		}
	}
	opened, err := road.Shape{Kind: kind, File: path}.Open(bounded.Kind.Read)
	if err != nil {
		return nil, fmt.Errorf("--road: %w", err)
	}
	at := opened.At(road.Query{Above: math.Inf(1), Near: road.Unknown})
	if at.NoGround {
		return nil, fmt.Errorf("--road %s: there is no ground at x = 0, y = 0, where vehicles start", word)
	}
	return []manoeuvre.Setting{{Name: "@road.kind", Value: kind}, {Name: "@road.file", Value: path},
		{Name: "@road.height", Value: strconv.FormatFloat(-at.Height, 'g', -1, 64)}}, nil
}

// readTerrain changes the terrains of a model to those of its vehicle, which manoeuvres and flags have set.
func readTerrain(m *vehicle.Model, v *library.Vehicle) error {
	return animation.ReadTerrain(m, v.Text, func(name string) (float64, error) {
		references, err := v.References(name)
		if err != nil {
			return 0, err
		}
		var value [1]float64
		err = v.Get(references, value[:])
		return value[0], err
	})
}
