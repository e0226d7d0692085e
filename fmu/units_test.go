package fmu

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"skidpad/fmu/markup"
)

// A quantity that everyone knows in two units: display = factor unit + offset, as both versions of FMI have it.
func TestDisplayUnitsConvertKnownQuantities(t *testing.T) {
	known := map[string]struct{ value, shown float64 }{
		"rad deg":       {math.Pi, 180},
		"rad/s deg/s":   {2 * math.Pi, 360},
		"rad/s rpm":     {2 * math.Pi, 60}, // once a second
		"rad/s2 deg/s2": {math.Pi, 180},
		"m/s km/h":      {10, 36},
		"Pa bar":        {1e5, 1},
		"K degC":        {273.15, 0},
	}
	for unit, choices := range displayUnits {
		for _, d := range choices {
			q, listed := known[unit+" "+d.name]
			if got := d.factor*q.value + d.offset; !listed || !(math.Abs(got-q.shown) <= 1e-12*math.Abs(q.shown)) {
				t.Errorf("%g %s is %.17g %s, want %g", q.value, unit, got, d.name, q.shown)
			}
		}
	}
}

// The same numbers are in the descriptions.
func TestDescriptionsHoldTheFactorsOfDisplayUnits(t *testing.T) {
	var text bytes.Buffer
	d := markup.New(&text)
	writeUnits(d, &Table{Variables: []Variable{{Name: "wheel.omega", Unit: "rad/s"}, {Name: "oil.T", Unit: "K"}}})
	if err := d.Flush(); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`name="rpm" factor="9.54929658551372`, `name="degC" factor="1`, `offset="-273.15"`} {
		if !strings.Contains(text.String(), part) {
			t.Errorf("%s is missing in %s", part, text.String())
		}
	}
}
