package main

import (
	"bytes"
	"fmt"
	"go/build"
	"go/doc"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// tables is the file with the tables of all packages, in the section that begins with the line packagesHeading and
// ends with the file. They are made from the code.
const (
	tables          = "ARCHITECTURE.md"
	packagesHeading = "## Packages and what they import"
)

// class is a group of packages that may import the same others: one table.
type class struct {
	name    string
	rule    string   // what its packages may import, as a sentence of the documentation
	members []string // packages; with a slash at the end folders, whose packages belong to it with all below
	knows   []string // classes
	also    []string // single packages of other classes
}

// reader are packages of the engine that know model files, and nothing of equations.
var reader = []string{"model/vehicle", "model/component", "model/keys", "model/road", "model/subsystem", "tire"}

// classes are all of them. A package belongs to the class that names it, else to the class of its longest folder.
var classes = []class{
	{name: "Leaves", rule: "They import leaves only.",
		members: []string{"fmu/archive", "fmu/check", "fmu/markup", "model/bounded", "model/curve", "model/document",
			"model/expr", "model/keys", "model/roles", "model/search", "model/shelf", "model/solver", "model/unit",
			"resources", "tire/elementary", "tire/external", "tire/formula", "tire/machinecode"},
		knows: []string{"Leaves"}},
	{name: "Engine", rule: "It imports leaves and itself, downwards only: `fmu`, `cosim`, `model`, `tire`.",
		members: []string{"cosim/", "fmu/", "model/", "tire/"},
		knows:   []string{"Leaves", "Engine"}},
	{name: "C border", rule: "It imports leaves and the engine, and has all of cgo.",
		members: []string{"capi/"},
		knows:   []string{"Leaves", "Engine", "C border"}},
	{name: "Library", rule: "It imports leaves only, and knows everything else through `skidpad.h` and FMI.",
		members: []string{"harness", "harness/library"},
		knows:   []string{"Leaves", "Library"}},
	{name: "Workbench: results",
		rule:    "They import leaves, and know no library: tables, recordings, figures, pages.",
		members: []string{"harness/workbench/results/"},
		knows:   []string{"Leaves", "Workbench: results"},
		also:    []string{"harness"}},
	{name: "Workbench: runs",
		rule:    "They drive vehicles through the library and FMI, and import leaves of the engine only.",
		members: []string{"harness/workbench/runs/"},
		knows:   []string{"Leaves", "Library", "Workbench: results", "Workbench: runs"}},
	{name: "Workbench: files", rule: "They know runs, the reader of model files, and their tables.",
		members: []string{"harness/workbench/files/"},
		knows:   []string{"Leaves", "Library", "Workbench: results", "Workbench: runs", "Workbench: files"},
		also:    append([]string{"model/reduction"}, reader...)},
	{name: "Workbench: analyses", rule: "They look into the engine.",
		members: []string{"harness/workbench/analyses/"},
		knows: []string{"Leaves", "Engine", "Library", "Workbench: results", "Workbench: runs", "Workbench: files",
			"Workbench: analyses"},
		also: []string{"capi/standalone"}},
	{name: "Evidence: runs", rule: "They know the workbench's runs, and nothing of the engine but leaves.",
		members: []string{"harness/evidence/mainjob", "harness/evidence/statements"},
		knows:   []string{"Leaves", "Library", "Workbench: results", "Workbench: runs", "Evidence: runs"}},
	{name: "Evidence: second opinions", rule: "They know the reader of model files, and no equation of the engine.",
		members: []string{"harness/evidence/reference", "harness/evidence/references", "harness/evidence/tangent"},
		knows:   []string{"Leaves", "Workbench: results", "Workbench: runs", "Evidence: second opinions"},
		also:    reader},
	{name: "Evidence: judgement", rule: "It compares the engine with second opinions, and with other code.",
		members: []string{"harness/evidence/"},
		knows: []string{"Leaves", "Engine", "Library", "Workbench: results", "Workbench: runs", "Workbench: files",
			"Workbench: analyses", "Evidence: runs", "Evidence: second opinions", "Evidence: judgement"},
		also: []string{"capi/standalone"}},
	{name: "Command", rule: "It alone imports the evidence.",
		members: []string{"harness/cmd/"},
		knows: []string{"Leaves", "Engine", "Library", "Workbench: results", "Workbench: runs", "Workbench: files",
			"Workbench: analyses", "Evidence: runs", "Evidence: second opinions", "Evidence: judgement"},
		also: []string{"capi/standalone"}},
	{name: "Site", rule: "It makes the pages and pictures of the documentation, and knows the workbench and the engine.",
		members: []string{"harness/site/"},
		knows: []string{"Leaves", "Engine", "Library", "Workbench: results", "Workbench: runs", "Workbench: files",
			"Workbench: analyses", "Site"},
		also: []string{"capi/standalone"}},
	{name: "Release", rule: "It packs what is built, and imports nothing of the repository.",
		members: []string{"harness/release"}},
	{name: "Tests", rule: "What tests share, and the programs that check the repository.",
		members: []string{"harness/tests/", "fmu/fmutest", "tire/tiretest"},
		knows:   []string{"Leaves", "Tests"},
		also:    []string{"fmu", "tire", "harness/workbench/results/web"}},
}

// floors are the top folders, from the lowest: packages import those of their own floor, of lower ones, and leaves.
var floors = []string{"tire", "model", "cosim", "fmu", "capi", "harness"}

// floor numbers the floor of a package.
func floor(name string) int {
	top, _, _ := strings.Cut(name, "/")
	return slices.Index(floors, top)
}

// classOf is the class of a package; nil where no folder is named.
func classOf(name string) *class {
	var found *class
	longest := 0
	for i := range classes {
		for _, m := range classes[i].members {
			folder, is := strings.CutSuffix(m, "/")
			if m == name {
				return &classes[i]
			}
			if is && (folder == name || strings.HasPrefix(name, m)) && len(m) > longest {
				found, longest = &classes[i], len(m)
			}
		}
	}
	return found
}

// allows reports whether packages of a class may import a package.
func (c *class) allows(of string) bool {
	to := classOf(of)
	return to != nil && slices.Contains(c.knows, to.name) || slices.Contains(c.also, of)
}

// sourcePackage is a package as its code describes it.
type sourcePackage struct {
	imports map[string]token.Position
	holds   string // the first sentence of its comment
}

// packages reads the packages of the module of the repository, and their imports of each other outside of tests on this
// system.
func packages(t *tree) (map[string]*sourcePackage, error) {
	const module = "skidpad/"
	system := build.Default
	system.CgoEnabled = true
	system.OpenFile = func(name string) (io.ReadCloser, error) {
		text, err := t.read(name)
		return io.NopCloser(bytes.NewReader(text)), err
	}
	all, set := map[string]*sourcePackage{}, token.NewFileSet()
	for _, name := range t.names {
		inOther := func(file string) bool { // in a module of its own
			folder, is := strings.CutSuffix(file, "/go.mod")
			return is && strings.HasPrefix(name, folder+"/")
		}
		if !isSource(name) || slices.ContainsFunc(t.names, inOther) {
			continue
		}
		if is, err := system.MatchFile(path.Dir(name), path.Base(name)); err != nil || !is {
			if err != nil {
				return nil, err
			}
			continue
		}
		file, err := t.parse(set, name, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return nil, err
		}
		of := all[path.Dir(name)]
		if of == nil {
			of = &sourcePackage{imports: map[string]token.Position{}}
			all[path.Dir(name)] = of
		}
		if file.Doc != nil {
			of.holds = holds(file.Name.Name, file.Doc.Text())
		}
		for _, i := range file.Imports {
			if imported, own := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module); own {
				of.imports[imported] = set.Position(i.Pos())
			}
		}
	}
	return all, nil
}

