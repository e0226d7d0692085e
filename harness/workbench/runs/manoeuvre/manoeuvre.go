// Package manoeuvre reads what is done to a vehicle: manoeuvres with their inputs, phases and characteristic values,
// and the cars that they are for.
package manoeuvre

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/keys"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/document"
	"skidpad/model/roles"
)

// Manoeuvre is what is done to a vehicle: a validated file of
// resources/manoeuvres. Only ReadManoeuvre and ParseManoeuvre build it.
type Manoeuvre struct {
	Name      string
	Title     string
	Source    string       // where the numbers come from
	Models    []string     // names of the models it is meant for; of one for any car those of the car's file
	Car       string       // car file, "" without
	CarListed bool         // the car file was found by the name of the model
	doubts    []string     // about what the car file states
	ForAny    bool         // the manoeuvre is for any car
	Roles     *roles.Roles // of the vehicle; nil without
	Record    []string     // patterns over names of outputs to record, with roles
	Constants []ConstantValue
	Duration  float64 // s; with phases the longest that they can take together
	Step      float64 // communication step, s
	// parameters and texts; of those called file, ReadManoeuvre makes paths from the manoeuvre file's folder
	Settings []FileSetting
	Start    []StartValue
	Inputs   []InputSignal // of the whole manoeuvre
	Feedback []FeedbackLaw

	Steering     *Steering     // nil without
	SpeedControl *SpeedControl // nil without
	PathFollower *PathFollower // nil without
	Phases       []Phase       // one after the other; nil for inputs and feedback alone
	Track        []figures.Section
	Stops        []Stop
	EndAt        []EndCondition // nil for those of the vehicle, empty for none
	Sweep        []Variation    // of constants, over runs
	Search       *Search        // nil without
	Prerun       *Prerun        // nil without
	KeyFigures   *KeyFigures    // nil without characteristic values
}

// ConstantValue is a number that formulas of the file name.
type ConstantValue struct {
	Name    string
	Value   float64
	Written keys.Written // where it is given with a unit in place of the file's
}

// FeedbackLaw sets inputs to a formula over what the vehicle publishes, at every communication
// point.
type FeedbackLaw struct {
	Variables []string
	Law       *signal.Law  // over variables, and time [s]
	Factor    float64      // of what the inputs take: 1, for the brakes their input for a deceleration of 1 m/s2
	Place     string       // in the file
	Written   keys.Written // the formula, where it is a constant with a unit, which must be that of the inputs
}

// StartValue replaces a model's start value.
type StartValue struct {
	Variable string
	Value    float64      // in the variable's unit
	Written  keys.Written // where it has a unit
}

// InputSignal drives inputs with one signal: either variables, which take its
// value, or motion drivers, whose position, rate and acceleration it supplies, and roads, whose
// height and rate it supplies.
type InputSignal struct {
	Variables []string // "brake_FL.torque"
	Drivers   []string // "steer_FL", "post_FL"
	HandWheel bool     // the signal is the angle of the steering wheel, which turns the drivers
	Signal    signal.Signal
	Written   keys.Written // the first of its numbers with a unit, which must be that of the inputs
}

// start reads the table [start].
func (r *manoeuvreReader) start(n *document.Node) []StartValue {
	var list []StartValue
	if start := n.Field("start"); start != nil && r.Is(start, "start", document.Table) {
		for _, name := range start.Keys {
			list = append(list, StartValue{r.variable(start.Field(name), name), r.NumberIn(start, name, document.AnyUnit),
				r.Written(start.Field(name), name)})
		}
	}
	return list
}

// inputs reads the tables [[input]] of the manoeuvre or of a phase.
func (r *manoeuvreReader) inputs(n *document.Node) []InputSignal {
	var inputs []InputSignal
	if list := n.Field("input"); list != nil && r.Is(list, "input", document.List) {
		for _, input := range list.Items {
			if r.Is(input, "input", document.Table) {
				inputs = append(inputs, r.input(input)...)
			}
		}
	}
	return inputs
}

