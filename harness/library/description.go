package library

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"skidpad/fmu/archive"
)

// Kind tells numbers from texts.
type Kind uint8

// The kinds that the harness uses; others are read and left alone.
const (
	Number Kind = iota // of any size, an enumeration, or 0 and 1 for a Boolean
	Text
	Other
)

// Interface is an interface type of FMI.
type Interface uint8

// The interfaces, in order of preference.
const (
	CoSimulation Interface = iota
	ModelExchange
	ScheduledExecution
)

func (i Interface) String() string {
	return [...]string{"CoSimulation", "ModelExchange", "ScheduledExecution"}[i]
}

// Description holds the parts of a modelDescription.xml for an importer.
type Description struct {
	Version    int // of FMI: 2 or 3
	ModelName  string
	Token      string // GUID or instantiation token
	Tool       string // that made it, "" if unknown
	Interface  Interface
	Identifier string // of the libraries for this interface
	Variables  []Variable
	StopTime   float64 // s, of the default experiment
	Step       float64 // s
	Tolerance  float64 // of the default experiment, 0 without

	// Interpolates reports that inputs can be given rates (FMI 2.0).
	Interpolates bool
	// SavesState and SerializesState report that the state can be saved in memory and as bytes.
	SavesState, SerializesState bool
	// Alone reports that a process can have one instance only.
	Alone bool
	// NeedsTool reports that another program has to be there.
	NeedsTool bool
	// InternalStep is fixedInternalStepSize [s]: communication steps are multiples of it; 0 without (FMI 3.0).
	InternalStep float64
	// handlesEvents reports that the FMU has clocks, and events between communication steps (FMI 3.0).
	handlesEvents bool
	clocks        []clock  // periodic input clocks
	unticked      []string // other input clocks
	// CompletesSteps reports that the FMU wants to be told of completed steps of integrators (model exchange).
	CompletesSteps bool

	states, indicators int // of model exchange in FMI 2.0
	places             []location
}

// location is where the value of a variable is.
type location struct {
	reference  uint32
	base       base
	element    int  // of the values of the reference
	count      int  // of all values of the reference
	structural bool // it is a structural parameter
	dimension  bool // the size of an array follows from it
	continuous bool
}

// xmlDescription holds the elements of both versions.
type xmlDescription struct {
	XMLName            xml.Name `xml:"fmiModelDescription"`
	FmiVersion         string   `xml:"fmiVersion,attr"`
	ModelName          string   `xml:"modelName,attr"`
	GUID               string   `xml:"guid,attr"`
	Token              string   `xml:"instantiationToken,attr"`
	Tool               string   `xml:"generationTool,attr"`
	Indicators         string   `xml:"numberOfEventIndicators,attr"`
	CoSimulation       *xmlInterface
	ModelExchange      *xmlInterface
	ScheduledExecution *xmlInterface
	DefaultExperiment  struct {
		StopTime  string `xml:"stopTime,attr"`
		StepSize  string `xml:"stepSize,attr"`
		Tolerance string `xml:"tolerance,attr"`
	}
	ModelVariables struct {
		List []xmlVariable `xml:",any"`
	}
	ModelStructure struct {
		Derivatives struct {
			Unknown []struct{}
		}
	}
}

// xmlInterface holds the attributes of an interface.
type xmlInterface struct {
	Identifier      string `xml:"modelIdentifier,attr"`
	Interpolates    string `xml:"canInterpolateInputs,attr"`
	SavesState2     string `xml:"canGetAndSetFMUstate,attr"`
	SavesState3     string `xml:"canGetAndSetFMUState,attr"`
	Serializes2     string `xml:"canSerializeFMUstate,attr"`
	Serializes3     string `xml:"canSerializeFMUState,attr"`
	Alone           string `xml:"canBeInstantiatedOnlyOncePerProcess,attr"`
	NeedsTool       string `xml:"needsExecutionTool,attr"`
	InternalStep    string `xml:"fixedInternalStepSize,attr"`
	EventMode       string `xml:"hasEventMode,attr"`
	NeedsCompleted  string `xml:"needsCompletedIntegratorStep,attr"`
	NeedsCompleted2 string `xml:"completedIntegratorStepNotNeeded,attr"`
}

type xmlVariable struct {
	XMLName     xml.Name
	Name        string `xml:"name,attr"`
	Reference   string `xml:"valueReference,attr"`
	Description string `xml:"description,attr"`
	Causality   string `xml:"causality,attr"`
	Variability string `xml:"variability,attr"`
	Unit        string `xml:"unit,attr"`
	Start       string `xml:"start,attr"`
	xmlClock
	Dimensions []struct {
		Start     string `xml:"start,attr"`
		Reference string `xml:"valueReference,attr"`
	} `xml:"Dimension"`
	Aliases []struct {
		Name        string `xml:"name,attr"`
		Description string `xml:"description,attr"`
	} `xml:"Alias"`
	Real, Integer, Enumeration, Boolean, String *xmlType
}

