package main

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// The package of the engine has by far the most tests, and nearly all of them step one instance in one goroutine. Only
// fleets start goroutines.
const (
	engine  = "cosim"
	threads = "Fleet"
)

// concurrent lists the tests of a folder that start goroutines: by a go statement, by a method Go, or by a function or
// type with the given word in its name. Functions of the tests that they call count, too.
func concurrent(folder, word string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	mentions, starts := map[string]map[string]bool{}, map[string]bool{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				mentions[f.Name.Name], starts[f.Name.Name] = mentioned(f, word)
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for name := range mentions {
			for called := range mentions[name] {
				if starts[called] && !starts[name] {
					starts[name], changed = true, true
				}
			}
		}
	}
	var list []string
	for _, name := range slices.Sorted(maps.Keys(starts)) {
		if starts[name] && strings.HasPrefix(name, "Test") {
			list = append(list, name)
		}
	}
	if len(list) == 0 {
		return nil, errors.New(folder + ": no test starts goroutines")
	}
	return list, nil
}

// mentioned returns the names in a function, and whether it starts goroutines.
func mentioned(f *ast.FuncDecl, word string) (names map[string]bool, starts bool) {
	names = map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			starts = true
		case *ast.Ident:
			names[n.Name] = true
			starts = starts || n.Name == "Go" || strings.Contains(n.Name, word)
		}
		return true
	})
	return names, starts
}
