package main

import (
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// relaxationFile writes parameters for the example, which reads NAME = VALUE, and for ConstantLength, which reads TOML.
func relaxationFile(t *testing.T, lines string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "lengths.toml")
	text := "function = \"ConstantLength\"\n[parameters]\nBlong = 0.31\nBlat = 0.57\n" + lines
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// relax mounts a relaxation function on tires.
func (d *driven) relax(function, file string, corners ...string) {
	d.Helper()
	for _, corner := range corners {
		d.text("tire_"+corner+".relaxation.model", function)
		d.text("tire_"+corner+".relaxation.file", file)
	}
}

var everywhere = []string{"FL", "FR", "RL", "RR"}

// TestLibraryRelaxationIsBitIdenticalToBuiltIn: with delayed slip, and with carcasses, which use only the lengths; with
// a tire of another kind, and with forces of a library.
func TestLibraryRelaxationIsBitIdenticalToBuiltIn(t *testing.T) {
	testrun.Slow(t)
	folder, file := tires(t), relaxationFile(t, "")
	library := "plugin:" + filepath.Join(folder, "relaxation.so") + "#skidpad_relaxation"
	for model, functions := range map[string][]string{"generic4w_carcass": {"Pacejka02"},
		"generic4w": {"Pacejka02", "plugin:" + filepath.Join(folder, "fiala.so") + "#skidpad_fiala"}} {
		for _, forces := range functions {
			for _, relaxed := range [][]string{everywhere, {"RL"}} {
				var runs [2][]float64
				for i, function := range []string{"ConstantLength", library} {
					d := drive(t, model, "rk4")
					if forces != "Pacejka02" {
						d.fit(forces, fialaFile)
					}
					d.relax(function, file, relaxed...)
					if err := d.Initialise(); err != nil {
						t.Fatal(err)
					}
					runs[i] = d.swerve()
				}
				if !slices.Equal(runs[0], runs[1]) {
					t.Errorf("%s, %s, %v: the library moves the vehicle differently", model, forces, relaxed)
				}
			}
		}
	}
}

// TestRelaxationLengthMayDependOnSpeed: the slip angle of a wheel follows a step over the relaxation length at this
// speed, and derivatives include the dependence of the length on the speed.
func TestRelaxationLengthMayDependOnSpeed(t *testing.T) {
	library := "plugin:" + filepath.Join(tires(t), "relaxation.so") + "#skidpad_relaxation"
	file := relaxationFile(t, "growth = 0.05\n")
	for _, model := range []string{"generic4w", "generic4w_carcass"} {
		d := drive(t, model, "rk4")
		d.relax(library, file, everywhere...)
		if err := d.Initialise(); err != nil {
			t.Fatal(err)
		}
		d.set("steer_FL.angle", 0.01)
		d.set("steer_FR.angle", 0.01)
		const h = 1e-4
		if err := d.Step(h); err != nil {
			t.Fatal(err)
		}
		// before anything else moves: dq2/dt = -v 0.01/sigma
		speed, long := d.value("body.vx"), 0.57*(1+0.05*d.value("body.vx"))
		want := -math.Tan(0.01) * (1 - math.Exp(-speed*h/long))
		if got := d.value("tire_FL.q2"); !(math.Abs(got-want) <= 0.01*math.Abs(want)) {
			t.Errorf("%s: the slip after %g s is %g, want %g", model, h, got, want)
		}
		state := map[string]string{"generic4w": "tire_FL.q2", "generic4w_carcass": "tire_FL.p2"}[model]
		for range 100 {
			if err := d.Step(1e-3); err != nil {
				t.Fatal(err)
			}
		}
		d.matchesDifferences("der("+state+")", "body.vx", "body.vy", "body.wz", state)
	}
}

func (d *driven) value(name string) float64 {
	d.Helper()
	i, ok := d.System().Find(name)
	if !ok {
		d.Fatalf("no variable %s", name)
	}
	v, err := d.Get(i)
	if err != nil {
		d.Fatal(err)
	}
	return v
}

// matchesDifferences compares derivatives of a rate by states with differences of its values.
func (d *driven) matchesDifferences(rate string, states ...string) {
	d.Helper()
	at := func(name string) int {
		i, ok := d.System().Find(name)
		if !ok {
			d.Fatalf("no variable %s", name)
		}
		return i
	}
	for _, name := range states {
		var exact [1]float64
		if err := d.Directional([]int{at(rate)}, []int{at(name)}, []float64{1}, exact[:]); err != nil {
			d.Fatal(err)
		}
		k, x, h, difference := d.System().Variables()[at(name)].State, d.value(name), 1e-4, 0.0
		for _, side := range []float64{1, -1, 0} {
			if err := d.SetState(k, x+side*h); err != nil {
				d.Fatal(err)
			}
			difference += side * d.value(rate) / (2 * h)
		}
		if !(math.Abs(exact[0]-difference) <= 1e-4*math.Abs(difference)+1e-5) {
			d.Errorf("%s by %s is %.9g, by differences %.9g", rate, name, exact[0], difference)
		}
	}
}

// TestFaultyRelaxationsAreReported: at the start, or in the first evaluation.
func TestFaultyRelaxationsAreReported(t *testing.T) {
	bad := badRelaxations(t)
	good := "plugin:" + filepath.Join(tires(t), "relaxation.so") + "#skidpad_relaxation"
	for _, c := range []struct{ model, function, says string }{
		{"generic4w", "#nan_of_rate", "nan_of_rate: q2dot = NaN; results must be finite"},
		{"generic4w", "#huge_of_rate", "q1dot = 2e+09; rates of slips in 1/s and lengths in m must be between"},
		{"generic4w", "#negative_length", "sigma2 = -0.3; a relaxation length in m is not negative"},
		{"generic4w", "#writes_behind", "writes_behind: evaluate wrote outside of the 2 numbers"},
		{"generic4w", "#of_three", "of_three returns q1dot, q2dot, q3dot, sigma1, sigma2; here q1dot, q2dot are needed"},
		{"generic4w", "#of_another_order", `its outputs are ["q2dot" "q1dot"]`},
		{"generic4w", "#of_one_length", "then sigma1, sigma2 or not"},
		{"generic4w", "#of_forces", `its outputs are ["Fx" "q1dot"]`},
		{"generic4w", "#of_a_missing_name", "the name of output 1 is NULL"},
		{"generic4w", "#of_one_rate", "it has 1 outputs; a relaxation function has 2 to 5"},
		{"generic4w", "#of_six", "it has 6 outputs"},
		{"generic4w", "#of_no_names", "output_count is 2 and outputs is NULL"},
		{"generic4w", "#with_a_state", "it has 1 states; a relaxation function has none"},
		{"generic4w", "#of_the_size_before", "returns Fx, Fy, Mx, My, Mz; here q1dot, q2dot are needed"},
		{"generic4w", "#nowhere", "exports no function nowhere"},
		{"generic4w", good, "set tire_XX.relaxation.file"},
		{"generic4w_carcass", "#fine", `sigma1 and sigma2, which slip.method = "carcass" needs`},
		{"generic4w_carcass", "#no_length", "sigma2 = 0 m at a load of 4850 N and 20 m/s; a length is above 0"},
		{"generic4w_carcass", "#negative_length", "sigma2 = -0.3"},
		{"generic4w_carcass", "#length_by_slip", "sigma2 of the relaxation function length_by_slip depends on the slip"},
	} {
		function := c.function
		if function[0] == '#' {
			function = "plugin:" + bad + function
		}
		d := drive(t, c.model, "rk4")
		d.relax(function, "", "FL")
		if err := d.Initialise(); err == nil || !strings.Contains(err.Error(), c.says) ||
			!strings.HasPrefix(err.Error(), "tire_FL") {
			t.Errorf("%s, %s: %v; want the tire and %q", c.model, c.function, err, c.says)
			continue
		}
		d.relax("StretchedString", "../tires/stretched_string.toml", "FL") // and nothing is lost
		if err := d.Initialise(); err != nil {
			t.Errorf("%s: afterwards %v", c.function, err)
		}
	}
	d := drive(t, "generic4w", "rk4")
	d.text("tire_FL.model", "plugin:"+bad+"#fine")
	if err := d.Initialise(); err == nil || !strings.Contains(err.Error(), "fine returns q1dot, q2dot; here Fx") {
		t.Error(err)
	}
}

// TestACrashOfARelaxationNamesTheLibrary as one of forces does.
func TestACrashOfARelaxationNamesTheLibrary(t *testing.T) {
	if bad := os.Getenv("SKIDPAD_TEST_CRASH"); bad != "" {
		if err := settle(); err != nil {
			t.Fatal(err)
		}
		d := drive(t, "generic4w", "heun")
		d.relax("plugin:"+bad+"#crash", "", "FR")
		_ = d.Initialise()
		os.Exit(0)
	}
	again := exec.Command(os.Args[0], "-test.run", "^TestACrashOfARelaxationNamesTheLibrary$")
	again.Env = append(os.Environ(), "SKIDPAD_TEST_CRASH="+badRelaxations(t))
	report, err := again.CombinedOutput()
	if err == nil || !strings.Contains(string(report), "skidpad: a crash in the function crash of the library ") {
		t.Errorf("%v: %.600s", err, report)
	}
}

// badRelaxations returns the library of faulty relaxation functions.
func badRelaxations(t *testing.T) string {
	t.Helper()
	path := built.Compiled(t, "bad_relaxations.so", "cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared",
		"-I.", "testdata/bad_relaxations.c")
	if err := settle(); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestASavedRelaxationOfALibraryIsRestored, where the process has named the library before.
func TestASavedRelaxationOfALibraryIsRestored(t *testing.T) {
	library := "plugin:" + filepath.Join(tires(t), "relaxation.so") + "#skidpad_relaxation"
	d := drive(t, "generic4w", "rk4")
	d.relax(library, relaxationFile(t, "growth = 0.1\n"), everywhere...)
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	d.swerve()
	state := make([]byte, d.StateSize())
	if err := d.Save(state); err != nil {
		t.Fatal(err)
	}
	other := drive(t, "generic4w", "euler")
	if err := other.Restore(state); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.swerve(), other.swerve()) {
		t.Error("the restored vehicle moves differently")
	}
	named := func(file string) bool { return strings.HasSuffix(file, "lengths.toml") }
	if files := d.TextFiles(); !slices.ContainsFunc(files, named) {
		t.Errorf("files of texts: %q", files)
	}
}
