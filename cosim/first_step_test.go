package cosim_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/solver"
)

// The first step allocates nothing either, with any method, after a start and after a reset: everything that a method
// compiles exists when initialisation ends.
func TestFirstStepAllocatesNothing(t *testing.T) {
	testrun.Slow(t)
	for i, c := range []struct{ model, tree, code string }{
		{"generic4w", "", "native"}, {"generic4w", "", "portable"}, {"generic4w", "tire", "native"},
		{"halfcar", "", "native"},
	} {
		for j, method := range solver.Names() {
			if !cosim.Picked(2, i, j) { // each method with one kind of code, and with one of two models with constraints
				continue
			}
			fewest := uint64(math.MaxUint64) // others in the process allocate occasionally
			for try := 0; try < 3 && fewest > 0; try++ {
				in, err := fresh(t, c.model, c.tree).Instantiate()
				if err != nil {
					t.Fatal(err)
				}
				most := uint64(0)
				for range 2 {
					most = max(most, firstStep(t, in, method, c.code))
					in.Reset()
				}
				fewest = min(fewest, most)
			}
			if fewest > 0 {
				t.Errorf("%s, tree %q, %s, %s: %d allocations in the first step", c.model, c.tree, c.code, method, fewest)
			}
		}
	}
}

// firstStep is how often anything is allocated in the first step after initialisation.
func firstStep(t *testing.T, in *cosim.Instance, method, code string) uint64 {
	t.Helper()
	for name, text := range map[string]string{"solver.method": method, "solver.code": code} {
		if err := in.SetText(name, text); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Initialise(); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err := in.Step(0.001)
	runtime.ReadMemStats(&after)
	if err != nil {
		t.Fatalf("%s: %v", method, err)
	}
	return after.Mallocs - before.Mallocs
}

// The conditions that end runs follow the current text, also after a reset that restores an earlier text.
func TestConditionsFollowTheTextAfterAReset(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	for i, text := range []string{"none", "", "none", ""} {
		if text != "" {
			r.text("solver.end_at", text)
		}
		r.set("body.vx", 25)
		r.set("body.wz", 2.5)
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		for range 2000 {
			r.step(0.001)
		}
		if ended := r.get("solver.ended") != 0; ended != (text == "") {
			t.Errorf("run %d, end_at %q: ended %v", i+1, text, ended)
		}
		r.in.Reset()
	}
}

// A start after a reset allocates nothing, as long as no text is another one.
func TestAStartAfterAResetAllocatesNothing(t *testing.T) {
	r := instance(t, load(t, "generic4w", ""), "rk4", 0.001)
	again := func() {
		r.in.Reset()
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
	}
	again()
	if n := testing.AllocsPerRun(20, again); n != 0 {
		t.Errorf("a start after a reset allocates %v times", n)
	}
}

// A start after a reset makes room for works that are recorded, and takes it back.
func TestResetWithOtherTextsEqualsANewStart(t *testing.T) {
	s := load(t, "generic4w", "")
	again := instance(t, s, "rk4", 0.001)
	for _, record := range []string{"false", cosim.RecordOn, "false"} {
		fresh := instance(t, s, "rk4", 0.001)
		for _, r := range []*run{again, fresh} {
			r.in.Reset()
			r.text(cosim.RecordVariable, record)
			r.start(noInput)
			r.step(0.01)
		}
		if got, want := fmt.Sprint(again.values()), fmt.Sprint(fresh.values()); got != want {
			t.Errorf("with %s = %s it goes elsewhere than a new vehicle", cosim.RecordVariable, record)
		}
	}
}
