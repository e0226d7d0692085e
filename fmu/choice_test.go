package fmu_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
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
			p, err := fmu.NewPackage("../resources/models/generic4w.toml", fmu.Choice{Tree: tree}, &fmu.Libraries{}, version,
				fmu.About{})
			if err != nil {
				t.Fatal(err)
			}
			folder := written(t, p)
			description, err := os.ReadFile(filepath.Join(folder, "modelDescription.xml"))
			if err != nil {
				t.Fatal(err)
			}
			if named := strings.Contains(string(description), `; tree tire"`); named != want.named {
				t.Errorf("FMI %d, tree %q: named in the description: %t", version, tree, named)
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
	_, err := fmu.NewPackage("../resources/models/generic4w.toml", fmu.Choice{Tree: "none"}, &fmu.Libraries{}, 3,
		fmu.About{})
	if err == nil || !strings.Contains(err.Error(), `no tree "none"`) {
		t.Errorf("a tree that the model does not have: error %v", err)
	}
}

// An FMU that was packed with reactions publishes the same numbers as the model file loaded with these reactions.
func TestAnFMUHasTheReactionsItWasPackedWith(t *testing.T) {
	const model = "../resources/models/double_pendulum.toml"
	asked := []string{"*_joint in ground", "upper_arm"}
	direct, _, err := fmu.Load(model, "", asked)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"upper_joint.Fz", "lower_joint.Fx", "upper_arm.Mx"}
	for _, version := range []int{2, 3} {
		p, err := fmu.NewPackage(model, fmu.Choice{Reactions: asked}, &fmu.Libraries{}, version, fmu.About{})
		if err != nil {
			t.Fatal(err)
		}
		resources := filepath.Join(written(t, p), "resources")
		system, table, err := fmu.Open(resources, p.Table.Token)
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range valuesOf(t, direct, names) {
			_, found := table.Find(names[i])
			if have := valuesOf(t, system, names)[i]; have != want || have == 0 || !found {
				t.Errorf("FMI %d: %s is %g, want %g; in the description: %t", version, names[i], have, want, found)
			}
		}
		if again, _, err := fmu.Open(resources, p.Table.Token); err != nil || again.Program() != system.Program() {
			t.Errorf("FMI %d: another instance formulates the model again; error %v", version, err)
		}
		if err := os.Remove(filepath.Join(resources, "reactions.txt")); err != nil {
			t.Fatal(err)
		}
		if _, _, err := fmu.Open(resources, p.Table.Token); err == nil || !strings.Contains(err.Error(),
			"do not belong together") {
			t.Errorf("FMI %d, reactions lost: error %v", version, err)
		}
	}
	_, err = fmu.NewPackage(model, fmu.Choice{Reactions: []string{"knee"}}, &fmu.Libraries{}, 3, fmu.About{})
	if err == nil || !strings.Contains(err.Error(), `no joint, arm, rod or contact has that name`) {
		t.Errorf("a joint that the model does not have: error %v", err)
	}
}

// written writes an FMU and unpacks it into a folder.
func written(t *testing.T, p *fmu.Package) (folder string) {
	t.Helper()
	var packed bytes.Buffer
	if err := p.Write(&packed); err != nil {
		t.Fatal(err)
	}
	folder = t.TempDir()
	for name, content := range fmutest.Unpack(t, packed.Bytes()) {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// valuesOf are variables of a new instance at its start.
func valuesOf(t *testing.T, s *cosim.System, names []string) (values []float64) {
	t.Helper()
	instance, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	if err := instance.Initialise(); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		at, found := s.Find(name)
		if !found {
			t.Fatal("no variable " + name)
		}
		x, err := instance.Get(at)
		if err != nil {
			t.Fatal(err)
		}
		values = append(values, x)
	}
	return values
}
