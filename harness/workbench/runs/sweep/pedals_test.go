package sweep

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
)

// sliding is a mass on a rail, with a force and a damper.
const sliding = `name = "Sliding"
gravity = [0, 0, 0]
[component.rail]
type = "prismatic"
from = "ground"
to = "body"
axis = "x"
[component.body]
type = "point-mass"
mass = 500
[component.engine]
type = "force-driver"
from = "ground"
to = "body"
axis = "x"
[component.drag]
type = "spring-damper"
joint = "rail"
damping = 20
`

// Pedals hold the speed in each run of a sweep as in a run alone, to the last bit, for vehicles of different mass. The
// steady force of every run is damping times speed.
func TestPedalsHoldTheSpeedInSweeps(t *testing.T) {
	l, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	model := filepath.Join(t.TempDir(), "sliding.toml")
	if err := os.WriteFile(model, []byte(sliding), 0o600); err != nil {
		t.Fatal(err)
	}
	const variable = "rail.s_dot"
	m := &manoeuvre.Manoeuvre{Name: "hold", Models: []string{"Sliding"}, Step: 0.01, Duration: 24,
		Start: []manoeuvre.StartValue{{Variable: variable, Value: 10}},
		SpeedControl: &manoeuvre.SpeedControl{Variable: variable, Torques: []string{"engine.force"}, Proportional: 1000,
			Integral: 1000, Limit: 4000},
		Pedals: &manoeuvre.Pedals{Slowest: 10, Fastest: 20, Open: 4000, Frequency: 1, Damping: 1},
		Phases: []manoeuvre.Phase{{Name: "slow", Duration: 4, Speed: signal.Constant(10)},
			{Name: "fast", Duration: 20, Speed: signal.Constant(12)}}}
	run := drive.Plan{Manoeuvre: m, Record: []string{variable, "rail.s"}}
	masses := []float64{500, 800}
	s := Sweep{Library: l, Model: model, Run: run,
		Variations: []manoeuvre.Variation{{Name: "body.mass", Values: masses}}}
	table, err := s.Do()
	if err != nil {
		t.Fatal(err)
	}
	for k, mass := range masses {
		vehicle, err := l.Load(model, "")
		if err != nil {
			t.Fatal(err)
		}
		alone := run
		alone.Settings = []manoeuvre.Setting{number("body.mass", mass)}
		result, err := drive.Simulate(vehicle, alone)
		if vehicle.Close(); err != nil {
			t.Fatal(err)
		}
		row, end := table.Rows[k], len(result.Trace.Time)-1
		speed, way := result.Trace.Column(variable), result.Trace.Column("rail.s")
		if row[0] != mass || row[1] != 24 || row[2] != speed[end] || row[3] != slices.Min(speed) ||
			row[4] != slices.Max(speed) || row[5] != way[end] {
			t.Errorf("%g kg: %g, alone %g m/s, %g m", mass, row, speed[end], way[end])
		}
		// The double pole at -1/s has the overshoot exp(-2) of a step of 2 m/s.
		if over := row[4] - 12; math.Abs(row[2]-12) > 1e-4 || math.Abs(over-2*math.Exp(-2)) > 0.02 {
			t.Errorf("%g kg: %g m/s at the end, overshoot %g m/s", mass, row[2], over)
		}
		if force := result.Inputs.Column("engine.force"); math.Abs(force[end]-12*20) > 0.05 {
			t.Errorf("%g kg: %g N at the end", mass, force[end])
		}
	}
	if table.Rows[0][5] == table.Rows[1][5] {
		t.Error("both masses have the same way")
	}
	m.Pedals.Fastest = 300
	if _, err := s.Do(); err == nil || !strings.Contains(err.Error(), "run 1: finding the gain of the throttle at") {
		t.Errorf("300 m/s: %v", err)
	}
}
