package hardpoints

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// chrono is the JSON file of a suspension of Project Chrono: the left half, in ISO axes and metres, relative to the
// frame of the suspension.
var chrono = form{
	title: "Chrono suspension", axes: "iso", unit: "m",
	is:   func(text []byte) bool { return bytes.HasPrefix(bytes.TrimSpace(text), []byte("{")) },
	read: readChrono,
}

// chronoPoints are names of points, by the template, the object and the key of the file.
var chronoPoints = map[string]map[string]string{
	"DoubleWishbone": {
		"Spindle/COM": "wheel_centre",
		"Lower Control Arm/Location Chassis Front": "lower_front",
		"Lower Control Arm/Location Chassis Back":  "lower_rear",
		"Lower Control Arm/Location Upright":       "lower_outer",
		"Upper Control Arm/Location Chassis Front": "upper_front",
		"Upper Control Arm/Location Chassis Back":  "upper_rear",
		"Upper Control Arm/Location Upright":       "upper_outer",
		"Tierod/Location Chassis":                  "tie_inner",
		"Tierod/Location Upright":                  "tie_outer",
		"Spring/Location Chassis":                  "spring_top",
		"Spring/Location Arm":                      "spring_bottom",
		"Shock/Location Chassis":                   "damper_top",
		"Shock/Location Arm":                       "damper_bottom",
	},
	"MacPhersonStrut": {
		"Spindle/COM":                        "wheel_centre",
		"Control Arm/Location Chassis Front": "lower_front",
		"Control Arm/Location Chassis Back":  "lower_rear",
		"Control Arm/Location Upright":       "lower_outer",
		"Tierod/Location Chassis":            "tie_inner",
		"Tierod/Location Upright":            "tie_outer",
		"Shock/Location Chassis":             "strut_top",
		"Shock/Location Upright":             "strut_bottom",
		"Spring/Location Chassis":            "spring_top",
		"Spring/Location Upright":            "spring_bottom",
	},
	"MultiLink": {
		"Spindle/COM":                      "wheel_centre",
		"Upper Arm/Location Chassis Front": "upper_front",
		"Upper Arm/Location Chassis Back":  "upper_rear",
		"Upper Arm/Location Upright":       "upper_outer",
		"Lateral/Location Chassis":         "lateral_inner",
		"Lateral/Location Upright":         "lateral_outer",
		"Trailing Link/Location Chassis":   "trailing_inner",
		"Trailing Link/Location Upright":   "trailing_outer",
		"Tierod/Location Chassis":          "tie_inner",
		"Tierod/Location Upright":          "tie_outer",
		"Spring/Location Chassis":          "spring_top",
		"Spring/Location Link":             "spring_bottom",
		"Shock/Location Chassis":           "damper_top",
		"Shock/Location Link":              "damper_bottom",
	},
	"SemiTrailingArm": {
		"Spindle/COM":                         "wheel_centre",
		"Trailing Arm/Location Chassis Outer": "arm_outer_pivot",
		"Trailing Arm/Location Chassis Inner": "arm_inner_pivot",
		"Spring/Location Chassis":             "spring_top",
		"Spring/Location Arm":                 "spring_bottom",
		"Shock/Location Chassis":              "damper_top",
		"Shock/Location Arm":                  "damper_bottom",
	},
}

func readChrono(text []byte) (content, error) {
	var c content
	var file map[string]json.RawMessage
	if err := json.Unmarshal(text, &file); err != nil {
		return c, fmt.Errorf("this JSON file cannot be read: %w", err)
	}
	var kind string
	if err := json.Unmarshal(file["Template"], &kind); err != nil {
		return c, errors.New(`"Template" is missing: this is not a suspension of Chrono`)
	}
	templates := slices.Sorted(maps.Keys(chronoPoints))
	names, ok := chronoPoints[kind]
	if !ok {
		return c, fmt.Errorf("template %q is not read; the templates that are read are %s", kind,
			strings.Join(templates, ", "))
	}
	for _, object := range slices.Sorted(maps.Keys(file)) {
		var entries map[string]json.RawMessage
		if json.Unmarshal(file[object], &entries) != nil {
			if object != "Name" && object != "Type" && object != "Template" {
				c.ignored = append(c.ignored, object)
			}
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			path := object + "/" + key
			name, wanted := names[path]
			if !wanted {
				c.ignored = append(c.ignored, path)
				continue
			}
			var place []float64
			if json.Unmarshal(entries[key], &place) != nil || len(place) != 3 {
				return c, fmt.Errorf("%s: it must be a list of three numbers", path)
			}
			c.rows = append(c.rows, row{name: name, side: left, place: [3]float64(place)})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(names)) {
		if !slices.ContainsFunc(c.rows, func(r row) bool { return r.name == names[path] }) {
			c.notes = append(c.notes, fmt.Sprintf("%s is missing: no point %s", path, names[path]))
		}
	}
	return c, nil
}
