package display

import (
	"math"
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
)

// Units of a user stand in place of SI units, others are degrees and SI; what is per something follows its first unit.
func TestUnitsOfAUser(t *testing.T) {
	u := Default()
	if err := u.Acceleration("g"); err != nil {
		t.Fatal(err)
	}
	if err := u.parse([]byte(
		`[display]
"m/s" = "km/h"
N = "kN"
m = "mm"
"rad/s" = "rad/s"
`), "u.toml"); err != nil {
		t.Fatal(err)
	}
	for si, want := range map[string]struct {
		name   string
		factor float64
	}{
		"m/s": {"km/h", 1 / 3.6}, "N": {"kN", 1000}, "m": {"mm", 0.001}, "rad": {"deg", math.Pi / 180}, "s": {"s", 1},
		"m/s2": {"g", 9.80665}, "rad/(m/s2)": {"deg/(m/s2)", math.Pi / 180}, "rad/s": {"rad/s", 1}, "1": {"1", 1},
		"N.m": {"kN.m", 1000}, "rad.s": {"deg.s", math.Pi / 180}, "1/s": {"1/s", 1}, "mol": {"mol", 1},
	} {
		name, factor := u.Of(si)
		if name != want.name || math.Abs(factor-want.factor) > 1e-15*math.Abs(want.factor) {
			t.Errorf("%s is shown as %s, %v; want %s, %v", si, name, factor, want.name, want.factor)
		}
	}
}

// Files with other tables or units are refused with their place.
func TestInvalidUnits(t *testing.T) {
	for text, says := range map[string]string{
		"":                              `u.toml:1:1: the file of units lacks the key "display"`,
		"[display]\n\"m/s\" = \"kmh\"":  `u.toml:2:9: unit "kmh" is not known`,
		"[display]\nN = \"mm\"":         `"mm" is not a unit of the same kind as "N"`,
		"[display]\n\"km/h\" = \"m/s\"": `"km/h" is not an SI unit`,
		"[display]\nN = 1":              "u.toml:2:5: display.N is 1; it must be a string",
		"[display]\nK = \"degC\"":       "is a point of a scale",
		"[displays]\n":                  `unknown key "displays"`,
		"[display]\nfurlong = \"m\"":    `unit "furlong" is not known`,
	} {
		if err := Default().parse([]byte(text), "u.toml"); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v\nwant %s", text, err, says)
		}
	}
	if err := Default().Acceleration("ft/s2"); err == nil || !strings.Contains(err.Error(), "in g or in m/s2") {
		t.Error(err)
	}
}

// Any file is read or refused.
func FuzzUnits(f *testing.F) {
	fuzzinputs.Add(f, "[display]\n\"m/s\" = \"km/h\"\n", "m/s2")
	f.Fuzz(func(t *testing.T, text, si string) {
		u := Default()
		if err := u.parse([]byte(text), "u.toml"); err != nil && !strings.HasPrefix(err.Error(), "u.toml:") {
			t.Fatalf("no place in %v", err)
		}
		if _, factor := u.Of(si); !(factor != 0 && factor-factor == 0) {
			t.Fatalf("%q has the factor %v", si, factor)
		}
	})
}
