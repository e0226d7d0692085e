package evaluate

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// A car that spins, rolls over or leaves the ground ends its run with a verdict, which is in all written files.
func TestSpinningAndRollingCarsEndWithAVerdict(t *testing.T) {
	testrun.Slow(t)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		verdict, manoeuvre string
		settings           []manoeuvre.Setting
		replaced           []manoeuvre.ConstantValue
	}{
		{"rolled over", "fishhook", []manoeuvre.Setting{{Name: "road.mu", Value: "1.6"}},
			[]manoeuvre.ConstantValue{{Name: "A", Value: 23.8 * degree}, {Name: "side", Value: 1},
				{Name: "speed", Value: 22}}},
		// the rear wheels alone lock
		{"spun", "brake_in_turn", nil, []manoeuvre.ConstantValue{{Name: "deceleration", Value: 15}}},
		{"left the ground", "brake", []manoeuvre.Setting{{Name: "body.z", Value: "2"}}, nil},
	} {
		e := evaluator(library, genericModel, c.settings...)
		e.Replaced = c.replaced
		files := []string{c.manoeuvre + ".toml", "generic4w.toml"}
		if c.verdict == "spun" {
			e.Car = filepath.Join(t.TempDir(), "rear.toml")
			rear := `[[roles.brake]]
inputs = ["brake_RL.torque", "brake_RR.torque"]
factor = 145
`
			if err := os.WriteFile(e.Car, []byte(rear), 0o600); err != nil {
				t.Fatal(err)
			}
			files = append(files, "cars/rear.toml")
		}
		result, err := e.Evaluate(built.Manoeuvre(c.manoeuvre))
		if err != nil {
			t.Fatal(err)
		}
		run := result.Runs[0].Result
		if !strings.HasPrefix(run.Verdict, c.verdict+" at ") {
			t.Errorf("%s: the verdict is %q, want %q", c.manoeuvre, run.Verdict, c.verdict)
		}
		if c.verdict == "rolled over" &&
			!(value(t, result.Runs[0].Figures, "two_wheel_lift") == 1 &&
				value(t, result.Runs[0].Figures, "lift_max") > 0.5) {
			t.Errorf("%s: a car that has rolled over has no wheels in the air: %+v", c.manoeuvre,
				result.Runs[0].Figures)
		}
		var table, page, data bytes.Buffer
		if err := result.WriteTable(&table); err != nil {
			t.Error(err)
		}
		if err := result.WriteReport(&page); err != nil {
			t.Error(err)
		}
		if err := result.WriteJSON(&data, genericModel, built.Manoeuvre(c.manoeuvre)); err != nil {
			t.Error(err)
		}
		for _, file := range files {
			if !strings.Contains(data.String(), `"`+file+`": "`) {
				t.Errorf("%s: the JSON has no hash of %s", c.manoeuvre, file)
			}
		}
		for name, text := range map[string]string{"table": table.String(), "report": page.String(),
			"JSON": data.String()} {
			if !strings.Contains(text, run.Verdict) {
				t.Errorf("%s: the %s does not say %q", c.manoeuvre, name, run.Verdict)
			}
		}
	}
}
