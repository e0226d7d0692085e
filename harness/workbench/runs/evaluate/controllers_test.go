package evaluate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/runs/drive"
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

// bothPedals is a law of two pedals in a vehicle: the brakes are limited, the throttle follows its pedal slowly and by
// the speed. Its sums have two terms, because the engine orders the terms of longer ones.
const bothPedals = `base = "passenger_car"
name = "BothPedals"
title = "Passenger car with a law of two pedals"
[component.law]
type = "sampled-equations"
sample = "10 ms"
inputs = [
  { name = "brake", unit = "N.m", from = "@brake" },
  { name = "gas", unit = "1", from = "@throttle" },
  { name = "v", unit = "m/s", from = "@chassis.vx" },
]
states = [{ name = "z", unit = "1", next = "select(gas > z, min(gas, z + 0.03125), max(gas, z - 0.03125))" }]
outputs = [
  { name = "torque", unit = "N.m", value = "min(brake, 1000)", to = ["@brake"] },
  { name = "throttle", unit = "1", value = "max(0, min(1, z - 0.0625*abs(15 - v)))", to = ["@throttle"] },
]
`

// pedals is the same law outside of the vehicle.
type pedals struct {
	z             float64
	calls, begins int
	ends          []string
	failAt        float64 // s, 0 for never
	wrong         float64 // added to the torque
}

func (p *pedals) Begin(*manoeuvre.Manoeuvre) error {
	p.z, p.calls = 0, 0
	p.begins++
	return nil
}

func (p *pedals) Act(t float64, signals, outputs []float64) error {
	if p.failAt > 0 && t >= p.failAt {
		return errors.New("too hot")
	}
	if want := 0.01 * float64(p.calls); math.Abs(t-want) > 1e-9 {
		return fmt.Errorf("sample %d is at %g s", p.calls, t)
	}
	p.calls++
	brake, gas, v := signals[0], signals[1], signals[2]
	outputs[0] = min(brake, 1000) + p.wrong
	lack := 0.0625 * math.Abs(15-v)
	outputs[1] = max(0, min(1, p.z-lack))
	if gas > p.z {
		p.z = min(gas, p.z+0.03125)
	} else {
		p.z = max(gas, p.z-0.03125)
	}
	return nil
}

func (p *pedals) End(verdict string) error {
	p.ends = append(p.ends, verdict)
	return nil
}

// A program outside of the vehicle gives the bits of the same law in the vehicle, in a manoeuvre whose speed control
// and signals set both pedals.
func TestProgramsEqualTheLawInTheVehicle(t *testing.T) {
	testrun.Slow(t)
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "both.toml")
	if err := os.WriteFile(file, []byte(bothPedals), 0o600); err != nil {
		t.Fatal(err)
	}
	run := func(model string, control *drive.Control) (*Result, error) {
		e := evaluator(l, model)
		e.Control = control
		e.Replaced = []manoeuvre.ConstantValue{{Name: "speed", Value: 15}}
		return e.Evaluate(built.Manoeuvre("brake"))
	}
	inside, err := run(file, nil)
	if err != nil {
		t.Fatal(err)
	}
	program := &pedals{}
	control := func(sample float64, outputs ...string) *drive.Control {
		return &drive.Control{Sample: sample, Signals: []string{"@brake", "@throttle", "@chassis.vx"}, Outputs: outputs,
			Program: program}
	}
	outside, err := run(built.Model("passenger_car"), control(0.01, "@brake", "@throttle"))
	if err != nil {
		t.Fatal(err)
	}
	a, b := inside.Runs[0], outside.Runs[0]
	if len(a.Figures) < 10 || len(a.Figures) != len(b.Figures) {
		t.Fatalf("%d figures inside, %d outside", len(a.Figures), len(b.Figures))
	}
	for i, f := range a.Figures {
		if o := b.Figures[i]; math.Float64bits(f.Value) != math.Float64bits(o.Value) || f.ID != o.ID {
			t.Errorf("%s is %.17g inside, %.17g outside", f.ID, f.Value, o.Value)
		}
	}
	rows := len(b.Record.Time)
	if program.begins != 1 || len(program.ends) != 1 || program.ends[0] != "" || program.calls != (rows-1+9)/10 {
		t.Errorf("%d begins, %q ends, %d samples in %d rows", program.begins, program.ends, program.calls, rows)
	}
	if torque := b.Result.Inputs.Column("brakes.torque"); slices.Max(torque) != 1000 {
		t.Errorf("the torque that is recorded reaches %g N m", slices.Max(torque))
	}
	program.failAt = 2.5
	failed, err := run(built.Model("passenger_car"), control(0.01, "@brake", "@throttle"))
	if err != nil {
		t.Fatal(err)
	}
	const verdict = "at 2.5 s: too hot"
	if failed.Runs[0].Result.Verdict != verdict || failed.Failures() == nil || program.ends[1] != verdict {
		t.Errorf("verdict %q, ends %q", failed.Runs[0].Result.Verdict, program.ends)
	}
	program.failAt, program.wrong = 0, math.NaN()
	if failed, err = run(built.Model("passenger_car"), control(0.01, "@brake", "@throttle")); err != nil ||
		failed.Runs[0].Result.Verdict != "at 0 s: the control sets @brake to NaN; it must be a finite number" {
		t.Errorf("%v, %v", failed, err)
	}
	for want, c := range map[string]*drive.Control{
		"control: the sample is 0.0015 s; it must be a whole number of communication steps of 0.001 s, such as " +
			"0.002 s": control(0.0015, "@brake"),
		"control: there are no outputs":                    control(0.01),
		"control: brakes.torque is named twice":            control(0.01, "@brake", "brakes.torque"),
		"control: steering.angle belongs to a motion that": control(0.01, "@steering.angle"),
		`control: the model has no variable "body.x1"`: {Sample: 0.01, Signals: []string{"body.x1"},
			Outputs: []string{"@brake"}},
		`control: @clutch needs the role "clutch"`: control(0.01, "@clutch"),
		"control: body.vx is an output":            control(0.01, "body.vx"),
	} {
		c.Program = program
		if _, err := run(built.Model("passenger_car"), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want %q", err, want)
		}
	}
}
