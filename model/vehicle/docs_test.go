package vehicle_test

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"skidpad/model/keys"
	"skidpad/model/subsystem"
	"skidpad/model/vehicle"
)

var update = flag.Bool("update", false, "write the key tables and examples into docs/model-files.md")

const documentation = "../../docs/model-files.md"

// keyTable is the table of keys in a page.
func keyTable(keys []keys.Key) string {
	var b strings.Builder
	b.WriteString("| key | form | default | meaning |\n| --- | --- | --- | --- |\n")
	writeKeys(&b, "", keys)
	return b.String()
}

func writeKeys(b *strings.Builder, prefix string, keys []keys.Key) {
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
		writeKeys(b, prefix+k.Name+".", k.Keys)
	}
}

// blocks are the parts of the documentation that are made from the tables of keys.
func blocks() map[string]string {
	m := map[string]string{"top": keyTable(vehicle.TopKeys), "use": keyTable(subsystem.UseKeys),
		"subsystem": keyTable(subsystem.FileKeys), "subsystem-parameter": keyTable(subsystem.ParameterKeys),
		"components": componentTable(), "prelude": "```toml\n" + prelude + "```\n"}
	return m
}

func TestDocumentationHoldsTheTablesOfKeys(t *testing.T) {
	data, err := os.ReadFile(documentation)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for name, want := range blocks() {
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
