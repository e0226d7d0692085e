package fmu

import (
	"io"
	"slices"

	"skidpad/fmu/markup"
)

// ModelDescription2 writes modelDescription.xml of FMI 2.0 for co-simulation and, where that is
// possible, model exchange. identifier names the libraries.
func (t *Table) ModelDescription2(w io.Writer, identifier string, about About) error {
	d := markup.New(w)
	d.Begin("fmiModelDescription",
		"fmiVersion", "2.0", "modelName", t.Name, "guid", t.Token, "description", t.description(),
		"version", about.Version,
		"generationTool", "Skidpad "+about.Version, "generationDateAndTime", about.Date(),
		"variableNamingConvention", "structured", "numberOfEventIndicators", decimal(len(t.Indicators)))
	shared := []string{
		"modelIdentifier", identifier, "needsExecutionTool", "false", "canBeInstantiatedOnlyOncePerProcess", "false",
		"canNotUseMemoryManagementFunctions", "true", "canGetAndSetFMUstate", "true", "canSerializeFMUstate", "true",
		"providesDirectionalDerivative", "true",
	}
	if !t.HasDiscreteContacts {
		t.interface2(d, "ModelExchange", append([]string{"completedIntegratorStepNotNeeded", "true"}, shared...))
	}
	t.interface2(d, "CoSimulation", append([]string{
		"canHandleVariableCommunicationStepSize", "true", "canInterpolateInputs", "true",
		"maxOutputDerivativeOrder", "1",
		"canRunAsynchronuously", "false",
	}, shared...))
	writeCommon(d, t)
	if len(t.Origins) > 0 {
		d.Begin("VendorAnnotations")
		d.Begin("Tool", "name", originsType)
		writeOrigins(d, t)
		d.End()
		d.End()
	}
	d.Begin("ModelVariables")
	for i := range t.Variables {
		t.Variables[i].write2(d)
	}
	d.End()
	d.Begin("ModelStructure")
	for _, part := range []struct {
		name     string
		unknowns []Unknown
	}{{"Outputs", t.Outputs}, {"Derivatives", t.Derivatives}, {"InitialUnknowns", t.Initial}} {
		if len(part.unknowns) == 0 {
			continue
		}
		d.Begin(part.name)
		for _, u := range part.unknowns {
			d.Leaf("Unknown", "index", decimal(u.Reference+1), "dependencies", list(u.Dependencies, 1),
				"dependenciesKind", kinds(len(u.Dependencies)))
		}
		d.End()
	}
	d.End()
	d.End()
	return d.Flush()
}

// write2 writes a variable of FMI 2.0.
func (v *Variable) write2(d *markup.Writer) {
	d.Begin("ScalarVariable", "name", v.Name, "valueReference", decimal(v.Reference), "description", v.Description,
		"causality", v.Causality.String(), "variability", v.Variability.String(), "initial", v.initialWord())
	switch v.Type {
	case Boolean:
		d.Leaf("Boolean")
	case String:
		d.Leaf("String", "start", v.StartText+markup.Explicit)
	default:
		start, derivative := "", ""
		if v.HasStart() {
			start = markup.Number(v.Start)
		}
		if v.Derivative {
			derivative = decimal(v.State + 1)
		}
		d.Leaf("Real", slices.Concat([]string{"unit", v.Unit, "displayUnit", v.display()}, v.rangeAttributes(),
			[]string{"start", start, "derivative", derivative})...)
	}
	d.End()
}
