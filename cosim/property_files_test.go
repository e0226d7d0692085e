package cosim_test

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/cosim"
)

// edited loads the generic vehicle with its model file changed, beside changed property files.
func edited(t *testing.T, change func(model string) string, tires map[string]func(text string) string) *cosim.System {
	t.Helper()
	folder := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	files, err := filepath.Glob("../resources/tires/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range append(files, "../resources/models/generic4w.toml") {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		name := strings.TrimPrefix(file, "../resources/")
		if name == "models/generic4w.toml" {
			text = change(text)
		} else if f := tires[filepath.Base(file)]; f != nil {
			text = f(text)
		}
		write(name, text)
	}
	s, err := cosim.Load(filepath.Join(folder, "models", "generic4w.toml"), cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// bySide gives the tires of the generic vehicle a property file and sides.
func bySide(function, file string) func(model string) string {
	return func(model string) string {
		model = strings.ReplaceAll(model, `file = "../tires/pacejka2002.toml"`, "file = \"../tires/"+file+"\"")
		model = strings.ReplaceAll(model, `function = "Pacejka02"`, "function = \""+function+"\"")
		for side, letter := range map[string]string{"left": "L", "right": "R"} {
			for _, axle := range []string{"F", "R"} {
				heading := "[component.tire_" + axle + letter + "]\n"
				model = strings.Replace(model, heading, heading+"side = \""+side+"\"\n", 1)
			}
		}
		return model
	}
}

// The parameters of Table A.4 give the same tire from a property file, named in the model or set at load time.
func TestPropertyFilesEqualTheirTires(t *testing.T) {
	drive := func(s *cosim.System, file string) (states []float64) {
		r := instance(t, s, "rk4", 0.001)
		for _, wheel := range []string{"FL", "FR", "RL", "RR"} {
			if err := r.in.SetText("tire_"+wheel+".file", file); err != nil {
				t.Fatal(err)
			}
		}
		r.set("steer_FL.angle", 0.03)
		r.start(noInput)
		for range 200 {
			if err := r.in.Step(0.001); err != nil {
				t.Fatal(err)
			}
			states = append(states, r.get("tire_FL.Fy"), r.get("body.wz"))
		}
		return states
	}
	same := func(what string, a, b []float64) {
		t.Helper()
		for i := range a {
			if a[i] != b[i] {
				t.Fatalf("%s: %g, not %g", what, b[i], a[i])
			}
		}
	}
	shipped := load(t, "generic4w", "")
	want := drive(shipped, "../tires/pacejka2002.toml")
	same("set at load time", want, drive(shipped, "../tires/pacejka2002.tir"))
	model := edited(t, func(text string) string {
		return strings.ReplaceAll(text, "pacejka2002.toml", "pacejka2002.tir")
	}, nil)
	same("named in the model", want, drive(model, "../tires/pacejka2002.tir"))
}

// Left and right tires of one file are mirrors of each other. A vehicle therefore keeps running straight, also with
// plysteer and conicity. Without sides it drifts. The same holds for sides set at load time.
func TestMirroredTiresRunStraight(t *testing.T) {
	drift := func(s *cosim.System, texts map[string]string) (y, fy float64) {
		r := instance(t, s, "rk4", 0.001)
		for name, text := range texts {
			if err := r.in.SetText(name, text); err != nil {
				t.Fatal(err)
			}
		}
		r.start(noInput)
		for range 1000 {
			if err := r.in.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
		return r.get("body.y"), r.get("tire_FL.Fy") + r.get("tire_FR.Fy")
	}
	if y, _ := drift(load(t, "generic4w", ""), nil); math.Abs(y) < 0.01 {
		t.Errorf("without sides the vehicle drifts by %g m only", y)
	}
	for function, file := range map[string]string{"Pacejka02": "pacejka2002.tir", "MF61": "mf61_205_60R15.tir",
		"MF62": "mf62_205_60R15.tir"} {
		if y, fy := drift(edited(t, bySide(function, file), nil), nil); math.Abs(y) > 1e-9 || math.Abs(fy) > 1e-6 {
			t.Errorf("%s: the vehicle drifts by %g m, the front tires push with %g N", file, y, fy)
		}
	}
	sided := edited(t, bySide("Pacejka02", "pacejka2002.tir"), nil)
	texts := map[string]string{}
	for _, wheel := range []string{"FL", "FR", "RL", "RR"} {
		texts["tire_"+wheel+".model"], texts["tire_"+wheel+".file"] = "MF61", "../tires/mf61_205_60R15.tir"
	}
	if y, fy := drift(sided, texts); math.Abs(y) > 1e-9 || math.Abs(fy) > 1e-6 {
		t.Errorf("set at load time: the vehicle drifts by %g m, the front tires push with %g N", y, fy)
	}
}

// A tire that leaves the range of its parameters is reported once, and again when it leaves the range again. The
// published slip is the true slip. Unusual values in its file are reported at the start.
func TestRangeViolationsAreReportedOnce(t *testing.T) {
	s := edited(t, bySide("MF61", "mf61_205_60R15.tir"),
		map[string]func(string) string{"mf61_205_60R15.tir": func(text string) string {
			text = strings.Replace(text, "ALPMAX = 0.5", "ALPMAX = 0.02", 1)
			return strings.Replace(text, "[INERTIA]", "[INERTIAS]", 1)
		}})
	r := instance(t, s, "rk4", 0.001)
	r.start(noInput)
	if list := r.in.Warnings(); len(list) != 6 || !strings.Contains(list[4], "the sizes do not") ||
		!strings.Contains(list[5], "the relaxation comes from") || !strings.Contains(list[0], "mf61_205_60R15.tir:") ||
		!strings.Contains(list[0], "[INERTIAS]") {
		t.Errorf("warnings of the files: %q", list)
	}
	if list := r.in.RangeWarnings(); len(list) != 0 {
		t.Errorf("straight ahead: %q", list)
	}
	named, outside := 0, 0
	for k := range 2000 {
		r.set("steer_FL.angle", -0.06*math.Sin(2*math.Pi*float64(k)/1000))
		if err := r.in.Step(0.001); err != nil {
			t.Fatal(err)
		}
		if alpha := r.get("tire_FL.alpha"); alpha > 0.02 {
			outside++
		}
		for _, text := range r.in.RangeWarnings() {
			if strings.Contains(text, "tire_FL: at ") && strings.Contains(text, " alpha is ") &&
				strings.HasSuffix(text, "which ends at 0.02") {
				named++
			}
		}
	}
	if named != 2 || outside < 100 {
		t.Errorf("%d excursions of the left front tire are named in 2 waves; it was outside for %d steps", named,
			outside)
	}
}

// The option allow_downgrade of the model's entry also holds for files that are chosen at load time.
func TestDowngradesAreAllowedByTheEntry(t *testing.T) {
	for _, allowed := range []bool{false, true} {
		s := edited(t, func(model string) string {
			if !allowed {
				return model
			}
			return strings.ReplaceAll(model, "function = \"Pacejka02\"\n",
				"function = \"Pacejka02\"\nallow_downgrade = \"yes\"\n")
		}, nil)
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		if err := in.SetText("tire_RR.file", "../tires/mf62_205_60R15.tir"); err != nil {
			t.Fatal(err)
		}
		err = in.Initialise()
		if !allowed {
			if err == nil || !strings.Contains(err.Error(), "set allow_downgrade of the tire's force") {
				t.Errorf("a file of 6.2 for Pacejka02, not allowed: %v", err)
			}
			continue
		}
		if warnings := strings.Join(in.Warnings(), "\n"); err != nil || !strings.Contains(warnings, "tire_RR: ") ||
			!strings.Contains(warnings, "PKY6 = ") {
			t.Errorf("allowed: %v, warnings %s", err, warnings)
		}
	}
}
