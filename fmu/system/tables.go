package system

import "skidpad/model/document"

// The keys of system files, which their reader and the schema of editors share.

var componentKeys = []document.Key{
	{Name: "model", Shape: document.TextShape, Text: "model file"},
	{Name: "text", Shape: document.TextShape, Text: "description", Optional: true},
	{Name: "parameters", Shape: document.NamedShape, Text: "parameters, inputs and start values", Optional: true,
		Value: &document.Key{Shape: document.AnyShape, Any: []document.Key{
			{Unit: document.AnyUnit, Plain: true}, {Shape: document.TextShape}}}},
}

var connectionKeys = []document.Key{
	{Name: "from", Shape: document.TextShape, Text: "output, COMPONENT.VARIABLE, or what precedes names of variables"},
	{Name: "to", Shape: document.TextShape, Text: "input, COMPONENT.VARIABLE, or what precedes names of variables"},
	{Name: "variables", Shape: document.TextsShape, Text: "several behind from and to: \"Fz\", or \"Fx -> Fx_input\"",
		Optional: true},
}

// FileKeys are those of system files.
var FileKeys = []document.Key{
	{Name: "name", Shape: document.TextShape, Text: "identifier of the system"},
	{Name: "component", Shape: document.NamedShape, Text: "FMUs, each made of a model file",
		Value: &document.Key{Shape: document.TableShape, Keys: componentKeys}},
	{Name: "connection", Shape: document.TablesShape, Text: "of outputs to inputs", Optional: true, Keys: connectionKeys},
	{Name: "title", Shape: document.TextShape, Text: "heading", Optional: true},
	{Name: "source", Shape: document.TextShape, Text: "where the numbers come from", Optional: true},
	{Name: "step", Unit: "s", Text: "recommended communication step", Default: "0.001", Positive: true},
	{Name: "stop_time", Unit: "s", Text: "end of the simulation", Default: "10", Positive: true},
	{Name: "outputs", Shape: document.TextsShape, Text: "outputs to be had from outside though nothing takes them",
		Optional: true},
}
