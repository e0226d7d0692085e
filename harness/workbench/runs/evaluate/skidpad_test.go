package evaluate

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/template"
	"skidpad/harness/workbench/runs/cardraft"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/model/roles"
)

// On a circle of 9.125 m at a slow rise of the speed a car drives more than five laps. It finds the same largest
// lateral acceleration as on a path of 60 laps, v^2/R there. A path of five laps ends the run with a verdict, without
// a largest one.
func TestTheSkidpadOfFormulaStudentHasNoEnd(t *testing.T) {
	testrun.OnlyAll(t)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "car")
	car, err := template.Find("formula-student")
	if err != nil {
		t.Fatal(err)
	}
	if err := car.Write(folder); err != nil {
		t.Fatal(err)
	}
	shipped, err := os.ReadFile(built.Manoeuvre("circle_radius"))
	if err != nil {
		t.Fatal(err)
	}
	run := func(laps string) *Run {
		const path = `radius = "side*radius" }`
		if !strings.Contains(string(shipped), path) {
			t.Fatal("the shipped circle has laps")
		}
		text := strings.Replace(string(shipped), path, `radius = "side*radius"`+laps+" }", 1)
		file := filepath.Join(folder, "circle.toml")
		text = strings.Replace(text, `cars = "../cars"`, `cars = "."`, 1)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		e := evaluator(library, filepath.Join(folder, "vehicle.toml"))
		e.Find = func(o *roles.Roles) (map[string]float64, error) {
			return (&cardraft.Vehicle{Roles: o, Open: e.Open}).Find()
		}
		for name, x := range map[string]float64{"radius": 9.125, "speed": 3, "lateral_rate": 0.3, "end": 20, "side": 1} {
			e.Replaced = append(e.Replaced, manoeuvre.ConstantValue{Name: name, Value: x})
		}
		result, err := e.Evaluate(file)
		if err != nil {
			t.Fatal(err)
		}
		return &result.Runs[0]
	}
	endless, many, few := run(""), run(", laps = 60"), run(", laps = 5")
	largest := value(t, endless.Figures, "a_y_max")
	if want := value(t, many.Figures, "a_y_max"); !(math.Abs(largest-want) < 1e-6*want) {
		t.Errorf("a_y_max is %g m/s2 without an end, %g in 60 laps", largest, want)
	}
	at := endless.Record.Time[len(endless.Record.Time)-1]
	for i, a := range endless.Record.Lateral {
		if a == largest {
			at = endless.Record.Time[i]
			v := endless.Record.Speed[i]
			if !(math.Abs(v*v/9.125-largest) < 0.1*largest) {
				t.Errorf("a_y_max is %g m/s2, v2/R there %g", largest, v*v/9.125)
			}
		}
	}
	if !(largest > 11) || !(at > 45) || !strings.HasPrefix(endless.Result.Verdict, "left the circle at ") {
		t.Errorf("a_y_max is %g m/s2 at %g s, the verdict %q", largest, at, endless.Result.Verdict)
	}
	if !strings.HasPrefix(few.Result.Verdict, "the driver looked beyond the end of the path of phase ramp at ") {
		t.Errorf("in 5 laps the verdict is %q", few.Result.Verdict)
	}
	for _, f := range few.Figures {
		if f.ID == "a_y_max" && !strings.Contains(f.Missing, few.Result.Verdict) {
			t.Errorf("in 5 laps a_y_max is %g m/s2 (%s)", f.Value, f.Missing)
		}
	}
}
