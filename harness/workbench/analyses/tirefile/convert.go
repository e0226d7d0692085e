package tirefile

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"skidpad/model/bounded"
	"skidpad/tire"
	"skidpad/tire/tir"
)

// Conversion says how a tire file is converted.
type Conversion struct {
	Properties bool    // a property file (.tir) is written, else TOML
	Side       string  // mounting side of the tire, for TOML
	SAE        bool    // the coefficients of the file are for SAE axes
	Stiffness  float64 // vertical stiffness [N/m] of a property file from TOML
}

// IsProperties tells property files by their names.
func IsProperties(path string) bool { return strings.EqualFold(filepath.Ext(path), ".tir") }

// Convert returns the text of a converted tire file. Notes and warnings go to warnings.
func Convert(path string, as Conversion, warnings io.Writer) ([]byte, error) {
	data, err := bounded.Tire.Read(path)
	if err != nil {
		return nil, fmt.Errorf("%w; the tire functions are %s", err, strings.Join(tire.Names(), ", "))
	}
	name, options := filepath.Base(path), tire.ReadOptions{Side: as.Side}
	rewritten := as.Properties && IsProperties(path)
	if rewritten {
		options.Radius = 1 // of no influence on the text
	}
	if as.SAE {
		if !IsProperties(path) {
			return nil, errors.New("--from sae converts property files (.tir); the parameters of TOML files are for ISO axes")
		}
		text, adapted, err := tir.FromSAE(data, name)
		if err != nil {
			return nil, err
		}
		note := "PKY1 < 0: the slip angle is taken as that of SAE J670, which changes its sign"
		if adapted {
			note = "PKY1 > 0: the slip angle is taken as that of adapted SAE axes, which keeps its sign"
		}
		fmt.Fprintln(warnings, "note:", note)
		data = text
	}
	file, err := parsed(data, name, options, warnings)
	switch {
	case err != nil:
		return nil, err
	case !as.Properties:
		return tire.WriteTOML(file)
	case !rewritten:
		return tire.WriteProperties(file, as.Stiffness)
	case as.SAE:
		return data, nil
	}
	properties, err := tir.Parse(data, name)
	if err != nil {
		return nil, err
	}
	return properties.Format(), nil
}
