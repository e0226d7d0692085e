package assess

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/tire/external"
)

// Assessment is a file of resources/assessments.
type Assessment struct {
	Name, Title, Source string
	Vehicles            []Vehicle // in the order of the file
	Rows                []Row

	judged []string // names of vehicles; nil for all
	rowsOf string   // file whose rows are taken; "" for none
}

// Vehicle is a column of the table: a model with settings.
type Vehicle struct {
	Name, Text string
	Model      string // file or name
	Settings   []manoeuvre.Setting
}

// Row is a manoeuvre with settings.
type Row struct {
	Name      string
	Manoeuvre string // file or name
	Constants []manoeuvre.ConstantValue
	Settings  []manoeuvre.Setting
	Checks    []Check

	vehicles []int // numbers; nil for all
}

// Check is a value with its bounds.
type Check struct {
	Name    string
	Text    string
	Figure  string  // characteristic value; "" with a signal
	Signal  *Signal // nil with a figure
	AtLeast Bound
	AtMost  Bound
	Change  Bound // against the first vehicle of the row, as a share
}

// Bound is a bound, if it is given.
type Bound struct {
	Given bool
	Value float64 // SI
}

// bounded reports whether there is a bound.
func (c *Check) bounded() bool { return c.AtLeast.Given || c.AtMost.Given || c.Change.Given }

// has reports whether a vehicle is one of the row's.
func (r *Row) has(vehicle int) bool { return r.vehicles == nil || slices.Contains(r.vehicles, vehicle) }

// judges reports whether bounds apply to a vehicle.
func (a *Assessment) judges(vehicle int) bool {
	return a.judged == nil || slices.Contains(a.judged, a.Vehicles[vehicle].Name)
}

// Only keeps the rows whose names fit one of some patterns.
func (a *Assessment) Only(patterns []string) error {
	var kept []Row
	for _, row := range a.Rows {
		for _, p := range patterns {
			if fits, err := path.Match(p, row.Name); err != nil {
				return fmt.Errorf("%q is no pattern: %w; * stands for any text, ? for any character", p, err)
			} else if fits {
				kept = append(kept, row)
				break
			}
		}
	}
	if len(kept) == 0 {
		return fmt.Errorf("no row fits %q; the rows are %q", patterns, a.names())
	}
	a.Rows = kept
	return nil
}

// names are the names of the rows.
func (a *Assessment) names() (list []string) {
	for _, row := range a.Rows {
		list = append(list, row.Name)
	}
	return list
}

var setKey = keys.Key{Name: "set", Shape: keys.NamedShape, Optional: true,
	Text: "parameters and texts of the vehicle, as those of --set",
	Value: &keys.Key{Shape: keys.AnyShape, Any: []keys.Key{{Shape: keys.ScalarShape, Unit: keys.AnyUnit, Plain: true},
		{Shape: keys.TextShape}}}}

var vehicleKeys = []keys.Key{
	{Name: "text", Shape: keys.TextShape, Text: "heading of its column; default: its name", Optional: true},
	{Name: "model", Shape: keys.TextShape, Text: "model, in place of the file's", Optional: true},
	setKey,
}

// reductions are the words of the key reduce.
var reductions = []string{"largest", "least", "mean", "last", "longest", "first"}

var checkKeys = []keys.Key{
	{Name: "name", Shape: keys.TextShape, Text: "name of the value; default: the figure", Optional: true},
	{Name: "text", Shape: keys.TextShape, Text: "what it is", Optional: true},
	{Name: "figure", Shape: keys.TextShape, Text: "characteristic value of the manoeuvre; or else signal",
		Optional: true},
	{Name: "signal", Shape: keys.TextShape, Optional: true,
		Text: "formula of outputs, inputs, roles, constants and time [s] since the phase began"},
	{Name: "unit", Shape: keys.TextShape, Text: "SI unit of the signal", Default: "1"},
	{Name: "reduce", Shape: keys.WordShape, Choices: reductions, Default: "largest",
		Text: "value of the signal, or the longest time above 0 without a break, or the first time above 0"},
	{Name: "phase", Shape: keys.TextShape, Text: "phase in which the signal is read; default: the whole run",
		Optional: true},
	{Name: "from", Unit: "s", Text: "time in the phase from which the signal is read", Default: "0"},
	{Name: "to", Unit: "s", Text: "time up to which it is read; default: the end of the phase", Optional: true},
	{Name: "at_least", Unit: keys.AnyUnit, Text: "least value of a vehicle that passes, in every run", Optional: true},
	{Name: "at_most", Unit: keys.AnyUnit, Text: "largest value of a vehicle that passes, in every run", Optional: true},
	{Name: "change", Unit: "1", Nonnegative: true, Optional: true,
		Text: "largest change against the first vehicle of the row, as a share of its value"},
}

