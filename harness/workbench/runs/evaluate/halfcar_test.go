package evaluate

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/workbench/results/report"
)

// The report of a half-car has the panels of figures 5 to 14 of Ikoki (2022): torques and friction, equal to closed
// formulas; speeds; and forces between the limits +mu N and -mu N.
func TestReportOfAHalfCarHasThePublishedPanels(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	e := evaluator(library, built.Model("halfcar"))
	result, err := e.Evaluate(built.Manoeuvre("halfcar_550"))
	if err != nil {
		t.Fatal(err)
	}
	plots := map[string]*report.Plot{}
	for _, p := range result.Plots().Plots {
		plots[p.Title] = p
	}
	at := func(title, label string, time float64) float64 {
		t.Helper()
		if p := plots[title]; p != nil {
			for _, c := range p.Curves {
				if c.Label != label {
					continue
				}
				for i := 1; i < len(c.X); i++ { // points of plots lie 16 ms apart
					if a, b := c.X[i-1], c.X[i]; a <= time && time <= b {
						return c.Y[i-1] + (c.Y[i]-c.Y[i-1])*(time-a)/(b-a)
					}
				}
			}
		}
		t.Fatalf("the plot %q has no %q at %g s", title, label, time)
		return 0
	}
	near := func(what string, got, want, tolerance float64) {
		t.Helper()
		if !(math.Abs(got-want) <= tolerance) {
			t.Errorf("%s is %.9g, expected %.9g", what, got, want)
		}
	}
	r := result.Runs[0].Record
	row := func(list []float64, time float64) float64 { return list[int(math.Round(time/0.002))] }
	for time, want := range map[float64]float64{0.5: 418.8768, 1: 530.2152} {
		near("torque of the motor", row(r.HalfCar.Drive, time), 550*math.Tanh(2*time), 1e-6)
		near("it", row(r.HalfCar.Drive, time), want, 1e-4)
	}
	for time, want := range map[float64]float64{20: 0.3346, 22.5: 25.0, 23: 36.5529, 25: 49.6654} {
		near("torque of a brake", row(r.HalfCar.Brake, time), 25*(1+math.Tanh(time-22.5)), 1e-6)
		near("it", row(r.HalfCar.Brake, time), want, 1e-4)
	}
	for time, want := range map[float64]float64{0: 0.813266, 5: 0.676140, 10: 0.301671, 12: 0.181923, 15: 0.15} {
		near("friction", row(r.HalfCar.Friction, time), want, 1e-6)
		near("its panel", at("Friction coefficient", "mu", time), want, 1e-5)
	}
	near("torque of the motor", at("Torques", "motor", 10), 550, 1e-6)
	near("torque of a brake", at("Torques", "brake of a wheel", 26), 25*(1+math.Tanh(3.5)), 1e-5)
	near("speed", at("Speed", "run 1 ", 15)/49.01765, 1, 1e-3)
	for time, want := range map[float64][2]float64{2: {36.839, 52.294}, 15: {196.071, 2581.94}} {
		near("front wheel", at("Rotational speeds of the wheels", "front wheel", time)/want[0], 1, 0.01)
		near("rear wheel", at("Rotational speeds of the wheels", "rear wheel", time)/want[1], 1, 0.01)
	}
	for title, limit := range map[string]float64{"Forces on the rear wheel": 364.8, "Forces on the front wheel": 195.9} {
		near(title+": limit", at(title, "+mu N", 15)/limit, 1, 0.02)
		near(title+": limit backwards", at(title, "-mu N", 15), -at(title, "+mu N", 15), 0)
	}
	near("traction", at("Forces on the rear wheel", "traction", 15), 18.7, 0.1)
	near("sliding friction", at("Forces on the rear wheel", "sliding friction", 15), 351.9, 0.1)
	near("reaction of the front wheel", at("Forces on the front wheel", "minus (traction + stabilisation)", 15), 0.28,
		0.01)
	if braked := at("Forces on the front wheel", "minus sliding friction", 25); !(braked > 0) {
		t.Errorf("the brake pulls the front wheel forward: %g N", braked)
	}
	near("largest share of the front grip", value(t, result.Runs[0].Figures, "reaction_front_share"), 0.147, 1e-3)

	var page, table bytes.Buffer
	if err := result.WriteReport(&page); err != nil {
		t.Error(err)
	}
	if err := result.WriteTable(&table); err != nil {
		t.Error(err)
	}
	for _, text := range []string{page.String(), table.String()} {
		if strings.Contains(text, "to 1") && strings.Contains(text, "road wheels") {
			t.Error("the report of a half-car has a ratio of steering")
		}
	}
}
