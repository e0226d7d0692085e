package optimise

import (
	"math"
	"slices"
	"strings"

	"skidpad/harness/workbench/runs/keys"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/bounded"
	"skidpad/model/document"
)

// Study is a search as a file of resources/sweeps says it.
type Study struct {
	Name, Title, Source string
	Model               string              // file
	At, Range           manoeuvre.Variation // steady motions that count, and those among which stable ones are looked for
	Vary                []Bounds
	Outputs             []Output
	Share               float64 // least share of a mode's shape in the outputs of the mask with which it counts
	Seed                uint64
	Evaluations         int
}

// Bounds are those of parameters that have the same value.
type Bounds struct {
	Variables []string
	From, To  float64
	Written   keys.Written // the first of both that has a unit
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
	s.Model = keys.RelativeTo(path, s.Model)
	return s, nil
}

// ParseStudy is ReadStudy for the bytes of a file called file; the name of the model stays as it is.
func ParseStudy(file string, data []byte) (*Study, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := &reader{keys.Reader{Faults: document.Faults{File: file}, Constants: map[string]float64{},
		Units: map[string]string{}}}
	r.Keys(root, "name", "title", "source", "model", "constants", "at", "range", "vary", "outputs", "mask", "share",
		"seed", "evaluations")
	if n := root.Field("constants"); n != nil && r.Is(n, "constants", document.Table) {
		for _, name := range n.Keys {
			r.Constants[name] = r.NumberIn(n, name, document.AnyUnit)
			if u := r.UnitOf(n.Field(name)); u != "" {
				r.Units[name] = u
			}
		}
	}
	r.ConstantsRead()
	s := &Study{
		Name: r.Text(root, "name"), Title: r.Text(root, "title"), Source: r.OptionalText(root, "source"),
		Model: r.Text(root, "model"), Share: 0.3,
		Seed: uint64(r.count(root, "seed", 0, 1<<53)), Evaluations: r.count(root, "evaluations", 1, mostEvaluations),
	}
	if n := root.Field("share"); n != nil {
		if s.Share = r.Number(root, "share"); s.Share < 0 || s.Share > 1 {
			r.At(n, `"share" is %v; it must be from 0 to 1`, n)
		}
	}
	if n := r.Field(root, "at", document.Table); n != nil {
		r.Keys(n, "variable", "values")
		s.At = manoeuvre.Variation{Name: r.Text(n, "variable"), Values: r.NumbersIn(n, "values", document.AnyUnit)}
		if list := n.Field("values"); list != nil {
			s.At.Written = r.OneUnit("values", list.Items...)
		}
	}
	s.Range = r.steps(root)
	s.Range.Name = s.At.Name
	for _, n := range r.List(root, "vary", document.Table) {
		s.Vary = append(s.Vary, r.bounds(n))
	}
	s.Outputs = r.outputs(root, s.At)
	if err := r.Err(); err != nil {
		return nil, err
	}
	return s, nil
}

type reader struct{ keys.Reader }

// count reads a whole number within bounds.
func (r *reader) count(n *document.Node, key string, least, most float64) int {
	x := r.Number(n, key)
	if value := n.Field(key); value != nil && (x < least || x > most || x != math.Trunc(x)) {
		r.At(value, "%q is %v; it must be an integer from %.0f to %.0f", key, value, least, most)
		return 0
	}
	return int(x)
}

// bounds reads what varies, and between what.
func (r *reader) bounds(n *document.Node) Bounds {
	r.Keys(n, "variables", "from", "to")
	b := Bounds{r.Texts(n, "variables"), r.NumberIn(n, "from", document.AnyUnit), r.NumberIn(n, "to", document.AnyUnit),
		r.OneUnit("from, to", n.Field("from"), n.Field("to"))}
	if to := n.Field("to"); to != nil && n.Field("from") != nil && b.To <= b.From {
		r.At(to, `"to" is %v; it must be above "from", which is %v`, to, n.Field("from"))
	}
	return b
}

var rangeKeys = []document.Key{{Name: "from", Unit: document.AnyUnit}, {Name: "to", Unit: document.AnyUnit},
	{Name: "step", Unit: document.AnyUnit}}

// steps reads the values among which stable motions are looked for.
func (r *reader) steps(root *document.Node) (v manoeuvre.Variation) {
	n := r.Field(root, "range", document.Table)
	if n == nil {
		return v
	}
	r.Table(n, rangeKeys)
	from, to, step := r.Number(n, "from"), r.Number(n, "to"), r.Positive(n, "step")
	v.Written = r.OneUnit("range", n.Field("from"), n.Field("to"), n.Field("step"))
	if n.Field("from") == nil || n.Field("to") == nil || !(step > 0) {
		return v
	}
	count := math.Round((to - from) / step)
	if !(count >= 1 && count < mostValues) {
		r.At(n, "steps of %g from %g to %g are %.0f values; \"to\" must be above \"from\", and at most %d values are "+
			"possible: choose a longer step", step, from, to, count+1, mostValues)
		return v
	}
	v.Values = make([]float64, int(count)+1)
	for i := range v.Values {
		v.Values[i] = min(from+float64(i)*step, to)
	}
	return v
}

// outputs reads the outputs with their scales, and which of them count.
func (r *reader) outputs(root *document.Node, at manoeuvre.Variation) []Output {
	var list []Output
	for _, n := range r.List(root, "outputs", document.Table) {
		r.Keys(n, "variable", "scale")
		o := Output{Variable: r.Text(n, "variable"), Scales: slices.Repeat([]float64{1}, len(at.Values))}
		if scale := n.Field("scale"); scale != nil {
			o.Scales = r.scales(scale, at)
		}
		list = append(list, o)
	}
	mask := r.Field(root, "mask", document.List)
	if mask == nil {
		return list
	}
	for _, name := range r.List(root, "mask", document.Text) {
		k := slices.IndexFunc(list, func(o Output) bool { return o.Variable == name.Text })
		if k < 0 {
			var names []string
			for _, o := range list {
				names = append(names, o.Variable)
			}
			r.At(name, "%q in \"mask\" is none of the outputs; they are %q", name.Text, names)
			continue
		}
		list[k].Counts = true
	}
	return list
}

// scales reads a number, or a formula of constants and of what the steady motions differ in.
func (r *reader) scales(n *document.Node, at manoeuvre.Variation) []float64 {
	const must = "it must be a number, or a formula of constants and of the variable of \"at\""
	if n.Kind != document.Text {
		if !r.Is(n, "scale", document.Number) {
			return nil
		}
		return r.checked(n, slices.Repeat([]float64{r.Finite(n, "scale")}, len(at.Values)))
	}
	law, err := signal.ParseLaw(n.Text, r.Constants)
	if err != nil {
		r.At(n, "\"scale\" holds %v; %s: %v", n, must, err)
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
