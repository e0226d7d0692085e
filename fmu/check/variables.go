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
	implied  bool     // the variability is none that the default of the schema gives
	starts   bool     // there is a start value
}

func (c *checker) unitDefinitions() {
	c.units = map[string][]string{}
	for _, u := range c.root.all("UnitDefinitions", "Unit") {
		name := u.attribute("name")
		if _, twice := c.units[name]; twice {
			c.find("F-UNI-1", name, "the unit is defined twice")
		}
		c.units[name] = []string{}
		for _, b := range u.all("BaseUnit") {
			c.factor(b, name)
		}
		for _, d := range u.all("DisplayUnit") {
			if slices.Contains(c.units[name], d.attribute("name")) {
				c.find("F-UNI-1", name, "its display unit %s is defined twice", d.attribute("name"))
			}
			c.units[name] = append(c.units[name], d.attribute("name"))
			c.factor(d, name)
		}
	}
}

// factor checks that a unit can be converted.
func (c *checker) factor(e *element, unit string) {
	for _, key := range []string{"factor", "offset"} {
		switch x, ok := xmlNumber(e.attribute(key)); {
		case e.has(key) && !ok:
			c.find("F-XML-1", unit, "%s: %s %q is not a number", e.name, key, e.attribute(key))
		case e.has(key) && key == "factor" && x == 0:
			c.find("F-UNI-2", unit, "%s has the factor %q", e.name, e.attribute(key))
		case e.has(key) && key == "offset" && x != 0 && isTrue(e.attribute("inverse")):
			c.find("F-UNI-3", unit, "%s is inverse and has the offset %g", e.name, x)
		}
	}
}

