package cosim_test

import (
	"math"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// All methods stand with brakes far stronger than the load on the vehicle. In the minute after a stop from 2 m/s the
// generic vehicle moves by less than a millimetre, and its tire forces change by less than 1 N. A brake whose sign
// rises within 1 rad/s gives 2 m.
func TestAllMethodsStandWithStrongBrakes(t *testing.T) {
	t.Parallel()
	testrun.Slow(t)
	seconds := testrun.Either(10, 60)
	for i, method := range []string{"euler", "heun", "rk4", "linearly-implicit"} {
		for j, grade := range []float64{0.1, -0.1} {
			for k, torque := range []float64{2500, 30000} {
				if !cosim.Picked(2, i, j, k) {
					continue
				}
				r := standing(t, grade, "Pacejka02", "delayed")
				if err := r.in.SetText("solver.method", method); err != nil {
					t.Fatal(err)
				}
				r.set("body.vx", 2)
				r.start(noInput)
				r.drive(braked(torque), 0.001, 20)
				x, y := r.get("body.x"), r.get("body.y")
				var force [4][3]float64
				for i, c := range corners {
					for k, f := range tireForces {
						force[i][k] = r.get("tire_" + c + "." + f)
					}
				}
				drift, change := 0.0, 0.0
				for second := 1; second <= seconds; second++ {
					r.drive(braked(torque), 0.001, 20+float64(second))
					drift = max(drift, math.Hypot(r.get("body.x")-x, r.get("body.y")-y))
					for i, c := range corners {
						for k, f := range tireForces {
							change = max(change, math.Abs(r.get("tire_"+c+"."+f)-force[i][k]))
						}
					}
				}
				if !(drift < 1e-3*float64(seconds)/60 && change < 1) {
					t.Errorf("%s on a grade of %g with %g N m at each wheel: %.3g mm in %d s, forces change by %.3g N",
						method, grade, torque, drift*1e3, seconds, change)
				}
			}
		}
	}
}

const brakedDisc = `name = "Disc"
gravity = 0
[component.disc]
type = "rigid-body"
mass = 3
inertia = { xx = 1, yy = 0.5, zz = 1 }
[component.arm]
type = "rigid-arm"
from = "disc"
to = "rim"
translation = [0.3, 0.7, 0.4]
[component.stone]
type = "rigid-body"
frame = "rim"
mass = 2
inertia = { xx = 0.1, yy = 0.2, zz = 0.3 }
[component.axle]
type = "revolute"
from = "ground"
to = "disc"
axis = "y"
[component.brake]
type = "brake"
from = "ground"
to = "disc"
axis = "y"
`

// A disc with a second body on its rim slows down with T s(w/w0)/J, with the polynomial s and w0 = (15/8) T h/J. The
// step h is the one that is set, not the step of the file. J is the inertia of both bodies about the axis. Beyond w0,
// and where w0 would be below 1 rad/s, the whole torque acts.
func TestBrakeWidthFollowsTheStep(t *testing.T) {
	const inertia = 0.5 + 0.2 + 2*(0.3*0.3+0.4*0.4)
	for _, step := range []float64{1e-4, 1e-3, 4e-3} {
		for _, torque := range []float64{100, 1000} {
			for _, spin := range []float64{-5, -1.5, -0.3, 0, 0.2, 1, 2.5, 6} {
				r := fromText(t, brakedDisc, "")
				r.set("solver.step", step)
				r.set("axle.omega", spin)
				r.set("brake.torque", torque)
				if err := r.in.Initialise(); err != nil {
					t.Fatal(err)
				}
				x := spin / max(1, 15./8*torque*step/inertia)
				x = max(-1, min(1, x))
				want := -torque * x * (15 - 10*x*x + 3*x*x*x*x) / 8 / inertia
				if got := r.get("der(axle.omega)"); !(math.Abs(got-want) <= 1e-12*torque/inertia) {
					t.Errorf("step %g s, %g N m, %g rad/s: %.15g rad/s2, want %.15g", step, torque, spin, got, want)
				}
			}
		}
	}
}

// An implicit step follows a strong brake as an explicit one does: 20 steps after 40 rad/s, where w0 is 47 rad/s, the
// disc stands. A slope that does not know of w0 would hold it up.
func TestImplicitStepsFollowAStrongBrake(t *testing.T) {
	for _, method := range []string{"heun", "linearly-implicit"} {
		r := fromText(t, brakedDisc, "")
		if err := r.in.SetText("solver.method", method); err != nil {
			t.Fatal(err)
		}
		r.set("axle.omega", 40)
		r.set("brake.torque", 30000)
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if err := r.in.Step(0.001); err != nil {
				t.Fatal(err)
			}
		}
		if w := r.get("axle.omega"); !(math.Abs(w) < 0.1) {
			t.Errorf("%s: the disc turns with %g rad/s", method, w)
		}
	}
}
