package constants_test

import (
	"testing"

	"skidpad/harness/workbench/runs/constants"
)

// Numbers are shown with four digits, in the unit of the written number.
func TestNumbersInTheUnitOfTheFile(t *testing.T) {
	for _, c := range []struct {
		written, want string
		x             float64
	}{
		{"35 mph", "40 mph", 40 * 0.44704}, {"35 mph", "47.5 mph", 47.5 * 0.44704}, {"2 m/s2", "3 m/s2", 3},
		{"10 %", "12.35 %", 0.123456}, {"", "9.343", 9.342956}, {"", "-1", -1},
	} {
		var w constants.Written
		if c.written != "" {
			var err error
			if _, w, _, err = constants.ParseWritten("place", "key", c.written); err != nil {
				t.Fatal(err)
			}
		}
		if got := w.Show(c.x); got != c.want {
			t.Errorf("%g like %q is shown as %q, want %q", c.x, c.written, got, c.want)
		}
	}
}
