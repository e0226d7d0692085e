package drive_test

import (
	"fmt"
	"math"
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

// Runs of two-wheelers end where they fall (Afzal 2018, C.1): after a push at 7.5 m/s the benchmark bicycle does at
// 44.7 s. Those that are stable by themselves or held by a law run to their end without a verdict.
func TestRunsEndAtAFall(t *testing.T) {
	testrun.Slow(t)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		model, manoeuvre string
		fallen           float64 // s, 0 for never
	}{
		{"bicycle", "bicycle_capsize", 44.7}, {"bicycle", "bicycle_lean_push", 0}, {"bicycle", "bicycle_turn_slip", 0},
		{"bicycle", "bicycle_counter_steer", 0}, {"bicycle_rolling", "bicycle_rolling_recovery", 0},
		{"bluebike", "bluebike_lean_push", 0}, {"bluebike", "bluebike_fast", 0}, {"redbike", "redbike_lean_push", 0},
		{"redbike_gyroscope", "redbike_gyroscope_balance", 0}, {"wheel", "wheel_turn_slip", 0},
	} {
		m, err := manoeuvre.Read(built.Manoeuvre(c.manoeuvre))
		if err != nil {
			t.Fatal(err)
		}
		vehicle, err := library.Load(built.Model(c.model), "")
		if err != nil {
			t.Fatal(err)
		}
		result, err := drive.Simulate(vehicle, drive.Plan{Manoeuvre: m, Record: []string{}})
		vehicle.Close()
		if err != nil {
			t.Errorf("%s: %v", c.manoeuvre, err)
			continue
		}
		end := result.Trace.Time[len(result.Trace.Time)-1]
		if c.fallen == 0 {
			if result.Verdict != "" || math.Abs(end-m.Duration) > 1e-9 {
				t.Errorf("%s ends at %g s of %g s: %q", c.manoeuvre, end, m.Duration, result.Verdict)
			}
		} else if !(math.Abs(end-c.fallen) <= 0.2) || result.Verdict != fmt.Sprintf("fallen at %.6g s", end) {
			t.Errorf("%s ends at %g s, expected %g s: %q", c.manoeuvre, end, c.fallen, result.Verdict)
		}
	}
}

// Every manoeuvre of a bicycle, a wheel or a disc ends at a fall.
func TestManoeuvresOfTwoWheelersHaveAStop(t *testing.T) {
	files, err := filepath.Glob(built.Path("resources", "manoeuvres", "*.toml"))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		name := filepath.Base(file)
		kind, _, _ := strings.Cut(name, "_")
		lean, is := map[string]string{"bicycle": "rear_frame.angle2", "bluebike": "rear_frame.angle2",
			"redbike": "rear_frame.angle2", "wheel": "wheel.angle2", "disc": "wheel.angle2"}[kind]
		if !is {
			continue
		}
		seen++
		m, err := manoeuvre.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		if len(m.Stops) != 1 || m.Stops[0].Verdict != "fallen" {
			t.Errorf("%s: stops %+v", name, m.Stops)
			continue
		}
		when := m.Stops[0].When
		if when.Kind != manoeuvre.Above || when.Bound != 1.5 || !slices.Equal(when.Law.Reads, []string{lean}) ||
			when.Law.Value([]float64{-1.6}) != 1.6 {
			t.Errorf("%s has not fallen where |%s| is above 1.5 rad: %+v", name, lean, when)
		}
	}
	if seen < 18 {
		t.Errorf("only %d manoeuvres of two-wheelers", seen)
	}
}
