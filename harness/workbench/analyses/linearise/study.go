package linearise

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/linear"
	"skidpad/tire/external"
)

// Study is a set of linearisations as a file says it.
type Study struct {
	Name, Title, Source string
	Panels              []Panel
}

// Panel is a linearisation about the steady motions of a model. Its eigenvalues are drawn or, where Bode has an input,
// its frequency response.
type Panel struct {
	Name, Title string
	Model       string // file
	At          manoeuvre.Variation
	Settings    []manoeuvre.Setting
	Hold, Free  []string // states and inputs
	Bode        Bode
	Map         bool // magnitude and phase as maps over frequency and value, in place of curves
}

// Bode is a frequency response from an input to an output.
type Bode struct {
	Input, Output string
	Frequencies   []float64 // rad/s
}

// mostFrequencies bounds those of a panel.
const mostFrequencies = 100_000

// ReadStudy reads a study file. Everything wrong with it is reported together, with file, line and column. Models that
// it names are relative to it.
func ReadStudy(path string) (*Study, error) {
	data, err := bounded.Study.Read(path)
	if err != nil {
		return nil, err
	}
	s, err := ParseStudy(path, data)
	if err != nil {
		return nil, err
	}
	for i := range s.Panels {
		s.Panels[i].Model = bounded.Beside(path, s.Panels[i].Model)
	}
	return s, nil
}

