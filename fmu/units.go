package fmu

import (
	"slices"
	"strconv"
	"strings"

	"skidpad/fmu/markup"
	"skidpad/model/unit"
)

// displayUnit is a unit for display: display = factor unit + offset.
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

// written is the display unit of a name that a file uses.
func written(name string) displayUnit {
	u, err := unit.Parse(name)
	if err != nil {
		panic("fmu: " + err.Error()) // the reader of the file has looked
	}
	return displayUnit{name, 1 / u.Factor, -u.Offset}
}

// display returns the display unit of a variable, "" for none: the unit in the model file, if given. Wheels turn in
// rpm.
func (v *Variable) display() string {
	choices := displayUnits[v.Unit]
	switch {
	case v.Display != "":
		return v.Display
	case len(choices) == 0:
		return ""
	case v.Unit == "rad/s" && strings.HasSuffix(v.Name, ".omega"):
		return "rpm"
	}
	return choices[0].name
}

// BaseUnit returns the attributes of an SI unit of base units with integer powers.
func BaseUnit(powers unit.Exponents) (attributes []string) {
	for i, p := range powers {
		if p != 0 {
			attributes = append(attributes, unit.BaseNames[i], strconv.Itoa(int(p)))
		}
	}
	return attributes
}

// writeUnits writes the definitions of the units in use. A unit that is not composed of known units, or of the root of
// such a unit, is defined without its dimensions, as the standard allows.
func writeUnits(d *markup.Writer, t *Table) {
	var names []string
	shown := map[string][]displayUnit{} // by unit
	for _, v := range t.Variables {
		if v.Type != Real || v.Unit == "" {
			continue
		}
		if !slices.Contains(names, v.Unit) {
			names, shown[v.Unit] = append(names, v.Unit), slices.Clone(displayUnits[v.Unit])
		}
		if !slices.ContainsFunc(shown[v.Unit], func(d displayUnit) bool { return d.name == v.Display }) && v.Display != "" {
			shown[v.Unit] = append(shown[v.Unit], written(v.Display))
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return
	}
	d.Begin("UnitDefinitions")
	for _, name := range names {
		d.Begin("Unit", "name", name)
		if powers, err := unit.ParseSI(name); err == nil && powers.Whole() {
			d.Leaf("BaseUnit", BaseUnit(powers)...)
		}
		for _, u := range shown[name] {
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
