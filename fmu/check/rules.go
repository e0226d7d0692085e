package check

import "fmt"

// Grade says how much a finding matters.
type Grade string

// The grades. An FMU with errors breaks the standard; warnings and hints break nothing.
const (
	Error   Grade = "error"   // the standard says "must", "is not allowed", "it is an error", or its schema does
	Warning Grade = "warning" // the standard recommends otherwise, or importers are known to stumble over it
	Hint    Grade = "hint"    // worth knowing
)

// Rule is a requirement on an FMU or on a system.
type Rule struct {
	ID       string
	Grade    Grade
	Two      string // clause of FMI 2.0.5; empty where it has none
	Three    string // clause of FMI 3.0.2
	System   string // clause of SSP 2.0
	Requires string
}

// Rules are all rules, in the order of their documentation.
var Rules = []Rule{
	{"F-ZIP", Error, "2.3", "2.5", "",
		"entries are stored or deflated, not encrypted, no links, deflated where their size comes behind " +
			"them, and need version 2.0 of zip at most"},
	{"F-ZIP-4", Error, "2.3", "2.5", "", "names are clean relative paths with / between folders; none comes twice"},
	{"F-ZIP-5", Warning, "2.3", "2.5", "", "names have ASCII letters, no colon and no dot at the beginning"},
	{"F-BIN-1", Error, "3.3.1, 4.3.1", "2.4.2", "", "modelIdentifier is an identifier of C that can name a file"},
	{"F-BIN-2", Warning, "2.3", "2.5.1.4", "", "a platform that has libraries has one that is called modelIdentifier"},
	{"F-BIN-3", Error, "2.3", "2.5", "", "there are sources, or a library for at least one platform"},
	{"F-BIN-5", Error, "", "2.5.1.4.1", "", "platforms are called like x86_64-linux"},
	{"F-SRC-1", Error, "2.3", "2.4.10", "", "source files that are listed exist, where there is no library"},
	{"F-SRC-2", Warning, "2.3", "2.4.10", "", "source files that are listed exist beside a library, too"},
	{"F-SRC-3", Warning, "2.3", "2.4.10", "",
		"each file of C or C++ in the folder sources is listed, for each interface, or included by one that is listed"},
	{"F-SRC-4", Warning, "2.3", "2.4.10", "",
		"buildDescription.xml has a configuration for each modelIdentifier, and fmiVersion 3.0 (FMI 3.0: that of the " +
			"model description)"},
	{"F-SRC-5", Error, "2.3", "2.5.1.3", "",
		"the C compiler of this machine, where there is one, takes the sources with the headers of the standard, " +
			"where there is no library"},
	{"F-SRC-6", Warning, "2.3", "2.5.1.3", "", "the C compiler takes the sources beside a library, too"},
	{"F-XML-1", Error, "2.2", "2.4", "",
		"numbers, flags and dates are written as XML Schema says; FMI 2.0: without INF and NaN"},
	{"F-XML-2", Error, "2.2.1", "2.4.1", "",
		"elements that are needed exist, in the order of the schema; lists are not empty"},
	{"F-XML-3", Warning, "2.2", "2.4", "",
		"the encoding is UTF-8: the standard requires it, and importers read what is declared"},
	{"F-XML-4", Error, "2.2", "2.4", "", "there are no elements and attributes that the schema does not know"},
	{"F-XML-5", Error, "2.2.1", "2.4.1", "", "modelName and guid (FMI 3.0: instantiationToken) exist"},
	{"F-XML-6", Warning, "", "2.4.2", "",
		"flags of interfaces are those of the standard; a later version may add some"},
	{"F-XML-7", Error, "2.2.1", "2.4.1", "", "there is ModelExchange, CoSimulation or ScheduledExecution"},
	{"F-XML-8", Hint, "2.2", "2.4", "", "there is no xsi:schemaLocation, which some importers try to load"},
	{"F-XML-9", Warning, "2.2.1", "2.4.1", "",
		"generationDateAndTime is YYYY-MM-DDThh:mm:ssZ; fractions and other zones are dates of the " +
			"schema, too"},
	{"F-XML-10", Warning, "2.2.1", "2.4.1", "", "modelName and guid (FMI 3.0: instantiationToken) are not empty"},
	{"F-XML-11", Error, "2.2.1", "", "", "fmiVersion of FMI 2.0 has no patch level"},
	{"F-LOG-1", Error, "2.2.4", "2.4.5", "", "log categories have different names"},
	{"F-EXP-1", Warning, "2.2.5", "2.4.6", "",
		"the stop is after the start, the tolerance above 0, the step between 0 and the duration"},
	{"F-FLG-1", Error, "3.3.1, 4.3.1", "2.4.2", "", "canSerializeFMUState needs canGetAndSetFMUState"},
	{"F-FLG-2", Error, "", "4.4", "", "canReturnEarlyAfterIntermediateUpdate needs providesIntermediateUpdate"},
	{"F-FLG-3", Warning, "", "4.4", "", "fixedInternalStepSize is above 0"},
	{"F-UNI-1", Error, "2.2.2", "2.4.3", "", "units, and display units of a unit, have different names"},
	{"F-UNI-2", Warning, "2.2.2", "2.4.3", "", "factors of units are not 0"},
	{"F-UNI-3", Error, "", "2.4.3", "", "an inverse display unit has no offset"},
	{"F-UNI-4", Error, "", "2.4.7.5", "", "units and display units of variables are defined"},
	{"F-UNI-5", Warning, "2.2.3", "", "", "units and display units of variables are defined"},
	{"F-UNI-6", Error, "2.2.3", "2.4.7.5", "", "a display unit has a unit, which is defined"},
	{"F-TYP-1", Error, "2.2.3", "2.4.4", "", "types have different names, which are not those of variables"},
	{"F-TYP-2", Error, "2.2.3", "2.4.4", "", "an enumeration has items, with different names and values"},
	{"F-TYP-3", Error, "2.2.7", "2.4.7.5", "", "a declaredType is defined; enumerations have one"},
	{"F-VAR-1", Error, "2.2.7", "2.4.7.5", "",
		"inputs, parameters, constants and what is initially exact or approx have a start value; what is " +
			"calculated, and the independent variable, have none"},
	{"F-VAR-2", Error, "2.2.7", "2.4.7.4", "", "floats alone are continuous"},
	{"F-VAR-3", Error, "2.2.7", "2.4.7.4", "", "there is one independent variable; FMI 2.0: one at most"},
	{"F-VAR-4", Error, "2.2.7", "2.4.7.4", "", "value references are numbers below 2^32; FMI 3.0: different ones"},
	{"F-VAR-5", Error, "2.2.7", "2.4.7.4", "", "names of variables and aliases are different and not empty"},
	{"F-VAR-6", Warning, "2.2.9", "2.4.7.5.1", "", "names are structured where the FMU says so"},
	{"F-VAR-7", Warning, "2.2.3", "2.4.4", "", "min, start and max are in this order, nominal is above 0"},
	{"F-VAR-8", Error, "2.2.7", "2.4.7.5", "", "derivative is the number of a variable; reinit belongs to states"},
	{"F-VAR-9", Error, "2.2.7", "2.4.7.4", "",
		"canHandleMultipleSetPerTimeInstant belongs to inputs; FMI 2.0: not of FMUs for co-simulation " +
			"alone, as reinit"},
	{"F-VAR-10", Error, "", "2.4.7.2", "",
		"dimensions have a size or a structural parameter or constant of type UInt64, above 0; there are " +
			"as many start values as elements, or one"},
	{"F-VAR-11", Error, "2.2.7", "2.4.7.4", "",
		"causality, variability and initial go together as the tables of the standard say"},
	{"F-VAR-12", Warning, "2.2.7", "", "",
		"variability is written for parameters and for what is not Real: its default is continuous"},
	{"F-VAR-13", Warning, "2.2.7", "2.4.7.4", "",
		"value references are below 2^31: some importers read them with a sign"},
	{"F-VAR-14", Error, "2.2.7", "", "",
		"of variables with one value reference one has a start value at most, or all are constants with " +
			"the same"},
	{"F-VAR-15", Error, "", "2.4.7.4", "", "intermediateUpdate belongs to continuous variables"},
	{"F-VAR-16", Warning, "2.2.7", "2.4.7.5", "", "a derivative is one of a continuous variable"},
	{"F-CLK-1", Error, "", "2.4.7.4", "", "the attribute clocks names clocks; a clocked variable is discrete or tunable"},
	{"F-CLK-2", Error, "", "2.4.7.4", "",
		"only a clocked discrete variable has the attribute previous; it names another discrete variable of " +
			"the same type, once"},
	{"F-CLK-3", Error, "", "2.4.4", "",
		"intervalVariability is known; intervalDecimal is above 0, for constant, fixed and tunable " +
			"clocks only; input clocks of scheduled execution have a priority, outputs have none"},
	{"F-MST-1", Error, "2.2.8", "2.4.8", "", "the outputs are all variables with causality output"},
	{"F-MST-2", Error, "2.2.8", "2.4.8", "", "what is listed as derivative has the attribute derivative"},
	{"F-MST-3", Warning, "2.2.8", "2.4.8", "",
		"the initial unknowns are the outputs, states and derivatives that are initially calculated or " +
			"approx, and the calculated parameters"},
	{"F-MST-4", Error, "", "2.4.8", "",
		"event indicators are continuous floats, local or output, and no initial unknowns"},
	{"F-MST-5", Error, "2.2.8", "2.4.8", "",
		"numbers of the structure are those of variables; kinds of dependencies are known, and as many " +
			"as dependencies"},
	{"F-MST-6", Error, "2.2.8", "2.4.8", "",
		"nothing is listed twice; initial unknowns of FMI 2.0 are in the order of variables"},
	{"F-MST-7", Warning, "2.2.8", "2.4.8", "",
		"dependencies are inputs, states, time, parameters and, initially, what is exact; none comes " +
			"twice"},
	{"F-MST-8", Error, "2.2.1", "", "", "numberOfEventIndicators is a count"},
	{"F-MST-9", Error, "", "2.4.8", "", "clocked states have the attributes previous and clocks"},
	{"F-TER-1", Error, "2.3", "2.4.9", "",
		"terminalsAndIcons.xml can be read and has fmiVersion 3.0; terminals of one level have different " +
			"names"},
	{"F-TER-2", Error, "2.3", "2.4.9.2", "",
		"members of terminals name inputs, outputs, parameters or calculated parameters; members of " +
			"plugs and buses have different names"},
	{"F-TER-3", Error, "2.3", "2.4.9.2", "",
		"matchingRule is plug, bus, sequence, none, or a reversed domain with its name"},
	{"F-TER-4", Error, "2.3", "2.4.9.1", "",
		"corners are numbers, those of the coordinate system in order; terminals that are drawn have a " +
			"PNG file"},
	{"F-TER-5", Warning, "2.3", "2.4.9.1", "", "an icon has the file icon.png and an area"},
	{"F-TER-6", Warning, "2.3", "2.4.9.2", "", "variableKind is signal, inflow or outflow"},
	{"F-TER-7", Warning, "", "2.4.9", "", "terminalsAndIcons.xml has the fmiVersion of the model description"},
	{"F-DOC-1", Error, "", "2.5.1.1.1", "", "documentation/licenses has license.txt, license.html or license.spdx"},
	{"S-1", Error, "", "", "3", "SystemStructure.ssd exists and is a SystemStructureDescription"},
	{"S-2", Error, "", "", "5.4", "files that the system names exist in the package"},
	{"S-3", Error, "", "", "5.2", "elements, connectors and variants of the structure have names that differ"},
	{"S-4", Error, "", "", "5.3.2",
		"connections lead from elements and connectors to others that exist, in the direction of their " +
			"kinds"},
	{"S-5", Error, "", "", "5.2.1", "connectors of a component are variables of its FMU, with the same causality"},
	{"S-6", Error, "", "", "5.3.2.1", "an input has one connection at most"},
	{"S-7", Hint, "", "", "5.4", "parts that lie elsewhere on the network or are no FMUs are not looked at"},
}

// rule finds a rule by its ID.
func rule(id string) Rule {
	for _, r := range Rules {
		if r.ID == id {
			return r
		}
	}
	panic("check: no rule " + id)
}

// Finding is a broken rule with the place in the FMU or system, and with a text. Findings about the calls of a library
// have no rule; in a package, their place is the FMU.
type Finding struct {
	Grade  Grade  `json:"grade"`
	Rule   string `json:"rule,omitempty"`
	Clause string `json:"clause,omitempty"`
	Place  string `json:"place,omitempty"`
	Text   string `json:"text"`
}

func (f Finding) String() string {
	prefix := ""
	if f.Place != "" {
		prefix = f.Place + ": "
	}
	if f.Rule == "" {
		return fmt.Sprintf("%s: %s%s", f.Grade, prefix, f.Text)
	}
	of := f.Rule
	if f.Clause != "" {
		of += ", " + f.Clause
	}
	return fmt.Sprintf("%s: %s%s (%s)", f.Grade, prefix, f.Text, of)
}

// Count is how many findings have a grade.
func Count(findings []Finding, grade Grade) int {
	n := 0
	for _, f := range findings {
		if f.Grade == grade {
			n++
		}
	}
	return n
}