// ParseStudy is ReadStudy for the bytes of a file called file; the names of models stay as they are.
func ParseStudy(file string, data []byte) (*Study, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := &studyReader{constants.NewReader(file, root)}
	r.Where = "the file, as a number"
	f := r.Fields(root, "the study", FileKeys)
	s := &Study{Name: f.Text("name"), Title: f.Text("title"), Source: f.Text("source")}
	for _, t := range f.NonEmptyList("panel") {
		p := r.panel(t)
		if p.Name != "" && slices.ContainsFunc(s.Panels, func(other Panel) bool { return other.Name == p.Name }) {
			t.Fault("name", "there are two panels %q; each needs a name of its own, which is that of its folder", p.Name)
		}
		s.Panels = append(s.Panels, p)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

type studyReader struct{ *constants.Reader }

// folderName matches valid names of panels.
var folderName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

var panelKeys = []keys.Key{
	{Name: "name", Shape: keys.TextShape, Text: "folder of the result: small letters, digits, - and _"},
	{Name: "title", Shape: keys.TextShape, Text: "heading of its plot, in letters of Latin, Greek, Cyrillic or Hebrew: " +
		"the font of figure.png lacks others and leaves them out"},
	{Name: "model", Shape: keys.TextShape, Text: "model file, relative to the study"},
	{Name: "at", Shape: keys.TableShape, Text: "steady motions, as for --at", Keys: atKeys},
	{Name: "set", Shape: keys.NamedShape, Optional: true,
		Text: "parameters and texts of the model by their names, as for --set; quote names with a dot",
		Value: &keys.Key{Shape: keys.AnyShape, Any: []keys.Key{{Unit: keys.AnyUnit, Plain: true},
			{Shape: keys.TextShape}}}},
	{Name: "hold", Shape: keys.TextsShape, Filled: true, Text: "states that are held, as for --hold", Optional: true},
	{Name: "free", Shape: keys.TextsShape, Filled: true, Text: "inputs that are sought, as for --free", Optional: true},
	{Name: "bode", Shape: keys.TableShape, Text: "frequency response that is drawn in place of eigenvalues",
		Optional: true, Keys: bodeKeys},
	{Name: "map", Shape: keys.TruthShape, Default: "false",
		Text: "magnitude and phase as maps over frequency and at, the magnitude with contours every 10 dB"},
}

// FileKeys are the keys of studies of linear equations.
var FileKeys = []keys.Key{
	{Name: "name", Shape: keys.TextShape, Text: "identifier of the study"},
	{Name: "title", Shape: keys.TextShape, Text: "heading of the plot"},
	{Name: "source", Shape: keys.TextShape, Text: "where the question comes from", Optional: true},
	{Name: "panel", Shape: keys.TablesShape, Text: "linearisations, each drawn in a panel", Keys: panelKeys},
}

func (r *studyReader) panel(f *keys.Fields) Panel {
	p := Panel{Name: f.Text("name"), Title: f.Text("title"), Model: f.Text("model"), Hold: f.Texts("hold"),
		Free: f.Texts("free"), Map: f.Truth("map")}
	if p.Name != "" && !folderName.MatchString(p.Name) {
		f.Fault("name", "%q cannot be the name of a folder: use small letters, digits, - and _", p.Name)
	}
	if f.Given("at") {
		p.At = r.values(f.Sub("at"))
	}
	set := f.Sub("set")
	for _, name := range set.Names() {
		switch value := set.Node(name); value.Kind {
		case document.Text:
			if external.Names(value.Text) {
				set.Fault(name, "%s = %q names a library, whose code would run, and a study cannot do so; linearise the "+
					"model with --set", set.PathOf(name), value.Text)
			}
			p.Settings = append(p.Settings, r.setting(value, name))
		case document.Number:
			text := strconv.FormatFloat(set.Number(name), 'g', -1, 64)
			p.Settings = append(p.Settings, manoeuvre.Setting{Name: name, Value: text})
		default:
			set.Fault(name, "%s is %s; it must be a number, or a text for texts of the model", set.PathOf(name), value)
		}
	}
	if f.Given("bode") {
		p.Bode = r.bode(f.Sub("bode"))
	}
	if p.Map && !f.Given("bode") {
		f.Fault("map", "a map is of a frequency response: give \"bode\", or leave \"map\" out")
	}
	if p.Map && len(p.At.Values) == 1 {
		f.Fault("map", "a map needs several values of \"at\"")
	}
	return p
}

// setting reads a text of the model, or a number with its unit.
func (r *studyReader) setting(n *document.Node, name string) manoeuvre.Setting {
	s, err := manoeuvre.ParseSetting(fmt.Sprintf("%s:%d:%d", n.File, n.Line, n.Column), name, n.Text)
	if err != nil {
		r.At(n, "%q is %v: %v", name, n, errors.Unwrap(err))
	}
	return s
}

var atKeys = []keys.Key{
	{Name: "variable", Shape: keys.TextShape, Text: "parameter, input or start value that varies between the motions"},
	{Name: "values", Shape: keys.ScalarsShape, Unit: keys.AnyUnit, Text: "its values", Optional: true},
	{Name: "from", Unit: keys.AnyUnit, Text: "first value, in place of values", Optional: true},
	{Name: "to", Unit: keys.AnyUnit, Text: "last value", Optional: true},
	{Name: "step", Unit: keys.AnyUnit, Text: "from one to the next", Optional: true},
}

// values reads a list of values, or the first and the last with the step between.
func (r *studyReader) values(f *keys.Fields) manoeuvre.Variation {
	v := manoeuvre.Variation{Name: f.Text("variable")}
	steps := []string{"from", "to", "step"}
	if f.Given("values") {
		v.Values = f.Numbers("values")
		v.Written = r.OneUnit(f.PathOf("values"), f.Items("values")...)
		for _, key := range steps {
			if f.Given(key) {
				f.Fault(key, "%s has both \"values\" and %q; give the values, or all of %q", f.Path, key, steps)
			}
		}
		return v
	}
	from, to, step := f.Number("from"), f.Number("to"), f.Number("step")
	v.Written = r.OneUnit(v.Name, f.Node("from"), f.Node("to"), f.Node("step"))
	for _, key := range steps {
		if !f.Require(key) {
			return v
		}
	}
	var err error
	if v.Values, err = Steps(from, to, step); err != nil {
		f.FaultOfTable("%v", err)
	}
	return v
}

var bodeKeys = []keys.Key{
	{Name: "input", Shape: keys.TextShape, Text: "input of the model"},
	{Name: "output", Shape: keys.TextShape, Text: "output of the model"},
	{Name: "from", Unit: "rad/s", Text: "least frequency", Positive: true},
	{Name: "to", Unit: "rad/s", Text: "largest frequency", Positive: true},
	{Name: "count", Text: "how many frequencies, evenly spaced by their logarithms",
		Whole: &keys.Whole{Least: 2, Most: mostFrequencies}},
}

func (r *studyReader) bode(f *keys.Fields) Bode {
	b := Bode{Input: f.Text("input"), Output: f.Text("output")}
	from, to, count := f.Number("from"), f.Number("to"), int(f.Number("count"))
	if !f.Given("from") || !f.Given("to") || !f.Given("count") {
		return b
	}
	if !(to > from) {
		f.FaultOfTable("the frequencies from %g to %g rad/s must be above 0 and rise", from, to)
	}
	if r.Len() == 0 {
		b.Frequencies = linear.LogSpace(from, to, count)
	}
	return b
}