// xmlType is the element of a variable's type in FMI 2.0.
type xmlType struct {
	Unit  string `xml:"unit,attr"`
	Start string `xml:"start,attr"`
}

func isTrue(text string) bool { return slices.Contains([]string{"true", "1"}, strings.TrimSpace(text)) }

// number reads a number as XML writes it; absent is 0.
func number(text string) float64 {
	x, _ := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return x
}

// ParseDescription reads a modelDescription.xml of FMI 2.0 or 3.0.
func ParseDescription(data []byte) (*Description, error) {
	var x xmlDescription
	document, _, err := archive.Decoder(data)
	if err != nil {
		return nil, fmt.Errorf("modelDescription.xml: %w", err)
	}
	if err := document.Decode(&x); err != nil {
		return nil, fmt.Errorf("modelDescription.xml: %w", err)
	}
	d := &Description{ModelName: x.ModelName, Token: x.GUID, Tool: x.Tool, Version: 2}
	switch {
	case x.FmiVersion == "2.0":
	case len(x.FmiVersion) >= 2 && x.FmiVersion[:2] == "3.":
		d.Version, d.Token = 3, x.Token
	default:
		return nil, fmt.Errorf("modelDescription.xml: fmiVersion %q; 2.0 and 3.0 can be used", x.FmiVersion)
	}
	if err := d.choose(&x); err != nil {
		return nil, fmt.Errorf("modelDescription.xml: %w", err)
	}
	d.StopTime, d.Step = number(x.DefaultExperiment.StopTime), number(x.DefaultExperiment.StepSize)
	d.Tolerance = number(x.DefaultExperiment.Tolerance)
	d.states, d.indicators = len(x.ModelStructure.Derivatives.Unknown), int(number(x.Indicators))
	if most := len(data); d.indicators < 0 || d.indicators > 1e6 || d.states > most {
		return nil, fmt.Errorf("modelDescription.xml: numberOfEventIndicators %q; at most 1000000 are read", x.Indicators)
	}
	return d, d.addVariables(x.ModelVariables.List)
}

// choose takes the interface that is used: the first one that the FMU has.
func (d *Description) choose(x *xmlDescription) error {
	of := x.CoSimulation
	switch {
	case of != nil:
	case x.ModelExchange != nil:
		of, d.Interface = x.ModelExchange, ModelExchange
	case x.ScheduledExecution != nil:
		of, d.Interface = x.ScheduledExecution, ScheduledExecution
	default:
		return errors.New("the FMU has no interface: no CoSimulation, ModelExchange or ScheduledExecution")
	}
	d.Identifier = of.Identifier
	if err := archive.CheckLibraryName(d.Identifier); err != nil { // before any path is made of it
		return fmt.Errorf("%v: %w", d.Interface, err)
	}
	d.Alone, d.NeedsTool = isTrue(of.Alone), isTrue(of.NeedsTool)
	if d.Version == 2 {
		d.Interpolates = isTrue(of.Interpolates)
		d.SavesState, d.SerializesState = isTrue(of.SavesState2), isTrue(of.Serializes2)
		d.CompletesSteps = !isTrue(of.NeedsCompleted2)
		return nil
	}
	d.SavesState, d.SerializesState = isTrue(of.SavesState3), isTrue(of.Serializes3)
	d.CompletesSteps, d.InternalStep = isTrue(of.NeedsCompleted), number(of.InternalStep)
	if d.Interface == CoSimulation && isTrue(of.EventMode) {
		d.addClocks(x.ModelVariables.List)
	}
	return nil
}

// mostElements bounds the elements of all arrays.
const mostElements = 1_000_000

