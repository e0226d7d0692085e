package compare

import "skidpad/model/keys"

// width is a number that is not below 0 and need not be given.
func width(name, text string) keys.Key {
	return keys.Key{Name: name, Text: text, Default: "0", Nonnegative: true}
}

var corridorKeys = []keys.Key{
	{Name: "x", Shape: keys.TextShape, Text: "column along the corridor"},
	{Name: "y", Shape: keys.TextShape, Text: "column that must be in the corridor"},
	width("x_offset", "half width along x"), width("x_gain", "half width along x, times the magnitude of the reference"),
	width("y_offset", "half width along y"), width("y_gain", "half width along y, times the magnitude of the reference"),
	{Name: "share", Text: "of the rows that must be in the corridor, 0 to 1", Default: "1", Nonnegative: true,
		AtMostOne: true},
	{Name: "from", Text: "least x", Optional: true}, {Name: "to", Text: "largest x", Optional: true},
}

var figureKeys = []keys.Key{
	{Name: "figure", Shape: keys.TextShape, Text: "characteristic value"},
	width("absolute", "difference that is allowed"), width("relative", "the same, times the magnitude of the reference"),
}

var columnKeys = []keys.Key{
	{Name: "name", Shape: keys.TextShape, Text: "of the column in the reference", Optional: true},
	{Name: "factor", Text: "by which its values are multiplied", Default: "1"},
}

// FileKeys are the keys of files that say how runs are compared.
var FileKeys = []keys.Key{
	{Name: "title", Shape: keys.TextShape, Text: "heading of the comparison"},
	{Name: "shift", Unit: "s", Text: "added to the time of the reference", Default: "0"},
	{Name: "corridor", Shape: keys.TablesShape, Text: "corridors about curves of the reference", Optional: true,
		Keys: corridorKeys},
	{Name: "figure", Shape: keys.TablesShape, Text: "tolerances of characteristic values", Optional: true,
		Keys: figureKeys},
	{Name: "column", Shape: keys.NamedShape, Text: "columns of the reference, by our names", Optional: true,
		Value: &keys.Key{Shape: keys.TableShape, Keys: columnKeys}},
}
