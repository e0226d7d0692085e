package fmu

import (
	"slices"
	"strconv"
	"strings"

	"skidpad/fmu/markup"
	"skidpad/model/unit"
)

// displayUnit is a unit in which people read a quantity: display = factor unit + offset.
type displayUnit struct {
	name           string
	factor, offset float64
}

const degrees = 57.29577951308232 // per radian

// displayUnits lists, by unit, what its quantities can be shown in; the first is usual.
var displayUnits = map[string][]displayUnit{
	"rad":    {{"deg", degrees, 0}},
	"rad/s":  {{"deg/s", degrees, 0}, {"rpm", 9.549296585513721, 0}},
	"rad/s2": {{"deg/s2", degrees, 0}},
	"m/s":    {{"km/h", 3.6, 0}},
	"Pa":     {{"bar", 1e-5, 0}},
	"K":      {{"degC", 1, -273.15}},
}

// display returns the display unit of a variable, "" for none. Wheels turn in rpm.
func (v *Variable) display() string {
	choices := displayUnits[v.Unit]
	switch {
	case len(choices) == 0:
		return ""
	case v.Unit == "rad/s" && strings.HasSuffix(v.Name, ".omega"):
		return "rpm"
	}
	return choices[0].name
}

// BaseUnit returns the attributes that make an SI unit of base units.
func BaseUnit(powers unit.Exponents) (attributes []string) {
	for i, p := range powers {
		if p != 0 {
			attributes = append(attributes, unit.BaseNames[i], strconv.Itoa(p))
		}
	}
	return attributes
}

// units writes the definitions of the units in use. A name that is not made of known
// units is defined without its dimensions, which the standard allows.
func writeUnits(d *markup.Writer, t *Table) {
	var names []string
	for _, v := range t.Variables {
		if v.Type == Real && v.Unit != "" && !slices.Contains(names, v.Unit) {
			names = append(names, v.Unit)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return
	}
	d.Begin("UnitDefinitions")
	for _, name := range names {
		d.Begin("Unit", "name", name)
		if powers, err := unit.ParseSI(name); err == nil {
			d.Leaf("BaseUnit", BaseUnit(powers)...)
		}
		for _, u := range displayUnits[name] {
			offset := ""
			if u.offset != 0 {
				offset = markup.Number(u.offset)
			}
			d.Leaf("DisplayUnit", "name", u.name, "factor", markup.Number(u.factor), "offset", offset)
		}
		d.End()
	}
	d.End()
}
