package hardpoints

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
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
		"Upper Arm/Location Chassis Front": "upper_fore_inner",
		"Upper Arm/Location Chassis Back":  "upper_aft_inner",
		"Upper Arm/Location Upright":       "upper_fore_outer, upper_aft_outer",
		"Lateral/Location Chassis":         "lower_aft_inner",
		"Lateral/Location Upright":         "lower_aft_outer",
		"Trailing Link/Location Chassis":   "lower_fore_inner",
		"Trailing Link/Location Upright":   "lower_fore_outer",
		"Tierod/Location Chassis":          "toe_inner",
		"Tierod/Location Upright":          "toe_outer",
		"Spring/Location Chassis":          "spring_top",
		"Spring/Location Link":             "spring_bottom",
		"Shock/Location Chassis":           "damper_top",
		"Shock/Location Link":              "damper_bottom",
	},
	"SemiTrailingArm": {
		"Spindle/COM":                         "wheel_centre",
		"Trailing Arm/COM":                    "centre_of_mass",
		"Trailing Arm/Location Chassis Outer": "arm_outer_pivot",
		"Trailing Arm/Location Chassis Inner": "arm_inner_pivot",
		"Spring/Location Chassis":             "spring_top",
		"Spring/Location Arm":                 "spring_bottom",
		"Shock/Location Chassis":              "damper_top",
		"Shock/Location Arm":                  "damper_bottom",
	},
	"SolidAxle": {
		"Spindle/COM":                 "wheel_centre",
		"Axle Tube/COM":               "centre",
		"Lower Link/Location Chassis": "lower_front",
		"Lower Link/Location Axle":    "lower_rear",
		"Upper Link/Location Chassis": "upper_front",
		"Upper Link/Location Axle":    "upper_rear",
		"Trackbar/Location Chassis":   "panhard_chassis",
		"Trackbar/Location Axle":      "panhard_axle",
		"Spring/Location Chassis":     "spring_top",
		"Spring/Location Axle":        "spring_bottom",
		"Shock/Location Chassis":      "damper_top",
		"Shock/Location Axle":         "damper_bottom",
	},
}

// chronoNumbers are parameters of shipped corners, with their units, by the object and the key of the file.
var chronoNumbers = map[string]struct{ parameter, unit string }{
	"Camber Angle (deg)":        {"camber", "deg"},
	"Toe Angle (deg)":           {"toe", "deg"},
	"Upright/Mass":              {"carrier_mass", "kg"},
	"Lower Control Arm/Mass":    {"arm_mass", "kg"},
	"Trailing Arm/Mass":         {"arm_mass", "kg"},
	"Trailing Link/Mass":        {"fore_mass", "kg"},
	"Axle Tube/Mass":            {"axle_mass", "kg"},
	"Spring/Spring Coefficient": {"stiffness", "N/m"},
	"Spring/Free Length":        {"", "m"}, // load follows
	"Shock/Damping Coefficient": {"damping", "N.s/m"},
}

// chronoDirections are parameters of shipped corners, too.
var chronoDirections = map[string]string{
	"Trailing Link/Universal Joint Axis Chassis": "lower_fore_axis",
	"Trailing Link/Universal Joint Axis Link":    "lower_fore_cross",
}

// chronoSprings are the bodies of springs, as choices of the option spring_on.
var chronoSprings = map[string]string{"DoubleWishbone": "lower", "MultiLink": "lower_fore"}

