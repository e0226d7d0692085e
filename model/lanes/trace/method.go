package main

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

// most results of a method that are looked for.
const mostResults = 300

// traced is what is traced of a type: a method, or a function of the package that calls methods of the type.
type traced struct {
	name   string // behind that of the type
	of     string // what the comment says it makes the operations of
	inputs int
	first  tracedCall
	behind tracedCall // what it writes behind the results of the first, if any
}

// tracedCall is a call of a function or method that writes into its last argument.
type tracedCall struct {
	d      *ast.FuncDecl
	method bool // else the receiver is the first argument
}

func (c tracedCall) follow(t *tracer, receiver structure, arguments array) array {
	results := emptyArray(mostResults) // of those that are written
	if c.method {
		t.call(c.d, &cell{value: receiver}, []any{arguments, results})
	} else {
		t.call(c.d, nil, []any{receiver, arguments, results})
	}
	return slices.DeleteFunc(results, func(c *cell) bool { return c.value == nil })
}

// methods are the operations of a type's Eval and Jacobian. Behind the Jacobian stands what Eval returns.
func (p *source) methods(object types.Object, inputs int) (eval, jacobian traced) {
	name := object.Name()
	value := tracedCall{p.method(object, "Eval"), true}
	eval = traced{name: "Eval", of: name + ".Eval", inputs: inputs, first: value}
	jacobian = traced{name: "Jacobian", of: name + ".Jacobian and, behind it, of " + name + ".Eval", inputs: inputs,
		first: tracedCall{p.method(object, "Jacobian"), true}, behind: value}
	return eval, jacobian
}

// asked are functions of the package that ask a type's method for something, with its derivatives: the method, the
// function, that of the derivatives, and how many arguments they take.
var asked = []struct {
	method, value, slopes string
	inputs                int
}{{"grip", "gripOf", "gripSlopes", 3}, {"lengths", "lengthsOf", "lengthSlopes", 2}}

// trace writes operations of a type and counts their results.
func (p *source) trace(object types.Object, of traced) (text string, count int, err error) {
	t := &tracer{source: p, object: object, names: map[string]string{}}
	defer func() {
		if r := recover(); r != nil {
			m, ok := r.(misfit)
			if !ok { // a value of a kind that the statement's parts did not expect
				m = misfit{t.at, fmt.Sprint("the statement cannot be followed: ", r)}
			}
			err = fmt.Errorf("%s: %s", p.set.Position(m.at), m.text)
		}
	}()
	arguments := make(array, of.inputs)
	for i := range arguments {
		arguments[i] = &cell{value: t.operation(fmt.Sprintf("in[%d]", i))}
	}
	tire := t.fields(object)
	results := of.first.follow(t, tire, arguments)
	if of.behind.d != nil { // what it shares with the first is there already
		results = append(results, of.behind.follow(t, tire, arguments)...)
	}
	var operands []string
	for _, r := range results {
		operands = append(operands, t.operand(r.value))
	}
	t.lines = append(t.lines, line{text: "return []machinecode.Value{" + strings.Join(operands, ", ") + "}",
		needs: operands})
	name := object.Name() + of.name
	return fmt.Sprintf("\n// %s makes the operations of %s.\nfunc %s(b *machinecode.Builder, in, of "+
		"[]machinecode.Value) []machinecode.Value {\n%s\n}\n",
		name, of.of, name, strings.Join(t.live(), "\n")), len(results), nil
}

// fields are those of a type.
func (t *tracer) fields(object types.Object) structure {
	s, fields := structure{}, object.Type().Underlying().(*types.Struct)
	for i := range fields.NumFields() {
		f := fields.Field(i)
		var v any = t.operation(fmt.Sprintf("of[%d]", i))
		if isBoolean(f.Type()) { // 1 stands for true
			v = mask(t.operation("b.Less", number("0"), v))
		}
		s[f.Name()] = &cell{value: v}
	}
	return s
}

// fieldsOf are the names of a type's fields, which must be numbers and Booleans.
func fieldsOf(object types.Object) (names []string, err error) {
	fields, ok := object.Type().Underlying().(*types.Struct)
	if !ok {
		return nil, errors.New("the type is not a struct of numbers and Booleans")
	}
	for f := range fields.Fields() {
		if basic, _ := f.Type().Underlying().(*types.Basic); !isBoolean(f.Type()) &&
			(basic == nil || basic.Kind() != types.Float64) {
			return nil, fmt.Errorf("field %s is neither a number nor a Boolean", f.Name())
		}
		names = append(names, f.Name())
	}
	return names, nil
}

func isBoolean(t types.Type) bool {
	basic, ok := t.Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Bool
}

// inputs counts the inputs of a type: the numbers that its method bounded returns, or the places of the array that it
// fills.
func (p *source) inputs(object types.Object) (int, error) {
	method, _, _ := types.LookupFieldOrMethod(types.NewPointer(object.Type()), true, p.types, "bounded")
	signature := method.(*types.Func).Signature()
	if n := signature.Results().Len(); n > 0 && signature.Params().Len() == 1 {
		return n, nil
	}
	if parameters := signature.Params(); parameters.Len() == 2 {
		if to, ok := parameters.At(1).Type().(*types.Pointer); ok {
			if places, ok := to.Elem().Underlying().(*types.Array); ok {
				return int(places.Len()), nil
			}
		}
	}
	return 0, errors.New("the method bounded must return as many numbers as the function has inputs, or fill an array " +
		"of as many places, its second parameter")
}

func emptyArray(n int) array {
	cells := make(array, n)
	for i := range cells {
		cells[i] = &cell{}
	}
	return cells
}
