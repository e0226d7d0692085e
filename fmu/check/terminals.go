package check

import (
	"path"
	"regexp"
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
	switch v, model := root.attribute("fmiVersion"), c.root.attribute("fmiVersion"); {
	case !versions3.MatchString(v):
		c.find("F-TER-1", file, "fmiVersion %q must be 3.0", v)
	case c.version == 3 && v != model:
		c.find("F-TER-7", file, "fmiVersion %q should be that of the model description, %q", v, model)
	}
	for _, area := range []string{"CoordinateSystem", "Icon"} {
		for _, e := range root.all("GraphicalRepresentation", area) {
			c.area(e, file)
		}
	}
	if len(root.all("GraphicalRepresentation", "Icon")) > 0 && c.files["terminalsAndIcons/icon.png"] == nil {
		c.find("F-TER-5", file, "there is an icon but no icon.png")
	}
	for _, e := range root.all("Terminals") {
		c.level(e)
	}
}

// area checks the corners of something drawn. An icon or a terminal whose corners are exchanged is flipped.
func (c *checker) area(e *element, location string) {
	corner := func(name string) float64 {
		x, ok := xmlNumber(e.attribute(name))
		if !ok {
			c.find("F-TER-4", location, "%s: %s %q is not a number", e.name, name, e.attribute(name))
		}
		return x
	}
	x1, y1, x2, y2 := corner("x1"), corner("y1"), corner("x2"), corner("y2")
	switch {
	case e.name == "CoordinateSystem" && (x1 >= x2 || y1 >= y2):
		c.find("F-TER-4", location, "%s: the corner x1, y1 must be below and left of x2, y2", e.name)
	case x1 == x2 || y1 == y2:
		c.find("F-TER-5", location, "%s: it has no area", e.name)
	}
}

// reversedDomain is the name of a third-party rule, such as org.fmi-ls-bus.network-terminal.
var reversedDomain = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*(\.[A-Za-z0-9_-]+)+$`)

// level checks the terminals in a list or in a terminal.
func (c *checker) level(parent *element) {
	seen := map[string]bool{}
	for _, t := range parent.all("Terminal") {
		name := t.attribute("name")
		if seen[name] {
			c.find("F-TER-1", name, "the terminal comes twice")
		}
		seen[name] = true
		if rule := t.attribute("matchingRule"); !slices.Contains([]string{"plug", "bus", "sequence", "none"}, rule) &&
			!reversedDomain.MatchString(rule) {
			c.find("F-TER-3", name, "matchingRule %q must be plug, bus, sequence, none, or the name of a rule behind a "+
				"reversed domain, such as com.example.rule", rule)
		}
		c.members(t)
		for _, picture := range t.all("TerminalGraphicalRepresentation") {
			c.area(picture, name)
			base := picture.attribute("iconBaseName")
			at := path.Join("terminalsAndIcons", base) + ".png"
			if !strings.HasPrefix(at, "terminalsAndIcons/") || c.files[at] == nil {
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
			c.find("F-TER-6", name, "its member %s has the variableKind %q; the standard knows signal, inflow and outflow",
				member, kind)
		}
		if rule := t.attribute("matchingRule"); (rule == "plug" || rule == "bus") && (member == "" || seen[member]) {
			c.find("F-TER-2", name, "member name %q is empty or comes twice", member)
		}
		seen[member] = true
	}
}
