package vehicle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/keys"
)

// componentPages holds a page for each type of component. A page consists of the prose and examples beside the
// component, and of the tables of keys and variables. The comment tablesHere marks the place of the tables in the
// prose.
const (
	componentPages = "../../docs/components"
	componentProse = "../component"
	tablesHere     = "<!-- keys and variables -->\n"
)

// componentTable lists the types of components with links to their pages.
func componentTable() string {
	var b strings.Builder
	b.WriteString("| group | component | meaning |\n| --- | --- | --- |\n")
	for _, group := range component.Groups {
		title := group.Title + " "
		for _, c := range group.Types {
			fmt.Fprintf(&b, "| %s| [%s](components/%s.md) | %s |\n", title, c.Word, c.Word, c.Text)
			title = ""
		}
	}
	return b.String()
}

// componentPage is the page of a type of component: its prose with the tables at their place. Links in the prose lead
// from the folder of components, which lies as deep as that of the pages.
func componentPage(t *testing.T, c component.Type) string {
	text := prose(t, c.Word)
	if !strings.Contains(text, tablesHere) {
		t.Errorf("%s.md lacks the line %s", c.Word, tablesHere)
	}
	return fmt.Sprintf("# %s\n\n<!-- made of model/component/%s.md and the tables of keys; go test ./model/vehicle "+
		"-run Documentation -update makes it again -->\n\n%s. The examples belong to "+
		"[this model](../model-files.md#model-of-the-examples).\n\n",
		c.Word, c.Word, strings.ToUpper(c.Text[:1])+c.Text[1:]) +
		strings.NewReplacer("](../../docs/components/", "](", "](../../docs/", "](../",
			tablesHere, "## Keys\n\n"+keys.Page(c.Keys)+variableTable(t, c.Word),
			"## Edges\n", "## Edges\n\nNames of edges, for [trees](../model-files.md#trees):\n",
			"## Check values\n", "## Check values\n\nModels, and what their equations must give, by hand "+
				"([how to read them](../model-files.md#check-values)):\n").Replace(text)
}

// prose is the text of the page beside a component.
func prose(t *testing.T, word string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(componentProse, word+".md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// variableTable lists the states, inputs, outputs and parameters of the examples of a component, from their equations.
func variableTable(t *testing.T, word string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, v := range examples(t, word) {
		m := parse(t, inPrelude(v.text))
		f, err := formulate.New(m, formulate.Options{})
		if err != nil {
			t.Errorf("an example of %s has no equations: %v", word, err)
			continue
		}
		row := func(name, unit, kind, text string) {
			name, own := strings.CutPrefix(name, "example.")
			if !own || seen[name] {
				return
			}
			seen[name] = true
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", name, unit, kind, text)
		}
		for _, s := range f.States() {
			row(s.Name, s.Unit, "state, output", s.Text)
		}
		for _, i := range f.Inputs {
			row(i.Name, i.Unit, "input", i.Text)
		}
		for _, o := range f.Outputs {
			row(o.Name, o.Unit, "output", o.Text)
		}
		for _, p := range f.Parameters {
			if !p.StartValue {
				row(p.Name, p.Unit, "parameter", p.Text)
			}
		}
	}
	if b.Len() == 0 {
		return ""
	}
	return "\n## Variables\n\n| variable | unit | kind | meaning |\n| --- | --- | --- | --- |\n" + b.String()
}

// Every type of component has a page, made of its tables and its prose. There are no other pages and no other prose.
func TestDocumentationHasAPageOfEachComponent(t *testing.T) {
	var words []string
	for _, c := range component.Types {
		words = append(words, c.Word)
		file := filepath.Join(componentPages, c.Word+".md")
		want := componentPage(t, c)
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(file); string(have) != want {
			t.Errorf("%s is not what the component says (%v); run go test ./model/vehicle -run Documentation -update", file, err)
		}
	}
	for _, folder := range []string{componentPages, componentProse} {
		files, err := filepath.Glob(filepath.Join(folder, "*.md"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if !slices.Contains(words, strings.TrimSuffix(filepath.Base(file), ".md")) {
				t.Errorf("%s belongs to no type of component; remove it", file)
			}
		}
	}
}
