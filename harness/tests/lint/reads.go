package main

import (
	"go/ast"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
)

// readers are the functions that open or read files, or decode without a limit, by import path.
var readers = map[string][]string{
	"os":                         {"ReadFile", "Open", "OpenFile", "DirFS", "OpenRoot", "CopyFS"},
	"io":                         {"ReadAll"},
	"io/fs":                      {"ReadFile"},
	"io/ioutil":                  {"ReadFile", "ReadAll"},
	"archive/zip":                {"OpenReader", "NewReader"},
	"encoding/csv":               {"NewReader"},
	"encoding/xml":               {"NewDecoder", "Unmarshal"},
	"encoding/json":              {"NewDecoder", "Unmarshal"},
	"github.com/BurntSushi/toml": {"Decode", "DecodeFile", "DecodeFS", "NewDecoder", "Unmarshal"},
}

// allowed are the files that may call them, and why.
var allowed = map[string]string{
	"model/bounded/bounded.go": "os.OpenFile: the one place where files of users are opened",
	"model/bounded/rows.go":    "csv.NewReader: of one line, which has a limit",
	"model/document/places.go": "toml.Decode: behind the limits of limits.go",
	"fmu/archive/archive.go":   "zip.NewReader: with a bounded directory; os.OpenFile: writes what it unpacks",
	"fmu/archive/encoding.go":  "xml.NewDecoder: behind CheckXML",
	"harness/library/child.go": "json.Unmarshal: lines of 64 KiB at most, from a child of the process itself, and " +
		"its own task",
	"harness/workbench/analyses/suspension/overlay.go": "json.Unmarshal: of a text that bounded has read, whose size is " +
		"limited",
	"harness/workbench/files/hardpoints/chrono.go": "json.Unmarshal: of a text that bounded has read, whose size is " +
		"limited",
	"harness/workbench/files/hardpoints/inertia.go": "json.Unmarshal: of a text that bounded has read, whose size is " +
		"limited",
	"harness/workbench/results/measurement/logger.go": "csv.NewReader: of bytes that are read within their limit",
	"harness/workbench/results/output/growing.go":     "os.OpenFile: writes",
	"harness/workbench/results/output/write_file.go":  "os.OpenFile: writes",
	"harness/workbench/results/recording/read.go": "json.Unmarshal: of metadata of a file that bounded has read, whose " +
		"size is limited",
	"harness/workbench/results/setups/setups.go": "json.Unmarshal: of a text that bounded has read, whose size is " +
		"limited",
	"harness/workbench/results/validation/record.go": "json.Unmarshal: of a text that bounded has read, whose size is " +
		"limited",
	"harness/workbench/runs/controlpipe/pipe.go": "json.Unmarshal: of a frame whose size is limited",
	"harness/workbench/runs/laps/compare.go":     "json.Unmarshal: of a text that bounded has read, whose size is limited",
	"harness/workbench/runs/live/wire/wire.go":   "json.Unmarshal: of a message whose size is limited",
	"harness/workbench/runs/replay/drive.go":     "json.Unmarshal: of an entry of an archive, which has a limit",
	"harness/evidence/verify/convergence.go": "os.CopyFS, os.DirFS: copies the resources that the command comes " +
		"with",
	"capi/python/wheel/main.go": "packs the library that build.sh has made",
}

// tools are folders of programs that read this repository and their own output only. Of these only bench and browser
// are in the command; they read the header files beside it and pages that they have written.
var tools = []string{"harness/tests/", "harness/site/", "harness/hosts/", "harness/evidence/bench/",
	"harness/release/", "harness/evidence/witness/"}

// lintReads finds what opens files of users, reads them to the end, or decodes them without a limit, beside package
// bounded.
func lintReads(t *tree) ([]finding, checked, error) { return findReads(t, allowed) }

func findReads(t *tree, allowed map[string]string) (found []finding, seen checked, err error) {
	used, seen := map[string]bool{}, checked{}
	set := token.NewFileSet()
	for _, name := range t.names {
		tool := func(folder string) bool { return strings.HasPrefix(name, folder) }
		if !isSource(name) || slices.ContainsFunc(tools, tool) {
			continue
		}
		seen["files"]++
		file, err := t.parse(set, name, 0)
		if err != nil {
			return nil, nil, err
		}
		imported := map[string]string{} // paths by the names that the file has for them
		for _, i := range file.Imports {
			of := strings.Trim(i.Path.Value, `"`)
			called := path.Base(of)
			if i.Name != nil {
				called = i.Name.Name
			}
			imported[called] = of
		}
		ast.Inspect(file, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			x, ok := s.X.(*ast.Ident)
			if !ok || !slices.Contains(readers[imported[x.Name]], s.Sel.Name) {
				return true
			}
			if allowed[name] == "" {
				found = append(found, at(set.Position(s.Pos()),
					"%s.%s; read files of users by model/bounded, documents by model/document", x.Name, s.Sel.Name))
			}
			used[name] = true
			return true
		})
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		if !used[name] {
			found = append(found, finding{name, 1, "needs no exception any more; delete it in harness/tests/lint/reads.go"})
		}
	}
	return found, seen, nil
}