// holds is the first sentence of a package's comment without its subject.
func holds(name, comment string) string {
	sentence := new(doc.Package).Synopsis(comment)
	sentence = strings.TrimPrefix(sentence, "Package "+name+" ")
	return strings.ReplaceAll(strings.TrimSuffix(strings.TrimSuffix(sentence, "."), ":"), "|", `\|`)
}

// packageTables are the tables, as Markdown.
func packageTables(all map[string]*sourcePackage) string {
	var text strings.Builder
	text.WriteString(packagesHeading + "\n\nMade from the code by `go run ./harness/tests/lint --write`, with the " +
		"rules of `harness/tests/lint/imports.go`; imports of tests are not counted.\n")
	for i := range classes {
		c := &classes[i]
		fmt.Fprintf(&text, "\n### %s\n\n%s\n\n| package | what it does | imports |\n| --- | --- | --- |\n", c.name, c.rule)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if classOf(name) != c {
				continue
			}
			imports := "-"
			if list := slices.Sorted(maps.Keys(all[name].imports)); len(list) > 0 {
				imports = "`" + strings.Join(list, "`, `") + "`"
			}
			fmt.Fprintf(&text, "| `%s` | %s | %s |\n", name, all[name].holds, imports)
		}
	}
	return text.String()
}

// written is the file with the tables of the code.
func written(text string, all map[string]*sourcePackage) (string, error) {
	before, _, has := strings.Cut(text, packagesHeading+"\n")
	if !has {
		return "", fmt.Errorf("%s has no line %q before the tables of packages", tables, packagesHeading)
	}
	return before + packageTables(all), nil
}

