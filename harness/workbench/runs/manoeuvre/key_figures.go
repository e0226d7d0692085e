package manoeuvre

import (
	"math"
	"slices"

	"skidpad/harness/workbench/results/figures"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// KeyFigures says which characteristic values a manoeuvre has.
type KeyFigures struct {
	Kind      string            // one of figures.Kinds
	Body      string            // whose motion is evaluated
	Front     []string          // tires of the front axle, where figures are wanted that need them
	Rear      []string          // those of the rear axle
	Following string            // body or sensor of a following unit, "" without
	Corners   []Corner          // of the suspension, of a car that names them
	Options   figures.Options   // of the kind
	Inputs    map[string]string // names of inputs, by the keys of the kind
}

// Corner is the suspension of one wheel.
type Corner struct {
	Travel        string  // variable [m]
	Rebound, Bump float64 // travel at the lower and upper stop [m], infinite without
	Unsprung      string  // body
}

// Search finds the largest value of a constant that keeps a figure of the run at 1. It bisects the interval between a
// value with figure 1 and a value with figure 0.
type Search struct {
	Constant  string
	Unit      string // of the constant
	From, To  float64
	Tolerance float64 // the interval that is left
	Figure    string

	Over   string    // constant for each of whose values the search is made; "" for none
	Values []float64 // of this constant
}

// Prerun is a manoeuvre whose characteristic values are constants of this one.
type Prerun struct {
	File      string          // beside the manoeuvre
	Replaced  []ConstantValue // constants of that manoeuvre
	Constants []FigureConstant
}

// FigureConstant gives a constant the value of a characteristic value.
type FigureConstant struct{ Constant, Figure string }

// mostEvaluated bounds the runs of a sweep, whose signals are all kept.
const mostEvaluated = 1000

var searchKeys = []keys.Key{
	key("constant", text, "", "that is sought"), key("unit", text, "", "of the constant"),
	key("from", number, anyUnit, "least value"), key("to", number, anyUnit, "largest value"),
	{Name: "tolerance", Unit: anyUnit, Text: "interval that is left", Positive: true},
	key("figure", text, "", "characteristic value that is 1 up to the value sought, and 0 beyond"),
	maybe("over", text, "", "other constant, for each of whose values the search is made; the largest result counts"),
	maybe("values", numbers, anyUnit, "of the constant that over names"),
}

var seriesKeys = []keys.Key{
	key("from", number, anyUnit, "first value"), key("step", number, anyUnit, "from one to the next"),
	key("to", number, anyUnit, "last value"),
}

var prerunKeys = []keys.Key{
	key("manoeuvre", text, "", "file of the manoeuvre that is run before"),
	named("replace", "constants of that manoeuvre", key("", number, anyUnit, "number or formula")),
	{Name: "constants", Shape: keys.NamedShape,
		Text:  "constants of this manoeuvre, by characteristic values of the prerun",
		Value: &keys.Key{Shape: text, Text: "characteristic value"}},
}

// evaluation reads the tables [sweep], [search], [prerun] and [figures].
func (r *manoeuvreReader) evaluation(root *keys.Fields, m *Manoeuvre) {
	if root.Given("sweep") {
		m.Sweep = r.sweep(root.Sub("sweep"))
	}
	if root.Given("search") {
		f := root.Sub("search")
		m.Search = r.search(f)
		if len(m.Sweep) > 0 {
			f.FaultOfTable(`a manoeuvre has both [search] and [sweep]; --let makes the search with another constant`)
		}
	}
	if root.Given("prerun") {
		m.Prerun = r.prerun(root.Sub("prerun"))
	}
	if root.Given("figures") {
		m.KeyFigures = r.keyFigures(root, m)
	}
}

// sweep reads the table [sweep].
func (r *manoeuvreReader) sweep(f *keys.Fields) (sweep []Variation) {
	runs := 1
	for _, name := range f.Names() {
		v := f.Node(name)
		r.known(v, name)
		if v.Kind == document.Table {
			series := f.Sub(name)
			written := r.OneUnit(name, v.Field("from"), v.Field("step"), v.Field("to"))
			sweep = append(sweep, Variation{Name: name, Values: r.series(series, name), Written: written})
		} else {
			values := f.Numbers(name)
			sweep = append(sweep, Variation{Name: name, Values: values, Written: r.OneUnit(name, v.Items...)})
			r.fitAll(v.Items, f.PathOf(name), r.Units[name])
		}
	}
	for _, v := range sweep {
		if runs *= len(v.Values); runs > mostEvaluated {
			f.FaultOfTable("these are more than %d runs", mostEvaluated)
			break
		}
	}
	return sweep
}

// search reads the table [search].
func (r *manoeuvreReader) search(f *keys.Fields) *Search {
	s := &Search{Constant: f.Text("constant"), Unit: f.Text("unit"), From: f.Number("from"), To: f.Number("to"),
		Tolerance: f.Number("tolerance"), Figure: f.Text("figure")}
	if f.Given("over") || f.Given("values") {
		f.Require("over")
		f.Require("values")
		if s.Over, s.Values = f.Text("over"), f.Numbers("values"); s.Over != "" {
			r.known(f.Node("over"), s.Over)
			if values := f.Node("values"); values != nil {
				r.fitAll(values.Items, f.PathOf("values"), r.Units[s.Over])
			}
		}
	}
	if s.Constant != "" {
		r.known(f.Node("constant"), s.Constant)
	}
	r.fitAll([]*document.Node{f.Node("from"), f.Node("to"), f.Node("tolerance")}, f.Path, r.Units[s.Constant])
	if halvings := math.Log2((s.To - s.From) / s.Tolerance); !(halvings > 0 && halvings < 50) {
		f.FaultOfTable("a search from %g to %g for an interval of %g; it must be part of that between them, and not less "+
			"than 2^-50 of it", s.From, s.To, s.Tolerance)
	}
	return s
}

// prerun reads the table [prerun].
func (r *manoeuvreReader) prerun(f *keys.Fields) *Prerun {
	p := &Prerun{File: f.Text("manoeuvre")}
	replace, constants := f.Sub("replace"), f.Sub("constants")
	for _, name := range replace.Names() {
		p.Replaced = append(p.Replaced, ConstantValue{Name: name, Value: replace.Number(name)})
	}
	for _, name := range constants.Names() {
		r.known(constants.Node(name), name)
		p.Constants = append(p.Constants, FigureConstant{name, constants.Text(name)})
	}
	return p
}

// figureKinds are the kinds of characteristic values.
func figureKinds() (list []keys.Kind) {
	for _, name := range figures.Names() {
		kind := figures.Find(name)
		list = append(list, keys.Kind{Word: name, Text: kind.Text, Keys: figureKeys(kind)})
	}
	return list
}

// figureKeys lists the keys of a kind of characteristic values.
func figureKeys(kind *figures.Kind) []keys.Key {
	list := []keys.Key{maybe("body", text, "", "whose motion is evaluated; the chassis by default"),
		maybe("front", texts, "", "tires of the front axle"), maybe("rear", texts, "", "tires of the rear axle")}
	if kind.Following {
		list = append(list, key("following", text, "", "body or sensor of a following unit"))
	}
	for _, option := range kind.New().Numbers() {
		list = append(list, option.Key)
	}
	for _, input := range kind.Inputs {
		list = append(list, key(input, text, "", "name of an input"))
	}
	return list
}

// keyFigures reads the table [figures]; nil where there are no such figures.
func (r *manoeuvreReader) keyFigures(root *keys.Fields, m *Manoeuvre) *KeyFigures {
	word, f := root.Kind("figures")
	if word == "" {
		return nil
	}
	kind := figures.Find(word)
	e := &KeyFigures{Kind: word, Options: kind.New(), Inputs: map[string]string{}}
	if r.car != nil && !f.Given("body") {
		r.rolesOfFigures(e, kind.Corners)
	} else {
		f.Require("body")
		e.Body = f.Text("body")
	}
	if kind.Following {
		e.Following = f.Text("following")
	}
	if f.Given("front") {
		e.Front = f.Texts("front")
	}
	if f.Given("rear") {
		e.Rear = f.Texts("rear")
	}
	for _, option := range e.Options.Numbers() {
		*option.Value = f.Number(option.Name)
	}
	if kind.Inputs != nil {
		r.halfCar(f, kind, e, m.Inputs)
	} else {
		r.needs(f, kind, m)
	}
	return e
}

// rolesOfFigures are the body, the tires and the suspensions of characteristic values of any car.
func (r *manoeuvreReader) rolesOfFigures(e *KeyFigures, corners bool) {
	o := r.car.roles
	if e.Body = o.Chassis; e.Body == "" {
		r.lack("chassis")
	}
	if len(o.Axles) == 0 {
		r.lack("axles")
	}
	for i := range o.Axles {
		to := &e.Rear
		if i == 0 {
			to = &e.Front
		}
		for _, w := range o.Axles[i].Wheels() {
			*to = append(*to, w.Tire)
		}
	}
	for _, w := range o.Wheels() {
		if !corners || w.Travel == "" {
			continue
		}
		if w.Unsprung == "" {
			r.lack("unsprung")
		}
		c := Corner{w.Travel, math.Inf(-1), math.Inf(1), w.Unsprung}
		if !math.IsNaN(w.Stops[0]) {
			c.Rebound, c.Bump = w.Stops[0], w.Stops[1]
		}
		e.Corners = append(e.Corners, c)
	}
}

// halfCar reads what characteristic values of a half-car need, which has wheels in place of tires.
func (r *manoeuvreReader) halfCar(f *keys.Fields, kind *figures.Kind, e *KeyFigures, inputs []InputSignal) {
	for _, key := range kind.Inputs {
		name := f.Text(key)
		driven := func(i InputSignal) bool { return slices.Contains(i.Variables, name) }
		if name != "" && !slices.ContainsFunc(inputs, driven) {
			f.Fault(key, "no [[input]] of the manoeuvre sets %q; characteristic values of kind %q draw it", name, kind.Name)
		}
		e.Inputs[key] = name
	}
	for _, axle := range []struct {
		key   string
		names []string
	}{{"front", e.Front}, {"rear", e.Rear}} {
		if len(axle.names) != 2 {
			f.Fault(axle.key, "characteristic values of kind %q need %q: the names of the body of the wheel and of its "+
				"relaxed-wheel", kind.Name, axle.key)
		}
	}
}

// needs notes what characteristic values need of a manoeuvre that it does not have.
func (r *manoeuvreReader) needs(f *keys.Fields, kind *figures.Kind, m *Manoeuvre) {
	if len(m.Phases) == 0 {
		f.FaultOfTable("characteristic values are those of a manoeuvre of phases, and this one has none")
	}
	for _, phase := range kind.Phases {
		if !slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Name == phase }) {
			f.FaultOfTable("characteristic values of kind %q need a phase %q", kind.Name, phase)
		}
	}
	if m.Steering == nil && r.car != nil {
		r.lack("steering")
	} else if m.Steering == nil {
		f.FaultOfTable("characteristic values need a table [steering]")
	}
}

