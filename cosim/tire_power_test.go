package cosim_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/cosim"
)

// drives are inputs of the generic vehicle for acceleration, deceleration and coasting, straight ahead.
var drives = map[string]input{
	"acceleration": func(r *run, t float64) {
		for _, c := range corners[2:] {
			r.set("drive_"+c+".torque", 600*math.Min(1, 5*t))
		}
	},
	"braking": func(r *run, t float64) {
		for _, c := range corners {
			r.set("brake_"+c+".torque", 700*math.Min(1, 5*t))
		}
	},
	"coasting": noInput,
}

// turning returns the angular velocity of a wheel of the generic vehicle in tire axes, and its component about the
// axle. The axle is parallel to the y axis of the body.
func (r *run) turning(c string) (w r3.Vec, rim float64) {
	about := func(x float64, axis r3.Vec) r3.Rotation { return r3.NewRotation(x, axis) }
	body := func(v r3.Vec) r3.Vec {
		v = about(r.get("body.roll"), r3.Vec{X: 1}).Rotate(v)
		v = about(r.get("body.pitch"), r3.Vec{Y: 1}).Rotate(v)
		return about(r.get("body.yaw"), r3.Vec{Z: 1}).Rotate(v)
	}
	axle, up := body(r3.Vec{Y: 1}), r3.Vec{Z: 1}
	turning := body(r3.Vec{X: r.get("body.wx"), Y: r.get("body.wy") + r.get("wheel_"+c+".omega"), Z: r.get("body.wz")})
	ahead := r3.Unit(r3.Cross(axle, up))
	return r3.Vec{X: r3.Dot(turning, ahead), Y: r3.Dot(turning, r3.Cross(up, ahead)), Z: turning.Z}, r3.Dot(turning, axle)
}

// The power into a tire minus the power out of it is lost by slip and by rolling, where the longitudinal force acts on
// the spin at the effective radius. Where the force acts at the loaded radius, the tire gives out Fx (Reff - Rl) w
// more.
func TestPowersOfTiresAreLostBySlipAndRolling(t *testing.T) {
	for model, covered := range map[string]bool{"generic4w": false, "generic4w_carcass": true} {
		for name, drive := range drives {
			r := instance(t, load(t, model, ""), "rk4", 0.001)
			r.start(drive)
			largest := 0.0
			for range 10 {
				r.drive(drive, 0.001, r.in.Time()+0.1)
				for _, c := range corners {
					value := func(key string) float64 { return r.get("tire_" + c + "." + key) }
					w, rim := r.turning(c)
					made := 0.0
					if !covered {
						made = value("Fx") * (value("R_eff") - value("R_l")) * rim
						largest = max(largest, math.Abs(made/value("power_out")))
					}
					lost := value("power_slip") - r3.Dot(r3.Vec{X: value("Mx"), Y: value("My"), Z: value("Mz")}, w)
					in, out := value("power_in"), value("power_out")
					if !(math.Abs(in-out-lost+made) <= 1e-9*math.Abs(out)) {
						t.Errorf("%s, %s, %s at %g s: %.9g W in, %.9g W out, %.9g W lost", model, name, c, r.in.Time(), in, out,
							lost-made)
					}
					// the power out equals the power of the force on the vehicle, whose wheels neither sink nor turn
					if want := value("Fx") * r.get("body.vx"); math.Abs(out-want) > 0.02*math.Abs(want)+1 {
						t.Errorf("%s, %s, %s: %g W out, the force times the speed is %g W", model, name, c, out, want)
					}
				}
			}
			if name != "coasting" && (largest > 0.02) == covered {
				t.Errorf("%s, %s: tires give out up to %.2g %% more than they get", model, name, 100*largest)
			}
		}
	}
}

