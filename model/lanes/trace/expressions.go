package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// value is the one value of an expression.
func (f *frame) value(e ast.Expr) any {
	list := f.values(e)
	if len(list) != 1 {
		fail(e, "one value is needed")
	}
	return list[0]
}

// values are those of an expression; only a call can have several.
func (f *frame) values(e ast.Expr) []any {
	if known := f.source.info.Types[e]; known.Value != nil {
		return []any{literal(known.Value, known.Type)}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return f.values(e.X)
	case *ast.CallExpr:
		return f.called(e)
	case *ast.BinaryExpr:
		return []any{f.binary(e, e.Op, f.value(e.X), f.value(e.Y))}
	case *ast.UnaryExpr:
		return []any{f.unary(e)}
	case *ast.SliceExpr:
		list := f.value(e.X).(array)
		low, high := 0, len(list)
		if e.Low != nil {
			low = f.value(e.Low).(int)
		}
		if e.High != nil {
			high = f.value(e.High).(int)
		}
		return []any{list[low:high]}
	case *ast.CompositeLit:
		return []any{f.composite(e)}
	}
	return []any{f.cell(e).value}
}

// cell finds what an expression names.
func (f *frame) cell(e ast.Expr) *cell {
	switch e := e.(type) {
	case *ast.Ident:
		if c := f.cells[f.source.info.Uses[e]]; c != nil {
			return c
		}
		fail(e, "%s is no variable of the function", e.Name)
	case *ast.IndexExpr:
		return f.value(e.X).(array)[f.value(e.Index).(int)]
	case *ast.SelectorExpr:
		if s, ok := f.value(e.X).(structure); ok {
			return s[e.Sel.Name]
		}
	}
	fail(e, "%T is not understood", e)
	return nil
}

// composite makes an array or a struct.
func (f *frame) composite(e *ast.CompositeLit) any {
	made := zero(f.source.info.Types[e].Type)
	for i, x := range e.Elts {
		switch m := made.(type) {
		case array:
			m[i].value = f.value(x)
		case structure:
			if pair, ok := x.(*ast.KeyValueExpr); ok {
				m[pair.Key.(*ast.Ident).Name].value = f.value(pair.Value)
			} else {
				m[f.source.info.Types[e].Type.Underlying().(*types.Struct).Field(i).Name()].value = f.value(x)
			}
		}
	}
	return made
}

func (f *frame) unary(e *ast.UnaryExpr) any {
	x := f.value(e.X)
	switch v := x.(type) {
	case number:
		if e.Op == token.SUB {
			return f.operation("b.Neg", v)
		}
	case mask:
		if e.Op == token.NOT {
			return f.without("", v)
		}
	case bool:
		if e.Op == token.NOT {
			return !v
		}
	case array, structure:
		if e.Op == token.AND {
			return v
		}
	}
	fail(e, "%s is not understood here", e.Op)
	return nil
}

// binary is an operator between two values.
func (f *frame) binary(at ast.Node, op token.Token, x, y any) any {
	switch a := x.(type) {
	case number:
		return f.arithmetic(at, op, a, y.(number))
	case mask:
		switch op {
		case token.LAND:
			return f.and(a, y.(mask))
		case token.LOR:
			return f.or(a, y.(mask))
		}
	case int:
		b := y.(int)
		switch op {
		case token.ADD:
			return a + b
		case token.SUB:
			return a - b
		case token.MUL:
			return a * b
		case token.LSS:
			return a < b
		case token.GEQ:
			return a >= b
		case token.EQL:
			return a == b
		}
	case bool: // what is known of a condition
		switch op {
		case token.LAND:
			if a {
				return y
			}
			return false
		case token.LOR:
			if a {
				return true
			}
			return y
		}
	}
	fail(at, "%s is not understood here", op)
	return nil
}

