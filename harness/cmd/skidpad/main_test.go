package main

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// Tests that load a library start this program once more.
// try runs one command line.
func try(args ...string) (status int, stdout, stderr string) {
	var out, errs strings.Builder
	status = command(context.Background(), args, strings.NewReader(""), &out, &errs)
	return status, out.String(), errs.String()
}

func TestAWrongCommandLineEndsWithStatusTwoAndSaysWhy(t *testing.T) {
	for _, test := range []struct{ line, says string }{
		{"", "Usage: skidpad COMMAND"},
		{"drive", `unknown command "drive"`},
		{"simulate", "expected one MODEL or X.fmu, got none"},
		{"simulate a.toml b.toml --manoeuvre m.toml", `expected one MODEL or X.fmu, got 2: ["a.toml" "b.toml"]`},
		{"simulate a.toml", "--manoeuvre is missing"},
		{"simulate a.toml --speed 3", "-speed"},
		{"simulate a.toml --manoeuvre m.toml --step fast", `"fast"`},
		{"manoeuvre a.toml", "--manoeuvre is missing"},
		{"manoeuvre a.toml --manoeuvre m.toml --let side", "NAME=VALUE"},
		{"manoeuvre a.toml --manoeuvre m.toml --let side=left", "finite number"},
		{"tire", "expected one FUNCTION or TIRE, got none"},
		{"linearize ../../../resources/models/pendulum.toml", "--at is missing"},
		{"linearize a.toml --at speed=0:10", "single value"},
		{"linearize a.toml --at speed=0:10:0.3", "do not lead"},
		{"linearize a.toml --at speed=0:1:0", "do not lead"},
		{"linearize a.toml --at speed=1:NaN:1", "finite"},
		{"linearize a.toml --at speed=1 --plot", "--out"},
		{"linearize ../../../resources/models/skidder.toml --at wheel_FL.omega=1 --transfer steer", "not INPUT:OUTPUT"},
		{"linearize a.toml --at speed=1:3:1 --fmu a.fmu", "--at NAME=VALUE"},
		{"linearize a.toml --at speed=1 --fmu a.fmu --fmi 1", "no FMI 1"},
		{"linearize ../../../resources/models/skidder.toml --at wheel_FL.omega=1 --hold speed", "there is no state"},
		{"linearize ../../../resources/models/skidder.toml --at wheel_FL.omega=1 --free torque", "there is no input"},
		{"manoeuvre ../../../resources/models/generic4w.toml --manoeuvre brake --record body.vx", "there is no --out"},
		{"manoeuvre ../../../resources/models/generic4w.toml --manoeuvre brake --check", "there is no --design"},
		{"tire Fiala --in x.csv", "needs parameters"},
		{"tire rig", "expected one TIRE or LIBRARY, or up to eight, got none"},
		{"tire rig a.tir --side above", "left or right"},
		{"tire rig a.tir --loads 1,x", "not a finite number"},
		{"tire rig a.tir --file b.tir", "a tire file needs none"},
		{"tire rig plugin:a.so#b --pressures 2e5", "for tire files"},
		{"tire rig ../../../resources/tires/fiala_generic4w.toml --pressures 2e5", "no inflation pressure"},
		{"tire rig ../../../resources/tires/fiala_generic4w.toml --loads 2000,1000", "must rise"},
		{"tire rig ../../../resources/tires/fiala_generic4w.toml --radius -1", "above 0"},
		{"run now", "expected no arguments, got 1"},
		{"run --resources", "-resources"},
	} {
		status, stdout, stderr := try(strings.Fields(test.line)...)
		if status != 2 || stdout != "" || !strings.Contains(stderr, test.says) {
			t.Errorf("skidpad %s: status %d, stdout %q, stderr %q; want 2 and %q", test.line, status, stdout, stderr,
				test.says)
		}
	}
}

