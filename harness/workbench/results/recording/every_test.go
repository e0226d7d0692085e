package recording

import (
	"math"
	"strings"
	"testing"
)

// waves is a recording at 1 kHz of a slow and a fast wave, a gear, an angle that jumps, and a signal with a hole.
func waves(n int) *Recording {
	var list []signal
	for _, s := range [][2]string{{"slow", "m"}, {"fast", "m"}, {"gear", "1"}, {"turned", "rad"}, {"hole", "m"},
		{"ramp", "rad"}} {
		list = append(list, signal{name: s[0], unit: s[1]})
	}
	r := recordingOf(nil, []Fact{{"vehicle", "V"}}, list)
	for i := range n {
		t := float64(i) * 1e-3
		r.Append(t, []float64{math.Sin(2 * math.Pi * 2 * t), math.Sin(2 * math.Pi * 90 * t), math.Floor(3 * t),
			math.Remainder(9*t, 2*math.Pi), t, 40 * t})
	}
	r.Values[4][7] = math.NaN()
	return r
}

// Rows have the new rate. Slow waves remain, without a shift in time; fast waves, which the new rows would alias to
// slow ones, are removed. Gears and signals with gaps are not filtered, and angles are unwrapped first.
func TestThinnedRecordings(t *testing.T) {
	r := waves(4001)
	thinning, err := ParseThinning(0.01, "")
	if err != nil || math.Abs(thinning.Edge-100.0/3) > 1e-12 {
		t.Fatalf("%v, %v", thinning, err)
	}
	got, err := thinning.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Time) != 401 || got.Time[400] != r.Time[4000] {
		t.Fatalf("%d rows", len(got.Time))
	}
	for i, at := range got.Time {
		want := [][2]float64{{math.Sin(2 * math.Pi * 2 * at), 1e-3}, {0, 1e-3}, {math.Floor(3 * at), 0}, {0, math.Inf(1)},
			{at, 0}, {40 * at, 1e-9}}
		if i < 20 || i > 380 { // ends are reflections
			want[0][1], want[1][1], want[5][1] = 0.1, 0.2, 1e-7
		}
		for k, w := range want {
			if x := got.Values[k][i]; !(math.Abs(x-w[0]) <= w[1]) {
				t.Errorf("%s at %g s: %g, want %g", got.Channels[k].Name, at, x, w[0])
			}
		}
		if off := math.Remainder(got.Values[3][i]-9*at, 2*math.Pi); !(math.Abs(off) < want[5][1]) ||
			math.Abs(got.Values[3][i]) > math.Pi {
			t.Errorf("angle at %g s: %g", at, got.Values[3][i])
		}
	}
	if got.Fact("every") != "0.01 s" || got.Fact("filter") != "Butterworth of order 4, forward and backward, 3 dB at "+
		"33.3333 Hz" || len(r.Facts) != 1 || len(r.Time) != 4001 {
		t.Errorf("facts %v; the recording itself has %v", got.Facts, r.Facts)
	}
	// without a filter the rows are rows of the recording
	thinning, err = ParseThinning(0.01, "none")
	if err != nil {
		t.Fatal(err)
	}
	if got, err = thinning.Of(r); err != nil {
		t.Fatal(err)
	}
	for k, values := range got.Values {
		for i, x := range values {
			if want := r.Values[k][10*i]; x != want {
				t.Fatalf("%s in row %d: %g, want %g", got.Channels[k].Name, i, x, want)
			}
		}
	}
	// a filter alone leaves the rows
	if thinning, err = ParseThinning(0, "20Hz"); err != nil {
		t.Fatal(err)
	}
	if got, err = thinning.Of(r); err != nil || len(got.Time) != 4001 || math.Abs(got.Values[1][2000]) > 1e-3 {
		t.Errorf("%d rows, %v", len(got.Time), err)
	}
	// nothing asked for
	if thinning, err = ParseThinning(0, ""); err != nil {
		t.Fatal(err)
	}
	if got, err = thinning.Of(r); got != r || err != nil {
		t.Errorf("another recording, %v", err)
	}
}

// At the edge the filter takes 3 dB.
func TestTheEdgeOfTheFilter(t *testing.T) {
	r := recordingOf(nil, nil, []signal{{name: "wave"}})
	for i := range 8001 {
		t := float64(i) * 1e-3
		r.Append(t, []float64{math.Sin(2 * math.Pi * 20 * t)})
	}
	got, err := Thinning{Edge: 20}.Of(r)
	if err != nil {
		t.Fatal(err)
	}
	largest := 0.0
	for _, x := range got.Values[0][3000:5000] {
		largest = max(largest, math.Abs(x))
	}
	if !(math.Abs(largest-math.Sqrt(0.5)) < 2e-3) {
		t.Errorf("%g of the wave is left at the edge", largest)
	}
}

func TestInvalidThinnings(t *testing.T) {
	for filter, want := range map[string]string{
		"10": `--filter is "10"; give none, or`, "xHz": "an edge above 0", "-3Hz": "an edge above 0",
		"NaNHz": "an edge above 0", "1e999Hz": "an edge above 0",
	} {
		if _, err := ParseThinning(0.01, filter); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", filter, err)
		}
	}
	for _, c := range []struct {
		Thinning
		want string
	}{
		{Thinning{Period: 0.0025}, "--every is 0.0025 s; it must be a multiple of the communication step, 0.001 s"},
		{Thinning{Period: 0.0004}, "must be a multiple"}, {Thinning{Edge: 500}, "have frequencies below 500 Hz"},
	} {
		if _, err := c.Of(waves(100)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v", c.Thinning, err)
		}
	}
}
