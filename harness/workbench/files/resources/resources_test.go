package resources

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// filesIn makes files in a fresh folder and goes to a place in it.
func filesIn(t *testing.T, at string, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, at), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir(filepath.Join(root, at))
	return root
}

// TestNameMatchesOneFile: in the folder or above it. A path of a file is taken as a path, whatever names there are.
func TestNameMatchesOneFile(t *testing.T) {
	root := filesIn(t, "work/deep", map[string]string{
		"resources/models/car.toml":           "title = \"A car\"\n",
		"resources/models/truck.toml":         "",
		"work/resources/models/bus.toml":      "",
		"work/resources/models/van.toml":      "",
		"work/deep/resources/models/van.toml": "title = \"Another\"\n",
		"work/deep/resources/models/bus.toml": "", // a copy
		"resources/models/ship.toml":          "",
		"resources/models/notes.txt":          "",
		"resources/models/old.toml/x":         "",
		"resources/tires/size_22.5.tir":       "$ A tire\n",
		"resources/tires/two.tir":             "",
		"resources/tires/two.toml":            "#",
		"work/deep/truck":                     "", // a path
		"work/deep/ship/run_1.csv":            "", // a folder of results
		"work/deep/boat/run_1.csv":            "",
		"work/deep/sub/car":                   "",
	})
	for _, test := range []struct {
		kind Kind
		word string
		path string // from the root; "" for an error
		says string
	}{
		{Models, "car", "resources/models/car.toml", ""},
		{Models, "bus", "work/deep/resources/models/bus.toml", ""},
		{Models, "ship", "resources/models/ship.toml", ""},
		{Models, "truck", "work/deep/truck", ""},
		{Tires, "size_22.5", "resources/tires/size_22.5.tir", ""},
		{Models, "car.toml", "work/deep/car.toml", ""}, // a path of nothing, which its reader reports
		{Models, "sub/cat", "work/deep/sub/cat", ""},
		{Models, "boat", "work/deep/boat", ""}, // which is no model, as its reader reports
		{Models, "van", "", `"van" is the name of 2 models: `},
		{Tires, "two", "", `"two" is the name of 2 tires: `},
		{Models, "cart", "", `there is no file and no model "cart"; did you mean "car"? skidpad list models shows`},
		{Models, "xxxxxxxxxxxx", "", `no model "xxxxxxxxxxxx"; skidpad list models`},
		{Models, "notes", "", `no model "notes"`},
		{Models, "old", "", `no model "old"`},
		{Roads, "hill", "", `no road "hill"; skidpad list roads`},
	} {
		path, err := test.kind.Find(test.word)
		if test.path == "" {
			if err == nil || !strings.Contains(err.Error(), test.says) {
				t.Errorf("%s: %q, error %v, want %q", test.word, path, err, test.says)
			}
			continue
		}
		absolute, wrong := filepath.Abs(path)
		if err != nil || wrong != nil || absolute != filepath.Join(root, test.path) {
			t.Errorf("%s is %s, %v, want %s", test.word, absolute, err, test.path)
		}
	}
	if path, err := Models.Find(""); path != "" || err != nil {
		t.Errorf("nothing is %q, %v", path, err)
	}
}

// TestListsHaveTitles: the key of a TOML file, the first comment of another; each file once, by name.
func TestListsHaveTitles(t *testing.T) {
	filesIn(t, "", map[string]string{
		"resources/models/b.toml":   "title = \"Second\"\n",
		"resources/models/a.toml":   "no TOML",
		"resources/tires/t.tir":     "$ A tire\r\n$ more",
		"resources/roads/grid.asc":  "ncols 3\n",
		"resources/roads/c.crg":     "$CT ! A course\n",
		"resources/tracks/road.crg": "$ROAD_CRG ! 1\n",
		"resources/roads/step.csv":  "# A kerb.\nx,z\n",
		"resources/roads/empty.rdf": "",
	})
	for _, test := range []struct {
		kind Kind
		want []Entry
	}{
		{Models, []Entry{{"a", "", "resources/models/a.toml"}, {"b", "Second", "resources/models/b.toml"}}},
		{Manoeuvres, []Entry{}},
		{Tires, []Entry{{"t", "A tire", "resources/tires/t.tir"}}},
		{Tracks, []Entry{{"road", "", "resources/tracks/road.crg"}}},
		{Roads, []Entry{{"c", "A course", "resources/roads/c.crg"}, {"empty", "", "resources/roads/empty.rdf"},
			{"grid", "", "resources/roads/grid.asc"}, {"step", "A kerb.", "resources/roads/step.csv"}}},
	} {
		got := test.kind.List()
		all := len(got)
		got = slices.DeleteFunc(got, func(e Entry) bool { return strings.HasPrefix(e.Path, "skidpad:/") })
		if len(got) == all {
			t.Errorf("%s: no shipped file", test.kind.Name)
		}
		for i := range got {
			got[i].Path = filepath.ToSlash(got[i].Path)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", test.kind.Name, got, test.want)
		}
	}
}

// Shipped files are found where there is no folder of resources; a file of the same name in such a folder comes first.
func TestShippedFilesAreFoundInAnyFolder(t *testing.T) {
	filesIn(t, "", map[string]string{"resources/models/passenger_car.toml": "title = \"My own\"\n"})
	for _, c := range []struct {
		kind       Kind
		name, path string
	}{
		{Models, "passenger_car", filepath.Join("resources", "models", "passenger_car.toml")},
		{Models, "generic4w", "skidpad:/models/generic4w.toml"},
		{Manoeuvres, "step_steer", "skidpad:/manoeuvres/step_steer.toml"},
		{Tires, "mf61_205_60R15", "skidpad:/tires/mf61_205_60R15.tir"},
		{Subsystems, "corner_strut", "skidpad:/subsystems/corner_strut.toml"},
		{Roads, "winding", "skidpad:/roads/winding.crg"},
	} {
		path, err := c.kind.Find(c.name)
		if err != nil || path != c.path {
			t.Errorf("%s: %q, %v; want %q", c.name, path, err, c.path)
			continue
		}
		if data, err := c.kind.Read(path); err != nil || len(data) == 0 {
			t.Errorf("%s: %v", path, err)
		}
	}
	if names := Models.Names(); len(names) < 30 {
		t.Errorf("%d names", len(names))
	}
}
