package verify

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/results/trace"
)

// TestSolversHaveTheirOrders checks the orders, and stable steps that agree with the linearised wheel: explicit Euler
// needs h < |V| I/(Reff Rl Kx), 2.0 ms at 20 m/s, 1.0 ms at 10 m/s, 0.6 ms at 6 m/s.
func TestSolversHaveTheirOrders(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	s := &ConvergenceStudy{Library: library, Resources: resources}
	for _, run := range testrun.Either(orderRuns[1:], orderRuns) { // the skidder is the quicker one
		orders, err := s.orders(run.name, run.duration)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range orders {
			if !o.Reached() {
				t.Errorf("%s, %s: errors %g show the orders %.3g, promised is %g", o.Run, o.Method, o.Errors,
					o.Observed, o.Promised)
			}
			if o.Method == "rk4" && !(o.Observed[1] >= 3.8) {
				t.Errorf("%s: RK4 shows the order %.3g only", o.Run, o.Observed[1])
			}
		}
	}
	constrained, err := s.constrained()
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range constrained {
		if !o.Reached() {
			t.Errorf("%s, %s: errors %g show the orders %.3g, promised is %g", o.Method, o.Multipliers, o.Errors,
				o.Observed, o.Promised)
		}
	}
	laws := map[string][2]float64{"generic4w_sine": {0.0016, 0.0020}, "generic4w_braking": {0.0006, 0.0010}}
	if !testrun.All() {
		delete(laws, "generic4w_sine")
	}
	for run, law := range laws {
		stable, err := s.stable(run, "euler")
		if err != nil {
			t.Fatal(err)
		}
		if !(stable.Step >= law[0] && stable.Next <= law[1]) {
			t.Errorf("%s: explicit Euler holds at %g s and fails at %g s; the law says between %g and %g s", run,
				stable.Step, stable.Next, law[0], law[1])
		}
	}
}

// TestAFailureIsNoInstability: a study without its models fails, and does not call all steps
// unstable.
func TestAFailureIsNoInstability(t *testing.T) {
	library, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, part := range []string{"references", "manoeuvres", "models", "tires"} {
		if err := os.CopyFS(filepath.Join(folder, part), os.DirFS(filepath.Join(resources, part))); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(filepath.Join(folder, "tires")); err != nil {
		t.Fatal(err)
	}
	s := &ConvergenceStudy{Library: library, Resources: folder}
	if stable, err := s.stable("generic4w_sine", "euler"); err == nil {
		t.Errorf("without tires the largest stable step is %g s", stable.Step)
	}
}

// TestOrdersAreNotClaimedFalsely: errors that fall like h^2 are not of order 4.
func TestOrdersAreNotClaimedFalsely(t *testing.T) {
	var errors []float64
	for k := range 4 {
		errors = append(errors, 3*math.Pow(0.25, float64(k)))
	}
	for promised, reached := range map[float64]bool{1: true, 2: true, 2.1: true, 3: false, 4: false} {
		if o := (Order{Promised: promised, Observed: slopes(errors)}); o.Reached() != reached {
			t.Errorf("order %g reached: %v, errors %g", promised, o.Reached(), errors)
		}
	}
	if (&Order{Promised: 1, Observed: slopes([]float64{1, math.NaN(), math.NaN()})}).Reached() {
		t.Error("not a number has an order")
	}
	if (&Convergence{Orders: []Order{{Promised: 4, Observed: slopes(errors)}}}).OK() {
		t.Error("a study with a missed order is fine")
	}
}

// TestTheLeastStableNumberIsFound among 1 to 400.
func TestTheLeastStableNumberIsFound(t *testing.T) {
	for _, least := range []int{1, 2, 3, 17, 256, 399, 400, 401} {
		want := least
		if least > 400 {
			want = 0
		}
		if got := leastStable(400, func(k int) bool { return k >= least }); got != want {
			t.Errorf("%d: found %d", least, got)
		}
	}
}

// TestDivergenceFromTheReferenceIsFound by the first speed or spin outside of its band.
func TestDivergenceFromTheReferenceIsFound(t *testing.T) {
	recorded := func(spin, speed float64) *trace.Trace {
		tr := trace.New(trace.Named("body.wz", "body.vx", "wheel_FL.omega"), 3)
		for n := range 3 {
			tr.Append(trace.Sampling*float64(n), []float64{0, 20 + speed*float64(n), 60 + spin*float64(n)})
		}
		return tr
	}
	for want, run := range map[string]*trace.Trace{
		"": recorded(2.4, -0.24), "wheel_FL.omega at 0.1 s": recorded(2.6, 0), "body.vx at 0.05 s": recorded(-2.6, 0.6),
		"wheel_FL.omega at 0 s": recorded(math.NaN(), 0),
	} {
		if got := firstDivergence(run, recorded(0, 0)); got != want {
			t.Errorf("%q was noticed, not %q", got, want)
		}
	}
}
