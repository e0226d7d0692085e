package fmu_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/fmu"
	"skidpad/fmu/fmutest"
)

// An FMU keeps the tree that pack was given. The description names this tree unless it is the first one.
func TestAnFMUHasTheTreeItWasPackedWith(t *testing.T) {
	for _, version := range []int{2, 3} {
		tokens := map[string]bool{}
		for tree, want := range map[string]struct {
			states int
			named  bool
		}{"": {36, false}, "default": {36, false}, "tire": {68, true}} {
			p, err := fmu.NewPackage("../resources/models/generic4w.toml", tree, &fmu.Libraries{}, version, fmu.About{})
			if err != nil {
				t.Fatal(err)
			}
			var packed bytes.Buffer
			if err := p.Write(&packed); err != nil {
				t.Fatal(err)
			}
			files, folder := fmutest.Unpack(t, packed.Bytes()), t.TempDir()
			description := string(files["modelDescription.xml"])
			if named := strings.Contains(description, `; tree tire"`); named != want.named {
				t.Errorf("FMI %d, tree %q: named in the description: %t", version, tree, named)
			}
			for name, content := range files {
				path := filepath.Join(folder, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, content, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			resources := filepath.Join(folder, "resources")
			system, table, err := fmu.Open(resources, p.Table.Token)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(system.Program().States); got != want.states || table.Tree != p.Table.Tree {
				t.Errorf("FMI %d, tree %q: %d states instead of %d, tree %q in the table", version, tree, got, want.states,
					table.Tree)
			}
			tokens[p.Table.Token] = true
			if !want.named {
				continue
			}
			if err := os.WriteFile(filepath.Join(resources, "tree.txt"), []byte("default"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, _, err := fmu.Open(resources, p.Table.Token); err == nil ||
				!strings.Contains(err.Error(), "do not belong together") {
				t.Errorf("FMI %d, another tree in the resources: error %v", version, err)
			}
		}
		if len(tokens) != 2 {
			t.Errorf("FMI %d: %d different tokens of two trees", version, len(tokens))
		}
	}
	_, err := fmu.NewPackage("../resources/models/generic4w.toml", "none", &fmu.Libraries{}, 3, fmu.About{})
	if err == nil || !strings.Contains(err.Error(), `no tree "none"`) {
		t.Errorf("a tree that the model does not have: error %v", err)
	}
}
