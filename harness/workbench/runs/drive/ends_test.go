package drive_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// rolling is how the generic vehicle rolls over in a sine steer.
var rolling = []manoeuvre.Setting{{Name: "body.vx", Value: "25"}, {Name: "body.wz", Value: "2.5"}}

// sine is the sine steer of the generic vehicle, with more at the top of its file.
func sine(t *testing.T, more string) *manoeuvre.Manoeuvre {
	t.Helper()
	text := `name = "sine"
title = "Sine"
models = ["GenericVehicle"]
duration = 4
step = 0.02
` + more + `
[[input]]
drivers = ["steer_FL", "steer_FR"]
signal = { kind = "constant", value = 0.0 }
`
	m, err := manoeuvre.Parse("sine.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// A run ends at the first communication point after its end condition is met. The verdict has the time of the solver
// step, the name and the component. End conditions of the manoeuvre or the plan replace the defaults of the vehicle; a
// [[stop]] stays active.
func TestRunsEndAtARollOver(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	run := func(m *manoeuvre.Manoeuvre, endAt []manoeuvre.EndCondition) (*drive.Result, error) {
		vehicle, err := library.Load(built.Model("generic4w"), "")
		if err != nil {
			t.Fatal(err)
		}
		defer vehicle.Close()
		return drive.Simulate(vehicle, drive.Plan{Manoeuvre: m, Settings: rolling, EndAt: endAt})
	}
	formula := func(text string) []manoeuvre.EndCondition {
		c, err := manoeuvre.ParseEndAt(text, nil)
		if err != nil {
			t.Fatal(err)
		}
		return []manoeuvre.EndCondition{c}
	}
	const stop = `[[stop]]
verdict = "over"
when = { formula = "abs(body.roll)", above = 1.0 }`
	for _, c := range []struct {
		what, more string
		endAt      []manoeuvre.EndCondition
		verdict    string // beginning of the verdict, "" for a complete run
		roll       float64
		part       string // what else is in it
	}{
		{"default", "", nil, "rolled-over at ", 80, "s (body)"},
		{"named", `end_at = ["crushed", "rolled-over"]`, nil, "rolled-over at ", 80, "s (body)"},
		{"nothing", `end_at = []`, nil, "", 0, ""},
		{"none", `end_at = ["none"]`, nil, "", 0, ""},
		{"formula", `end_at = [{ formula = "abs(body.roll)", above = 0.5 }]`, nil, "abs(body.roll) above 0.5 at ", 28.6, ""},
		{"both", `end_at = ["rolled-over", { formula = "abs(body.roll)", above = 0.5 }]`, nil, "abs(body.roll) above",
			28.6, ""},
		{"stop", stop, nil, "over at ", 57.3, ""},
		{"plan", `end_at = []`, formula("rolled-over"), "rolled-over at ", 80, "(body)"},
		{"plan, none", "", formula("none"), "", 0, ""},
		{"plan, formula", "", formula(`{ formula = "-body.roll", below = -0.5 }`), "-body.roll below -0.5 at ", 28.6, ""},
	} {
		result, err := run(sine(t, c.more), c.endAt)
		if err != nil {
			t.Errorf("%s: %v", c.what, err)
			continue
		}
		end := result.Trace.Time[len(result.Trace.Time)-1]
		if !strings.HasPrefix(result.Verdict, c.verdict) || !strings.Contains(result.Verdict, c.part) ||
			(c.verdict == "") != (result.Verdict == "") || (end == 4) != (c.verdict == "") {
			t.Errorf("%s: %q at %g s", c.what, result.Verdict, end)
		}
		if c.verdict == "" {
			continue
		}
		roll, pitch := result.Trace.Column("body.roll"), result.Trace.Column("body.pitch")
		angle := func(k int) float64 { return math.Acos(math.Cos(roll[k])*math.Cos(pitch[k])) * 180 / math.Pi }
		if k := len(roll) - 1; !(angle(k) > c.roll-3 && angle(k-1) < c.roll+3) {
			t.Errorf("%s: the body leans by %g deg at the end, %g deg before", c.what, angle(k), angle(k-1))
		}
	}
	for text, says := range map[string]string{
		`end_at = ["rolled over"]`: "rolled-over", `end_at = ["fallen"]`: "fallen is for one or two wheels",
		`end_at = [{ formula = "nothing.x", above = 1 }]`: "nothing.x",
	} {
		if _, err := run(sine(t, text), nil); err == nil || !strings.Contains(err.Error(), says) ||
			!strings.Contains(err.Error(), "end_at") {
			t.Errorf("%s: %v", text, err)
		}
	}
	vehicle, err := library.Load(built.Model("double_pendulum"), "")
	if err != nil {
		t.Fatal(err)
	}
	defer vehicle.Close()
	m := sine(t, "")
	m.Inputs = nil
	if _, err := drive.Simulate(vehicle, drive.Plan{Manoeuvre: m, EndAt: formula("fallen")}); err == nil ||
		!strings.Contains(err.Error(), "fallen") {
		t.Errorf("a pendulum falls: %v", err)
	}
}

// The verdict has the time of the solver step, however long communication steps are; the run ends at the first of
// these after it.
func TestVerdictsHaveTheTimeOfTheSolverStep(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	verdict := ""
	for _, h := range []float64{0.001, 0.02, 0.05} { // solver steps are of 1 ms
		vehicle, err := library.Load(built.Model("generic4w"), "")
		if err != nil {
			t.Fatal(err)
		}
		result, err := drive.Simulate(vehicle, drive.Plan{Manoeuvre: sine(t, ""), Settings: rolling, Step: h})
		vehicle.Close()
		if err != nil {
			t.Fatal(err)
		}
		times := result.Trace.Time
		end := times[len(times)-1]
		if verdict == "" {
			verdict = fmt.Sprintf("rolled-over at %.6g s (body)", end)
		}
		var at float64
		if _, err := fmt.Sscanf(result.Verdict, "rolled-over at %f s", &at); err != nil || result.Verdict != verdict {
			t.Errorf("steps of %g s: %q, want %q; %v", h, result.Verdict, verdict, err)
		}
		if late := end - at; late < -1e-9 || late > h-0.001+1e-9 {
			t.Errorf("steps of %g s: the run ends at %g s, %g s after the condition", h, end, late)
		}
	}
}

// The vehicle's note on its solver comes with the run.
func TestNotesComeWithARun(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	for method, noted := range map[string]bool{"rk4": false, "adams-bashforth": true} {
		vehicle, err := library.Load(built.Model("generic4w"), "")
		if err != nil {
			t.Fatal(err)
		}
		result, err := drive.Simulate(vehicle, drive.Plan{Manoeuvre: sine(t, ""), Method: method})
		vehicle.Close()
		if err != nil {
			t.Fatal(err)
		}
		if has := len(result.Notes) == 1 && strings.HasPrefix(result.Notes[0], "with "+method); has != noted {
			t.Errorf("%s: notes %q", method, result.Notes)
		}
	}
	base, err := filepath.Abs(built.Model("generic4w"))
	if err != nil {
		t.Fatal(err)
	}
	raised := filepath.Join(t.TempDir(), "raised.toml")
	text := fmt.Sprintf(`base = %q
name = "Raised"
title = "Raised"
[component.body]
start = { position = [0, 0, 1.2] }
`, base)
	if err := os.WriteFile(raised, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	vehicle, err := library.Load(raised, "")
	if err != nil {
		t.Fatal(err)
	}
	defer vehicle.Close()
	result, err := drive.Simulate(vehicle, drive.Plan{Manoeuvre: sine(t, ""), Method: "rk4", Duration: 0.02})
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Notes) != 2 || !strings.HasPrefix(result.Notes[1], "warning: ") ||
		!strings.Contains(result.Notes[1], "the tire tire_FL is 0.28") || // 1.2 m less 0.9 m, and what the load deflects
		!strings.HasPrefix(result.Notes[0], "warning: ") ||
		!strings.Contains(result.Notes[0], "at the start the tires carry 0 N in all") {
		t.Errorf("in the air: notes %q", result.Notes)
	}
}
