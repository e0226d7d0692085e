package library

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"skidpad/harness/tests/built"
)

// twoCodes loads a model text twice and initialises it: once with steps in machine code outside of Go, and once with
// steps in Go.
func twoCodes(t *testing.T, text string) (native, portable *Vehicle) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "held.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	load := func(code string) *Vehicle {
		v, err := l.Load(file, "")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { v.Close() })
		if err = v.SetText("solver.code", code); err == nil {
			err = v.Initialise()
		}
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	return load("native"), load("portable")
}

func valuesOf(t *testing.T, v *Vehicle, names ...string) []float64 {
	t.Helper()
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

// stepBoth makes a step with both vehicles, and reports whether the step fails. Both have bit-identical values and
// equal errors.
func stepBoth(t *testing.T, h float64, native, portable *Vehicle, names ...string) (failed bool) {
	t.Helper()
	a, b := native.Step(h), portable.Step(h)
	if (a == nil) != (b == nil) || a != nil && a.Error() != b.Error() {
		t.Fatalf("a step of %g s: error %v, in Go %v", h, a, b)
	}
	in, of := valuesOf(t, native, names...), valuesOf(t, portable, names...)
	for i, name := range names {
		if math.Float64bits(in[i]) != math.Float64bits(of[i]) {
			t.Fatalf("a step of %g s: %s is %.17g, in Go %.17g", h, name, in[i], of[i])
		}
	}
	return a != nil
}

// A vehicle with samples has bit-identical results when its steps are machine code outside of Go, and when Go makes
// every step. Steps are shorter than the time between samples, and longer; one reads accelerations. A sample without a
// value fails as in Go, and both go on.
func TestSamplesNeedNoGo(t *testing.T) {
	const text = `base = "passenger_car"
name = "Held"
title = "Passenger car with a sampled cruise control"
[component.hold]
type = "sampled-equations"
sample = 0.004
phase = 0.002
inputs = [
  { name = "v", unit = "m/s", from = "@chassis.vx" },
  { name = "a", unit = "m/s2", from = "body.ax" },
  { name = "wish", unit = "1", value = 1 },
]
states = [{ name = "sum", unit = "m", value = 5, next = "sum + sample*(25 - v)" }]
outputs = [{ name = "throttle", unit = "1", to = ["@throttle"],
  value = "sqrt(wish)*max(0, min(1, 0.1*(25 - v) + 0.05*sum - 0.01*a))" }]
[component.count]
type = "sampled-equations"
sample = 0.003
states = [{ name = "samples", unit = "1", next = "samples + 1" }]
`
	names := []string{"hold.throttle", "hold.sum", "body.vx", "engine.throttle", "tire_RL.Fx", "count.samples"}
	for _, h := range []float64{0.001, 0.007} {
		native, portable := twoCodes(t, text)
		wish := func(value float64) {
			for _, v := range []*Vehicle{native, portable} {
				if err := v.SetNamed("hold.wish", value); err != nil {
					t.Fatal(err)
				}
			}
		}
		changes, failed, before := 0, 0, math.NaN()
		for k := range 40 {
			if k%20 == 15 {
				wish(-1)
			}
			for stepBoth(t, h, native, portable, names...) {
				failed++
				wish(1)
			}
			if x := valuesOf(t, native, "hold.throttle")[0]; x != before {
				changes, before = changes+1, x
			}
		}
		if want := min(40, int(40*h/0.004)); changes < want*9/10 {
			t.Errorf("steps of %g s: %d changes, want %d", h, changes, want)
		}
		if got, want := valuesOf(t, native, "count.samples")[0], math.Ceil(40*h/0.003-1e-9); got != want {
			t.Errorf("steps of %g s: %g samples, want %g", h, got, want)
		}
		if failed != 2 {
			t.Errorf("steps of %g s: %d failed, want 2", h, failed)
		}
	}
}

// A step in which a wheel lands or leaves the ground is made again in Go. Its sample is taken once, with the bits of
// steps in Go.
func TestSamplesOfRepeatedStepsCountOnce(t *testing.T) {
	native, portable := twoCodes(t, `base = "partial_vehicle2d"
name = "Counted"
title = "Partial vehicle that counts"
[solver]
method = "rk4"
[component.count]
type = "sampled-equations"
sample = 0.001
inputs = [{ name = "height", unit = "m", from = "mass_1.z" }]
states = [
  { name = "samples", unit = "1", next = "samples + 1" },
  { name = "sum", unit = "m", next = "sum + height" },
]
`)
	changes, before := 0, math.NaN()
	for range 2000 {
		stepBoth(t, 0.001, native, portable, "count.samples", "count.sum", "mass_1.z", "mass_3.z", "contact_R.mode")
		if mode := valuesOf(t, native, "contact_R.mode")[0]; mode != before {
			changes, before = changes+1, mode
		}
	}
	if got := valuesOf(t, native, "count.samples")[0]; got != 2000 || changes < 3 {
		t.Errorf("%g samples and %d modes, want 2000 samples and several modes", got, changes)
	}
}

// A step that fails at its last sample leaves values and inputs as they were, although earlier samples of the step have
// written.
func TestFailedSamplesLeaveNoTrace(t *testing.T) {
	native, portable := twoCodes(t, `base = "passenger_car"
name = "Failing"
title = "Passenger car whose control unit fails"
[component.unit]
type = "sampled-equations"
sample = 0.002
states = [{ name = "samples", unit = "1", next = "samples + 1" }]
outputs = [{ name = "throttle", unit = "1", value = "0.01*samples*sqrt(19 - samples)", to = ["@throttle"] }]
`)
	for k := range 8 {
		before := valuesOf(t, native, "unit.samples", "unit.throttle", "body.vx")
		failed := stepBoth(t, 0.007, native, portable, "unit.samples", "unit.throttle", "engine.throttle", "body.vx")
		if failed != (k >= 5) {
			t.Errorf("step %d: failed is %v", k, failed)
		}
		if after := valuesOf(t, native, "unit.samples", "unit.throttle", "body.vx"); failed && !slices.Equal(after, before) {
			t.Errorf("step %d has failed and left %v of %v", k, after, before)
		}
	}
}

// Steps of 1 ms add up to times beside those of the samples. Every tenth step begins with a sample that sees the input
// of its time, in machine code as in Go.
func TestSamplesBelongToTheirSteps(t *testing.T) {
	native, portable := twoCodes(t, `name = "Follower"
title = "Unit that follows its input"
[component.unit]
type = "sampled-equations"
sample = 0.01
inputs = [{ name = "u", unit = "1" }]
outputs = [{ name = "y", unit = "1", value = "u" }]
`)
	for k := range 25_000 { // the sum is off by more than 1e-12 s from 19.659 s on
		for _, v := range []*Vehicle{native, portable} {
			if err := v.SetNamed("unit.u", float64(k)); err != nil {
				t.Fatal(err)
			}
		}
		stepBoth(t, 0.001, native, portable, "unit.y")
		if got := valuesOf(t, native, "unit.y")[0]; got != float64(k/10*10) {
			t.Fatalf("step %d holds the input of step %g", k, got)
		}
	}
}
