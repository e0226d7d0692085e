package cosim

import (
	"fmt"
	"math"
	"testing"

	"skidpad/model/vehicle"
)

const sliderCrank = `name = "SliderCrank"
gravity = 0

[parameters]
angle = { value = 0.3, unit = "rad" }

[[tree]]
name = "default"
formulation = "udwadia-kalaba"

[component.bearing]
type = "revolute"
from = "ground"
to = "crank"
axis = "y"
start = { phi = "angle", omega = 2 }

[component.arm]
type = "rigid-arm"
from = "crank"
to = "pin"
translation = [1, 0, 0]

[component.crank]
type = "rigid-body"
frame = "pin"
mass = 1
inertia = { xx = 0.1, yy = 0.1, zz = 0.1 }

[component.guide]
type = "prismatic"
from = "ground"
to = "slider"
axis = "x"
start = { s = "2*cos(angle)", s_dot = "-4*sin(angle)" }

[component.slider]
type = "rigid-body"
mass = 2
inertia = { xx = 1, yy = 1, zz = 1 }

[component.rod]
type = "rod"
from = "pin"
to = "slider"
length = 1
`

// The rod of this slider-crank is as long as its crank. Twice per turn the slider passes the bearing. There the
// constraint row of the rod vanishes, and the slider could as well stay. The slider moves on, with the energy
//
//	2 E = (m + J + 4 M sin^2 phi) omega^2
//
// and the period follows from that energy. In the singular position nothing is accelerated.
func TestConstraintsThroughSingularPositions(t *testing.T) {
	m, err := vehicle.Parse([]byte(sliderCrank), "slider_crank.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := New(m, Options{})
	if err != nil {
		t.Fatal(err)
	}
	resistance := func(phi float64) float64 { return 1.1 + 4*2*math.Pow(math.Sin(phi), 2) }
	energy := resistance(0.3) * 4
	period := 0.0
	const pieces = 1000 // periodic: the trapezoidal rule is exact to rounding
	for i := range pieces {
		period += 2 * math.Pi / pieces * math.Sqrt(resistance(2*math.Pi*float64(i)/pieces)/energy)
	}
	for _, method := range []string{"rk4", "dlmm"} {
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		r := &ride{in, t}
		if err := r.SetText(MethodVariable, method); err != nil {
			t.Fatal(err)
		}
		r.start(map[string]float64{StepVariable: period / 2000})
		worst, largest := 0.0, 0.0
		r.to(10*period, func() {
			phi, omega := r.get("bearing.phi"), r.get("bearing.omega")
			worst = max(worst, math.Abs(resistance(phi)*omega*omega/energy-1))
			largest = max(largest, math.Abs(r.get("rod.value")))
		})
		r.within(method+": energy", worst, 0, 1e-3)
		r.within(method+": violation", largest, 0, 1e-8)
		r.near(method+": ten turns", r.get("bearing.phi")-0.3, 20*math.Pi, 1e-4)

		dx := make([]float64, 4)
		in.rates(0, []float64{2, -4, math.Pi / 2, 0}, dx)
		r.near(method+": omega' in the singular position", dx[0], 0, 1e-9)
		r.near(method+": s'' in the singular position", dx[1], 0, 1e-9)
		// near it, from the derivative of the energy, and s = 2 cos phi
		sin, cos := math.Sincos(math.Pi/2 - 3e-6)
		in.rates(0, []float64{2, -4 * sin, math.Pi/2 - 3e-6, 2 * cos}, dx)
		omega := -8 * sin * cos * 4 / resistance(math.Pi/2-3e-6)
		r.near(method+": omega' near the singular position", dx[0], omega, 1e-9)
		r.near(method+": s'' near the singular position", dx[1], -2*cos*4-2*sin*omega, 1e-9)
	}
}

// A weight hangs on two rods of equal length between the same points. The solvers with their own corrections of
// constraints must invert these redundant constraints, too.
func TestRedundantConstraintsUnderAllSolvers(t *testing.T) {
	const pendulum = `name = "Pendulum"

[[tree]]
name = "default"
formulation = "udwadia-kalaba"

[component.weight]
type = "point-mass"
mass = 2
start = { position = [0.6, 0, -0.8] }
`
	const rod = `
[component.%s]
type = "rod"
from = "ground"
to = "weight"
length = 1
`
	swing := func(method string, names ...string) *ride {
		text := pendulum
		for _, name := range names {
			text += fmt.Sprintf(rod, name)
		}
		m, err := vehicle.Parse([]byte(text), "pendulum.toml", nil)
		if err != nil {
			t.Fatal(err)
		}
		s, err := New(m, Options{})
		if err != nil {
			t.Fatal(err)
		}
		in, err := s.Instantiate()
		if err != nil {
			t.Fatal(err)
		}
		r := &ride{in, t}
		if err := r.SetText(MethodVariable, method); err != nil {
			t.Fatal(err)
		}
		r.start(map[string]float64{StepVariable: 0.01})
		r.to(3, nil)
		return r
	}
	for _, method := range []string{"rk4", "linearly-implicit", "dlmm", "stabilised-ode", "post-stabilisation",
		"coordinate-projection", "half-explicit", "half-explicit-both"} {
		one, two := swing(method, "first"), swing(method, "first", "second")
		for _, name := range []string{"weight.x", "weight.z", "weight.vx", "weight.vz"} {
			r := ride{t: t}
			r.near(method+": "+name, two.get(name), one.get(name), 1e-10)
		}
		one.near(method+": length", math.Hypot(one.get("weight.x"), one.get("weight.z")), 1, 1e-3)
	}
}