func readChrono(text []byte) (content, error) {
	var c content
	var file map[string]json.RawMessage
	if err := json.Unmarshal(withoutComments(text), &file); err != nil {
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
			if n, is := chronoNumbers[object]; is {
				var x float64
				if json.Unmarshal(file[object], &x) != nil {
					return c, fmt.Errorf("%s: it must be a number", object)
				}
				c.values = append(c.values, Value{Parameter: n.parameter, Value: x, Unit: n.unit, From: object})
				continue
			}
			if object != "Name" && object != vehicleAxes && object != "Type" && object != "Template" {
				c.ignored = append(c.ignored, object)
			}
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(entries)) {
			path := object + "/" + key
			if n, is := chronoNumbers[path]; is {
				var x float64
				if json.Unmarshal(entries[key], &x) != nil || x < 0 {
					return c, fmt.Errorf("%s: it must be a number of at least 0", path)
				}
				c.values = append(c.values, Value{Parameter: n.parameter, Value: x, Unit: n.unit, From: path})
				continue
			}
			if parameter := chronoDirections[path]; parameter != "" {
				axis, is := three(entries[key])
				if !is || axis == [3]float64{} {
					return c, fmt.Errorf("%s: it must be a list of three numbers, not all 0", path)
				}
				c.values = append(c.values, Value{Parameter: parameter, Direction: axis, From: path})
				continue
			}
			name, wanted := names[path]
			if !wanted && inertiaKey(kind, object, key) {
				continue
			}
			if !wanted {
				c.ignored = append(c.ignored, path)
				continue
			}
			place, is := three(entries[key])
			if !is {
				return c, fmt.Errorf("%s: it must be a list of three numbers", path)
			}
			for _, one := range strings.Split(name, ", ") {
				c.rows = append(c.rows, row{name: one, from: path, side: left, place: place})
			}
		}
	}
	for _, path := range slices.Sorted(maps.Keys(names)) {
		first, _, _ := strings.Cut(names[path], ", ")
		if panhard := strings.HasPrefix(path, "Trackbar"); c.row(first) < 0 && !panhard {
			c.notes = append(c.notes, fmt.Sprintf("%s is missing: no point %s", path, names[path]))
		}
	}
	if on := chronoSprings[kind]; on != "" {
		c.options = append(c.options, Option{"spring_on", on, "Spring"})
	}
	if kind == "SolidAxle" {
		links := "four"
		if c.row("panhard_chassis") >= 0 && c.row("panhard_axle") >= 0 {
			links = "four_panhard"
		}
		c.options = append(c.options, Option{"links", links, "Trackbar"})
		c.notes = append(c.notes, "knuckles, tie rod, drag link and bell crank are not read: the axle does not steer")
	}
	c.readInertias(kind, file)
	c.replaceFreeLength()
	return c, nil
}

var comment = regexp.MustCompile(`"(?:[^"\\\n]|\\.)*"|//[^\n]*|/\*(?s:.*?)\*/`)

// withoutComments returns a file without the comments that Chrono allows in JSON.
func withoutComments(text []byte) []byte {
	return comment.ReplaceAllFunc(text, func(m []byte) []byte {
		if m[0] == '/' {
			return []byte(" ")
		}
		return m
	})
}

// row is the index of the row of a point, -1 for none.
func (c *content) row(name string) int {
	return slices.IndexFunc(c.rows, func(r row) bool { return r.name == name })
}

// replaceFreeLength replaces the free length of the spring by its force in the design position.
func (c *content) replaceFreeLength() {
	index := func(from string) int { return slices.IndexFunc(c.values, func(v Value) bool { return v.From == from }) }
	free, stiffness := index("Spring/Free Length"), index("Spring/Spring Coefficient")
	top, bottom := c.row("spring_top"), c.row("spring_bottom")
	if free < 0 {
		return
	}
	v := &c.values[free]
	if stiffness < 0 || top < 0 || bottom < 0 {
		c.ignored, c.values = append(c.ignored, v.From), slices.Delete(c.values, free, free+1)
		return
	}
	length := distance(c.rows[top].place, c.rows[bottom].place)
	force := c.values[stiffness].Value * (v.Value - length)
	if force < 0 {
		c.notes = append(c.notes, fmt.Sprintf("the spring pulls with %.4g N in the design position: it is %.4g m long "+
			"there, and "+
			"%.4g m when free", -force, length, v.Value))
	}
	v.Parameter, v.Value, v.Unit = "load", force, "N"
}
