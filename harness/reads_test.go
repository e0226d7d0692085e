package harness_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readers are what opens or reads files, or decodes without a limit, by import path.
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
	"model/bounded/bounded.go":       "os.OpenFile: the one place where files of users are opened",
	"model/bounded/rows.go":          "csv.NewReader: of one line, which has a limit",
	"model/document/places.go":       "toml.Decode: behind the limits of limits.go",
	"fmu/archive/archive.go":         "zip.NewReader: with a bounded directory; os.OpenFile: writes what it unpacks",
	"fmu/check/element.go":           "xml.NewDecoder: behind CheckXML",
	"harness/library/description.go": "xml.Unmarshal: behind CheckXML",
	"harness/library/child.go": "json.Unmarshal: lines of 64 KiB at most, from a child of the process itself, and " +
		"its own task",
	"harness/output/write_file.go":  "os.OpenFile: writes",
	"harness/setups/setups.go":      "json.Unmarshal: of a text that bounded has read, whose size is limited",
	"harness/verify/convergence.go": "os.CopyFS, os.DirFS: copies the resources that the command comes with",
	"capi/python/wheel/main.go":     "packs the library that build.sh has made",
}

// tools are folders of programs that read this repository and their own output only. Of these only bench and browser
// are in the command; they read the header files beside it and pages that they have written.
var tools = []string{"harness/built/", "harness/site/", "harness/bench/", "harness/report/browser/", "harness/hosts/",
	"harness/bindings/", "harness/conformance/", "harness/witness/"}

// Files of users are read through package bounded: nothing else opens them, reads to the end, or decodes without a
// limit.
func TestFilesAreReadThroughOnePlace(t *testing.T) {
	used := map[string]bool{}
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		name := filepath.ToSlash(strings.TrimPrefix(path, ".."+string(filepath.Separator)))
		if err != nil {
			return err
		}
		if d.IsDir() {
			if base := d.Name(); base == "out" || base == "testdata" || strings.HasPrefix(base, ".") && base != ".." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		for _, tool := range tools {
			if strings.HasPrefix(name, tool) {
				return nil
			}
		}
		files++
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, source, 0)
		if err != nil {
			return err
		}
		imported := map[string]string{} // paths by the names that the file has for them
		for _, i := range file.Imports {
			of := strings.Trim(i.Path.Value, `"`)
			called := filepath.Base(of)
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
			if !ok {
				return true
			}
			for _, reader := range readers[imported[x.Name]] {
				if s.Sel.Name != reader {
					continue
				}
				if allowed[name] == "" {
					t.Errorf("%v: %s.%s; read files of users by model/bounded, documents by model/document",
						set.Position(s.Pos()), x.Name, reader)
				}
				used[name] = true
			}
			return true
		})
		return nil
	})
	if err != nil || files < 200 {
		t.Fatalf("%d files, error %v", files, err)
	}
	for name := range allowed {
		if !used[name] {
			t.Errorf("%s needs no exception any more", name)
		}
	}
}
