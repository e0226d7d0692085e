package linearise

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"skidpad/harness/workbench/runs/keys"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/linear"
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
		s.Panels[i].Model = keys.RelativeTo(path, s.Panels[i].Model)
	}
	return s, nil
}

// ParseStudy is ReadStudy for the bytes of a file called file; the names of models stay as they are.
func ParseStudy(file string, data []byte) (*Study, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := &studyReader{keys.Reader{Faults: document.Faults{File: file}, Where: "the file, as a number"}}
	r.Keys(root, "name", "title", "source", "panel")
	s := &Study{Name: r.Text(root, "name"), Title: r.Text(root, "title"), Source: r.OptionalText(root, "source")}
	for _, n := range r.List(root, "panel", document.Table) {
		p := r.panel(n)
		if p.Name != "" && slices.ContainsFunc(s.Panels, func(other Panel) bool { return other.Name == p.Name }) {
			r.At(n.Place("name"), "there are two panels %q; each needs a name of its own, which is that of its folder", p.Name)
		}
		s.Panels = append(s.Panels, p)
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

type studyReader struct{ keys.Reader }

// folderName is what the name of a panel may be.
var folderName = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]*$`)

func (r *studyReader) panel(n *document.Node) Panel {
	r.Keys(n, "name", "title", "model", "at", "set", "hold", "free", "bode", "map")
	p := Panel{Name: r.Text(n, "name"), Title: r.Text(n, "title"), Model: r.Text(n, "model")}
	if name := n.Field("name"); p.Name != "" && !folderName.MatchString(p.Name) {
		r.At(name, "%q cannot be the name of a folder: use small letters, digits, - and _", p.Name)
	}
	if at := r.Field(n, "at", document.Table); at != nil {
		p.At = r.values(at)
	}
	if set := n.Field("set"); set != nil && r.Is(set, "set", document.Table) {
		for _, name := range set.Keys {
			value := set.Field(name)
			switch value.Kind {
			case document.Text:
				p.Settings = append(p.Settings, r.setting(value, name))
			case document.Number:
				text := strconv.FormatFloat(r.Finite(value, name), 'g', -1, 64)
				p.Settings = append(p.Settings, manoeuvre.Setting{Name: name, Value: text})
			default:
				r.At(value, "%q holds %v; it must be a number, or a text for texts of the model", name, value)
			}
		}
	}
	if n.Field("hold") != nil {
		p.Hold = r.Texts(n, "hold")
	}
	if n.Field("free") != nil {
		p.Free = r.Texts(n, "free")
	}
	bode := n.Field("bode")
	if bode != nil && r.Is(bode, "bode", document.Table) {
		p.Bode = r.bode(bode)
	}
	if drawn := n.Field("map"); drawn != nil && r.Is(drawn, "map", document.Truth) {
		if p.Map = drawn.Text == "true"; p.Map && bode == nil {
			r.At(drawn, "a map is of a frequency response: give \"bode\", or leave \"map\" out")
		}
		if p.Map && len(p.At.Values) == 1 {
			r.At(drawn, "a map needs several values of \"at\"")
		}
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

// values reads a list of values, or the first and the last with the step between.
func (r *studyReader) values(n *document.Node) manoeuvre.Variation {
	v := manoeuvre.Variation{Name: r.Text(n, "variable")}
	if n.Field("values") != nil {
		r.Keys(n, "variable", "values")
		v.Values = r.NumbersIn(n, "values", document.AnyUnit)
		if list := n.Field("values"); list != nil {
			v.Written = r.OneUnit("values", list.Items...)
		}
		return v
	}
	r.Keys(n, "variable", "values", "from", "to", "step")
	from, to, step := r.NumberIn(n, "from", document.AnyUnit), r.NumberIn(n, "to", document.AnyUnit),
		r.NumberIn(n, "step", document.AnyUnit)
	v.Written = r.OneUnit(v.Name, n.Field("from"), n.Field("to"), n.Field("step"))
	if n.Field("from") == nil || n.Field("to") == nil || n.Field("step") == nil {
		return v
	}
	var err error
	if v.Values, err = Steps(from, to, step); err != nil {
		r.At(n, "%v", err)
	}
	return v
}

var bodeKeys = []document.Key{{Name: "input"}, {Name: "output"}, {Name: "from", Unit: "rad/s"},
	{Name: "to", Unit: "rad/s"}, {Name: "count"}}

func (r *studyReader) bode(n *document.Node) Bode {
	r.Table(n, bodeKeys)
	b := Bode{Input: r.Text(n, "input"), Output: r.Text(n, "output")}
	from, to, count := r.Positive(n, "from"), r.Positive(n, "to"), r.Number(n, "count")
	if n.Field("from") == nil || n.Field("to") == nil || n.Field("count") == nil {
		return b
	}
	if !(from > 0 && to > from) {
		r.At(n, "the frequencies from %g to %g rad/s must be above 0 and rise", from, to)
	}
	if count < 2 || count > mostFrequencies || count != float64(int(count)) {
		r.At(n.Place("count"), "\"count\" is %g; it must be an integer from 2 to %d", count, mostFrequencies)
		return b
	}
	b.Frequencies = linear.LogSpace(from, to, int(count))
	return b
}
