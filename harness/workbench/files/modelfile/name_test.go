package modelfile

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A model whose name is empty is refused with the place of the name.
func TestModelsWithoutAName(t *testing.T) {
	path := filepath.Join(t.TempDir(), "nameless.toml")
	if err := os.WriteFile(path, []byte("title = \"T\"\nname = \"\"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Target(path, ""); err == nil || !strings.Contains(err.Error(), path+":2:8: name is empty") {
		t.Error(err)
	}
}
