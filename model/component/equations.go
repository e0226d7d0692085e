package component

import (
	"cmp"
	"slices"
	"strings"

	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var equationsType = Type{
	Word:   "equations",
	Text:   "equations given by formulas: a controller, a driver, an actuator; inside a model or alone",
	Middle: true,
	Keys: []keys.Key{
		{Name: "function", Shape: keys.TextShape, Optional: true,
			Text: "function outside of the file that computes outputs and rates in place of formulas: a registered name, or " +
				"plugin:LIBRARY#SYMBOL, which users must name, too; the string `model` exchanges it at load time"},
		{Name: "file", Shape: keys.TextShape, Optional: true,
			Text: "parameter file of the function, relative to the model file; the string `file` exchanges it"},
		{Name: "inputs", Shape: keys.TablesShape, Optional: true,
			Text: "inputs", Keys: []keys.Key{ownNameKey, unitKey, textKey, startKey, variableKey}},
		{Name: "states", Shape: keys.TablesShape, Optional: true, Text: "states", Keys: []keys.Key{
			ownNameKey, unitKey, textKey, startKey,
			{Name: "rate", Shape: keys.TextShape, Optional: true, Names: keys.Variables,
				Text: "formula of the rate; required without a function"},
			drivenKey,
		}},
		{Name: "outputs", Shape: keys.TablesShape, Optional: true,
			Text: "outputs in addition to the states; the formulas of later outputs and of rates can use each of them",
			Keys: []keys.Key{
				ownNameKey, unitKey, textKey,
				{Name: "value", Shape: keys.TextShape, Optional: true, Names: keys.Variables,
					Text: "formula of the value; required without a function"},
				drivenKey,
			}},
	},
	Read: readEquations,
}

// Where signals come from and where they go.
var (
	variableKey = keys.Key{Name: "from", Shape: keys.TextShape, Optional: true, Names: keys.Variables,
		Text: "variable of the model with the value: a published quantity, an input, a parameter, `time`, or a role such " +
			"as `@chassis.vx`; default: none, users set the input"}
	drivenKey = keys.Key{Name: "to", Shape: keys.TextsShape, Optional: true, Filled: true, Names: keys.Variables,
		Text: "inputs of the model that get this value; users cannot set them any more"}
)

// Equations are a model by formulas: rates of states and outputs, of states, inputs and parameters. They may read
// variables of the model and drive inputs of it.
// Variables have the name of the component in front, as everywhere, but not in the formulas of the component itself.
type Equations struct {
	keys.Header
	Function, File          string // in place of formulas; "" for none
	Inputs, States, Outputs []EquationVariable
}

// EquationVariable is an input, state or output of equations.
type EquationVariable struct {
	Name, Unit, Text string
	Value            keys.Scalar // at the start, of inputs and states
	Formula          string      // of a state its rate, of an output its value
	From             Reference   // of an input
	To               []Reference // of states and outputs
	Pos              keys.Position
}

// readEquations reads variables and checks that formulas know the names that they use.
func readEquations(h keys.Header, f *keys.Fields) Component {
	e := &Equations{Header: h, Function: f.Text("function"), File: f.Text("file")}
	if e.File != "" && e.Function == "" {
		f.Fault("file", "%s.file has no effect without %[1]s.function; leave it out, or name the function", f.Path)
	}
	taken := map[string]bool{}
	for _, u := range f.List("inputs") {
		e.Inputs = append(e.Inputs, equationVariable(u, taken, inputRole, "", false))
	}
	for _, x := range f.List("states") {
		e.States = append(e.States, equationVariable(x, taken, stateRole, "rate", e.Function != ""))
	}
	for _, y := range f.List("outputs") {
		e.Outputs = append(e.Outputs, equationVariable(y, taken, outputRole, "value", e.Function != ""))
	}
	if f.Table != nil && len(e.Inputs)+len(e.States)+len(e.Outputs) == 0 && !f.Given("inputs") && !f.Given("states") &&
		!f.Given("outputs") {
		f.FaultOfTable("%s has no inputs, states or outputs; equations need at least one of them", f.Path)
	}
	known := map[string]bool{}
	for _, v := range slices.Concat(e.Inputs, e.States) {
		known[v.Name] = true
	}
	for i := range e.Outputs {
		checkFormula(f, &e.Outputs[i], known,
			"it can name inputs, states, outputs before this one, [parameters], variables of the model such as body.vx, "+
				"and time")
		known[e.Outputs[i].Name] = true
	}
	for i := range e.States {
		checkFormula(f, &e.States[i], known,
			"it can name inputs, states, outputs, [parameters], variables of the model such as body.vx, and time")
	}
	return e
}

// equationRole tells what a variable of equations is.
type equationRole uint8

const (
	inputRole equationRole = iota
	stateRole
	outputRole
)

// equationVariable reads a variable. formula is the key of its formula, "" for none; taken has the names of the
// variables before it. If function is true, a function computes the variable in place of the formula.
func equationVariable(f *keys.Fields, taken map[string]bool, role equationRole, formula string, function bool,
) EquationVariable {
	v := EquationVariable{Name: f.Text("name"), Unit: f.Unit("unit"), Text: f.Text("text")}
	if role != outputRole {
		v.Value = f.ScalarIn("value", v.Unit)
	}
	if formula != "" {
		switch v.Formula = f.Text(formula); {
		case !function:
			f.Require(formula)
		case f.Given(formula):
			f.Fault(formula, "%s.%s has no effect, because the function computes %s; leave out one of the two", f.Path,
				formula, v.Name)
		}
	}
	if role != inputRole {
		for i, name := range f.Texts("to") {
			v.To = append(v.To, Reference{name, f.Reader.Position(f.Node("to").Items[i])})
		}
	} else if v.From = (Reference{f.Text("from"), f.Position("from")}); v.From.Name != "" && f.Given("value") {
		f.Fault("value", "%s.value has no effect, because the input has the value of %s; leave out one of the two",
			f.Path, v.From.Name)
	}
	if f.Table == nil {
		return v
	}
	at := f.Table
	if n := f.Table.Field("name"); n != nil && n.Kind == document.Text {
		at = n
		_, parameter := f.Reader.Parameters[v.Name]
		switch {
		case !keys.IsIdentifier(v.Name):
			f.Reader.At(at, "%s.name is %q; it must be an identifier: a letter, then letters, digits and _", f.Path,
				v.Name)
		case taken[v.Name]:
			f.Reader.At(at, "%s.name is %q, which another variable of the component has already; "+
				"give it another name", f.Path, v.Name)
		case parameter || slices.Contains(keys.Reserved, v.Name):
			f.Reader.At(at, "%s.name is %q, which is a parameter of the model or a name of the engine's own; "+
				"formulas could not tell them apart, give it another name", f.Path, v.Name)
		}
		taken[v.Name] = true
	}
	if n := f.Table.Field(formula); formula != "" && n != nil {
		at = n
	}
	v.Pos = f.Reader.Position(at)
	return v
}

// checkFormula notes a formula that cannot be read or whose names are not known.
func checkFormula(f *keys.Fields, v *EquationVariable, known map[string]bool, rule string) {
	if v.Formula == "" {
		return
	}
	if len(v.Formula) > expr.MaxFormula {
		f.FaultAt(v.Pos, "the formula of %s has %d characters; at most %d are allowed, name parts of it as outputs",
			v.Name, len(v.Formula), expr.MaxFormula)
		return
	}
	err := keys.CheckFormula(v.Formula, func(name string) bool {
		_, parameter := f.Reader.Parameters[name]
		return parameter || known[name] || ofModel(name)
	})
	if err != nil {
		f.FaultAt(v.Pos, "the formula of %s: %v; %s", v.Name, err, rule)
	}
}

// ofModel reports whether a formula means a variable of the model by a name.
func ofModel(name string) bool { return name == "time" || strings.Contains(name, ".") }

func (*Equations) Frames() Frames { return Frames{} }

// Edges: they move no frame.
func (*Equations) Edges(*Scope) []graph.Edge { return nil }

// Check has nothing to add to the keys.
func (*Equations) Check(*Scope, *keys.Reader) {}

// Law adds inputs, outputs and states by formulas:
//
//	y = g(x, u),  x' = f(x, u, y)
//
// Inputs u can be variables of the model.
func (c *Equations) Law(b Builder) {
	p := b.Pool()
	known := map[string]*expr.Expr{}
	var returned map[string]*expr.Expr
	parse := func(v EquationVariable, result string) *expr.Expr {
		if c.Function != "" {
			return returned[result]
		}
		e, err := p.Parse(v.Formula, func(name string) *expr.Expr {
			if e := cmp.Or(known[name], b.Named(name)); e != nil || !ofModel(name) {
				return e
			}
			return b.Variable(name, v.Pos)
		})
		if err != nil {
			b.Reject(v.Pos, "%s.%s: %v", c.Name, v.Name, err)
			return p.Int(0)
		}
		return p.Define(c.Name+"."+v.Name, e)
	}
	for _, v := range c.Inputs {
		if v.From.Name != "" {
			known[v.Name] = b.Reads(v.Name, v.Unit, v.Text, v.From)
			continue
		}
		known[v.Name] = b.Input(v.Name, v.Unit, v.Text, v.Value.Value)
	}
	for _, v := range c.States {
		known[v.Name] = p.Sym(c.Name+"."+v.Name, expr.State)
	}
	if c.Function != "" {
		returned = b.Law(c.law(known))
	}
	for _, v := range c.Outputs {
		known[v.Name] = parse(v, v.Name)
		b.Publish(v.Name, v.Unit, v.Text, known[v.Name])
	}
	for _, v := range slices.Concat(c.States, c.Outputs) {
		for _, to := range v.To {
			b.Drives(to, v.Name, v.Unit, known[v.Name])
		}
	}
	for _, v := range c.States {
		b.State(OwnState{Key: v.Name, Unit: v.Unit, Text: v.Text, Symbol: known[v.Name], Rate: parse(v, v.Name+rateSuffix),
			Start: v.Value})
	}
}

// rateSuffix stands behind the name of a state in the name of its rate among the results of a function.
const rateSuffix = "_dot"

// law is the call of the function: of inputs and states, for outputs and the rates of states.
func (c *Equations) law(known map[string]*expr.Expr) LawCall {
	l := LawCall{Function: c.Function, File: c.File}
	for _, v := range slices.Concat(c.Inputs, c.States) {
		l.Inputs, l.Arguments = append(l.Inputs, v.Name), append(l.Arguments, known[v.Name])
	}
	for _, v := range c.Outputs {
		l.Outputs = append(l.Outputs, v.Name)
	}
	for _, v := range c.States {
		l.Outputs = append(l.Outputs, v.Name+rateSuffix)
	}
	return l
}