// With tires that make no power, acceleration, braking and coasting conserve energy.
func TestBalanceOfAccelerationBrakingAndCoasting(t *testing.T) {
	for name, drive := range drives {
		r := recorded(t, load(t, "generic4w_carcass", ""), "rk4", 0.0005, true)
		r.start(drive)
		first := r.get("energy.kinetic")
		r.drive(drive, 0.0005, 2)
		turned := r.get("energy.supplied") + r.get("energy.dissipated") + math.Abs(r.get("energy.kinetic")-first)
		if balance := r.get("energy.balance"); !(math.Abs(balance) <= 1e-6*turned) || turned < 1e3 {
			t.Errorf("%s: %.3g J of %.4g J are missing", name, balance, turned)
		} else {
			t.Logf("%s: %.3g J of %.4g J, %.2g", name, balance, turned, balance/turned)
		}
	}
}

// The passenger car conserves energy. Its tires have contact.power off because QSY2 replaces it. The rolling resistance
// by QSY2 takes R0 QSY2 Fx w. This is one to two times the power Fx (Reff - Rl) w that the longitudinal force makes by
// its arm, and both count together. Without the arm the ledger would miss its work, which the test integrates from
// forces, radii and angular velocities.
func TestBalanceOfThePassengerCar(t *testing.T) {
	const h, unloaded, share = 0.001, 0.3135, 0.021
	for name, drive := range map[string]input{
		"braking":      func(r *run, t float64) { r.set("brakes.torque", 2000*min(1, 5*t)) },
		"acceleration": func(r *run, t float64) { r.set("engine.throttle", min(1, 5*t)) },
		"coasting":     noInput,
	} {
		r := recorded(t, load(t, "passenger_car", ""), "rk4", h, true)
		r.start(drive)
		power := func() (arms, resistance float64) {
			for _, c := range corners {
				force := r.get("tire_"+c+".Fx") * (r.get("wheel_"+c+".omega") + r.get("body.wy"))
				arms += force * (r.get("tire_"+c+".R_eff") - r.get("tire_"+c+".R_l"))
				resistance += force * unloaded * share
			}
			return arms, resistance
		}
		first, arms, resistance := r.get("energy.kinetic"), 0.0, 0.0
		for range 400 {
			a, q := power()
			r.drive(drive, h, r.in.Time()+h)
			b, w := power()
			arms, resistance = arms+h*(a+b)/2, resistance+h*(q+w)/2
		}
		turned := r.get("energy.supplied") + r.get("energy.dissipated") + math.Abs(r.get("energy.kinetic")-first)
		if balance := r.get("energy.balance"); !(math.Abs(balance) <= 1e-6*turned) || turned < 1e3 {
			t.Errorf("%s: %.3g J of %.4g J are missing", name, balance, turned)
		}
		if !(math.Abs(arms) > 1e-4*turned) || !(resistance/arms >= 1 && resistance/arms <= 2) {
			t.Errorf("%s: of %.4g J the arms make %.4g J, QSY2 takes %.4g J", name, turned, arms, resistance)
		}
		t.Logf("%s: %.2g of %.4g J missing; arms %.4g J, QSY2 %.4g J", name, r.get("energy.balance")/turned, turned, arms,
			resistance)
	}
}

// A tire in the air and a standing tire pass no power on.
func TestTiresThatStandPassNoPowerOn(t *testing.T) {
	s := load(t, "generic4w", "")
	for _, key := range []string{"power_in", "power_out", "power_slip"} {
		i, has := s.Find("tire_FL." + key)
		if v := s.Variables()[i]; !has || v.Kind != cosim.Energy || v.Unit != "W" {
			t.Errorf("%s: %+v", key, v)
		}
	}
	r := instance(t, s, "rk4", 0.001)
	r.set("body.z", 3)
	r.start(noInput)
	for _, key := range []string{"power_in", "power_out", "power_slip"} {
		if power := r.get("tire_FL." + key); power != 0 {
			t.Errorf("a tire in the air has the %s %g", key, power)
		}
	}
}
