package main

import (
	"strings"
	"testing"

	"github.com/spf13/pflag"
)

// A time is in seconds or has a unit; it is finite, and above 0 unless 0 means something.
func TestTimesOfFlags(t *testing.T) {
	for _, c := range []struct {
		text, want string
		s          float64
	}{
		{"2.5", "", 2.5}, {"2 s", "", 2}, {"2s", "", 2}, {"1ms", "", 0.001}, {"1.5 min", "", 90}, {"1e-2s", "", 0.01},
		{"1e-3", "", 0.001}, {"2E1", "", 20}, {"5e-1 s", "", 0.5},
		{"0", "0 is not above 0", 0}, {"-1 s", "-1 s is not above 0", 0}, {"1 m", `"1 m" is not a time; give seconds`, 0},
		{"inf", `"inf" is not a time`, 0}, {"1e400 s", "is not a time", 0},
		{"", "is not a time", 0}, {"2 2", "is not a time", 0},
	} {
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		above, from := secondsFlag(flags, "step", 7, ""), secondsOrZeroFlag(flags, "from", 7, "")
		err := flags.Parse([]string{"--step", c.text})
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %s", c.text, err, c.want)
		}
		if err == nil && *above != c.s {
			t.Errorf("%q is %v s; want %v", c.text, *above, c.s)
		}
		err = flags.Parse([]string{"--from", c.text})
		if zero := c.text == "0"; (err == nil) != (zero || c.want == "") || zero && *from != 0 {
			t.Errorf("--from %q: %v s, %v", c.text, *from, err)
		}
	}
}

// Flags that exclude each other are named with what to do.
func TestFlagsThatExcludeEachOther(t *testing.T) {
	for _, c := range [][]string{
		{"--out", "--json", "sweep", "generic4w", "--json", "-o", "x.csv"},
		{"--out", "--write", "trim", "generic4w", "--write", "-o", "x.toml"},
		{"--text", "--json", "equations", "generic4w", "--text", "--json"},
		{"--passes", "--intermediates", "equations", "generic4w", "--passes", "--intermediates", "tire_FL"},
		{"--markdown", "--json", "manoeuvre", "generic4w", "--markdown", "--json"},
		{"--design", "--full", "manoeuvre", "generic4w", "--design", "x.csv", "--full"},
	} {
		status, _, stderr := try(c[2:]...)
		if want := c[0] + " and " + c[1] + " exclude each other: give one of them"; status != wrongUsage ||
			!strings.Contains(stderr, want) {
			t.Errorf("%q: status %d, %s", c[2:], status, stderr)
		}
	}
}
