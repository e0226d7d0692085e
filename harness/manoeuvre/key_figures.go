package manoeuvre

import (
	"math"
	"slices"

	"skidpad/harness/figures"
	"skidpad/model/document"
)

// KeyFigures says which key figures a manoeuvre has.
type KeyFigures struct {
	Kind      string             // one of figures.Kinds
	Body      string             // whose motion is evaluated
	Front     []string           // tires of the front axle, where figures are wanted that need them
	Rear      []string           // those of the rear axle
	Following string             // body or sensor of a following unit, "" without
	Corners   []Corner           // of the suspension, of a car that names them
	Options   map[string]float64 // of the kind
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

// Prerun is a manoeuvre whose key figures are constants of this one.
type Prerun struct {
	File      string          // beside the manoeuvre
	Replaced  []ConstantValue // constants of that manoeuvre
	Constants []FigureConstant
}

// FigureConstant gives a constant the value of a key figure.
type FigureConstant struct{ Constant, Figure string }

// mostEvaluated bounds the runs of a sweep, whose signals are all kept.
const mostEvaluated = 1000

// evaluation reads the tables [sweep], [prerun] and [figures].
func (r *manoeuvreReader) evaluation(root *document.Node, m *Manoeuvre) {
	if n := root.Field("sweep"); n != nil && r.Is(n, "sweep", document.Table) {
		for _, name := range n.Keys {
			r.known(n.Field(name), name)
			if v := n.Field(name); v.Kind == document.Table {
				m.Sweep = append(m.Sweep, Variation{name, r.series(v)})
			} else {
				m.Sweep = append(m.Sweep, Variation{name, r.Numbers(n, name)})
			}
		}
	}
	runs := 1
	for _, v := range m.Sweep {
		if runs *= len(v.Values); runs > mostEvaluated {
			r.At(root.Field("sweep"), "these are more than %d runs", mostEvaluated)
			break
		}
	}
	if n := root.Field("search"); n != nil && r.Is(n, "search", document.Table) {
		r.Keys(n, "constant", "unit", "from", "to", "tolerance", "figure")
		s := &Search{r.Text(n, "constant"), r.Text(n, "unit"), r.Number(n, "from"), r.Number(n, "to"), r.Positive(n, "tolerance"), r.Text(n, "figure")}
		if s.Constant != "" {
			r.known(n.Field("constant"), s.Constant)
		}
		if halvings := math.Log2((s.To - s.From) / s.Tolerance); !(halvings > 0 && halvings < 50) {
			r.At(n, "a search from %g to %g for an interval of %g; it must be part of that between them, and not less than 2^-50 of it", s.From, s.To, s.Tolerance)
		}
		if len(m.Sweep) > 0 {
			r.At(n, `a manoeuvre has both [search] and [sweep]; --let makes the search with another constant`)
		}
		m.Search = s
	}
	if n := root.Field("prerun"); n != nil && r.Is(n, "prerun", document.Table) {
		r.Keys(n, "manoeuvre", "replace", "constants")
		m.Prerun = &Prerun{File: r.Text(n, "manoeuvre")}
		if list := n.Field("replace"); list != nil && r.Is(list, "replace", document.Table) {
			for _, name := range list.Keys {
				m.Prerun.Replaced = append(m.Prerun.Replaced, ConstantValue{name, r.Number(list, name)})
			}
		}
		if list := r.Field(n, "constants", document.Table); list != nil {
			for _, name := range list.Keys {
				r.known(list.Field(name), name)
				m.Prerun.Constants = append(m.Prerun.Constants, FigureConstant{name, r.Text(list, name)})
			}
		}
	}
	n := root.Field("figures")
	if n == nil || !r.Is(n, "figures", document.Table) {
		return
	}
	e := &KeyFigures{Kind: r.Text(n, "kind"), Options: map[string]float64{}}
	if r.car != nil && n.Field("body") == nil {
		e.Body, e.Front, e.Rear = r.car.body, r.car.front, r.car.rear
		if kind := figures.Find(e.Kind); kind != nil && kind.Corners {
			e.Corners = r.car.corners
		}
	} else {
		e.Body = r.role(r.Text(n, "body"))
	}
	kind := figures.Find(e.Kind)
	if kind == nil {
		if e.Kind != "" {
			r.At(n.Field("kind"), "there are no key figures %q; allowed are %q", e.Kind, figures.Names())
		}
		return
	}
	r.Keys(n, slices.Concat([]string{"kind", "body", "front", "rear", "following"}, kind.Options)...)
	switch f := n.Field("following"); {
	case f != nil && !kind.Following:
		r.At(f, "key figures of kind %q are those of one unit; leave out \"following\"", e.Kind)
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
	if len(m.Phases) == 0 {
		r.At(n, "key figures are those of a manoeuvre of phases, and this one has none")
	}
	for _, phase := range kind.Phases {
		if !slices.ContainsFunc(m.Phases, func(p Phase) bool { return p.Name == phase }) {
			r.At(n, "key figures of kind %q need a phase %q", e.Kind, phase)
		}
	}
	if m.Steering == nil {
		r.At(n, "key figures need a table [steering]")
	}
	m.KeyFigures = e
}

// series reads a table { from, step, to }: from, and from there by steps for as long as that is before to, and to.
func (r *manoeuvreReader) series(n *document.Node) []float64 {
	r.Keys(n, "from", "step", "to")
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