// typeDefinitions checks types and enumerations.
func (c *checker) typeDefinitions() {
	c.types = map[string]*element{}
	for _, definitions := range c.root.all("TypeDefinitions") {
		for _, t := range definitions.children {
			name := t.attribute("name")
			if c.types[name] != nil {
				c.find("F-TYP-1", name, "the type is defined twice")
			}
			if c.version == 2 && len(t.children) > 0 {
				t = t.children[0]
			}
			c.types[name] = t
			names, values, items := map[string]bool{}, map[string]bool{}, t.all("Item")
			for _, item := range items {
				if names[item.attribute("name")] || values[item.attribute("value")] {
					c.find("F-TYP-2", name, "the item %s has the name or value of another one", item.attribute("name"))
				}
				names[item.attribute("name")], values[item.attribute("value")] = true, true
			}
			if strings.HasPrefix(t.name, "Enumeration") && len(items) == 0 {
				c.find("F-TYP-2", name, "the enumeration has no item")
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
	c.states, c.previous = map[string]bool{}, map[string]string{}
	structured := c.root.attribute("variableNamingConvention") == "structured"
	independent := 0
	for i, e := range c.modelVariables() {
		v := c.variable(i, e)
		c.name(v, structured)
		switch r, err := strconv.ParseUint(strings.TrimSpace(v.attribute("valueReference")), 10, 32); {
		case err != nil:
			c.find("F-VAR-4", v.attribute("name"), "valueReference %q must be a number below 2^32",
				v.attribute("valueReference"))
		case r > 1<<31-1:
			c.find("F-VAR-13", v.attribute("name"), "valueReference %d is above 2^31 - 1, the most that some importers read", r)
		}
		c.list = append(c.list, v)
		if other := c.byNumber[v.number]; other != nil {
			c.find("F-VAR-4", v.attribute("name"), "it has the value reference of %s", other.attribute("name"))
		}
		c.byNumber[v.number] = v
		if d := v.value.attribute("derivative"); d != "" {
			c.states[d] = true
		}
		if v.causes == "independent" {
			independent++
		}
	}
	for _, v := range c.list { // with what others say of it
		c.aliases(v)
		c.checkAttributes(v)
		c.typed(v)
		c.unit(v)
		c.ranges(v)
		c.dimensions(v)
		c.derived(v)
		c.clocked(v)
	}
	c.sharedReferences()
	if independent > 1 || independent == 0 && c.version == 3 {
		c.find("F-VAR-3", description, "%d independent variables; there must be one", independent)
	}
	if len(c.list) == 0 {
		c.find("F-XML-2", description, "there is no variable")
	}
}

// name checks the name of a variable.
func (c *checker) name(v *checkedVariable, structured bool) {
	name := v.attribute("name")
	if name == "" || c.byName[name] != nil {
		c.find("F-VAR-5", name, "the name is empty or comes twice")
	}
	if structured && !structuredName.MatchString(name) {
		c.find("F-VAR-6", name, "not a structured name: identifiers joined by dots, indices [i,j], der(x)")
	}
	c.byName[name] = v
}

// forStepsAlone reports whether an FMU of 2.0 is for co-simulation alone.
func (c *checker) forStepsAlone() bool {
	return c.version == 2 && len(c.root.all("ModelExchange")) == 0
}

// derived checks what a variable says of the variable whose derivative it is, and of itself as a state.
func (c *checker) derived(v *checkedVariable) {
	name := v.attribute("name")
	if v.value.has("derivative") {
		d := v.value.attribute("derivative")
		switch state := c.byNumber[d]; {
		case state == nil:
			c.find("F-VAR-8", name, "derivative %s refers to no variable", d)
		case state.changes != "continuous" || !slices.Contains(floats, state.kind):
			c.find("F-VAR-16", name, "it is the derivative of %s, which is not continuous", state.attribute("name"))
		}
	}
	if v.value.has("reinit") {
		switch {
		case c.forStepsAlone():
			c.find("F-VAR-9", name, "reinit must not be present in an FMU for co-simulation alone")
		case !c.states[v.number]:
			c.find("F-VAR-8", name, "reinit is for states only")
		}
	}
	if v.has("canHandleMultipleSetPerTimeInstant") {
		switch {
		case c.forStepsAlone():
			c.find("F-VAR-9", name, "canHandleMultipleSetPerTimeInstant must not be present in an FMU for co-simulation alone")
		case v.causes != "input":
			c.find("F-VAR-9", name, "canHandleMultipleSetPerTimeInstant is for inputs only")
		}
	}
}

// clocked checks what FMI 3.0 says of clocks, and of variables that they govern.
func (c *checker) clocked(v *checkedVariable) {
	if c.version == 2 {
		return
	}
	name := v.attribute("name")
	if v.has("clocks") {
		numbers := strings.Fields(v.attribute("clocks"))
		for _, number := range numbers {
			if clock := c.byNumber[number]; clock == nil || clock.kind != "Clock" {
				c.find("F-CLK-1", name, "its clock %s is no Clock", number)
			}
		}
		if len(numbers) == 0 || v.changes != "discrete" && v.changes != "tunable" {
			c.find("F-CLK-1", name, "clocks must name a clock, and the variable be discrete or tunable")
		}
	}
	if v.has("previous") {
		number := v.attribute("previous")
		before := c.byNumber[number]
		if before == nil || before == v || before.kind != v.kind || before.changes != "discrete" || before.causes == "input" {
			c.find("F-CLK-2", name, "previous %s is no other discrete %s that is no input", number, v.kind)
		}
		if !v.has("clocks") || v.changes != "discrete" || v.kind == "Clock" {
			c.find("F-CLK-2", name, "previous is for discrete variables with clocks")
		}
		if first := c.previous[number]; first != "" {
			c.find("F-CLK-2", name, "it has the same previous as %s", first)
		}
		c.previous[number] = name
	}
	if v.kind == "Clock" {
		c.clock(v)
	}
}

// clockKinds are the values of intervalVariability, and whether such clocks tick in an interval that is given.
var clockKinds = map[string]bool{"constant": true, "fixed": true, "tunable": true, "changing": false,
	"countdown": false, "triggered": false}

// clock checks the attributes of a clock, which it may have by its type.
func (c *checker) clock(v *checkedVariable) {
	name := v.attribute("name")
	value := func(key string) (string, bool) {
		if t := c.types[v.attribute("declaredType")]; !v.has(key) && t != nil {
			return t.attribute(key), t.has(key)
		}
		return v.attribute(key), v.has(key)
	}
	kind, _ := value("intervalVariability")
	periodic, known := clockKinds[kind]
	if !known {
		c.find("F-CLK-3", name, "intervalVariability %q must be constant, fixed, tunable, changing, countdown or triggered",
			kind)
	}
	interval, given := value("intervalDecimal")
	if x, ok := xmlNumber(interval); known && (given != periodic || given && (!ok || x <= 0)) {
		c.find("F-CLK-3", name, "intervalDecimal %q: it must be above 0 for constant, fixed and tunable clocks, and not be "+
			"present for others", interval)
	}
	_, priority := value("priority")
	if v.causes == "output" && priority {
		c.find("F-CLK-3", name, "an output clock must not have a priority")
	}
	if v.causes == "input" && !priority && len(c.root.all("ScheduledExecution")) > 0 {
		c.find("F-CLK-3", name, "an input clock of scheduled execution needs a priority")
	}
	if !slices.Contains([]string{"input", "output", "local"}, v.causes) {
		c.find("F-CLK-1", name, "the causality of a clock is input, output or local, not %s", v.causes)
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
		at := slices.IndexFunc(e.children, func(child *element) bool { return child.name != "Annotations" })
		if at >= 0 {
			v.value, v.kind = e.children[at], e.children[at].name
		}
	}
	v.starts = v.value.has("start") || len(v.value.all("Start")) > 0
	if v.causes = e.attribute("causality"); v.causes == "" {
		v.causes = "local"
	}
	if v.changes = e.attribute("variability"); v.changes == "" {
		// The defaults of FMI 3.0. That of 2.0 is always continuous, which is allowed for floats alone.
		switch {
		case v.causes == "parameter" || v.causes == "calculatedParameter" || v.causes == "structuralParameter":
			v.changes, v.implied = "fixed", c.version == 2
		case slices.Contains(floats, v.kind):
			v.changes = "continuous"
		default:
			v.changes, v.implied = "discrete", c.version == 2
		}
	}
	return v
}

// checkAttributes checks causality, variability, initial and start.
func (c *checker) checkAttributes(v *checkedVariable) {
	name := v.attribute("name")
	allowed, legal := initialValues(v.causes, v.changes)
	if !legal {
		c.find("F-VAR-11", name, "causality %s with variability %s is not allowed", v.causes, v.changes)
		return
	}
	if v.implied && v.kind != "" {
		c.find("F-VAR-12", name, "it should have a variability: the default is continuous, which is not allowed here")
	}
	if v.changes == "continuous" && !slices.Contains(floats, v.kind) {
		c.find("F-VAR-2", name, "a %s cannot be continuous", v.kind)
	}
	v.initial = v.attribute("initial")
	switch {
	case !v.has("initial"):
		v.initial = allowed[0]
	case v.causes == "independent", c.version == 2 && v.causes == "input":
		c.find("F-VAR-11", name, "initial is not allowed for causality %s", v.causes)
	case !slices.Contains(allowed, v.initial):
		c.find("F-VAR-11", name, "initial %q is not allowed for causality %s with variability %s", v.initial,
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
		c.find("F-TYP-3", name, "the type %s is not defined", declared)
	}
	if declared == "" && v.kind == "Enumeration" {
		c.find("F-TYP-3", name, "an enumeration needs declaredType")
	}
	if c.types[name] != nil {
		c.find("F-TYP-1", name, "a type has the same name")
	}
	if v.kind == "" {
		c.find("F-XML-2", name, "the variable has no type")
	}
	if v.kind == "Clock" && v.has("intermediateUpdate") ||
		isTrue(v.attribute("intermediateUpdate")) && v.changes != "continuous" {
		c.find("F-VAR-15", name, "intermediateUpdate is for continuous variables only")
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
				c.find("F-XML-1", name, "%s %q is no %s of FMI %d.0", key, word, v.kind, c.version)
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
	dimensions := v.all("Dimension")
	if len(dimensions) > 0 && (v.kind == "Clock" || v.causes == "structuralParameter") {
		c.find("F-VAR-10", name, "a clock and a structural parameter have no dimensions")
	}
	for _, d := range dimensions {
		text := d.attribute("start")
		if d.has("start") == d.has("valueReference") {
			c.find("F-VAR-10", name, "a dimension needs either start or valueReference")
			return
		}
		if reference := d.attribute("valueReference"); reference != "" {
			e := c.byNumber[reference]
			if e == nil {
				c.find("F-VAR-10", name, "its dimension %s is no variable", reference)
				return
			}
			if e.kind != "UInt64" || e.attribute("causality") != "structuralParameter" &&
				e.attribute("variability") != "constant" {
				c.find("F-VAR-10", name, "its dimension %s is no structural parameter or constant of type UInt64",
					e.attribute("name"))
			}
			text = e.attribute("start")
		}
		n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
		if err != nil || n == 0 {
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

// sharedReferences checks variables of FMI 2.0 with one value reference: they are aliases. One of them at most has a
// start value, or all are constants with the same.
func (c *checker) sharedReferences() {
	if c.version == 3 {
		return
	}
	starts := map[string]*checkedVariable{}
	for _, v := range c.list {
		kind := v.kind
		if kind == "Enumeration" {
			kind = "Integer"
		}
		key := kind + " " + v.attribute("valueReference")
		if other := starts[key]; other != nil && v.starts {
			constants := v.changes == "constant" && other.changes == "constant"
			if !constants || v.value.attribute("start") != other.value.attribute("start") {
				c.find("F-VAR-14", v.attribute("name"), "it has a start value and the value reference of %s, which has one, too",
					other.attribute("name"))
			}
		}
		if v.starts {
			starts[key] = v
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
	missing := map[int]string{2: "F-UNI-5", 3: "F-UNI-4"}[c.version] // FMI 2.0 ignores what is not defined
	switch {
	case display != "" && (unit == "" || !known):
		c.find("F-UNI-6", v.attribute("name"), "displayUnit %s without a unit that is defined", display)
	case unit != "" && !known:
		c.find(missing, v.attribute("name"), "the unit %s is not defined", unit)
	case display != "" && !slices.Contains(displays, display):
		c.find(missing, v.attribute("name"), "the display unit %s does not belong to %s", display, unit)
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
		c.find("F-VAR-7", v.attribute("name"), "nominal %g should be above 0", nominal)
	}
}
