package main

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// What a traced expression can be: a number, a truth, a whole number or truth that is known, or
// something made of cells.
type (
	number    string // the name of an operation, or a constant
	mask      string // the name of an operation that makes masks
	array     []*cell
	structure map[string]*cell
)

// cell is what can be assigned to.
type cell struct {
	value any  // nil before the first assignment
	where mask // on what condition it was declared
}

// line is one line of the result.
type line struct {
	name  string // "" where nothing has the result
	text  string
	needs []string
}

// tracer follows one function.
type tracer struct {
	source *source
	object types.Object // the type whose methods are followed
	lines  []line
	names  map[string]string // name by text: equal operations are one
	where  mask              // on what condition the present statement is reached; "" always
	at     token.Pos         // of that statement
}

// frame is a function being followed.
type frame struct {
	*tracer
	cells   map[types.Object]*cell
	named   []types.Object // named results
	returns []returned
}

// returned is what a function returns on a condition.
type returned struct {
	where  mask
	values []any
}

// operation adds one, unless it is there already.
func (t *tracer) operation(function string, operands ...any) number {
	text, needs := function, []string(nil)
	if len(operands) > 0 {
		for _, o := range operands {
			needs = append(needs, t.operand(o))
		}
		text = fmt.Sprintf("%s(%s)", function, strings.Join(needs, ", "))
	}
	if name, ok := t.names[text]; ok {
		return number(name)
	}
	name := "v" + strconv.Itoa(len(t.lines))
	t.names[text] = name
	t.lines = append(t.lines, line{name, text, needs})
	return number(name)
}

// operand is how a value is written as an argument.
func (t *tracer) operand(v any) string {
	switch v := v.(type) {
	case number:
		if v[0] == 'v' {
			return string(v)
		}
		return string(t.operation("b.Const(" + string(v) + ")"))
	case mask:
		return string(v)
	}
	panic(fmt.Sprintf("trace: %T is no operand", v))
}

// live lists what results need.
func (t *tracer) live() []string {
	needed := map[string]bool{}
	var list []string
	for i := len(t.lines) - 1; i >= 0; i-- {
		l := t.lines[i]
		if l.name != "" && !needed[l.name] {
			continue
		}
		for _, n := range l.needs {
			needed[n] = true
		}
		text := l.text
		if l.name != "" {
			text = l.name + " := " + text
		}
		list = append(list, text)
	}
	for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
		list[i], list[j] = list[j], list[i]
	}
	return list
}

// and is true where both are.
func (t *tracer) and(a, b mask) mask {
	switch {
	case a == "":
		return b
	case b == "":
		return a
	}
	return mask(t.operation("b.And", a, b))
}

// without is true where a is and b is not.
func (t *tracer) without(a, b mask) mask {
	switch {
	case b == "":
		return a
	case a == "":
		return mask(t.operation("b.Not", b))
	}
	return mask(t.operation("b.AndNot", b, a))
}

// or is true where either is.
func (t *tracer) or(a, b mask) mask {
	if a == "" {
		return b
	}
	return mask(t.operation("b.Or", a, b))
}

// choose is a where m is set and b elsewhere.
func (t *tracer) choose(m mask, a, b any) any {
	if a == b {
		return a
	}
	chosen := t.operation("b.Select", m, a, b)
	if _, truth := a.(mask); truth {
		return mask(chosen)
	}
	return chosen
}

// call follows a function of the package.
func (t *tracer) call(d *ast.FuncDecl, receiver *cell, arguments []any) []any {
	f := &frame{tracer: t, cells: map[types.Object]*cell{}}
	defer func(before mask) { t.where = before }(t.where)
	if d.Recv != nil && len(d.Recv.List[0].Names) > 0 {
		f.cells[t.source.info.Defs[d.Recv.List[0].Names[0]]] = receiver
	}
	k := 0
	for _, p := range d.Type.Params.List {
		for _, name := range p.Names {
			f.declare(t.source.info.Defs[name], arguments[k])
			k++
		}
	}
	if d.Type.Results != nil {
		for _, r := range d.Type.Results.List {
			for _, name := range r.Names {
				o := t.source.info.Defs[name]
				f.declare(o, zero(o.Type()))
				f.named = append(f.named, o)
			}
		}
	}
	f.block(d.Body.List)
	if len(f.returns) == 0 {
		return nil
	}
	last := len(f.returns) - 1
	values := f.returns[last].values
	for i := last - 1; i >= 0; i-- {
		r := f.returns[i]
		merged := make([]any, len(values))
		for k := range values {
			merged[k] = t.merge(r.where, r.values[k], values[k])
		}
		values = merged
	}
	return values
}

// merge is choose for numbers, truths and what is made of them.
func (t *tracer) merge(m mask, a, b any) any {
	switch a := a.(type) {
	case array:
		merged := make(array, len(a))
		for i := range a {
			merged[i] = &cell{value: t.merge(m, a[i].value, b.(array)[i].value)}
		}
		return merged
	case structure:
		merged := structure{}
		for _, name := range slices.Sorted(maps.Keys(a)) { // in a fixed order, as operations are made
			merged[name] = &cell{value: t.merge(m, a[name].value, b.(structure)[name].value)}
		}
		return merged
	}
	return t.choose(m, a, b)
}

// zero is the zero value of a type.
func zero(of types.Type) any {
	switch u := of.Underlying().(type) {
	case *types.Array:
		cells := make(array, u.Len())
		for i := range cells {
			cells[i] = &cell{value: zero(u.Elem())}
		}
		return cells
	case *types.Struct:
		s := structure{}
		for i := range u.NumFields() {
			s[u.Field(i).Name()] = &cell{value: zero(u.Field(i).Type())}
		}
		return s
	case *types.Basic:
		switch {
		case u.Info()&types.IsFloat != 0:
			return number("0")
		case u.Info()&types.IsInteger != 0:
			return 0
		}
	}
	return nil
}

// literal is a constant of Go as a value.
func literal(v constant.Value, of types.Type) any {
	b, ok := of.Underlying().(*types.Basic)
	switch {
	case ok && b.Info()&types.IsFloat != 0:
		x, _ := constant.Float64Val(constant.ToFloat(v))
		return number(strconv.FormatFloat(x, 'g', -1, 64))
	case ok && b.Info()&types.IsInteger != 0:
		n, _ := constant.Int64Val(v)
		return int(n)
	case ok && b.Info()&types.IsBoolean != 0:
		return constant.BoolVal(v)
	}
	return nil
}
