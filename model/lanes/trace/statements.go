package main

import (
	"go/ast"
	"go/token"
	"go/types"
)

// declare makes a variable. Numbers of fixed places and structs are copied, as Go does.
func (f *frame) declare(o types.Object, value any) {
	if o == nil {
		return // the blank name
	}
	switch o.Type().Underlying().(type) {
	case *types.Array, *types.Struct:
		value = copyOf(value)
	}
	f.cells[o] = &cell{value: value, where: f.where}
}

func copyOf(value any) any {
	switch v := value.(type) {
	case array:
		c := make(array, len(v))
		for i := range v {
			c[i] = &cell{value: copyOf(v[i].value), where: v[i].where}
		}
		return c
	case structure:
		c := structure{}
		for name, x := range v {
			c[name] = &cell{value: copyOf(x.value), where: x.where}
		}
		return c
	}
	return value
}

// assign gives a cell another value where the statement is reached.
func (f *frame) assign(c *cell, value any) {
	switch value.(type) {
	case number, mask, array, structure:
		if value = copyOf(value); c.value != nil && f.where != c.where {
			value = f.merge(f.where, value, c.value)
		}
	default:
		value = copyOf(value)
	}
	c.value = value
}

// block follows statements. It reports whether all that reach its beginning have returned.
func (f *frame) block(list []ast.Stmt) (ended bool) {
	for _, s := range list {
		if f.statement(s) {
			return true
		}
	}
	return false
}

func (f *frame) statement(s ast.Stmt) (ended bool) {
	f.at = s.Pos()
	switch s := s.(type) {
	case *ast.AssignStmt:
		f.assignment(s)
	case *ast.DeclStmt:
		f.declaration(s)
	case *ast.ExprStmt:
		f.values(s.X)
	case *ast.ReturnStmt:
		f.returned(s)
		return true
	case *ast.IfStmt:
		if s.Init != nil {
			f.statement(s.Init)
		}
		var other []ast.Stmt
		if s.Else != nil {
			other = []ast.Stmt{s.Else}
		}
		return f.branch(f.value(s.Cond), func() bool { return f.block(s.Body.List) },
			func() bool { return f.block(other) })
	case *ast.SwitchStmt:
		if s.Init != nil || s.Tag != nil {
			fail(s, "only switches without a tag are understood")
		}
		return f.cases(s.Body.List)
	case *ast.BlockStmt:
		return f.block(s.List)
	case *ast.ForStmt:
		if s.Init == nil || s.Cond == nil || s.Post == nil {
			fail(s, "only loops with a beginning, a condition and a step are understood")
		}
		for f.statement(s.Init); f.known(s.Cond); f.statement(s.Post) {
			if f.block(s.Body.List) {
				fail(s, "a loop that returns cannot be followed")
			}
		}
	case *ast.RangeStmt:
		f.loop(s)
	case *ast.IncDecStmt:
		c := f.cell(s.X)
		if s.Tok == token.INC {
			c.value = c.value.(int) + 1
		} else {
			c.value = c.value.(int) - 1
		}
	default:
		fail(s, "%T is not understood", s)
	}
	return false
}

// declaration declares variables by var. Constants are known wherever they are used.
func (f *frame) declaration(s *ast.DeclStmt) {
	d := s.Decl.(*ast.GenDecl)
	if d.Tok == token.CONST {
		return
	}
	for _, spec := range d.Specs {
		v, ok := spec.(*ast.ValueSpec)
		if !ok || len(v.Values) > 0 {
			fail(s, "only variables without values can be declared by var")
		}
		for _, name := range v.Names {
			o := f.source.info.Defs[name]
			f.declare(o, zero(o.Type()))
		}
	}
}

// returned notes what a return statement returns.
func (f *frame) returned(s *ast.ReturnStmt) {
	var values []any
	if len(s.Results) == 0 {
		for _, o := range f.named {
			values = append(values, f.cells[o].value)
		}
	}
	for _, r := range s.Results {
		for _, v := range f.values(r) {
			values = append(values, copyOf(v))
		}
	}
	f.returns = append(f.returns, returned{f.where, values})
}

// known is a condition that is known.
func (f *frame) known(e ast.Expr) bool {
	b, ok := f.value(e).(bool)
	if !ok {
		fail(e, "how often the loop runs depends on numbers")
	}
	return b
}

// branch follows both sides of a condition, or one if it is known.
func (f *frame) branch(condition any, then, other func() bool) (ended bool) {
	if known, ok := condition.(bool); ok {
		if known {
			return then()
		}
		return other()
	}
	c, before := condition.(mask), f.where
	holds, fails := f.and(before, c), f.without(before, c)
	f.where = holds
	thenEnded := then()
	afterThen := f.where
	f.where = fails
	otherEnded := other()
	switch {
	case thenEnded && otherEnded:
		return true
	case thenEnded: // where the other side has led to
	case otherEnded:
		f.where = afterThen
	case afterThen == holds && f.where == fails:
		f.where = before
	default:
		f.where = f.or(afterThen, f.where)
	}
	return false
}

// cases follows the clauses of a switch from the first one on.
func (f *frame) cases(list []ast.Stmt) bool {
	if len(list) == 0 {
		return false
	}
	c := list[0].(*ast.CaseClause)
	switch len(c.List) {
	case 0:
		if len(list) > 1 {
			fail(c, "default must come last")
		}
		return f.block(c.Body)
	case 1:
		return f.branch(f.value(c.List[0]), func() bool { return f.block(c.Body) },
			func() bool { return f.cases(list[1:]) })
	}
	fail(c, "a case has one condition")
	return false
}

// loop follows a range loop.
func (f *frame) loop(s *ast.RangeStmt) {
	over := f.value(s.X)
	n, whole := over.(int)
	list, _ := over.(array)
	if !whole {
		n = len(list)
	}
	for i := range n {
		if s.Key != nil {
			f.declare(f.source.info.Defs[s.Key.(*ast.Ident)], i)
		}
		if s.Value != nil {
			f.declare(f.source.info.Defs[s.Value.(*ast.Ident)], list[i].value)
		}
		if f.block(s.Body.List) {
			fail(s, "a loop that returns cannot be followed")
		}
	}
}

func (f *frame) assignment(s *ast.AssignStmt) {
	var values []any
	for _, r := range s.Rhs {
		values = append(values, f.values(r)...)
	}
	for i, l := range s.Lhs {
		name, named := l.(*ast.Ident)
		if named && name.Name == "_" {
			continue
		}
		if named {
			if o := f.source.info.Defs[name]; s.Tok == token.DEFINE && o != nil {
				f.declare(o, values[i])
				continue
			}
		}
		c := f.cell(l)
		if operators := map[token.Token]token.Token{token.ADD_ASSIGN: token.ADD, token.SUB_ASSIGN: token.SUB,
			token.MUL_ASSIGN: token.MUL, token.QUO_ASSIGN: token.QUO}; operators[s.Tok] != 0 {
			values[i] = f.binary(s, operators[s.Tok], c.value, values[i])
		}
		f.assign(c, values[i])
	}
}