// arithmetic is an operator between two numbers.
func (f *frame) arithmetic(at ast.Node, op token.Token, a, b number) any {
	ordered := func(m number) mask { return f.without(mask(m), mask(f.operation("b.Unordered", a, b))) }
	switch op {
	case token.ADD:
		return f.operation("b.Add", a, b)
	case token.SUB:
		return f.operation("b.Sub", a, b)
	case token.MUL:
		return f.operation("b.Mul", a, b)
	case token.QUO:
		return f.operation("b.Div", a, b)
	case token.LSS:
		return mask(f.operation("b.Less", a, b))
	case token.GTR:
		return mask(f.operation("b.Less", b, a))
	case token.LEQ:
		return ordered(f.operation("b.NotLess", b, a))
	case token.GEQ:
		return ordered(f.operation("b.NotLess", a, b))
	case token.EQL, token.NEQ:
		equal := ordered(number(f.and(mask(f.operation("b.NotLess", a, b)), mask(f.operation("b.NotLess", b, a)))))
		if op == token.NEQ {
			return f.without("", equal)
		}
		return equal
	}
	fail(at, "%s is not understood here", op)
	return nil
}

// Functions of packages math and elementary as methods of a builder; those of guarded give
// up at large arguments and at NaN.
var (
	functions = map[string]string{
		"math.Abs": "b.Abs", "math.Sqrt": "b.Sqrt", "math.Copysign": "b.Copysign",
		"elementary.Atan": "b.Atan", "elementary.Asin": "b.Asin",
		"elementary.Sin": "b.Sin", "elementary.Cos": "b.Cos", "elementary.Tan": "b.Tan", "elementary.Exp": "b.Exp",
	}
	guarded = map[string]bool{"b.Sin": true, "b.Cos": true, "b.Tan": true, "b.Exp": true}
)

// limits are the functions of package tire that limit a number, as the operations that do it without a branch.
var limits = map[string]func(f *frame, x, bound any) any{
	"notAbove": func(f *frame, x, bound any) any { return f.operation("b.Min", x, bound) },
	"notBelow": func(f *frame, x, bound any) any { return f.operation("b.Max", x, bound) },
	"clampAbs": func(f *frame, x, bound any) any {
		return f.operation("b.Max", f.operation("b.Neg", bound), f.operation("b.Min", bound, x))
	},
}

// called follows a call.
func (f *frame) called(e *ast.CallExpr) []any {
	if f.source.info.Types[e.Fun].IsType() { // a conversion
		return f.values(e.Args[0])
	}
	var arguments []any
	for _, a := range e.Args {
		arguments = append(arguments, f.values(a)...)
	}
	switch g := e.Fun.(type) {
	case *ast.Ident:
		o := f.source.info.Uses[g]
		if _, builtin := o.(*types.Builtin); builtin {
			return f.builtin(e, g.Name, arguments)
		}
		if limit := limits[g.Name]; limit != nil {
			return []any{limit(f, arguments[0], arguments[1])}
		}
		if d := f.source.functions[o]; d != nil {
			return f.call(d, nil, arguments)
		}
	case *ast.SelectorExpr:
		o := f.source.info.Uses[g.Sel]
		d := f.source.functions[o]
		if m, ok := o.(*types.Func); ok && m.Signature().Recv() != nil && types.IsInterface(m.Signature().Recv().Type()) {
			d = f.source.method(f.object, m.Name())
		}
		if d != nil {
			return f.call(d, &cell{value: f.value(g.X)}, arguments)
		}
		if o != nil && o.Pkg() != nil {
			name := o.Pkg().Name() + "." + o.Name()
			if name == "elementary.Sincos" {
				return []any{f.function("b.Sin", arguments), f.function("b.Cos", arguments)}
			}
			if method := functions[name]; method != "" {
				return []any{f.function(method, arguments)}
			}
			fail(e, "%s cannot be followed", name)
		}
	}
	fail(e, "the call is not understood")
	return nil
}

// function is an elementary function. What is not reached shall not give up.
func (f *frame) function(method string, arguments []any) any {
	if guarded[method] && f.where != "" {
		arguments[0] = f.choose(f.where, arguments[0], number("0"))
	}
	return f.operation(method, arguments...)
}

func (f *frame) builtin(e ast.Node, name string, arguments []any) []any {
	switch name {
	case "len":
		return []any{len(arguments[0].(array))}
	case "clear":
		for _, c := range arguments[0].(array) {
			f.assign(c, number("0"))
		}
		return nil
	case "min", "max":
		if len(arguments) == 2 {
			return []any{f.operation(map[string]string{"min": "b.Min", "max": "b.Max"}[name], arguments...)}
		}
	}
	fail(e, "%s is not understood", name)
	return nil
}
