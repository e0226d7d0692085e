package fmu

import "io"

// ModelDescription3 writes modelDescription.xml of FMI 3.0 for co-simulation and, where that is
// possible, model exchange. identifier names the libraries.
func (t *Table) ModelDescription3(w io.Writer, identifier string, about About) error {
	d := newMarkup(w)
	d.begin("fmiModelDescription",
		"fmiVersion", "3.0", "modelName", t.Name, "instantiationToken", t.Token, "description", t.description(), "version", about.Version,
		"generationTool", "Skidpad "+about.Version, "generationDateAndTime", about.date(), "variableNamingConvention", "structured")
	shared := []string{
		"modelIdentifier", identifier, "needsExecutionTool", "false", "canBeInstantiatedOnlyOncePerProcess", "false",
		"canGetAndSetFMUState", "true", "canSerializeFMUState", "true", "providesDirectionalDerivatives", "true",
		"providesAdjointDerivatives", "true", "providesPerElementDependencies", "false",
	}
	if !t.HasDiscreteContacts {
		d.leaf("ModelExchange", append(shared[:len(shared):len(shared)], "needsCompletedIntegratorStep", "false", "providesEvaluateDiscreteStates", "true")...)
	}
	d.leaf("CoSimulation", append(shared[:len(shared):len(shared)],
		"canHandleVariableCommunicationStepSize", "true", "maxOutputDerivativeOrder", "1", "providesIntermediateUpdate", "true",
		"mightReturnEarlyFromDoStep", "true", "canReturnEarlyAfterIntermediateUpdate", "true", "hasEventMode", "true",
		"providesEvaluateDiscreteStates", "true")...)
	d.common(t)
	d.begin("ModelVariables")
	for i := range t.Variables {
		t.variable3(d, &t.Variables[i])
	}
	d.end()
	d.begin("ModelStructure")
	for _, part := range []struct {
		name     string
		unknowns []Unknown
	}{{"Output", t.Outputs}, {"ContinuousStateDerivative", t.Derivatives}, {"InitialUnknown", t.Initial}} {
		for _, u := range part.unknowns {
			d.leaf(part.name, "valueReference", decimal(u.Reference), "dependencies", list(u.Dependencies, 0), "dependenciesKind", kinds(len(u.Dependencies)))
		}
	}
	for _, r := range t.Indicators {
		d.leaf("EventIndicator", "valueReference", decimal(r))
	}
	d.end()
	d.end()
	return d.to.Flush()
}

func (t *Table) variable3(d *markup, v *Variable) {
	attributes := []string{
		"name", v.Name, "valueReference", decimal(v.Reference), "description", v.Description,
		"causality", v.Causality.String(), "variability", v.Variability.String(),
	}
	switch v.Type {
	case Boolean:
		d.leaf("Boolean", append(attributes, "initial", v.initialWord())...)
		return
	case String:
		d.begin("String", attributes...)
		d.leaf("Start", "value", v.StartText+explicit)
		d.end()
		return
	}
	start, derivative, intermediate := "", "", ""
	if v.HasStart() {
		start = number(v.Start)
	}
	if v.Derivative {
		derivative = decimal(v.State)
	}
	if v.Variability == Continuous && (v.Causality == Input || v.Causality == Output) {
		intermediate = "true"
	}
	d.leaf("Float64", append(attributes, "intermediateUpdate", intermediate, "initial", v.initialWord(),
		"unit", v.Unit, "displayUnit", v.display(), "min", v.min(), "nominal", v.nominal(), "start", start, "derivative", derivative)...)
}
