package fmu

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Finding is something wrong with an FMU: the rule that is broken, where, and how.
type Finding struct{ Rule, Place, Text string }

func (f Finding) String() string { return f.Rule + ": " + f.Place + ": " + f.Text }

// Check looks for mistakes in the archive and the XML files of an FMU 2.0 or 3.0. An
// error means that it cannot be read as one at all.
func Check(file string) ([]Finding, error) {
	z, err := zip.OpenReader(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	defer z.Close()
	c := &checker{files: map[string]*zip.File{}}
	c.archive(z.File)
	root, err := c.read("modelDescription.xml")
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	switch version := root.attribute("fmiVersion"); {
	case version == "2.0":
		c.version = 2
	case version == "3.0":
		c.version = 3
	default:
		return nil, fmt.Errorf("%s: modelDescription.xml has fmiVersion %q; 2.0 and 3.0 can be checked", file, version)
	}
	c.root = root
	c.head()
	c.interfaces()
	c.unitDefinitions()
	c.variables()
	c.structure()
	c.terminals()
	return c.findings, nil
}

// element is an XML element with its attributes.
type element struct {
	name       string
	attributes map[string]string
	children   []*element
}

func (e *element) attribute(name string) string { return e.attributes[name] }

func (e *element) has(name string) bool { _, ok := e.attributes[name]; return ok }

// all returns the elements at a path of names below e.
func (e *element) all(names ...string) []*element {
	list := []*element{e}
	for _, name := range names {
		var next []*element
		for _, parent := range list {
			for _, child := range parent.children {
				if child.name == name {
					next = append(next, child)
				}
			}
		}
		list = next
	}
	return list
}

// parseElement reads a document into elements.
func parseElement(data []byte) (*element, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	document := &element{}
	stack := []*element{document}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		switch t := token.(type) {
		case xml.StartElement:
			e := &element{name: t.Name.Local, attributes: map[string]string{}}
			for _, a := range t.Attr {
				e.attributes[a.Name.Local] = a.Value
			}
			top := stack[len(stack)-1]
			top.children = append(top.children, e)
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		}
	}
	if len(document.children) != 1 {
		return nil, errors.New("the document has no single root element")
	}
	return document.children[0], nil
}

// checker gathers findings.
type checker struct {
	files    map[string]*zip.File
	root     *element
	version  int
	findings []Finding

	units    map[string][]string // display units by unit
	list     []*checkedVariable
	byName   map[string]*checkedVariable
	byNumber map[string]*checkedVariable // index of 2.0, value reference of 3.0
}

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

func (c *checker) find(rule, place, format string, arguments ...any) {
	c.findings = append(c.findings, Finding{rule, place, fmt.Sprintf(format, arguments...)})
}

func (c *checker) archive(files []*zip.File) {
	for _, f := range files {
		if strings.HasSuffix(f.Name, "/") {
			if err := checkName(strings.TrimSuffix(f.Name, "/")); err != nil {
				c.find("F-ZIP-4", f.Name, "%v", err)
			}
			continue
		}
		if err := checkEntry(f); err != nil {
			c.find("F-ZIP", f.Name, "%v", err)
		}
		if c.files[f.Name] != nil {
			c.find("F-ZIP-4", f.Name, "the name comes twice")
		}
		c.files[f.Name] = f
	}
}

func (c *checker) read(name string) (*element, error) {
	f := c.files[name]
	if f == nil {
		if name == "modelDescription.xml" {
			return nil, errNoDescription
		}
		return nil, fmt.Errorf("%s is missing", name)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, maxArchive))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	e, err := parseElement(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return e, nil
}

const description = "modelDescription.xml"

