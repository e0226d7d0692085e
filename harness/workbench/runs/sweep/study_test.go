package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
)

func TestFaultyStudies(t *testing.T) {
	const good = `name = "s"
title = "t"
model = "m.toml"
manoeuvre = "n.toml"
record = ["a.b"]
step = 0.001

[[vary]]
variables = ["c.d", "e.f"]
values = [1, 2]
`
	s, err := ParseStudy("s.toml", []byte(good))
	if err != nil || s.Variations[0].Name != "c.d+e.f" || len(s.Variations[0].Values) != 2 {
		t.Fatalf("%+v, %v", s, err)
	}
	if s, err = ParseStudy("s.toml", []byte("from = 2\n"+good)); err != nil || s.From != 2 || s.Step != 0.001 ||
		s.Model != "m.toml" || s.Manoeuvre != "n.toml" || s.Name != "s" || s.Title != "t" {
		t.Fatalf("%+v, %v", s, err)
	}
	units := strings.NewReplacer("0.001", "\"1 ms\"", "[1, 2]", "[\"1 km/h\", 2]", "[[vary]]",
		`[settle]
duration = "1 min"
keep = ["a"]
start = { "a.z" = "20 mm" }
[[vary]]`).Replace(good)
	if s, err = ParseStudy("s.toml", []byte(units)); err != nil || s.Step != 0.001 || s.Settle.Duration != 60 ||
		s.Variations[0].Values[0] != 1/3.6 || s.Settle.Start["a.z"].Value(nil) != 0.02 {
		t.Fatalf("%+v, %v", s, err)
	}
	if s.Variations[0].Written.Fits("m") == nil || s.Variations[0].Written.Fits("m/s") != nil ||
		s.Settle.written["a.z"].Fits("kg") == nil || s.Settle.written["a.z"].Fits("m") != nil {
		t.Error("units of a study are not kept")
	}
	for _, c := range []struct{ old, new, want string }{
		{"step = 0.001", "step = 0", "6:8: step is 0; it must be above 0"},
		{"values = [1, 2]", "values = []", "needs at least one number"},
		{"variables", "variable", "unknown key \"variable\""},
		{"record = [\"a.b\"]\n", "", `lacks the key "record"`},
		{"values = [1, 2]", "values = [1, nan]", "which is not a finite number"},
		{"[[vary]]", `[settle]
duration = 0
keep = ["a.z"]
[[vary]]`, "9:12: settle.duration is 0; it must be above 0"},
		{"[[vary]]", `[settle]
duration = 1
[[vary]]`, `lacks the key "keep"`},
		{"[[vary]]", `[settle]
duration = 1
keep = ["a.z"]
start = { "a.z" = "1 +" }
[[vary]]`,
			"must be a number or a formula of parameters"},
		{"[[vary]]", `[settle]
duration = 1
keep = ["a.z"]
start = { "a.z" = [] }
[[vary]]`,
			"must be a number or a formula of parameters"},
		{"[[vary]]", `[search]
variables = ["a"]
[[vary]]`, `lacks the key "values"`},
		{"step = 0.001", `step = "1 mm"`, "6:8: step is \"1 mm\": mm is not a unit for what must be in s"},
		{"[1, 2]", "[\"1 mm\", 3, \"2 s\"]", "10:22: vary[0].values is \"2 s\": s is not a unit for what must be in m"},
		{"[1, 2]", "[\"2 mmm\"]", "unit \"mmm\" is not known"},
		{"[[vary]]", `[published]
file = "a"
[[vary]]`, `lacks the key "table"`},
	} {
		if _, err := ParseStudy("s.toml", []byte(strings.Replace(good, c.old, c.new, 1))); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v; want %s", c.new, err, c.want)
		}
	}
}

func FuzzStudy(f *testing.F) {
	fuzzinputs.Add(f, `name = "s"
[[vary]]
variables = ["a"]
values = [1]
`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseStudy("s.toml", []byte(text))
		if err == nil && (len(s.Variations) == 0 || len(s.Record) == 0 || !(s.Step > 0)) {
			t.Errorf("accepted: %+v", s)
		}
	})
}

// Files that a study names are beside it, unless their paths are absolute.
func TestAStudyFindsItsFiles(t *testing.T) {
	folder, elsewhere := t.TempDir(), filepath.Join(t.TempDir(), "car.toml")
	path := filepath.Join(folder, "study.toml")
	text := fmt.Sprintf(`name = "s"
title = "s"
model = %q
manoeuvre = "roll/roll.toml"
record = ["body.ax"]
step = 0.01
[[vary]]
variables = ["body.mass"]
values = [1, 2]
`, elsewhere)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	s, err := ReadStudy(path)
	if err != nil {
		t.Fatal(err)
	}
	if s.Model != elsewhere || s.Manoeuvre != filepath.Join(folder, "roll", "roll.toml") {
		t.Errorf("model %s, manoeuvre %s", s.Model, s.Manoeuvre)
	}
}
