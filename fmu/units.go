package fmu

import (
	"slices"
	"strconv"
	"strings"
)

// baseUnits holds the exponents of kg, m, s, K, rad of the units that unit names are
// made of.
var baseUnits = map[string][5]int{
	"1": {}, "kg": {1}, "m": {0, 1}, "s": {0, 0, 1}, "K": {0, 0, 0, 1}, "rad": {0, 0, 0, 0, 1},
	"N": {1, 1, -2}, "Pa": {1, -1, -2}, "J": {1, 2, -2}, "W": {1, 2, -3}, "Hz": {0, 0, -1},
}

var baseNames = [...]string{"kg", "m", "s", "K", "rad"}

// exponents takes a name such as N.m/rad or m/s2 apart: factors joined by . or /, each
// a known unit with a whole exponent. A / divides by the next factor only.
func exponents(name string) (sum [5]int, ok bool) {
	for rest, sign := name, 1; ; {
		end := strings.IndexAny(rest, "./")
		factor := rest
		if end >= 0 {
			factor = rest[:end]
		}
		letters := strings.TrimRight(factor, "0123456789")
		power := 1
		if letters == "" && factor == "1" {
			letters = "1"
		} else if digits := factor[len(letters):]; digits != "" {
			var err error
			if power, err = strconv.Atoi(digits); err != nil || power > 9 {
				return sum, false
			}
		}
		base, known := baseUnits[letters]
		if !known {
			return sum, false
		}
		for i, e := range base {
			sum[i] += sign * power * e
		}
		if end < 0 {
			return sum, true
		}
		if sign = 1; rest[end] == '/' {
			sign = -1
		}
		rest = rest[end+1:]
	}
}

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

// units writes the definitions of the units in use. A name that is not made of known
// units is defined without its dimensions, which the standard allows.
func (d *markup) units(t *Table) {
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
	d.begin("UnitDefinitions")
	for _, name := range names {
		d.begin("Unit", "name", name)
		if powers, ok := exponents(name); ok {
			var attributes []string
			for i, p := range powers {
				if p != 0 {
					attributes = append(attributes, baseNames[i], strconv.Itoa(p))
				}
			}
			d.leaf("BaseUnit", attributes...)
		}
		for _, u := range displayUnits[name] {
			offset := ""
			if u.offset != 0 {
				offset = number(u.offset)
			}
			d.leaf("DisplayUnit", "name", u.name, "factor", number(u.factor), "offset", offset)
		}
		d.end()
	}
	d.end()
}
