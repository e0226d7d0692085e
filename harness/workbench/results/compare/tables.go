package compare

import "skidpad/model/document"

// width is a number that is not below 0 and need not be given.
func width(name, text string) document.Key {
	return document.Key{Name: name, Text: text, Default: "0", Nonnegative: true}
}

var corridorKeys = []document.Key{
	{Name: "x", Shape: document.TextShape, Text: "column along the corridor"},
	{Name: "y", Shape: document.TextShape, Text: "column that must be in the corridor"},
	width("x_offset", "half width along x"), width("x_gain", "half width along x, times the magnitude of the reference"),
	width("y_offset", "half width along y"), width("y_gain", "half width along y, times the magnitude of the reference"),
	{Name: "share", Text: "of the rows that must be in the corridor, 0 to 1", Default: "1", Nonnegative: true},
	{Name: "from", Text: "least x", Optional: true}, {Name: "to", Text: "largest x", Optional: true},
}

var figureKeys = []document.Key{
	{Name: "figure", Shape: document.TextShape, Text: "characteristic value"},
	width("absolute", "difference that is allowed"), width("relative", "the same, times the magnitude of the reference"),
}

var columnKeys = []document.Key{
	{Name: "name", Shape: document.TextShape, Text: "of the column in the reference", Optional: true},
	{Name: "factor", Text: "by which its values are multiplied", Default: "1"},
}

// FileKeys are those of files that say how runs are compared.
var FileKeys = []document.Key{
	{Name: "title", Shape: document.TextShape, Text: "heading of the comparison"},
	{Name: "shift", Unit: "s", Text: "added to the time of the reference", Default: "0"},
	{Name: "corridor", Shape: document.TablesShape, Text: "corridors about curves of the reference", Optional: true,
		Keys: corridorKeys},
	{Name: "figure", Shape: document.TablesShape, Text: "tolerances of characteristic values", Optional: true,
		Keys: figureKeys},
	{Name: "column", Shape: document.NamedShape, Text: "columns of the reference, by our names", Optional: true,
		Value: &document.Key{Shape: document.TableShape, Keys: columnKeys}},
}
