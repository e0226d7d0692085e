package main

import (
	"bytes"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// tables is the file with the rows of all packages.
const tables = "ARCHITECTURE.md"

// knows are the tables of ARCHITECTURE.md whose packages those of a table may import, beside single packages.
var knows = map[string][]string{
	"Leaves":     {"Leaves"},
	"Engine":     {"Leaves", "Engine"},
	"C boundary": {"Leaves", "Engine", "C boundary"},

	"Harness that drives, measures and judges": {"Leaves", "Harness that drives, measures and judges"},
	"Harness with the engine's parser": {"Leaves", "Harness that drives, measures and judges",
		"Harness with the engine's parser", "model", "model/component", "model/keys", "model/road", "model/subsystem",
		"tire"},
	"What looks into the engine": {"Leaves", "Engine", "Harness that drives, measures and judges",
		"Harness with the engine's parser", "What looks into the engine"},
}

// documentedPackage is a row of the tables.
type documentedPackage struct {
	table   string
	imports []string
	line    int
}

var quoted = regexp.MustCompile("`([^`]+)`")

// documented reads the tables by package.
func documented(text string) (rows map[string]documentedPackage, found []finding, err error) {
	before, section, begins := strings.Cut(text, "\n## Package dependencies\n")
	section, _, ends := strings.Cut(section, "\n## ")
	if !begins || !ends {
		return nil, nil, fmt.Errorf("%s has no section Package dependencies with another one behind it", tables)
	}
	rows = map[string]documentedPackage{}
	table, number := "", 2+strings.Count(before, "\n")
	for line := range strings.Lines(section) {
		number++
		if heading, is := strings.CutPrefix(line, "### "); is {
			table = strings.TrimSpace(heading)
		}
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| `") || len(cells) < 3 {
			continue
		}
		name := quoted.FindStringSubmatch(cells[0])[1]
		if _, twice := rows[name]; twice {
			found = append(found, finding{tables, number, fmt.Sprintf("%s has two rows; delete one", name)})
		}
		row := documentedPackage{table: table, line: number}
		for _, match := range quoted.FindAllStringSubmatch(cells[1], -1) {
			row.imports = append(row.imports, match[1])
		}
		rows[name] = row
	}
	return rows, found, nil
}

// imported lists what the packages of the repository import of it outside of tests on this system, with places.
func imported(t *tree) (map[string]map[string]token.Position, error) {
	const module = "skidpad/"
	system := build.Default
	system.CgoEnabled = true
	system.OpenFile = func(name string) (io.ReadCloser, error) {
		text, err := t.read(name)
		return io.NopCloser(bytes.NewReader(text)), err
	}
	all, set := map[string]map[string]token.Position{}, token.NewFileSet()
	for _, name := range t.names {
		if !isSource(name) {
			continue
		}
		if is, err := system.MatchFile(path.Dir(name), path.Base(name)); err != nil || !is {
			if err != nil {
				return nil, err
			}
			continue
		}
		file, err := t.parse(set, name, parser.ImportsOnly)
		if err != nil {
			return nil, err
		}
		of := all[path.Dir(name)]
		if of == nil {
			of = map[string]token.Position{}
			all[path.Dir(name)] = of
		}
		for _, i := range file.Imports {
			if imported, own := strings.CutPrefix(strings.Trim(i.Path.Value, `"`), module); own {
				of[imported] = set.Position(i.Pos())
			}
		}
	}
	return all, nil
}

// lintImports compares the imports of each package with its row in ARCHITECTURE.md, and each row with the heading of
// its table. Packages that drive, measure and judge do not depend on the engine, directly or indirectly.
func lintImports(t *tree) (found []finding, seen checked, err error) {
	text, err := t.read(tables)
	if err != nil {
		return nil, nil, err
	}
	rows, found, err := documented(string(text))
	if err != nil {
		return nil, nil, err
	}
	all, err := imported(t)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		row, has := rows[name]
		imports := slices.Sorted(maps.Keys(all[name]))
		if !has {
			list := "-"
			if len(imports) > 0 {
				list = "`" + strings.Join(imports, "`, `") + "`"
			}
			found = append(found, finding{tables, 1, fmt.Sprintf("package %s has no row in the package dependencies; "+
				"write into its table: | `%s` | %s | what it holds |", name, name, list)})
			continue
		}
		for _, of := range imports {
			if !slices.Contains(row.imports, of) {
				found = append(found, at(all[name][of], "%s imports %s, which is not in its row, line %d of %s; import "+
					"something else, or write it there", name, of, row.line, tables))
			}
			allowed := knows[row.table]
			if !slices.Contains(allowed, rows[of].table) && !slices.Contains(allowed, of) {
				found = append(found, at(all[name][of], "%s imports %s; packages of the table %q know those of %q", name,
					of, row.table, allowed))
			}
		}
		for _, of := range row.imports {
			if _, is := all[name][of]; !is {
				found = append(found, finding{tables, row.line,
					fmt.Sprintf("%s does not import %s, which is in its row; delete it there", name, of)})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(rows)) {
		row := rows[name]
		if _, there := all[name]; !there {
			found = append(found, finding{tables, row.line, fmt.Sprintf("%s is not a package; delete its row", name)})
		}
		if path.Dir(name) == "harness/cmd" && row.table != "What looks into the engine" {
			found = append(found, finding{tables, row.line,
				fmt.Sprintf("%s is in the table %q; it belongs into %q", name, row.table, "What looks into the engine")})
		}
	}
	return found, checked{"packages": len(all)}, nil
}
