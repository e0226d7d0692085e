package linearise

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// Tests that open functions in libraries start this program once more.
func TestMain(m *testing.M) {
	library.RunAsChild()
	UseLibraries()
	built.Main(m)
}

// rotor is a body on an axle whose torque follows from its speed by a law.
const rotor = `name = "Rotor"
[component.rotor]
type = "rigid-body"
mass = 1
inertia = { axial = 2, transverse = 2, axis = "y" }
[component.shaft]
type = "revolute"
from = "ground"
to = "rotor"
axis = "y"
torque = "input"
start = { omega = 3 }
[component.cruise]
type = "equations"
inputs = [{ name = "speed", unit = "rad/s", from = "shaft.omega" }, { name = "wish", unit = "rad/s", value = 3 }]
`

// parsed makes linear equations of a text of a model.
func parsed(t *testing.T, text string) *linear.Model {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "test.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

const lawOfRotor = `function = "plugin:pi.so#skidpad_pi"
states = [{ name = "z", unit = "rad" }]
outputs = [{ name = "throttle", unit = "N.m", to = ["shaft.torque"] }]
`

// texts gives texts their values.
func texts(t *testing.T, l *linear.Model, values ...string) {
	t.Helper()
	for i := 0; i < len(values); i += 2 {
		if err := l.SetText(values[i], values[i+1]); err != nil {
			t.Fatal(err)
		}
	}
}

// written writes a parameter file.
func written(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "parameters.txt")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// needsUnix skips a test whose libraries are made by a POSIX C compiler.
func needsUnix(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("needs a POSIX C compiler")
	}
}

// An inertia J with the law M = kp e + ki z, z' = e, has the eigenvalues of J s^2 + kp s + ki = 0.
func TestALawInALibraryIsLinearised(t *testing.T) {
	needsUnix(t)
	l := parsed(t, rotor+lawOfRotor)
	texts(t, l, "cruise.model", "plugin:"+filepath.Join(built.Tires(t), "pi.so")+"#skidpad_pi",
		"cruise.file", written(t, "kp = 4\nki = 10\n"))
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	modes, err := s.Modes()
	if err != nil {
		t.Fatal(err)
	}
	if want := complex(-1, 2); !slices.ContainsFunc(modes, func(m linear.Mode) bool {
		return math.Abs(real(m.Value-want)) < 1e-12 && math.Abs(math.Abs(imag(m.Value))-2) < 1e-12
	}) {
		t.Errorf("the eigenvalues are %v, not %v", modes, want)
	}
	if notes := l.Notes(); len(notes) > 0 {
		t.Errorf("the library tells derivatives, and notes say %q", notes)
	}
}

// Functions of libraries that are the same as built-in ones give the same linear equations: relaxation functions with
// their derivatives, force functions without, by
// differences, which are less exact.
func TestTireFunctionsInLibrariesAreLinearised(t *testing.T) {
	needsUnix(t)
	lengths := written(t, "function = \"ConstantLength\"\n[parameters]\nBlong = 0.31\nBlat = 0.57\n")
	fiala, err := filepath.Abs(built.Path("resources", "tires", "fiala_generic4w.toml"))
	if err != nil {
		t.Fatal(err)
	}
	folder := built.Tires(t)
	relaxation, force := "plugin:"+filepath.Join(folder, "relaxation.so")+"#skidpad_relaxation",
		"plugin:"+filepath.Join(folder, "fiala.so")+"#skidpad_fiala"
	m, err := vehicle.Read(built.Model("generic4w"))
	if err != nil {
		t.Fatal(err)
	}
	first, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	matrices := func(function, model string) (*mat.Dense, []string) {
		l, err := first.Copy()
		if err != nil {
			t.Fatal(err)
		}
		for _, tire := range []string{"tire_FL", "tire_FR", "tire_RL", "tire_RR"} {
			texts(t, l, tire+".relaxation.file", lengths, tire+".relaxation.model", function,
				tire+".file", fiala, tire+".model", model)
		}
		for _, torque := range []string{"drive_RL.torque", "drive_RR.torque"} {
			if err := l.Free(torque); err != nil {
				t.Fatal(err)
			}
		}
		s, err := about(l, "body.vx", 20)
		if err != nil {
			t.Fatal(err)
		}
		return s.A, l.Notes()
	}
	want, notes := matrices("ConstantLength", "Fiala")
	if len(notes) > 0 {
		t.Errorf("built-in functions: %q", notes)
	}
	got, notes := matrices(relaxation, "Fiala")
	differ(t, got, want, 1e-12)
	if len(notes) > 0 {
		t.Errorf("a relaxation function with derivatives: %q", notes)
	}
	got, notes = matrices("ConstantLength", force)
	differ(t, got, want, 1e-5)
	if len(notes) != 4 || !strings.HasSuffix(notes[3], " tells no derivatives; differences of its results are taken") ||
		!strings.HasPrefix(notes[3], "tire_RR: the function plugin:") {
		t.Errorf("a force function without derivatives: %q", notes)
	}
}

