package main

import (
	"errors"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/tire"
)

func TestMain(m *testing.M) { built.Main(m) }

// tires returns the folder of the example tire libraries.
func tires(t *testing.T) string {
	t.Helper()
	folder := built.Tires(t)
	if err := settle(); err != nil {
		t.Fatal(err)
	}
	return folder
}

// badTires returns the library of faulty tire functions.
func badTires(t *testing.T) string {
	t.Helper()
	path := built.Compiled(t, "bad.so", "cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-I.",
		"testdata/bad_tires.c")
	if err := settle(); err != nil {
		t.Fatal(err)
	}
	return path
}

type driven struct {
	*testing.T
	*cosim.Instance
}

func drive(t *testing.T, model, method string) *driven {
	t.Helper()
	s, err := cosim.Load("../resources/models/"+model+".toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	d := &driven{t, in}
	d.text("solver.method", method)
	return d
}

func (d *driven) text(name, value string) {
	d.Helper()
	if err := d.SetText(name, value); err != nil {
		d.Fatal(err)
	}
}

// fit mounts a function on all tires.
func (d *driven) fit(function, file string) {
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		d.text("tire_"+corner+".model", function)
		d.text("tire_"+corner+".file", file)
	}
}

func (d *driven) set(name string, value float64) {
	d.Helper()
	i, ok := d.System().Find(name)
	if !ok {
		d.Fatalf("no variable %s", name)
	}
	if err := d.Set(i, value); err != nil {
		d.Fatal(err)
	}
}

// swerve drives a second with steering and brakes and returns all values.
func (d *driven) swerve() []float64 {
	d.Helper()
	values := make([]float64, d.System().First(cosim.Text))
	var all []float64
	for k := range 1000 {
		angle := 0.04 * math.Sin(0.006*float64(k))
		d.set("steer_FL.angle", angle)
		d.set("steer_FR.angle", angle)
		d.set("brake_FL.torque", 400)
		d.set("brake_RR.torque", 300)
		if err := d.Step(0.001); err != nil {
			d.Fatal(err)
		}
		if err := d.Values(values); err != nil {
			d.Fatal(err)
		}
		all = append(all, values...)
	}
	return all
}

const fialaFile = "../tires/fiala_generic4w.toml"

func TestLibraryFialaIsBitIdenticalToBuiltIn(t *testing.T) {
	library := filepath.Join(tires(t), "fiala.so")
	for _, method := range []string{"rk4", "euler"} {
		var runs [2][]float64
		for i, function := range []string{"Fiala", "plugin:" + library + "#skidpad_fiala"} {
			d := drive(t, "generic4w", method)
			d.fit(function, fialaFile)
			if err := d.Initialise(); err != nil {
				t.Fatal(err)
			}
			runs[i] = d.swerve()
		}
		for k := range runs[0] {
			if runs[0][k] != runs[1][k] {
				t.Fatalf("%s: value %d is %.17g with the built-in function, %.17g with the library", method, k, runs[0][k],
					runs[1][k])
			}
		}
	}
}

// Derivatives of a library function without jacobian are differences, which the linearly implicit method accepts.
func TestLinearlyImplicitTakesFunctionsWithoutDerivatives(t *testing.T) {
	library := filepath.Join(tires(t), "fiala.so")
	speed := [2]float64{}
	for i, function := range []string{"Fiala", "plugin:" + library + "#skidpad_fiala"} {
		d := drive(t, "generic4w", "linearly-implicit")
		d.fit(function, fialaFile)
		if err := d.Initialise(); err != nil {
			t.Fatal(err)
		}
		d.swerve()
		at, _ := d.System().Find("body.vx")
		speed[i], _ = d.Get(at)
	}
	if !(math.Abs(speed[0]-speed[1]) <= 1e-6 && speed[0] <= 19.9) {
		t.Errorf("speed %g m/s with exact derivatives, %g with differences", speed[0], speed[1])
	}
}

