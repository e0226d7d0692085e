package component_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
)

// parsed returns the files of a folder that are not tests.
func parsed(t *testing.T, set *token.FileSet, folder string) map[string]*ast.File {
	files := map[string]*ast.File{}
	paths, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no Go files in %s: %v", folder, err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		if files[path], err = parser.ParseFile(set, path, nil, 0); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// kinds are the Go types of components: those that hold a header.
func kinds(t *testing.T) map[string]bool {
	found := map[string]bool{}
	for _, file := range parsed(t, token.NewFileSet(), ".") {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, is := n.(*ast.TypeSpec)
			if !is {
				return true
			}
			if s, is := spec.Type.(*ast.StructType); is && len(s.Fields.List) > 0 && len(s.Fields.List[0].Names) == 0 {
				if of, is := s.Fields.List[0].Type.(*ast.SelectorExpr); is && of.Sel.Name == "Header" {
					found[spec.Name.Name] = true
				}
			}
			return true
		})
	}
	return found
}

// named is the component that an expression for a type names, "" for none.
func named(e ast.Expr, kinds map[string]bool) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return named(e.X, kinds)
	case *ast.SelectorExpr:
		if of, is := e.X.(*ast.Ident); is && (of.Name == "model" || of.Name == "component") && kinds[e.Sel.Name] {
			return e.Sel.Name
		}
	case *ast.Ident:
		if kinds[e.Name] {
			return e.Name
		}
	}
	return ""
}

// asked are the types for which a node of the syntax asks: an assertion, a switch over types, or a function of Scope.
func asked(n ast.Node) []ast.Expr {
	switch n := n.(type) {
	case *ast.TypeAssertExpr:
		return []ast.Expr{n.Type}
	case *ast.TypeSwitchStmt:
		var list []ast.Expr
		for _, c := range n.Body.List {
			list = slices.Concat(list, c.(*ast.CaseClause).List)
		}
		return list
	case *ast.IndexExpr:
		return []ast.Expr{n.Index}
	}
	return nil
}

// The engine asks components by interfaces: no package of it asks which of them it has before it.
func TestTheEngineAsksForNoTypeOfComponent(t *testing.T) {
	components := kinds(t)
	if len(components) < len(component.Types)-2 { // an arm and a weld, a torque driver and a brake are one each
		t.Fatalf("%d Go types for %d words", len(components), len(component.Types))
	}
	set := token.NewFileSet()
	for _, folder := range []string{".", "..", "../graph", "../formulate", "../linear", "../../cosim", "../../fmu"} {
		for _, file := range parsed(t, set, folder) {
			ast.Inspect(file, func(n ast.Node) bool {
				for _, e := range asked(n) {
					if name := named(e, components); name != "" {
						t.Errorf("%s asks for a %s; ask for what it answers, by an interface", set.Position(e.Pos()),
							name)
					}
				}
				return true
			})
		}
	}
}

// What a component answers beyond the interface of all is found in one file.
func TestOnlyTheScopeLooksAtTypes(t *testing.T) {
	set := token.NewFileSet()
	for path, file := range parsed(t, set, ".") {
		if filepath.Base(path) == "scope.go" {
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n.(type) {
			case *ast.TypeAssertExpr, *ast.TypeSwitchStmt:
				t.Errorf("%s looks at a type; ask by As, Named, All, First or ActingOn", set.Position(n.Pos()))
			}
			return true
		})
	}
}
