package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The package of the engine has by far the most tests, and nearly all of them step one instance in one goroutine. Only
// fleets start goroutines.
const (
	engine  = "cosim"
	threads = "Fleet"
)

// concurrent lists the tests of a folder that start goroutines: by a go statement, by a method Go, or by a function or
// type with the given word in its name.
func concurrent(folder, word string) ([]string, error) {
	list, err := testsWith(folder, func(f *ast.FuncDecl) (starts bool) {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GoStmt:
				starts = true
			case *ast.Ident:
				starts = starts || n.Name == "Go" || strings.Contains(n.Name, word)
			}
			return true
		})
		return starts
	})
	if err == nil && len(list) == 0 {
		err = errors.New(folder + ": no test starts goroutines")
	}
	return list, err
}

// testsWith lists the tests of a folder that satisfy is, or that call a function of the test files that satisfies is.
func testsWith(folder string, is func(*ast.FuncDecl) bool) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	mentions, found := map[string]map[string]bool{}, map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				mentions[f.Name.Name], found[f.Name.Name] = mentioned(f), is(f)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for name := range mentions {
			for called := range mentions[name] {
				if found[called] && !found[name] {
					found[name], changed = true, true
				}
			}
		}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if found[name] && strings.HasPrefix(name, "Test") {
			list = append(list, name)
		}
	}
	return list, nil
}

// mentioned returns the names in a function.
func mentioned(f *ast.FuncDecl) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if is, ok := n.(*ast.Ident); ok {
			names[is.Name] = true
		}
		return true
	})
	return names
}

// left lists the tests of a folder that testrun.InStage leaves to a stage.
func left(folder, stage string) ([]string, error) {
	return testsWith(folder, func(f *ast.FuncDecl) (is bool) {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && len(call.Args) == 2 {
				of, _ := call.Fun.(*ast.SelectorExpr)
				name, _ := call.Args[1].(*ast.BasicLit)
				is = is || of != nil && of.Sel.Name == "InStage" && name != nil && name.Value == strconv.Quote(stage)
			}
			return true
		})
		return is
	})
}
