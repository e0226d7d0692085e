package harness

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"skidpad/model/expr"
	"skidpad/tire/document"
)

// Manoeuvre is what is done to a vehicle: a validated file of
// resources/manoeuvres. Only ReadManoeuvre and ParseManoeuvre build it.
type Manoeuvre struct {
	Name     string
	Title    string
	Source   string    // where the numbers come from
	Models   []string  // names of the models it is meant for
	Duration float64   // s
	Step     float64   // communication step, s
	Settings []Setting // parameters and texts; of those called file, ReadManoeuvre makes paths from the manoeuvre file's folder
	Start    []StartValue
	Inputs   []InputSignal
	Feedback []FeedbackLaw
}

// FeedbackLaw sets inputs to a formula over what the vehicle publishes, at every communication
// point.
type FeedbackLaw struct {
	Variables []string
	Law       string   // formula
	Reads     []string // what it reads; time is the time
}

// StartValue replaces a model's start value.
type StartValue struct {
	Variable string
	Value    float64 // in the variable's unit
}

// InputSignal drives inputs with one signal: either variables, which take its
// value, or motion drivers, whose position, rate and acceleration it supplies, and roads, whose
// height and rate it supplies.
type InputSignal struct {
	Variables []string // "brake_FL.torque"
	Drivers   []string // "steer_FL", "post_FL"
	Signal    Signal
}

