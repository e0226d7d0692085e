package compare

import (
	"skidpad/harness/workbench/results/measurement"
	"skidpad/model/keys"
)

// width is a number that is not below 0 and need not be given.
func width(name, text string) keys.Key {
	return keys.Key{Name: name, Text: text, Default: "0", Nonnegative: true}
}

var corridorKeys = []keys.Key{
	{Name: "x", Shape: keys.TextShape, Text: "column along the corridor"},
	{Name: "y", Shape: keys.TextShape, Text: "column that must be in the corridor"},
	width("x_offset", "half width along x"), width("x_gain", "half width along x, times the magnitude of the reference"),
	width("y_offset", "half width along y"), width("y_gain", "half width along y, times the magnitude of the reference"),
	{Name: "shape", Shape: keys.WordShape, Choices: []string{"rectangle", "ellipse"}, Default: "rectangle",
		Text: "of the half widths around a point of the reference"},
	{Name: "source", Shape: keys.TextShape, Text: "where the numbers are from", Optional: true},
	{Name: "share", Text: "of the rows that must be in the corridor, 0 to 1", Default: "1", Nonnegative: true,
		AtMostOne: true},
	{Name: "from", Text: "least x", Optional: true}, {Name: "to", Text: "largest x", Optional: true},
}

var figureKeys = []keys.Key{
	{Name: "figure", Shape: keys.TextShape, Text: "characteristic value"},
	width("absolute", "difference that is allowed"), width("relative", "the same, times the magnitude of the reference"),
	{Name: "source", Shape: keys.TextShape, Text: "where the numbers are from", Optional: true},
}

// FileKeys are the keys of files that say how runs are compared.
var FileKeys = append([]keys.Key{
	{Name: "title", Shape: keys.TextShape, Text: "heading of the comparison", Optional: true},
	{Name: "corridor", Shape: keys.TablesShape, Text: "corridors about curves of the reference", Optional: true,
		Keys: corridorKeys},
	{Name: "figure", Shape: keys.TablesShape, Text: "tolerances of characteristic values", Optional: true,
		Keys: figureKeys},
}, measurement.Keys...)