// series reads a table { from, step, to }: from, and from there by steps for as long as that is before to, and to.
func (r *manoeuvreReader) series(f *keys.Fields, constant string) []float64 {
	r.fitAll([]*document.Node{f.Node("from"), f.Node("step"), f.Node("to")}, f.Path, r.Units[constant])
	from, step, to := f.Number("from"), f.Number("step"), f.Number("to")
	const most = 1000
	if count := (to - from) / step; !(count >= 0 && count < most) {
		f.FaultOfTable("steps of %g do not lead from %g to %g, or are more than %d", step, from, to, most)
		return nil
	}
	var values []float64
	for i := 0; float64(i) < (to-from)/step*(1-1e-9); i++ {
		values = append(values, from+float64(i)*step)
	}
	return append(values, to)
}

// known notes a name that is no constant.
func (r *manoeuvreReader) known(n *document.Node, name string) {
	if _, constant := r.Constants[name]; !constant {
		r.At(n, "there is no constant %q", name)
	}
}

// Wanted are the constants that the run before is to give, where some are replaced.
func (p *Prerun) Wanted(replaced []ConstantValue) []FigureConstant {
	var wanted []FigureConstant
	for _, c := range p.Constants {
		if !slices.ContainsFunc(replaced, func(r ConstantValue) bool { return r.Name == c.Constant }) {
			wanted = append(wanted, c)
		}
	}
	return wanted
}