// The linear tire of the library lags by the same relaxation length as the built-in function ConstantLength, so both
// need the same lateral force in a turn.
func TestStatesOfALibraryAreIntegratedAndSaved(t *testing.T) {
	library := filepath.Join(tires(t), "linear.so")
	d := drive(t, "generic4w", "rk4")
	d.fit("plugin:"+library+"#skidpad_linear", "")
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	if _, own := d.StateCount(); own != 4 {
		t.Fatalf("%d states of tire functions, want 4", own)
	}
	d.swerve()
	state := make([]byte, d.StateSize())
	if err := d.Save(state); err != nil {
		t.Fatal(err)
	}
	first := d.swerve()
	other := drive(t, "generic4w", "euler") // Restore sets method and tires
	if err := other.Restore(state); err != nil {
		t.Fatal(err)
	}
	for k, v := range other.swerve() {
		if v != first[k] {
			t.Fatalf("value %d is %.17g after the state was restored, %.17g before", k, v, first[k])
		}
	}
	// steady bend: Fy = -12 Fz tan(alpha) with the slip angle that the contact point has
	d.set("brake_FL.torque", 0)
	d.set("brake_RR.torque", 0)
	for range 4000 {
		d.set("steer_FL.angle", 0.01)
		d.set("steer_FR.angle", 0.01)
		if err := d.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	get := func(name string) float64 {
		i, _ := d.System().Find(name)
		v, err := d.Get(i)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	slip := math.Atan2(get("body.vy")+1.353*get("body.wz"), get("body.vx")-0.76*get("body.wz")) - 0.01
	fy, want := get("tire_FL.Fy"), -12*get("tire_FL.Fz")*math.Tan(slip)
	if !(math.Abs(fy-want) <= 0.03*math.Abs(want) && math.Abs(want) >= 100) {
		t.Errorf("front left tire carries %g N, by its slip angle %g N", fy, want)
	}
}

func TestFaultyLibrariesAreReported(t *testing.T) {
	testrun.Slow(t)
	folder, bad := tires(t), badTires(t)
	for _, c := range []struct{ function, file, says string }{
		{"plugin:" + folder + "/nothing.so#fine", "", "nothing.so"},
		{"plugin:" + bad + "#nothing", "", "exports no function nothing"},
		{"plugin:" + bad, "", "plugin:LIBRARY#SYMBOL"},
		{"plugin:testdata/bad_tires.c#fine", "", "cannot be loaded"},
		{"plugin:" + bad + "#refuses", "", "does not serve version 1"},
		{"plugin:" + bad + "#other_abi", "", "version 2 of the interface"},
		{"plugin:" + bad + "#small", "", "8 bytes"},
		{"plugin:" + bad + "#nameless", "", "name is NULL"},
		{"plugin:" + bad + "#no_evaluate", "", "evaluate is NULL"},
		{"plugin:" + bad + "#no_init", "", "init or evaluate is NULL"},
		{"plugin:" + bad + "#no_inputs", "", "0 inputs"},
		{"plugin:" + bad + "#many_inputs", "", "1000 inputs"},
		{"plugin:" + bad + "#many_states", "", "1000 states"},
		{"plugin:" + bad + "#missing_input", "", "input 1 is NULL"},
		{"plugin:" + bad + "#unknown_input", "", `asks for "weather"`},
		{"plugin:" + bad + "#init_error", "", "no luck"},
		{"plugin:" + bad + "#start_nan", "", "start value of state 0 is NaN"},
		{"plugin:" + bad + "#force_nan", "", "Fx = NaN"},
		{"plugin:" + bad + "#force_huge", "",
			"force_huge: Fy = -1e+300; forces in N and moments in N m must be between -1e+09 and 1e+09"},
		{"plugin:" + bad + "#writes_behind", "", "writes_behind: evaluate wrote outside of the 5 numbers of its results"},
		{"plugin:" + bad + "#writes_ahead", "", "writes_ahead: evaluate wrote outside"},
		{"plugin:" + bad + "#rates_wide", "", "rates_wide: evaluate wrote outside of the 1 numbers"},
		{"plugin:" + bad + "#states_wide", "", "states_wide: init wrote outside of its 1 states"},
		{"plugin:" + bad + "#null_inputs", "", "inputs is NULL"},
		{"plugin:" + bad + "#empty_name", "", `its name is ""; it must be an identifier`},
		{"plugin:" + bad + "#spaced_name", "", `its name is "my tire"; it must be an identifier`},
		{"plugin:" + bad + "#digit_name", "", `must be an identifier`},
		{"plugin:" + bad + "#rate_inf", "", "rate of state 0 = +Inf"},
		{"plugin:" + bad + "#error_code", "", "returned 7: the rubber is gone"},
		{"plugin:" + bad + "#fine", "no-such-file.toml", "no-such-file.toml"},
		{"plugin:" + folder + "/fiala.so#skidpad_fiala", "", "parameter file"},
		{"Fiala", "", "set tire_FL.file"},
		{"Fiala", "../tires/pacejka2002.toml", "Pacejka02"},
		{"Fiala", "no-such-file.toml", "no-such-file.toml"},
		{"Fialla", fialaFile, `no tire function "Fialla"`},
		{"StretchedString", "../tires/stretched_string.toml", "q1dot"},
	} {
		d := drive(t, "generic4w", "rk4")
		d.text("tire_FL.model", c.function)
		d.text("tire_FL.file", c.file)
		err := d.Initialise()
		if err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), "tire_FL") {
			t.Errorf("%s, %q: %v; want the tire and %q", c.function, c.file, err, c.says)
			continue
		}
		d.text("tire_FL.model", "Pacejka02") // and nothing is lost
		d.text("tire_FL.file", "../tires/pacejka2002.toml")
		if err := d.Initialise(); err != nil {
			t.Errorf("%s: afterwards %v", c.function, err)
		}
	}
}

