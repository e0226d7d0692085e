package recording

import (
	"bytes"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/roles"
)

// sample has data that are hard to write. One signal is called like the component of another signal (road and road.mu),
// one like the structure meta of MAT-files, one fact like a field of meta. Further data are invalid MATLAB names,
// signed zeros, numbers that are not finite, and text that XML would misread.
func sample() *Recording {
	return recordingOf([]float64{0, 0.1, 0.2},
		[]Fact{{"title", "a <b> & \"c\""}, {"names", "a fact that is called like a field"}}, []signal{
			{"road", "m", "height of <the> road & more", "@wheel[<1L>].z", []float64{1, math.Copysign(0, -1), 3}},
			{"road.mu", "1", "", "@road.mu", []float64{0.1, 0.2, 1.0 / 3}},
			{"time.of[1,2]", "s", "names of other programs", "", []float64{math.NaN(), math.Inf(-1), 5e-324}},
			{"2nd", "", "", "", []float64{1, 2, 3}},
			{"meta", "", "", "", []float64{4, 5, 6}},
		})
}

// signal is a channel with its numbers.
type signal struct {
	name, unit, text, role string
	values                 []float64
}

// recordingOf is a recording of signals.
func recordingOf(time []float64, facts []Fact, signals []signal) *Recording {
	var channels []trace.Channel
	columns := [][]float64{time}
	for _, s := range signals {
		channels = append(channels, trace.Channel{Name: s.name, Unit: s.unit, Text: s.text, Role: s.role})
		columns = append(columns, s.values)
	}
	return &Recording{Trace: trace.Of(channels, columns), Facts: facts}
}

// Every format writes a recording of any content, and the same bytes again.
func TestFormatsAreDeterministic(t *testing.T) {
	for _, f := range formats {
		for _, single := range []bool{false, f.single} {
			var files [2]bytes.Buffer
			for i := range files {
				r := sample()
				r.Single = single
				if err := r.Write("run"+f.ending, &files[i]); err != nil {
					t.Fatalf("%s: %v", f.ending, err)
				}
			}
			if files[0].Len() == 0 || !bytes.Equal(files[0].Bytes(), files[1].Bytes()) {
				t.Errorf("%s: %d and %d bytes, which differ", f.ending, files[0].Len(), files[1].Len())
			}
		}
	}
}

// Parquet keeps all bits, more rows than are written at once, and what is known of the run.
func TestParquetKeepsBits(t *testing.T) {
	const rows = 2*rowsAtOnce + 3
	r := recordingOf(nil, []Fact{{"title", "long"}},
		[]signal{{name: "b", unit: "m"}, {"a.x", "N", "force", "@axle[1].Fx", nil}})
	for n := range rows {
		r.Append(float64(n)/7, []float64{math.Sin(float64(n)), -math.Sin(float64(n))})
	}
	var file bytes.Buffer
	if err := r.Write("x.parquet", &file); err != nil {
		t.Fatal(err)
	}
	opened, err := parquet.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if columns := fmt.Sprint(opened.Schema().Columns()); columns != "[[time] [b] [a.x]]" {
		t.Errorf("the columns are %s; the time comes first, then the signals in their order", columns)
	}
	title, _ := opened.Lookup("title")
	about, _ := opened.Lookup("signals")
	want := `"a.x":{"unit":"N","text":"force","role":"@axle[1].Fx"}`
	if title != "long" || !strings.Contains(about, want) {
		t.Errorf("metadata %q and %s, want %s in it", title, about, want)
	}
	list, err := parquet.Read[struct {
		Time float64 `parquet:"time"`
		X    float64 `parquet:"a.x"`
		B    float64 `parquet:"b"`
	}](bytes.NewReader(file.Bytes()), int64(file.Len()))
	if err != nil || len(list) != rows {
		t.Fatalf("%d rows, %v", len(list), err)
	}
	for n, row := range list {
		if row.Time != r.Time[n] || row.B != r.Values[0][n] || row.X != r.Values[1][n] {
			t.Fatalf("row %d is %+v", n, row)
		}
	}
}

// Names that MATLAB does not allow, or that a structure has already, are told apart.
func TestNamesInMATLAB(t *testing.T) {
	for text, want := range map[string]string{"vx": "vx", "a[1,2]": "a_1_2_", "2nd": "x2nd", "": "x", "_p": "x_p",
		strings.Repeat("n", 80): strings.Repeat("n", 63), "größe": "gr__e"} {
		if got := matName(text); got != want {
			t.Errorf("%q is called %q, want %q", text, got, want)
		}
	}
	root := &branch{}
	road := root.child("road", true)
	below := root.child("road", false)
	again := root.child("road", false)
	if below.name != "road_" || again != root.child("road_", false) || road.name != "road" {
		t.Errorf("a structure beside the signal road is called %q", below.name)
	}
	if second := root.child("road", true); second.name != "road__" {
		t.Errorf("a second signal road is called %q", second.name)
	}
}