// head checks the root, log categories and the default experiment.
func (c *checker) head() {
	token := map[int]string{2: "guid", 3: "instantiationToken"}[c.version]
	for _, name := range []string{"modelName", token} {
		if c.root.attribute(name) == "" {
			c.find("F-XML-5", description, "%s is missing", name)
		}
	}
	if date := c.root.attribute("generationDateAndTime"); date != "" {
		if _, err := time.Parse(time.RFC3339, date); err != nil {
			c.find("F-XML-1", description, "generationDateAndTime %q is not YYYY-MM-DDThh:mm:ssZ", date)
		}
	}
	seen := map[string]bool{}
	for _, category := range c.root.all("LogCategories", "Category") {
		if name := category.attribute("name"); seen[name] {
			c.find("F-CB-7", description, "log category %q comes twice", name)
		} else {
			seen[name] = true
		}
	}
	for _, e := range c.root.all("DefaultExperiment") {
		value := func(name string, otherwise float64) float64 {
			if !e.has(name) {
				return otherwise
			}
			x, err := strconv.ParseFloat(e.attribute(name), 64)
			if err != nil {
				c.find("F-XML-1", description, "DefaultExperiment: %s %q is not a number", name, e.attribute(name))
				return otherwise
			}
			return x
		}
		start := value("startTime", 0)
		stop, step := value("stopTime", start+1), value("stepSize", 1e-9)
		if stop <= start || value("tolerance", 1) <= 0 || step <= 0 || step >= stop-start {
			c.find("6.4", description, "DefaultExperiment: the stop must be after the start, the tolerance above 0, and the step between 0 and the duration")
		}
	}
	for _, e := range c.root.children {
		if strings.HasSuffix(e.name, "Definitions") && len(e.children) == 0 || e.name == "LogCategories" && len(e.children) == 0 {
			c.find("F-XML-2", description, "the list %s is empty", e.name)
		}
	}
}

// flags lists the attributes of the interfaces.
var flags = map[int]map[string][]string{
	2: {
		"ModelExchange": {"completedIntegratorStepNotNeeded"},
		"CoSimulation":  {"canHandleVariableCommunicationStepSize", "canInterpolateInputs", "maxOutputDerivativeOrder", "canRunAsynchronuously"},
		"":              {"modelIdentifier", "needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess", "canNotUseMemoryManagementFunctions", "canGetAndSetFMUstate", "canSerializeFMUstate", "providesDirectionalDerivative"},
	},
	3: {
		"ModelExchange":      {"needsCompletedIntegratorStep", "providesEvaluateDiscreteStates"},
		"CoSimulation":       {"canHandleVariableCommunicationStepSize", "fixedInternalStepSize", "maxOutputDerivativeOrder", "recommendedIntermediateInputSmoothness", "providesIntermediateUpdate", "mightReturnEarlyFromDoStep", "canReturnEarlyAfterIntermediateUpdate", "hasEventMode", "providesEvaluateDiscreteStates"},
		"ScheduledExecution": {},
		"":                   {"modelIdentifier", "needsExecutionTool", "canBeInstantiatedOnlyOncePerProcess", "canGetAndSetFMUState", "canSerializeFMUState", "providesDirectionalDerivatives", "providesAdjointDerivatives", "providesPerElementDependencies"},
	},
}

// interfaces checks the kinds of use and the libraries.
func (c *checker) interfaces() {
	found := 0
	for kind, own := range flags[c.version] {
		for _, e := range c.root.all(kind) {
			if kind == "" {
				continue
			}
			found++
			for name := range e.attributes {
				if !slices.Contains(own, name) && !slices.Contains(flags[c.version][""], name) {
					c.find("5.1", kind, "FMI %d.0 has no attribute %s", c.version, name)
				}
			}
			c.libraries(kind, e.attribute("modelIdentifier"))
			if e.attribute("canReturnEarlyAfterIntermediateUpdate") == "true" && e.attribute("providesIntermediateUpdate") != "true" {
				c.find("F-3CS-3", kind, "canReturnEarlyAfterIntermediateUpdate needs providesIntermediateUpdate")
			}
			for _, state := range []string{"State", "state"} {
				if e.attribute("canSerializeFMU"+state) == "true" && e.attribute("canGetAndSetFMU"+state) != "true" {
					c.find("F-FST-5", kind, "canSerializeFMU%s needs canGetAndSetFMU%s", state, state)
				}
			}
		}
	}
	if found == 0 {
		c.find("section 7", description, "there is neither ModelExchange nor CoSimulation")
	}
}

