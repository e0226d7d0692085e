package translate

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

func (w *writer) statements(list []ast.Stmt) {
	for _, s := range list {
		w.statement(s)
	}
}

func (w *writer) block(b *ast.BlockStmt) {
	w.WriteString(" {\n")
	w.statements(b.List)
	w.WriteString("}")
}

func (w *writer) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.AssignStmt:
		w.assign(s)
		w.WriteString(";\n")
		return
	case *ast.ExprStmt:
		fmt.Fprintf(w, "%s;\n", w.expression(s.X))
		return
	case *ast.ReturnStmt:
		if len(s.Results) == 1 && !w.copied(s.Results[0]) {
			fmt.Fprintf(w, "return %s;\n", w.expression(s.Results[0]))
			return
		}
	case *ast.BlockStmt:
		w.block(s)
		return
	case *ast.IfStmt:
		if s.Init == nil {
			fmt.Fprintf(w, "if (%s)", w.expression(s.Cond))
			w.block(s.Body)
			if s.Else != nil {
				w.WriteString(" else ")
				w.statement(s.Else)
			}
			w.WriteString("\n")
			return
		}
	case *ast.SwitchStmt:
		if s.Init == nil {
			w.choose(s)
			return
		}
	case *ast.RangeStmt:
		if w.repeat(s) {
			return
		}
	}
	w.fault(s, "such a statement: %T", s)
}

// assign writes assignments. Several at a time are one of arrays, whose right side is evaluated first, as in Go.
func (w *writer) assign(s *ast.AssignStmt) {
	var left, right []string
	for i, e := range s.Lhs {
		if index, is := e.(*ast.IndexExpr); is && w.copied(index.X) {
			w.fault(e, "a change of an array")
		}
		if n, is := e.(*ast.Ident); is && s.Tok == token.DEFINE {
			if w.info.Defs[n] == nil || slices.ContainsFunc(s.Rhs, func(e ast.Expr) bool { return w.reads(e, n.Name) }) {
				w.fault(e, "a := that also assigns or reads %s", n.Name)
			}
			left = append(left, w.name(n))
		} else {
			left = append(left, w.expression(e))
		}
		if len(s.Rhs) == len(s.Lhs) {
			right = append(right, w.expression(s.Rhs[i]))
			if w.copied(s.Rhs[i]) {
				w.fault(s, "a copy of %s", w.info.TypeOf(s.Rhs[i]))
			}
		}
	}
	to, from := strings.Join(left, ", "), strings.Join(right, ", ")
	if len(left) > 1 {
		to, from = "["+to+"]", "["+from+"]"
	}
	switch {
	case len(left) != len(right):
		w.fault(s, "several results of a function")
	case s.Tok == token.DEFINE:
		fmt.Fprintf(w, "let %s = %s", to, from)
	case s.Tok == token.ASSIGN:
		fmt.Fprintf(w, "%s = %s", to, from)
	case s.Tok == token.ADD_ASSIGN, s.Tok == token.SUB_ASSIGN, s.Tok == token.MUL_ASSIGN, s.Tok == token.QUO_ASSIGN:
		w.needFloat(s.Lhs[0], s.Tok)
		fmt.Fprintf(w, "%s %s %s", to, s.Tok, from)
	default:
		w.fault(s, "%s", s.Tok)
	}
}

// reads reports whether an expression has a variable or function of a name, which would be the new one in JavaScript.
func (w *writer) reads(e ast.Expr, name string) (has bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if other, is := n.(*ast.Ident); is && other.Name == name {
			o := w.info.Uses[other]
			has = has || o != nil && o.Parent() != nil // fields and methods have no scope
		}
		return true
	})
	return has
}

// choose writes a switch. Its cases do not fall through.
func (w *writer) choose(s *ast.SwitchStmt) {
	on := "true"
	if s.Tag != nil {
		on = w.expression(s.Tag)
	}
	fmt.Fprintf(w, "switch (%s) {\n", on)
	for _, c := range s.Body.List {
		clause := c.(*ast.CaseClause)
		for _, e := range clause.List {
			fmt.Fprintf(w, "case %s: ", w.expression(e))
		}
		if clause.List == nil {
			w.WriteString("default: ")
		}
		w.WriteString("{\n")
		w.statements(clause.Body)
		w.WriteString("break;\n}\n")
	}
	w.WriteString("}\n")
}

// repeat writes a loop over a slice: by its places, or by its elements, which are not changed.
func (w *writer) repeat(s *ast.RangeStmt) bool {
	if _, is := w.info.TypeOf(s.X).Underlying().(*types.Slice); !is || s.Tok != token.DEFINE {
		return false
	}
	key, value := s.Key.(*ast.Ident), s.Value
	of := w.expression(s.X)
	switch {
	case value == nil:
		i := w.name(key)
		fmt.Fprintf(w, "for (let %s = 0; %s < %s.length; %s++)", i, i, of, i)
	case key.Name == "_":
		if _, is := w.info.TypeOf(value).Underlying().(*types.Struct); is {
			return false
		}
		fmt.Fprintf(w, "for (const %s of %s)", w.name(value.(*ast.Ident)), of)
	default:
		return false
	}
	w.block(s.Body)
	w.WriteString("\n")
	return true
}

