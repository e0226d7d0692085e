package check

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// checkedVariable is a variable as the XML describes it.
type checkedVariable struct {
	*element          // with name, causality, variability, initial
	value    *element // with unit, start, derivative: in 3.0 the same element
	kind     string   // Real, Float64, Boolean, ...
	initial  string   // as written or by default
	number   string   // index of 2.0, value reference of 3.0
	causes   string   // causality, by default local
	changes  string   // variability, by default that of the type
	starts   bool     // there is a start value
}

func (c *checker) unitDefinitions() {
	c.units = map[string][]string{}
	for _, u := range c.root.all("UnitDefinitions", "Unit") {
		name := u.attribute("name")
		if _, twice := c.units[name]; twice {
			c.find("6.2", name, "the unit is defined twice")
		}
		c.units[name] = []string{}
		for _, b := range u.all("BaseUnit") {
			c.factor(b, name)
		}
		for _, d := range u.all("DisplayUnit") {
			c.units[name] = append(c.units[name], d.attribute("name"))
			c.factor(d, name)
		}
	}
}

// factor checks that a unit can be converted.
func (c *checker) factor(e *element, unit string) {
	factor, ok := xmlNumber(e.attribute("factor"))
	if e.has("factor") && (!ok || factor == 0) {
		c.find("6.2", unit, "%s has the factor %q", e.name, e.attribute("factor"))
	}
	if offset, ok := xmlNumber(e.attribute("offset")); e.attribute("inverse") == "true" && ok && offset != 0 {
		c.find("6.2", unit, "%s is inverse and has the offset %g", e.name, offset)
	}
}

// typeDefinitions checks types and enumerations.
func (c *checker) typeDefinitions() {
	c.types = map[string]*element{}
	for _, definitions := range c.root.all("TypeDefinitions") {
		for _, t := range definitions.children {
			name := t.attribute("name")
			if c.types[name] != nil {
				c.find("F-VAR-6", name, "the type is defined twice")
			}
			if c.version == 2 && len(t.children) > 0 {
				t = t.children[0]
			}
			c.types[name] = t
			names, values := map[string]bool{}, map[string]bool{}
			for _, item := range t.all("Item") {
				if names[item.attribute("name")] || values[item.attribute("value")] {
					c.find("F-VAR-6", name, "the item %s has the name or value of another one", item.attribute("name"))
				}
				names[item.attribute("name")], values[item.attribute("value")] = true, true
			}
		}
	}
}

var (
	structuredPart = `(?:[A-Za-z_][A-Za-z_0-9]*|'(?:[^'\\]|\\.)+')(?:\[[0-9]+(?:,[0-9]+)*\])?`
	structuredPath = structuredPart + `(?:\.` + structuredPart + `)*`
	structuredName = regexp.MustCompile(`^(?:` + structuredPath + `|der\(` + structuredPath + `(?:,[1-9][0-9]*)?\))$`)
)

// initialValues holds, by causality and variability, which values of initial are
// allowed; the first is the default. An empty list: the combination is not allowed.
func initialValues(causality, variability string) (allowed []string, legal bool) {
	constant, fixed, discrete := variability == "constant", variability == "fixed" || variability == "tunable",
		variability == "discrete" || variability == "continuous"
	switch causality {
	case "structuralParameter", "parameter":
		return []string{"exact"}, fixed
	case "calculatedParameter":
		return []string{"calculated", "approx"}, fixed
	case "input":
		return []string{"exact"}, discrete
	case "output":
		if constant {
			return []string{"exact"}, true
		}
		return []string{"calculated", "exact", "approx"}, discrete
	case "local":
		if constant {
			return []string{"exact"}, true
		}
		if fixed {
			return []string{"calculated", "approx"}, true
		}
		return []string{"calculated", "exact", "approx"}, discrete
	case "independent":
		return []string{""}, variability == "continuous"
	}
	return nil, false
}

var floats = []string{"Real", "Float64", "Float32"}

