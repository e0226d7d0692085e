package main

import (
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/tire"
)

// stiTires maps names of routines of the Standard Tyre Interface to the compiler and its arguments.
var stiTires = map[string][]string{
	"gfortran_tydex": {"cc", "examples/sti/fiala.c", "-lm"},
	"gfortran_adams": {"cc", "-DADAMS_ROAD", "examples/sti/fiala.c", "-lm"},
	"adamsc_tydex":   {"cc", "-DADAMS_C", "examples/sti/fiala.c", "-lm"},
	"adamsc_adams":   {"cc", "-DADAMS_C", "-DADAMS_ROAD", "examples/sti/fiala.c", "-lm"},
	"fortran":        {"gfortran", "-Wno-unused-dummy-argument", "examples/sti/fiala.f90"},
	"bad_sti":        {"cc", "testdata/bad_sti.c"},
}

// routine returns the library of a routine.
func routine(t *testing.T, name string) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("builds and loads ELF libraries")
	}
	command := stiTires[name]
	arguments := append([]string{"-O2", "-fPIC", "-shared", "-ffp-contract=off", "-Wall", "-Werror"}, command[1:]...)
	if command[0] == "gfortran" {
		arguments = append(arguments, "-J"+t.TempDir())
	}
	path := built.Compiled(t, name+".so", command[0], arguments...)
	if err := settle(); err != nil {
		t.Fatal(err)
	}
	return path
}

// tireFile writes the tire file of the example, lines NAME = VALUE, with other values.
func tireFile(t *testing.T, values ...string) string {
	t.Helper()
	data, err := os.ReadFile("examples/sti/fiala.txt")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, v := range values {
		name, _, _ := strings.Cut(v, " ")
		text = regexp.MustCompile(`(?m)^`+name+` = .*$`).ReplaceAllString(text, v)
	}
	return written(t, "fiala.txt", text)
}

