package harness_test

import (
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/built"
)

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
}

// documented reads the tables of ARCHITECTURE.md by package.
func documented(t *testing.T) map[string]documentedPackage {
	t.Helper()
	text, err := os.ReadFile(built.Path("ARCHITECTURE.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "\n## Package dependencies\n")
	section, _, ended := strings.Cut(section, "\n## ")
	if !found || !ended {
		t.Fatal("ARCHITECTURE.md has no section of package dependencies with another one behind it")
	}
	rows, table := map[string]documentedPackage{}, ""
	quoted := regexp.MustCompile("`([^`]+)`")
	for line := range strings.Lines(section) {
		if heading, is := strings.CutPrefix(line, "### "); is {
			table = strings.TrimSpace(heading)
		}
		cells := strings.Split(line, " | ")
		if !strings.HasPrefix(line, "| `") || len(cells) < 3 {
			continue
		}
		name := quoted.FindStringSubmatch(cells[0])[1]
		if _, twice := rows[name]; twice {
			t.Errorf("%s has two rows", name)
		}
		row := documentedPackage{table: table}
		for _, match := range quoted.FindAllStringSubmatch(cells[1], -1) {
			row.imports = append(row.imports, match[1])
		}
		rows[name] = row
	}
	return rows
}

// imported lists what the packages of the repository import of it outside of tests.
func imported(t *testing.T) map[string][]string {
	t.Helper()
	list := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...")
	list.Dir = built.Path()
	text, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	const module = "skidpad/"
	all := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		name := strings.TrimPrefix(words[0], module)
		all[name] = nil
		for _, word := range words[1:] {
			if of, own := strings.CutPrefix(word, module); own {
				all[name] = append(all[name], of)
			}
		}
	}
	return all
}

// What a package imports is what its row in ARCHITECTURE.md says, and what the heading of its table allows: what
// drives, measures and judges knows nothing of the engine, also not by what it imports.
func TestImportsAreThoseOfTheTables(t *testing.T) {
	rows, all := documented(t), imported(t)
	if len(all) < 40 {
		t.Fatalf("%d packages are listed", len(all))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		row, has := rows[name]
		if !has {
			t.Errorf("%s has no row in the package dependencies of ARCHITECTURE.md; it imports %q", name, all[name])
			continue
		}
		for _, of := range all[name] {
			if !slices.Contains(row.imports, of) {
				t.Errorf("%s imports %s, which is not in its row of ARCHITECTURE.md", name, of)
			}
			allowed := knows[row.table]
			if !slices.Contains(allowed, rows[of].table) && !slices.Contains(allowed, of) {
				t.Errorf("%s imports %s; packages of the table %q know those of %q", name, of, row.table, allowed)
			}
		}
		for _, of := range row.imports {
			if !slices.Contains(all[name], of) {
				t.Errorf("%s does not import %s, which is in its row of ARCHITECTURE.md", name, of)
			}
		}
	}
	for name, row := range rows {
		if _, there := all[name]; !there {
			t.Errorf("ARCHITECTURE.md has a row for %s, which is not a package", name)
		}
		if path.Dir(name) == "harness/cmd" && row.table != "What looks into the engine" {
			t.Errorf("%s is in the table %q", name, row.table)
		}
	}
}
