package library_test

import (
	"fmt"
	"hash/crc32"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

// standIn is testdata/standin.c, compiled with further flags of the compiler.
func standIn(t *testing.T, flags ...string) string {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX C compiler")
	}
	name := fmt.Sprintf("libstandin-%x.so", crc32.ChecksumIEEE([]byte(strings.Join(flags, " "))))
	return built.Compiled(t, name, "cc", append([]string{"-shared", "-fPIC", "-Wall", "-Werror", "-I" + built.Path("capi"),
		built.Path("harness", "testdata", "standin.c")}, flags...)...)
}

func loadStandIn(t *testing.T) *library.Vehicle {
	t.Helper()
	library, err := library.Open(standIn(t))
	if err != nil {
		t.Fatal(err)
	}
	vehicle, err := library.Load("good", "")
	if err != nil {
		t.Fatal(err)
	}
	return vehicle
}

func TestALibraryOfAnotherVersionIsRefused(t *testing.T) {
	_, err := library.Open(standIn(t, "-DSTANDIN_VERSION=(SKIDPAD_ABI_VERSION+1000)"))
	if err == nil || !strings.Contains(err.Error(), "has interface version 10") {
		t.Errorf("error %v", err)
	}
}

func TestInvalidLibraryIsRejected(t *testing.T) {
	_, err := library.Open(standIn(t, "-Dskidpad_restore=another_name"))
	if err == nil || !strings.Contains(err.Error(), "skidpad_restore") {
		t.Errorf("error %v does not name the missing function", err)
	}
	text := filepath.Join(t.TempDir(), "libtext.so")
	if err := os.WriteFile(text, []byte("no library"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := library.Open(text); err == nil || !strings.Contains(err.Error(), "libtext.so") {
		t.Errorf("error %v", err)
	}
}

func TestMessagesOfTheLibraryArrive(t *testing.T) {
	loaded, err := library.Open(standIn(t))
	if err != nil {
		t.Fatal(err)
	}
	if loaded.Version != "stand-in" {
		t.Errorf("version %q", loaded.Version)
	}
	if _, err := loaded.Load("bad.toml", "oak"); err == nil ||
		err.Error() != "bad.toml:1:1: no such thing as tree oak" {
		t.Errorf("error of a bad model: %v", err)
	}
	v, err := loaded.Load("good", "")
	if err != nil {
		t.Fatal(err)
	}
	torque, err := v.Find("brake.torque")
	if want := (library.Variable{Name: "brake.torque", Unit: "N.m", Reference: 103, Causality: library.Input,
		Start: 0.75}); err != nil || torque != want {
		t.Errorf("variable %+v, %v; want %+v", torque, err, want)
	}
	if _, err := v.References("brake.torque", "brake.colour"); err == nil ||
		!strings.Contains(err.Error(), "brake.colour") {
		t.Errorf("error of an unknown name: %v", err)
	}
	if err := v.Step(0.1); err == nil || err.Error() != "not initialised" {
		t.Errorf("error of an early step: %v", err)
	}
	if err := v.SetNamed("brake.torque", 2e6); err == nil || err.Error() != "too large" {
		t.Errorf("error of a bad value: %v", err)
	}
	if err := v.SetText("solver.method", "guess"); err == nil || err.Error() != "guess" {
		t.Errorf("error of a bad text: %v", err)
	}
}

func TestASavedStateComesBack(t *testing.T) {
	v := loadStandIn(t)
	if err := v.Initialise(); err != nil {
		t.Fatal(err)
	}
	v.Step(0.5)
	state, err := v.Save()
	if err != nil {
		t.Fatal(err)
	}
	v.Step(0.25)
	if err := v.Restore(state); err != nil {
		t.Fatal(err)
	}
	if time, err := v.Time(); time != 0.5 || err != nil {
		t.Errorf("time %g, %v; want 0.5", time, err)
	}
	if err := v.Restore(state[1:]); err == nil {
		t.Error("a state that is too short comes back")
	}
}

// A row is read before the inputs of its time are set. The stand-in does not continue inputs, so it still shows the
// inputs of the step before, with their rates, and the step used the inputs of its beginning. The first row has no step
// A slice sets inputs, steps and reads outputs, and its errors arrive. The files of a vehicle come as one archive.
func TestSlicesAndFiles(t *testing.T) {
	v := loadStandIn(t)
	defer v.Close()
	in, err := v.References("steer.rate")
	if err != nil {
		t.Fatal(err)
	}
	out, err := v.References("body.sum", "steer.rate")
	if err != nil {
		t.Fatal(err)
	}
	outputs := make([]float64, 2)
	if err := v.Advance(0.5, in, []float64{3}, out, outputs); err == nil {
		t.Error("a vehicle steps before its start")
	}
	if err := v.Initialise(); err != nil {
		t.Fatal(err)
	}
	before := make([]float64, 1)
	if err := v.Get(out[:1], before); err != nil {
		t.Fatal(err)
	}
	err = v.Advance(0.5, in, []float64{3}, out, outputs)
	if err != nil || outputs[0] != before[0]+1.5 || outputs[1] != 3 {
		t.Errorf("from %v to %v: %v", before, outputs, err)
	}
	if err := v.Advance(0.5, in, []float64{1e7}, out, outputs); err == nil || !strings.Contains(err.Error(), "too large") {
		t.Errorf("an input that is too large: %v", err)
	}
	if files, err := v.ModelFiles(); err != nil || string(files) != "zip" {
		t.Errorf("files %q, %v", files, err)
	}
}

// before it: what belongs to its time has no rates.
func TestRowsAreReadBeforeTheNextInputsAreSet(t *testing.T) {
	v := loadStandIn(t)
	const amplitude, period = 0.1, 4.0
	manoeuvre := &manoeuvre.Manoeuvre{Name: "test", Duration: 1, Step: 0.01, Inputs: []manoeuvre.InputSignal{
		{Variables: []string{"brake.torque"},
			Signal: signal.PiecewiseLinear{Time: []float64{0, 1}, Value: []float64{0, 50}}},
		{Drivers: []string{"steer"}, Signal: signal.Sine{Amplitude: amplitude, Period: period}},
	}}
	result, err := drive.Simulate(v, drive.Plan{Manoeuvre: manoeuvre, Method: "euler", Substep: 0.005})
	if err != nil {
		t.Fatal(err)
	}
	trace := result.Trace
	const slope = 50.0
	if len(trace.Time) != 101 || trace.Time[100] != 1 || result.Timing.Steps != 100 {
		t.Fatalf("%d rows to %g s, %d steps", len(trace.Time), trace.Time[len(trace.Time)-1], result.Timing.Steps)
	}
	w := 2 * math.Pi / period
	sum := 0.0
	for n, time := range trace.Time {
		set := trace.Time[max(n-1, 0)]
		angle := amplitude * math.Sin(w*set)
		acceleration := -w * w * angle
		if n > 0 { // from here linearly to the signal's, with the mean that the change of the rate has
			mean := amplitude * w * (math.Cos(w*time) - math.Cos(w*set)) / 0.01
			acceleration = 2*mean + w*w*amplitude*math.Sin(w*time)
		}
		now := angle + amplitude*w*math.Cos(w*set) + acceleration + slope*set
		if n > 0 {
			now += slope
		}
		if got := trace.Column("body.now")[n]; !(math.Abs(got-now) <= 1e-11) {
			t.Fatalf("inputs at %g s add up to %.15g, want %.15g", time, got, now)
		}
		if got := trace.Column("body.sum")[n]; !(math.Abs(got-sum) <= 1e-12) {
			t.Fatalf("sum at %g s %.15g, want %.15g", time, got, sum)
		}
		sum += 0.01 * amplitude * w * math.Cos(w*time)
	}
}

func TestImpossibleRunIsRejected(t *testing.T) {
	good := manoeuvre.Manoeuvre{Name: "test", Duration: 1, Step: 0.01}
	for _, test := range []struct {
		says string
		run  func(m *manoeuvre.Manoeuvre, r *drive.Plan)
	}{
		{"whole number of steps", func(m *manoeuvre.Manoeuvre, r *drive.Plan) { r.Step = 0.3 }},
		{"whole number of steps", func(m *manoeuvre.Manoeuvre, r *drive.Plan) { r.Step = -0.01 }},
		{"whole number of steps", func(m *manoeuvre.Manoeuvre, r *drive.Plan) { r.Step = 3 }},
		{"more than 1e+08 steps", func(m *manoeuvre.Manoeuvre, r *drive.Plan) { r.Duration = 1e12 }},
		{"guess", func(m *manoeuvre.Manoeuvre, r *drive.Plan) { r.Method = "guess" }},
		{"body.colour", func(m *manoeuvre.Manoeuvre, r *drive.Plan) { r.Record = []string{"body.colour"} }},
		{"front.wz", func(m *manoeuvre.Manoeuvre, r *drive.Plan) {
			m.Start = []manoeuvre.StartValue{{Variable: "front.wz", Value: 1}}
		}},
		{"wing.angle", func(m *manoeuvre.Manoeuvre, r *drive.Plan) {
			m.Inputs = []manoeuvre.InputSignal{{Drivers: []string{"wing"}, Signal: signal.Constant(0)}}
		}},
		{"at 0.5 s: too large", func(m *manoeuvre.Manoeuvre, r *drive.Plan) {
			m.Inputs = []manoeuvre.InputSignal{{Variables: []string{"brake.torque"},
				Signal: signal.PiecewiseLinear{Time: []float64{0.49, 0.5}, Value: []float64{0, 2e6}}}}
		}},
	} {
		manoeuvre := good
		run := drive.Plan{Manoeuvre: &manoeuvre}
		test.run(&manoeuvre, &run)
		if _, err := drive.Simulate(loadStandIn(t), run); err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("error %v, want %q", err, test.says)
		}
	}
}

// After a change of the tire function a vehicle lists the coefficients of the new function, as a vehicle that had it
// from the start. A copy from before the change keeps its own list.
func TestCoefficientsFollowTheTireFunction(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	load := func() *library.Vehicle {
		v, err := l.Load(built.Model("generic4w"), "")
		must(err)
		t.Cleanup(func() { v.Close() })
		return v
	}
	direct, changed := load(), load()
	tires := []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"}
	for _, tire := range tires {
		must(changed.SetText(tire+".model", "Fiala"))
	}
	must(changed.Refresh())
	before := slices.Clone(changed.Variables)
	other, err := changed.Copy()
	must(err)
	t.Cleanup(func() { other.Close() })
	for _, tire := range tires {
		function, err := direct.Text(tire + ".model")
		must(err)
		must(changed.SetText(tire+".model", function))
	}
	if _, err := changed.Find("tire_FL.LMUX"); err != nil {
		t.Error(err)
	}
	if !slices.Equal(direct.Variables, changed.Variables) || slices.Equal(before, changed.Variables) {
		t.Errorf("%d variables, %d if the function was there from the start, and %d of another function",
			len(changed.Variables), len(direct.Variables), len(before))
	}
	if !slices.Equal(other.Variables, before) {
		t.Error("the variables of a copy have changed")
	}
	for _, tire := range tires {
		must(changed.SetText(tire+".model", "Fiala"))
	}
	must(changed.Refresh())
	must(changed.Reset())
	if _, err := changed.Find("tire_FL.LMUX"); err != nil {
		t.Errorf("after a reset: %v", err)
	}
	if _, err := changed.Find("tire_FL.Fzz"); err == nil || !strings.Contains(err.Error(), `did you mean "tire_FL.Fz"?`) {
		t.Errorf("%v, want a suggestion", err)
	}
}

// A text arrives whole, whatever its length is.
func TestTextsOfAllLengthsArrive(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	v, err := l.Load(built.Model("generic4w"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	for _, n := range []int{1, 4089, 4090, 4091, 4092, 4093, 4094, 4095, 4096, 4097, 1<<16 - 8} {
		for _, end := range []string{"x", "µ", "→", "🚗"} {
			want := strings.Repeat("f", n) + end
			if err := v.SetText("tire_FL.file", want); err != nil {
				t.Fatal(err)
			}
			if got, err := v.Text("tire_FL.file"); err != nil || got != want {
				t.Errorf("%d bytes arrive of %d (%v)", len(got), len(want), err)
			}
		}
	}
}
