package tire

import (
	"math"
	"slices"

	"skidpad/tire/formula"
	"skidpad/tire/machinecode"
)

// formulas is a function whose law is written as formulas, or a part of one. It evaluates them by machine code, or
// without where there can be none.
type formulas struct {
	text         lawText
	coefficients []float64
	portable     bool // uses no machine code

	law    *Law
	fields []float64
	values evaluation
	slopes evaluation
	grips  *formulas // what a carcass holds on to, nil while nobody has asked
	length *formulas // of a relaxation function, the same
}

// evaluation is a program with a memory for its machine code.
type evaluation struct {
	program *formula.Program
	code    *machinecode.Code // nil where there is none
	memory  []float64         // of the code
	plain   *formula.Memory   // of evaluations without machine code, nil before the first one
}

// newFormulas binds a text to coefficients.
func newFormulas(text lawText, coefficients []float64) formulas {
	return formulas{text: text, coefficients: slices.Clone(coefficients)}
}

// written is the function as formulas.
func (f *formulas) written() *formulas { return f }

// prepare is called before the first evaluation.
func (f *formulas) prepare() {
	f.law = lawOf(f.text, f.absent())
	f.fields = make([]float64, f.law.Fields())
	f.law.formulas.Bind(f.coefficients, f.fields)
	f.values, f.slopes = evaluation{program: f.law.Values}, evaluation{program: f.law.Slopes}
	if f.portable {
		return
	}
	values, slopes := f.law.Code(1)
	if values == nil {
		return
	}
	f.values.code, f.slopes.code = values.Code, slopes.Code
	for _, e := range [...]*evaluation{&f.values, &f.slopes} {
		e.memory = make([]float64, e.code.Slots)
		copy(e.memory[f.law.inputs:], f.fields)
	}
}

// absent tells which of the coefficients that may be absent are.
func (f *formulas) absent() []bool {
	s := f.text.shape()
	list := make([]bool, len(s.absent))
	for k, i := range s.absent {
		list[k] = f.coefficients[i] == 0
	}
	return list
}

// Eval implements Function.
func (f *formulas) Eval(in, out []float64) {
	if f.law == nil {
		f.prepare()
	}
	f.run(&f.values, in, out)
}

// Jacobian implements Differentiable.
func (f *formulas) Jacobian(in, jac []float64) {
	if f.law == nil {
		f.prepare()
	}
	f.run(&f.slopes, in, jac[:f.law.inputs*f.law.Values.Results()])
}

// run evaluates the first results of a program.
func (f *formulas) run(e *evaluation, in, out []float64) {
	n := f.law.inputs
	if e.code != nil {
		copy(e.memory[:n], in)
		if e.code.Run(e.memory) {
			copy(out, e.memory[n+len(f.fields):][:e.program.Results()])
			return
		}
	}
	if e.plain == nil {
		e.plain = e.program.NewMemory(f.fields)
	}
	e.plain.Run(in, out)
}

// SetPortable makes a function evaluate its formulas without machine code, or with it again. Other functions have none.
func SetPortable(f Function, on bool) {
	if f, ok := f.(interface{ setPortable(on bool) }); ok {
		f.setPortable(on)
	}
}

// Prepare does before the first evaluation of a function what it needs memory for.
func Prepare(f Function) {
	if f, ok := f.(interface{ makeReady() }); ok {
		f.makeReady()
	}
}

func (f *formulas) makeReady() {
	f.prepare()
	for _, e := range [...]*evaluation{&f.values, &f.slopes} {
		if e.code == nil {
			e.plain = e.program.NewMemory(f.fields)
		}
	}
}

func (f *formulas) setPortable(on bool) {
	if f.portable == on {
		return
	}
	f.portable, f.law = on, nil
	for _, part := range [...]*formulas{f.grips, f.length} {
		if part != nil {
			part.setPortable(on)
		}
	}
}

// onGround returns the load, and a mask that is set up to the load of a tire in the air. Where it is set, the load
// counts as 1 N: every quantity that follows from the load then has a value.
func onGround(fz formula.Number, air float64) (load formula.Number, lifted formula.Mask) {
	lifted = fz.IsBelow(math.Nextafter(air, math.Inf(1)))
	return lifted.Choose(fz.Constant(1), fz.Value()).WithSlopes(fz), lifted
}

// unlessLifted are results that are 0 in the air.
func unlessLifted(lifted formula.Mask, results ...formula.Number) []formula.Number {
	for i := range results {
		results[i] = lifted.Without(results[i])
	}
	return results
}

// allWithin are inputs of at most a bound on either side of 0.
func allWithin(in []formula.Number, bound float64) []formula.Number {
	list := make([]formula.Number, len(in))
	for i := range in {
		list[i] = in[i].Within(bound)
	}
	return list
}
