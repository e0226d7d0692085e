package cosim_test

import (
	"math"
	"testing"
)

// Explicit methods stand with brakes that are far stronger than what holds the vehicle: after a stop from 2 m/s the
// generic vehicle moves by less than a millimetre in a minute, and the forces of its tires by less than 1 N. A brake
// whose sign rises within 1 rad/s gives 2 m.
func TestExplicitMethodsStandWithStrongBrakes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("long runs in one thread")
	}
	for _, method := range []string{"euler", "heun", "rk4"} {
		for _, grade := range []float64{0, 0.1, -0.1} {
			for _, torque := range []float64{2500, 30000} {
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
				for second := 1; second <= 60; second++ {
					r.drive(braked(torque), 0.001, 20+float64(second))
					drift = max(drift, math.Hypot(r.get("body.x")-x, r.get("body.y")-y))
					for i, c := range corners {
						for k, f := range tireForces {
							change = max(change, math.Abs(r.get("tire_"+c+"."+f)-force[i][k]))
						}
					}
				}
				if !(drift < 1e-3 && change < 1) {
					t.Errorf("%s on a grade of %g with %g N m at each wheel: %.3g mm in a minute, forces change by %.3g N",
						method, grade, torque, drift*1e3, change)
				}
			}
		}
	}
}