// expression writes an expression. Constant ones have the value that Go gives them.
func (w *writer) expression(e ast.Expr) string {
	if v := w.info.Types[e].Value; v != nil {
		return w.literal(e, v)
	}
	switch e := e.(type) {
	case *ast.Ident:
		if o := w.info.Uses[e]; o != nil {
			return e.Name
		}
	case *ast.ParenExpr:
		return w.expression(e.X) // operations have parentheses of their own
	case *ast.SelectorExpr:
		if s := w.info.Selections[e]; s != nil {
			return w.expression(e.X) + w.way(s)
		}
		if o := w.info.Uses[e.Sel]; o != nil && o.Pkg().Path() == "math" {
			return e.Sel.Name
		}
	case *ast.IndexExpr:
		return w.expression(e.X) + "[" + w.expression(e.Index) + "]"
	case *ast.UnaryExpr:
		if e.Op == token.NOT || e.Op == token.SUB {
			return e.Op.String() + "(" + w.expression(e.X) + ")"
		}
	case *ast.BinaryExpr:
		return w.binary(e)
	case *ast.CallExpr:
		return w.call(e)
	}
	w.fault(e, "the expression %s", types.ExprString(e))
	return "undefined"
}

// way leads to a field or method, through embedded structs.
func (w *writer) way(s *types.Selection) string {
	var way strings.Builder
	of := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if p, is := of.Underlying().(*types.Pointer); is {
			of = p.Elem()
		}
		f := of.Underlying().(*types.Struct).Field(i)
		way.WriteString("." + f.Name())
		of = f.Type()
	}
	return way.String() + "." + s.Obj().Name()
}

func (w *writer) binary(e *ast.BinaryExpr) string {
	op := e.Op.String()
	if w.info.TypeOf(e.X) == nil {
		w.fault(e.X, "%s", types.ExprString(e.X))
		return ""
	}
	switch e.Op {
	case token.ADD, token.SUB, token.MUL, token.QUO:
		w.needFloat(e, e.Op)
	case token.AND, token.OR:
		t, is := w.info.TypeOf(e).Underlying().(*types.Basic)
		if !is || t.Kind() != types.Uint8 && t.Kind() != types.Uint16 {
			w.fault(e, "%s of other integers than uint8 and uint16", op)
		}
	case token.EQL, token.NEQ:
		op += "="
		if t, is := w.info.TypeOf(e.X).Underlying().(*types.Basic); !is || t.Info()&(types.IsNumeric|types.IsBoolean) == 0 {
			w.fault(e, "%s of %s", e.Op, w.info.TypeOf(e.X))
		}
	case token.LSS, token.LEQ, token.GTR, token.GEQ, token.LAND, token.LOR:
	default:
		w.fault(e, "%s", op)
	}
	return "(" + w.expression(e.X) + " " + op + " " + w.expression(e.Y) + ")"
}

// needFloat checks that a computation is of numbers of 64 bits.
func (w *writer) needFloat(e ast.Expr, op token.Token) {
	t, is := w.info.TypeOf(e).(*types.Basic)
	if !is || t.Kind() != types.Float64 {
		w.fault(e, "%s of %s; it knows float64", op, w.info.TypeOf(e))
	}
}

func (w *writer) call(e *ast.CallExpr) string {
	var arguments []string
	for _, a := range e.Args {
		arguments = append(arguments, w.expression(a))
		if w.copied(a) {
			w.fault(a, "the copied argument %s; give a pointer", types.ExprString(a))
		}
	}
	list := "(" + strings.Join(arguments, ", ") + ")"
	if n, is := e.Fun.(*ast.Ident); is {
		switch o := w.info.Uses[n].(type) {
		case *types.TypeName:
			from, isBasic := w.info.TypeOf(e.Args[0]).Underlying().(*types.Basic)
			if o.Name() == "float64" && isBasic && from.Info()&types.IsNumeric != 0 {
				return list
			}
		case *types.Builtin:
			switch o.Name() {
			case "min", "max":
				w.needFloat(e, token.FUNC)
				return "Math." + o.Name() + list
			case "len":
				if _, is := w.info.TypeOf(e.Args[0]).Underlying().(*types.Slice); is {
					return arguments[0] + ".length"
				}
			}
		case *types.Func:
			return n.Name + list
		}
	} else if s, is := e.Fun.(*ast.SelectorExpr); is {
		if _, is := w.info.Uses[s.Sel].(*types.Func); is {
			return w.expression(s) + list
		}
	}
	w.fault(e, "the call %s", types.ExprString(e))
	return "undefined"
}
