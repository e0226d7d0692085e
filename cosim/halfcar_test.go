package cosim

import (
	"math"
	"testing"
)

// drive lets the half-car run to a time with the motor torque (34), the brakes (35), as corrected,
// and the friction profile (36), t_f = 30 s, continued linearly between solver steps. each is called
// after every one.
func (r *ride) halfCar(torque, end float64, each func()) *ride {
	r.t.Helper()
	h := r.settings[stepSetting]
	inputs := map[string]func(float64) float64{
		"motor.torque":   func(t float64) float64 { return torque * math.Tanh(2*t) },
		"brake_F.torque": func(t float64) float64 { return 12.5 * (1 + math.Tanh(t-22.5)) * (1 - math.Tanh(t-52.5)) },
		"road.mu":        func(t float64) float64 { return 0.15 + 0.7*math.Pow(math.Tanh((t-15)/6), 4) },
	}
	inputs["brake_R.torque"] = inputs["brake_F.torque"]
	place := map[string]int{}
	for name := range inputs {
		place[name], _ = r.sys.Find(name)
	}
	for n := int(math.Round((end - r.Time()) / h)); n > 0; n-- {
		t := r.Time()
		for name, f := range inputs {
			if err := r.Set(place[name], f(t)); err != nil {
				r.t.Fatal(err)
			}
			if err := r.SetRate(place[name], (f(t+h)-f(t))/h); err != nil {
				r.t.Fatal(err)
			}
		}
		if err := r.Step(h); err != nil {
			r.t.Fatal(err)
		}
		if each != nil {
			each()
		}
	}
	return r
}

func newHalfCar(t *testing.T, values map[string]float64) *ride {
	t.Helper()
	return begin(t, "halfcar", nil, values)
}

// Chapter 6 of the half-car specification.
func TestHalfCarScenarios(t *testing.T) {
	for _, c := range []struct {
		torque, gamma float64
		v             [7]float64 // at 1, 5, 10, 15, 20, 25, 30 s
		rear          [3]float64 // at 2, 5, 15 s
		slip          float64    // at 5 s
	}{
		{150, 20, [7]float64{1.02, 7.07, 14.18, 20.39, 25.58, 27.28, 26.46}, [3]float64{2.7, 7.2, 23.5}, 0.166},
		{550, 20, [7]float64{3.68, 25.16, 46.31, 49.02, 58.48, 65.98, 67.93}, [3]float64{13.1, 30.5, 645.5}, 5.367},
		{700, 20, [7]float64{4.66, 31.66, 56.14, 52.39, 56.55, 71.95, 76.60}, [3]float64{19.5, 42.8, 849.6}, 11.125},
		{550, 100, [7]float64{3.71, 25.21, 46.75, 55.77, 67.07, 70.20, 70.15}, [3]float64{10.1, 26.4, 386.8}, 1.176},
		{550, 200, [7]float64{3.72, 25.22, 46.81, 58.28, 68.54, 70.93, 70.52}, [3]float64{9.7, 25.9, 248.5}, 0.655},
		{550, 2000, [7]float64{3.72, 25.23, 46.87, 60.76, 69.05, 71.16, 70.65}, [3]float64{9.3, 25.3, 80.8}, 0.079},
	} {
		values := map[string]float64{"gamma": c.gamma}
		if c.gamma > 1000 {
			values[StepVariable] = 0.0005
		}
		r := newHalfCar(t, values)
		v := func() float64 { return r.get("forward.s_dot") }
		rear := func() float64 { return 0.25 * (r.get("pitch.omega") + r.get("arm_R.omega") + r.get("wheel_R.omega")) }
		next := 0
		r.halfCar(c.torque, 30, func() {
			at := func(s float64) bool { return math.Abs(r.Time()-s) < 1e-6 }
			for i, s := range []float64{2, 5, 15} {
				if at(s) {
					r.near("rear wheel", rear(), c.rear[i], 0.05)
				}
			}
			if at(5) {
				r.near("slip", r.get("wheel_R.slip_speed"), c.slip, 0.0005)
			}
			if times := []float64{1, 5, 10, 15, 20, 25, 30}; next < len(times) && at(times[next]) {
				r.near("speed", v(), c.v[next], 0.005)
				next++
			}
		})
		if next != 7 {
			t.Errorf("%d of 7 speeds looked at", next)
		}
	}
}
