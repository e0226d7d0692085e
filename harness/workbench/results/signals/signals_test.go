package signals

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/workbench/results/display"
	"skidpad/harness/workbench/results/trace"
)

// run is a run of a car in a turn, which speeds up.
func run(name string, factor float64) Run {
	t := trace.New([]trace.Channel{{Name: "body.ay", Unit: "m/s2", Role: "@chassis.ay"}, {Name: "body.wz", Unit: "rad/s"},
		{Name: "tire_FL.Fz", Unit: "N", Role: "@wheel[1L].Fz"}, {Name: "tire_FR.Fz", Unit: "N"},
		{Name: "slip", Unit: "1"}}, 0)
	for i := range 11 {
		x := factor * float64(i)
		t.Append(float64(i)/10, []float64{2 * x, x / 10, 4000 - 100*x, 4000 + 100*x, 0.5})
	}
	return Run{name, t}
}

// Signals are drawn over time, as patterns and roles, as quotients, and over each other, in the units of a reader.
func TestSignalsAreDrawn(t *testing.T) {
	runs := []Run{run("slow", 1), run("fast", 2)}
	page, err := Report(runs, strings.Split("chassis.ay, tire_*.Fz,@wheel[1L].Fz,body.ay/body.wz,body.wz:body.ay", ","),
		display.Degrees())
	if err != nil {
		t.Fatal(err)
	}
	var html strings.Builder
	if err := page.Write(&html); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"Figure 1. chassis.ay", "body.ay, m/s2", "Figure 2. tire_*.Fz", "tire_FR.Fz, fast",
		"body.wz, deg/s"} {
		if !strings.Contains(html.String(), part) {
			t.Errorf("the page lacks %q", part)
		}
	}
}

func TestSignalsOfRuns(t *testing.T) {
	units := display.Degrees()
	r := []Run{run("slow", 1), run("fast", 2)}
	at := func(text string, curve, row int) (x, y float64) {
		p, err := drawn(r, text, units)
		if err != nil {
			t.Fatal(err)
		}
		return p.Curves[curve].X[row], p.Curves[curve].Y[row]
	}
	for _, c := range []struct {
		text       string
		curve, row int
		x, y       float64
	}{
		{"chassis.ay", 1, 3, 0.3, 12}, {"@chassis.ay", 0, 3, 0.3, 6}, {"tire_*.Fz", 3, 10, 1, 6000},
		{"@wheel[1L].Fz", 0, 2, 0.2, 3800}, {"@wheel[*].Fz", 1, 2, 0.2, 3600}, {"body.wz", 0, 1, 0.1, 18 / math.Pi},
		{"body.ay/body.wz", 0, 0, 0.1, math.Pi / 9}, {"tire_FL.Fz/tire_FR.Fz", 0, 0, 0, 1},
		{"body.wz:body.ay", 0, 2, 36 / math.Pi, 4},
		{"body.wz:body.ay", 1, 2, 72 / math.Pi, 8}, {"body.ay:tire_FL.Fz/tire_FR.Fz", 0, 10, 20, 3. / 5},
	} {
		if x, y := at(c.text, c.curve, c.row); math.Abs(x-c.x) > 1e-9 || math.Abs(y-c.y) > 1e-9 {
			t.Errorf("%s: %g, %g; want %g, %g", c.text, x, y, c.x, c.y)
		}
	}
	for text, says := range map[string]string{
		"body.vx":           `slow has no variable that "body.vx" fits; it has body.ay, body.wz`,
		"tire_*.Fz:body.ay": "over a signal stands one alone",
		"body.ay/tire_*.Fz": "has one below",
		"body.ay:body.wx":   `slow has no variable that "body.wx" fits`,
		"":                  "no signal", "body.ay/body.ay:body.wx": "body.wx",
	} {
		if _, err := Report(r, []string{text}, units); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v; want %s", text, err, says)
		}
	}
}

// Quotients by what is almost 0 are left out: they would hide all others.
func TestQuotientsByAlmostNothing(t *testing.T) {
	r := run("turn", 1)
	copy(r.Values[1], []float64{1e-9, -1e-9, 0.9e-3, 1.1e-3})
	p, err := drawn([]Run{r}, "body.ay/body.wz", &display.Units{})
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Curves[0]; len(c.X) != 8 || c.X[0] != 0.3 || math.Abs(c.Y[0]-6/1.1e-3) > 1e-9 {
		t.Errorf("times %g, values %g", c.X, c.Y)
	}
}

// Axes have names and units of signals. Labels of curves name variables if there are several, and runs likewise.
func TestLabelsOfSignals(t *testing.T) {
	units := display.Degrees()
	one, both := []Run{run("slow", 1)}, []Run{run("slow", 1), run("fast", 2)}
	for _, c := range []struct {
		runs       []Run
		text, x, y string
		curves     string
	}{
		{one, "body.wz", "time, s", "body.wz, deg/s", "slow"},
		{both, "body.wz", "time, s", "body.wz, deg/s", "slow; fast"},
		{one, "tire_*.Fz", "time, s", "tire_*.Fz, N", "tire_FL.Fz; tire_FR.Fz"},
		{both, "tire_*.Fz", "time, s", "tire_*.Fz, N",
			"tire_FL.Fz, slow; tire_FR.Fz, slow; tire_FL.Fz, fast; tire_FR.Fz, fast"},
		{one, "body.ay:tire_FL.Fz/tire_FR.Fz", "body.ay, m/s2", "tire_FL.Fz/tire_FR.Fz", "slow"},
		{one, "tire_FL.Fz/body.ay", "time, s", "tire_FL.Fz/body.ay, (N)/(m/s2)", "slow"},
		{one, "body.ay/slip", "time, s", "body.ay/slip, m/s2", "slow"},
		{one, "slip", "time, s", "slip", "slow"},
		{one, "body.*", "time, s", "body.*", "body.ay, m/s2; body.wz, deg/s"},
	} {
		p, err := drawn(c.runs, c.text, units)
		if err != nil {
			t.Fatal(err)
		}
		var curves []string
		for _, curve := range p.Curves {
			curves = append(curves, curve.Label)
		}
		if got := strings.Join(curves, "; "); p.X.Label != c.x || p.Y.Label != c.y || got != c.curves {
			t.Errorf("%s: %q over %q, curves %q; want %q, %q, %q", c.text, p.Y.Label, p.X.Label, got, c.y, c.x, c.curves)
		}
	}
}

// A folder has all its runs; names stand for the paths.
func TestRunsAreReadFromFolders(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"run_1.csv", "run_2.csv", "inputs_1.csv", "run_4.csv"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("time,a\n0,1\n1,2\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	runs, err := Read([]string{folder, filepath.Join(folder, "run_4.csv")}, []string{"all", " one"})
	if err != nil || len(runs) != 3 || runs[1].Name != "all, run 2" || runs[2].Name != "one" {
		t.Fatalf("%v, %+v", err, runs)
	}
	for _, bad := range [][]string{{t.TempDir()}, {filepath.Join(folder, "none.csv")}} {
		if _, err := Read(bad, nil); err == nil || !strings.Contains(err.Error(), bad[0]) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if _, err := Read(slices.Repeat([]string{filepath.Join(folder, "run_1.csv")}, mostRuns+1), nil); err == nil {
		t.Error("too many runs are read")
	}
	if _, err := Read([]string{folder}, []string{"a", "b"}); err == nil {
		t.Error("two names of one run")
	}
}
