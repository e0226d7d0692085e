package check

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the table of rules into docs/check.md")

// rulesTable is the table of rules as Markdown.
func rulesTable() string {
	var b strings.Builder
	b.WriteString("| rule | grade | clause | what is asked |\n| --- | --- | --- | --- |\n")
	for _, r := range Rules {
		var clauses []string
		for _, c := range [][2]string{{"FMI 2.0, ", r.Two}, {"FMI 3.0, ", r.Three}, {"SSP 2.0, ", r.System}} {
			if c[1] != "" {
				clauses = append(clauses, c[0]+c[1])
			}
		}
		fmt.Fprintf(&b, "| %s | %s | %s | %s |\n", r.ID, r.Grade, strings.Join(clauses, "; "), r.Requires)
	}
	return b.String()
}

// docs/check.md has all rules with their grades and clauses.
func TestRulesAreDocumented(t *testing.T) {
	const file, from, to = "../../docs/check.md", "<!-- rules -->\n", "<!-- end of rules -->"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), from)
	table, after, found := strings.Cut(rest, to)
	switch {
	case !found:
		t.Fatalf("%s has no %s", file, to)
	case table == rulesTable():
	case *update:
		if err := os.WriteFile(file, []byte(before+from+rulesTable()+to+after), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Errorf("the table of %s differs from the rules; go test ./fmu/check -run Documented -update writes it", file)
	}
}

// Each rule is used, and each used rule exists, once. Each rule has a clause, and for each rule that is not a hint a
// test finds a broken form.
func TestRulesAreUsed(t *testing.T) {
	quoted := regexp.MustCompile(`"([FS]-[A-Z0-9-]+)"`)
	sources := func(pattern string, with bool) string {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") != with || file == "rules.go" {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(text)
		}
		return b.String()
	}
	code, tests := sources("*.go", false), sources("*_test.go", true)
	known := map[string]bool{}
	for _, r := range Rules {
		if known[r.ID] || r.Two+r.Three+r.System == "" || r.Requires == "" {
			t.Errorf("%+v", r)
		}
		known[r.ID] = true
		if !strings.Contains(code, `"`+r.ID+`"`) {
			t.Errorf("%s is used nowhere", r.ID)
		}
		if !regexp.MustCompile("[\"` ]" + r.ID + "[\"` ]").MatchString(tests) {
			t.Errorf("%s is found by no test", r.ID)
		}
	}
	for _, id := range quoted.FindAllStringSubmatch(code, -1) {
		if !known[id[1]] {
			t.Errorf("%s is no rule", id[1])
		}
	}
}
