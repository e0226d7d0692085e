package formulate_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// A kingpin is a way to write the second joint of a limb. Its axis is z, a skew axis, or z of a frame that stands on
// the skew axis and is followed by another fixed rotation back; also with a driver in series.
type kingpin int

const (
	upright kingpin = iota
	skew
	thereAndBack
	drivenSkew
	drivenThereAndBack
)

// limbs is a body with four limbs, each of a prismatic joint along z, the kingpin, and revolute joints about x and
// y. All parts have mass and inertia. The axis of a skew kingpin has the castor 0.14 and the inclination 0.23.
func limbs(k kingpin) string {
	var s strings.Builder
	s.WriteString(`name = "Limbs"
[parameters]
castor = { value = 0.14, unit = "rad", text = "castor" }
inclination = { value = 0.23, unit = "rad", text = "inclination" }
[component.hull]
type = "rigid-body"
mass = 1000
inertia = { xx = 400, yy = 1500, zz = 1700 }
`)
	const axis = "[-0.13600776850823104, -0.22797752, 0.9641]"
	for i, corner := range []string{"FL", "FR", "RL", "RR"} {
		x, y := 1.2-2.5*float64(i/2), 0.7-1.4*float64(i%2)
		part := func(name, text string) { fmt.Fprintf(&s, "[component.%s_%s]\n%s\n", name, corner, text) }
		joint := func(name, kind, from, to, axis string) {
			part(name, fmt.Sprintf(`type = %q
from = "%s_%s"
to = "%s_%s"
axis = %s`, kind, from, corner,
				to, corner, axis))
		}
		arm := func(name, from, to, rest string) {
			part(name, fmt.Sprintf(`type = "rigid-arm"
from = "%s_%s"
to = "%s_%s"
%s`, from, corner, to, corner, rest))
		}
		body := func(name string) {
			part(name, `type = "rigid-body"
mass = 12
inertia = { xx = 0.4, yy = 0.3, zz = 0.5 }`)
		}
		part("corner", fmt.Sprintf(`type = "rigid-arm"
from = "hull"
to = "corner_%s"
translation = [%g, %g, -0.3]`,
			corner, x, y))
		joint("travel", "prismatic", "corner", "carrier", `"z"`)
		body("carrier")
		from, to, about := "carrier", "knuckle", `"z"`
		switch k {
		case skew, drivenSkew:
			about = axis
		case thereAndBack, drivenThereAndBack:
			from, to = "kingpin", "turned"
			arm("to_kingpin", "carrier", "kingpin", `angles = [0, "-castor", "inclination"]`)
			arm("back", "turned", "knuckle", "sequence = \"123\"\nangles = [\"-inclination\", \"castor\", 0]")
		}
		if k == drivenSkew || k == drivenThereAndBack {
			joint("driver", "motion-driver", from, "rod", about)
			from = "rod"
		}
		joint("kingpin_joint", "revolute", from, to, about)
		body("knuckle")
		joint("camber", "revolute", "knuckle", "hub", `"x"`)
		body("hub")
		joint("axle", "revolute", "hub", "wheel", `"y"`)
		body("wheel")
	}
	return s.String()
}

func parse(t testing.TB, text string) *vehicle.Model {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "limbs.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestKingpinsCostTheSameHoweverTheyAreWritten: fixed turns to the axis and back cost hardly more than an axis vector,
// and two turns about the same axis, one after the other, hardly more than one.
func TestKingpinsCostTheSameHoweverTheyAreWritten(t *testing.T) {
	t.Parallel()
	var costs [drivenThereAndBack + 1]float64
	for k := range costs {
		p, err := formulate.Program(parse(t, limbs(kingpin(k))), formulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		costs[k] = float64(p.RateCost.Total())
	}
	for _, c := range []struct {
		dear, cheap kingpin
		times       float64
	}{
		{thereAndBack, skew, 1.1}, {drivenThereAndBack, drivenSkew, 1.1}, {drivenSkew, skew, 1.02},
		{drivenThereAndBack, thereAndBack, 1.02}, {skew, upright, 1.6},
	} {
		if costs[c.dear] > c.times*costs[c.cheap] {
			t.Errorf("kind %d takes %g operations, more than %g times the %g of kind %d", c.dear, costs[c.dear], c.times,
				costs[c.cheap], c.cheap)
		}
	}
}

// Bodies fixed to a part, in rotated frames and at other places, are merged with the part before the run. A step
// therefore costs the same for any number of such bodies.
func TestFixedBodiesCostAsOne(t *testing.T) {
	t.Parallel()
	text := limbs(skew)
	var costs []int
	for i := range 4 {
		text += fmt.Sprintf(`[component.bracket%[1]d]
type = "rigid-arm"
from = "knuckle_FL"
to = "load%[1]d"
angles = [0.3, 0.%[1]d, -0.2]
translation = [0.1, 0.%[1]d, 0.2]
[component.load%[1]d]
type = "rigid-body"
mass = 2
inertia = { xx = 0.1, yy = 0.2, zz = 0.15 }
`, i)
		p, err := formulate.Program(parse(t, text), formulate.Options{})
		if err != nil {
			t.Fatal(err)
		}
		costs = append(costs, p.RateCost.Total())
	}
	if slices.Max(costs[1:]) > slices.Min(costs[1:]) {
		t.Errorf("with one body more each: %d operations", costs)
	}
}
