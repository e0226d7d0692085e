package cosim_test

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/solver"
)

// After a reset a vehicle runs like a new vehicle, bit by bit. The run before may have had other parameters, tire
// coefficients, files and methods, and a restored state.
func TestResetVehicleRunsAsNew(t *testing.T) {
	for i, model := range []string{"generic4w", "generic4w_carcass", "passenger_car", "skidder", "halfcar"} {
		s := load(t, model, "")
		for j, method := range solver.Names() {
			if !cosim.Picked(2, i, j) {
				continue
			}
			used := instance(t, s, method, 0.001)
			drive := func(r *run) []float64 {
				r.Helper()
				r.text("solver.method", method)
				r.set("solver.step", 0.001)
				if err := r.in.Initialise(); err != nil {
					t.Fatalf("%s, %s: %v", model, method, err)
				}
				for range 12 {
					if err := r.in.Step(0.002); err != nil {
						t.Fatalf("%s, %s: %v", model, method, err)
					}
				}
				return r.states()
			}
			want := drive(instance(t, s, method, 0.001))
			for what, before := range map[string]func(){
				"nothing":     func() {},
				"a run":       func() { drive(used) },
				"parameters":  func() { used.set(s.Variables()[0].Name, 1.5*used.get(s.Variables()[0].Name)); drive(used) },
				"another one": func() { used.text("solver.method", "euler"); _ = used.in.Initialise(); _ = used.in.Step(0.01) },
				"coefficients": func() {
					if model == "passenger_car" {
						used.set("tire_FL.LMUY", 0.5)
						drive(used)
					}
				},
				"a coefficient in the run": func() {
					drive(used)
					if model == "passenger_car" {
						used.set("tire_FL.LMUY", 0.5)
						_ = used.in.Step(0.002)
					}
				},
				"another tire": func() {
					if model == "generic4w" {
						used.text("tire_RL.model", "MF61")
						used.text("tire_RL.file", "../tires/mf61_205_60R15.tir")
						drive(used)
					}
				},
				"a state": func() {
					drive(used)
					state := make([]byte, used.in.StateSize())
					if err := used.in.Save(state); err != nil {
						t.Fatal(err)
					}
					used.in.Reset()
					if err := used.in.Restore(state); err != nil {
						t.Fatal(err)
					}
					_ = used.in.Step(0.002)
				},
			} {
				before()
				used.in.Reset()
				if got := drive(used); !slices.EqualFunc(got, want, func(a, b float64) bool {
					return math.Float64bits(a) == math.Float64bits(b)
				}) {
					t.Errorf("%s, %s: after %s and a reset the run differs", model, method, what)
				}
				used.in.Reset()
			}
		}
	}
}

// Settings made after a reset apply: coefficients of tires, and files that have changed since they were read.
func TestSettingsAfterAResetApply(t *testing.T) {
	folder := t.TempDir()
	tire, ground := filepath.Join(folder, "tire.tir"), filepath.Join(folder, "ground.csv")
	shipped, err := os.ReadFile("../resources/tires/mf61_205_60R15.tir")
	if err != nil {
		t.Fatal(err)
	}
	write := func(file, text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	profile := func(step float64) string { return fmt.Sprintf("x,z\n-1,0\n0.02,%g\n100,%[1]g\n", step) }
	for what, c := range map[string]struct {
		model string
		set   func(r *run, other bool)
	}{
		"a coefficient": {"passenger_car", func(r *run, other bool) {
			if other {
				r.set("tire_FL.LMUY", 0.5)
			}
		}},
		"a tire file": {"generic4w", func(r *run, other bool) {
			text := string(shipped)
			if other {
				text = strings.Replace(text, "LMUY  = 1", "LMUY  = 0.5", 1)
			}
			write(tire, text)
			r.text("tire_FL.model", "MF61")
			r.text("tire_FL.file", tire)
		}},
		"a profile": {"passenger_car", func(r *run, other bool) {
			write(ground, profile(map[bool]float64{false: 0, true: 0.01}[other]))
			r.text("road.kind", "table")
			r.text("road.file", ground)
		}},
	} {
		s := load(t, c.model, "")
		drive := func(r *run, other bool) []float64 {
			c.set(r, other)
			r.set("body.wz", 0.3)
			if err := r.in.Initialise(); err != nil {
				t.Fatalf("%s: %v", what, err)
			}
			for range 30 {
				if err := r.in.Step(0.002); err != nil {
					t.Fatalf("%s: %v", what, err)
				}
			}
			return r.states()
		}
		used := instance(t, s, "rk4", 0.001)
		var last []float64
		for _, other := range []bool{false, true, true, false} {
			got, want := drive(used, other), drive(instance(t, s, "rk4", 0.001), other)
			if !slices.Equal(got, want) {
				t.Errorf("%s, set %v: after a reset the run differs", what, other)
			}
			if last == nil {
				last = got
			} else if other == slices.Equal(got, last) {
				t.Errorf("%s, set %v: the runs do not show it", what, other)
			}
			used.in.Reset()
			used.text("solver.method", "rk4")
			used.set("solver.step", 0.001)
		}
	}
}

// A tire that leaves the range of its parameters is reported in each run.
func TestRangesAreWatchedAgainAfterAReset(t *testing.T) {
	r := instance(t, load(t, "passenger_car", ""), "rk4", 0.001)
	for run := range 2 {
		r.set("body.z", r.get("body.z")-0.1) // the tires get four times their load
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		if texts := strings.Join(r.in.RangeWarnings(), "\n"); !strings.Contains(texts, "tire_FL: at 0 s Fz is") {
			t.Errorf("run %d: range warnings: %q", run, texts)
		}
		r.in.Reset()
	}
}
