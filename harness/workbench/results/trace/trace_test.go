package trace

import (
	"bytes"
	"encoding/csv"
	"slices"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
)

// FuzzReadCSV: what is read is a table of finite numbers and is written again alike.
func FuzzReadCSV(f *testing.F) {
	fuzzinputs.Add(f, []byte("time,body.x\n0,1\n0.05,2.5e-3\n"))
	fuzzinputs.Add(f, []byte("time\n0\n"))
	fuzzinputs.Add(f, []byte("time,a,a\n0,1\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		trace, err := ReadCSV(bytes.NewReader(data))
		if err != nil {
			return
		}
		for i, column := range trace.Values {
			if len(column) != len(trace.Time) {
				t.Fatalf("column %d has %d of %d values", i, len(column), len(trace.Time))
			}
		}
		var text bytes.Buffer
		if err := trace.WriteCSV(&text); err != nil {
			t.Fatal(err)
		}
	})
}

// TestARecordIsOneTableWhateverItsVariablesAreCalled: names of foreign FMUs may hold commas, quotes and line ends.
func TestARecordIsOneTableWhateverItsVariablesAreCalled(t *testing.T) {
	names := []string{"a[1,2]", `say "x"`, "two\nlines", "plain.name"}
	trace := New(Named(names...), 2)
	trace.Append(0, []float64{1, 2, 3, 4})
	trace.Append(1, []float64{5, 6, 7, 8})
	var text bytes.Buffer
	if err := trace.WriteCSV(&text); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&text).ReadAll()
	if err != nil || len(rows) != 3 || !slices.Equal(rows[0][1:], names) || rows[2][4] != "8" {
		t.Errorf("%q, %v", rows, err)
	}
}
