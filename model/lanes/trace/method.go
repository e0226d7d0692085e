package main

import (
	"errors"
	"fmt"
	"go/types"
	"slices"
	"strings"
)

// most results of a method that are looked for.
const mostResults = 40

// trace writes one method of a type and counts its results. Behind the Jacobian it writes what Eval returns.
func (p *source) trace(object types.Object, method string, inputs int) (text string, count int, err error) {
	t := &tracer{source: p, names: map[string]string{}}
	defer func() {
		if r := recover(); r != nil {
			m, ok := r.(misfit)
			if !ok { // a value of a kind that the statement's parts did not expect
				m = misfit{t.at, fmt.Sprint("the statement cannot be followed: ", r)}
			}
			err = fmt.Errorf("%s: %s", p.set.Position(m.at), m.text)
		}
	}()
	arguments := make(array, inputs)
	for slot := range arguments {
		arguments[slot] = &cell{value: t.load(slot)}
	}
	tire, first := t.fields(object, inputs)
	results := emptyArray(mostResults) // of those that are written
	t.call(p.method(object, method), &cell{value: tire}, []any{arguments, results})
	if method == "Jacobian" { // what it shares with Eval is there already
		values := emptyArray(8)
		t.call(p.method(object, "Eval"), &cell{value: tire}, []any{arguments, values})
		results = append(results, values...)
	}
	results = slices.DeleteFunc(results, func(c *cell) bool { return c.value == nil })
	for i, r := range results {
		operand := t.operand(r.value)
		t.lines = append(t.lines, line{text: fmt.Sprintf("b.Store(%d, %s)", first+i, operand),
			needs: []string{operand}})
	}
	name := object.Name() + method
	of := object.Name() + "." + method
	if method == "Jacobian" {
		of += " and, behind it, of " + object.Name() + ".Eval"
	}
	return fmt.Sprintf("\n// %s makes the operations of %s.\nfunc %s(b *machinecode.Builder) {\n%s\n}\n",
		name, of, name, strings.Join(t.live(), "\n")), len(results), nil
}

// load is the operation that reads a slot.
func (t *tracer) load(slot int) number { return t.operation(fmt.Sprintf("b.Load(%d)", slot)) }

// fields are those of a type, which lie in memory from a slot on, and the slot behind them.
func (t *tracer) fields(object types.Object, slot int) (structure, int) {
	s, fields := structure{}, object.Type().Underlying().(*types.Struct)
	for f := range fields.Fields() {
		var v any = t.load(slot)
		if isBoolean(f.Type()) { // 1 stands for true
			v = mask(t.operation("b.Less", number("0"), v))
		}
		s[f.Name()] = &cell{value: v}
		slot++
	}
	return s, slot
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

// inputs counts the inputs of a type: the places of what its method bounded returns.
func (p *source) inputs(object types.Object) (int, error) {
	method, _, _ := types.LookupFieldOrMethod(types.NewPointer(object.Type()), true, p.types, "bounded")
	results := method.(*types.Func).Signature().Results()
	if results.Len() == 1 {
		if places, ok := results.At(0).Type().Underlying().(*types.Array); ok {
			return int(places.Len()), nil
		}
	}
	return 0, errors.New("the method bounded must return an array with as many places as the function has inputs")
}

func emptyArray(n int) array {
	cells := make(array, n)
	for i := range cells {
		cells[i] = &cell{}
	}
	return cells
}
