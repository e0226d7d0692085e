package evaluate

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// onTerrain is the generic vehicle on terrain in place of a plane road.
func onTerrain(t *testing.T) string {
	t.Helper()
	data, err := os.ReadFile(genericModel)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	data = regexp.MustCompile(`(?m)^type = "road"$`).ReplaceAll(data, []byte(`type = "terrain"`))
	data = regexp.MustCompile(`\.\./tires/`).ReplaceAll(data, nil)
	for _, name := range []string{"pacejka2002.toml", "stretched_string.toml"} {
		tire, err := os.ReadFile(built.Path("resources", "tires", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), tire, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(folder, "generic4w.toml")
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// On a slope of 20 % held brakes let a car creep less than a millimetre in 5 s, and on level ground it stands
// without chatter
// (manoeuvres specification, 4.3 and 6). Where the left has more grip a braked car pulls to the left, and its driver
// steers to the right. Four times the density of a road makes twice the accelerations of a car that is nearly linear.
func TestManoeuvresOnTerrain(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	model := onTerrain(t)
	run := func(name string, settings []manoeuvre.Setting, replaced ...manoeuvre.ConstantValue) *Result {
		t.Helper()
		e := evaluator(library, model, settings...)
		e.Replaced = replaced
		result, err := e.Evaluate(built.Manoeuvre(name))
		if err != nil {
			t.Fatal(err)
		}
		if verdict := result.Runs[0].Result.Verdict; verdict != "" {
			t.Fatalf("%s: %s", name, verdict)
		}
		return result
	}
	slope := run("slope", nil)
	if creep := value(t, slope.Runs[0].Figures, "creep"); !(creep < 1e-3) {
		t.Errorf("the car creeps %g m on a slope", creep)
	}
	for _, p := range slope.Runs[0].Result.Phases {
		if p.Name == "rest" {
			r := slope.Runs[0].Record
			if pitch := -math.Atan(0.2); math.Abs(r.Pitch[int(math.Round(p.End*1000))]-pitch) > 0.02 {
				t.Errorf("at rest the car is pitched by %g rad, the slope by %g", r.Pitch[int(math.Round(p.End*1000))],
					pitch)
			}
		}
	}
	plank := run("plank", nil).Runs[0].Figures
	if load := value(t, plank, "load_max"); !(load > 1.5*6000) {
		t.Errorf("on a plank the largest load is %g N", load)
	}
	split := run("split_friction", nil).Runs[0]
	if delta := value(t, split.Figures, "delta_H_max"); !(delta < -5*degree) {
		t.Errorf("with less grip on the right the driver steers %g rad", delta)
	}
	if !testrun.All() {
		return
	}
	stand := run("standing", nil)
	if speed := value(t, stand.Runs[0].Figures, "speed_rms"); !(speed < 1e-6) {
		t.Errorf("the car stands with %g m/s", speed)
	}
	if yaw := value(t,
		run("split_friction", []manoeuvre.Setting{{Name: "road.friction_right", Value: "1"},
			{Name: "road.friction_left", Value: "0.3"}}).Runs[0].Figures, "delta_H_max"); !(yaw > 5*degree) {
		t.Errorf("with less grip on the left the driver steers %g rad", yaw)
	}
	var rms [2]float64
	for i, class := range []string{"A", "B"} {
		rms[i] = value(t, run("rough_road", []manoeuvre.Setting{{Name: "road.class", Value: class}},
			manoeuvre.ConstantValue{Name: "duration", Value: 4},
			manoeuvre.ConstantValue{Name: "segment", Value: 3}).Runs[0].Figures, "a_wz")
	}
	if ratio := rms[1] / rms[0]; math.Abs(ratio-2) > 0.1 {
		t.Errorf("four times the density makes %g times the acceleration", ratio)
	}
}
