package cosim_test

import (
	"math"
	"testing"

	"skidpad/cosim"
)

// A neutral car of rigid axles, written from templates, behaves like the single-track model. Its yaw velocity is v/L
// times the steer angle. After a step it reaches 90 % of that value when the single-track model does.
func TestNeutralCarEqualsSingleTrackModel(t *testing.T) {
	const a, b = 1.1562, 1.42272
	s, err := cosim.Load("testdata/neutral_car.toml", cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []struct{ speed, gain, rise float64 }{{20, 7.755, 0.214}, {30, 11.633, 0.321}} {
		if gain := x.speed / (a + b); math.Abs(gain-x.gain) > 1e-3 {
			t.Fatalf("v/L is %g", gain)
		}
		r := instance(t, s, "rk4", 0.001)
		r.set("body.vx", x.speed)
		for _, wheel := range []string{"FL", "FR", "RL", "RR"} {
			r.set("wheel_"+wheel+".omega", x.speed/0.3052)
		}
		r.start(noInput)
		for range 3000 { // the car settles on its springs
			r.step(0.001)
		}
		const wheel = 0.002
		r.set("steering.angle", 16*wheel)
		reached, last := -1.0, 0.0
		for k := range 3000 {
			r.step(0.001)
			if last = r.get("body.wz") / wheel; reached < 0 && last >= 0.9*x.gain {
				reached = float64(k+1) * 0.001
			}
		}
		v := r.get("body.vx")
		t.Logf("%g m/s: gain %.4f, v/L %.4f, 90 %% after %.3f s; speed %.4f", x.speed, last, v/(a+b), reached, v)
		if want := v / (a + b); math.Abs(last-want) > 0.002*want {
			t.Errorf("%g m/s: the yaw gain is %.4f, want %.4f 1/s", x.speed, last, want)
		}
		if math.Abs(reached-x.rise) > 0.015 {
			t.Errorf("%g m/s: 90 %% of the yaw velocity after %.3f s, want %.3f s", x.speed, reached, x.rise)
		}
	}
}
