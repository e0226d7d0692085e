package measurement

import (
	"cmp"

	"skidpad/model/keys"
	"skidpad/model/unit"
)

// Keys are the keys of files that map the channels of a measured file to variables.
var Keys = []keys.Key{
	{Name: "shift", Unit: "s", Text: "added to the time of the reference", Default: "0"},
	{Name: "align", Shape: keys.TextShape, Text: "variable by which the shift is found: the one at which run and " +
		"reference correlate most", Optional: true},
	{Name: "column", Shape: keys.NamedShape, Text: "columns of the reference, by our names", Optional: true,
		Value: &keys.Key{Shape: keys.TableShape, Keys: columnKeys}},
}

var columnKeys = []keys.Key{
	{Name: "name", Shape: keys.TextShape, Text: "of the column in the reference", Optional: true},
	{Name: "unit", Shape: keys.TextShape, Text: "of the column, in place of the unit that the file has", Optional: true},
	{Name: "gain", Text: "by which its values are multiplied", Default: "1"},
	{Name: "offset", Text: "added after the gain, in the unit of the column", Default: "0"},
	{Name: "filter", Unit: "Hz", Text: "frequency at which a low-pass halves the amplitude, without delay: Butterworth, " +
		"order 2, forwards and backwards", Optional: true, Positive: true},
}

// Map says how the channels of a measured file become variables of a vehicle.
type Map struct {
	Columns map[string]Column // by our names
	Shift   float64           // added to the times [s]
	Align   string            // variable that determines the shift; "" for a given shift
}

// Column says what a variable is called in a file, and how its values become ours: gain times the value and offset, in
// the unit.
type Column struct {
	Name, Unit   string // "" is the name of the variable, and the unit of the file
	Gain, Offset float64
	Filter       float64 // Hz; 0 for none
}

// ReadMap reads a map from the tables of a file.
func ReadMap(f *keys.Fields) Map {
	m := Map{Columns: map[string]Column{}, Shift: f.Number("shift")}
	if f.Given("align") {
		m.Align = f.Text("align")
	}
	if m.Align != "" && m.Shift != 0 {
		f.Fault("align", "shift and align are both given; leave one out")
	}
	columns := f.Sub("column")
	for _, name := range columns.Names() {
		t := columns.Sub(name)
		c := Column{Name: cmp.Or(t.Text("name"), name), Unit: t.Text("unit"), Gain: t.Number("gain"),
			Offset: t.Number("offset")}
		if t.Given("filter") {
			c.Filter = t.Number("filter")
		}
		if c.Unit != "" {
			if _, err := unitOf(c.Unit); err != nil {
				t.Fault("unit", "%v", err)
			}
		}
		m.Columns[name] = c
	}
	return m
}

// column is the map's entry for a variable.
func (m Map) column(name string) Column {
	if c, has := m.Columns[name]; has {
		return c
	}
	return Column{Name: name, Gain: 1}
}

// si converts values to SI.
func (c Column) si(values []float64, of unit.Unit) []float64 {
	list := make([]float64, len(values))
	for i, x := range values {
		list[i] = of.Of(c.Gain*x + c.Offset)
	}
	return list
}
