package main

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"
)

// slowOn returns a vehicle with slow tires, 3 ms per call, on the given corners and fast tires on the other corners.
func slowOn(t *testing.T, corners ...string) *driven {
	t.Helper()
	bad := "plugin:" + badTires(t)
	d := drive(t, "generic4w", "euler")
	d.fit(bad+"#fine", "")
	for _, corner := range corners {
		d.text("tire_"+corner+".model", bad+"#slow")
	}
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestAStepOverTheLimitNamesTheTire: the warning names the tire whose function took the most time, or all tires of a
// joint call. Each step is reported once, and no step without a limit or below the limit. Results are bit-identical.
func TestAStepOverTheLimitNamesTheTire(t *testing.T) {
	free := slowOn(t, "FL")
	for _, c := range []struct {
		corners []string
		limit   time.Duration
		names   string
	}{
		{[]string{"FL"}, time.Millisecond, "in the function of tire_FL"},
		{[]string{"FL", "RR"}, time.Millisecond, "in the function of tire_FL, tire_RR"},
		{[]string{"FL"}, time.Hour, ""},
		{[]string{"FL"}, 0, ""},
	} {
		d := slowOn(t, c.corners...)
		d.SetTimeLimit(c.limit)
		d.RangeWarnings()
		if err := d.Step(0.001); err != nil {
			t.Fatal(err)
		}
		said := d.RangeWarnings()
		if c.names == "" {
			if len(said) > 0 {
				t.Errorf("limit %v: %q", c.limit, said)
			}
		} else if len(said) != 1 || !strings.HasPrefix(said[0], "the step that ends at 0.001 s took ") ||
			!strings.Contains(said[0], "longer than the limit of 0.001 s: ") || !strings.HasSuffix(said[0], c.names) {
			t.Errorf("limit %v: %q, want %s", c.limit, said, c.names)
		}
		if again := d.RangeWarnings(); len(again) > 0 {
			t.Errorf("said again: %q", again)
		}
		if len(c.corners) > 1 {
			continue
		}
		if c.limit == time.Millisecond {
			if err := free.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := savedBytes(d), savedBytes(free); !slices.Equal(a, b) {
			t.Errorf("limit %v changes the state", c.limit)
		}
	}
}

// savedBytes is the saved state.
func savedBytes(d *driven) []byte {
	state := make([]byte, d.StateSize())
	if err := d.Save(state); err != nil {
		d.Fatal(err)
	}
	return state
}

// TestAFastStepIsNotReported, and timing allocates nothing. The limit outlives a reset.
func TestAFastStepIsNotReported(t *testing.T) {
	d := slowOn(t)
	d.SetTimeLimit(time.Hour)
	if n := testing.AllocsPerRun(100, func() {
		if err := d.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%g allocations in a step", n)
	}
	if said := d.RangeWarnings(); len(said) > 0 {
		t.Errorf("%q", said)
	}
	d.SetTimeLimit(time.Nanosecond)
	d.Reset()
	d.fit("plugin:"+badTires(t)+"#slow", "")
	if err := d.Initialise(); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if err := d.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	if said := d.RangeWarnings(); len(said) != 8 || !strings.HasSuffix(said[7],
		"in the function of tire_FL, tire_FR, tire_RL, tire_RR") {
		t.Errorf("after a reset: %q", said)
	}
}

// TestTimeLimitsAreChecked: the limit of skidpad.h, and the limit of FMUs in the environment.
func TestTimeLimitsAreChecked(t *testing.T) {
	_, handle := newCounter(t)
	for seconds, want := range map[float64]status{0: statusOK, 0.5: statusOK, 1e6: statusOK, -1: statusArgument,
		math.NaN(): statusArgument, 2e6: statusArgument, math.Inf(1): statusArgument} {
		if s := setTimeLimit(handle, seconds); s != want {
			t.Errorf("%g s: status %d, want %d", seconds, s, want)
		}
	}
	if s := warnings(handle, nil, 10); s != statusArgument {
		t.Errorf("no room: status %d", s)
	}
	for text, want := range map[string]time.Duration{"0.25": 250 * time.Millisecond, "0": 0} {
		t.Setenv("SKIDPAD_TIME_LIMIT", text)
		if limit, err := limitOfEnvironment(); err != nil || limit != want {
			t.Errorf("%q: %v, %v", text, limit, err)
		}
	}
	for text, want := range map[string]string{"soon": "must be a number of seconds",
		"-1": "from 0, which is none, to 1e+06 s", "": "must be a number"} {
		t.Setenv("SKIDPAD_TIME_LIMIT", text)
		if _, err := limitOfEnvironment(); err == nil || !strings.Contains(err.Error(), "SKIDPAD_TIME_LIMIT") ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
