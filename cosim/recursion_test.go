package cosim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/harness/tests/testrun"
)

// chainOf returns a chain of links in the plane or, with rotating axes, in space. With star, all links hang on one
// body.
func chainOf(links int, axes string, star bool) string {
	var b strings.Builder
	b.WriteString(`name = "Links"
[component.hub]
type = "rigid-body"
mass = 3
inertia = { xx = 0.2, yy = 0.3, zz = 0.25 }
start = { velocity = [0.3, 0.2, 0.1], angular_velocity = [0.1, 0.4, 0.2] }
`)
	last := "hub"
	for i := range links {
		fmt.Fprintf(&b, `[component.arm%[1]d]
type = "rigid-arm"
from = %[2]q
to = "hinge%[1]d"
translation = [0.4, 0.02, 0.01]
`, i, last)
		fmt.Fprintf(&b, `[component.joint%[1]d]
type = "revolute"
from = "hinge%[1]d"
to = "link%[1]d"
axis = %[2]q
start = { phi = %[3]g }
`, i, axes[i%len(axes):i%len(axes)+1],
			0.1*float64(i%5-2))
		fmt.Fprintf(&b, `[component.link%d]
type = "rigid-body"
mass = 1
inertia = { xx = 0.02, yy = 0.03, zz = 0.04, xz = 0.002 }
`, i)
		if !star {
			last = fmt.Sprintf("link%d", i)
		}
	}
	return b.String()
}

// TestCostGrowsWithTheNumberOfLinks: one more link costs the same number of operations in every chain, in a plane and
// in space, hung on one another or on one hub.
func TestCostGrowsWithTheNumberOfLinks(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	links := testrun.Either([3]int{15, 30, 60}, [3]int{30, 60, 120})
	for _, c := range []struct {
		axes string
		star bool
	}{{"y", false}, {"yzx", false}, {"y", true}, {"yzx", true}} {
		var costs [3]int
		for i, n := range links {
			costs[i] = fromText(t, chainOf(n, c.axes, c.star), "").sys.Program().RateCost.Total()
		}
		first := float64(costs[1]-costs[0]) / float64(links[1]-links[0])
		second := float64(costs[2]-costs[1]) / float64(links[2]-links[1])
		t.Logf("axes %s, star %v: %d operations, %.1f and %.1f for each further link", c.axes, c.star,
			costs, first, second)
		if !(math.Abs(second-first) <= 0.02*first) {
			t.Errorf("axes %s, star %v: a further link costs %.1f operations among %d to %d, %.1f among %d to %d",
				c.axes, c.star, first, links[0], links[1], second, links[1], links[2])
		}
	}
}

// TestLongChainsKeepEnergyAndMomentum: a free chain of 20 links in space falls and tumbles.
func TestLongChainsKeepEnergyAndMomentum(t *testing.T) {
	const links = 20
	r := fromText(t, chainOf(links, "yzx", false), "")
	r.start(noInput)
	total := func() (energy float64, momentum [3]float64) {
		add := func(name string, mass float64, inertia [4]float64) {
			var v, w [3]float64
			for k, axis := range []string{"x", "y", "z"} {
				v[k], w[k] = r.get(name+".v"+axis), r.get(name+".w"+axis)
			}
			energy += mass*(v[0]*v[0]+v[1]*v[1]+v[2]*v[2])/2 + mass*9.81*r.get(name+".z")
			energy += (inertia[0]*w[0]*w[0]+inertia[1]*w[1]*w[1]+inertia[2]*w[2]*w[2])/2 - inertia[3]*w[0]*w[2]
			for k, u := range inGround(r.get(name+".yaw"), r.get(name+".pitch"), r.get(name+".roll"), v) {
				momentum[k] += mass * u
			}
		}
		add("hub", 3, [4]float64{0.2, 0.3, 0.25, 0})
		for i := range links {
			add(fmt.Sprintf("link%d", i), 1, [4]float64{0.02, 0.03, 0.04, 0.002})
		}
		return energy, momentum
	}
	e0, p0 := total()
	r.drive(noInput, 0.0002, 1)
	e1, p1 := total()
	p0[2] -= (3 + links) * 9.81
	if !(math.Abs(e1-e0) <= 1e-6*math.Abs(e0)) {
		t.Errorf("energy %.12g J, after 1 s %.12g J", e0, e1)
	}
	for k := range p0 {
		if !(math.Abs(p1[k]-p0[k]) <= 1e-7) {
			t.Errorf("momentum %g N s, after 1 s %g N s", p0, p1)
			break
		}
	}
}

// inGround rotates a vector by 3-2-1 angles.
func inGround(yaw, pitch, roll float64, v [3]float64) [3]float64 {
	sin, cos := math.Sincos(roll)
	v[1], v[2] = cos*v[1]-sin*v[2], sin*v[1]+cos*v[2]
	sin, cos = math.Sincos(pitch)
	v[0], v[2] = cos*v[0]+sin*v[2], cos*v[2]-sin*v[0]
	sin, cos = math.Sincos(yaw)
	v[0], v[1] = cos*v[0]-sin*v[1], sin*v[0]+cos*v[1]
	return v
}