// TestACrashNamesTheLibrary: before the runtime's report, and of the function that crashed.
func TestACrashNamesTheLibrary(t *testing.T) {
	if bad := os.Getenv("SKIDPAD_TEST_CRASH"); bad != "" {
		if err := settle(); err != nil {
			t.Fatal(err)
		}
		d := drive(t, "generic4w", "heun")
		d.text("tire_FL.model", "plugin:"+bad+"#fine")
		d.text("tire_FR.model", "plugin:"+bad+"#crash")
		_ = d.Initialise()
		os.Exit(0)
	}
	again := exec.Command(os.Args[0], "-test.run", "^TestACrashNamesTheLibrary$")
	again.Env = append(os.Environ(), "SKIDPAD_TEST_CRASH="+badTires(t))
	report, err := again.CombinedOutput()
	name := strings.Index(string(report), "skidpad: a crash in the function crash of the library ")
	trace := strings.Index(string(report), "SIGSEGV")
	if err == nil || name < 0 || trace < name || !strings.Contains(string(report), "bad.so; the library is at fault") ||
		strings.Count(string(report), "skidpad: a crash") != 1 {
		t.Errorf("%v: %.600s", err, report)
	}
}

// TestResultsAtTheLimitAreAccepted, and results just beyond the limit are rejected.
func TestResultsAtTheLimitAreAccepted(t *testing.T) {
	kind, err := openPlugin(badTires(t), "fine", "")
	if err != nil {
		t.Fatal(err)
	}
	opened, err := kind.Open(tire.OpenRequest{Tire: "tire"})
	if err != nil {
		t.Fatal(err)
	}
	one := opened.(*pluginTire)
	defer one.Close()
	for value, refused := range map[float64]bool{largest: false, -largest: false, math.Nextafter(largest, 2e9): true,
		math.Nextafter(-largest, -2e9): true} {
		out := []float64{0, 0, 0, 0, value}
		one.check(0, out, nil)
		if err := one.Fault(); (err != nil) != refused || refused && (!strings.Contains(err.Error(), "Mz") || out[4] != 0) {
			t.Errorf("Mz = %g: %v", value, err)
		}
	}
}

// TestDerivativesOutOfBoundsAreRejected, and the next call is checked independently.
func TestDerivativesOutOfBoundsAreRejected(t *testing.T) {
	d := drive(t, "generic4w", "linearly-implicit")
	d.fit("plugin:"+badTires(t)+"#jacobian_wide", "")
	err := d.Initialise()
	if err == nil {
		err = d.Step(0.001)
	}
	if err == nil || !strings.Contains(err.Error(), "jacobian_wide: jacobian wrote outside of the 10 numbers") {
		t.Errorf("%v", err)
	}
}

// TestLibraryFunctionDoesNotInheritTheFile: a library function has no file until its file is set, before or after the
// function; a built-in function has the file of the model.
func TestLibraryFunctionDoesNotInheritTheFile(t *testing.T) {
	const own = "../tires/pacejka2002.toml"
	function := "plugin:" + badTires(t) + "#no_file"
	file := func(d *driven) string {
		text, err := d.Text("tire_FL.file")
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	d := drive(t, "generic4w", "heun")
	d.text("tire_FL.model", function)
	if file(d) != "" {
		t.Errorf("the file is %q", file(d))
	}
	if err := d.Initialise(); err != nil {
		t.Error(err)
	}
	state := make([]byte, d.StateSize())
	if err := d.Save(state); err != nil || d.Restore(state) != nil {
		t.Error("the state cannot be restored")
	}
	d.Reset()
	if file(d) != own {
		t.Errorf("after a reset the file is %q", file(d))
	}
	d.text("tire_FL.model", function)
	d.text("tire_FL.model", "Pacejka02")
	if file(d) != own {
		t.Errorf("of the model's function the file is %q", file(d))
	}
	for _, order := range [][2][2]string{{{"model", function}, {"file", own}}, {{"file", own}, {"model", function}}} {
		d.Reset()
		for _, x := range order {
			d.text("tire_FL."+x[0], x[1])
		}
		if err := d.Initialise(); file(d) != own || err == nil || !strings.Contains(err.Error(), "got a file") {
			t.Errorf("%v: the file is %q, %v", order, file(d), err)
		}
	}
}

// If several tires evaluated together fail, the error names the tire with a reason.
func TestTheTireThatFailsIsNamed(t *testing.T) {
	d := drive(t, "generic4w", "rk4")
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		d.text("tire_"+corner+".model", "plugin:"+badTires(t)+"#error_of_one")
		d.text("tire_"+corner+".file", "")
	}
	err := d.Initialise()
	if err == nil || !strings.Contains(err.Error(), "tire_RR") || !strings.Contains(err.Error(), "the rubber is gone") ||
		strings.Contains(err.Error(), "tire_FL") {
		t.Errorf("the error is %v", err)
	}
}

