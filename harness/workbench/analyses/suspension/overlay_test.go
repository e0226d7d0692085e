package suspension

import (
	"bytes"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/report"
	"skidpad/model/rig"
)

// folderOf writes a short result of the rear axle, with a spring of its own.
func folderOf(t *testing.T, parent, name string, spring float64) string {
	t.Helper()
	folder := filepath.Join(parent, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	r := passengerCar(t, Options{Options: rig.Options{Axle: 2, Set: []rig.Setting{{Name: "rear_spring", Value: spring}}},
		Tests: []string{"bounce", "lateral_parallel"}, Curves: true})
	if err := r.WriteFolder(folder); err != nil {
		t.Fatal(err)
	}
	return folder
}

// Curves are read as they were written; figures stand beside each other with their difference from the reference.
func TestSetupsOverEachOther(t *testing.T) {
	parent := t.TempDir()
	soft, stiff := folderOf(t, parent, "soft", 20e3), folderOf(t, parent, "stiff", 40e3)
	if !IsFolder(soft) || IsFolder(parent) {
		t.Error("folders are not told apart")
	}
	list, err := ReadSetups([]string{soft, stiff}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := passengerCar(t, Options{Options: rig.Options{Axle: 2, Set: []rig.Setting{{Name: "rear_spring", Value: 40e3}}},
		Tests: []string{"bounce"}, Curves: true})
	want, got := curveOf(r.Curves[0]), list[1].curves[0]
	if got.name != "stiff" || got.test != "bounce" || got.unit != "m" || len(got.at) != len(want.at) ||
		len(list[1].curves) != 2 {
		t.Fatalf("%+v", got)
	}
	for key, sides := range want.values {
		for side := range sides {
			for i, x := range sides[side] {
				if y := got.values[key][side][i]; y != x {
					t.Errorf("%s %s %d: %v, not %v", key, rig.Sides[side], i, y, x)
				}
			}
		}
	}
	page := Overlay(list)
	figures := page.Sections[1].Blocks[0].(*report.Table)
	rows := map[string][]string{}
	for _, row := range figures.Rows {
		rows[row[0]+row[1]] = row
	}
	// joints that yield take a part of the difference of the springs, 20 N/mm
	if row := rows["wheel rate"]; len(row) != 6 || row[2] != "N/mm" || row[5] != "+19.9" {
		t.Errorf("%q", row)
	}
	if row := rows["wheel centre forward over travel"]; len(row) != 6 || row[3] != "-0.05" || row[5] != "0" {
		t.Errorf("%q", row)
	}
	var text bytes.Buffer
	if err := page.Write(&text); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Bounce: equal travel", "soft, left", "stiff, right", "compared with soft"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("the page has no %q", want)
		}
	}
}

// Unequal wheels have a row each. A figure missing in one set-up has no difference, and missing in all set-ups no row.
func TestFiguresOfSetups(t *testing.T) {
	number := func(x float64) *float64 { return &x }
	a := Setup{Name: "a", result: setupResult{Figures: []setupFigure{
		{Key: "castor", Unit: "rad", Left: number(degree), Right: number(2 * degree)},
		{Key: "roll_centre", Unit: "m", Value: number(0.1)}, {Key: "trail", Missing: "none"}}}}
	b := Setup{Name: "b", result: setupResult{Figures: []setupFigure{
		{Key: "castor", Unit: "rad", Left: number(2 * degree), Right: number(2 * degree)},
		{Key: "roll_centre", Missing: "none"}, {Key: "anti_dive", Unit: "1", Left: number(0.25), Right: number(0.25)}}}}
	want := [][]string{{"castor", "left", "deg", "1", "2", "+1"}, {"castor", "right", "deg", "2", "2", "0"},
		{"roll centre, kinematic", "", "mm", "100", "-", ""}, {"anti-dive", "", "%", "-", "25", ""}}
	got := compared([]Setup{a, b}).Rows
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for i := range want {
		if strings.Join(got[i], "|") != strings.Join(want[i], "|") {
			t.Errorf("%q, not %q", got[i], want[i])
		}
	}
	if alike([2]float64{1, 1 + 1e-6}) || !alike([2]float64{1, 1 + 1e-10}) || alike([2]float64{math.NaN(), 1}) {
		t.Error("equal wheels are not told apart")
	}
}

func TestFaultySetups(t *testing.T) {
	parent := t.TempDir()
	good := folderOf(t, parent, "good", 20e3)
	table, err := os.ReadFile(filepath.Join(good, "kc.csv"))
	if err != nil {
		t.Fatal(err)
	}
	figures, err := os.ReadFile(filepath.Join(good, "figures.json"))
	if err != nil {
		t.Fatal(err)
	}
	bad := filepath.Join(parent, "bad")
	if err := os.Mkdir(bad, 0o755); err != nil {
		t.Fatal(err)
	}
	first := strings.SplitN(string(table), "\n", 3)
	for _, c := range []struct{ figures, table, says string }{
		{"{", string(table), "figures.json"},
		{"{}", string(table), "no axle or no figures"},
		{string(figures), strings.Replace(string(table), "toe_left [rad]", "toe [rad]", 1), `no column "toe_left [rad]"`},
		{string(figures), strings.Replace(string(table), "at [SI]", "at", 1), `no column "at [SI]"`},
		{string(figures), first[0] + "\nbounce,travel [m],low" + strings.Repeat(",1", strings.Count(first[0], ",")-2) + "\n",
			`line 2, column 19: "low" is not a number`},
		{string(figures), first[0] + "\nbounce,travel [m],1,high" + strings.Repeat(",1", strings.Count(first[0], ",")-3) +
			"\n", `line 2, column 21: "high" is not a number`},
	} {
		for name, text := range map[string]string{"figures.json": c.figures, "kc.csv": c.table} {
			if err := os.WriteFile(filepath.Join(bad, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := ReadSetups([]string{good, bad}, nil); err == nil || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), "skidpad kc --out") {
			t.Errorf("%v does not say %q", err, c.says)
		}
	}
	for says, c := range map[string][2][]string{"1 folder": {{good}, nil}, "3 names": {{good, good}, {"a", "b", "c"}},
		"is empty or taken": {{good, good}, nil}, `name ""`: {{good, good}, {"a", " "}}} {
		if _, err := ReadSetups(c[0], c[1]); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v does not say %q", err, says)
		}
	}
}