// differ reports entries of a matrix that differ by more than a share of the largest of their row.
func differ(t *testing.T, got, want *mat.Dense, share float64) {
	t.Helper()
	rows, columns := want.Dims()
	for i := range rows {
		largest := mat.Norm(want.RowView(i), math.Inf(1))
		for j := range columns {
			if a, b := got.At(i, j), want.At(i, j); !(math.Abs(a-b) <= share*largest) {
				t.Fatalf("entry %d, %d is %v, not %v", i, j, a, b)
			}
		}
	}
}

// Faults of a function are errors when it is named, or when it is called.
func TestUnlinearisableLibraryFunctions(t *testing.T) {
	needsUnix(t)
	sources := built.Path("capi", "testdata")
	compiled := func(name string) string {
		return "plugin:" + built.Compiled(t, name+".so", "cc", "-fPIC", "-shared", "-I"+built.Path("capi"),
			filepath.Join(sources, name+".c"))
	}
	laws, tires := compiled("bad_laws"), compiled("bad_tires")
	good := "plugin:" + filepath.Join(built.Tires(t), "pi.so") + "#skidpad_pi"
	for function, want := range map[string]string{
		laws + "#good":         "found no steady state", // its torque is constant
		laws + "#later":        "it does not serve version 1 of the interface of tires, nor version 1001 of that of laws",
		laws + "#no_outputs":   "#no_outputs returns Fx, Fy, Mx, My, Mz; here throttle, z_dot are needed",
		laws + "#null_output":  "a name of its inputs or outputs is missing",
		laws + "#other_order":  "returns z_dot, throttle; here throttle, z_dot are needed, in this order",
		laws + "#other_input":  `asks for "nothing"; there are speed, wish, z`,
		laws + "#nan_result":   "cruise: the function failed: nan_result: a result of evaluate is not finite",
		laws + "#fails":        "cruise: the function failed: fails: evaluate returned 7",
		laws + "#writes":       "writes: evaluate wrote outside of the 2 numbers of its results; correct the library",
		laws + "#none":         "it exports no function none",
		good:                   "cruise: function PI: the parameter file (none given) cannot be opened; set <component>.file",
		"plugin:/nowhere.so#f": "library /nowhere.so: it cannot be loaded",
		"sti:/nowhere.so#f":    "libraries can be loaded by the shared library of Skidpad only",
	} {
		l := parsed(t, rotor+lawOfRotor)
		err := l.SetText("cruise.model", function)
		if err == nil {
			_, err = l.At()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", filepath.Base(function), err, want)
		}
	}
	m, err := vehicle.Read(built.Model("wheel"))
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	for function, want := range map[string]string{
		"fine":          "found no steady state", // without forces
		"rate_inf":      "#rate_inf has internal states and cannot be linearised",
		"small":         "its description has 8 bytes; set size to that of the structure",
		"null_inputs":   "name, inputs, init or evaluate of its description is NULL",
		"many_inputs":   "it has 1000 inputs and 0 states; 1 to 64 and up to 64 are possible",
		"unknown_input": `asks for "weather"`,
		"init_error":    "tire: function init_error: no luck",
		"writes_ahead":  "tire: the function failed: writes_ahead: evaluate wrote outside of the 5 numbers",
		"writes_behind": "writes_behind: evaluate wrote outside of the 5 numbers",
		"jacobian_wide": "jacobian_wide: jacobian wrote outside of the 10 numbers",
		"error_code":    "tire: the function failed: error_code: evaluate returned 7: ",
		"crash":         "evaluate of the function crash ended the child process that tried it",
		"refuses":       "it does not serve version 1",
	} {
		err := l.SetText("tire.model", tires+"#"+function)
		if err == nil {
			_, err = l.At()
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", function, err, want)
		}
	}
}

// A study cannot make the code of a library run.
func TestAStudyNamesNoLibrary(t *testing.T) {
	_, err := ParseStudy("study.toml", []byte(`name = "s"
title = "t"
[[panel]]
name = "p"
title = "t"
model = "rotor.toml"
at = { variable = "shaft.omega", values = [1] }
set = { "cruise.model" = "plugin:pi.so#skidpad_pi" }
`))
	if err == nil || !strings.Contains(err.Error(), "study.toml:8:26: panel[0].set.cruise.model = "+
		`"plugin:pi.so#skidpad_pi" `+"names a library, whose code would run, and a study cannot do so") {
		t.Error(err)
	}
}
