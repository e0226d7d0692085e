package cosim_test

import (
	"math"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// A vehicle coasts to a stop on a grade where its rolling resistance can hold it, and stays there, from either
// direction. With a resistance whose sign depends on the spin alone, it creeps or rolls back.
func TestRollingResistanceHoldsAVehicle(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	for i, method := range []string{"euler", "heun", "rk4", "linearly-implicit"} {
		for j, way := range []float64{1, -1} {
			for k, grade := range []float64{0.01, -0.02} { // Cr/R is 0.028
				if !cosim.Picked(4, i, 2*j, k) { // each method, and each way on each grade
					continue
				}
				r := standing(t, grade, "Fiala", "delayed")
				if err := r.in.SetText("solver.method", method); err != nil {
					t.Fatal(err)
				}
				r.set("body.vx", 0.2*way)
				r.start(noInput)
				r.drive(braked(0), 0.001, 20)
				x := r.get("body.x")
				r.drive(braked(0), 0.001, 50)
				if drift := math.Abs(r.get("body.x") - x); !(drift < 1e-5) {
					t.Errorf("%s, %+g, on a grade of %g: %.3g mm in half a minute", method, way, grade, drift*1e3)
				}
				moment := 0.0
				for _, c := range corners {
					moment += r.get("tire_" + c + ".My")
				}
				// moments about the contact of free wheels: the rolling resistance alone holds the vehicle
				want := generic4wWeight * math.Sin(math.Atan(grade)) * 0.336
				if !(math.Abs(moment-want) < 0.02*math.Abs(want)) {
					t.Errorf("%s, %+g, on a grade of %g: moments of %.4g N m, %.4g hold it", method, way, grade, moment, want)
				}
			}
		}
	}
}
