package animation

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/trace"
	"skidpad/model/vehicle"
)

// driven is a run of the drawn model: the body moves ahead at a speed.
func driven(t *testing.T, speed float64, names ...string) (*vehicle.Model, *trace.Trace) {
	t.Helper()
	m, err := vehicle.Parse([]byte(drawnModel), "drawn.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	run := trace.New(trace.Named(append([]string{"body.x", "body.y", "body.z", "body.yaw", "body.pitch", "body.roll"},
		names...)...), 0)
	for n := range 50 {
		row := make([]float64, 6+len(names))
		row[0] = speed * float64(n)
		for k := range names {
			row[6+k] = float64(n * (k + 1))
		}
		run.Append(0.1*float64(n), row)
	}
	return m, run
}

// Plots have the samples of the page; patterns choose their signals. Signals that are not there are errors, and so are
// more plots than a reader can look at.
func TestPlotsHaveTheSignalsOfTheRun(t *testing.T) {
	m, run := driven(t, 1, "a.force", "b.force")
	s, err := New(m, run)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Plot(m, run, "*.force"); err != nil {
		t.Fatal(err)
	}
	if err := s.Plot(m, run, "body.x"); err != nil {
		t.Fatal(err)
	}
	if len(s.Curves) != 3 || s.Curves[1].Name != "b.force" || s.Curves[1].Panel != 0 || s.Curves[2].Panel != 1 ||
		len(s.Curves[1].values) != len(s.Times) || s.Curves[1].values[7] != 14 {
		t.Errorf("curves: %+v", s.Curves)
	}
	for patterns, want := range map[string]string{"c.force": "has not recorded c.force", "z*": "no output",
		"[": "no pattern"} {
		if err := s.Plot(m, run, patterns); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", patterns, err)
		}
	}
	for range mostPlots - 2 {
		if err := s.Plot(m, run, "body.x"); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Plot(m, run, "body.x"); err == nil || !strings.Contains(err.Error(), "at most 6 plots of 8 curves") {
		t.Errorf("one plot more: %v", err)
	}
}

// A pose that is not a number is an error with frame and time.
func TestPlacesAreNumbers(t *testing.T) {
	m, run := driven(t, 1)
	run.Column("body.yaw")[30] = math.NaN()
	if _, err := New(m, run); err == nil || !strings.Contains(err.Error(), " at 3 s; cut the run") {
		t.Errorf("error %v", err)
	}
}

// Ghosts are runs of the same vehicle with the same variables.
func TestGhostsAreRunsOfTheVehicle(t *testing.T) {
	m, run := driven(t, 1)
	s, err := New(m, run)
	if err != nil {
		t.Fatal(err)
	}
	_, faster := driven(t, 2)
	for range mostGhosts {
		if err := s.Ghost(m, faster); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Ghost(m, faster); err == nil || !strings.Contains(err.Error(), "at most 8 ghosts") {
		t.Errorf("one ghost more: %v", err)
	}
	s.Ghosts = nil
	few := *s
	few.Names = few.Names[1:]
	if err := few.Ghost(m, faster); err == nil || !strings.Contains(err.Error(), "record the same variables") {
		t.Errorf("a run with other frames: %v", err)
	}
	var page bytes.Buffer
	if err := s.Write(&page); err != nil || !strings.Contains(page.String(), "Content-Security-Policy") ||
		strings.Contains(page.String(), "A <drawn>") {
		t.Errorf("the page has no policy, or markup of the model's title: %v", err)
	}
}
