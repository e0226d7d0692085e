package trace

import (
	"bytes"
	"testing"
)

// FuzzReadCSV: what is read is a table of finite numbers and is written again alike.
func FuzzReadCSV(f *testing.F) {
	f.Add([]byte("time,body.x\n0,1\n0.05,2.5e-3\n"))
	f.Add([]byte("time\n0\n"))
	f.Add([]byte("time,a,a\n0,1\n"))
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
