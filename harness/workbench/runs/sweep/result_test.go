package sweep

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// A study of two values of a, with a search over two values of b; one run has failed.
func searching() (*Study, *trace.Table) {
	s := &Study{Variations: []manoeuvre.Variation{{Name: "a", Values: []float64{1, 2}}},
		Search: &manoeuvre.Variation{Name: "b", Values: []float64{10, 20}}}
	s.Published = &Published{values: []float64{3.2, 4}, best: []float64{10, 10}, variations: s.Variations}
	return s, &trace.Table{Columns: []string{"a", "b", "end", "x.last", "x.least", "x.largest"}, Rows: [][]float64{
		{1, 10, 5, 99, -4, 2}, {1, 20, 5, 99, -1, 3},
		{2, 10, 5, 99, 0, 4}, {2, 20, 2.5, 99, 0, 1},
	}}
}

// The least largest magnitude, and where it is; last values and failed runs do not count.
func TestASearchFindsTheLeast(t *testing.T) {
	s, runs := searching()
	table := s.Result(runs, 5)
	if got := strings.Join(table.Columns, " "); got != "a b least published difference_percent published.b" {
		t.Fatal(got)
	}
	want := [][]float64{{1, 20, 3, 3.2, -6.25, 10}, {2, 10, 4, 4, 0, 10}}
	for i, row := range table.Rows {
		for k, x := range row {
			if !(math.Abs(x-want[i][k]) <= 1e-12) {
				t.Errorf("row %d: %g, not %g", i, row, want[i])
				break
			}
		}
	}
	if got := s.Agreement(table); got != "1 of 2 values are within 2 % of those published, 1 within 5 %; the median "+
		"difference is 3.1 %; 1 have the same b" {
		t.Error(got)
	}
	for _, row := range runs.Rows {
		row[2] = 1
	}
	if row := s.Result(runs, 5).Rows[0]; row[0] != 1 || !math.IsNaN(row[1]) || !math.IsNaN(row[2]) {
		t.Errorf("all runs have failed: %g", row)
	}
}

// Values that replace values of the file keep the published results of values common to both.
func TestAPartOfAStudy(t *testing.T) {
	s, runs := searching()
	if err := s.Narrow([]manoeuvre.Variation{{Name: "a", Values: []float64{1.5, 2}}}); err != nil {
		t.Fatal(err)
	}
	runs.Rows[0][0], runs.Rows[1][0] = 1.5, 1.5
	table := s.Result(runs, 5)
	if !math.IsNaN(table.Rows[0][3]) || table.Rows[1][3] != 4 {
		t.Errorf("%g", table.Rows)
	}
	if err := s.Narrow([]manoeuvre.Variation{{Name: "b", Values: []float64{10}}}); err != nil ||
		len(s.Search.Values) != 1 {
		t.Errorf("%v, %v", s.Search, err)
	}
	err := s.Narrow([]manoeuvre.Variation{{Name: "c", Values: []float64{10}}})
	if err == nil || err.Error() != "the study does not vary c; it varies a, b" {
		t.Error(err)
	}
}

// Published values that do not fit the study are faults with their place.
func TestPublishedValuesFitTheStudy(t *testing.T) {
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	study := write("s.toml", `name = "s"
title = "s"
model = "m.toml"
manoeuvre = "n.toml"
record = ["a.b"]
step = 0.01
[[vary]]
variables = ["c"]
values = [1, 2]
[[vary]]
variables = ["d"]
values = [1, 2, 3]
[published]
file = "p.toml"
table = "t"
`)
	for text, want := range map[string]string{
		"[t]\nvalues = [[1, 2, 3], [4, 5, 6]]\n": "",
		"[t]\nvalues = [[1, 2], [4, 5, 6]]\n":    "p.toml:2:11: t.values is a list of 2; the study has 3 values of d",
		"[t]\nvalues = [1, 2]\n":                 "p.toml:2:11: t.values holds 1; it must be a list",
		"[u]\n":                                  `the file lacks the key "t"`,
		"[t]\n":                                  `t lacks the key "values"`,
	} {
		write("p.toml", text)
		s, err := ReadStudy(study)
		if want == "" {
			if err != nil {
				t.Fatal(err)
			}
			if v, _ := s.Published.at([]float64{2, 1}); v != 4 {
				t.Errorf("published for 2, 1: %g", v)
			}
		} else if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; want %s", text, err, want)
		}
	}
}

// The formulas of settle.start may use only variables that the manoeuvre or the study sets. If the settling run fails,
// the run that begins at its end counts as failed.
func TestFailedSettlingFailsTheRun(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manoeuvre.Read(built.Manoeuvre("motorcycle2_equilibrium"))
	if err != nil {
		t.Fatal(err)
	}
	text := `name = "s"
title = "s"
model = "m"
manoeuvre = "n"
record = ["mass_2.z"]
step = 0.001
[[vary]]
variables = ["spring_1.damping"]
values = [50, 1e5]
[settle]
duration = 0.1
keep = ["mass_2.z"]
start = { "mass_2.z" = "START" }
`
	var failures []Failure
	do := func(start string) (*trace.Table, error) {
		study, err := ParseStudy("s.toml", []byte(strings.Replace(text, "START", start, 1)))
		if err != nil {
			t.Fatal(err)
		}
		s := Sweep{Library: library, Model: built.Model("motorcycle2d"), Variations: study.Runs(), Settle: study.Settle,
			Run: drive.Plan{Manoeuvre: m, Step: study.Step, Record: study.Record, Duration: 0.1}}
		table, err := s.Do()
		failures = s.Failures
		return table, err
	}
	if _, err := do("spring_1.free_length"); err == nil || !strings.Contains(err.Error(),
		"settle.start: mass_2.z follows from spring_1.free_length, which neither the manoeuvre nor the study sets") {
		t.Error(err)
	}
	table, err := do("0.3 + spring_1.damping/1e9")
	if err != nil {
		t.Fatal(err)
	}
	if row := table.Rows[0]; row[1] != 0.1 || !(row[3] < 0.36) {
		t.Errorf("a run that has settled: %g", row)
	}
	if row := table.Rows[1]; row[1] != 0 || !math.IsNaN(row[2]) || !math.IsNaN(row[4]) {
		t.Errorf("a run that could not settle: %g", row)
	}
	if len(failures) != 1 || failures[0].Run != 2 || !strings.HasPrefix(failures[0].Reason.Error(), "settling: ") {
		t.Errorf("failures: %v", failures)
	}
}