// TestAnInstanceMayBeAnyNumber: when a stack grows, the Go runtime follows the pointers on the stack.
func TestAnInstanceMayBeAnyNumber(t *testing.T) {
	kind, err := openPlugin(badTires(t), "numbered", "")
	if err != nil {
		t.Fatal(err)
	}
	for depth := range 300 {
		f, err := kind.Open(tire.OpenRequest{Tire: "tire_FL"})
		if err == nil {
			err = kind.Join([]tire.Function{f})
		}
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan bool)
		go func() { // on a new, small stack
			defer close(done)
			atDepth(depth, func() { f.(*pluginTire).hasOwnError() })
		}()
		<-done
		done = make(chan bool)
		go func() {
			defer close(done)
			atDepth(depth, f.(*pluginTire).Close)
		}()
		<-done
	}
}

// atDepth runs work at a call depth.
//
//go:noinline
func atDepth(depth int, work func()) {
	var frame [32]byte // of a size beside which the frames of work are large
	if depth == 0 {
		work()
	} else {
		atDepth(depth-1, work)
	}
	runtime.KeepAlive(&frame)
}

// A function that fails while driving ends the step and leaves the vehicle unchanged.
func TestFailedFunctionLeavesVehicleUnchanged(t *testing.T) {
	d := drive(t, "generic4w", "rk4")
	d.text("tire_FL.model", "plugin:"+badTires(t)+"#error_later")
	d.text("tire_FL.file", "")
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	d.set("brake_FL.torque", 2000)
	var before []byte
	for k := range 1000 {
		before = make([]byte, d.StateSize())
		if err := d.Save(before); err != nil {
			t.Fatal(err)
		}
		err := d.Step(0.001)
		if err == nil {
			continue
		}
		if !errors.Is(err, cosim.ErrFunction) || !strings.Contains(err.Error(), "tire_FL") ||
			!strings.Contains(err.Error(), "the rubber is gone") {
			t.Errorf("step %d: %v", k, err)
		}
		after := make([]byte, d.StateSize())
		if err := d.Save(after); err != nil || string(after) != string(before) {
			t.Errorf("the state changed in a step that failed: %v", err)
		}
		d.set("brake_FL.torque", 0)
		return
	}
	t.Error("the function never failed")
}

// If several tires fail in a step, the error names the first tire. No fault returns after a state was restored.
func TestFaultsOfSeveralTiresAreReportedOnce(t *testing.T) {
	d := drive(t, "generic4w", "rk4")
	d.fit("plugin:"+badTires(t)+"#error_later", "")
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	start := make([]byte, d.StateSize())
	if err := d.Save(start); err != nil {
		t.Fatal(err)
	}
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		d.set("brake_"+corner+".torque", 2000)
	}
	var err error
	for k := 0; k < 1000 && err == nil; k++ {
		err = d.Step(0.001)
	}
	if !errors.Is(err, cosim.ErrFunction) {
		t.Fatalf("the functions never failed: %v", err)
	}
	if err := d.Restore(start); err != nil {
		t.Fatal(err)
	}
	if err := d.Step(0.001); err != nil {
		t.Errorf("a step after the restored state: %v", err)
	}
}

// Forces set by the importer act like equal forces of a function.
func TestInputsReplaceAForceFunction(t *testing.T) {
	d := drive(t, "generic4w", "rk4")
	d.fit("inputs", "")
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	for _, corner := range []string{"FL", "FR", "RL", "RR"} {
		d.set("tire_"+corner+".Fx_input", 500)
	}
	for range 100 {
		if err := d.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	i, _ := d.System().Find("body.ax")
	j, _ := d.System().Find("tire_FL.Fx")
	ax, _ := d.Get(i)
	fx, _ := d.Get(j)
	// 2077 kg of body, four times 38 kg of wheel, upright and tire
	if want := 2000.0 / (2077 + 4*38); fx != 500 || !(math.Abs(ax-want) <= 0.01*want) {
		t.Errorf("tires push with %g N each and the body accelerates with %g m/s2, want 500 and %g", fx, ax, want)
	}
}