// addVariables makes the variables; those of FMI 3.0 with dimensions become their elements.
func (d *Description) addVariables(list []xmlVariable) error {
	sizes, gives := map[string]string{}, map[string]bool{} // start values and dimensions, by value references
	for i := range list {
		v := &list[i]
		if v.XMLName.Local == "UInt64" {
			sizes[strings.TrimSpace(v.Reference)] = v.Start
		}
		for _, dimension := range v.Dimensions {
			gives[strings.TrimSpace(dimension.Reference)] = true
		}
	}
	for i := range list {
		v := &list[i]
		variable, at, err := v.variable(d.Version)
		if err != nil {
			return fmt.Errorf("modelDescription.xml: variable %q: %w", v.Name, err)
		}
		var dimensions []int
		for _, dimension := range v.Dimensions {
			text, of := dimension.Start, ""
			if dimension.Reference != "" {
				text, of = sizes[strings.TrimSpace(dimension.Reference)], " of value reference "+dimension.Reference
			}
			n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 31)
			if err != nil {
				return fmt.Errorf("modelDescription.xml: variable %q: dimension%s is %q, which is no size", v.Name, of, text)
			}
			if at.count *= int(n); at.count > mostElements || len(d.Variables)+at.count > mostElements+len(list) {
				return fmt.Errorf("modelDescription.xml: variable %q: arrays have more than %d elements", v.Name, mostElements)
			}
			dimensions = append(dimensions, int(n))
		}
		at.dimension = gives[strings.TrimSpace(v.Reference)]
		starts := v.starts(variable.Kind)
		names := append([]string{v.Name}, make([]string, len(v.Aliases))...)
		for k, alias := range v.Aliases {
			names[k+1] = alias.Name
		}
		for k, name := range names {
			if variable.Text = v.Description; k > 0 && v.Aliases[k-1].Description != "" {
				variable.Text = v.Aliases[k-1].Description
			}
			if err := d.add(name, variable, at, dimensions, starts); err != nil {
				return fmt.Errorf("modelDescription.xml: variable %q: %w", v.Name, err)
			}
		}
	}
	return nil
}

// add adds a variable, or the elements of an array: starts are its start values, one for all, or none.
func (d *Description) add(name string, v Variable, at location, dimensions []int, starts []string) error {
	index := make([]int, len(dimensions))
	for at.element = range at.count {
		if v.Name = name; len(dimensions) > 0 {
			v.Name = element(name, index)
		}
		if n := len(starts); n > 0 {
			of := at.element
			if n == 1 {
				of = 0 // one for all
			}
			if of >= n {
				return fmt.Errorf("%d start values for %d elements", n, at.count)
			}
			var err error
			if v.Start, err = at.base.parse(starts[of]); err != nil {
				return err
			}
		}
		v.Reference = uint32(len(d.Variables))
		d.Variables, d.places = append(d.Variables, v), append(d.places, at)
		for k := len(index) - 1; k >= 0; k-- { // the last index changes first
			if index[k]++; index[k] < dimensions[k] {
				break
			}
			index[k] = 0
		}
	}
	return nil
}

// element is the name of an element of an array, as the structured names of FMI write it.
func element(array string, index []int) string {
	var b strings.Builder
	b.WriteString(array)
	for k, i := range index {
		b.WriteByte("[,"[min(k, 1)])
		b.WriteString(strconv.Itoa(i + 1))
	}
	b.WriteByte(']')
	return b.String()
}

// variable reads what all elements share.
func (v *xmlVariable) variable(version int) (Variable, location, error) {
	reference, err := strconv.ParseUint(strings.TrimSpace(v.Reference), 10, 32)
	if err != nil {
		return Variable{}, location{}, fmt.Errorf("value reference %q is not a number", v.Reference)
	}
	r := Variable{Unit: v.Unit, Causality: Local, independent: v.Causality == "independent"}
	at := location{reference: uint32(reference), base: baseCalled(v.typeName(version), version), count: 1,
		structural: v.Causality == "structuralParameter"}
	switch at.base {
	case text:
		r.Kind = Text
	case other:
		r.Kind = Other
	}
	if version == 2 && v.Real != nil {
		r.Unit = v.Real.Unit
	}
	at.continuous = at.base.float() && (v.Variability == "" || v.Variability == "continuous")
	switch v.Causality {
	case "parameter", "structuralParameter":
		if r.Causality = Parameter; v.Variability == "tunable" && !at.structural {
			r.Causality = Tunable
		}
	case "input":
		r.Causality = Input
	case "output":
		r.Causality = Output
	}
	return r, at, nil
}

// typeName is the name of the variable's type in the version.
func (v *xmlVariable) typeName(version int) string {
	switch {
	case version == 3:
		return v.XMLName.Local
	case v.Real != nil:
		return "Real"
	case v.Integer != nil:
		return "Integer"
	case v.Enumeration != nil:
		return "Enumeration"
	case v.Boolean != nil:
		return "Boolean"
	case v.String != nil:
		return "String"
	}
	return ""
}

// starts are the start values of numbers, as they are written.
func (v *xmlVariable) starts(kind Kind) []string {
	if kind != Number {
		return nil
	}
	start := v.Start
	for _, of := range []*xmlType{v.Real, v.Integer, v.Enumeration, v.Boolean} {
		if of != nil {
			start = of.Start
		}
	}
	return strings.Fields(start)
}
