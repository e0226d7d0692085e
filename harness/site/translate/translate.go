// Package translate writes a small part of Go as JavaScript, so that a law is one text for the command and for pages.
//
// It knows structs, also embedded ones, constants, functions and methods with at most one result; if, switch and range;
// sums, products, quotients, comparisons and logic of float64; comparisons and sets of bits of integers; min, max and
// some functions of math. Everything else is an error that names its place. Structs are always used by pointer.
package translate

import (
	"errors"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Source is a Go file of a package.
type Source struct {
	Name string // for messages
	Text []byte
}

// known is the part of package math that there is, as Go and in JavaScript.
const (
	known = `package math
func Abs(x float64) float64 { return 0 }
func Copysign(f, sign float64) float64 { return 0 }
func NaN() float64 { return 0 }
func Pow(x, y float64) float64 { return 0 }`
	helpers = "const Abs = Math.abs, Pow = Math.pow, NaN = () => Number.NaN,\n" +
		"Copysign = (f, sign) => Math.abs(f) * (sign < 0 || Object.is(sign, -0) ? -1 : 1);\n"
)

// words are words of JavaScript, and names that the translation uses, which can be names in Go.
var words = strings.Fields("arguments await catch class debugger delete do enum eval export extends finally function " +
	"implements in instanceof let new null private protected public static super this throw try typeof void while " +
	"with yield Math Number Object Abs Copysign NaN Pow")

// writer writes the declarations of a package.
type writer struct {
	strings.Builder
	set    *token.FileSet
	info   types.Info
	ours   *types.Package
	faults []error
	names  []string // of classes and functions
}

// JavaScript writes the types and functions of files of a package as an expression: an object with the classes and
// functions. Objects of classes have zero values. Constants are written where they are used.
func JavaScript(files []Source) (string, error) {
	w := &writer{set: token.NewFileSet(), info: types.Info{Types: map[ast.Expr]types.TypeAndValue{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{}}}
	var parsed []*ast.File
	for _, f := range files {
		file, err := parser.ParseFile(w.set, f.Name, f.Text, parser.SkipObjectResolution)
		if err != nil {
			return "", err
		}
		parsed = append(parsed, file)
	}
	// What is unknown has no type, which is a fault elsewhere.
	c := types.Config{Importer: w, Error: func(error) {}}
	w.ours, _ = c.Check("translated", w.set, parsed, &w.info)
	w.WriteString("(() => {\n" + helpers)
	methods := map[string][]*ast.FuncDecl{}
	for _, file := range parsed {
		for _, d := range file.Decls {
			if f, is := d.(*ast.FuncDecl); is && f.Recv != nil {
				of := types.ExprString(f.Recv.List[0].Type)
				if !strings.HasPrefix(of, "*") {
					w.fault(f, "a method of a value; give it a pointer")
				}
				of = strings.TrimPrefix(of, "*")
				methods[of] = append(methods[of], f)
			}
		}
	}
	for _, file := range parsed {
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.GenDecl:
				for _, s := range d.Specs {
					w.declare(s, methods)
				}
			case *ast.FuncDecl:
				if d.Recv == nil {
					w.name(d.Name)
					w.WriteString("function ")
					w.function(d)
				}
			}
		}
	}
	fmt.Fprintf(w, "return { %s };\n})()", strings.Join(w.names, ", "))
	return w.String(), errors.Join(w.faults...)
}

// Import gives the known part of math, for types.Importer.
func (w *writer) Import(path string) (*types.Package, error) {
	if path != "math" {
		return nil, errors.New("only math is known")
	}
	file, err := parser.ParseFile(w.set, path, known, 0)
	if err != nil {
		return nil, err
	}
	return new(types.Config).Check(path, w.set, []*ast.File{file}, nil)
}

func (w *writer) fault(n ast.Node, format string, values ...any) {
	w.faults = append(w.faults, fmt.Errorf("%s: the translation to JavaScript does not know %s", w.set.Position(n.Pos()),
		fmt.Sprintf(format, values...)))
}

// name checks a name that is made.
func (w *writer) name(n *ast.Ident) string {
	if slices.Contains(words, n.Name) {
		w.fault(n, "the name %s, which is a word of JavaScript; choose another name", n.Name)
	}
	if o := w.info.Defs[n]; o != nil && o.Parent() == w.ours.Scope() {
		w.names = append(w.names, n.Name)
	}
	return n.Name
}

func (w *writer) declare(s ast.Spec, methods map[string][]*ast.FuncDecl) {
	switch s := s.(type) {
	case *ast.ImportSpec:
	case *ast.ValueSpec:
		if _, is := w.info.Defs[s.Names[0]].(*types.Var); is {
			w.fault(s, "the variable %s of the package", s.Names[0].Name)
		}
	case *ast.TypeSpec:
		t, is := w.info.Defs[s.Name].Type().Underlying().(*types.Struct)
		if !is {
			w.zero(s.Name, w.info.Defs[s.Name].Type()) // types of numbers need nothing
			return
		}
		fmt.Fprintf(w, "class %s {\n", w.name(s.Name))
		for f := range t.Fields() {
			fmt.Fprintf(w, "%s = %s;\n", f.Name(), w.zero(s, f.Type()))
		}
		for _, m := range methods[s.Name.Name] {
			w.function(m)
		}
		w.WriteString("}\n")
	}
}

// zero is the zero value of a type.
func (w *writer) zero(at ast.Node, of types.Type) string {
	switch t := of.Underlying().(type) {
	case *types.Basic:
		if t.Kind() == types.Bool {
			return "false"
		} else if t.Info()&(types.IsInteger|types.IsFloat) != 0 {
			return "0"
		}
	case *types.Slice:
		return "[]"
	case *types.Struct:
		if n, is := of.(*types.Named); is {
			return "new " + n.Obj().Name() + "()"
		}
	}
	w.fault(at, "the type %s", of)
	return ""
}

// literal is a constant.
func (w *writer) literal(at ast.Node, v constant.Value) string {
	switch v.Kind() {
	case constant.Bool:
		return v.ExactString()
	case constant.Int, constant.Float:
		if x, _ := constant.Float64Val(v); !math.IsInf(x, 0) {
			return strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	w.fault(at, "the constant %s", v)
	return "0"
}

func (w *writer) function(d *ast.FuncDecl) {
	var parameters []string
	for _, f := range d.Type.Params.List {
		if w.copied(f.Type) {
			w.fault(f, "an argument that is a copied %s; give a pointer", types.ExprString(f.Type))
		}
		for _, n := range f.Names {
			parameters = append(parameters, w.name(n))
		}
	}
	if r := d.Type.Results; r != nil && (r.NumFields() > 1 || len(r.List[0].Names) > 0) {
		w.fault(r, "several results, or results with names")
	}
	fmt.Fprintf(w, "%s(%s) {\n", d.Name.Name, strings.Join(parameters, ", "))
	if d.Recv != nil && len(d.Recv.List[0].Names) == 1 {
		fmt.Fprintf(w, "const %s = this;\n", w.name(d.Recv.List[0].Names[0]))
	}
	w.statements(d.Body.List)
	w.WriteString("}\n")
}

// copied reports whether values of the type of an expression are copied in Go, but shared in JavaScript.
func (w *writer) copied(e ast.Expr) bool {
	t := w.info.TypeOf(e)
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		return true
	}
	return false
}
