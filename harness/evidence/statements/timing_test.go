package statements

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// watched is a host with two processors and these loads, one after the other.
func watched(t *testing.T, loads ...string) *Host {
	t.Helper()
	h := &Host{processors: 2, loads: filepath.Join(t.TempDir(), "loads")}
	for _, load := range loads {
		if err := os.WriteFile(h.loads, []byte(load+" 0.20 0.30 5/300 4711\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		h.Look()
	}
	return h
}

// A loaded host leaves times without a verdict; a quiet one judges the median.
func TestTimesAreJudgedOnAQuietHost(t *testing.T) {
	for _, x := range []struct {
		loads   []string
		factors []float64
		verdict string
		failed  bool
	}{
		{[]string{"1.2", "2.0", "2.8"}, []float64{30, 1, 25, 1, 20}, "pass", false}, // median 20
		{[]string{"1.00", "2.00", "2.00"}, []float64{30, 1, 25, 1, 19.9}, "FAIL", true},
		{[]string{"2.00", "2.00", "2.03"}, []float64{30, 1, 25, 1, 19.9}, "not judged: host is loaded:", false},
		{[]string{"4.5", "3.1", "1.0"}, []float64{30, 31, 25, 26, 20}, "not judged: host is loaded:", false},
		{nil, []float64{30, 31, 25, 26, 20}, "pass", false},
	} {
		c := Timed(watched(t, x.loads...), "T1", "fast", MedianAtLeast("factor", x.factors, 20))
		if c.Verdict() != x.verdict || c.Failed() != x.failed {
			t.Errorf("loads %q, %v: %s, failed %t", x.loads, x.factors, c.Verdict(), c.Failed())
		}
	}
	late := []time.Duration{time.Second, 2, 3, time.Second, time.Second}
	if c := Timed(watched(t), "T5", "in time", MedianBelow("p99.9", late, time.Millisecond)); c.Pass ||
		!strings.Contains(c.Measured, "1s") {
		t.Errorf("%+v", c)
	}
	if c := Timed(watched(t), "T5", "in time", MedianBelow("p99.9", late[:3], time.Millisecond)); !c.Pass {
		t.Errorf("%+v", c)
	}
	for _, x := range []struct {
		least, largest int
		pass           bool
	}{{4, 4, true}, {4, 5, false}, {3, 4, false}, {5, 5, false}} {
		if c := NewCheck("T4", "same", SameInEveryStep("steps", x.least, x.largest, 4)); c.Pass != x.pass {
			t.Errorf("%d to %d evaluations: %t", x.least, x.largest, c.Pass)
		}
	}
}

// The load of the host is read from the system. A system that tells no load counts as quiet.
func TestTheHostIsWatched(t *testing.T) {
	h := NewHost()
	h.Look()
	if _, err := os.Stat(h.loads); err == nil && (h.samples != 1 || h.load < 0) {
		t.Errorf("%g samples, load %g", h.samples, h.load)
	}
	silent := &Host{processors: 1, loads: filepath.Join(t.TempDir(), "none")}
	if silent.Look(); silent.Loaded() || silent.samples != 0 {
		t.Errorf("%+v", silent)
	}
}