func (c *checker) libraries(kind, identifierText string) {
	if !identifier.MatchString(identifierText) {
		c.find("F-BIN-1", kind, "modelIdentifier %q is not a C identifier", identifierText)
		return
	}
	platforms := map[string]bool{}
	for name := range c.files {
		if parts := strings.Split(name, "/"); len(parts) == 3 && parts[0] == "binaries" {
			stem := strings.TrimSuffix(parts[2], path.Ext(parts[2]))
			platforms[parts[1]] = platforms[parts[1]] || stem == identifierText
		}
	}
	for platform, named := range platforms {
		if !named {
			c.find("F-BIN-1", "binaries/"+platform, "no library is called %s", identifierText)
		}
	}
}

func (c *checker) unitDefinitions() {
	c.units = map[string][]string{}
	for _, u := range c.root.all("UnitDefinitions", "Unit") {
		name := u.attribute("name")
		if _, twice := c.units[name]; twice {
			c.find("6.2", name, "the unit is defined twice")
		}
		c.units[name] = []string{}
		for _, d := range u.all("DisplayUnit") {
			c.units[name] = append(c.units[name], d.attribute("name"))
			if factor, err := strconv.ParseFloat(d.attribute("factor"), 64); d.has("factor") && (err != nil || factor == 0) {
				c.find("6.2", name, "display unit %s has the factor %q", d.attribute("name"), d.attribute("factor"))
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
	constant, fixed, discrete := variability == "constant", variability == "fixed" || variability == "tunable", variability == "discrete" || variability == "continuous"
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
		c.uses(v)
		c.unit(v)
		c.ranges(v)
	}
	if independent > 1 || independent == 0 && c.version == 3 {
		c.find("F-VAR-3", description, "%d independent variables; there must be one", independent)
	}
	for _, v := range c.list {
		if d := v.value.attribute("derivative"); d != "" {
			if state := c.byNumber[d]; state == nil || state.changes != "continuous" {
				c.find("F-VAR-8", v.attribute("name"), "derivative %s refers to no continuous variable", d)
			}
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

// uses checks causality, variability, initial and start.
func (c *checker) uses(v *checkedVariable) {
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
		c.find("6.1", name, "initial %q is not allowed for causality %s with variability %s", v.initial, v.causes, v.changes)
	}
	needed := v.causes == "input" || v.initial == "exact" || v.initial == "approx"
	switch {
	case needed && !v.starts && v.kind != "Clock":
		c.find("F-VAR-1", name, "the start value is missing")
	case v.starts && !needed:
		c.find("F-VAR-1", name, "a start value is not allowed")
	}
}

func (c *checker) unit(v *checkedVariable) {
	unit, display := v.value.attribute("unit"), v.value.attribute("displayUnit")
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
	number := func(name string) (float64, bool) {
		x, err := strconv.ParseFloat(v.value.attribute(name), 64)
		return x, err == nil && v.value.has(name)
	}
	low, hasLow := number("min")
	high, hasHigh := number("max")
	start, hasStart := number("start")
	if hasLow && hasHigh && low > high || hasLow && hasStart && start < low || hasHigh && hasStart && start > high {
		c.find("F-VAR-7", v.attribute("name"), "min %g, start %g and max %g are not in order", low, start, high)
	}
	if nominal, ok := number("nominal"); ok && nominal <= 0 {
		c.find("F-VAR-7", v.attribute("name"), "nominal %g must be above 0", nominal)
	}
}

// structure checks outputs, derivatives and initial unknowns.
func (c *checker) structure() {
	parts := map[int][3][]string{
		2: {{"ModelStructure", "Outputs", "Unknown"}, {"ModelStructure", "Derivatives", "Unknown"}, {"ModelStructure", "InitialUnknowns", "Unknown"}},
		3: {{"ModelStructure", "Output"}, {"ModelStructure", "ContinuousStateDerivative"}, {"ModelStructure", "InitialUnknown"}},
	}[c.version]
	var sets [3]map[*checkedVariable]bool
	for k, names := range parts {
		sets[k] = c.unknowns(names)
	}
	c.compare("F-MST-1", "Outputs", sets[0], func(v *checkedVariable) bool { return v.causes == "output" })
	states := map[*checkedVariable]bool{}
	for v := range sets[1] {
		if state := c.byNumber[v.value.attribute("derivative")]; state != nil {
			states[state] = true
		} else {
			c.find("F-MST-2", v.attribute("name"), "it is listed as a derivative but names no state")
		}
	}
	c.compare("F-MST-3", "InitialUnknowns", sets[2], func(v *checkedVariable) bool {
		if v.initial != "calculated" && v.initial != "approx" || v.kind == "Clock" {
			return false
		}
		return v.causes == "output" || v.causes == "calculatedParameter" || states[v] || sets[1][v]
	})
	for _, e := range c.root.all("ModelStructure", "EventIndicator") {
		if v := c.byNumber[e.attribute("valueReference")]; v == nil || v.changes != "continuous" || v.causes != "local" && v.causes != "output" {
			c.find("F-MST-4", e.attribute("valueReference"), "the event indicator is no continuous local or output")
		}
	}
}

// unknowns reads a list of the structure.
func (c *checker) unknowns(names []string) map[*checkedVariable]bool {
	set := map[*checkedVariable]bool{}
	place := strings.Join(names[1:], "/")
	reference := map[int]string{2: "index", 3: "valueReference"}[c.version]
	for _, e := range c.root.all(names...) {
		v := c.byNumber[e.attribute(reference)]
		if v == nil {
			c.find("F-MST-5", place, "%s %s is no variable", reference, e.attribute(reference))
			continue
		}
		if set[v] {
			c.find("F-MST-3", v.attribute("name"), "it comes twice in %s", place)
		}
		set[v] = true
		dependencies, kinds := strings.Fields(e.attribute("dependencies")), strings.Fields(e.attribute("dependenciesKind"))
		if e.has("dependenciesKind") && (!e.has("dependencies") || len(kinds) != len(dependencies)) {
			c.find("F-MST-5", v.attribute("name"), "%d kinds for %d dependencies in %s", len(kinds), len(dependencies), place)
		}
		for _, d := range dependencies {
			if c.byNumber[d] == nil {
				c.find("F-MST-5", v.attribute("name"), "its dependency %s in %s is no variable", d, place)
			}
		}
	}
	return set
}

// compare checks that a list holds exactly the variables it has to.
func (c *checker) compare(rule, place string, got map[*checkedVariable]bool, want func(*checkedVariable) bool) {
	for _, v := range c.list {
		switch {
		case want(v) && !got[v]:
			c.find(rule, v.attribute("name"), "it is missing in %s", place)
		case !want(v) && got[v]:
			c.find(rule, v.attribute("name"), "it does not belong to %s", place)
		}
	}
}

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
	if len(root.all("GraphicalRepresentation", "Icon")) > 0 && c.files["terminalsAndIcons/icon.png"] == nil {
		c.find("F-TER-4", file, "there is an icon but no icon.png")
	}
	seen := map[string]bool{}
	for _, t := range root.all("Terminals", "Terminal") {
		name := t.attribute("name")
		if seen[name] {
			c.find("F-TER-1", name, "the terminal comes twice")
		}
		seen[name] = true
		members := map[string]bool{}
		for _, m := range t.all("TerminalMemberVariable") {
			member, variable := m.attribute("memberName"), m.attribute("variableName")
			if c.byName[variable] == nil {
				c.find("F-TER-2", name, "its member %s names no variable: %q", member, variable)
			}
			if rule := t.attribute("matchingRule"); (rule == "plug" || rule == "bus") && (member == "" || members[member]) {
				c.find("F-TER-2", name, "member name %q is empty or comes twice", member)
			}
			members[member] = true
		}
	}
}
