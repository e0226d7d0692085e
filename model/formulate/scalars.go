package formulate

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"skidpad/model/expr"
	"skidpad/model/keys"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// reject notes a fault of the model; the first one ends the formulation after
// the stage that found it.
func (f *Formulation) reject(at keys.Position, format string, args ...any) {
	f.fail(fmt.Errorf("%s:%d:%d: %s", at.File, at.Line, at.Column, fmt.Sprintf(format, args...)))
}

func (f *Formulation) fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

func treeOf(m *vehicle.Model, name string) (vehicle.Tree, error) {
	if name == "" {
		return m.Trees[0], nil
	}
	var names []string
	for _, t := range m.Trees {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return vehicle.Tree{}, fmt.Errorf("model %s has no tree %q; it has %s", m.Name, name, strings.Join(names, ", "))
}

// symbols are the variables of a formulation, but its states and outputs.
type symbols struct {
	Inputs     []Input
	Controls   []Input  // inputs that the engine itself sets between solver steps; they follow the inputs of the model
	Motions    [][3]int // indices into Inputs: position, rate, acceleration or -1
	Parameters []Parameter
	Bounds     []program.Bound // of formulas over parameters
	Constants  []*expr.Expr    // of parameters; contacts and terrains refer to them by index

	parameterOf, inputOf map[string]*expr.Expr // by name
	askedFor             map[string]*expr.Expr // intermediates of tires that formulas of the model file know
}

// variables makes the symbols of the model's named parameters.
func (f *Formulation) variables() {
	for _, p := range f.Model.Parameters {
		f.parameter(p.Name, p.Unit, cmp.Or(p.Text, f.parameterText(p.Name)), p.Value)
		f.Parameters[len(f.Parameters)-1].Choices = p.Choices
	}
}

func (f *Formulation) parameter(name, unit, text string, s keys.Scalar) *expr.Expr {
	if symbol := f.parameterOf[name]; symbol != nil {
		return symbol
	}
	symbol := f.Pool.Sym(name, expr.Parameter)
	f.parameterOf[name] = symbol
	f.Parameters = append(f.Parameters, Parameter{
		Name: name, Unit: unit, Text: text, Display: s.Unit, Value: s.Value, FromFile: s.FromFile, Symbol: symbol,
		Nonnegative: s.Nonnegative, Positive: s.Positive, AtMostOne: s.AtMostOne,
	})
	return symbol
}

// solverStep is the longest solver step [s], which some laws depend on.
func (f *Formulation) solverStep() *expr.Expr {
	return f.parameter(program.StepParameter, "s", "longest solver step",
		keys.Scalar{Value: f.Model.Solver.Step, Positive: true})
}

// scalar returns the expression of a scalar of the model file: a structural
// zero, a formula over named parameters, or a parameter of its own.
func (f *Formulation) scalar(name, unit string, s keys.Scalar) *expr.Expr {
	if s.Formula {
		e, err := f.Pool.Parse(s.Text, func(n string) *expr.Expr { return f.parameterOf[n] })
		if err != nil {
			f.reject(s.Pos, "%s: %v", name, err)
			return f.Pool.Int(1)
		}
		bound := program.Bound{
			Name: name, Text: s.Text, Value: e, Nonnegative: s.Nonnegative, Positive: s.Positive, AtMostOne: s.AtMostOne,
		}
		if (s.Nonnegative || s.Positive || s.AtMostOne) && !slices.Contains(f.Bounds, bound) {
			f.Bounds = append(f.Bounds, bound)
		}
		return f.Pool.Define(name, e)
	}
	if s.Value == 0 && s.FromFile == "" {
		return f.Pool.Int(0)
	}
	return f.parameter(name, unit, f.parameterText(name), s)
}

// number returns a formula under a name, or a number that is no parameter.
func (f *Formulation) number(name string, s keys.Scalar) *expr.Expr {
	if s.Formula {
		return f.scalar(name, "", s)
	}
	return f.Pool.Num(expr.FromFloat(s.Value))
}

// startValue returns the parameter that is the start value of a state, or the
// formula that gives it.
func (f *Formulation) startValue(name, unit string, s keys.Scalar) *expr.Expr {
	if s.Formula {
		return f.scalar(name, unit, s)
	}
	symbol := f.Pool.Sym("start("+name+")", expr.Parameter)
	f.Parameters = append(f.Parameters, Parameter{
		Name: name, Unit: unit, Text: "start value", Display: s.Unit, Value: s.Value, StartValue: true,
		Symbol: symbol,
	})
	return symbol
}

func (f *Formulation) vector(frame expr.Frame, name, unit string, v keys.Vector) expr.Vector {
	r := expr.Vector{Frame: frame}
	for i, axis := range [...]string{"_x", "_y", "_z"} {
		r.X[i] = f.scalar(name+axis, unit, v[i])
	}
	return r
}

// constant returns a vector of numbers, exactly as given.
func (f *Formulation) constant(frame expr.Frame, x [3]float64) expr.Vector {
	v := expr.Vector{Frame: frame}
	for i := range x {
		v.X[i] = f.Pool.Num(expr.FromFloat(x[i]))
	}
	return v
}

func (f *Formulation) unit(frame expr.Frame, axis int) expr.Vector {
	var x [3]float64
	x[axis] = 1
	return f.constant(frame, x)
}

// input returns the symbol of an input, making it if it is new.
func (f *Formulation) input(name, unit, text string, start float64) *expr.Expr {
	if s := f.inputOf[name]; s != nil {
		return s
	}
	s := f.Pool.Sym(name, expr.Input)
	f.inputOf[name] = s
	f.Inputs = append(f.Inputs, Input{Name: name, Unit: unit, Text: text, Start: start, Symbol: s})
	return s
}

// control returns the symbol of a new control: an input that the engine itself sets.
func (f *Formulation) control(name, unit string, start float64) *expr.Expr {
	s := f.Pool.Sym(name, expr.Input)
	f.Controls = append(f.Controls, Input{Name: name, Unit: unit, Start: start, Symbol: s})
	return s
}

// settable is scalar, but a literal zero is a parameter, too.
func (f *Formulation) settable(name, unit, text string, s keys.Scalar) *expr.Expr {
	if s.Formula {
		return f.scalar(name, unit, s)
	}
	return f.parameter(name, unit, text, s)
}

// motion returns the inputs position, rate and acceleration of a prescribed
// motion; the acceleration is nil when it has none.
func (f *Formulation) motion(position, rate, acceleration, unit, text string) (x, v, a *expr.Expr) {
	made := f.inputOf[position] != nil
	x = f.input(position, unit, text, 0)
	v = f.input(rate, unit+"/s", text+", rate", 0)
	group := [3]int{len(f.Inputs) - 2, len(f.Inputs) - 1, -1}
	if acceleration != "" {
		a = f.input(acceleration, unit+"/s2", text+", acceleration", 0)
		group = [3]int{len(f.Inputs) - 3, len(f.Inputs) - 2, len(f.Inputs) - 1}
	}
	if !made {
		f.Motions = append(f.Motions, group)
	}
	return x, v, a
}

func (f *Formulation) define(name string, e *expr.Expr) *expr.Expr { return f.Pool.Define(name, e) }