// Files that cannot be written are refused before the run.
func TestCheckedBeforeTheRun(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		file   string
		single bool
		want   string // part of the error, "" for none
	}{
		{"run.csv", false, ""}, {"run.CSV.GZ", false, ""}, {"run.parquet", true, ""}, {"run.mat", true, ""},
		{"run.mf4", true, ""}, {"run.json", false, ""}, {"-", false, ""},
		{"run.xlsx", false, ".csv or .csv.gz or .parquet or .mat or .mf4 or .json"},
		{"run.gz", false, ".csv.gz"}, {"run.h5", false, "version 5"}, {"run.csv", true, "single precision"},
		{"-", true, "single precision"}, {"none/run.csv", false, "make the folder first"},
	} {
		file := c.file
		if file != "-" {
			file = filepath.Join(folder, file)
		}
		err := Check(file, c.single)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s, single %v: %v, want %q", c.file, c.single, err, c.want)
		}
	}
}

// Patterns choose names, leave names out, and each must fit one.
func TestPatternsChooseNames(t *testing.T) {
	outputs := []string{"body.vx", "body.vy", "tire_FL.Fz", "tire_RL.Fz", "tire_RL.Fy"}
	locals := []string{"body.heat", "tire_FL.power_in"}
	for patterns, want := range map[string]string{
		"body.v*": "body.vx body.vy", "body.*": "body.vx body.vy body.heat", "*power*": "tire_FL.power_in",
		"tire_?L.Fz": "tire_FL.Fz tire_RL.Fz", "-tire_*": "body.vx body.vy",
		"*,-*.Fz,-*at":   "body.vx body.vy tire_RL.Fy tire_FL.power_in",
		"tire_[A-F]L.F*": "tire_FL.Fz", "-body.*,body.vx": "body.vx",
	} {
		got, err := Choose(strings.Split(patterns, ","), outputs, locals, nil)
		if err != nil || !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s chooses %q (%v), want %s", patterns, got, err, want)
		}
	}
	for patterns, want := range map[string]string{"boby.*": `no output or local variable fits "boby.*"; there are body.vx`,
		"body.[": "is no pattern", "*,-*": "leave no output"} {
		got, err := Choose(strings.Split(patterns, ","), outputs, locals, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want an error with %q", patterns, got, err, want)
		}
	}
	var many []string
	for i := range 20 {
		many = append(many, fmt.Sprint("name", i))
	}
	if _, err := Choose([]string{"x"}, many, nil, nil); err == nil || !strings.Contains(err.Error(), "and 12 more") {
		t.Errorf("%v", err)
	}
}

// Elements of arrays, as FMUs of other tools have them, are chosen by their names; a comma within brackets is theirs.
func TestElementsOfArraysAreChosen(t *testing.T) {
	outputs := []string{"y[1]", "y[2]", "y2", "A[1,1]", "A[1,2]", "A[2,1]"}
	for patterns, want := range map[string]string{
		"y[2]": "y[2]", "A[1,2],y[1]": "y[1] A[1,2]", "*,-A[1,1],-A[2,1]": "y[1] y[2] y2 A[1,2]", "y[2-3]": "y2",
		"A*": "A[1,1] A[1,2] A[2,1]",
	} {
		got, err := Choose(Split(patterns), outputs, nil, nil)
		if err != nil || !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s chooses %q (%v), want %s", patterns, got, err, want)
		}
	}
}

// Sweeps keep the order of the requested names, take inputs by name, and rates of all matching variables.
func TestPatternsInOrder(t *testing.T) {
	outputs := []string{"body.vx", "body.vy", "tire_FL.Fz", "tire_RL.Fz", "tire_RL.Fy"}
	locals := []string{"body.heat"}
	front := &roles.Roles{Chassis: "body"}
	for patterns, want := range map[string]string{
		"tire_*.Fz,body.vx":                  "tire_FL.Fz tire_RL.Fz body.vx",
		"drive.torque,rate(drive.torque)":    "drive.torque rate(drive.torque)",
		"rate(tire_*.Fz), body.v*,body.vx":   "rate(tire_FL.Fz) rate(tire_RL.Fz) body.vx body.vy",
		"-tire_*":                            "body.vx body.vy",
		"body.*,-body.h*,tire_*,-tire_?L.Fz": "body.vx body.vy tire_RL.Fy",
		"body.*,-body.v?,tire_*,-tire_?L.Fz": "body.heat tire_RL.Fy",
		"rate(body.v?),-rate(body.v[y])":     "rate(body.vx)",
		"@chassis.vy,@chassis.v?":            "body.vy body.vx",
		"rate(@chassis.vy)":                  "rate(body.vy)",
	} {
		got, err := ChooseInOrder(strings.Split(patterns, ","), outputs, locals, front)
		if err != nil || !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s chooses %q (%v), want %s", patterns, got, err, want)
		}
	}
	for patterns, want := range map[string]string{"boby.*": `no output or local variable fits "boby.*"`,
		"rate(boby.*)": `no output or local variable fits "boby.*"`, "body.vx,-boby": `fits "boby"`,
		"*,-*": "leave no output", "@wheel[1L].Fz": "@wheel"} {
		got, err := ChooseInOrder(strings.Split(patterns, ","), outputs, locals, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v, want an error with %q", patterns, got, err, want)
		}
	}
}
