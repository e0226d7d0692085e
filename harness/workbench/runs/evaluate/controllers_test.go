package evaluate

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// limitedBrakes stand between the driver and the brakes: at most 1000 N m, from a sample each 10 ms.
const limitedBrakes = `base = "passenger_car"
name = "LimitedBrakes"
title = "Passenger car with limited brakes"
[component.limit]
type = "sampled-equations"
sample = "10 ms"
inputs = [{ name = "pedal", unit = "N.m", from = "@brake" }]
outputs = [{ name = "torque", unit = "N.m", value = "min(pedal, 1000)", to = ["@brake"] }]
intervenes = "pedal > 1000"
[component.idle]
type = "sampled-equations"
sample = "10 ms"
inputs = [{ name = "pedal", unit = "N.m", from = "@brake" }]
outputs = [{ name = "torque", unit = "N.m", value = "pedal" }]
intervenes = "pedal < 0"
`

// The demand of the brake manoeuvre rises over 0.2 s to 6.2 m/s2 times 340 N m s2/m = 2108 N m, so it is 1000 N m after
// 0.0949 s of the phase, and the sample at 0.10 s sees more. It stays so to the end of the run. Another controller
// never intervenes. The car stops later than with free brakes.
func TestInterventionsOfControllers(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "limited.toml")
	if err := os.WriteFile(file, []byte(limitedBrakes), 0o600); err != nil {
		t.Fatal(err)
	}
	e := evaluator(l, file)
	e.Replaced = []manoeuvre.ConstantValue{{Name: "speed", Value: 15}}
	result, err := e.Evaluate(built.Manoeuvre("brake"))
	if err != nil {
		t.Fatal(err)
	}
	run := result.Runs[0]
	end, begin := run.Record.Time[len(run.Record.Time)-1], run.Record.Phases[1].Begin
	for id, want := range map[string]float64{"interventions_limit": 1, "intervening_limit": end - begin - 0.1,
		"interventions_idle": 0, "intervening_idle": 0} {
		if got := value(t, run.Figures, id); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %g; want %g", id, got, want)
		}
	}
	for _, f := range run.Figures {
		if f.ID == "interventions_limit" && math.Abs(f.Time-(begin+0.101)) > 1e-9 {
			t.Errorf("the first intervention is seen at %g s; the phase begins at %g s", f.Time, begin)
		}
	}
	// 1000 N m of 340 N m s2/m are 2.94 m/s2, and the drag of the engine in gear and of the air add less than 1 m/s2
	if a := value(t, run.Figures, "mean_deceleration"); !(a > 2.9 && a < 3.95) {
		t.Errorf("the mean deceleration is %g m/s2", a)
	}
	var text, page, data bytes.Buffer
	if err := result.WriteSummary(&text); err != nil {
		t.Fatal(err)
	}
	if err := result.WriteReport(&page); err != nil {
		t.Fatal(err)
	}
	if err := result.WriteJSON(&data); err != nil || !json.Valid(data.Bytes()) {
		t.Fatal(err)
	}
	for _, of := range []bytes.Buffer{text, page, data} {
		for _, id := range []string{"interventions_limit", "intervening_limit", "interventions_idle"} {
			if !strings.Contains(of.String(), id) {
				t.Errorf("%s is not in %.200s", id, of.String())
			}
		}
	}
}
