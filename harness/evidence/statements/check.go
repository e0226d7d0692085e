// Package statements holds what the publications state about their vehicles, as checks of runs: one file for each
// publication.
package statements

import (
	"fmt"
	"math"

	"skidpad/harness/workbench/results/trace"
)

// Check is one statement of a source about a run, with the figure measured.
type Check struct {
	Name      string `json:"name"`      // "G7"
	Statement string `json:"statement"` // in words
	Measured  string `json:"measured"`
	Bound     string `json:"bound"`
	Pass      bool   `json:"pass"`
	NotJudged string `json:"not_judged,omitempty"` // why there is no verdict; then Pass is false
}

// Verdict is the verdict on a check, in capitals if it fails.
func (c *Check) Verdict() string {
	switch {
	case c.NotJudged != "":
		return "not judged: " + c.NotJudged + ":"
	case c.Pass:
		return "pass"
	}
	return "FAIL"
}

// Failed reports whether the statement was judged and does not hold.
func (c *Check) Failed() bool { return !c.Pass && c.NotJudged == "" }

const degree = math.Pi / 180

// NewCheck makes a check of parts that must all hold.
func NewCheck(name, statement string, parts ...Part) Check {
	c := Check{Name: name, Statement: statement, Pass: true}
	for i, p := range parts {
		if i > 0 {
			c.Measured += "; "
			c.Bound += "; "
		}
		c.Measured += p.measured
		c.Bound += p.bound
		c.Pass = c.Pass && p.Pass
	}
	return c
}

// Part is one figure of a check with its bound.
type Part struct {
	measured, bound string
	Pass            bool
}

// above, below and between compare a figure with bounds; NaN passes none. The
// figure and the bounds are shown divided by scale, in unit.
func above(what string, x, bound, scale float64, unit string) Part {
	return Part{formatValue(what, x, scale, unit), fmt.Sprintf("> %.6g", bound/scale), x > bound}
}

func Below(what string, x, bound, scale float64, unit string) Part {
	return Part{formatValue(what, x, scale, unit), fmt.Sprintf("< %.6g", bound/scale), x < bound}
}

func inRange(what string, x, low, high, scale float64, unit string) Part {
	return Part{formatValue(what, x, scale, unit), fmt.Sprintf("%.6g .. %.6g", low/scale, high/scale), low < x &&
		x < high}
}

func formatValue(what string, x, scale float64, unit string) string {
	if unit != "" {
		unit = " " + unit
	}
	return fmt.Sprintf("%s %.5g%s", what, x/scale, unit)
}

// signChanges counts how often values change between above +threshold and below
// -threshold; what lies between belongs to neither side.
func signChanges(values []float64, threshold float64) int {
	changes, side := 0, 0
	for _, x := range values {
		now := 0
		if x > threshold {
			now = 1
		} else if x < -threshold {
			now = -1
		}
		if now != 0 {
			if side == -now {
				changes++
			}
			side = now
		}
	}
	return changes
}

// lobes reports whether a variable has two lobes: one on each side of zero. A lobe
// counts where it exceeds a tenth of the peak.
func lobes(t *trace.Trace, name, label string) Part {
	values := t.Column(name)
	_, largest := trace.Peak(t.Time, values)
	n := signChanges(values, largest/10) + 1
	return Part{fmt.Sprintf("%s lobes %d", label, n), "2", n == 2}
}

// extremes reports whether a variable is largest within 0.5 s of 2.5 s and
// smallest within 0.5 s of 7.5 s.
func extremes(t *trace.Trace, name, label string) []Part {
	values := t.Column(name)
	up, _ := trace.Maximum(t.Time, values)
	down, _ := trace.Minimum(t.Time, values)
	return []Part{
		inRange(label+" max at", up, 2, 3, 1, "s"),
		inRange("min at", down, 7, 8, 1, "s"),
	}
}
