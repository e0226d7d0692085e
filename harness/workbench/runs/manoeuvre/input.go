package manoeuvre

import (
	"fmt"
	"slices"

	"skidpad/harness/workbench/runs/constants"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/roles"
)

var inputKeys = []keys.Key{
	maybe("variables", texts, "", "inputs or roles such as @brake, which take the value of the signal; or drivers"),
	maybe("drivers", texts, "", "motion drivers and roads, which also take its rates; in place of variables"),
	signalOf("signal", "what they take, in their unit", false),
}

var feedbackKeys = []keys.Key{
	key("variables", texts, "",
		"inputs that the law sets at each communication point; @throttle sets all of its inputs, and "+
			"@brake takes a deceleration, m/s2"),
	key("law", text, "", "formula of outputs, time [s] and constants"),
}

// start reads the table [start].
func (r *manoeuvreReader) start(f *keys.Fields) []StartValue {
	var list []StartValue
	start := f.Sub("start")
	for _, name := range start.Names() {
		n := start.Node(name)
		list = append(list, StartValue{r.variable(n, name), start.Number(name), r.Written(n, name)})
	}
	return list
}

// inputs reads the tables [[input]] of the manoeuvre or of a phase.
func (r *manoeuvreReader) inputs(f *keys.Fields) []InputSignal {
	var inputs []InputSignal
	for _, input := range f.List("input") {
		if input.Table != nil {
			inputs = append(inputs, r.input(input)...)
		}
	}
	return inputs
}

// feedback reads one table [[feedback]]; a role is a law for each of its sets.
func (r *manoeuvreReader) feedback(f *keys.Fields) (laws []FeedbackLaw) {
	n := f.Table
	if n == nil {
		return nil
	}
	one := FeedbackLaw{Place: fmt.Sprintf("%s:%d:%d", n.File, n.Line, n.Column)}
	if f.Text("law") != "" {
		one.Law = r.law(f.Node("law"))
	}
	si := r.unitOf(f)
	if law := f.Node("law"); law != nil && si != keys.AnyUnit {
		r.Fits(law, f.PathOf("law"), si)
	} else if law != nil {
		one.Written = r.Written(law, "law")
	}
	for _, set := range r.sets(f) {
		one.Variables, one.Factor = set.Inputs, set.Factor
		laws = append(laws, one)
	}
	return laws
}

// unitOf is the unit of what the key "variables" names, where the manoeuvre knows it.
func (r *manoeuvreReader) unitOf(f *keys.Fields) string {
	if names := f.Node("variables"); names != nil && slices.ContainsFunc(names.Items, isBrake) {
		return "m/s2"
	}
	return keys.AnyUnit
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

// names are the texts of a list with their places, none where one of them is no text.
func names(f *keys.Fields, key string) []*document.Node {
	if list := f.Texts(key); len(list) == 0 || len(list) != len(f.Node(key).Items) {
		return nil
	}
	return f.Node(key).Items
}

// drive reads the names of inputs or drivers, which nothing else may drive at the same time.
func (r *manoeuvreReader) drive(f *keys.Fields, key string) []string {
	var driven []string
	for _, at := range names(f, key) {
		driven = append(driven, r.take(at, []string{r.variable(at, at.Text)})...)
	}
	return driven
}

// input reads one table [[input]]; a role is an input for each of its sets.
func (r *manoeuvreReader) input(f *keys.Fields) []InputSignal {
	var inputs []InputSignal
	var factors []float64
	if f.Given("drivers") {
		if f.Given("variables") {
			f.FaultOfTable(`%s has both "variables" and "drivers"; it drives either`, f.Path)
		}
		inputs, factors = []InputSignal{{Drivers: r.drive(f, "drivers")}}, []float64{1}
	} else if f.Require("variables") {
		for _, set := range r.sets(f) {
			inputs, factors = append(inputs, InputSignal{Variables: set.Inputs}), append(factors, set.Factor)
		}
	}
	if !f.Given("signal") {
		return inputs
	}
	si := r.unitOf(f)
	s := r.signal(f, "signal", si)
	for i := range inputs {
		if si == keys.AnyUnit {
			inputs[i].Written = r.written(f.Node("signal"))
		}
		if inputs[i].Signal = s; s != nil && factors[i] != 1 {
			inputs[i].Signal = signal.Scaled{Signal: s, Factor: factors[i]}
		}
	}
	return inputs
}

// isBrake reports whether a name is the role of the brakes; its signal is a deceleration.
func isBrake(n *document.Node) bool { return n.Text == "@brake" }

// sets are the inputs that the key "variables" of an input names, those of one role or without a factor together.
func (r *manoeuvreReader) sets(f *keys.Fields) (list []roles.Set) {
	plain := -1 // place of the set of names that are no roles
	for _, at := range names(f, "variables") {
		sets, err := r.vehicle().Sets(at.Text)
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
			case roles.Mentions(at.Text):
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

// fitAll notes each number whose unit does not measure the quantity with the SI unit si, or, without si, the quantity
// of the first number that has a unit. It returns that first number.
func (r *manoeuvreReader) fitAll(list []*document.Node, path, si string) (first constants.Written) {
	for _, n := range list {
		written := r.Written(n, path)
		if written == (constants.Written{}) {
			continue
		}
		if first == (constants.Written{}) {
			first = written
		}
		if si == "" || si == keys.AnyUnit {
			si = r.UnitOf(n)
		}
		r.Fits(n, path, si)
	}
	return first
}
