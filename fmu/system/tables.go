package system

import "skidpad/model/keys"

// The keys of system files, which their reader and the schema of editors share.

var componentKeys = []keys.Key{
	{Name: "model", Shape: keys.TextShape, Text: "model file or name of a shipped model"},
	{Name: "text", Shape: keys.TextShape, Text: "description", Optional: true},
	{Name: "parameters", Shape: keys.NamedShape, Text: "parameters, inputs and start values", Optional: true,
		Value: &keys.Key{Shape: keys.AnyShape, Any: []keys.Key{
			{Unit: keys.AnyUnit, Plain: true}, {Shape: keys.TextShape}}}},
}

var connectionKeys = []keys.Key{
	{Name: "from", Shape: keys.TextShape, Text: "output, COMPONENT.VARIABLE, or what precedes names of variables"},
	{Name: "to", Shape: keys.TextShape, Text: "input, COMPONENT.VARIABLE, or what precedes names of variables"},
	{Name: "variables", Shape: keys.TextsShape, Filled: true, Optional: true,
		Text: "several behind from and to: \"Fz\", or \"Fx -> Fx_input\""},
}

// FileKeys are the keys of system files.
var FileKeys = []keys.Key{
	{Name: "name", Shape: keys.TextShape, Text: "identifier of the system"},
	{Name: "component", Shape: keys.NamedShape, Text: "FMUs, each made of a model file",
		Value: &keys.Key{Shape: keys.TableShape, Keys: componentKeys}},
	{Name: "connection", Shape: keys.TablesShape, Text: "of outputs to inputs", Optional: true, Keys: connectionKeys},
	{Name: "title", Shape: keys.TextShape, Text: "heading", Optional: true},
	{Name: "source", Shape: keys.TextShape, Text: "where the numbers come from", Optional: true},
	{Name: "step", Shape: keys.QuantityShape, Unit: "s", Text: "recommended communication step", Default: "0.001",
		Positive: true},
	{Name: "stop_time", Shape: keys.QuantityShape, Unit: "s", Text: "end of the simulation", Default: "10",
		Positive: true},
	{Name: "outputs", Shape: keys.TextsShape, Filled: true, Optional: true,
		Text: "outputs to be had from outside though nothing takes them"},
}