func (c *checker) variables() {
	c.byName, c.byNumber = map[string]*checkedVariable{}, map[string]*checkedVariable{}
	structured := c.root.attribute("variableNamingConvention") == "structured"
	independent := 0
	for i, e := range c.modelVariables() {
		v := c.variable(i, e)
		name := v.attribute("name")
		if name == "" || c.byName[name] != nil {
			c.find("F-VAR-5", name, "the name is empty or comes twice")
		}
		if structured && !structuredName.MatchString(name) {
			c.find("F-VAR-5", name, "not a structured name: identifiers joined by dots, indices [i,j], der(x)")
		}
		if r, err := strconv.ParseUint(v.attribute("valueReference"), 10, 32); err != nil || r > 1<<31-1 {
			c.find("F-VAR-4", name, "valueReference %q must be a number below 2^31", v.attribute("valueReference"))
		}
		c.list = append(c.list, v)
		c.byName[name] = v
		if other := c.byNumber[v.number]; other != nil {
			c.find("F-VAR-4", name, "it has the value reference of %s", other.attribute("name"))
		}
		c.byNumber[v.number] = v
		if v.causes == "independent" {
			independent++
		}
		c.aliases(v)
		c.checkAttributes(v)
		c.typed(v)
		c.unit(v)
		c.ranges(v)
		c.dimensions(v)
	}
	c.sharedReferences()
	if independent > 1 || independent == 0 && c.version == 3 {
		c.find("F-VAR-3", description, "%d independent variables; there must be one", independent)
	}
	for _, v := range c.list {
		if d := v.value.attribute("derivative"); d != "" {
			if state := c.byNumber[d]; state == nil || state.changes != "continuous" ||
				!slices.Contains(floats, v.kind) {
				c.find("F-VAR-8", v.attribute("name"), "derivative %s refers to no continuous variable, or is none", d)
			}
		}
		if v.value.attribute("reinit") == "true" && !c.isState(v) {
			c.find("F-VAR-8", v.attribute("name"), "reinit is for states only")
		}
	}
	if len(c.list) == 0 {
		c.find("F-XML-2", description, "there is no variable")
	}
}

func (c *checker) modelVariables() []*element {
	for _, e := range c.root.all("ModelVariables") {
		return e.children
	}
	return nil
}

func (c *checker) variable(i int, e *element) *checkedVariable {
	v := &checkedVariable{element: e, value: e, kind: e.name, number: e.attribute("valueReference")}
	if c.version == 2 {
		v.number = strconv.Itoa(i + 1)
		v.value, v.kind = &element{}, ""
		if len(e.children) > 0 {
			v.value, v.kind = e.children[0], e.children[0].name
		}
	}
	v.starts = v.value.has("start") || len(v.value.all("Start")) > 0
	if v.causes = e.attribute("causality"); v.causes == "" {
		v.causes = "local"
	}
	if v.changes = e.attribute("variability"); v.changes == "" {
		switch {
		case v.causes == "parameter" || v.causes == "calculatedParameter" || v.causes == "structuralParameter":
			v.changes = "fixed"
		case slices.Contains(floats, v.kind) || c.version == 2:
			v.changes = "continuous"
		default:
			v.changes = "discrete"
		}
	}
	return v
}

// checkAttributes checks causality, variability, initial and start.
func (c *checker) checkAttributes(v *checkedVariable) {
	name := v.attribute("name")
	allowed, legal := initialValues(v.causes, v.changes)
	if !legal {
		c.find("6.1", name, "causality %s with variability %s is not allowed", v.causes, v.changes)
		return
	}
	if v.changes == "continuous" && !slices.Contains(floats, v.kind) {
		c.find("F-VAR-2", name, "a %s cannot be continuous", v.kind)
	}
	v.initial = v.attribute("initial")
	switch {
	case !v.has("initial"):
		v.initial = allowed[0]
	case v.causes == "independent", c.version == 2 && v.causes == "input":
		c.find("6.1", name, "initial is not allowed for causality %s", v.causes)
	case !slices.Contains(allowed, v.initial):
		c.find("6.1", name, "initial %q is not allowed for causality %s with variability %s", v.initial,
			v.causes, v.changes)
	}
	needed := v.causes == "input" || v.initial == "exact" || v.initial == "approx"
	switch {
	case needed && !v.starts && v.kind != "Clock":
		c.find("F-VAR-1", name, "the start value is missing")
	case v.starts && !needed:
		c.find("F-VAR-1", name, "a start value is not allowed")
	}
}

// isState reports whether the derivative of a variable is a variable.
func (c *checker) isState(v *checkedVariable) bool {
	return slices.ContainsFunc(c.list,
		func(d *checkedVariable) bool { return d.value.attribute("derivative") == v.number })
}

// aliases takes in the other names of a variable.
func (c *checker) aliases(v *checkedVariable) {
	for _, e := range v.all("Alias") {
		name := e.attribute("name")
		if name == "" || c.byName[name] != nil {
			c.find("F-VAR-5", name, "the name of an alias is empty or comes twice")
		}
		c.byName[name] = v
	}
}

