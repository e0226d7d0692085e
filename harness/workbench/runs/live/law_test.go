package live

import (
	"math"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
	"skidpad/harness/workbench/files/modelfile"
	"skidpad/harness/workbench/runs/drive"
	"skidpad/harness/workbench/runs/manoeuvre"
)

const slice = 0.001 // s

// opened is a shipped vehicle at a speed, and its car.
func opened(t *testing.T, model string, speed float64) (*library.Vehicle, *manoeuvre.DrivenCar) {
	t.Helper()
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	path := built.Model(model)
	v, err := lib.Load(path, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	target, err := modelfile.Target(path, "")
	if err != nil {
		t.Fatal(err)
	}
	car, err := manoeuvre.ReadDrivenCar(target, speed)
	if err != nil {
		t.Fatal(err)
	}
	plan := &drive.Plan{Manoeuvre: &manoeuvre.Manoeuvre{Name: "drive", Start: car.Start, Roles: car.Roles}}
	if _, err := plan.Prepare(v, slice); err != nil {
		t.Fatal(err)
	}
	return v, car
}

// A held key leads to a lateral acceleration that a driver wants at any speed, within half a second, and a tap to a
// small one. Angle, rate and acceleration of the steering wheel belong together.
func TestKeysSteerAtAllSpeeds(t *testing.T) {
	testrun.Slow(t)
	for _, kmh := range []float64{30, 60, 100, 140} {
		v, car := opened(t, "passenger_car", kmh/3.6)
		l, err := New(v, car, Options{Step: slice, Outputs: []string{"body.wz"}})
		if err != nil {
			t.Fatal(err)
		}
		start, err := v.Save()
		if err != nil {
			t.Fatal(err)
		}
		drive := func(held float64) (lateral []float64) {
			if err := v.Restore(start); err != nil {
				t.Fatal(err)
			}
			l.driver = driver{car: l.driver.car, most: UsualAcceleration}
			out := make([]float64, len(l.out))
			if err := v.Get(l.out, out); err != nil {
				t.Fatal(err)
			}
			for n := range 3000 {
				c := Command{Keys: KeyThrottle}
				if float64(n)*slice < held {
					c.Keys |= KeyLeft
				}
				before := l.driver.servo
				l.driver.drive(&c, out[l.speed], slice)
				l.driver.throttle = min(l.driver.throttle, 0.3) // about the speed
				l.controls.set(&l.driver, &c, out[l.speed], 0, slice)
				if err := v.Advance(slice, l.controls.references, l.controls.values, l.out, out); err != nil {
					t.Fatal(err)
				}
				l.driver.advance(slice)
				s := l.driver.servo
				if math.Abs(s.angle-before.angle-slice*(before.rate+s.rate)/2) > 1e-9 ||
					math.Abs(s.rate-before.rate-slice*s.acceleration) > 1e-9 || math.Abs(s.acceleration) > 400 {
					t.Fatalf("%g km/h, slice %d: %+v after %+v", kmh, n, s, before)
				}
				lateral = append(lateral, out[l.speed]*out[0])
			}
			return lateral
		}
		held := drive(10)
		end, t90 := held[len(held)-1], 0
		for held[t90] < 0.9*end {
			t90++
		}
		if at := slice * float64(t90); !(at > 0.35 && at < 0.65) || !(end > 5.4 && end < 7) {
			t.Errorf("%g km/h: 90 %% of %.2f m/s2 after %.2f s", kmh, end, at)
		}
		tap := 0.0
		for _, a := range drive(0.05) {
			tap = max(tap, a)
		}
		if !(tap > 0.02 && tap < 0.3) {
			t.Errorf("%g km/h: a tap leads to %.2f m/s2", kmh, tap)
		}
	}
}
