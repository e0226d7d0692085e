package main

import (
	"go/ast"
	"go/token"
	"path"
	"slices"
)

// componentFolder holds the components, and engine all packages that ask them.
const componentFolder = "model/component"

var engine = []string{componentFolder, "model", "model/graph", "model/formulate", "model/linear", "cosim", "fmu"}

// kinds are the Go types of components: those that hold a header.
func kinds(files []*ast.File) map[string]bool {
	found := map[string]bool{}
	for _, file := range files {
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

// asked returns the types that a syntax node tests: a type assertion, a type switch, or a function of Scope.
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

// lintComponents finds packages of the engine that test the type of a component, and files of components that test
// types. Only scope.go may find the abilities of a component beyond the common interface.
func lintComponents(t *tree) (found []finding, seen checked, err error) {
	set := token.NewFileSet()
	files := map[string]*ast.File{}
	var own []*ast.File
	for _, name := range t.names {
		folder := path.Dir(name)
		if !isSource(name) || !slices.Contains(engine, folder) {
			continue
		}
		if files[name], err = t.parse(set, name, 0); err != nil {
			return nil, nil, err
		}
		if folder == componentFolder {
			own = append(own, files[name])
		}
	}
	components := kinds(own)
	for name, file := range files {
		inside := path.Dir(name) == componentFolder && path.Base(name) != "scope.go"
		ast.Inspect(file, func(n ast.Node) bool {
			for _, e := range asked(n) {
				if kind := named(e, components); kind != "" {
					found = append(found, at(set.Position(e.Pos()),
						"asks for a %s; ask for what it answers, by an interface", kind))
				}
			}
			switch n.(type) {
			case *ast.TypeAssertExpr, *ast.TypeSwitchStmt:
				if inside {
					found = append(found, at(set.Position(n.Pos()),
						"looks at a type; ask by As, Named, All, First or ActingOn"))
				}
			}
			return true
		})
	}
	return found, checked{"types": len(components), "files": len(files)}, nil
}