// typed checks that the value of a variable is one of its type.
func (c *checker) typed(v *checkedVariable) {
	name, declared := v.attribute("name"), v.value.attribute("declaredType")
	if declared != "" && c.types[declared] == nil {
		c.find("F-VAR-6", name, "the type %s is not defined", declared)
	}
	if declared == "" && v.kind == "Enumeration" {
		c.find("F-VAR-6", name, "an enumeration needs declaredType")
	}
	if c.types[name] != nil {
		c.find("F-VAR-6", name, "a type has the same name")
	}
	if v.kind == "" {
		c.find("F-XML-2", name, "the variable has no type")
	}
	if v.has("canHandleMultipleSetPerTimeInstant") && v.causes != "input" {
		c.find("F-VAR-9", name, "canHandleMultipleSetPerTimeInstant is for inputs only")
	}
	if v.attribute("intermediateUpdate") == "true" && (v.kind == "Clock" || v.causes == "parameter" ||
		v.causes == "structuralParameter" || v.causes == "independent") {
		c.find("F-3CS-4", name, "intermediateUpdate is not for clocks, parameters and the independent variable")
	}
	for _, key := range []string{"start", "min", "max", "nominal"} {
		words := []string{v.value.attribute(key)}
		if key == "start" && c.version == 3 {
			words = strings.Fields(words[0])
		}
		if !v.value.has(key) {
			continue
		}
		for _, word := range words {
			if !c.isValue(v.kind, word) {
				c.find("F-XML-1", name, "%s %q is no %s", key, word, v.kind)
			}
		}
	}
	for _, start := range v.all("Start") {
		if text := start.attribute("value"); v.kind == "Binary" && !hexadecimal.MatchString(text) {
			c.find("F-VAR-10", name, "the start value %q is no pairs of hexadecimal digits", text)
		}
	}
}

var hexadecimal = regexp.MustCompile(`^(?:[0-9a-fA-F]{2})*$`)

// dimensions checks the sizes of an array, and that there are as many start values.
func (c *checker) dimensions(v *checkedVariable) {
	const largest = 1 << 32 // of what is compared with start values
	name, size := v.attribute("name"), uint64(1)
	for _, d := range v.all("Dimension") {
		text := d.attribute("start")
		if d.has("start") == d.has("valueReference") {
			c.find("F-VAR-10", name, "a dimension needs either start or valueReference")
			return
		}
		if reference := d.attribute("valueReference"); reference != "" {
			at := slices.IndexFunc(c.modelVariables(),
				func(e *element) bool { return e.attribute("valueReference") == reference })
			if at < 0 {
				c.find("F-VAR-10", name, "its dimension %s is no variable", reference)
				return
			}
			e := c.modelVariables()[at]
			if e.name != "UInt64" || e.attribute("causality") != "structuralParameter" &&
				e.attribute("variability") != "constant" {
				c.find("F-VAR-10", name, "its dimension %s is no structural parameter or constant of type UInt64",
					e.attribute("name"))
			}
			text = e.attribute("start")
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || n == 0 && d.has("start") {
			c.find("F-VAR-10", name, "a dimension is %q; it must be above 0", text)
			return
		}
		size = min(size*min(n, largest), largest)
	}
	if c.version == 2 || !v.starts || size == largest {
		return
	}
	given := uint64(len(strings.Fields(v.attribute("start"))) + len(v.all("Start")))
	if given != size && given != 1 {
		c.find("F-VAR-10", name, "%d start values for %d elements", given, size)
	}
}

// sharedReferences checks variables of FMI 2.0 with one value reference: they are
// aliases, and one of them at most has a start value.
func (c *checker) sharedReferences() {
	if c.version == 3 {
		return
	}
	starts := map[string]string{}
	for _, v := range c.list {
		kind := v.kind
		if kind == "Enumeration" {
			kind = "Integer"
		}
		key := kind + " " + v.attribute("valueReference")
		if other, twice := starts[key]; twice && v.starts {
			c.find("F-VAR-4", v.attribute("name"),
				"it has a start value and the value reference of %s, which has one too", other)
		}
		if v.starts {
			starts[key] = v.attribute("name")
		}
	}
}

// unit checks unit and display unit, of the variable or of its type.
func (c *checker) unit(v *checkedVariable) {
	unit, display := v.value.attribute("unit"), v.value.attribute("displayUnit")
	if t := c.types[v.value.attribute("declaredType")]; t != nil && unit == "" {
		unit = t.attribute("unit")
	}
	displays, known := c.units[unit]
	switch {
	case unit == "" && display != "":
		c.find("F-VAR-7", v.attribute("name"), "displayUnit %s without unit", display)
	case unit != "" && !known:
		c.find("6.2", v.attribute("name"), "the unit %s is not defined", unit)
	case display != "" && !slices.Contains(displays, display):
		c.find("6.2", v.attribute("name"), "the display unit %s does not belong to %s", display, unit)
	}
}

func (c *checker) ranges(v *checkedVariable) {
	number := func(name string) (float64, bool) { return xmlNumber(v.value.attribute(name)) }
	low, hasLow := number("min")
	high, hasHigh := number("max")
	start, hasStart := number("start")
	if hasLow && hasHigh && low > high || hasLow && hasStart && start < low || hasHigh && hasStart && start > high {
		c.find("F-VAR-7", v.attribute("name"), "min %s, start %s and max %s are not in order", v.value.attribute("min"),
			v.value.attribute("start"), v.value.attribute("max"))
	}
	if nominal, ok := number("nominal"); ok && nominal <= 0 {
		c.find("F-VAR-7", v.attribute("name"), "nominal %g must be above 0", nominal)
	}
}
