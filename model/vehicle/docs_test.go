package vehicle_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"skidpad/model/component"
	"skidpad/model/formulate"
	"skidpad/model/keys"
	"skidpad/model/subsystem"
	"skidpad/model/vehicle"
)

var update = flag.Bool("update", false, "write the key tables and examples into docs/model-files.md")

const documentation = "../../docs/model-files.md"

func keyTable(b *strings.Builder, prefix string, keys []keys.Key) {
	for _, k := range keys {
		form := k.Shape.String()
		if len(k.Choices) > 0 {
			form = "`" + strings.Join(k.Choices, "`, `") + "`"
		}
		if k.Unit != "" {
			form += " [" + k.Unit + "]"
		}
		needed := "required"
		switch {
		case k.Default != "":
			needed = "`" + k.Default + "`"
		case k.Optional:
			needed = "optional"
		}
		switch {
		case k.Positive:
			form += ", above 0"
		case k.Nonnegative:
			form += ", not negative"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", prefix+k.Name, form, needed, k.Text)
		keyTable(b, prefix+k.Name+".", k.Keys)
	}
}

// blocks are the parts of the documentation that are made from the tables of keys.
func blocks(t *testing.T) map[string]string {
	table := func(keys []keys.Key) string {
		var b strings.Builder
		b.WriteString("| key | form | default | meaning |\n| --- | --- | --- | --- |\n")
		keyTable(&b, "", keys)
		return b.String()
	}
	m := map[string]string{"top": table(vehicle.TopKeys), "use": table(subsystem.UseKeys),
		"subsystem": table(subsystem.FileKeys), "subsystem-parameter": table(subsystem.ParameterKeys),
		"prelude": "```toml\n" + prelude + "```\n"}
	for _, c := range component.Types {
		var b strings.Builder
		fmt.Fprintf(&b, "%s.\n", strings.ToUpper(c.Text[:1])+c.Text[1:])
		for _, v := range example[c.Word] {
			fmt.Fprintf(&b, "\n```toml\n[component.example]\ntype = %q\n%s\n```\n", c.Word, v.text)
		}
		m[c.Word] = b.String() + "\n" + table(c.Keys) + variableTable(t, c.Word)
	}
	return m
}

// variableTable lists what the examples of a component show to the outside,
// from the equations that are formulated for them.
func variableTable(t *testing.T, word string) string {
	var b strings.Builder
	seen := map[string]bool{}
	for _, v := range example[word] {
		m := parse(t, inPrelude(word, v.text))
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
	return "\n| variable | unit | kind | meaning |\n| --- | --- | --- | --- |\n" + b.String()
}

func TestDocumentationHoldsTheTablesOfKeys(t *testing.T) {
	data, err := os.ReadFile(documentation)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for name, want := range blocks(t) {
		begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
		_, after, ok := strings.Cut(text, begin)
		if !ok {
			t.Errorf("docs/model-files.md has no part %q", name)
			continue
		}
		old, _, ok := strings.Cut(after, end)
		if !ok {
			t.Errorf("docs/model-files.md: the part %q does not end", name)
			continue
		}
		if old != want {
			if !*update {
				t.Errorf("docs/model-files.md: the part %q is not what the tables say; run go test ./model/vehicle -run "+
					"Documentation -update", name)
			}
			text = strings.Replace(text, begin+old+end, begin+want+end, 1)
		}
	}
	if *update {
		if err := os.WriteFile(documentation, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
