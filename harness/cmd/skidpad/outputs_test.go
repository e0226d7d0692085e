package main

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/recording"
	"skidpad/harness/workbench/results/trace"
)

// shippedFile is the path of a file of resources.
func shippedFile(parts ...string) string {
	return filepath.Join(append([]string{"..", "..", "..", "resources"}, parts...)...)
}

// A style that does not exist is refused before the work.
func TestStylesOfPlots(t *testing.T) {
	for _, args := range [][]string{{"sweep", "none.toml", "--manoeuvre", "none.toml", "--param", "a=1,2"},
		{"simulate", "none.toml", "--manoeuvre", "none.toml"}} {
		status, _, stderr := try(append(args, "--plot", filepath.Join(t.TempDir(), "x.svg"), "--plot-style", "poster")...)
		if status != 2 || !strings.Contains(stderr, "--plot-style") || !strings.Contains(stderr, "screen, paper") {
			t.Errorf("%s: status %d, %s", args[0], status, stderr)
		}
	}
}

// What a model file hardly means is printed once, beside the work.
func TestWarningsOfModelsArePrintedOnce(t *testing.T) {
	base, err := filepath.Abs(shippedFile("models", "pendulum.toml"))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "up.toml")
	text := "base = '" + base + `'
name = "Up"
title = "Up"
gravity = [0, 0, 9.81]
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"equations", file}, {"generate", file, "--target", "c", "--out", t.TempDir()}} {
		status, stdout, stderr := try(args...)
		if status != 0 || strings.Count(stderr, "warning: "+file+":4:18: gravity points up") != 1 ||
			strings.Contains(stdout, "warning") {
			t.Errorf("%s: status %d, %s", args[0], status, stderr)
		}
	}
}

// Implausible values of --set are printed once by each command that sets them; plausible values are not printed.
func TestWarningsOfSettingsArePrintedOnce(t *testing.T) {
	file := filepath.Join(t.TempDir(), "arm.toml")
	const text = `name = "Arm"
[parameters]
tilt = { value = 0.1, unit = "rad" }
[component.body]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.joint]
type = "revolute"
from = "ground"
to = "pivot"
axis = "y"
[component.arm]
type = "rigid-arm"
from = "pivot"
to = "body"
translation = [0, 0, -1]
angles = [0, "tilt", 0]
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	manoeuvre := filepath.Join(t.TempDir(), "hang.toml")
	hang := `name = "hang"
title = "Hang"
models = ["Arm"]
duration = 0.01
step = 0.01
`
	if err := os.WriteFile(manoeuvre, []byte(hang), 0o644); err != nil {
		t.Fatal(err)
	}
	out, library := filepath.Join(t.TempDir(), "x.csv"), built.Library(t)
	for _, args := range [][]string{
		{"simulate", file, "--manoeuvre", manoeuvre, "--out", out}, {"manoeuvre", file, "--manoeuvre", manoeuvre},
		{"sweep", file, "--manoeuvre", manoeuvre, "--param", "arm.translation_z=-1,-2", "--out", out},
		{"linearize", file, "--at", "body.mass=1"}, {"trim", file},
	} {
		for _, c := range []struct {
			set   string
			times int
		}{{"tilt=5", 1}, {"tilt=0.2", 0}, {"tilt=5 deg", 0}} {
			_, _, stderr := try(append(args, "--set", c.set, "--library", library)...)
			if strings.Count(stderr, "arm.angles[1] is 5 rad") != c.times ||
				strings.Count(stderr, "warning: with what is set: "+file) != c.times {
				t.Errorf("%s --set %s: %s; want %d warnings", args[0], c.set, stderr, c.times)
			}
		}
	}
	_, _, stderr := try("linearize", file, "--at", "body.mass=1", "--set", "body.inertia_xx=9")
	if !strings.Contains(stderr, "a model file with these numbers is refused: "+file) {
		t.Errorf("an inertia that no body has: %s", stderr)
	}
	for set, warned := range map[string]bool{"tire_FL.LMUY=90": true, "tire_FL.LMUY=0.9": false,
		"tire_FL.LONGVL=90": false, "tire_FL.LFZO=-11": true} {
		var said strings.Builder
		name, value, _ := strings.Cut(set, "=")
		warnOfSet(file, settings{{Name: name, Value: value}}, &said)
		if strings.Contains(said.String(), "a scaling factor of a tire is about 1") != warned {
			t.Errorf("%s: %s", set, said.String())
		}
	}
}

