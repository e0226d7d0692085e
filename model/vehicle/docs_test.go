package vehicle_test

import (
	"flag"
	"os"
	"strings"
	"testing"

	"skidpad/model/keys"
	"skidpad/model/subsystem"
	"skidpad/model/vehicle"
)

var update = flag.Bool("update", false, "write the key tables and examples into docs/model-files.md")

const documentation = "../../docs/model-files.md"

// blocks are the parts of the documentation that are made from the tables of keys.
func blocks() map[string]string {
	m := map[string]string{"top": keys.Page(vehicle.TopKeys), "use": keys.Page(subsystem.UseKeys),
		"subsystem": keys.Page(subsystem.FileKeys), "subsystem-parameter": keys.Page(subsystem.ParameterKeys),
		"vector": keys.Page(subsystem.VectorKeys), "subsystem-vector": keys.Page(subsystem.FileVectorKeys),
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
