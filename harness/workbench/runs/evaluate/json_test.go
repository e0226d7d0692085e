package evaluate

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/results/trace"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

// A steering by a rack has no ratio if no role states one and no figure needs it.
func TestResultsWithoutASteeringRatio(t *testing.T) {
	for want, ratio := range map[string]float64{"null": math.NaN(), "16": 16} {
		none := trace.New(nil, 0)
		e := &Result{Manoeuvre: &manoeuvre.Manoeuvre{Steering: &manoeuvre.Steering{Drivers: []string{"rack"}},
			KeyFigures: &manoeuvre.KeyFigures{Options: figures.Find("straight-running").New()}},
			Runs: []Run{{Record: &figures.Record{Ratio: ratio}, Result: &drive.Result{Trace: none, Inputs: none}}}}
		var data, table bytes.Buffer
		if err := e.WriteJSON(&data); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(data.String(), `"ratio": `+want+",") {
			t.Errorf("ratio %v: %s", ratio, data.String())
		}
		if err := e.WriteTable(&table); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(table.String(), "NaN") || strings.Contains(table.String(), "16 to 1") != (want == "16") {
			t.Errorf("ratio %v: %s", ratio, table.String())
		}
	}
}

// The signals of a result are the variable that steers, with the factor to the angle of the steering wheel, or a
// steering wheel that is free, with its torque.
func TestSignalsOfAResult(t *testing.T) {
	recorded := func(names ...string) *trace.Trace { return trace.New(trace.Named(names...), 0) }
	m := &manoeuvre.Manoeuvre{Steering: &manoeuvre.Steering{Drivers: []string{"w"}},
		KeyFigures: &manoeuvre.KeyFigures{Body: "chassis"}}
	for _, c := range []struct {
		trace, inputs *trace.Trace
		want          signalsJSON
	}{
		{recorded("chassis.vx"), recorded("w.angle", "w.rate"), signalsJSON{"chassis", "w.angle", 16, ""}},
		{recorded("chassis.vx"), recorded("w.position"), signalsJSON{"chassis", "w.position", 16, ""}},
		{recorded("w.wheel_angle", "w.wheel_torque"), recorded("w.torque"), signalsJSON{"chassis", "w.wheel_angle", 1,
			"w.wheel_torque"}},
	} {
		e := &Result{Manoeuvre: m, Runs: []Run{{Result: &drive.Result{Trace: c.trace, Inputs: c.inputs, Turns: 16}}}}
		if got := e.signals(); got != c.want {
			t.Errorf("%+v, want %+v", got, c.want)
		}
	}
	m.Steering = nil
	e := &Result{Manoeuvre: m, Runs: []Run{{Result: &drive.Result{}}}}
	if got := e.signals(); got != (signalsJSON{Body: "chassis"}) {
		t.Errorf("%+v", got)
	}
}
