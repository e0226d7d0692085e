package cardraft

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/evaluate"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// renamed is the generic vehicle whose chassis is called hull and whose tires are called w1 to w4, without roles, and
// the car file with its roles.
func renamed(t *testing.T) (model, car string) {
	t.Helper()
	text, err := os.ReadFile(built.Model("generic4w"))
	if err != nil {
		t.Fatal(err)
	}
	folder, err := filepath.Abs(built.Path("resources"))
	if err != nil {
		t.Fatal(err)
	}
	hull := regexp.MustCompile(`(["\[.*])body\b`).ReplaceAllString(string(text), "${1}hull")
	other := strings.NewReplacer(`"../`, `"`+filepath.ToSlash(folder)+`/`, "tire_FL", "w1", "tire_FR", "w2",
		"tire_RL", "w3", "tire_RR", "w4").Replace(hull)
	before, rest, found := strings.Cut(other, "[roles]\n")
	own, after, ends := strings.Cut(rest, "[component.road]\n")
	if !found || !ends {
		t.Fatal("the generic vehicle has its roles elsewhere")
	}
	model, car = filepath.Join(t.TempDir(), "hull.toml"), filepath.Join(t.TempDir(), "car.toml")
	for file, text := range map[string]string{model: before + "[component.road]\n" + after, car: "[roles]\n" + own} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return model, car
}

// opener makes a model file or an FMU.
func opener(t *testing.T, path string) func() (drive.Subject, func(), error) {
	t.Helper()
	if filepath.Ext(path) != ".fmu" {
		v, _ := vehicle(t, path, "")
		return v.Open
	}
	f, err := library.OpenFMU(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return func() (drive.Subject, func(), error) {
		c, err := f.Instantiate(f.ModelName, f.Token)
		if err != nil {
			return nil, nil, err
		}
		return c, func() { c.Close() }, nil
	}
}

// manoeuvresForAll are the manoeuvres for any car: a few, or with SKIDPAD_ALL_MANOEUVRES all.
func manoeuvresForAll(t *testing.T) map[string][]manoeuvre.ConstantValue {
	t.Helper()
	list := map[string][]manoeuvre.ConstantValue{
		"brake":      {{Name: "speed", Value: 10}},
		"step_steer": {{Name: "delta", Value: 0.4}, {Name: "side", Value: 1}},
	}
	if os.Getenv("SKIDPAD_ALL_MANOEUVRES") == "" {
		return list
	}
	files, err := filepath.Glob(built.Manoeuvre("*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if text, err := os.ReadFile(file); err == nil && strings.Contains(string(text), "\ncars = ") {
			list[strings.TrimSuffix(filepath.Base(file), ".toml")] = nil
		}
	}
	return list
}

// A vehicle with renamed parts, as model file and as FMU 2.0 and 3.0, needs only a car file to have the figures of its
// twin, to the last bit. An FMU of the twin needs no car file. The renamed vehicle rejects the same manoeuvres as its
// twin.
func TestARenamedVehicleHasTheFiguresOfItsTwin(t *testing.T) {
	testrun.OnlyAll(t)
	t.Parallel()
	other, car := renamed(t)
	twin := built.Model("generic4w")
	pairs := [][2]string{{twin, other}}
	for version := 2; version <= 3; version++ {
		pairs = append(pairs, [2]string{built.FMU(t, twin, version), built.FMU(t, other, version)})
	}
	for _, pair := range pairs {
		var open [2]func() (drive.Subject, func(), error)
		for i, path := range pair {
			open[i] = opener(t, path)
		}
		for name, replaced := range manoeuvresForAll(t) {
			var results [2]*evaluate.Result
			var failures [2]error
			for i, path := range pair {
				with := []string{"", car}[i]
				target, err := modelfile.Target(path, with)
				if err != nil {
					t.Fatal(err)
				}
				target.Find = func(r *roles.Roles) (map[string]float64, error) { return (&Vehicle{open[i], r}).Find() }
				e := evaluate.Evaluator{Target: target, Open: open[i], Replaced: replaced}
				results[i], failures[i] = e.Evaluate(built.Manoeuvre(name))
			}
			if (failures[0] == nil) != (failures[1] == nil) {
				t.Errorf("%s of %s: %v; twin: %v", name, pair[1], failures[1], failures[0])
			} else if failures[0] == nil {
				sameFigures(t, name+" of "+filepath.Base(pair[1]), results)
			}
		}
	}
}

// sameFigures compares the figures of all runs bit by bit.
func sameFigures(t *testing.T, what string, results [2]*evaluate.Result) {
	t.Helper()
	if len(results[0].Runs) != len(results[1].Runs) {
		t.Fatalf("%s: %d and %d runs", what, len(results[0].Runs), len(results[1].Runs))
	}
	count := 0
	for i := range results[0].Runs {
		one, other := results[0].Runs[i].Figures, results[1].Runs[i].Figures
		if len(one) != len(other) {
			t.Fatalf("%s: %d and %d figures", what, len(one), len(other))
		}
		for k := range one {
			count++
			if math.Float64bits(one[k].Value) != math.Float64bits(other[k].Value) {
				t.Errorf("%s: %s is %v, of the twin %v", what, one[k].ID, other[k].Value, one[k].Value)
			}
		}
	}
	if count == 0 {
		t.Errorf("%s has no figures", what)
	}
}