// ReadManoeuvre reads a manoeuvre file. Everything wrong with it is reported
// together, with file, line and column.
func ReadManoeuvre(path string) (*Manoeuvre, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := ParseManoeuvre(path, data)
	if err != nil {
		return nil, err
	}
	for i := range m.Settings {
		s := &m.Settings[i]
		if (strings.HasSuffix(s.Name, ".file") || strings.HasSuffix(s.Name, ".friction_file")) && s.Value != "" && !filepath.IsAbs(s.Value) {
			if s.Value, err = filepath.Abs(filepath.Join(filepath.Dir(path), filepath.FromSlash(s.Value))); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// ParseManoeuvre is ReadManoeuvre for the bytes of a file called file.
func ParseManoeuvre(file string, data []byte) (*Manoeuvre, error) {
	root, err := document.Parse(data, file)
	if err != nil {
		return nil, err
	}
	r := &manoeuvreReader{Faults: document.Faults{File: file}, driven: map[string]bool{}}
	r.keys(root, "name", "title", "source", "models", "duration", "step", "parameters", "start", "input", "feedback")
	m := &Manoeuvre{
		Name: r.text(root, "name"), Title: r.text(root, "title"), Source: r.optionalText(root, "source"), Models: r.texts(root, "models"),
		Duration: r.positive(root, "duration"), Step: r.positive(root, "step"),
	}
	if settings := root.Field("parameters"); settings != nil && r.is(settings, "parameters", document.Table) {
		for _, name := range settings.Keys {
			switch v := settings.Field(name); v.Kind {
			case document.Number:
				r.finite(v, name)
				m.Settings = append(m.Settings, Setting{name, v.Text})
			case document.Text:
				m.Settings = append(m.Settings, Setting{name, v.Text})
			default:
				r.At(v, "%q holds %v; it must be a number or a text", name, v)
			}
		}
	}
	if start := root.Field("start"); start != nil && r.is(start, "start", document.Table) {
		for _, name := range start.Keys {
			m.Start = append(m.Start, StartValue{name, r.number(start, name)})
		}
	}
	// without inputs the vehicle is left to itself
	if inputs := root.Field("input"); inputs != nil && r.is(inputs, "input", document.List) {
		for _, input := range inputs.Items {
			if r.is(input, "input", document.Table) {
				m.Inputs = append(m.Inputs, r.input(input))
			}
		}
	}
	if laws := root.Field("feedback"); laws != nil && r.is(laws, "feedback", document.List) {
		for _, law := range laws.Items {
			if r.is(law, "feedback", document.Table) {
				m.Feedback = append(m.Feedback, r.feedback(law))
			}
		}
	}
	if err := r.Err(); err != nil {
		return nil, err
	}
	return m, nil
}

// feedback reads one table [[feedback]].
func (r *manoeuvreReader) feedback(n *document.Node) FeedbackLaw {
	r.keys(n, "variables", "law")
	f := FeedbackLaw{Variables: r.texts(n, "variables"), Law: r.text(n, "law")}
	for i, name := range f.Variables {
		if r.driven[name] {
			r.At(n.Field("variables").Items[i], "%q is driven twice", name)
		}
		r.driven[name] = true
	}
	pool := expr.NewPool()
	if _, err := pool.Parse(f.Law, func(name string) *expr.Expr {
		if !slices.Contains(f.Reads, name) {
			f.Reads = append(f.Reads, name)
		}
		return pool.Sym(name, expr.Input)
	}); err != nil && f.Law != "" {
		r.At(n.Field("law"), "%v", err)
	}
	return f
}

// manoeuvreReader gathers faults while it reads; driven holds what inputs seen
// so far drive.
type manoeuvreReader struct {
	document.Faults
	driven map[string]bool
}

// input reads one table [[input]].
func (r *manoeuvreReader) input(n *document.Node) InputSignal {
	r.keys(n, "variables", "drivers", "signal")
	var input InputSignal
	key := "variables"
	if n.Field("drivers") != nil {
		key = "drivers"
		if n.Field("variables") != nil {
			r.At(n, `an input has both "variables" and "drivers"; it drives either`)
		}
	}
	names := r.texts(n, key)
	for i, name := range names {
		if r.driven[name] {
			r.At(n.Field(key).Items[i], "%q is driven twice", name)
		}
		r.driven[name] = true
	}
	if key == "drivers" {
		input.Drivers = names
	} else {
		input.Variables = names
	}
	if signal := r.field(n, "signal", document.Table); signal != nil {
		input.Signal = r.signal(signal)
	}
	return input
}

// signal reads a table that describes a signal.
func (r *manoeuvreReader) signal(n *document.Node) Signal {
	switch kind := r.text(n, "kind"); kind {
	case "": // reported by text
	case "constant":
		r.keys(n, "kind", "value")
		return Constant(r.number(n, "value"))
	case "sine":
		r.keys(n, "kind", "amplitude", "period")
		return Sine{Amplitude: r.number(n, "amplitude"), Period: r.positive(n, "period")}
	case "piecewise-linear":
		r.keys(n, "kind", "time", "value")
		return r.piecewiseLinear(n)
	case "steps":
		r.keys(n, "kind", "time", "value")
		return Steps(r.piecewiseLinear(n))
	case "formula":
		r.keys(n, "kind", "formula")
		if text := r.text(n, "formula"); text != "" {
			f, err := ParseFormula(text)
			if err != nil {
				r.At(n.Field("formula"), "%v; time is the only name", err)
				return nil
			}
			return f
		}
	default:
		r.At(n.Field("kind"), `signal kind %q; allowed are "constant", "sine", "piecewise-linear", "steps", "formula"`, kind)
	}
	return nil
}

func (r *manoeuvreReader) piecewiseLinear(n *document.Node) PiecewiseLinear {
	p := PiecewiseLinear{Time: r.numbers(n, "time"), Value: r.numbers(n, "value")}
	if len(p.Time) != len(p.Value) && p.Time != nil && p.Value != nil {
		r.At(n.Field("value"), "%d values for %d times; each time needs one", len(p.Value), len(p.Time))
	}
	for i := 1; i < len(p.Time); i++ {
		if p.Time[i] <= p.Time[i-1] {
			r.At(n.Field("time").Items[i], "time %g after %g; times must increase", p.Time[i], p.Time[i-1])
		}
	}
	return p
}

// keys notes every key of n that is not allowed.
func (r *manoeuvreReader) keys(n *document.Node, allowed ...string) {
	for _, key := range n.Keys {
		if !slices.Contains(allowed, key) {
			r.At(n.Field(key), "unknown key %q; allowed here are %q", key, allowed)
		}
	}
}

// is notes when n, the value of key, is not of the kind.
func (r *manoeuvreReader) is(n *document.Node, key string, kind document.Kind) bool {
	if n.Kind != kind {
		r.At(n, "%q holds %v; it must be %v", key, n, kind)
	}
	return n.Kind == kind
}

// field returns the value of a key that must be there and of the kind; nil
// when it is not.
func (r *manoeuvreReader) field(n *document.Node, key string, kind document.Kind) *document.Node {
	value := n.Field(key)
	if value == nil {
		r.At(n, "key %q is missing; it is %v", key, kind)
		return nil
	}
	if !r.is(value, key, kind) {
		return nil
	}
	return value
}

// text reads a text that is not empty.
func (r *manoeuvreReader) text(n *document.Node, key string) string {
	value := r.field(n, key, document.Text)
	if value == nil {
		return ""
	}
	if value.Text == "" {
		r.At(value, "%q is empty", key)
	}
	return value.Text
}

// optionalText reads a text that need not be given.
func (r *manoeuvreReader) optionalText(n *document.Node, key string) string {
	if n.Field(key) == nil {
		return ""
	}
	return r.text(n, key)
}

// number reads a finite number.
func (r *manoeuvreReader) number(n *document.Node, key string) float64 {
	if value := r.field(n, key, document.Number); value != nil {
		return r.finite(value, key)
	}
	return 0
}

func (r *manoeuvreReader) finite(n *document.Node, key string) float64 {
	if math.IsNaN(n.Number) || math.IsInf(n.Number, 0) {
		r.At(n, "%q is %v; it must be finite", key, n)
	}
	return n.Number
}

// positive reads a finite number above zero.
func (r *manoeuvreReader) positive(n *document.Node, key string) float64 {
	x := r.number(n, key)
	if value := n.Field(key); x <= 0 && value != nil && value.Kind == document.Number {
		r.At(value, "%q is %v; it must be above 0", key, value)
	}
	return x
}

// list reads a list that is not empty and whose elements are of the kind.
func (r *manoeuvreReader) list(n *document.Node, key string, kind document.Kind) []*document.Node {
	value := r.field(n, key, document.List)
	if value == nil {
		return nil
	}
	if len(value.Items) == 0 {
		r.At(value, "%q needs at least one element", key)
	}
	good := true
	for _, item := range value.Items {
		good = r.is(item, key, kind) && good
	}
	if !good {
		return nil
	}
	return value.Items
}

func (r *manoeuvreReader) texts(n *document.Node, key string) []string {
	var texts []string
	for _, item := range r.list(n, key, document.Text) {
		texts = append(texts, item.Text)
	}
	return texts
}

func (r *manoeuvreReader) numbers(n *document.Node, key string) []float64 {
	var numbers []float64
	for _, item := range r.list(n, key, document.Number) {
		numbers = append(numbers, r.finite(item, key))
	}
	return numbers
}
