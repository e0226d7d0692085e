package fmu_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"skidpad/cosim"
	"skidpad/fmu"
)

// writeResources writes collected resources with a change of the model's text, and returns folder and token.
func writeResources(t *testing.T, r *fmu.Resources, old, changed string) (folder, token string) {
	t.Helper()
	folder = t.TempDir()
	for file, content := range r.Files {
		path := filepath.Join(folder, filepath.FromSlash(file))
		os.MkdirAll(filepath.Dir(path), 0o755)
		if file == fmu.ModelFile {
			content = []byte(strings.Replace(string(content), old, changed, 1))
		}
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	again, err := fmu.Collect(filepath.Join(folder, fmu.ModelFile))
	if err != nil {
		t.Fatal(err)
	}
	return folder, again.Token()
}

func open(t *testing.T, folder, token string) *cosim.System {
	t.Helper()
	system, table, err := fmu.Open(folder, token)
	if err != nil {
		t.Fatal(err)
	}
	if table.Token != token {
		t.Errorf("token %s, want %s", table.Token, token)
	}
	return system
}

// Models of the same content are formulated once, in any folder; files that are named later are taken from the folder
// of the model. A different model, file or tree gives a different system.
func TestVehiclesOfTheSameContentShareTheirEquations(t *testing.T) {
	r, err := fmu.Collect("../resources/models/generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	here, token := writeResources(t, r, "", "")
	there, _ := writeResources(t, r, "", "")
	if err := os.Remove(filepath.Join(there, "tires/pacejka2002.toml")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := fmu.Open(there, token); err == nil {
		t.Error("an FMU opens without a file of its model")
	}
	there, _ = writeResources(t, r, "", "")
	first, second := open(t, here, token), open(t, there, token)
	if first.Program() != second.Program() {
		t.Error("the same model is formulated twice")
	}
	fiala, err := os.ReadFile("../resources/tires/fiala_generic4w.toml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(there, "fiala.toml"), fiala, 0o644); err != nil {
		t.Fatal(err)
	}
	for system, works := range map[*cosim.System]bool{first: false, second: true} {
		in, err := system.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"tire_FL.model": "Fiala", "tire_FL.file": "fiala.toml"} {
			if err := in.SetText(name, text); err != nil {
				t.Fatal(err)
			}
		}
		if err := in.Initialise(); (err == nil) != works {
			t.Errorf("with a parameter file beside the second model alone: error %v", err)
		}
		in.Close()
	}

	other, token := writeResources(t, r, "name = ", "# the same otherwise\nname = ")
	if open(t, other, token).Program() == first.Program() {
		t.Error("another text has the same system")
	}
	r.Files["tires/pacejka2002.toml"] = append(r.Files["tires/pacejka2002.toml"], "\n# another\n"...)
	other, token = writeResources(t, r, "", "")
	if open(t, other, token).Program() == first.Program() {
		t.Error("another parameter file has the same system")
	}
	path := "../resources/models/generic4w.toml"
	whole, _, err := fmu.Load(path, "default", nil)
	if err != nil {
		t.Fatal(err)
	}
	again, _, err := fmu.Load(path, "default", nil)
	if err != nil || again.Program() != whole.Program() {
		t.Errorf("the same file is formulated twice; error %v", err)
	}
	if tree, _, err := fmu.Load(path, "tire", nil); err != nil || tree.Program() == whole.Program() {
		t.Errorf("another tree has the same system; error %v", err)
	}
	variant := filepath.Join(t.TempDir(), "variant.toml")
	write := func(file, text string) {
		if err := os.WriteFile(filepath.Join(filepath.Dir(variant), file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("variant.toml", "base = \"base.toml\"\nname = \"V\"\n")
	masses := map[string]float64{}
	for _, mass := range []string{"1", "2", "1"} {
		write("base.toml", `[component.stone]
type = "point-mass"
mass = `+mass+"\n")
		s, _, err := fmu.Load(variant, "", nil)
		if err != nil {
			t.Fatal(err)
		}
		i, _ := s.Find("stone.mass")
		masses[mass] = s.Variables()[i].Start
	}
	if masses["1"] != 1 || masses["2"] != 2 {
		t.Errorf("with other bases the variant has the masses %v", masses)
	}
	if _, _, err := fmu.Load(path, "oak", nil); err == nil {
		t.Error("a tree that is not there loads")
	}
}

// Threads that open, drive and let go of the same and of other models at once.
func TestModelsAreOpenedByThreadsAtOnce(t *testing.T) {
	var group sync.WaitGroup
	for n := range 8 {
		group.Go(func() {
			for k := range 6 {
				path := "../resources/models/" + []string{"wheel", "disc", "pendulum", "bicycle", "halfcar",
					"tricycle"}[(n/2+k)%6] + ".toml"
				system, table, err := fmu.Load(path, "", nil)
				if err != nil {
					t.Error(err)
					return
				}
				in, err := system.Instantiate()
				if err == nil {
					err = in.Initialise()
				}
				if err == nil {
					err = in.Step(0.001)
				}
				if err != nil || len(table.Variables) != len(system.Variables()) {
					t.Errorf("%s: %v; %d variables in the table, %d in the system", path, err, len(table.Variables),
						len(system.Variables()))
					return
				}
				in.Close()
			}
		})
	}
	group.Wait()
}

// A folder without FMI libraries names the files to build or to install: no registry has the Python package of them.
func TestMissingLibrariesNameTheFileToInstall(t *testing.T) {
	for _, folder := range []string{t.TempDir(), filepath.Join(t.TempDir(), "none")} {
		if _, err := fmu.ReadLibraries(folder); err == nil || !strings.Contains(err.Error(), "./build.sh") ||
			!strings.Contains(err.Error(), "pip install out/skidpad_fmi-*.whl") {
			t.Errorf("%s: %v", folder, err)
		}
	}
}