// writeTables writes the tables of the code into their file.
func writeTables(t *tree) error {
	text, err := t.read(tables)
	if err != nil {
		return err
	}
	all, err := packages(t)
	if err != nil {
		return err
	}
	changed, err := written(string(text), all)
	if err != nil {
		return err
	}
	return os.WriteFile(tables, []byte(changed), 0o644)
}

// lintImports judges each import by the classes, and compares the tables with the code.
func lintImports(t *tree) (found []finding, seen checked, err error) {
	text, err := t.read(tables)
	if err != nil {
		return nil, nil, err
	}
	all, err := packages(t)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		c := classOf(name)
		if c == nil {
			found = append(found, finding{name, 1, "the package belongs to no class; move it into a folder of one, or " +
				"add it to the classes of harness/tests/lint/imports.go"})
			continue
		}
		if all[name].holds == "" {
			found = append(found, finding{name, 1, "the package has no comment; say in one sentence what it does"})
		}
		for _, of := range slices.Sorted(maps.Keys(all[name].imports)) {
			position := all[name].imports[of]
			if all[of] == nil {
				found = append(found, at(position, "%s imports %s, which is no package; import another", name, of))
			} else if !c.allows(of) {
				found = append(found, at(position, "%s imports %s; packages of %q know those of %q; move what is shared to "+
					"one of them", name, of, c.name, append(slices.Clone(c.knows), c.also...)))
			} else if floor(of) > floor(name) && classOf(of).name != "Leaves" {
				found = append(found, at(position, "%s imports %s, which is a floor above it; the floors are %q, from the "+
					"lowest", name, of, floors))
			}
		}
	}
	want, err := written(string(text), all)
	if err != nil {
		return nil, nil, err
	}
	if line := firstDifference(string(text), want); line > 0 {
		found = append(found, finding{tables, line, "the tables of packages are not those of the code; write them by " +
			"go run ./harness/tests/lint --write"})
	}
	return found, checked{"packages": len(all)}, nil
}

// firstDifference is the number of the first line with a difference; 0 for equal texts.
func firstDifference(a, b string) int {
	if a == b {
		return 0
	}
	of, than := strings.Split(a, "\n"), strings.Split(b, "\n")
	for i := range min(len(of), len(than)) {
		if of[i] != than[i] {
			return i + 1
		}
	}
	return min(len(of), len(than))
}