// feedback reads one table [[feedback]]; a role is a law for each of its sets.
func (r *manoeuvreReader) feedback(n *document.Node) (laws []FeedbackLaw) {
	r.Table(n, feedbackKeys)
	f := FeedbackLaw{Place: fmt.Sprintf("%s:%d:%d", n.File, n.Line, n.Column)}
	if text := r.Text(n, "law"); text != "" {
		f.Law = r.law(n.Field("law"))
	}
	si := r.unitOf(n)
	if law := n.Field("law"); law != nil && si != document.AnyUnit {
		r.Fits(law, "law", si)
	} else if law != nil {
		f.Written = r.Written(law, "law")
	}
	for _, set := range r.sets(n) {
		f.Variables, f.Factor = set.Inputs, set.Factor
		laws = append(laws, f)
	}
	return laws
}

// unitOf is the unit of what the key "variables" names, where the manoeuvre knows it.
func (r *manoeuvreReader) unitOf(n *document.Node) string {
	if names := n.Field("variables"); names != nil && slices.ContainsFunc(names.Items, isBrake) {
		return "m/s2"
	}
	return document.AnyUnit
}

// law reads a formula over variables and constants; nil when it is faulty.
func (r *manoeuvreReader) law(n *document.Node) *signal.Law {
	l, err := signal.ParseLaw(r.formula(n), r.Constants)
	if err != nil {
		r.At(n, "%v", err)
		return nil
	}
	return l
}

// drive reads the names of inputs or drivers, which nothing else may drive at the same time.
func (r *manoeuvreReader) drive(n *document.Node, key string) []string {
	var names []string
	for i, name := range r.Texts(n, key) {
		at := n.Field(key).Items[i]
		names = append(names, r.take(at, []string{r.variable(at, name)})...)
	}
	return names
}

// input reads one table [[input]]; a role is an input for each of its sets.
func (r *manoeuvreReader) input(n *document.Node) []InputSignal {
	r.Table(n, inputKeys)
	var inputs []InputSignal
	var factors []float64
	if n.Field("drivers") != nil {
		if n.Field("variables") != nil {
			r.At(n, `an input has both "variables" and "drivers"; it drives either`)
		}
		inputs, factors = []InputSignal{{Drivers: r.drive(n, "drivers")}}, []float64{1}
	} else {
		for _, set := range r.sets(n) {
			inputs, factors = append(inputs, InputSignal{Variables: set.Inputs}), append(factors, set.Factor)
		}
	}
	wave := r.Field(n, "signal", document.Table)
	if wave == nil {
		return inputs
	}
	si := r.unitOf(n)
	s := r.signal(wave, si)
	for i := range inputs {
		if si == document.AnyUnit {
			inputs[i].Written = r.written(wave)
		}
		if inputs[i].Signal = s; s != nil && factors[i] != 1 {
			inputs[i].Signal = signal.Scaled{Signal: s, Factor: factors[i]}
		}
	}
	return inputs
}

// isBrake reports whether a name is that of the brakes, whose signal is a deceleration.
func isBrake(n *document.Node) bool { return n.Text == "@brake" }

// sets are the inputs that the key "variables" of an input names, those of one role or without a factor together.
func (r *manoeuvreReader) sets(n *document.Node) (list []roles.Set) {
	plain := -1 // place of the set of names that are no roles
	for i, name := range r.Texts(n, "variables") {
		at := n.Field("variables").Items[i]
		sets, err := r.vehicle().Sets(name)
		if err != nil {
			r.fail(at, err)
			continue
		}
		for _, set := range sets {
			r.take(at, set.Inputs)
			if set.Factor == 0 {
				set.Factor = r.brakeFactor(at)
			}
			switch {
			case roles.Mentions(name):
				list = append(list, set)
			case plain < 0:
				plain, list = len(list), append(list, roles.Set{Inputs: slices.Clone(set.Inputs), Factor: 1})
			default:
				list[plain].Inputs = append(list[plain].Inputs, set.Inputs...)
			}
		}
	}
	return list
}

