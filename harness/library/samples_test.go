package library

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"skidpad/harness/tests/built"
)

// A vehicle with samples has bit-identical results when its steps are machine code outside of Go, between the samples,
// and when Go makes every step. Steps are shorter than the time between samples, and longer.
func TestStepsBetweenSamplesNeedNoGo(t *testing.T) {
	file := filepath.Join(t.TempDir(), "held.toml")
	text := `base = "passenger_car"
name = "Held"
title = "Passenger car with a sampled cruise control"
[component.hold]
type = "sampled-equations"
sample = 0.004
phase = 0.002
inputs = [{ name = "v", unit = "m/s", from = "@chassis.vx" }]
states = [{ name = "sum", unit = "m", value = 5, next = "sum + sample*(25 - v)" }]
outputs = [{ name = "throttle", unit = "1", value = "max(0, min(1, 0.1*(25 - v) + 0.05*sum))", to = ["@throttle"] }]
`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"hold.throttle", "hold.sum", "body.vx", "engine.throttle", "tire_RL.Fx"}
	values := func(v *Vehicle) []float64 {
		list := make([]float64, len(names))
		references, err := v.References(names...)
		if err == nil {
			err = v.Get(references, list)
		}
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	for _, h := range []float64{0.001, 0.002, 0.007} {
		var runs [2]*Vehicle
		for i, code := range []string{"native", "portable"} {
			v, err := l.Load(file, "")
			if err != nil {
				t.Fatal(err)
			}
			defer v.Close()
			if err := v.SetText("solver.code", code); err != nil {
				t.Fatal(err)
			}
			if err := v.Initialise(); err != nil {
				t.Fatal(err)
			}
			runs[i] = v
		}
		changes, before := 0, math.NaN()
		for k := range 120 {
			for _, v := range runs {
				if err := v.Step(h); err != nil {
					t.Fatal(err)
				}
			}
			for i, name := range names {
				a, b := values(runs[0])[i], values(runs[1])[i]
				if math.Float64bits(a) != math.Float64bits(b) {
					t.Fatalf("steps of %g s, step %d: %s is %.17g, in Go %.17g", h, k, name, a, b)
				}
			}
			if x := values(runs[0])[0]; x != before {
				changes, before = changes+1, x
			}
		}
		if want := min(120, int(120*h/0.004)); changes < want*9/10 {
			t.Errorf("steps of %g s: %d changes, want %d", h, changes, want)
		}
	}
}
