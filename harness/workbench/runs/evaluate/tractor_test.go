package evaluate

import (
	"math"
	"math/cmplx"
	"os"
	"slices"
	"strings"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/figures"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
	"skidpad/harness/workbench/runs/signal"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

var tractorModel = built.Model("tractor_semitrailer")

// TestTheTractorSemitrailer: its linear equations, its figures, and both together.
func TestTheTractorSemitrailer(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	results := map[string]*Result{}
	names := testrun.Either([]string{"turn"}, []string{"lane_change", "turn", "brake_in_turn"})
	if *built.Update {
		names = []string{"lane_change", "turn", "brake_in_turn"}
	}
	for _, name := range names {
		if results[name], err = evaluator(library,
			tractorModel).Evaluate(built.Manoeuvre("tractor_semitrailer_" + name)); err != nil {
			t.Fatal(err)
		}
	}
	m, err := vehicle.Read(tractorModel)
	if err != nil {
		t.Fatal(err)
	}
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Free("engine.throttle"); err != nil {
		t.Fatal(err)
	}
	t.Run("is stable", func(t *testing.T) { tractorIsStable(t, l) })
	t.Run("amplifies as its linear equations", func(t *testing.T) { amplifiesLinearly(t, library, l) })
	t.Run("follows as drawn rods", func(t *testing.T) { followsAsDrawnRods(t, results["turn"]) })
	t.Run("documentation", func(t *testing.T) { documentsTractor(t, results) })
}

// steadyAt is the combination linearised about steady straight-ahead running.
func steadyAt(t *testing.T, l *linear.Model, speed float64) *linear.System {
	t.Helper()
	if err := l.Set("tractor.vx", speed); err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// From 36 to 100 km/h all modes decay except the speed, which only the throttle affects; the slowest oscillation, the
// yaw of the trailer, has a damping ratio above a third.
func tractorIsStable(t *testing.T, l *linear.Model) {
	for _, speed := range testrun.Either([]float64{80 / 3.6}, []float64{10, 80 / 3.6, 100 / 3.6}) {
		modes, err := steadyAt(t, l, speed).Modes()
		if err != nil {
			t.Fatal(err)
		}
		lateral := 0
		for _, m := range modes {
			if m.Frequency() < 0.02 {
				continue // the speed
			}
			if !(real(m.Value) < -0.3) {
				t.Errorf("%g m/s: eigenvalue %v", speed, m.Value)
			}
			if w := m.Frequency(); w > 2 && w < 4 && imag(m.Value) != 0 {
				if lateral++; m.Damping() < 0.33 {
					t.Errorf("%g m/s: the yaw of the trailer is damped by %g", speed, m.Damping())
				}
			}
		}
		if speed > 20 && lateral == 0 {
			t.Errorf("%g m/s: nothing swings slowly among %d eigenvalues", speed, len(modes))
		}
	}
}

// The settled rearward amplification of a small sine of 0.4 Hz equals the linear equations.
func amplifiesLinearly(t *testing.T, library *library.Library, l *linear.Model) {
	const frequency, speed = 0.4, 80 / 3.6
	vehicle, err := library.Load(tractorModel, "")
	if err != nil {
		t.Fatal(err)
	}
	defer vehicle.Close()
	m := &manoeuvre.Manoeuvre{Name: "sine", Duration: 15, Step: 0.001, Inputs: []manoeuvre.InputSignal{
		{Drivers: []string{"steering"}, Signal: signal.Sine{Amplitude: 0.02, Period: 1 / frequency}},
		{Variables: []string{"engine.throttle"}, Signal: signal.Constant(0.3596)},
	}}
	run, err := drive.Simulate(vehicle, drive.Plan{Manoeuvre: m, Record: []string{"tractor.ay", "trailer.ay"}})
	if err != nil {
		t.Fatal(err)
	}
	amplitude := func(name string) complex128 { // over the last two periods
		var sum complex128
		times, values := run.Trace.Range(name, 10, 14.999)
		for i, x := range values {
			sum += complex(x, 0) * cmplx.Exp(complex(0, -2*math.Pi*frequency*times[i]))
		}
		return sum
	}
	s := steadyAt(t, l, speed)
	w := 2 * math.Pi * frequency
	response := func(output string) complex128 {
		h, err := s.Response("steering", output, []float64{w})
		if err != nil {
			t.Fatal(err)
		}
		return h[0]
	}
	got, want := amplitude("trailer.ay")/amplitude("tractor.ay"), response("trailer.ay")/response("tractor.ay")
	t.Logf("rearward amplification %.4f, linear %.4f; lag %.3f and %.3f s", cmplx.Abs(got), cmplx.Abs(want),
		-cmplx.Phase(got)/w, -cmplx.Phase(want)/w)
	if ratio := got / want; !(math.Abs(cmplx.Abs(ratio)-1) <= 0.005 && math.Abs(cmplx.Phase(ratio)) <= 0.5*degree) {
		t.Errorf("gain off by %g, phase by %g deg", cmplx.Abs(ratio)-1, cmplx.Phase(ratio)/degree)
	}
}

// At low speed axles move in the direction of their wheels. The driven axle follows the steered axle, and the middle
// axle of the trailer follows the kingpin, like the ends of drawn rods (tractrices). Axles beside the middle one slip
// and make the turn a little wider.
func followsAsDrawnRods(t *testing.T, result *Result) {
	const wheelbase, lead, rod = 3.7, 3.7 - 0.6, 5.004 + 2.696
	r := result.Runs[0].Record
	drawn := *r
	unit := *r.Following
	unit.X, unit.Y = slices.Clone(unit.X), slices.Clone(unit.Y)
	drawn.Following = &unit
	tractor, trailer := r.Yaw[0], unit.Yaw[0]
	for i := range r.Time {
		if i > 0 {
			dx, dy := r.X[i]-r.X[i-1], r.Y[i]-r.Y[i-1]
			sin, cos := math.Sincos(tractor)
			turn := (cos*dy - sin*dx) / wheelbase
			dx, dy = dx+lead*sin*turn, dy-lead*cos*turn
			s, c := math.Sincos(trailer)
			tractor, trailer = tractor+turn, trailer+(c*dy-s*dx)/rod
		}
		unit.X[i] = r.X[i] - lead*math.Cos(tractor) - rod*math.Cos(trailer)
		unit.Y[i] = r.Y[i] - lead*math.Sin(tractor) - rod*math.Sin(trailer)
	}
	off := func(r *figures.Record) float64 {
		return value(t, figures.Find("articulated-turn").Run(r, nil), "off_tracking")
	}
	got, want := off(r), off(&drawn)
	t.Logf("off-tracking %.4f m, of rods %.4f m", got, want)
	if !(math.Abs(got/want-1) <= 0.02) {
		t.Errorf("off-tracking is %g m, that of drawn rods %g m", got, want)
	}
	if turned := value(t, result.Runs[0].Figures, "turned"); !(math.Abs(turned/degree-90) <= 0.5) {
		t.Errorf("it has turned by %g deg", turned/degree)
	}
}

// The page of the tractor-semitrailer holds the characteristic values of its manoeuvres; -update writes them.
func documentsTractor(t *testing.T, results map[string]*Result) {
	path := built.Path("docs", "tractor-semitrailer.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for name, result := range results {
		name = "tractor_semitrailer_" + name
		var table strings.Builder
		if err := result.WriteMarkdown(&table); err != nil {
			t.Fatal(err)
		}
		before, rest, found := strings.Cut(text, "<!-- begin "+name+" -->\n")
		documented, after, ended := strings.Cut(rest, "<!-- end "+name+" -->")
		if !found || !ended {
			t.Fatalf("%s has no place for %s", path, name)
		}
		if documented != table.String() && !*built.Update {
			t.Errorf("%s: %s gives\n%s\nnot\n%s\n-update writes it", path, name, table.String(), documented)
		}
		text = before + "<!-- begin " + name + " -->\n" + table.String() + "<!-- end " + name + " -->" + after
	}
	if *built.Update {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
