package check

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// rootOrder holds the elements of the root, in the required order.
var rootOrder = map[int][]string{
	2: {"ModelExchange", "CoSimulation", "UnitDefinitions", "TypeDefinitions", "LogCategories", "DefaultExperiment",
		"VendorAnnotations", "ModelVariables", "ModelStructure"},
	3: {"ModelExchange", "CoSimulation", "ScheduledExecution", "UnitDefinitions", "TypeDefinitions", "LogCategories",
		"DefaultExperiment", "ModelVariables", "ModelStructure", "Annotations"},
}

const (
	rootAttributes = "fmiVersion modelName description author version copyright license generationTool " +
		"generationDateAndTime variableNamingConvention "
	sharedAttributes2 = "modelIdentifier needsExecutionTool canBeInstantiatedOnlyOncePerProcess " +
		"canNotUseMemoryManagementFunctions canGetAndSetFMUstate canSerializeFMUstate providesDirectionalDerivative "
	sharedAttributes3 = "modelIdentifier needsExecutionTool canBeInstantiatedOnlyOncePerProcess " +
		"canGetAndSetFMUState canSerializeFMUState providesDirectionalDerivatives providesAdjointDerivatives " +
		"providesPerElementDependencies "
	variable2 = "name valueReference description causality variability initial canHandleMultipleSetPerTimeInstant"
	variable3 = "name valueReference description causality variability canHandleMultipleSetPerTimeInstant " +
		"clocks intermediateUpdate previous declaredType initial "
	realAttributes  = "quantity unit displayUnit relativeQuantity unbounded min max nominal start derivative reinit "
	wholeAttributes = "quantity min max start "
)

// attributes lists the attributes of those elements whose attributes are checked; elements of FMI 3.0 that are missing
// in its list are integer variables.
var attributes = map[int]map[string]string{
	2: {
		"fmiModelDescription": rootAttributes + "guid numberOfEventIndicators",
		"ModelExchange":       sharedAttributes2 + "completedIntegratorStepNotNeeded",
		"CoSimulation": sharedAttributes2 + "canHandleVariableCommunicationStepSize canInterpolateInputs " +
			"maxOutputDerivativeOrder canRunAsynchronuously",
		"DefaultExperiment": "startTime stopTime tolerance stepSize",
		"ScalarVariable":    variable2,
		"Real":              "declaredType " + realAttributes,
		"Integer":           "declaredType " + wholeAttributes,
		"Enumeration":       "declaredType " + wholeAttributes,
		"Boolean":           "declaredType start",
		"String":            "declaredType start",
	},
	3: {
		"fmiModelDescription": rootAttributes + "instantiationToken",
		"ModelExchange":       sharedAttributes3 + "needsCompletedIntegratorStep providesEvaluateDiscreteStates",
		"CoSimulation": sharedAttributes3 + "canHandleVariableCommunicationStepSize fixedInternalStepSize " +
			"maxOutputDerivativeOrder recommendedIntermediateInputSmoothness " +
			"providesIntermediateUpdate mightReturnEarlyFromDoStep canReturnEarlyAfterIntermediateUpdate " +
			"hasEventMode providesEvaluateDiscreteStates",
		"ScheduledExecution": sharedAttributes3,
		"DefaultExperiment":  "startTime stopTime tolerance stepSize",
		"Float64":            variable3 + realAttributes,
		"Float32":            variable3 + realAttributes,
		"Boolean":            variable3 + "start",
		"String":             variable3,
		"Binary":             variable3 + "mimeType maxSize",
		"Clock": variable3 + "canBeDeactivated priority intervalVariability intervalDecimal shiftDecimal " +
			"supportsFraction resolution intervalCounter " +
			"shiftCounter",
	},
}

// wholeNumbers holds the sizes of whole numbers in bits; below 0 for those without sign.
var wholeNumbers = map[int]map[string]int{
	2: {"Integer": 32, "Enumeration": 32},
	3: {"Int8": 8, "UInt8": -8, "Int16": 16, "UInt16": -16, "Int32": 32, "UInt32": -32, "Int64": 64, "UInt64": -64,
		"Enumeration": 64},
}