func TestFailedWorkEndsWithStatusOneAndAReason(t *testing.T) {
	folder := t.TempDir()
	bad := filepath.Join(folder, "bad.toml")
	if err := os.WriteFile(bad, []byte("name = 3\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	resources := filepath.Join("..", "..", "..", "resources")
	good, model := filepath.Join(resources, "manoeuvres", "skidder_sine.toml"),
		filepath.Join(resources, "models", "skidder.toml")
	for _, test := range []struct {
		args []string
		says string
	}{
		{[]string{"simulate", "none.toml", "--manoeuvre", good}, "none.toml"},
		{[]string{"simulate", bad, "--manoeuvre", good}, "bad.toml"},
		{[]string{"simulate", model, "--manoeuvre", filepath.Join(folder, "none.toml")}, "none.toml"},
		{[]string{"simulate", "--manoeuvre", bad, model}, "bad.toml:1:1"},
		{[]string{"simulate", model, "--manoeuvre", good, "--library", filepath.Join(folder, "none.so")}, "--library"},
		{[]string{"simulate", model, "--manoeuvre", good, "--library", bad}, "cannot load the library"},
		{[]string{"manoeuvre", model, "--manoeuvre", good}, "no table [figures]"},
		{[]string{"manoeuvre", model, "--manoeuvre", filepath.Join(resources, "manoeuvres", "brake.toml")},
			"ForestrySkidder lacks roles that brake needs: chassis, axles, steering, throttle, brake. Write [roles] into "},
		{[]string{"tire", "rig", "none.toml"}, "none.toml"},
		{[]string{"tire", "rig", filepath.Join(resources, "tires", "fiala_generic4w.toml"), "--relaxation",
			filepath.Join(resources, "tires", "brush_wheel.toml")}, "relaxes no slip"},
		{[]string{"tire", "none.toml", "--in", bad}, "Pacejka02"},
		{[]string{"tire", bad, "--in", bad}, "bad.toml"},
		{[]string{"run", "--library", filepath.Join(folder, "none.so")}, "none.so"},
	} {
		status, stdout, stderr := try(test.args...)
		if status != 1 || stdout != "" || !strings.Contains(stderr, test.says) {
			t.Errorf("skidpad %q: status %d, stdout %q, stderr %q; want 1 and %q", test.args, status, stdout, stderr,
				test.says)
		}
	}
}

// TestTheTireVerbReturnsTheForcesOfTheFormulas: Fiala below its critical slip
// gives Fx = CS S, and rolling resistance My = -Cr Fz (Morency 2007, equations
// 3.31 to 3.37, Table A.7).
func TestTheTireVerbReturnsTheForcesOfTheFormulas(t *testing.T) {
	folder := t.TempDir()
	in, out := filepath.Join(folder, "in.csv"), filepath.Join(folder, "out.csv")
	if err := os.WriteFile(in, []byte("S,name,Fz,Omega,alpha\n0.01,a,5000,50,0\n-0.02,b,4000,50,0\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join("..", "..", "..", "resources", "tires", "fiala_generic4w.toml")
	if status, _, stderr := try("tire", file, "--in", in, "--out", out); status != 0 {
		t.Fatalf("status %d: %s", status, stderr)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	if len(lines) != 3 || lines[0] != "S,name,Fz,Omega,alpha,Fx,Fy,Mx,My,Mz" {
		t.Fatalf("table\n%s", text)
	}
	for i, want := range [][5]float64{{1150, 0, 0, -50, 0}, {-2300, 0, 0, -40, 0}} {
		cells := strings.Split(lines[i+1], ",")
		for j, x := range want {
			if got, err := strconv.ParseFloat(cells[5+j], 64); err != nil || !(math.Abs(got-x) <= 1e-9) {
				t.Errorf("line %d: %s is %s, want %g", i+1, strings.Split(lines[0], ",")[5+j], cells[5+j], x)
			}
		}
	}
}

func TestABadTableOfTheTireVerbIsNamedByPlace(t *testing.T) {
	file := filepath.Join("..", "..", "..", "resources", "tires", "fiala_generic4w.toml")
	for _, test := range []struct{ table, says string }{
		{"", "no heading line"},
		{"S,alpha,Omega\n", "no column Fz"},
		{"S,alpha,Omega,Fz\n0,0,0,4000\n0,zero,0,4000\n", `in.csv:3:3: alpha is "zero"`},
		{"S,alpha,Omega,Fz\n0,0,0,Inf\n", "in.csv:2:7: Fz"},
		{"S,alpha,Omega,Fz\n0,0,0\n", "line 2"},
	} {
		in := filepath.Join(t.TempDir(), "in.csv")
		if err := os.WriteFile(in, []byte(test.table), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := try("tire", file, "--in", in); status != 1 || !strings.Contains(stderr, test.says) {
			t.Errorf("%q: status %d, %q; want %q", test.table, status, stderr, test.says)
		}
	}
}

// A tire file is the same tire in both forms: TOML to .tir and back is bit-identical, and once written a .tir
// stays as it is. Forces of a tire mounted on the other side are mirrored.
func TestTireFilesAreConverted(t *testing.T) {
	tires := filepath.Join("..", "..", "..", "resources", "tires")
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	run := func(args ...string) string {
		t.Helper()
		status, stdout, stderr := try(append([]string{"tire"}, args...)...)
		if status != 0 {
			t.Fatalf("%v: status %d: %s", args, status, stderr)
		}
		return stdout
	}
	read := func(name string) string {
		t.Helper()
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	run("convert", filepath.Join(tires, "pacejka2002.toml"), path("a.tir"), "--vertical-stiffness", "3.04e5")
	run("convert", path("a.tir"), path("b.tir"))
	if read(path("a.tir")) != read(path("b.tir")) {
		t.Error("a written .tir is written differently again")
	}
	run("convert", path("a.tir"), path("c.toml"))
	run("convert", path("a.tir"), path("right.toml"), "--side", "right")
	table := path("in.csv")
	if err := os.WriteFile(table, []byte("Fz,S,alpha,Omega,gamma,Reff,VCx\n5000,0.01,0.02,60,0.01,0.35,20\n"),
		0o644); err != nil {
		t.Fatal(err)
	}
	want := run(filepath.Join(tires, "pacejka2002.toml"), "--in", table)
	for _, name := range []string{"a.tir", "b.tir", "c.toml"} {
		if got := run(path(name), "--in", table); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	mirrored := run(path("right.toml"), "--in", table)
	if mirrored == want || mirrored != run(path("a.tir"), "--in", table, "--side", "right") {
		t.Errorf("on the right %s, on the left %s", mirrored, want)
	}
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{filepath.Join(tires, "pacejka2002.toml"), path("x.tir")},
			"the vertical stiffness is 0 N/m; it must be positive"},
		{[]string{filepath.Join(tires, "fiala_generic4w.toml"), path("x.tir")},
			"parameters of Fiala cannot be written"},
		{[]string{path("a.tir"), path("x.csv")}, `ends with ".csv"; .toml and .tir can be written`},
		{[]string{path("a.tir"), path("x.tir"), "--side", "right"}, "--side goes with TOML"},
		{[]string{path("a.tir"), path("x.toml"), "--side", "top"}, `"top" for "--side" flag: it must be left or right`},
		{[]string{path("a.tir")}, "expected two files, convert FROM TO or convert FROM --out TO, got 1"},
		{[]string{path("none.tir"), path("x.toml")}, "none.tir"},
	} {
		if status, _, stderr := try(append([]string{"tire", "convert"}, c.args...)...); status == 0 ||
			!strings.Contains(stderr, c.says) {
			t.Errorf("%v: status %d, %q, want %q", c.args, status, stderr, c.says)
		}
	}
}

// The error for a file in SAE axes names the command for its conversion. The conversion changes signs only.
func TestSAETireFilesAreConverted(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "resources", "tires", "pacejka2002.tir"))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := func(name string) string { return filepath.Join(folder, name) }
	write := func(name, text string) {
		if err := os.WriteFile(path(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("sae.tir", strings.Replace(string(data), "PKY1 = -", "PKY1 = ", 1))
	write("slip.csv", "Fz,S,alpha,Omega,gamma,Reff,VCx\n4000,0,0.05,60,0,0.33,20\n")
	status, _, stderr := try("tire", path("sae.tir"), "--in", path("slip.csv"))
	if status == 0 || !strings.Contains(stderr, "skidpad tire convert sae.tir --from sae -o NEW.tir") {
		t.Errorf("the file itself: status %d, %s", status, stderr)
	}
	status, _, stderr = try("tire", "convert", path("sae.tir"), "--from", "sae", "-o", path("iso.tir"))
	if status != 0 || !strings.Contains(stderr, "note: PKY1 > 0: the slip angle is taken as that of adapted SAE axes") {
		t.Fatalf("converted: status %d, %s", status, stderr)
	}
	iso, err := os.ReadFile(path("iso.tir"))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(iso), "\n") - strings.Count(string(data), "\n"); n != 1 ||
		!strings.Contains(string(iso), "PKY1 = -") || !strings.HasPrefix(string(iso), "$ Turned from SAE to ISO axes") {
		t.Errorf("the converted file has %d lines more:\n%.200s", n, iso)
	}
	if status, stdout, stderr := try("tire", path("iso.tir"), "--in", path("slip.csv")); status != 0 ||
		!strings.Contains(stdout, ",-") {
		t.Errorf("evaluated: status %d, %s%s", status, stdout, stderr)
	}
	if status, stdout, _ := try("tire", "convert", path("sae.tir"), "--from=sae", "-o", "-"); status != 0 ||
		stdout != string(iso) {
		t.Errorf("to standard output: status %d, %.100s", status, stdout)
	}
	if status, _, stderr := try("tire", "convert", path("sae.tir"), path("iso.toml"), "--from", "sae"); status != 0 {
		t.Errorf("to TOML: status %d, %s", status, stderr)
	}
	for says, args := range map[string][]string{
		"--from sae converts property files (.tir)":       {path("iso.toml"), path("x.toml"), "--from", "sae"},
		"it must be sae or iso":                           {path("sae.tir"), path("x.tir"), "--from", "din"},
		"name it once":                                    {path("sae.tir"), path("x.tir"), "-o", path("y.tir")},
		"--out are both":                                  {path("sae.tir"), "--from", "sae", "-o", path("sae.tir")},
		"in ISO axes a positive slip angle":               {path("sae.tir"), path("x.tir")},
		"PKY1, whose sign tells the kind of SAE axes, is": {path("none.tir"), path("x.tir"), "--from", "sae"},
	} {
		write("none.tir", "[MODEL]\nFITTYP = 6\n")
		if status, _, stderr := try(append([]string{"tire", "convert"}, args...)...); status == 0 ||
			!strings.Contains(stderr, says) {
			t.Errorf("%v: status %d, %q, want %q", args, status, stderr, says)
		}
	}
}

func TestATireFunctionIsDescribed(t *testing.T) {
	status, stdout, _ := try("tire", "Fiala")
	if status != 0 || !strings.Contains(stdout, "Calpha") || !strings.Contains(stdout, "N/rad") {
		t.Errorf("status %d, %q", status, stdout)
	}
}

// Outputs for the benchmark bicycle: published eigenvalues, a printed point of its Bode plot and the speed range of
// stability (linearised-eom specification, 6.2, 6.5).
func TestLinearize(t *testing.T) {
	testrun.Slow(t)
	resource := filepath.Join("..", "..", "..", "resources", "models", "bicycle_rolling.toml")
	folder := filepath.Join(t.TempDir(), "bicycle")
	status, stdout, stderr := try("linearize", resource, "--at", "speed=1:10:0.5", "--eigen", "--bode",
		"steer.torque:rear_frame.wz", "--frequencies", "0.1:100:4", "--out", folder, "--plot")
	if status != 0 ||
		!strings.Contains(stdout,
			"speed = 4.292383: unstable modes change from 1 oscillatory, 0 real to 0 oscillatory, 0 real\nspeed = "+
				"6.024262: ") {
		t.Fatalf("status %d, %q, %q", status, stdout, stderr)
	}
	for _, file := range []string{"eigenvalues.png", "bode.png", "eigenvalues.svg", "bode.svg"} {
		if info, err := os.Stat(filepath.Join(folder, file)); err != nil || info.Size() < 10_000 {
			t.Errorf("%s: %v", file, err)
		}
	}
	for file, want := range map[string][]float64{
		"eigenvalues.csv": {5, -0.77534188219585, 4.46486771378823, 4.53168829, 0.17109338},
		"bode.csv":        {5, 10, -15.9025, -103.405},
	} {
		text, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for line := range strings.Lines(string(text)) {
			equal := true
			for i, field := range strings.Split(strings.TrimSpace(line), ",") {
				x, err := strconv.ParseFloat(field, 64)
				equal = equal && err == nil && math.Abs(x-want[i]) < 5e-6*math.Abs(want[i])
			}
			found = found || equal
		}
		if !found {
			t.Errorf("%s has no row %v:\n%s", file, want, text)
		}
	}
	if status, stdout, _ := try("linearize", resource, "--at", "speed=6", "--set", "lean=0"); status != 0 ||
		strings.Count(stdout, "\n   ") < 8 || !strings.Contains(stdout, "-16.08537123") {
		t.Errorf("status %d, %s", status, stdout)
	}
	// in independent states: x' of the rolling bicycle is the spin of its wheel by the radius, and y' the speed times
	// the heading
	if status, _, stderr := try("linearize", resource, "--at", "speed=6", "--out", folder); status != 0 {
		t.Errorf("status %d, %s", status, stderr)
	}
	matrix, err := os.ReadFile(filepath.Join(folder, "A.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(matrix), "\n")
	head := strings.Split(lines[0], ",")
	entries := map[string]string{}
	for _, line := range lines[1 : len(lines)-1] {
		fields := strings.Split(line, ",")
		for k := range fields {
			entries[fields[0]+" by "+head[k]] = fields[k]
		}
	}
	radius, err := strconv.ParseFloat(entries["rear_frame.x by wheel_R.omega"], 64)
	if err != nil || math.Abs(radius-0.3) > 1e-12 || entries["rear_frame.y by rear_frame.angle1"] != "6" ||
		entries["rear_frame.y by rear_frame.angle2"] != "0" {
		t.Errorf("A.csv:\n%s", matrix)
	}
	for _, name := range []string{"B", "C", "D"} {
		if _, err := os.Stat(filepath.Join(folder, name+".csv")); err != nil {
			t.Error(err)
		}
	}
	// the model file of the linear equations is a model, and linear about the same motion
	file := filepath.Join(folder, "linear.toml")
	status, stdout, stderr = try("linearize", resource, "--at", "speed=6", "--toml", file)
	if status != 0 || stdout != "" || !strings.Contains(stderr, "front_wheel.wz") {
		t.Errorf("status %d, %s, %s", status, stdout, stderr)
	}
	if status, stdout, stderr := try("linearize", file, "--at", "steer.phi=0"); status != 0 ||
		!strings.Contains(stdout, "-16.08537123") || !strings.Contains(stdout, "wheel_R.omega             20\n") {
		t.Errorf("status %d, %s, %s", status, stdout, stderr)
	}
	disc := filepath.Join(filepath.Dir(resource), "disc.toml")
	if status, _, stderr := try("linearize", disc, "--at", "speed=2"); status != 1 ||
		!strings.Contains(stderr, "speed = 2: ") || !strings.Contains(stderr, "non-spinning carrier") {
		t.Errorf("status %d, %s", status, stderr)
	}
	car := filepath.Join(filepath.Dir(resource), "generic4w.toml")
	status, stdout, stderr = try("linearize", car, "--at", "body.vx=15:25:5", "--free",
		"drive_RL.torque,drive_RR.torque", "--hold", "body.yaw", "--out", folder)
	text, err := os.ReadFile(filepath.Join(folder, "steady.csv"))
	if status != 0 || err != nil || strings.Count(string(text), "\n") != 4 ||
		strings.Count(stdout, "unstable modes") != 0 {
		t.Errorf("status %d, %s%s\n%s, %v", status, stdout, stderr, text, err)
	}
}

// Several models become FMUs with their names, one model becomes the named file; two models with the same file, or one
// file for several models, are rejected.
func TestPackingModels(t *testing.T) {
	testrun.Slow(t)
	folder := t.TempDir()
	libraries := filepath.Join(folder, "fmi", "x86_64-linux")
	if err := os.MkdirAll(libraries, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"skidpad_fmi2.so", "skidpad_fmi3.so", "skidpad-core-0123456789abcdef.so"} {
		if err := os.WriteFile(filepath.Join(libraries, name), []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	models := filepath.Join("..", "..", "..", "resources", "models")
	pendulum, halfcar := filepath.Join(models, "pendulum.toml"), filepath.Join(models, "halfcar.toml")
	out := filepath.Join(folder, "out")
	pack := func(args ...string) (int, string, string) {
		return try(append([]string{"pack", "--binaries", filepath.Dir(libraries)}, args...)...)
	}
	for _, test := range []struct {
		args  []string
		files []string
	}{
		{[]string{pendulum, halfcar, "-o", out, "--fmi", "2"},
			[]string{filepath.Join(out, "Pendulum.fmu"), filepath.Join(out, "HalfCar.fmu")}},
		{[]string{halfcar, "-o", filepath.Join(folder, "single")},
			[]string{filepath.Join(folder, "single", "HalfCar.fmu")}},
		{[]string{halfcar, "-o", filepath.Join(folder, "v1.2")}, []string{filepath.Join(folder, "v1.2", "HalfCar.fmu")}},
		{[]string{halfcar, "-o", filepath.Join(folder, "dotted.folder") + string(filepath.Separator)},
			[]string{filepath.Join(folder, "dotted.folder", "HalfCar.fmu")}},
		{[]string{halfcar, "-o", filepath.Join(folder, "mine.fmu")}, []string{filepath.Join(folder, "mine.fmu")}},
		{[]string{"lane_change", "-o", filepath.Join(folder, "lane.ssp"), "--fmi", "2"},
			[]string{filepath.Join(folder, "lane.ssp")}},
	} {
		if status, stdout, stderr := pack(test.args...); status != 0 {
			t.Errorf("pack %v: status %d, stdout %q, stderr %q", test.args, status, stdout, stderr)
		}
		for _, file := range test.files {
			if _, err := os.Stat(file); err != nil {
				t.Errorf("pack %v: %v", test.args, err)
			}
		}
	}
	for _, test := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{pendulum, halfcar, "-o", filepath.Join(folder, "both.fmu")}, 2, "is one file for 2 models"},
		{[]string{halfcar, pendulum, pendulum, "-o", filepath.Join(folder, "none")}, 1,
			"would both be " + filepath.Join(folder, "none", "Pendulum.fmu")},
		{[]string{halfcar, filepath.Join(models, "none.toml"), "-o", filepath.Join(folder, "none")}, 1,
			"no such file"},
		{[]string{pendulum, "-o", filepath.Join(folder, "car.zip")}, 2, "car.zip ends in .zip; an FMU ends in .fmu, a " +
			"package of a system in .ssp: name " + filepath.Join(folder, "car.fmu") + ", or " +
			filepath.Join(folder, "car.zip") + string(filepath.Separator) + " for a folder"},
		{[]string{pendulum, "-o", filepath.Join(folder, "car.FMU")}, 2, "car.FMU ends in .FMU"},
		{[]string{pendulum}, 2, "-o is missing"},
		{[]string{pendulum, "-o", filepath.Join(folder, "pendulum.ssp")}, 1, `unknown key "tree" in the system file`},
	} {
		if status, stdout, stderr := pack(test.args...); status != test.status || stdout != "" ||
			!strings.Contains(stderr, test.says) {
			t.Errorf("pack %v: status %d, stdout %q, stderr %q; want %d and %q", test.args, status, stdout, stderr,
				test.status, test.says)
		}
	}
	if _, err := os.Stat(filepath.Join(folder, "car.zip")); err == nil {
		t.Error("a folder is called car.zip")
	}
	if left, _ := os.ReadDir(filepath.Join(folder, "none")); len(left) > 0 {
		t.Errorf("%v is written before all models are known to be right", left)
	}
}

// The error of an input begins with the input, even if the results go to a file; an error of writing begins with the
// output file.
func TestErrorsBeginWithTheFaultyFile(t *testing.T) {
	file := filepath.Join("..", "..", "..", "resources", "tires", "fiala_generic4w.toml")
	folder := t.TempDir()
	in, none, out := filepath.Join(folder, "in.csv"), filepath.Join(folder, "none.csv"),
		filepath.Join(folder, "out.csv")
	for text, begins := range map[string]string{
		"Fz,alpha\n1,2\n":               in + ":1: no column",
		"":                              in + ": no heading line",
		"Fz,S,alpha,Omega\n1,2,x,1\n":   in + ":2:5: alpha is \"x\"",
		"Fz,S,alpha,Omega\n1,2,3\n":     in + ": line 2 has 3 fields",
		"Fz,S,alpha,Omega\n\"1,2,3,4\n": in + ": line 2: column",
	} {
		if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if status, _, stderr := try("tire", file, "--in", in, "--out", out); status != 1 ||
			!strings.HasPrefix(stderr, "skidpad tire: "+begins) {
			t.Errorf("%q: status %d, %s, want %s", text, status, stderr, begins)
		}
	}
	if status, _, stderr := try("tire", file, "--in", none, "--out", out); status != 1 ||
		!strings.HasPrefix(stderr, "skidpad tire: open "+none) {
		t.Errorf("no input: status %d, %s", status, stderr)
	}
	if err := os.WriteFile(in, []byte("Fz,S,alpha,Omega\n"+strings.Repeat("3000,0,0.1,1\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := try("tire", file, "--in", in, "--out", "/dev/full"); status != 1 ||
		!strings.HasPrefix(stderr, "skidpad tire: write /dev/full: no space") {
		t.Errorf("a full disk: status %d, %s", status, stderr)
	}
}
