package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/analyses/schema"
)

// decodeJSON runs a command line, checks its exit status, and decodes its whole output, one JSON value, into to. A key
// of the output that is not a field of to is an error.
func decodeJSON(t *testing.T, status int, to any, args ...string) {
	t.Helper()
	got, stdout, stderr := try(args...)
	if got != status {
		t.Fatalf("skidpad %q: status %d, want %d; %s", args, got, status, stderr)
	}
	decoder := json.NewDecoder(strings.NewReader(stdout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(to); err != nil || decoder.More() {
		t.Fatalf("skidpad %q prints %.200s: %v", args, stdout, err)
	}
}

// With --json, commands print the keys that docs/command.md lists, with the values of their tables.
func TestResultsAreJSONToo(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	t.Run("list", func(t *testing.T) {
		var list []struct{ Name, Title, Path string }
		decodeJSON(t, good, &list, "list", "tires", "--json")
		if !slices.ContainsFunc(list, func(e struct{ Name, Title, Path string }) bool {
			return e.Name == "fiala_generic4w" && e.Title == "Fiala tire of the generic vehicle" &&
				filepath.Base(e.Path) == "fiala_generic4w.toml"
		}) {
			t.Error(list)
		}
	})
	t.Run("check", func(t *testing.T) {
		w.pack(3)
		var result struct {
			File     string
			Pass     bool
			Findings []struct{ Rule, Place, Text string }
		}
		decodeJSON(t, good, &result, "check", w.path("car.fmu"), "--json")
		if !result.Pass || result.Findings == nil || len(result.Findings) != 0 || result.File != w.path("car.fmu") {
			t.Error(result)
		}
	})
	t.Run("equations", func(t *testing.T) {
		type cost struct{ Additions, Multiplications, Divisions, Functions, Assignments int }
		var e struct {
			Model, Title string
			Trees        []string
			Branches     map[string][]string
			Equations    map[string]int
			States       []string
			Cost         map[string]cost
			Calls        []struct {
				Name, Function string
				Inputs         []string
			}
			Passes []struct {
				Equations, Intermediates string
				Cost                     cost
			}
		}
		decodeJSON(t, good, &e, "equations", "pendulum", "--passes", "--json")
		// a pendulum has one degree of freedom
		if e.Model != "Pendulum" || !slices.Equal(e.States, []string{"joint.omega", "joint.phi"}) ||
			e.Equations["dynamic"] != 1 || e.Equations["kinematic"] != 1 || len(e.Passes) != 5 ||
			e.Cost["rates"].Multiplications > e.Cost["rates_as_formulated"].Multiplications {
			t.Errorf("%+v", e)
		}
		_, table, _ := try("equations", "pendulum")
		for row, key := range map[string]string{"rates as formulated": "rates_as_formulated", "rates optimised": "rates",
			"outputs on top, when they are asked for": "outputs", "once per change of parameters": "parameters"} {
			_, rest, _ := strings.Cut(table, "\n"+row+" ")
			numbers, _, _ := strings.Cut(rest, "\n")
			c := e.Cost[key]
			if got := fmt.Sprint(c.Additions, c.Multiplications, c.Divisions, c.Functions, c.Assignments); got !=
				strings.Join(strings.Fields(numbers), " ") {
				t.Errorf("%s: %s, the table has %s", key, got, numbers)
			}
		}
	})
	t.Run("equations --intermediates", func(t *testing.T) {
		type row struct {
			Name                      string
			Complete, Sequence, Added map[string]float64
			Earliest, Latest          int
			Published                 *struct {
				Complete, Sequence map[string]float64
				Damaged            string
			}
		}
		var costs struct {
			Model, Tire   string
			Intermediates []row
		}
		decodeJSON(t, good, &costs, "equations", "generic4w", "--intermediates", "tire_RR", "--json")
		i := slices.IndexFunc(costs.Intermediates, func(r row) bool { return r.Name == "r_E/C" })
		if costs.Model != "GenericVehicle" || costs.Tire != "tire_RR" || i < 0 ||
			costs.Intermediates[i].Sequence["divisions"] != 3 || costs.Intermediates[i].Published.Sequence["divisions"] != 3 {
			t.Errorf("%+v", costs)
		}
		costs.Intermediates = nil
		decodeJSON(t, good, &costs, "equations", "skidder", "--intermediates", "tire_FL", "--json")
		if p := costs.Intermediates[i].Published; p != nil { // Morency (2007) has costs of the generic vehicle only
			t.Errorf("the skidder has published costs: %+v", p)
		}
		status, _, message := try("equations", "generic4w", "--intermediates", "tyre_FL")
		if status != wrongUsage || !strings.Contains(message, "its tires are tire_FL") {
			t.Errorf("status %d: %s", status, message)
		}
	})
	t.Run("linearize", func(t *testing.T) {
		type named struct{ Name, Unit, Group string }
		var l struct {
			Title, Parameter        string
			States, Inputs, Outputs []named
			Systems                 []struct {
				Value       float64
				A, B, C, D  [][]float64
				X, X_rate   []float64
				U, Y        []float64
				Eigenvalues []struct {
					Real, Imaginary, Frequency float64
					Damping                    *float64
				}
				Transfer struct {
					Input, Output string
					Gain          *float64
					Cancelled     int
					Poles, Zeros  [][2]float64
				}
				Response []struct {
					Omega     float64
					Magnitude *float64 `json:"magnitude_dB"`
					Phase     float64  `json:"phase_deg"`
				}
				Modes []struct {
					Mode                              int
					Name                              string
					Likeness                          *float64
					Real, Imaginary, Frequency, Hertz float64
					Damping                           *float64
					TimeConstant                      *float64 `json:"time_constant"`
					Participation                     map[string]float64
				}
			}
			Limits []struct {
				Value        float64
				Before, From struct{ Oscillatory, Real int }
				Mode         string
			} `json:"stability_limits"`
		}
		decodeJSON(t, good, &l, "linearize", "bicycle_rolling", "--at", "speed=5:6:1", "--bode",
			"steer.torque:rear_frame.wz", "--frequencies", "0.1:10:3", "--transfer", "steer.torque:rear_frame.wz", "--json")
		weave := slices.ContainsFunc(l.Systems[0].Eigenvalues, func(e struct {
			Real, Imaginary, Frequency float64
			Damping                    *float64
		}) bool { // linearised-eom specification, 6.2
			return math.Abs(e.Real+0.77534188219585) < 1e-9 && math.Abs(e.Imaginary-4.46486771378823) < 1e-9
		})
		s := l.Systems[1]
		if len(l.Systems) != 2 || !weave || s.Value != 6 || len(s.A) != len(l.States) || len(s.B[0]) != len(l.Inputs) ||
			len(s.C) != len(l.Outputs) || s.Transfer.Input != "steer.torque" || len(s.Response) != 3 ||
			s.Response[2].Omega != 10 {
			t.Errorf("%+v", l)
		}
		if len(l.Limits) > 0 {
			t.Errorf("stability limits without --modes: %+v", l.Limits)
		}
		decodeJSON(t, good, &l, "linearize", "bicycle_rolling", "--at", "speed=4:5:1", "--modes", "--json")
		if m := l.Systems[1].Modes; len(l.Limits) != 1 || math.Abs(l.Limits[0].Value-4.292382536341) > 1e-8 ||
			l.Limits[0].Before.Oscillatory != 1 || l.Limits[0].From.Oscillatory != 0 || l.Limits[0].Mode != "weave" ||
			len(m) != 3 || m[1].Name != "weave" || *m[1].Likeness != 1 {
			t.Errorf("limits %+v, modes %+v", l.Limits, m)
		}
	})
	t.Run("tire", func(t *testing.T) {
		var function struct {
			Function, Text  string
			Inputs, Outputs []string
			Parameters      []struct {
				Name, Unit, Text string
				Default          *float64
			}
		}
		decodeJSON(t, good, &function, "tire", "Fiala", "--json")
		if function.Function != "Fiala" || !slices.Contains(function.Outputs, "Fy") || len(function.Parameters) < 5 {
			t.Errorf("%+v", function)
		}
		var rig struct {
			Model, File string
			Speed       float64
			Loads       []float64
			Figures     []struct {
				Figure, Unit, Definition string
				Values                   []*float64
			}
		}
		decodeJSON(t, good, &rig, append([]string{"tire", "rig", "fiala_generic4w", "--loads", "2000,4000", "--json"},
			core(t)...)...)
		// Morency (2007), Table A.7: slip stiffness 115 kN. The last figure, sigma_kappa, is null: the file has no
		// relaxation function.
		stiffness := rig.Figures[slices.IndexFunc(rig.Figures, func(f struct {
			Figure, Unit, Definition string
			Values                   []*float64
		}) bool {
			return f.Figure == "C_kappa"
		})]
		if !slices.Equal(rig.Loads, []float64{2000, 4000}) || stiffness.Unit != "kN" ||
			math.Abs(*stiffness.Values[0]-115) > 0.1 || rig.Figures[len(rig.Figures)-1].Values[0] != nil {
			t.Errorf("%+v", rig)
		}
	})
	t.Run("tire rig of two tires", func(t *testing.T) {
		type measured struct {
			Model, File string
			Speed       float64
			Loads       []float64
			Figures     []struct {
				Figure, Unit, Definition string
				Values                   []*float64
			}
		}
		var one measured
		var both []measured
		decodeJSON(t, good, &one, append([]string{"tire", "rig", "calspan_155SR13", "--loads", "3000", "--json"},
			core(t)...)...)
		decodeJSON(t, good, &both, append([]string{"tire", "rig", "fiala_generic4w", "calspan_155SR13", "--loads", "3000",
			"--json"}, core(t)...)...)
		if len(both) != 2 || both[0].Model != "Fiala" || both[1].Model != "Calspan" ||
			*both[1].Figures[0].Values[0] != *one.Figures[0].Values[0] {
			t.Errorf("%+v, alone %+v", both, one)
		}
		// without --loads, both tires are measured at the loads of the first, although the second has another nominal load
		decodeJSON(t, good, &both, append([]string{"tire", "rig", "fiala_generic4w",
			shippedFile("tires", "pacejka2002.toml"), "--json"}, core(t)...)...)
		if !slices.Equal(both[0].Loads, both[1].Loads) || both[1].Model != "Pacejka02" {
			t.Errorf("loads %v and %v", both[0].Loads, both[1].Loads)
		}
		for message, args := range map[string][]string{
			"given twice":  {"fiala_generic4w", "fiala_generic4w", "--loads", "3000"},
			"for one tire": {"fiala_generic4w", "calspan_155SR13", "--pressures", "2e5"},
		} {
			status, _, text := try(append(append([]string{"tire", "rig"}, args...), core(t)...)...)
			if status != wrongUsage || !strings.Contains(text, message) {
				t.Errorf("%v: status %d, %s", args, status, text)
			}
		}
	})
	t.Run("manoeuvre and compare", func(t *testing.T) {
		args := append([]string{"manoeuvre", "generic4w", "--manoeuvre", "brake"}, core(t)...)
		var figures map[string]any
		decodeJSON(t, good, &figures, append(args, "--json", "--out", w.path("ours"))...)
		for _, key := range []string{"manoeuvre", "title", "version", "ratio", "files", "constants", "runs", "figures"} {
			if figures[key] == nil {
				t.Errorf("no key %s in %v", key, figures)
			}
		}
		var result struct {
			Title, Ours, Reference string
			Shift                  float64
			Pass                   bool
			Corridors              []struct {
				Run, X, Y         string
				Samples           int
				Inside, Worst, At *float64
				Pass              bool
			}
			Figures []struct {
				Run, Figure, Unit        string
				Reference, Ours, Allowed *float64
				Pass                     bool
			}
		}
		by := w.file("by.toml", `title = "t"
[[corridor]]
x = "time"
y = "body.vx"
y_offset = 1e-9
`)
		decodeJSON(t, good, &result, "compare", w.path("ours"), w.path("ours"), "--by", by, "--json")
		if !result.Pass || len(result.Corridors) != 1 || *result.Corridors[0].Inside != 1 || len(result.Figures) == 0 ||
			*result.Figures[0].Ours != *result.Figures[0].Reference {
			t.Errorf("%+v", result)
		}
		other := w.file("other.csv", "time,body.vx\n0,1\n100,1\n")
		decodeJSON(t, failed, &result, "compare", filepath.Join(w.path("ours"), "run_1.parquet"), other, "--by", by, "--json")
		if result.Pass || result.Corridors[0].Pass {
			t.Errorf("%+v", result)
		}
	})
	t.Run("sweep", func(t *testing.T) {
		args := append([]string{"sweep", "generic4w", "--manoeuvre", "generic4w_sine", "--param", "body.mass=1900,2000",
			"--record", "body.wz", "--duration", "0.1"}, core(t)...)
		var table struct {
			Columns []string
			Rows    [][]*float64
			Facts   map[string]string
		}
		decodeJSON(t, good, &table, append(args, "--json")...)
		if !slices.Equal(table.Columns, []string{"body.mass", "end", "body.wz.last", "body.wz.least", "body.wz.largest",
			"warnings"}) ||
			len(table.Rows) != 2 || *table.Rows[1][0] != 2000 || *table.Rows[1][1] != 0.1 ||
			table.Facts["model"] != "generic4w.toml" || table.Facts["manoeuvre"] != "generic4w_sine" {
			t.Errorf("%+v", table)
		}
	})
}

// The name of a shipped model, manoeuvre or tire stands for its path wherever a command takes one.
func TestNamesStandForPaths(t *testing.T) {
	testrun.Slow(t)
	w := newWorkshop(t)
	run := w.path("run.csv")
	same := func(byName, byPath []string) {
		t.Helper()
		nameStatus, nameOut, nameErrs := try(byName...)
		pathStatus, pathOut, _ := try(byPath...)
		if nameStatus != good || pathStatus != good || nameOut != pathOut {
			t.Errorf("%q: status %d, %s; %q: status %d", byName, nameStatus, nameErrs, byPath, pathStatus)
		}
	}
	model, sine := shippedFile("models", "generic4w.toml"), shippedFile("manoeuvres", "generic4w_sine.toml")
	short := append([]string{"--duration", "0.01"}, core(t)...)
	same(append([]string{"simulate", "generic4w", "--manoeuvre", "generic4w_sine"}, short...),
		append([]string{"simulate", model, "--manoeuvre", sine}, short...))
	vary := append(short, "--param", "body.mass=1900,2000", "--record", "body.wz")
	same(append([]string{"sweep", "generic4w", "--manoeuvre", "generic4w_sine"}, vary...),
		append([]string{"sweep", model, "--manoeuvre", sine}, vary...))
	for _, model := range []string{"pendulum", shippedFile("models", "pendulum.toml")} {
		same([]string{"generate", "pendulum", "--target", "c", "--out", w.path("c")},
			[]string{"generate", model, "--target", "c", "--out", w.path("c")})
	}
	same([]string{"linearize", "bicycle_rolling", "--at", "speed=5"},
		[]string{"linearize", shippedFile("models", "bicycle_rolling.toml"), "--at", "speed=5"})
	in := w.file("in.csv", "S,Fz,Omega,alpha\n0.01,5000,50,0\n")
	same([]string{"tire", "fiala_generic4w", "--in", in},
		[]string{"tire", shippedFile("tires", "fiala_generic4w.toml"), "--in", in})
	rig := append([]string{"--loads", "2000,4000"}, core(t)...)
	same(append([]string{"tire", "rig", "fiala_generic4w", "--relaxation", "stretched_string"}, rig...),
		append([]string{"tire", "rig", shippedFile("tires", "fiala_generic4w.toml"), "--relaxation",
			shippedFile("tires", "stretched_string.toml")}, rig...))
	if status, _, stderr := try(append([]string{"simulate", "generic4w", "--manoeuvre", "generic4w_sine", "--out", run},
		short...)...); status != good {
		t.Fatal(stderr)
	}
	for _, args := range [][]string{
		{"animate", run, "--model", "generic4w", "--manoeuvre", "generic4w_sine", "-o", w.path("run.html")},
		{"tire", "convert", "mf61_205_60R15", w.path("mf61.toml")},
		{"pack", "pendulum", "-o", w.path("pendulum.fmu"), "--binaries", built.Binaries(t)},
	} {
		if status, _, stderr := try(args...); status != good {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
}

// The rig measures a .tir file that lacks coefficients of the relaxation: it reports these coefficients and omits the
// relaxation lengths. With the file as --relaxation, the command fails.
func TestATireWithoutRelaxationIsMeasured(t *testing.T) {
	newWorkshop(t)
	file := shippedFile("tires", "pacejka2002.tir")
	args := append([]string{"tire", "rig", file, "--loads", "2000,4000"}, core(t)...)
	status, stdout, stderr := try(args...)
	if status != good || !strings.Contains(stdout, "C_alpha") || !strings.Contains(stdout, "sigma_alpha  m       -") ||
		!strings.Contains(stderr, "relaxation lengths are not measured: pacejka2002.tir:1:1: PTY2") {
		t.Errorf("status %d, %s%s", status, stdout, stderr)
	}
	if status, _, stderr := try(append(args, "--relaxation", file)...); status != failed ||
		!strings.Contains(stderr, "PTY2") {
		t.Errorf("status %d, %s", status, stderr)
	}
}

// `schema --write FOLDER` writes for each kind of file the text that `schema KIND` prints. A kind and --write together,
// neither of them, or an unknown kind are errors.
func TestSchemasAreWritten(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "schemas")
	if status, _, message := try("schema", "--write", folder); status != 0 {
		t.Fatal(message)
	}
	for _, kind := range schema.Kinds {
		written, err := os.ReadFile(filepath.Join(folder, kind+".schema.json"))
		if err != nil {
			t.Fatal(err)
		}
		if status, printed, message := try("schema", kind); status != 0 || printed != string(written) {
			t.Errorf("%s: status %d, %s", kind, status, message)
		}
	}
	for _, args := range [][]string{{"schema"}, {"schema", "car", "--write", folder}, {"schema", "cars"}} {
		if status, _, message := try(args...); status == 0 || !strings.Contains(message, "manoeuvre") {
			t.Errorf("%v: status %d, %q", args, status, message)
		}
	}
}
