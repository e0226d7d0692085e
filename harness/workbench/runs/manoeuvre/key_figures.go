package manoeuvre

import (
	"cmp"
	"math"
	"slices"

	"skidpad/harness/workbench/results/figures"
	"skidpad/model/document"
)

// KeyFigures says which characteristic values a manoeuvre has.
type KeyFigures struct {
	Kind      string             // one of figures.Kinds
	Body      string             // whose motion is evaluated
	Front     []string           // tires of the front axle, where figures are wanted that need them
	Rear      []string           // those of the rear axle
	Following string             // body or sensor of a following unit, "" without
	Corners   []Corner           // of the suspension, of a car that names them
	Options   map[string]float64 // of the kind
	Inputs    map[string]string  // names of inputs, by the keys of the kind
}

// Corner is the suspension of one wheel.
type Corner struct {
	Travel        string  // variable [m]
	Rebound, Bump float64 // travel at the lower and upper stop [m], infinite without
	Unsprung      string  // body
}

// Search looks for the largest value of a constant with which a figure of the run is 1, by halving the interval
// between one with which it is and one with which it is not.
type Search struct {
	Constant  string
	Unit      string // of the constant
	From, To  float64
	Tolerance float64 // the interval that is left
	Figure    string
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

// evaluation reads the tables [sweep], [search], [prerun] and [figures].
func (r *manoeuvreReader) evaluation(root *document.Node, m *Manoeuvre) {
	table := func(name string) *document.Node {
		if n := root.Field(name); n != nil && r.Is(n, name, document.Table) {
			return n
		}
		return nil
	}
	if n := table("sweep"); n != nil {
		m.Sweep = r.sweep(n)
	}
	if n := table("search"); n != nil {
		m.Search = r.search(n)
		if len(m.Sweep) > 0 {
			r.At(n, `a manoeuvre has both [search] and [sweep]; --let makes the search with another constant`)
		}
	}
	if n := table("prerun"); n != nil {
		m.Prerun = r.prerun(n)
	}
	if n := table("figures"); n != nil {
		m.KeyFigures = r.keyFigures(n, m)
	}
}

// sweep reads the table [sweep].
func (r *manoeuvreReader) sweep(n *document.Node) (sweep []Variation) {
	runs := 1
	for _, name := range n.Keys {
		r.known(n.Field(name), name)
		if v := n.Field(name); v.Kind == document.Table {
			written := r.OneUnit(name, v.Field("from"), v.Field("step"), v.Field("to"))
			sweep = append(sweep, Variation{Name: name, Values: r.series(v, name), Written: written})
		} else {
			values := r.NumbersIn(n, name, document.AnyUnit)
			sweep = append(sweep, Variation{Name: name, Values: values, Written: r.OneUnit(name, v.Items...)})
			r.fitAll(v.Items, name, r.Units[name])
		}
	}
	for _, v := range sweep {
		if runs *= len(v.Values); runs > mostEvaluated {
			r.At(n, "these are more than %d runs", mostEvaluated)
			break
		}
	}
	return sweep
}

// search reads the table [search].
func (r *manoeuvreReader) search(n *document.Node) *Search {
	r.Table(n, searchKeys)
	s := &Search{r.Text(n, "constant"), r.Text(n, "unit"), r.Number(n, "from"), r.Number(n, "to"),
		r.Positive(n, "tolerance"), r.Text(n, "figure")}
	if s.Constant != "" {
		r.known(n.Field("constant"), s.Constant)
	}
	r.fitAll([]*document.Node{n.Field("from"), n.Field("to"), n.Field("tolerance")}, s.Constant, r.Units[s.Constant])
	if halvings := math.Log2((s.To - s.From) / s.Tolerance); !(halvings > 0 && halvings < 50) {
		r.At(n, "a search from %g to %g for an interval of %g; it must be part of that between them, and not less "+
			"than 2^-50 of it", s.From, s.To, s.Tolerance)
	}
	return s
}

// prerun reads the table [prerun].
func (r *manoeuvreReader) prerun(n *document.Node) *Prerun {
	r.Table(n, prerunKeys)
	p := &Prerun{File: r.Text(n, "manoeuvre")}
	if list := n.Field("replace"); list != nil && r.Is(list, "replace", document.Table) {
		for _, name := range list.Keys {
			p.Replaced = append(p.Replaced, ConstantValue{Name: name, Value: r.NumberIn(list, name, document.AnyUnit)})
		}
	}
	if list := r.Field(n, "constants", document.Table); list != nil {
		for _, name := range list.Keys {
			r.known(list.Field(name), name)
			p.Constants = append(p.Constants, FigureConstant{name, r.Text(list, name)})
		}
	}
	return p
}

// keyFigures reads the table [figures]; nil where there are no such figures.
func (r *manoeuvreReader) keyFigures(n *document.Node, m *Manoeuvre) *KeyFigures {
	e := &KeyFigures{Kind: r.Text(n, "kind"), Options: map[string]float64{}, Inputs: map[string]string{}}
	kind := figures.Find(e.Kind)
	if r.car != nil && n.Field("body") == nil {
		r.rolesOfFigures(e, kind != nil && kind.Corners)
	} else {
		e.Body = r.Text(n, "body")
	}
	if kind == nil {
		if e.Kind != "" {
			r.At(n.Place("kind"), "there are no characteristic values %q; allowed are %q", e.Kind, figures.Names())
		}
		return nil
	}
	r.Table(n, kindKeys([]document.Choice{{Word: e.Kind, Keys: figureKeys(kind)}}, e.Kind))
	switch f := n.Field("following"); {
	case f != nil && !kind.Following:
		r.At(f, "characteristic values of kind %q are those of one unit; leave out \"following\"", e.Kind)
	case kind.Following:
		e.Following = r.Text(n, "following")
	}
	if n.Field("front") != nil {
		e.Front = r.Texts(n, "front")
	}
	if n.Field("rear") != nil {
		e.Rear = r.Texts(n, "rear")
	}
	for _, option := range kind.Options {
		e.Options[option] = r.Number(n, option)
		if order := e.Options[option]; option == "filter_order" && !(order >= 2 && order <= figures.MostOrder) {
			r.At(n, "filter_order is %g; it must be an even number from 2 to %d", order, figures.MostOrder)
		}
	}
	if kind.Inputs != nil {
		r.halfCar(n, kind, e, m.Inputs)
	} else {
		r.needs(n, kind, m)
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
func (r *manoeuvreReader) halfCar(n *document.Node, kind *figures.Kind, e *KeyFigures, inputs []InputSignal) {
	at := func(key string) *document.Node { return cmp.Or(n.Field(key), n) }
	for _, key := range kind.Inputs {
		name := r.Text(n, key)
		driven := func(i InputSignal) bool { return slices.Contains(i.Variables, name) }
		if name != "" && !slices.ContainsFunc(inputs, driven) {
			r.At(at(key), "no [[input]] of the manoeuvre sets %q; characteristic values of kind %q draw it", name, kind.Name)
		}
		e.Inputs[key] = name
	}
	for _, axle := range []struct {
		key   string
		names []string
	}{{"front", e.Front}, {"rear", e.Rear}} {
		if len(axle.names) != 2 {
			r.At(at(axle.key), "characteristic values of kind %q need %q: the names of the body of the wheel and of its "+
				"relaxed-wheel", kind.Name, axle.key)
		}
	}
}

// needs notes what characteristic values need of a manoeuvre that it does not have.
func (r *manoeuvreReader) needs(n *document.Node, kind *figures.Kind, m *Manoeuvre) {
	if len(m.Phases) == 0 {
		r.At(n, "characteristic values are those of a manoeuvre of phases, and this one has none")
	}
	for _, phase := range kind.Phases {
		if !slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Name == phase }) {
			r.At(n, "characteristic values of kind %q need a phase %q", kind.Name, phase)
		}
	}
	if m.Steering == nil && r.car != nil {
		r.lack("steering")
	} else if m.Steering == nil {
		r.At(n, "characteristic values need a table [steering]")
	}
}

// series reads a table { from, step, to }: from, and from there by steps for as long as that is before to, and to.
func (r *manoeuvreReader) series(n *document.Node, constant string) []float64 {
	r.Table(n, seriesKeys)
	r.fitAll([]*document.Node{n.Field("from"), n.Field("step"), n.Field("to")}, constant, r.Units[constant])
	from, step, to := r.Number(n, "from"), r.Number(n, "step"), r.Number(n, "to")
	const most = 1000
	if count := (to - from) / step; !(count >= 0 && count < most) {
		r.At(n, "steps of %g do not lead from %g to %g, or are more than %d", step, from, to, most)
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