// FileKeys are the keys of assessments.
var FileKeys = []keys.Key{
	{Name: "name", Shape: keys.TextShape, Text: "identifier of the assessment"},
	{Name: "title", Shape: keys.TextShape, Text: "heading of the table"},
	{Name: "source", Shape: keys.TextShape, Text: "where rows and bounds come from", Optional: true},
	{Name: "model", Shape: keys.TextShape, Optional: true,
		Text: "model of the vehicles: a file, relative to this file, or a name that skidpad list shows"},
	{Name: "judged", Shape: keys.TextsShape, Filled: true, Optional: true,
		Text: "vehicles to which the bounds apply; default: all"},
	{Name: "constants", Shape: keys.NamedShape, Text: "numbers that formulas use, by their names", Optional: true,
		Value: &keys.Key{Unit: keys.AnyUnit, Text: "number or formula"}},
	{Name: "vehicle", Shape: keys.NamedShape, Text: "columns of the table, by their names", Optional: true,
		Value: &keys.Key{Shape: keys.TableShape, Text: "a model with settings", Keys: vehicleKeys}},
	{Name: "rows_of", Shape: keys.TextShape, Optional: true,
		Text: "file of another assessment, in the same folder, whose rows the vehicles drive, in place of row"},
	{Name: "row", Shape: keys.TablesShape, Text: "manoeuvres with their checks", Optional: true, Keys: []keys.Key{
		{Name: "name", Shape: keys.TextShape, Text: "name of the row"},
		{Name: "manoeuvre", Shape: keys.TextShape,
			Text: "manoeuvre with a table [figures]: a file, relative to this file, or a name that skidpad list shows"},
		{Name: "let", Shape: keys.NamedShape, Text: "constants of the manoeuvre, as those of --let", Optional: true,
			Value: &keys.Key{Unit: keys.AnyUnit, Text: "number or formula"}},
		setKey,
		{Name: "vehicles", Shape: keys.TextsShape, Filled: true, Optional: true,
			Text: "vehicles that drive it; default: all"},
		{Name: "check", Shape: keys.TablesShape, Text: "values and their bounds", Keys: checkKeys},
	}},
}

// Read reads a file, and the one whose rows it takes. Everything wrong with it is reported together, with file, line
// and column.
func Read(file string) (*Assessment, error) {
	a, err := readAlone(file)
	if err != nil || a.rowsOf == "" {
		return a, err
	}
	other, err := readAlone(bounded.Beside(file, a.rowsOf))
	if err != nil {
		return nil, fmt.Errorf("%s: rows_of: %w", file, err)
	}
	if other.rowsOf != "" {
		return nil, fmt.Errorf("%s: rows_of is %q, which has no rows itself; name the file that it names, %q", file,
			a.rowsOf, other.rowsOf)
	}
	for _, row := range other.Rows {
		if row.vehicles != nil {
			return nil, fmt.Errorf("%s: rows_of is %q, whose row %q has the key vehicles; only rows of all vehicles can be "+
				"taken", file, a.rowsOf, row.Name)
		}
	}
	a.Rows = other.Rows
	return a, nil
}

// readAlone reads a file, but not the one whose rows it takes.
func readAlone(file string) (*Assessment, error) {
	data, err := bounded.Study.Read(file)
	if err != nil {
		return nil, err
	}
	return Parse(file, data)
}