// schema checks the presence and the order of elements, and their attributes.
func (c *checker) schema() {
	last := -1
	for _, e := range c.root.children {
		k := slices.Index(rootOrder[c.version], e.name)
		switch {
		case k < 0:
			c.find("F-XML-4", description, "FMI %d.0 has no element %s", c.version, e.name)
			continue
		case k == last:
			c.find("F-XML-2", description, "%s comes twice", e.name)
		case c.version == 2 && k == 0 && last == 1: // the schema allows both orders of the interfaces
		case k < last:
			c.find("F-XML-2", description, "%s comes after %s; the order is %s", e.name, rootOrder[c.version][last],
				strings.Join(rootOrder[c.version], ", "))
		}
		last = max(last, k)
		if len(e.children) == 0 && (strings.HasSuffix(e.name, "Definitions") || e.name == "LogCategories") {
			c.find("F-XML-2", description, "the list %s is empty", e.name)
		}
		c.attributes(e, e.name)
	}
	for _, a := range c.root.attributes {
		if strings.HasSuffix(a.Name.Local, "chemaLocation") && a.Name.Space == schemaInstance {
			c.find("F-XML-8", description, "xsi:%s is not needed, and some importers try to load what it names", a.Name.Local)
		}
	}
	for _, list := range []string{"Outputs", "Derivatives", "InitialUnknowns"} { // of FMI 2.0
		for _, e := range c.root.all("ModelStructure", list) {
			if len(e.children) == 0 {
				c.find("F-XML-2", description, "the list %s is empty", list)
			}
		}
	}
	for _, needed := range []string{"ModelVariables", "ModelStructure"} {
		if len(c.root.all(needed)) == 0 {
			c.find("F-XML-2", description, "%s is missing", needed)
		}
	}
	c.attributes(c.root, description)
	for _, e := range c.modelVariables() {
		if !c.isVariable(e) {
			c.find("F-XML-4", e.attribute("name"), "FMI %d.0 has no variables called %s", c.version, e.name)
		}
		c.attributes(e, e.attribute("name"))
		if c.version == 2 && len(e.children) > 0 {
			c.attributes(e.children[0], e.attribute("name"))
		}
	}
}

// isVariable reports whether an element is a variable of a type that the standard has.
func (c *checker) isVariable(e *element) bool {
	if c.version == 2 {
		return e.name == "ScalarVariable"
	}
	_, listed := attributes[3][e.name]
	return wholeNumbers[3][e.name] != 0 || listed && !slices.Contains(rootOrder[3], e.name) && e.name != c.root.name
}

// attributes checks that an element has no unknown attributes, and that flags are flags.
func (c *checker) attributes(e *element, location string) {
	text, checked := attributes[c.version][e.name]
	if c.version == 3 && wholeNumbers[3][e.name] != 0 {
		text, checked = variable3+wholeAttributes, true
	}
	if !checked {
		return
	}
	known := strings.Fields(text)
	for _, a := range e.attributes {
		foreign := a.Name.Space != "" && a.Name.Space != schemaInstance
		if foreign && (c.version == 2 || !slices.Contains(interfaceKinds, e.name)) { // where the schema allows any
			c.find("F-XML-4", location, "%s has an attribute %s of the namespace %s", e.name, a.Name.Local, a.Name.Space)
		}
	}
	for _, name := range e.attributeNames() {
		value := e.attribute(name)
		switch {
		case !slices.Contains(known, name):
			id := "F-XML-4"
			if c.version == 3 && slices.Contains(interfaceKinds, e.name) && !strings.Contains(attributes[2][e.name], name) {
				id = "F-XML-6" // which a later version may define
			}
			c.find(id, location, "%s has no attribute %s in FMI %d.0", e.name, name, c.version)
		case flagNames.MatchString(name) && !isBoolean(value):
			c.find("F-XML-1", location, "%s %q must be true or false", name, value)
		}
	}
}

var flagNames = regexp.MustCompile(
	`^(can[A-Z].*|provides.*|needs[A-Z].*|hasEventMode|mightReturn.*|completedIntegratorStepNotNeeded|reinit|` +
		`relativeQuantity|unbounded|intermediateUpdate|supportsFraction)$`)

func isBoolean(text string) bool {
	return slices.Contains([]string{"true", "false", "1", "0"}, strings.TrimSpace(text))
}

func isTrue(text string) bool { return slices.Contains([]string{"true", "1"}, strings.TrimSpace(text)) }

var decimalNumber = regexp.MustCompile(`^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$|^-?INF$|^NaN$`)

// xmlNumber reads a number as XML Schema spells it: no +INF, no hexadecimal digits. One beyond the largest number, as
// tools round that to fewer digits, is infinite.
func xmlNumber(text string) (float64, bool) {
	text = strings.TrimSpace(text)
	if !decimalNumber.MatchString(text) {
		return 0, false
	}
	x, err := strconv.ParseFloat(text, 64)
	return x, err == nil || errors.Is(err, strconv.ErrRange)
}

// isValue reports whether a text is a value of a type.
func (c *checker) isValue(kind, text string) bool {
	text = strings.TrimSpace(text)
	bits, whole := wholeNumbers[c.version][kind]
	switch {
	case whole && bits < 0:
		_, err := strconv.ParseUint(strings.TrimPrefix(text, "+"), 10, -bits)
		return err == nil
	case whole:
		_, err := strconv.ParseInt(text, 10, bits)
		return err == nil
	case kind == "Boolean":
		return isBoolean(text)
	case slices.Contains(floats, kind):
		_, ok := xmlNumber(text)
		return ok && (c.version == 3 || !strings.Contains(text, "N")) // FMI 2.0 allows neither INF nor NaN
	}
	return true // texts
}
