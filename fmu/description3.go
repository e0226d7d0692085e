package fmu

import (
	"io"
	"slices"

	"skidpad/fmu/markup"
)

// ModelDescription3 writes modelDescription.xml of FMI 3.0 for co-simulation and, where that is
// possible, model exchange. identifier names the libraries.
func (t *Table) ModelDescription3(w io.Writer, identifier string, about About) error {
	d := markup.New(w)
	d.Begin("fmiModelDescription",
		"fmiVersion", "3.0", "modelName", t.Name, "instantiationToken", t.Token, "description", t.description(),
		"version", about.Version,
		"generationTool", "Skidpad "+about.Version, "generationDateAndTime", about.Date(),
		"variableNamingConvention", "structured")
	own := t.inLibraries("true")
	shared := []string{
		"modelIdentifier", identifier, "needsExecutionTool", "false", "canBeInstantiatedOnlyOncePerProcess", "false",
		"canGetAndSetFMUState", "true", "canSerializeFMUState", "true", "providesDirectionalDerivatives", "true",
		"providesAdjointDerivatives", "true", "providesPerElementDependencies", "false",
	}
	if !t.HasDiscreteContacts {
		d.Leaf("ModelExchange", append(shared[:len(shared):len(shared)], "needsCompletedIntegratorStep", "false",
			"providesEvaluateDiscreteStates", "true")...)
	}
	fixed := ""
	if t.HasDiscreteContacts { // communication steps are integer multiples of the solver's
		fixed = markup.Number(t.Step)
	}
	d.Leaf("CoSimulation", append(shared[:len(shared):len(shared)],
		"canHandleVariableCommunicationStepSize", "true", "fixedInternalStepSize", fixed,
		"maxOutputDerivativeOrder", "1", "providesIntermediateUpdate", own,
		"mightReturnEarlyFromDoStep", own, "canReturnEarlyAfterIntermediateUpdate", own, "hasEventMode", own,
		"providesEvaluateDiscreteStates", "true")...)
	writeCommon(d, t)
	d.Begin("ModelVariables")
	for i := range t.Variables {
		t.variable3(d, &t.Variables[i])
	}
	d.End()
	d.Begin("ModelStructure")
	for _, part := range []struct {
		name     string
		unknowns []Unknown
	}{{"Output", t.Outputs}, {"ContinuousStateDerivative", t.Derivatives}, {"InitialUnknown", t.Initial}} {
		for _, u := range part.unknowns {
			d.Leaf(part.name, "valueReference", decimal(u.Reference), "dependencies", list(u.Dependencies, 0),
				"dependenciesKind", kinds(len(u.Dependencies)))
		}
	}
	for _, r := range t.Indicators {
		d.Leaf("EventIndicator", "valueReference", decimal(r))
	}
	d.End()
	if len(t.Origins) > 0 {
		d.Begin("Annotations")
		d.Begin("Annotation", "type", originsType)
		writeOrigins(d, t)
		d.End()
		d.End()
	}
	d.End()
	return d.Flush()
}

func (t *Table) variable3(d *markup.Writer, v *Variable) {
	attributes := []string{
		"name", v.Name, "valueReference", decimal(v.Reference), "description", v.Description,
		"causality", v.Causality.String(), "variability", v.Variability.String(),
	}
	switch v.Type {
	case Boolean:
		d.Leaf("Boolean", append(attributes, "initial", v.initialWord())...)
		return
	case String:
		d.Begin("String", attributes...)
		d.Leaf("Start", "value", v.StartText+markup.Explicit)
		d.End()
		return
	}
	start, derivative, intermediate := "", "", ""
	if v.HasStart() {
		start = markup.Number(v.Start)
	}
	if v.Derivative {
		derivative = decimal(v.State)
	}
	if v.Variability == Continuous && (v.Causality == Input || v.Causality == Output) {
		intermediate = t.inLibraries("true")
	}
	d.Leaf("Float64", slices.Concat(attributes, []string{"intermediateUpdate", intermediate,
		"initial", v.initialWord(), "unit", v.Unit, "displayUnit", v.display()}, v.rangeAttributes(),
		[]string{"start", start, "derivative", derivative})...)
}
