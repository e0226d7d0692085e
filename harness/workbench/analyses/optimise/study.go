package optimise

import (
	"math"
	"slices"
	"strings"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/bounded"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// Study is a search as a file of resources/sweeps says it.
type Study struct {
	Name, Title, Source string
	Model               string              // file
	At, Range           manoeuvre.Variation // counted steady motions, and the range for the search of stable ones
	Vary                []Bounds
	Outputs             []Output
	Share               float64 // least share of the mask's outputs in the shape of a counted mode
	Seed                uint64
	Evaluations         int
}

// Bounds limit parameters that share one value.
type Bounds struct {
	Variables []string
	From, To  float64
	Written   constants.Written // the first of both that has a unit
}

// Name of the parameters.
func (b *Bounds) Name() string { return strings.Join(b.Variables, "+") }

// Output is one that makes up the shapes of modes.
type Output struct {
	Variable string
	Counts   bool      // it is in the mask
	Scales   []float64 // by value of At
}

// mostEvaluations and mostValues bound what a study can ask for.
const (
	mostEvaluations = 1_000_000
	mostValues      = 10_000
)

var atKeys = []keys.Key{
	{Name: "variable", Shape: keys.TextShape, Text: "parameter, input or start value that varies between the motions"},
	{Name: "values", Shape: keys.ScalarsShape, Unit: keys.AnyUnit, Text: "its values"},
}

// FileKeys are the keys of searches for parameters.
var FileKeys = []keys.Key{
	{Name: "name", Shape: keys.TextShape, Text: "identifier of the study"},
	{Name: "title", Shape: keys.TextShape, Text: "heading of the plot"},
	{Name: "source", Shape: keys.TextShape, Text: "where the question comes from", Optional: true},
	{Name: "model", Shape: keys.TextShape, Text: "model file, relative to the study"},
	{Name: "constants", Shape: keys.NamedShape, Text: "numbers that formulas use, by their names", Optional: true,
		Value: &keys.Key{Unit: keys.AnyUnit, Text: "number or formula"}},
	{Name: "at", Shape: keys.TableShape, Text: "steady motions whose modes count", Keys: atKeys},
	{Name: "range", Shape: keys.TableShape, Keys: rangeKeys,
		Text: "values of the same variable between which the best point is tested for stability"},
	{Name: "vary", Shape: keys.TablesShape, Text: "parameters that are sought, and their bounds", Keys: variedKeys},
	{Name: "outputs", Shape: keys.TablesShape, Text: "outputs that make up the shape of a mode", Keys: outputKeys},
	{Name: "mask", Shape: keys.TextsShape, Filled: true, Text: "outputs whose share in its shape makes a mode count"},
	{Name: "share", Text: "least share of the mask in the shape of a counted mode", Default: "0.3", Nonnegative: true,
		AtMostOne: true},
	{Name: "seed", Text: "start of the random numbers", Whole: &keys.Whole{Most: 1 << 53}},
	{Name: "evaluations", Text: "length of the search", Whole: &keys.Whole{Least: 1, Most: mostEvaluations}},
}

// ReadStudy reads a study file. Everything wrong with it is reported together, with file, line and column. The model
// that it names is relative to it.
func ReadStudy(path string) (*Study, error) {
	data, err := bounded.Study.Read(path)
	if err != nil {
		return nil, err
	}
	s, err := ParseStudy(path, data)
	if err != nil {
		return nil, err
	}
	s.Model = bounded.Beside(path, s.Model)
	return s, nil
}

// ParseStudy is ReadStudy for the bytes of a file called file; the name of the model stays as it is.
func ParseStudy(file string, data []byte) (*Study, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := &reader{constants.NewReader(file, root)}
	f := r.Fields(root, "the study", FileKeys)
	own := f.Sub("constants")
	for _, name := range own.Names() {
		r.Constants[name] = own.Number(name)
		if u := r.UnitOf(own.Node(name)); u != "" {
			r.Units[name] = u
		}
	}
	r.ConstantsRead()
	s := &Study{Name: f.Text("name"), Title: f.Text("title"), Source: f.Text("source"), Model: f.Text("model"),
		Share: f.Number("share"), Seed: uint64(f.Number("seed")), Evaluations: int(f.Number("evaluations"))}
	if f.Given("at") {
		at := f.Sub("at")
		s.At = manoeuvre.Variation{Name: at.Text("variable"), Values: at.Numbers("values"),
			Written: r.OneUnit(at.PathOf("values"), at.Items("values")...)}
	}
	s.Range = r.steps(f.Sub("range"))
	s.Range.Name = s.At.Name
	for _, t := range f.NonEmptyList("vary") {
		s.Vary = append(s.Vary, r.bounds(t))
	}
	s.Outputs = r.outputs(f, s.At)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

type reader struct{ *constants.Reader }

var variedKeys = []keys.Key{
	{Name: "variables", Shape: keys.TextsShape, Filled: true, Text: "parameters that take the same value"},
	{Name: "from", Unit: keys.AnyUnit, Text: "least value"},
	{Name: "to", Unit: keys.AnyUnit, Text: "largest value"},
}

// bounds reads what varies, and between what.
func (r *reader) bounds(f *keys.Fields) Bounds {
	b := Bounds{f.Texts("variables"), f.Number("from"), f.Number("to"),
		r.OneUnit("from, to", f.Node("from"), f.Node("to"))}
	if f.Given("to") && f.Given("from") && b.To <= b.From {
		f.Fault("to", `%s is %v; it must be above "from", which is %v`, f.PathOf("to"), f.Node("to"), f.Node("from"))
	}
	return b
}

var rangeKeys = []keys.Key{
	{Name: "from", Unit: keys.AnyUnit, Text: "least value"}, {Name: "to", Unit: keys.AnyUnit, Text: "largest value"},
	{Name: "step", Unit: keys.AnyUnit, Text: "from one to the next", Positive: true},
}

// steps reads the values among which stable motions are looked for.
func (r *reader) steps(f *keys.Fields) (v manoeuvre.Variation) {
	from, to, step := f.Number("from"), f.Number("to"), f.Number("step")
	v.Written = r.OneUnit(f.Path, f.Node("from"), f.Node("to"), f.Node("step"))
	if !f.Given("from") || !f.Given("to") || !(step > 0) {
		return v
	}
	count := math.Round((to - from) / step)
	if !(count >= 1 && count < mostValues) {
		f.FaultOfTable("steps of %g from %g to %g are %.0f values; \"to\" must be above \"from\", and at most %d values "+
			"are possible: choose a longer step", step, from, to, count+1, mostValues)
		return v
	}
	v.Values = make([]float64, int(count)+1)
	for i := range v.Values {
		v.Values[i] = min(from+float64(i)*step, to)
	}
	return v
}

var outputKeys = []keys.Key{
	{Name: "variable", Shape: keys.TextShape, Text: "output of the model"},
	{Name: "scale", Unit: keys.AnyUnit, Text: "factor of its deviation, above 0, also a formula of constants and of the " +
		"variable of at; 1 by default", Optional: true},
}

// outputs reads the outputs with their scales, and which of them count.
func (r *reader) outputs(f *keys.Fields, at manoeuvre.Variation) []Output {
	var list []Output
	for _, t := range f.NonEmptyList("outputs") {
		o := Output{Variable: t.Text("variable"), Scales: slices.Repeat([]float64{1}, len(at.Values))}
		if t.Given("scale") {
			o.Scales = r.scales(t, at)
		}
		list = append(list, o)
	}
	f.Texts("mask")
	for _, name := range f.Items("mask") {
		k := slices.IndexFunc(list, func(o Output) bool { return o.Variable == name.Text })
		if k < 0 && name.Kind == document.Text {
			var names []string
			for _, o := range list {
				names = append(names, o.Variable)
			}
			r.At(name, "%q in \"mask\" is none of the outputs; they are %q", name.Text, names)
		} else if k >= 0 {
			list[k].Counts = true
		}
	}
	return list
}

// scales reads a number, or a formula of constants and of what the steady motions differ in.
func (r *reader) scales(f *keys.Fields, at manoeuvre.Variation) []float64 {
	const must = "it must be a number, or a formula of constants and of the variable of \"at\""
	n := f.Node("scale")
	if n.Kind != document.Text {
		return r.checked(n, slices.Repeat([]float64{f.Number("scale")}, len(at.Values)))
	}
	law, err := signal.ParseLaw(n.Text, r.Constants)
	if err != nil {
		f.Fault("scale", "%s is %v; %s: %v", f.PathOf("scale"), n, must, err)
		return nil
	}
	for _, name := range law.Reads {
		if name != at.Name {
			r.At(n, "the formula %q uses %q; %s, %q: give %[2]s in [constants]", n.Text, name, must, at.Name)
			return nil
		}
	}
	var list []float64
	for _, x := range at.Values {
		list = append(list, law.Value(slices.Repeat([]float64{x}, len(law.Reads))))
	}
	return r.checked(n, list)
}

// checked notes scales that are not above 0.
func (r *reader) checked(n *document.Node, scales []float64) []float64 {
	for _, x := range scales {
		if !(x > 0) || math.IsInf(x, 0) {
			r.At(n, "\"scale\" holds %v, which is %g; it must be finite and above 0 at all values of \"at\"", n, x)
			break
		}
	}
	return scales
}
