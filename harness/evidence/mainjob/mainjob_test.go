package mainjob

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"skidpad/harness/evidence/statements"
	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// TestEveryStatementOfTheSourceHolds does the main job through the delivered library: G1 to G13 and S1 to S9, with RK4
// and with the linearly implicit solver. ./build.sh does so, too, and shows it.
func TestEveryStatementOfTheSourceHolds(t *testing.T) {
	t.Parallel()
	testrun.OnlyAll(t)
	const times = 2 // that each statement is checked
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	var report bytes.Buffer
	out := t.TempDir()
	var models []string
	for _, s := range slices.Concat(statements.Morency, statements.OwnSolver) {
		models = append(models, s.Model)
	}
	job := Job{
		FMUs: built.FMUs(t, models...), Library: library, Tires: filepath.Join(built.Tires(t), "fiala.so"),
		Resources: built.Path("resources"), Out: out, Paced: 0.05,
	}
	result, err := job.Do()
	if err != nil {
		t.Fatal(err)
	}
	if err := result.Print(&report); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	var data struct {
		Pass         bool
		Runs, Checks []map[string]any
	}
	if err := result.WriteJSON(&text); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text.Bytes(), &data); err != nil || data.Pass != (result.Failed() == 0) ||
		len(data.Runs) != len(result.Runs) || len(data.Checks) != len(result.Checks) ||
		data.Checks[0]["statement"] != result.Checks[0].Statement || data.Runs[0]["median"] == 0.0 {
		t.Errorf("%v: %.500s", err, text.String())
	}
	if result.Failed() > 0 {
		t.Error(report.String())
	}
	names := []string{"G1 ", "G2 ", "G3 ", "G4 ", "G5 ", "G6 ", "G7 ", "G8 ", "G9 ", "G10 ", "G11 ", "G12 ",
		"G13 ",
		"B1 ", "B2 ", "B3 ", "S1 ", "S2 ", "S3 ", "S4 ", "S5 ", "S6 ", "S7 ", "S8 ", "S9 "}
	if testrun.All() {
		names = append(names, "N7 ", "N8 ", "N9 ")
	}
	for _, name := range names {
		if n := bytes.Count(report.Bytes(), []byte("pass "+name)); n < times {
			t.Errorf("%s is checked %d times, want %d or more", name, n, times)
		}
	}
	for _, s := range statements.OwnSolver { // every statement, once
		if !bytes.Contains(report.Bytes(), []byte("\n"+s.Manoeuvre+", "+s.Method+"\n  pass ")) {
			t.Errorf("%s is not checked", s.Manoeuvre)
		}
	}
	for _, s := range statements.Morency {
		for _, method := range methods {
			for _, ending := range []string{".csv", ".png"} {
				if info, err := os.Stat(filepath.Join(out, s.Manoeuvre+"_"+method+ending)); err != nil ||
					info.Size() < 10_000 {
					t.Errorf("%s_%s%s: %v", s.Manoeuvre, method, ending, err)
				}
			}
		}
	}
}
