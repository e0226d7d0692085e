package cosim_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/integrate/quad"
	"gonum.org/v1/gonum/interp"
)

// hopper is a mass on a spring with bump and rebound stops, all by one table.
const hopper = `name = "Hopper"
[component.strut]
type = "prismatic"
from = "ground"
to = "mass"
axis = "z"
start = { s = 0.5 }
[component.mass]
type = "rigid-body"
mass = 40
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spring]
type = "spring-damper"
joint = "strut"
free_length = 0.4
spring_force = [[-0.1, -9000], [-0.06, -1200], [0, 0], [0.05, 800], [0.07, 6000]]
`

// A mass bounces between stops: kinetic energy, weight and the integral of the force over the travel
// add up to the same. The error falls with the third power of the step, because the forces have one
// continuous derivative; another order lower, the ratio would be 16.
func TestSpringsByTableConserveEnergy(t *testing.T) {
	var force interp.FritschButland
	if err := force.Fit([]float64{-0.1, -0.06, 0, 0.05, 0.07}, []float64{-9000, -1200, 0, 800, 6000}); err != nil {
		t.Fatal(err)
	}
	potential := func(x float64) float64 { // each piece is a cubic, which three points integrate exactly
		inside := min(max(x, -0.1), 0.07)
		e := 0.0
		for at, last := 0.0, inside; ; {
			next := last
			for _, knot := range []float64{-0.06, 0.05} {
				if (knot-at)*(last-knot) > 0 {
					next = knot
				}
			}
			e += quad.Fixed(force.Predict, min(at, next), max(at, next), 3, nil, 0) * math.Copysign(1, next-at)
			if at = next; at == last {
				break
			}
		}
		f, k := force.Predict(inside), force.PredictDerivative(inside)
		return e + f*(x-inside) + k*(x-inside)*(x-inside)/2
	}
	loss := func(step float64) float64 {
		r := fromText(t, hopper, "")
		r.set("solver.step", step)
		r.start(noInput)
		energy := func() float64 {
			v, s := r.get("strut.s_dot"), r.get("strut.s")
			return 20*v*v + 40*9.81*s + potential(s-0.4)
		}
		first, worst, low, high := energy(), 0.0, math.Inf(1), math.Inf(-1)
		for i := range 100 {
			r.drive(noInput, step, 0.01*float64(i+1))
			worst = max(worst, math.Abs(energy()-first))
			low, high = min(low, r.get("strut.s")), max(high, r.get("strut.s"))
		}
		if low > 0.33 || high < 0.499 {
			t.Errorf("the mass stays between %g and %g m: not both stops are met", low, high)
		}
		return worst / first
	}
	coarse, fine := loss(0.0002), loss(0.00005)
	if fine > 1e-8 || fine > coarse/32 {
		t.Errorf("energy changes by %.3g of itself at 0.2 ms, by %.3g at 0.05 ms", coarse, fine)
	}
}

// A weight on table dampers sinks or rises at the speed at which the dampers carry the weight.
func TestDampersByTableBearAWeight(t *testing.T) {
	// on points, and beyond the last one
	for gravity, want := range map[string]float64{"-10": -0.25, "10": 0.6, "50": 1.75} {
		r := fromText(t, `name = "Sinking"
gravity = [0, 0, `+gravity+`]
[component.rail]
type = "prismatic"
from = "ground"
to = "mass"
axis = "z"
[component.mass]
type = "rigid-body"
mass = 20
inertia = { xx = 1, yy = 1, zz = 1 }
[component.damper]
type = "spring-damper"
joint = "rail"
damper_force = [[-1, -500], [-0.25, -200], [0, 0], [0.6, 200], [1, 400], [1.5, 650], [2.0, 900]]
[component.wing]
type = "spring-damper"
from = "mass"
to = "tip"
damper_force = [[0, 0], [1, 1]]
[component.vane]
type = "rigid-arm"
from = "mass"
to = "tip"
translation = [1, 0, 0]
`, "")
		r.start(noInput)
		r.drive(noInput, 0.001, 4)
		if gravity == "50" {
			// 20 kg at 50 m/s2 are 1000 N: 100 N beyond the last point, where the curve continues with its end slope
			var force interp.FritschButland
			if err := force.Fit([]float64{-1, -0.25, 0, 0.6, 1, 1.5, 2}, []float64{-500, -200, 0, 200, 400, 650,
				900}); err != nil {
				t.Fatal(err)
			}
			want = 2 + 100/force.PredictDerivative(2)
		}
		r.near("rail.s_dot", want, 1e-9)
		r.near("wing.force", 0, 1e-12)
	}
}

// On a revolute joint a table is a torque over the angle: near its rest a pendulum swings with its
// slope there.
func TestTorqueByTable(t *testing.T) {
	r := fromText(t, `name = "Torsion"
gravity = 0
[component.hinge]
type = "revolute"
from = "ground"
to = "disc"
axis = "x"
start = { phi = 0.20001 }
[component.disc]
type = "rigid-body"
mass = 1
inertia = { xx = 0.5, yy = 0.5, zz = 0.5 }
[component.bar]
type = "spring-damper"
joint = "hinge"
free_length = 0.2
spring_force = [[-2, -600], [-1, -200], [0, 0], [1, 200], [2, 600]]
`, "")
	r.start(noInput)
	omega := math.Sqrt(200 / 0.5) // the chords on both sides of 0 are 200 N m/rad
	r.drive(noInput, 0.001, 0.3)
	r.near("hinge.phi", 0.2+1e-5*math.Cos(omega*0.3), 1e-9)
	r.near("bar.torque", 200*(r.get("hinge.phi")-0.2), 1e-8)
}
