package library

import (
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"skidpad/fmu/archive"
)

// Kind is the base type of a variable of an FMU.
type Kind uint8

// The kinds that the harness uses; others are read and left alone.
const (
	Number Kind = iota
	Boolean
	Text
	Other
)

// Description is what an importer needs of a modelDescription.xml.
type Description struct {
	Version    int // of FMI: 2 or 3
	ModelName  string
	Identifier string // of the libraries for co-simulation
	// Interpolates reports that inputs can be given rates (FMI 2.0).
	Interpolates bool
	Token        string // GUID or instantiation token
	Variables    []Variable
	StopTime     float64 // s, of the default experiment
	Step         float64 // s
}

// xmlDescription holds the elements of both versions.
type xmlDescription struct {
	XMLName      xml.Name `xml:"fmiModelDescription"`
	FmiVersion   string   `xml:"fmiVersion,attr"`
	ModelName    string   `xml:"modelName,attr"`
	GUID         string   `xml:"guid,attr"`
	Token        string   `xml:"instantiationToken,attr"`
	CoSimulation *struct {
		Identifier   string `xml:"modelIdentifier,attr"`
		Interpolates string `xml:"canInterpolateInputs,attr"`
	}
	DefaultExperiment struct {
		StopTime string `xml:"stopTime,attr"`
		StepSize string `xml:"stepSize,attr"`
	}
	ModelVariables struct {
		List []xmlVariable `xml:",any"`
	}
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
	Real        *struct {
		Unit  string `xml:"unit,attr"`
		Start string `xml:"start,attr"`
	}
	Boolean, String *struct{}
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
	d := &Description{ModelName: x.ModelName, Token: x.GUID, Version: 2}
	switch {
	case x.FmiVersion == "2.0":
	case len(x.FmiVersion) >= 2 && x.FmiVersion[:2] == "3.":
		d.Version, d.Token = 3, x.Token
	default:
		return nil, fmt.Errorf("modelDescription.xml: fmiVersion %q; 2.0 and 3.0 can be used", x.FmiVersion)
	}
	if x.CoSimulation == nil {
		return nil, errors.New("modelDescription.xml: the FMU has no CoSimulation")
	}
	d.Identifier = x.CoSimulation.Identifier
	if err := archive.CheckIdentifier(d.Identifier); err != nil { // before any path is made of it
		return nil, fmt.Errorf("modelDescription.xml: CoSimulation: %w", err)
	}
	d.Interpolates = d.Version == 2 && slices.Contains([]string{"true", "1"}, x.CoSimulation.Interpolates)
	d.StopTime, _ = strconv.ParseFloat(x.DefaultExperiment.StopTime, 64) // absent is 0
	d.Step, _ = strconv.ParseFloat(x.DefaultExperiment.StepSize, 64)
	for _, v := range x.ModelVariables.List {
		variable, err := v.variable(d.Version)
		if err != nil {
			return nil, fmt.Errorf("modelDescription.xml: variable %q: %w", v.Name, err)
		}
		d.Variables = append(d.Variables, variable)
	}
	return d, nil
}

func (v *xmlVariable) variable(version int) (Variable, error) {
	reference, err := strconv.ParseUint(v.Reference, 10, 32)
	if err != nil {
		return Variable{}, fmt.Errorf("value reference %q is not a number", v.Reference)
	}
	r := Variable{Name: v.Name, Text: v.Description, Unit: v.Unit, Reference: uint32(reference), Causality: Local,
		Kind: Other}
	start := v.Start
	switch {
	case version == 2 && v.Real != nil:
		r.Kind, r.Unit, start = Number, v.Real.Unit, v.Real.Start
	case version == 3 && v.XMLName.Local == "Float64":
		r.Kind = Number
	case version == 2 && v.Boolean != nil, version == 3 && v.XMLName.Local == "Boolean":
		r.Kind, start = Boolean, ""
	case version == 2 && v.String != nil, version == 3 && v.XMLName.Local == "String":
		r.Kind, start = Text, ""
	default:
		start = ""
	}
	switch v.Causality {
	case "parameter", "structuralParameter":
		if r.Causality = Parameter; v.Variability == "tunable" {
			r.Causality = Tunable
		}
	case "input":
		r.Causality = Input
	case "output":
		r.Causality = Output
	}
	if start != "" {
		if r.Start, err = strconv.ParseFloat(start, 64); err != nil {
			return Variable{}, fmt.Errorf("start value %q is not a number", start)
		}
	}
	return r, nil
}