// Two runs without corridors are not compared, and a page of nothing is not written.
func TestRunsAreComparedByCorridors(t *testing.T) {
	file, out := filepath.Join(t.TempDir(), "run.csv"), filepath.Join(t.TempDir(), "x.html")
	if err := os.WriteFile(file, []byte("time,x\n0,1\n1,2\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := try("compare", file, file, "--out", out)
	if _, err := os.Stat(out); status != 2 || !strings.Contains(stderr, file+" is a file") ||
		!strings.Contains(stderr, "--by") || err == nil {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// A result file that cannot be written is rejected before the work: none of these commands reads its other files.
func TestOutputsAreCheckedBeforeTheWork(t *testing.T) {
	folder := t.TempDir()
	missing, file := filepath.Join(folder, "missing"), filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	sweep := []string{"sweep", "none.toml", "--manoeuvre", "none.toml", "--param", "a=1,2"}
	simulate := []string{"simulate", "none.toml", "--manoeuvre", "none.toml"}
	for _, c := range []struct {
		args   []string
		flag   string
		ending string
	}{
		{simulate, "--out", ".csv"}, {simulate, "--out", ".csv.gz"}, {simulate, "--out", ".mf4"},
		{simulate, "--inputs", ".csv"}, {simulate, "--plot", ".png"}, {simulate, "--plot", ".svg"},
		{sweep, "--out", ".csv"}, {sweep, "--out", ".parquet"}, {sweep, "--plot", ".pdf"},
		{[]string{"animate", "none.csv", "--model", "none.toml"}, "--out", ".html"},
		{[]string{"draw", "none.toml"}, "--out", ".svg"},
		{[]string{"compare", "none.csv", "none.csv"}, "--out", ".html"},
		{[]string{"report", "none.a", "none.b"}, "--out", ".html"},
		{[]string{"equations", "none.toml", "--export", "casadi"}, "--out", ".py"},
		{[]string{"equations", "none.toml", "--export", "matlab"}, "--out", ".m"},
		{[]string{"tire", shippedFile("tires", "fiala_generic4w.toml"), "--in", "none.csv"}, "--out", ".csv"},
	} {
		for path, says := range map[string]string{
			filepath.Join(missing, "x"+c.ending): "make the folder first",
			filepath.Join(file, "x"+c.ending):    "cannot be written",
			filepath.Join(folder, "x.xlsx"):      c.ending,
			filepath.Join(folder, "x"):           c.ending,
			folder:                               "is a folder",
		} {
			status, _, stderr := try(append(slices.Clone(c.args), c.flag, path)...)
			if status != 2 || !strings.Contains(stderr, c.flag+" "+path) || !strings.Contains(stderr, says) {
				t.Errorf("%s %s %s: status %d, %s", c.args[0], c.flag, path, status, stderr)
			}
		}
		good := append(slices.Clone(c.args), c.flag, filepath.Join(folder, "x"+strings.ToUpper(c.ending)))
		if status, _, stderr := try(good...); status != 1 || !strings.Contains(stderr, "none.") {
			t.Errorf("%q: status %d, %s; want that there is no such input", good, status, stderr)
		}
	}
	if _, err := os.Stat(missing); err == nil {
		t.Error("the missing folder has been made")
	}
	for _, args := range [][]string{
		{"manoeuvre", shippedFile("models", "generic4w.toml"), "--manoeuvre", "none.toml", "--out"},
		{"run", "--resources", "none", "--out"},
		{"linearize", shippedFile("models", "bicycle_rolling.toml"), "--tree", "none", "--at", "speed=5", "--out"},
		{"reference", "--resources", "none", "--out"},
		{"pack", "none.toml", "-o"},
		{"tire", "rig", shippedFile("tires", "fiala_generic4w.toml"), "--library", "none.so", "--out"},
	} {
		if status, _, stderr := try(append(args, file)...); status != 1 || !strings.Contains(stderr, "cannot be made") {
			t.Errorf("%q into a file: status %d, %s", args, status, stderr)
		}
	}
}

// Files whose folder is a file, and folders that are called like a file, are refused before the work, too.
func TestFoldersOfOutputsAreMadeBeforeTheWork(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(folder, "x.fmu"), 0o755); err != nil {
		t.Fatal(err)
	}
	linearize := []string{"linearize", shippedFile("models", "bicycle_rolling.toml"), "--tree", "none", "--at", "speed=5"}
	for _, test := range []struct {
		args []string
		says string
	}{
		{append(linearize, "--toml", filepath.Join(file, "x.toml")), "cannot be made"},
		{append(linearize, "--fmu", filepath.Join(file, "x.fmu")), "cannot be made"},
		{[]string{"pack", "none.toml", "-o", filepath.Join(file, "x.fmu")}, "cannot be made"},
		{[]string{"pack", "none.toml", "-o", filepath.Join(folder, "x.fmu")}, "is a folder"},
		{[]string{"tire", "convert", "none.tir", filepath.Join(file, "x.toml")}, "cannot be made"},
	} {
		if status, _, stderr := try(test.args...); status != failed || !strings.Contains(stderr, test.says) {
			t.Errorf("%q: status %d, %s", test.args, status, stderr)
		}
	}
}

// rows reads a CSV file.
func rows(t *testing.T, file string) [][]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	all, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A failed run leaves its recorded rows, with status 1 and a message that names the file.
func TestFailedRunLeavesItsRecordedRows(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	out, inputs := w.path("failed.csv"), w.path("inputs.csv")
	stiff := []string{"--set", "solver.end_at=none",
		"--set", "spring_FL.damping=1e6", "--set", "solver.step=0.01", "--method", "euler"}
	args := []string{"simulate", shippedFile("models", "generic4w.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "generic4w_braking.toml"), "--step", "0.01",
		"--out", out, "--inputs", inputs, "--plot", w.path("failed.png")}
	status, _, stderr := try(slices.Concat(args, stiff, core(t))...)
	if status != 1 || !strings.Contains(stderr, "step from ") ||
		!strings.Contains(stderr, out+" has what was recorded") {
		t.Errorf("status %d, %s", status, stderr)
	}
	recorded := rows(t, out)
	last, err := strconv.ParseFloat(recorded[len(recorded)-1][0], 64)
	if err != nil || !strings.Contains(stderr, "step from "+strconv.FormatFloat(last, 'g', 6, 64)+" s") ||
		len(rows(t, inputs)) != len(recorded) {
		t.Errorf("%d rows up to %g s, %d of inputs; %s", len(recorded), last, len(rows(t, inputs)), stderr)
	}
	if _, err := os.Stat(w.path("failed.png")); err != nil {
		t.Error(err)
	}
	status, stdout, stderr := try(slices.Concat(args[:4], []string{"--step", "0.01"}, stiff, core(t))...)
	if status != 1 || strings.Count(stdout, "\n") != len(recorded) ||
		!strings.Contains(stderr, "standard output has what was recorded") {
		t.Errorf("to standard output: status %d, %d lines, %s", status, strings.Count(stdout, "\n"), stderr)
	}
	folder := w.path("figures")
	// the vehicle's own stops end the run before the step that fails
	otherStop := `[[stop]]
verdict = "late"
when = { formula = "time", above = 1e9 }
`
	status, _, stderr = try(slices.Concat([]string{"manoeuvre", shippedFile("models", "generic4w.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "brake.toml"), "--out", folder, "--full",
		"--car", w.file("mine.toml", otherStop), "--set", "solver.end_at=none",
		"--set", "spring_FL.damping=1e9", "--method", "euler"}, core(t))...)
	if status != 1 || !strings.Contains(stderr, "run 1: step from ") ||
		!strings.Contains(stderr, folder+" has what was recorded") {
		t.Errorf("manoeuvre: status %d, %s", status, stderr)
	}
	if len(rows(t, filepath.Join(folder, "run_1.csv"))) < 2 {
		t.Error("no row of the manoeuvre")
	}
}

// The runs of each vehicle of a design are files as those of the vehicle alone, with what --record names.
func TestRunsOfDesignsEqualRunsOfVehicles(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	common := append([]string{"manoeuvre", shippedFile("models", "generic4w.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "brake.toml"), "--record", "susp_F?.s,@wheel[1L].q1"}, core(t)...)
	design := w.file("design.csv", "body.mass\n2000\n-1\n2300\n")
	for _, more := range [][]string{
		{"--out", w.path("alone"), "--set", "body.mass=2300"}, {"--out", w.path("all"), "--design", design},
	} {
		if status, _, stderr := try(slices.Concat(common, more)...); status != 0 {
			t.Fatal(stderr)
		}
	}
	alone, err := recording.Read(filepath.Join(w.path("alone"), "run_1.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := recording.Read(filepath.Join(w.path("all"), "2", "run_1.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(alone.Channels, vehicle.Channels) || !slices.Equal(alone.Time, vehicle.Time) ||
		!alone.Has("susp_FR.s") || !alone.Has("tire_FL.q1") {
		t.Fatalf("recorded are %q alone, %q in a design", alone.Names(), vehicle.Names())
	}
	for i, values := range alone.Values {
		if !slices.Equal(values, vehicle.Values[i]) {
			t.Errorf("%s differs", alone.Channels[i].Name)
		}
	}
	if files, _ := filepath.Glob(filepath.Join(w.path("all"), "*", "*")); len(files) != 2 {
		t.Errorf("the design has written %q; row 1 cannot be run", files)
	}
	for _, bad := range []struct {
		want string
		more []string
	}{
		{"no output or local variable fits \"nothing\"", []string{"--record", "nothing", "--out", w.path("none")}},
		{"no --out", nil},
	} {
		if status, _, stderr := try(slices.Concat(common, bad.more)...); status == 0 ||
			!strings.Contains(stderr, bad.want) {
			t.Errorf("status %d, %s; want %s", status, stderr, bad.want)
		}
	}
	blocked := w.file("file", "")
	if status, _, stderr := try(slices.Concat(common, []string{"--out", blocked, "--design", design})...); status == 0 {
		t.Errorf("runs are written into a file: %s", stderr)
	}
}

// Files that a command reads, or writes twice, are refused as its results before the work.
func TestResultsDoNotReplaceEachOther(t *testing.T) {
	w := newWorkshop(t)
	model := w.file("car.toml", "name = \"Car\"\n")
	same := w.path("x.svg")
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{"expand", model, "--out", w.path("..") + "/" + filepath.Base(w.folder) + "/car.toml"},
			"the model and --out are both"},
		{[]string{"simulate", "generic4w", "--manoeuvre", "brake", "--out", w.path("x.csv"), "--inputs", w.path("x.csv")},
			"--out and --inputs are both"},
		{[]string{"sweep", "generic4w", "--manoeuvre", "brake", "--param", "body.mass=1,2", "--set", "body.mass=1"},
			"body.mass is set and varied"},
	} {
		if status, _, stderr := try(c.args...); status != 2 || !strings.Contains(stderr, c.says) {
			t.Errorf("%q: status %d, %s, want %s", c.args, status, stderr, c.says)
		}
	}
	if text, _ := os.ReadFile(model); string(text) != "name = \"Car\"\n" {
		t.Errorf("the model is now %s", text)
	}
	if checkDistinct([2]string{"a", ""}, [2]string{"b", ""}, [2]string{"c", "-"}, [2]string{"d", "-"}) != nil ||
		checkDistinct([2]string{"a", same}, [2]string{"b", w.path("y.svg")}) != nil {
		t.Error("files that differ are refused")
	}
}

// Where a plot has nothing to show, the results are there all the same.
func TestAPlotOfNothingKeepsTheResults(t *testing.T) {
	w := newWorkshop(t)
	out := w.path("x.csv")
	status, _, stderr := try(append([]string{"simulate", shippedFile("models", "generic4w.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "brake.toml"), "--duration", "0.01", "--record", "body.ax", "--out", out, "--plot",
		w.path("x.png")}, core(t)...)...)
	if status != 1 || !strings.Contains(stderr, "--plot "+w.path("x.png")+": nothing is recorded that this plot shows") ||
		len(rows(t, out)) < 2 {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// A folder holds the runs of its last evaluation, and other files as they were.
func TestRunsOfAnEvaluationBeforeGo(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	folder := w.path("runs")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	// two of a run, and what only looks like runs
	for _, name := range []string{"run_7.csv", "inputs_7.csv", "run_2.parquet", "run_5.csv", "inputs_3.csv",
		"run_7.txt", "notes.csv"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	evaluated := append([]string{"manoeuvre", shippedFile("models", "generic4w.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "brake.toml"), "--out", folder}, core(t)...)
	const others = " inputs_3.csv run_2.parquet run_5.csv run_7.txt"
	for want, more := range map[string][]string{"run_1.parquet": nil, "inputs_1.csv run_1.csv": {"--full"}} {
		if status, _, stderr := try(slices.Concat(evaluated, more)...); status != 0 {
			t.Fatal(stderr)
		}
		var files []string
		entries, err := os.ReadDir(folder)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if strings.Contains(e.Name(), "_") {
				files = append(files, e.Name())
			}
		}
		all := strings.Fields(want + others)
		if slices.Sort(all); !slices.Equal(files, all) {
			t.Errorf("%q: the folder has %s", more, files)
		}
		if _, err := os.Stat(filepath.Join(folder, "notes.csv")); err != nil {
			t.Error(err)
		}
	}
}

// The folder of a lane change is small enough to be sent by mail: below 3 MB with its report.
func TestALaneChangeIsASmallFolder(t *testing.T) {
	testrun.OnlyAll(t)
	w := newWorkshop(t)
	if status, _, stderr := try(append([]string{"manoeuvre", shippedFile("models", "passenger_car.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "double_lane_change.toml"), "--out", w.path("lane")}, core(t)...)...); status != 0 {
		t.Fatal(stderr)
	}
	files, err := os.ReadDir(w.path("lane"))
	if err != nil {
		t.Fatal(err)
	}
	size, runs := int64(0), 0
	for _, file := range files {
		info, err := file.Info()
		if err != nil {
			t.Fatal(err)
		}
		if size += info.Size(); filepath.Ext(file.Name()) == ".parquet" {
			runs++
		}
	}
	if size > 3_000_000 || runs == 0 {
		t.Errorf("%d bytes, %d runs", size, runs)
	}
}

// Runs of a manoeuvre are files with a row each 10 ms. Their outputs and inputs equal the results of --full, except for
// the filter and for rounding to single precision.
func TestRunsOfManoeuvresHaveARowEachTenMilliseconds(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	common := append([]string{"manoeuvre", shippedFile("models", "generic4w.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "brake.toml"), "--out"}, core(t)...)
	for _, more := range [][]string{{w.path("short")}, {w.path("whole"), "--full"}} {
		at := slices.Index(common, "--out") + 1
		if status, _, stderr := try(slices.Insert(slices.Clone(common), at, more...)...); status != 0 {
			t.Fatal(stderr)
		}
	}
	run, err := recording.Read(filepath.Join(w.path("short"), "run_1.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(w.path("short"), "run_1.csv")); err == nil {
		t.Error("a run is written twice")
	}
	var all [2]*trace.Trace
	for i, name := range []string{"run_1.csv", "inputs_1.csv"} {
		if all[i], err = recording.Read(filepath.Join(w.path("whole"), name)); err != nil {
			t.Fatal(err)
		}
	}
	for k, at := range run.Time {
		if math.Abs(at-0.01*float64(k)) > 1e-9 {
			t.Fatalf("row %d is at %g s", k, at)
		}
	}
	if last := all[0].Time[len(all[0].Time)-1]; run.Time[len(run.Time)-1] < last-0.01 {
		t.Errorf("rows end at %g s, the run at %g s", run.Time[len(run.Time)-1], last)
	}
	for name, from := range map[string]*trace.Trace{"body.vx": all[0], "body.x": all[0],
		all[1].Channels[0].Name: all[1]} {
		largest := 0.0
		for _, x := range from.Column(name) {
			largest = max(largest, math.Abs(x))
		}
		for k, at := range run.Time {
			if got, want := run.Column(name)[k], from.At(name, at); !(math.Abs(got-want) <= 0.05*largest) {
				t.Fatalf("%s at %g s: %g, all rows have %g", name, at, got, want)
			}
		}
	}
}

// A manoeuvre with constants from a prerun has the same run in simulate as in manoeuvre, to the last bit; without the
// prerun it has the constants of its file. A sweep, with a different prerun for every vehicle, asks for the constant.
func TestTheRunBeforeIsMade(t *testing.T) {
	testrun.OnlyAll(t)
	w := newWorkshop(t)
	folder, out := w.path("figures"), w.path("run.csv")
	common := append([]string{shippedFile("models", "generic4w.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "step_steer.toml"), "--let", "side=1"}, core(t)...)
	if status, _, stderr := try(slices.Concat([]string{"manoeuvre"}, common,
		[]string{"--out", folder, "--full"})...); status != 0 {
		t.Fatal(stderr)
	}
	run := func(more ...string) (stderr string) {
		status, _, stderr := try(slices.Concat([]string{"simulate"}, common, []string{"--out", out}, more)...)
		if status != 0 {
			t.Fatal(stderr)
		}
		return stderr
	}
	same := func() bool {
		got, want := rows(t, out), rows(t, filepath.Join(folder, "run_1.csv"))
		if len(got) != len(want) || !slices.Contains(got[0], "body.ay") || !slices.Contains(want[0], "body.ay") {
			return false
		}
		for k, name := range want[0] {
			from := slices.Index(got[0], name)
			for n := range want {
				if from >= 0 && got[n][from] != want[n][k] {
					return false
				}
			}
		}
		return true
	}
	if stderr := run(); !strings.Contains(stderr, "delta = ") ||
		!strings.Contains(stderr, "circle_speed.toml before") || !same() {
		t.Errorf("not the run of skidpad manoeuvre; %s", stderr)
	}
	constants := func() string { // of a file with facts
		text, err := os.ReadFile(out)
		var r struct {
			Facts map[string]string `json:"facts"`
		}
		if err := errors.Join(err, json.Unmarshal(text, &r)); err != nil {
			t.Fatal(err)
		}
		return r.Facts["constants"]
	}
	out = w.path("run.json")
	run("--record", "body.ay", "--duration", "0.1")
	if got := constants(); !regexp.MustCompile(`(?m)^delta=0\.\d+, from the run of .*circle_speed\.toml before$`).
		MatchString(got) || !strings.Contains(got, "side=1, from --let\n") || !strings.Contains(got, "lateral=4\n") {
		t.Errorf("facts of the constants: %s", got)
	}
	run("--record", "body.ay", "--duration", "0.1", "--no-prerun")
	if got := constants(); !strings.Contains(got, "delta=0.") || strings.Contains(got, "before") {
		t.Errorf("facts of the constants without the run before: %s", got)
	}
	out = w.path("run.csv")
	if stderr := run("--no-prerun"); strings.Contains(stderr, "before") || same() {
		t.Errorf("without the run before: %s", stderr)
	}
	sweep := slices.Concat([]string{"sweep"}, common,
		[]string{"--param", "body.mass=1900,2000", "--record", "body.ay", "--duration", "0.1", "--out",
			w.path("sweep.csv")})
	if status, _, stderr := try(sweep...); status != 2 || !strings.Contains(stderr, "--no-prerun") ||
		!strings.Contains(stderr, "--let delta=VALUE") {
		t.Errorf("sweep: status %d, %s", status, stderr)
	}
	for _, more := range [][]string{{"--no-prerun"}, {"--let", "delta=0.1"}} {
		if status, _, stderr := try(append(slices.Clone(sweep), more...)...); status != 0 {
			t.Errorf("sweep with %q: %s", more, stderr)
		}
	}
}

// The times of steps are reported with missed deadlines where there are deadlines.
func TestOnlyPacedRunsHaveDeadlines(t *testing.T) {
	w := newWorkshop(t)
	args := append([]string{"simulate", shippedFile("models", "generic4w.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "generic4w_sine.toml"), "--duration", "0.01", "--out", w.path("run.csv")}, core(t)...)
	for _, paced := range []bool{false, true} {
		status, _, stderr := try(append(slices.Clone(args), "--paced="+strconv.FormatBool(paced))...)
		if status != 0 || strings.Contains(stderr, "deadline") != paced {
			t.Errorf("paced %v: status %d, %s", paced, status, stderr)
		}
	}
}

// A car file may be anywhere. Its roles take precedence over the vehicle's roles, and false removes a role.
func TestACarFileMayBeAnywhere(t *testing.T) {
	w := newWorkshop(t)
	args := append([]string{"simulate", shippedFile("models", "generic4w.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "brake.toml"), "--duration", "0.01", "--out", w.path("run.csv")}, core(t)...)
	with := func(text string) (int, string) {
		car := w.file("mine.toml", text)
		status, _, stderr := try(append(slices.Clone(args), "--car", car)...)
		return status, stderr
	}
	if status, stderr := with("[roles]\nundersteer = 0.002\n"); status != 0 {
		t.Error(stderr)
	}
	if status, stderr := with("[roles]\nchassis = \"hull\"\n"); status != 1 || !strings.Contains(stderr, `"hull.v`) {
		t.Errorf("another chassis: status %d, %s", status, stderr)
	}
	if status, stderr := with(`[roles]
throttle = false
brake = false
`); status != 1 || !strings.Contains(stderr,
		"GenericVehicle lacks roles that brake needs: throttle, brake. Write them into [roles] of "+w.path("mine.toml")+
			", such as throttle = { input = \"engine.throttle\" }, brake = { input = \"brakes.torque\" }") {
		t.Errorf("roles that are taken out: status %d, %s", status, stderr)
	}
	if status, stderr := with(`models = ["Other"]`); status != 1 ||
		!strings.Contains(stderr, `mine.toml does not list the model "GenericVehicle" (listed: Other)`) {
		t.Errorf("of another model: status %d, %s", status, stderr)
	}
	own := []string{"simulate", shippedFile("models", "generic4w.toml"), "--manoeuvre",
		shippedFile("manoeuvres", "generic4w_sine.toml"), "--out", w.path("run.csv"), "--car", w.path("mine.toml")}
	if status, _, stderr := try(append(own, core(t)...)...); status != 1 ||
		!strings.Contains(stderr, "takes no car file") {
		t.Errorf("a manoeuvre with models: status %d, %s", status, stderr)
	}
}

// Commands that fail leave no folder behind that they made themselves and wrote nothing into.
func TestFailedCommandsLeaveNoEmptyFolder(t *testing.T) {
	folder := t.TempDir()
	own := filepath.Join(folder, "own")
	if err := os.Mkdir(own, 0o755); err != nil {
		t.Fatal(err)
	}
	model, steer := shippedFile("models", "pendulum.toml"), shippedFile("manoeuvres", "step_steer.toml")
	for _, out := range []string{filepath.Join(folder, "results", "steer"), own} {
		for _, args := range [][]string{
			{"manoeuvre", model, "--manoeuvre", steer, "--out", out},
			{"manoeuvre", model, "--manoeuvre", steer, "--out", out, "--design", "none.csv"},
			{"run", "--library", "none.so", "--out", out},
			{"pack", "none.toml", "-o", filepath.Join(out, "x.fmu")},
			{"pack", "none.toml", "-o", out},
			{"reference", "--resources", "none", "--out", out},
		} {
			status, stdout, stderr := try(args...)
			if status == 0 {
				t.Errorf("%v: %s%s", args, stdout, stderr)
			}
			if list, err := os.ReadDir(folder); err != nil || len(list) != 1 {
				t.Errorf("%v leaves %v, %v", args, list, err)
			}
			if list, err := os.ReadDir(own); err != nil || len(list) != 0 {
				t.Errorf("%v leaves %v in a folder of the user, %v", args, list, err)
			}
		}
	}
}

// Quantities that leave their limits in a run are reported at the end of commands, with time, value, limit and remedy.
// They are also in figures.json, the report, recorded runs and the column of sweeps, even if they have returned. A run
// within the limits has no such report.
func TestWarningsOfRunsReachTheirReaders(t *testing.T) {
	testrun.Slow(t)
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	fall := `name = "fall"
title = "Fall"
models = ["PassengerCar"]
duration = 3.0
step = 0.01
[start]
"body.z" = %s
`
	high, low := write("high.toml", strings.Replace(fall, "%s", "1.615", 1)),
		write("low.toml", strings.Replace(fall, "%s", "0.62", 1))
	spring := write("spring.toml", `name = "Sp"
[solver]
method = "rk4"
step = 0.001
[component.m]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
start = { position = [0, 0, 1] }
[component.s]
type = "spring-damper"
from = "ground"
to = "m"
stiffness = 10
free_length = 1
length_min = 0.9
`)
	drop := write("drop.toml", `name = "drop"
title = "Drop"
models = ["Sp"]
duration = 0.3
step = 0.001
`)
	long := write("long.toml", `name = "drop"
title = "Drop"
models = ["Sp"]
duration = 0.1
step = 0.001
`)
	for _, c := range []struct {
		args []string
		want []string // nil for none
	}{
		{[]string{"simulate", "passenger_car", "--manoeuvre", high}, []string{
			// after a free fall of 1 m, which takes 0.45 s
			"fall: warning: tire_FL: Fz of 29", "above 9000 N, outside of the range of the tire's parameters; first at 0.44",
			"times in all", "take parameters that were measured over this range",
			"fall: warning: tire_FR: deflection of 0.14", "above 0.05643 m, deeper than the tire is"}},
		{[]string{"simulate", "passenger_car", "--manoeuvre", low}, nil},
		{[]string{"simulate", spring, "--manoeuvre", drop}, []string{
			"drop: warning: s: length of 0.59068 m at 0.3 s, below 0.9 m, beyond the limit of the spring; first at 0.145 s"}},
		{[]string{"simulate", spring, "--manoeuvre", long}, nil},
		{[]string{"sweep", "passenger_car", "--manoeuvre", low, "--param", "body.z=0.62,1.2", "--record", "body.z"},
			[]string{"run 2: warning: tire_FL: Fz of 22"}},
	} {
		status, stdout, stderr := try(append(c.args, core(t)...)...)
		has := strings.Contains(stderr, "outside of the range") || strings.Contains(stderr, "beyond the limit")
		if status != 0 || has != (c.want != nil) {
			t.Errorf("%q: status %d, %s", c.args, status, stderr)
		}
		for _, want := range c.want {
			if !strings.Contains(stderr, want) {
				t.Errorf("%q: %s\nlacks %q", c.args, stderr, want)
			}
		}
		if c.args[0] != "sweep" {
			continue
		}
		lines := strings.Split(strings.TrimSpace(stdout), "\n")
		if len(lines) != 3 || !strings.HasSuffix(lines[0], ",warnings") || !strings.HasSuffix(lines[1], ",0") ||
			strings.HasSuffix(lines[2], ",0") {
			t.Errorf("the table of the sweep is %q", lines)
		}
	}
	out := filepath.Join(folder, "dwell")
	status, _, stderr := try(append([]string{"manoeuvre", "passenger_car", "--manoeuvre", "sine_with_dwell", "--let",
		"amplitude=6.5", "--out", out}, core(t)...)...)
	if status != 0 || !strings.Contains(stderr, "run 1: warning: tire_") || !strings.Contains(stderr, ": alpha of ") {
		t.Fatalf("status %d, %s", status, stderr)
	}
	var found struct {
		Runs []struct {
			Warnings []struct {
				Rule, Subject, Quantity, Text string
				High, Worst                   *float64
				First, When                   float64
			}
		}
	}
	data, err := os.ReadFile(filepath.Join(out, "figures.json"))
	if err == nil {
		err = json.Unmarshal(data, &found)
	}
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, run := range found.Runs {
		for _, w := range run.Warnings {
			if w.Rule == "range" && w.Quantity == "alpha" && *w.High == 0.5 && math.Abs(*w.Worst) > 0.5 && w.First <= w.When {
				seen++
			}
		}
	}
	if seen == 0 || !strings.Contains(string(page), "outside of the range of the tire") {
		t.Errorf("figures.json has %d slip angles outside of their range; the report has %t", seen,
			strings.Contains(string(page), "outside of the range of the tire"))
	}
}