// fitAll notes numbers with units that are not all units for what is kept in si or, where that is not known, for what
// the first of them is; it returns the first.
func (r *manoeuvreReader) fitAll(list []*document.Node, key, si string) (first keys.Written) {
	for _, n := range list {
		written := r.Written(n, key)
		if written == (keys.Written{}) {
			continue
		}
		if first == (keys.Written{}) {
			first = written
		}
		if si == "" || si == document.AnyUnit {
			si = r.UnitOf(n)
		}
		r.Fits(n, key, si)
	}
	return first
}

// written is the first number of a signal with a unit.
func (r *manoeuvreReader) written(n *document.Node) (first keys.Written) {
	for _, key := range []string{"amplitude", "value"} {
		if v := n.Field(key); v != nil {
			for _, item := range append([]*document.Node{v}, v.Items...) {
				first = cmp.Or(first, r.Written(item, key))
			}
		}
	}
	return first
}

// signal reads a table that describes a signal of what is kept in si, where that is known.
func (r *manoeuvreReader) signal(n *document.Node, si string) signal.Signal {
	kind := r.Text(n, "kind")
	if list := kindKeys(signalKinds, kind); list != nil {
		r.Table(n, list)
		for _, key := range []string{"amplitude", "value"} {
			if v := n.Field(key); v != nil {
				r.fitAll(append([]*document.Node{v}, v.Items...), key, si)
			}
		}
	}
	switch kind {
	case "": // reported by text
	case "constant":
		return signal.Constant(r.Number(n, "value"))
	case "sine":
		return signal.Sine{Amplitude: r.Number(n, "amplitude"), Period: r.Positive(n, "period")}
	case "piecewise-linear":
		return r.piecewiseLinear(n)
	case "steps":
		return signal.Steps(r.piecewiseLinear(n))
	case "sine-with-dwell":
		return signal.SineWithDwell{Amplitude: r.Number(n, "amplitude"), Frequency: r.Positive(n, "frequency"),
			Dwell: r.NotNegative(n, "dwell")}
	case "chirp":
		c := signal.Chirp{Amplitude: r.Number(n, "amplitude"), First: r.NotNegative(n, "first"),
			Last: r.Positive(n, "last"), Period: r.Positive(n, "period")}
		if cycles := (c.First + c.Last) / 2 * c.Period; math.Abs(cycles-math.Round(cycles)) > 1e-6 {
			r.At(n, "a chirp of %g cycles has a jump where it begins again; (first + last)/2 times period must be a "+
				"whole number", cycles)
		}
		return c
	case "formula":
		if text := r.Text(n, "formula"); text != "" {
			f, err := signal.ParseFormula(text, r.Constants)
			if err != nil {
				r.At(n.Place("formula"), "%v; names are time and constants", err)
				return nil
			}
			return f
		}
	default:
		r.At(n.Place("kind"), `signal kind %q; allowed are "constant", "sine", "piecewise-linear", "steps", `+
			`"sine-with-dwell", "chirp", "formula"`, kind)
	}
	return nil
}

func (r *manoeuvreReader) piecewiseLinear(n *document.Node) signal.PiecewiseLinear {
	p := signal.PiecewiseLinear{Time: r.Numbers(n, "time"), Value: r.Numbers(n, "value")}
	if len(p.Time) != len(p.Value) && p.Time != nil && p.Value != nil {
		r.At(n.Place("value"), "%d values for %d times; each time needs one", len(p.Value), len(p.Time))
	}
	for i := 1; i < len(p.Time); i++ {
		if p.Time[i] <= p.Time[i-1] {
			r.At(n.Place("time").Items[i], "time %g after %g; times must increase%s", p.Time[i], p.Time[i-1],
				r.causes(n.Field("time").Items[i-1:i+1]))
		}
	}
	return p
}