func written(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// contactInputs are options that pass the contact of the vehicle to a routine, so that its results are bit-identical.
const contactInputs = "varinf=Fx:1,Fy:2,Mx:3,My:4,Mz:5,Fz:6&" +
	"ropar=Fz:1,S:2,alpha:3,Omega:4,mu:5,VPy:6,VEx:7,VPxs:8,VExs:9"

// description writes a tire file for Skidpad's own routine.
func description(t *testing.T, more string) string {
	t.Helper()
	tires, err := filepath.Abs("../resources/tires")
	if err != nil {
		t.Fatal(err)
	}
	return written(t, "tire.toml", fmt.Sprintf(`force = { function = "Fiala", file = %q }
unloaded_radius = 0.355
vertical_stiffness = 3.04e5
vertical_damping = 500
width = 0.2
`, filepath.Join(tires, "fiala_generic4w.toml"))+more)
}

const shared = "library=shared&"

// steered drives a vehicle with these tires through a step steer and a swerve.
func steered(t *testing.T, model, function, file string) []float64 {
	t.Helper()
	s, err := cosim.Load(model, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	d := &driven{t, in}
	d.fit(function, file)
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	return d.swerve()
}

// eachSTIWay runs a test for every calling convention of a Fiala tire through the Standard Tyre Interface, with the
// name of the function and its file.
func eachSTIWay(t *testing.T, options string, lines []string, ours string,
	test func(t *testing.T, function, file string)) {
	t.Helper()
	file, own := tireFile(t, lines...), description(t, ours)
	for _, way := range []struct{ name, library, routine, more string }{
		{"C, gfortran, TYDEX road", "gfortran_tydex", "fiala_", ""},
		{"C, gfortran, Adams road", "gfortran_adams", "fiala_", "road=adams&"},
		{"C in the style of Adams", "adamsc_adams", "fiala_c", "abi=adams-c&road=adams&"},
		{"C, Adams lengths, TYDEX road", "adamsc_tydex", "fiala_c", "abi=adams-c&"},
		{"Fortran", "fortran", "dtyre_", ""},
		{"ours", "", "skidpad_dtyre_", shared},
		{"ours, capitals", "", "SKIDPAD_DTYRE", shared + "abi=ifort-win&"},
		{"ours, in the style of Adams", "", "skidpad_dtyre", shared + "abi=adams-c&road=adams&"},
	} {
		t.Run(way.name, func(t *testing.T) {
			library, file := "", file
			if way.library != "" {
				library = routine(t, way.library)
			} else {
				library, file = built.Library(t), own
			}
			test(t, "sti:"+library+"#"+way.routine+"?"+way.more+options, file)
		})
	}
}

// same fails unless two runs are bit-identical.
func same(t *testing.T, got, want []float64) {
	t.Helper()
	for k := range want {
		if got[k] != want[k] {
			t.Errorf("value %d is %.17g, with the built-in function %.17g", k, got[k], want[k])
			return
		}
	}
}

func TestSTITiresAreBitIdenticalToBuiltIn(t *testing.T) {
	testrun.Slow(t)
	model := "../resources/models/generic4w.toml"
	want := steered(t, model, "Fiala", fialaFile)
	ours := `ropar = ["Fz", "S", "alpha", "Omega", "mu", "VPy", "VEx", "VPxs", "VExs"]`
	eachSTIWay(t, contactInputs, []string{"given = 1"}, ours, func(t *testing.T, function, file string) {
		same(t, steered(t, model, function, file), want)
	})
}

// variant writes the generic vehicle with constant relaxation lengths and tires that roll on their loaded radius.
func variant(t *testing.T) (model, lengths string) {
	t.Helper()
	folder := t.TempDir()
	put := func(name string, data []byte) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	get := func(name string) []byte {
		data, err := os.ReadFile("../resources/" + name)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	put("fiala.toml", get("tires/fiala_generic4w.toml"))
	text := strings.NewReplacer(
		`{ function = "StretchedString", file = "../tires/stretched_string.toml" }`,
		`{ function = "ConstantLength", file = "lengths.toml" }`,
		`method = "load-dependent", Fz0 = 5900, B = 8, D = 0.24, F = 0.01`, `method = "loaded"`,
		`function = "Pacejka02"`, `function = "Fiala"`, `"../tires/pacejka2002.toml"`, `"fiala.toml"`,
	).Replace(string(get("models/generic4w.toml")))
	return put("variant.toml", []byte(text)), put("lengths.toml",
		[]byte(`function = "ConstantLength"
[parameters]
Blong = 0.4
Blat = 0.6
`))
}

// The model computes the relaxation in the reference run; in the other runs, states of the routine do.
func TestSTIRelaxationIsBitIdenticalToModel(t *testing.T) {
	testrun.Slow(t)
	model, lengths := variant(t)
	want := steered(t, model, "Fiala", "fiala.toml")
	ours := fmt.Sprintf("relaxation = { function = \"ConstantLength\", file = %q }\n", lengths) +
		`ropar = ["Fz", "gamma", "Rl", "Omega", "mu", "VPy", "VEx", "VPxs", "VExs"]`
	lines := []string{"given = 1", "Blong = 0.4", "Blat = 0.6"}
	eachSTIWay(t, contactInputs, lines, ours, func(t *testing.T, function, file string) {
		if strings.Contains(t.Name(), "ours") { // this routine computes slips from its states
			function = strings.Replace(function, "S:2,alpha:3", "gamma:2,Rl:3", 1)
		}
		same(t, steered(t, model, function, file), want)
	})
}

// Tires that compute their own contact, from the motion of the wheel in axes C and the road, differ from the model only
// by rounding. The vehicle leans, so that its wheels are inclined.
func TestTiresWithOwnContactMatchTheModel(t *testing.T) {
	testrun.Slow(t)
	model, lengths := variant(t)
	for _, model := range []string{model, onSlope(t, model)} {
		t.Run(filepath.Base(model), func(t *testing.T) { compareContacts(t, model, lengths) })
	}
}

func compareContacts(t *testing.T, model, lengths string) {
	t.Helper()
	want := steered(t, model, "Fiala", "fiala.toml")
	ours := fmt.Sprintf(`relaxation = { function = "ConstantLength", file = %q }`, lengths)
	eachSTIWay(t, "", []string{"Blong = 0.4", "Blat = 0.6"}, ours, func(t *testing.T, function, file string) {
		got := steered(t, model, function, file)
		for k := range want {
			if !(math.Abs(got[k]-want[k]) <= 1e-9*max(1, math.Abs(want[k]))) {
				t.Errorf("value %d is %.17g, in the model %.17g", k, got[k], want[k])
				break
			}
		}
	})
}

// Slopes and friction of a road; no wheel starts in the air on this road.
const slopeX, slopeY, friction = 0.004, -0.003, 0.7

// onSlope writes a copy of a model in the same folder, with an inclined plane as the road.
func onSlope(t *testing.T, model string) string {
	t.Helper()
	data, err := os.ReadFile(model)
	if err != nil {
		t.Fatal(err)
	}
	road := fmt.Sprintf(`type = "terrain"
kind = "plane"
slope_x = %g
slope_y = %g
friction = { left = %g, right = %g }
`, slopeX, slopeY, friction, friction)
	path := filepath.Join(filepath.Dir(model), "slope.toml")
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), "type = \"road\"\n", road, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Road routines of both forms return the inclined plane: results equal variables of the vehicle and closed formulas.
func TestRoadRoutinesReturnThePlaneUnderTheWheel(t *testing.T) {
	bad := routine(t, "bad_sti")
	model, _ := variant(t)
	s, err := cosim.Load(onSlope(t, model), cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	published := func(function, name string) float64 {
		t.Helper()
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		d := &driven{t, in}
		d.fit("Fiala", "fiala.toml")
		if function != "" {
			d.text("tire_FL.model", "sti:"+bad+"#"+function)
			d.text("tire_FL.file", "")
		}
		d.set("road.friction_left", friction)
		if err := d.Initialise(); err != nil {
			t.Fatal(err)
		}
		i, ok := d.System().Find(name)
		if !ok {
			t.Fatal(name)
		}
		x, err := d.Get(i)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	loaded := published("", "tire_FL.R_l") // in the wheel plane, whose normal is (0, 1, 0) at the start
	x, y := published("", "body.x")+1.353+1, published("", "body.y")+0.76+2
	normal := 1 / math.Sqrt(1+slopeX*slopeX+slopeY*slopeY)
	const R = 0.4
	segment := R*R*math.Acos(loaded/R) - loaded*math.Sqrt(R*R-loaded*loaded)
	for function, want := range map[string]float64{
		"looks_?iswtch=0": slopeX*x + slopeY*y, "looks_?iswtch=1": slopeX, "looks_?iswtch=2": slopeY, "looks_?iswtch=3": 0,
		"looks_?iswtch=4": friction, "looks_?iswtch=5": 0,
		"looks_?iswtch=6": 1, "looks_?iswtch=7": 2, "looks_?iswtch=8": 0, "looks_?iswtch=16": 0, "looks_?iswtch=18": 3,
		"presses_?road=adams&iswtch=0": R - loaded, "presses_?road=adams&iswtch=1": 0.2 * segment,
		"presses_?road=adams&iswtch=2": loaded * normal / math.Sqrt(1-slopeY*slopeY*normal*normal),
		"presses_?road=adams&iswtch=3": -slopeX * normal, "presses_?road=adams&iswtch=4": -slopeY * normal,
		"presses_?road=adams&iswtch=5": normal, "presses_?road=adams&iswtch=6": friction,
		"presses_?road=adams&iswtch=7": 1, "presses_?road=adams&iswtch=8": 0, "presses_?road=adams&iswtch=10": 0,
		"presses_?road=adams&iswtch=11": 0, "presses_?road=adams&iswtch=17": 0,
	} {
		if got := published(function, "tire_FL.Fx"); !(math.Abs(got-want) <= 1e-12) {
			t.Errorf("%s: the road says %.15g, want %.15g", function, got, want)
		}
	}
}

// equipped returns a vehicle whose tires use a routine of bad_sti.c, with options.
func equipped(t *testing.T, name, file string) *driven {
	t.Helper()
	d := drive(t, "generic4w", "rk4")
	d.fit("sti:"+routine(t, "bad_sti")+"#"+name, file)
	return d
}

func TestJobsComeInTheOrderOfTheStandard(t *testing.T) {
	file := written(t, "jobs.txt", "")
	d := equipped(t, "records_", "")
	for _, corner := range []string{"FR", "RL", "RR"} {
		d.text("tire_"+corner+".model", "inputs")
	}
	d.text("tire_FL.file", file)
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	started, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := d.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	d.Get(0)
	d.Close()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(started), "1 1 0.000\n2 1 0.000\n0 1 0.000\n") ||
		regexp.MustCompile(`(?m)^[^0]`).MatchString(string(started)[20:]) {
		t.Errorf("until the start the jobs are\n%s", started)
	}
	// four evaluations per step, without the start's; the first evaluation of the second step is where the first ended
	want := "0 1 0.001\n0 1 0.001\n0 1 0.001\n0 1 0.001\n4 1 0.001\n0 1 0.002\n0 1 0.002\n0 1 0.002\n99 1 " +
		"0.002\n"
	if got := strings.TrimPrefix(string(text), string(started)); got != want {
		t.Errorf("after the start the jobs are\n%s\nwant\n%s", got, want)
	}
}

func TestFaultyRoutinesAreReported(t *testing.T) {
	testrun.Slow(t)
	bad := routine(t, "bad_sti")
	long := filepath.Join(t.TempDir(), strings.Repeat("long/", 60))
	if err := os.MkdirAll(long, 0o755); err != nil {
		t.Fatal(err)
	}
	long = filepath.Join(long, "tire.txt")
	if err := os.WriteFile(long, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ function, file, says string }{
		{"sti:" + bad + "#nothing", "", "exports no routine nothing"},
		{"sti:" + bad, "", "sti:LIBRARY#SYMBOL"},
		{"sti:" + bad + ".no#fails_", "", "cannot be loaded"},
		{"sti:" + bad + "#tells_", "", "JOBFLG 1 returned IERR 3: switch 14 is missing"},
		{"sti:" + bad + "#tells_?abi=cdecl", "", `option abi is "cdecl"; it must be gfortran or ifort-win or adams-c`},
		{"sti:" + bad + "#tells_?road=flat", "", `option road is "flat"`},
		{"sti:" + bad + "#tells_?deqini=0", "", `option deqini is "0"`},
		{"sti:" + bad + "#tells_?angtwc=1", "", `option angtwc is "1"`},
		{"sti:" + bad + "#tells_?library=two", "", `option library is "two"`},
		{"sti:" + bad + "#tells_?iswtch=x", "", `option iswtch is "x"`},
		{"sti:" + bad + "#tells_?iswtch=1&iswtch=2", "", "iswtch is given twice"},
		{"sti:" + bad + "#tells_?speed=1", "", `unknown option "speed"`},
		{"sti:" + bad + "#tells_?varinf=Fx", "", "the place of Fx"},
		{"sti:" + bad + "#tells_?varinf=Fx:0", "", "places count from 1"},
		{"sti:" + bad + "#tells_?varinf=S:1", "", `no quantity "S"`},
		{"sti:" + bad + "#tells_?ropar=Fz:1,S:1", "", "is given twice"},
		{"sti:" + bad + "#fails_?varinf=Fx:1", "", "VARINF has 0 places"},
		{"sti:" + bad + "#fails_?ropar=Fz:1", "", "ROPAR has 0 places"},
		{"sti:" + bad + "#lies_?varinf=Fx:1", "", ""},
		{"sti:" + bad + "#refuses_", "", "JOBFLG 2 returned IERR 3: no luck"},
		{"sti:" + bad + "#mute_", "", "JOBFLG 1 returned IERR 2, without saying why"},
		{"sti:" + bad + "#nan_force_", "", "FORCES are [0 NaN 0]"},
		{"sti:" + bad + "#nan_torque_", "", "TORQUE is [+Inf 0 0]"},
		{"sti:" + bad + "#nan_rate_", "", "DEQDER(2) is NaN"},
		{"sti:" + bad + "#nan_start_", "", "DEQINI(2) is NaN"},
		{"sti:" + bad + "#negative_", "", "-1 places in WRKARR (NWORK)"},
		{"sti:" + bad + "#many_", "", "2000000000 places in IWRKAR (NIWORK)"},
		{"sti:" + bad + "#many_states_", "", "1000 places in DEQVAR (NDEQVR)"},
		{"sti:" + bad + "#grows_", "", "JOBFLG 0 changed the sizes"},
		{"sti:" + bad + "#fails_", long, "more than 256 characters"},
	} {
		d := drive(t, "generic4w", "rk4")
		d.text("tire_FL.model", c.function)
		d.text("tire_FL.file", c.file)
		err := d.Initialise()
		switch {
		case c.says == "" && err != nil:
			t.Errorf("%s: %v", c.function, err)
		case c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says) ||
			!strings.Contains(err.Error(), "tire_FL")):
			t.Errorf("%s, %q: %v; want the tire and %q", c.function, c.file, err, c.says)
		}
	}
	if s := &stiLibraries; slices.ContainsFunc(s.tires[:], func(r *stiRoutine) bool { return r != nil && r.tire == nil }) {
		t.Error("a tire that failed is still there")
	}
}

// Failures of a routine while the vehicle moves: a step that a shorter step may avoid, a fatal step, an element of
// VARINF with another quantity. The vehicle does not change.
func TestFailedRoutineLeavesVehicleUnchanged(t *testing.T) {
	for _, c := range []struct {
		routine, says string
		shorter       bool
	}{
		{"fails_", "JOBFLG 0 returned IERR 2: the rubber is gone", true},
		{"dies_", "JOBFLG 0 returned IERR 3: the rubber is gone", false},
		{"odd_", "IERR -7", false}, {"lies_?varinf=Fx:1", "VARINF(1) is 1, but Fx is 0", false},
	} {
		d := equipped(t, c.routine, "")
		if err := d.Initialise(); err != nil {
			t.Fatal(err)
		}
		var err error
		before := make([]byte, d.StateSize())
		for k := 0; k < 100 && err == nil; k++ {
			if failed := d.Save(before); failed != nil {
				t.Fatal(failed)
			}
			err = d.Step(0.001)
		}
		if !errors.Is(err, cosim.ErrFunction) || !strings.Contains(err.Error(), "tire_FL") ||
			!strings.Contains(err.Error(), c.says) || errors.Is(err, tire.ErrShorter) != c.shorter {
			t.Errorf("%s: %v, want %q, shorter %v", c.routine, err, c.says, c.shorter)
		}
		after := make([]byte, d.StateSize())
		if err := d.Save(after); err != nil || string(after) != string(before) {
			t.Errorf("%s: the state changed in a step that failed: %v", c.routine, err)
		}
	}
}

func TestStatesOfRoutinesAreNamedWithTheirTire(t *testing.T) {
	d := equipped(t, "bursts_", "")
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	if err := d.Step(0.01); !errors.Is(err, cosim.ErrNotFinite) ||
		!strings.Contains(err.Error(), "state 2 of the function of tire_FL") {
		t.Errorf("a state that grows beyond all numbers: %v", err)
	}
}

func TestWarningsOfRoutinesAreReportedOnce(t *testing.T) {
	d := equipped(t, "warns_", "")
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	list := d.RangeWarnings()
	if want := "tire_FL: JOBFLG 1 returned IERR 1: it is warm"; len(list) != 4 || list[0] != want {
		t.Errorf("warnings are %q, want four, first %q", list, want)
	}
	if err := d.Step(0.01); err != nil {
		t.Fatal(err)
	}
	if list := d.RangeWarnings(); len(list) > 0 {
		t.Errorf("afterwards %q", list)
	}
}

// A library with room for four tires serves one vehicle. Each of two vehicles at a time has its own library, in any
// order of loading and release. With library=shared, both use one library.
func TestEveryVehicleHasItsOwnLibrary(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir()) // a folder without copies of other processes
	a, b, c := equipped(t, "four_", ""), equipped(t, "four_", ""), equipped(t, "four_", "")
	for _, d := range []*driven{a, b} {
		if err := d.Initialise(); err != nil {
			t.Fatal(err)
		}
	}
	copies := func() int {
		list, err := filepath.Glob(filepath.Join(os.TempDir(), "skidpad-sti-*", "bad_sti.so"))
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	with := copies()
	a.Close() // now the original is free
	if err := c.Initialise(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		for _, d := range []*driven{b, c} {
			if err := d.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
	}
	b.Close()
	if without := copies(); with != without+1 {
		t.Errorf("there are %d copies with the vehicle that had one, %d without", with, without)
	}
	e := equipped(t, "four_?library=shared", "")
	if err := e.Initialise(); err != nil {
		t.Fatal(err)
	}
	f := equipped(t, "four_?library=shared", "")
	if err := f.Initialise(); err == nil || !strings.Contains(err.Error(), "more than four tires") {
		t.Errorf("eight tires of two vehicles in one library: %v", err)
	}
	c.Close()
	e.Close()
	if maps, err := os.ReadFile("/proc/self/maps"); err != nil || strings.Contains(string(maps), "bad_sti.so") {
		t.Errorf("the library is still loaded after its last tire: %v", err)
	}
}

// DEQINI is either the start of DEQVAR or an offset added by the tire, never both. From this value, q relaxes to the
// slip 0 of the wheel, as exp(-x/0.5 m) over the distance x.
func TestInitialStatesCountOnce(t *testing.T) {
	for _, routine := range []string{"lags_", "lags_?iswtch=1&deqini=offset"} {
		d := equipped(t, routine, "")
		for _, corner := range []string{"FR", "RL", "RR"} {
			d.text("tire_"+corner+".model", "inputs")
		}
		if err := d.Initialise(); err != nil {
			t.Fatal(err)
		}
		at, _ := d.System().Find("tire_FL.Fy")
		for k := range 20 {
			x := 20 * 0.001 * float64(k) // m; the speed of 20 m/s hardly changes
			fy, err := d.Get(at)
			if want := -1e4 * 0.3 * math.Exp(-x/0.5); err != nil || !(math.Abs(fy-want) <= 0.02*3000) {
				t.Errorf("%s: after %g m the force is %g N, want %g N, %v", routine, x, fy, want, err)
			}
			if err := d.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// The rim angle, if requested, is the integral of the spin of the wheel.
func TestRimAngleIsTheIntegralOfTheSpin(t *testing.T) {
	d := equipped(t, "turns_?angtwc=state", "")
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	if err := d.Step(0.1); err != nil {
		t.Fatal(err)
	}
	at, _ := d.System().Find("tire_RL.Fx")
	if angle, _ := d.Get(at); !(math.Abs(angle-5.743825388) <= 0.01) { // 57.4 rad/s, next to nothing brakes it
		t.Errorf("the rim has turned by %g rad in 0.1 s", angle)
	}
}

func TestHostDrivesSkidpadTires(t *testing.T) {
	library := built.Library(t)
	host := built.Compiled(t, "sti_host", "cc", "-std=c99", "-O2", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I.",
		"testdata/sti_host.c", library, "-Wl,-rpath,"+filepath.Dir(library), "-lm")
	run := exec.Command(host, description(t, ""))
	run.Env = append(os.Environ(), "GOGC=1", "GODEBUG=cgocheck=1")
	if text, err := run.CombinedOutput(); err != nil || string(text) != "ok\n" {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestStepsThroughSTIAllocateNothing(t *testing.T) {
	eachSTIWay(t, "", nil, "", func(t *testing.T, function, file string) {
		d := drive(t, "generic4w", "rk4")
		d.fit(function, file)
		if err := d.Initialise(); err != nil {
			t.Fatal(err)
		}
		if n := testing.AllocsPerRun(100, func() {
			if err := d.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}); n > 0 {
			t.Errorf("%g allocations in a step", n)
		}
	})
}

// A restored vehicle repeats the run, including the states of its tires.
func TestStatesOfRoutinesAreSaved(t *testing.T) {
	file := tireFile(t, "Blong = 0.4", "Blat = 0.6")
	function := "sti:" + routine(t, "fortran") + "#dtyre_"
	d := drive(t, "generic4w", "rk4")
	d.fit(function, file)
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	if _, own := d.StateCount(); own != 4*2 {
		t.Errorf("%d states of tires, want two slips of four", own)
	}
	d.swerve()
	state := make([]byte, d.StateSize())
	if err := d.Save(state); err != nil {
		t.Fatal(err)
	}
	want := d.swerve()
	other := drive(t, "generic4w", "euler")
	if err := other.Restore(state); err != nil {
		t.Fatal(err)
	}
	same(t, other.swerve(), want)
}

// The linearly implicit method computes derivatives of a routine by differences.
func TestLinearlyImplicitTakesRoutines(t *testing.T) {
	speed := [2]float64{}
	for i, function := range [][2]string{{"Fiala", fialaFile},
		{"sti:" + routine(t, "fortran") + "#dtyre_?" + contactInputs, tireFile(t, "given = 1")}} {
		d := drive(t, "generic4w", "linearly-implicit")
		d.fit(function[0], function[1])
		if err := d.Initialise(); err != nil {
			t.Fatal(err)
		}
		d.swerve()
		at, _ := d.System().Find("body.vx")
		speed[i], _ = d.Get(at)
	}
	if !(math.Abs(speed[0]-speed[1]) <= 1e-6 && speed[0] <= 19.9) {
		t.Errorf("speed %g m/s with the built-in function, %g with the routine", speed[0], speed[1])
	}
}
