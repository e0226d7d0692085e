package cosim

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"strings"
	"testing"
)

// A saved state with numbers that no instance can have is refused, and changes nothing.
func TestInvalidSavedNumbersAreRefused(t *testing.T) {
	r := begin(t, "generic4w", nil, nil)
	r.to(0.01, nil)
	saved := make([]byte, r.StateSize())
	if err := r.Save(saved); err != nil {
		t.Fatal(err)
	}
	numbers := len(saved) - stateSum - 8*(1+r.state.length(true))
	for _, c := range []struct {
		what   string
		number int // index behind texts and contacts; the time is the first
		value  float64
	}{
		{"time", 0, math.NaN()}, {"solver step", 1, 0}, {"solver step", 1, -1}, {"tolerance", 2, 0},
		{"number of an end", 3, -1}, {"number of an end", 3, 0.5}, {"number of an end", 3, 1e3},
		{"time of an end", 4, math.Inf(1)}, {"parameter", 1 + r.state.parametersAt, math.NaN()},
	} {
		b := append([]byte(nil), saved...)
		binary.LittleEndian.PutUint64(b[numbers+8*c.number:], math.Float64bits(c.value))
		binary.LittleEndian.PutUint32(b[len(b)-stateSum:], crc32.Checksum(b[:len(b)-stateSum], castagnoli))
		if err := r.Restore(b); err == nil || !strings.Contains(err.Error(), "values that no instance can have") {
			t.Errorf("%s %v: %v", c.what, c.value, err)
		}
		again := make([]byte, r.StateSize())
		if err := r.Save(again); err != nil || string(again) != string(saved) {
			t.Errorf("%s %v: the instance has changed, %v", c.what, c.value, err)
		}
	}
	if err := r.Restore(saved); err != nil {
		t.Error(err)
	}
}

// The end of a run is reported once, and not again after its state is restored.
func TestRestoredEndsAreNotReportedAgain(t *testing.T) {
	r, other := begin(t, "generic4w", nil, nil), begin(t, "generic4w", nil, nil)
	r.ends.first = [...]float64{endNumber: 1, endTime: 0.5}
	saved := make([]byte, r.StateSize())
	if err := r.Save(saved); err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{1, 0} {
		if list := r.NewWarnings(); len(list) != want {
			t.Errorf("%q, want %d", list, want)
		}
	}
	if err := other.Restore(saved); err != nil {
		t.Fatal(err)
	}
	if list := other.NewWarnings(); len(list) != 0 {
		t.Errorf("restored: %q", list)
	}
	if other.ends.first != r.ends.first {
		t.Errorf("the restored end is %v", other.ends.first)
	}
}
