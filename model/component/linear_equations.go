package component

import (
	"strings"

	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

var linearEquationsType = Type{
	Word:   "linear-equations",
	Text:   "linear equations about a steady state, given by matrices",
	Middle: true,
	Keys: []keys.Key{
		{Name: "states", Shape: keys.TablesShape, Text: "states, x", Keys: []keys.Key{
			nameKey, unitKey, textKey, valueKey, scalar("rate", "", "0", "rate in the steady state"),
		}},
		{Name: "inputs", Shape: keys.TablesShape, Optional: true, Text: "inputs, u", Keys: []keys.Key{
			nameKey, unitKey, textKey, valueKey,
			{Name: "rate_of", Shape: keys.TextShape, Optional: true, Text: "input of which this input is the rate"},
		}},
		{Name: "outputs", Shape: keys.TablesShape, Optional: true,
			Text: "outputs in addition to the states, y", Keys: []keys.Key{nameKey, unitKey, textKey, valueKey}},
		{Name: "A", Shape: keys.MatrixShape, Text: "matrix from the states to the rates"},
		{Name: "B", Shape: keys.MatrixShape, Optional: true, Text: "matrix from the inputs to the rates; default: zeros"},
		{Name: "C", Shape: keys.MatrixShape, Optional: true, Text: "matrix from the states to the outputs; default: zeros"},
		{Name: "D", Shape: keys.MatrixShape, Optional: true, Text: "matrix from the inputs to the outputs; default: zeros"},
	},
	Read: readLinearEquations,
}

// LinearEquations describe motions near a steady one:
//
//	x' = x0' + A (x - x0) + B (u - u0),  y = y0 + C (x - x0) + D (u - u0)
//
// with the values x0, u0, y0 and rates x0' of the variables. Their names have no component name in front. A matrix that
// is nil is zero.
type LinearEquations struct {
	keys.Header
	States, Inputs, Outputs []LinearVariable
	A, B, C, D              [][]keys.Scalar
}

// LinearVariable is a state, input or output of linear equations.
type LinearVariable struct {
	Name, Unit, Text string
	Value            keys.Scalar // in the steady motion
	Rate             keys.Scalar // of a state in the steady motion
	RateOf           int         // the input whose rate an input is, -1 for none
	Pos              keys.Position
}

// readLinearEquations reads variables and matrices, whose sizes the variables give.
func readLinearEquations(h keys.Header, f *keys.Fields) Component {
	e := &LinearEquations{Header: h}
	faults := f.Reader.Len()
	for _, s := range f.List("states") {
		v := linearVariable(s)
		v.Rate = s.Scalar("rate")
		e.States = append(e.States, v)
	}
	if n := f.Table.Field("states"); n != nil && n.Kind == document.List && len(n.Items) == 0 {
		f.Reader.At(n, "%s.states is empty; it needs at least one state", f.Path)
	}
	for _, u := range f.List("inputs") {
		v := linearVariable(u)
		if of := u.Text("rate_of"); of != "" {
			for i := range e.Inputs {
				if e.Inputs[i].Name == of {
					v.RateOf = i
				}
			}
			e.checkRate(u, &v, of)
		}
		e.Inputs = append(e.Inputs, v)
	}
	for _, y := range f.List("outputs") {
		e.Outputs = append(e.Outputs, linearVariable(y))
	}
	if f.Reader.Len() > faults || len(e.States) == 0 {
		return e // the sizes of the matrices are not known
	}
	x, u, y := len(e.States), len(e.Inputs), len(e.Outputs)
	e.A, e.B, e.C, e.D = f.Matrix("A", x, x), f.Matrix("B", x, u), f.Matrix("C", y, x), f.Matrix("D", y, u)
	return e
}

func linearVariable(f *keys.Fields) LinearVariable {
	v := LinearVariable{Name: f.Text("name"), Unit: f.Unit("unit"), Text: f.Text("text"), Rate: keys.Zero(), RateOf: -1}
	v.Value = f.ScalarIn("value", v.Unit)
	if f.Table == nil {
		return v
	}
	at := f.Table
	if n := f.Table.Field("name"); n != nil {
		at = n
	}
	v.Pos = f.Reader.Position(at)
	if component, quantity, structured := strings.Cut(v.Name, "."); v.Name != "" &&
		(!keys.IsIdentifier(component) || structured && !keys.IsIdentifier(quantity)) {
		f.Reader.At(at, "%s.name is %q; it must be an identifier or two with a point between, such as body.vx", f.Path,
			v.Name)
	}
	return v
}

// checkRate: a motion is a position, its rate and the rate of that.
func (e *LinearEquations) checkRate(f *keys.Fields, v *LinearVariable, of string) {
	at := f.Table.Field("rate_of")
	if v.RateOf < 0 {
		f.Reader.At(at, "%s.rate_of names %q, which is no input before this one", f.Path, of)
		return
	}
	if first := e.Inputs[v.RateOf].RateOf; first >= 0 && e.Inputs[first].RateOf >= 0 {
		f.Reader.At(at, "%s.rate_of names %q, which is an acceleration; position, rate and acceleration make a motion",
			f.Path, of)
	}
	for i := range e.Inputs {
		if e.Inputs[i].RateOf == v.RateOf {
			f.Reader.At(at, "%s.rate_of names %q, whose rate is %s already", f.Path, of, e.Inputs[i].Name)
		}
	}
}

func (*LinearEquations) Frames() Frames { return Frames{} }

// Edges: they move no frame.
func (*LinearEquations) Edges(*Scope) []graph.Edge { return nil }

// Check has nothing to add to the keys.
func (*LinearEquations) Check(*Scope, *keys.Reader) {}

// Unprefixed are all of its variables.
func (c *LinearEquations) Unprefixed() []UnprefixedVariable {
	var list []UnprefixedVariable
	for i, variables := range [][]LinearVariable{c.States, c.Inputs, c.Outputs} {
		for _, v := range variables {
			list = append(list, UnprefixedVariable{v.Name, i == 1, v.Pos})
		}
	}
	return list
}

// Law adds states, inputs and outputs about a steady motion:
//
//	x' = x0' + A (x - x0) + B (u - u0),  y = y0 + C (x - x0) + D (u - u0)
//
// Numbers in the matrices are exact and no parameters; zeros leave no trace. The start values of the
// states are x0, of the inputs u0.
func (c *LinearEquations) Law(b Builder) {
	b = b.Unnamed()
	p := b.Pool()
	x, u := make([]*expr.Expr, len(c.States)), make([]*expr.Expr, len(c.Inputs))
	for i, v := range c.States {
		x[i] = deviation(b, v, p.Sym(v.Name, expr.State))
	}
	for i, v := range c.Inputs {
		u[i] = deviation(b, v, b.Input(v.Name, v.Unit, v.Text, v.Value.Value))
	}
	c.motions(b)
	for i, v := range c.States {
		rate := linearSum(b, b.Number(v.Name, v.Rate), i, c.A, x, c.B, u)
		symbol := p.Sym(v.Name, expr.State)
		b.State(OwnState{Key: v.Name, Unit: v.Unit, Text: v.Text, Symbol: symbol, Rate: rate, Start: v.Value})
	}
	for i, v := range c.Outputs {
		b.Publish(v.Name, v.Unit, v.Text, linearSum(b, b.Number(v.Name, v.Value), i, c.C, x, c.D, u))
	}
}

// motions tells which inputs are position, rate and acceleration of one motion.
func (c *LinearEquations) motions(b Builder) {
	rate := map[int]int{} // by the input whose rate it is
	for i, v := range c.Inputs {
		rate[v.RateOf] = i
	}
	for i, v := range c.Inputs {
		if k, ok := rate[i]; ok && v.RateOf < 0 {
			group := [3]int{i, k, -1}
			if a, ok := rate[k]; ok {
				group[2] = a
			}
			b.InputMotion(len(c.Inputs), group)
		}
	}
}

// deviation returns the deviation of a variable from the steady state.
func deviation(b Builder, v LinearVariable, symbol *expr.Expr) *expr.Expr {
	steady := b.Number(v.Name, v.Value)
	if steady.IsZero() {
		return symbol
	}
	return b.Pool().Define("deviation_"+v.Name, b.Pool().Sub(symbol, steady))
}

// linearSum is constant + a[i] x + b[i] u.
func linearSum(
	b Builder, constant *expr.Expr, i int,
	onStates [][]keys.Scalar, x []*expr.Expr, onInputs [][]keys.Scalar, u []*expr.Expr,
) *expr.Expr {
	terms := []*expr.Expr{constant}
	for _, part := range []struct {
		rows      [][]keys.Scalar
		variables []*expr.Expr
	}{{onStates, x}, {onInputs, u}} {
		if part.rows == nil {
			continue
		}
		for k, s := range part.rows[i] {
			if e := b.Number("coefficient", s); !e.IsZero() {
				terms = append(terms, b.Pool().Mul(e, part.variables[k]))
			}
		}
	}
	return b.Pool().Add(terms...)
}
