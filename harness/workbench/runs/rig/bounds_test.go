package rig

import (
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A tire whose parameters give no finite force ends the measurement at once, by name; no step of the stand follows.
func TestTiresWithoutFiniteForcesEndTheMeasurement(t *testing.T) {
	text, err := os.ReadFile(shipped("mf61_205_60R15.tir"))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"PVY4", "PKY1", "PDX1", "QBZ1", "PCY1", "LMUY"} {
		for _, value := range []string{"1e308", "-1e308", "1e-308"} {
			line := regexp.MustCompile(`(?m)^` + key + ` .*$`)
			if !line.Match(text) {
				t.Fatalf("there is no %s", key)
			}
			path := filepath.Join(t.TempDir(), "t.tir")
			if err := os.WriteFile(path, line.ReplaceAll(text, []byte(key+" = "+value)), 0o600); err != nil {
				t.Fatal(err)
			}
			r, err := Open(builtLibrary(t), Tire{Model: "MF61", File: path, Radius: 0.3, Stiffness: 2e5}, false)
			if err != nil {
				continue // the file is rejected
			}
			for _, alpha := range []float64{-0.2, 0, 0.05} {
				before := r.steps
				f, err := r.Measure(State{Load: 4000, Kappa: 0.01, Alpha: alpha, Speed: 16.7})
				if err != nil && !strings.Contains(err.Error(), "tire rig: ") {
					t.Errorf("%s = %s: %v", key, value, err)
				}
				if err == nil && (math.IsNaN(f.Fx+f.Fy+f.Mz) || math.IsInf(f.Fx+f.Fy+f.Mz, 0)) {
					t.Errorf("%s = %s: %+v", key, value, f)
				}
				if steps := r.steps - before; steps > 1 {
					t.Errorf("%s = %s: %d steps of a tire without states", key, value, steps)
				}
			}
			if key == "PVY4" && value == "1e308" {
				if _, err := r.Measure(State{Load: 1000, Alpha: -0.26, Speed: 16.7}); err == nil ||
					!strings.Contains(err.Error(), "tire.Fy is ") ||
					!strings.Contains(err.Error(), "check the parameters") {
					t.Errorf("PVY4 = 1e308: error %v", err)
				}
			}
			r.Close()
		}
	}
}

// A stand makes no more steps than a plan may have, and no state that would take more of them than its way has.
func TestTheStepsOfAStandAreBounded(t *testing.T) {
	r := open(t, fiala(t))
	for _, speed := range []float64{0, -1, 1e-300, slowest / 2, math.NaN()} {
		if _, err := r.Measure(State{Load: 3000, Speed: speed}); err == nil ||
			!strings.Contains(err.Error(), "0.2 m/s or more") || r.steps > 0 {
			t.Errorf("a speed of %g m/s: %d steps, error %v", speed, r.steps, err)
		}
	}
	if _, err := r.Measure(State{Load: 3000, Speed: slowest}); err != nil {
		t.Error(err)
	}
	r.steps = mostSteps - 1
	if _, err := r.Measure(State{Load: 3000, Speed: 10}); err != nil {
		t.Errorf("the last step: %v", err)
	}
	if _, err := r.Measure(State{Load: 3000, Speed: 10}); err == nil ||
		!strings.Contains(err.Error(), "20000000 steps") {
		t.Errorf("one step more: %v", err)
	}
}