// Parse is Read for the bytes of a file called file, without the rows of another file.
func Parse(file string, data []byte) (*Assessment, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := &reader{constants.NewReader(file, root)}
	f := r.Fields(root, "the assessment", FileKeys)
	own := f.Sub("constants")
	for _, name := range own.Names() {
		r.Constants[name] = own.Number(name)
		if u := r.UnitOf(own.Node(name)); u != "" {
			r.Units[name] = u
		}
	}
	r.ConstantsRead()
	a := &Assessment{Name: f.Text("name"), Title: f.Text("title"), Source: f.Text("source"), judged: f.Texts("judged")}
	r.vehicles(f, a)
	switch a.rowsOf = f.Text("rows_of"); {
	case f.Given("rows_of") && f.Given("row"):
		f.Fault("rows_of", "the assessment has rows of its own and takes those of another one; give either row or rows_of")
	case a.rowsOf != "" && path.Base(a.rowsOf) != a.rowsOf:
		f.Fault("rows_of", "rows_of is %q; it must be a file in the folder of this file, since paths in its rows lead from "+
			"there", a.rowsOf)
	case !f.Given("rows_of"):
		f.Require("row")
		for _, t := range f.NonEmptyList("row") {
			a.Rows = append(a.Rows, r.row(t, a))
		}
	}
	for _, name := range f.Items("judged") {
		r.numberOf(name, a)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return a, nil
}

type reader struct{ *constants.Reader }

// vehicles reads the vehicles. A file without the table has one, with the model of the file.
func (r *reader) vehicles(f *keys.Fields, a *Assessment) {
	model := f.Text("model")
	table := f.Sub("vehicle")
	for _, name := range table.Names() {
		v := table.Sub(name)
		of := Vehicle{Name: name, Text: name, Model: model, Settings: r.settings(v.Sub("set"))}
		if v.Given("text") {
			of.Text = v.Text("text")
		}
		if v.Given("model") {
			of.Model = v.Text("model")
		}
		if of.Model == "" {
			v.FaultOfTable("vehicle %q has no model; give it one, or give the key model at the top of the file", name)
		}
		a.Vehicles = append(a.Vehicles, of)
	}
	if a.Vehicles == nil {
		f.Require("model")
		a.Vehicles = []Vehicle{{Name: "value", Text: "value", Model: model}}
	}
}

// settings reads parameters and texts. A file cannot name libraries, whose code would run: that is the user's to say.
func (r *reader) settings(f *keys.Fields) (list []manoeuvre.Setting) {
	for _, name := range f.Names() {
		n := f.Node(name)
		switch n.Kind {
		case document.Number:
			list = append(list, manoeuvre.Setting{Name: name, Value: strconv.FormatFloat(f.Number(name), 'g', -1, 64)})
		case document.Text:
			s, err := manoeuvre.ParseSetting(fmt.Sprintf("%s:%d:%d", n.File, n.Line, n.Column), name, n.Text)
			switch {
			case err != nil:
				f.Fault(name, "%v", err)
			case external.Names(s.Value):
				f.Fault(name, "%s is %s: an assessment cannot name a library, whose code would run; give it by --set",
					f.PathOf(name), n)
			}
			list = append(list, s)
		default:
			f.Fault(name, "%s is %s; it must be a number or a text", f.PathOf(name), n)
		}
	}
	return list
}

// numberOf is the number of a vehicle, -1 for one that is not there, which is a fault.
func (r *reader) numberOf(name *document.Node, a *Assessment) int {
	i := slices.IndexFunc(a.Vehicles, func(v Vehicle) bool { return v.Name == name.Text })
	if i < 0 && name.Kind == document.Text {
		var names []string
		for _, v := range a.Vehicles {
			names = append(names, v.Name)
		}
		r.At(name, "there is no vehicle %q; the vehicles are %s", name.Text, strings.Join(names, ", "))
	}
	return i
}

func (r *reader) row(f *keys.Fields, a *Assessment) Row {
	row := Row{Name: f.Text("name"), Manoeuvre: f.Text("manoeuvre"), Settings: r.settings(f.Sub("set"))}
	let := f.Sub("let")
	for _, name := range let.Names() {
		row.Constants = append(row.Constants, manoeuvre.ConstantValue{Name: name, Value: let.Number(name),
			Written: r.Written(let.Node(name), name)})
	}
	f.Texts("vehicles")
	for _, name := range f.Items("vehicles") {
		row.vehicles = append(row.vehicles, r.numberOf(name, a))
	}
	if slices.ContainsFunc(a.Rows, func(o Row) bool { return o.Name == row.Name }) {
		f.Fault("name", "there are two rows %q; give each its own name", row.Name)
	}
	for _, t := range f.NonEmptyList("check") {
		row.Checks = append(row.Checks, r.check(t))
	}
	return row
}

func (r *reader) check(f *keys.Fields) Check {
	c := Check{Name: f.Text("name"), Text: f.Text("text"), Figure: f.Text("figure")}
	bound := func(key string) Bound { return Bound{f.Given(key), f.Number(key)} }
	c.AtLeast, c.AtMost, c.Change = bound("at_least"), bound("at_most"), bound("change")
	if f.Given("signal") {
		c.Signal = r.signal(f)
	}
	switch {
	case f.Given("signal") == f.Given("figure"):
		f.FaultOfTable("a check has either a figure or a signal; give one of them")
	case f.Given("signal") && !f.Given("name"):
		f.FaultOfTable("a check of a signal has no name; give the key name")
	case c.AtLeast.Given && c.AtMost.Given && c.AtLeast.Value > c.AtMost.Value:
		f.Fault("at_least", "%s is %g, above %s, which is %g: no value passes", f.PathOf("at_least"), c.AtLeast.Value,
			f.PathOf("at_most"), c.AtMost.Value)
	}
	if c.Name == "" {
		c.Name = c.Figure
	}
	if c.Signal != nil {
		for _, key := range []string{"at_least", "at_most"} {
			if f.Given(key) {
				r.Fits(f.Node(key), f.PathOf(key), c.Signal.resultUnit())
			}
		}
	}
	return c
}
