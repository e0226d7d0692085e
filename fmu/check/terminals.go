package check

import (
	"slices"
	"strings"
)

func (c *checker) terminals() {
	const file = "terminalsAndIcons/terminalsAndIcons.xml"
	if c.files[file] == nil {
		return
	}
	root, err := c.read(file)
	if err != nil {
		c.find("F-TER-1", file, "%v", err)
		return
	}
	if v := root.attribute("fmiVersion"); v != "3.0" {
		c.find("F-TER-1", file, "fmiVersion %q must be 3.0", v)
	}
	for _, area := range []string{"CoordinateSystem", "Icon"} {
		for _, e := range root.all("GraphicalRepresentation", area) {
			c.area(e, file)
		}
	}
	if len(root.all("GraphicalRepresentation", "Icon")) > 0 && c.files["terminalsAndIcons/icon.png"] == nil {
		c.find("F-TER-4", file, "there is an icon but no icon.png")
	}
	for _, e := range root.all("Terminals") {
		c.level(e)
	}
}

// area checks the corners of something drawn.
func (c *checker) area(e *element, place string) {
	corner := func(name string) float64 {
		x, ok := xmlNumber(e.attribute(name))
		if !ok {
			c.find("F-TER-4", place, "%s: %s %q is not a number", e.name, name, e.attribute(name))
		}
		return x
	}
	if x1, y1, x2, y2 := corner("x1"), corner("y1"), corner("x2"), corner("y2"); x1 >= x2 || y1 >= y2 {
		c.find("F-TER-4", place, "%s: the corner x1, y1 must be below and left of x2, y2", e.name)
	}
}

// level checks the terminals in a list or in a terminal.
func (c *checker) level(parent *element) {
	seen := map[string]bool{}
	for _, t := range parent.all("Terminal") {
		name := t.attribute("name")
		if seen[name] {
			c.find("F-TER-1", name, "the terminal comes twice")
		}
		seen[name] = true
		if rule := t.attribute("matchingRule"); !slices.Contains([]string{"plug", "bus", "sequence", "none"}, rule) {
			c.find("F-TER-2", name, "matchingRule %q must be plug, bus, sequence or none", rule)
		}
		c.members(t)
		for _, picture := range t.all("TerminalGraphicalRepresentation") {
			c.area(picture, name)
			base := picture.attribute("iconBaseName")
			if strings.Contains(base, "..") || strings.HasPrefix(base, "/") ||
				c.files["terminalsAndIcons/"+base+".png"] == nil {
				c.find("F-TER-4", name, "there is no terminalsAndIcons/%s.png", base)
			}
		}
		c.level(t)
	}
}

// members checks the variables of a terminal.
func (c *checker) members(t *element) {
	name, seen := t.attribute("name"), map[string]bool{}
	for _, m := range t.all("TerminalMemberVariable") {
		member := m.attribute("memberName")
		switch v := c.byName[m.attribute("variableName")]; {
		case v == nil:
			c.find("F-TER-2", name, "its member %s names no variable: %q", member, m.attribute("variableName"))
		case !slices.Contains([]string{"input", "output", "parameter", "calculatedParameter"}, v.causes):
			c.find("F-TER-2", name, "its member %s has the causality %s; input, output, parameter and "+
				"calculatedParameter are allowed", member, v.causes)
		}
		if kind := m.attribute("variableKind"); !slices.Contains([]string{"signal", "inflow", "outflow"}, kind) {
			c.find("F-TER-2", name, "its member %s has the variableKind %q; signal, inflow and outflow are allowed",
				member, kind)
		}
		if rule := t.attribute("matchingRule"); (rule == "plug" || rule == "bus") && (member == "" || seen[member]) {
			c.find("F-TER-2", name, "member name %q is empty or comes twice", member)
		}
		seen[member] = true
	}
}
