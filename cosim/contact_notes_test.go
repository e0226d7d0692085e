package cosim_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"skidpad/model/program"
)

// A tire that leans, lies flat or is deflected beyond its size is noted once until it has come back, and only while
// it touches the road. A tire of an undeformed contact is meant to lean.
func TestTiresOutsideOfTheirContactAreNoted(t *testing.T) {
	for _, c := range []struct {
		contact  string
		replaced []string
		notes    []string // leaning, lying, crushed; "" for none
	}{
		{"conservative", nil, []string{
			"rad: the tire leaves the disc, and its side carries",
			"tire: at 0 s the inclination is 1 rad, above 45 degrees: the tire lies, and has the friction of one that slides",
			"tire: at 0 s the deflection is 0.07 m, deeper than the tire is, which has 0.0639 m from its free radius to its " +
				"side",
		}},
		{"loaded", []string{", width = 0.2", ""}, []string{"the contact creates energy from here on, take contact.method = " +
			`"conservative"`, "the tire lies, and has the forces of a rolling tire", "deeper than the tire is"}},
		{"undeformed", []string{", width = 0.2", "", "rolling_radius", "# rolling_radius"}, []string{"", "",
			"deeper than the tire is"}},
	} {
		text := strings.NewReplacer(append(c.replaced, "conservative", c.contact)...).Replace(leaning)
		for _, road := range []string{`type = "road"`, `type = "terrain"
kind = "plane"
height = 0.5`} {
			r := fromText(t, strings.Replace(text, `type = "road"`, road, 1), "")
			level := 0.0
			if strings.Contains(road, "height") {
				level = 0.5
			}
			at := func(lean, deflection float64) string {
				p := 0.355 * math.Cos(lean)
				if c.contact == "conservative" {
					p, _ = lowest(0.355, 0.82*0.355, 0.1, 0, lean)
				}
				for name, x := range map[string]float64{"wheel.angle2": lean, "wheel.z": level + p - deflection} {
					i := slices.IndexFunc(r.sys.Program().States, func(v program.Variable) bool { return v.Name == name })
					if err := r.in.SetState(i, x); err != nil {
						r.Fatal(err)
					}
				}
				return strings.Join(r.in.RangeWarnings(), "\n")
			}
			expect := func(what, got string, kinds ...int) {
				t.Helper()
				var want []string
				for _, k := range kinds {
					if c.notes[k] != "" {
						want = append(want, c.notes[k])
					}
				}
				lines := strings.Split(got, "\n")
				if got == "" {
					lines = nil
				}
				ok := len(lines) == len(want)
				for i := range min(len(want), len(lines)) {
					ok = ok && strings.Contains(lines[i], want[i])
				}
				if !ok {
					t.Errorf("%s, %s, %s: %q, want %q", c.contact, road, what, got, want)
				}
			}
			for range 2 { // again after a reset
				r.placed(map[string]float64{"wheel.z": level + 0.34})
				expect("upright", at(0.39, 0.06))
				expect("in the air", at(0.45, -0.01))
				expect("leaning", at(-0.45, 0.01), 0)
				expect("once", at(0.45, 0.01))
				expect("hardly back", at(0.38, 0.01))
				expect("leaning still", at(0.45, 0.01))
				expect("back", at(0.35, 0.01))
				expect("again", at(0.45, 0.01), 0)
				expect("lying", at(1, 0.01), 1)
				expect("lying once", at(-1.2, 0.01))
				expect("crushed", at(0, 0.07), 2)
				expect("crushed once", at(0, 0.08))
				expect("both", at(1, 0.07), 0, 1)
			}
			if n := testing.AllocsPerRun(10, func() { r.in.RangeWarnings() }); n != 0 {
				t.Errorf("%s, %s: looking for notes allocates %g times", c.contact, road, n)
			}
		}
	}
}
