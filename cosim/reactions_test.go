package cosim_test

import (
	"math"
	"testing"

	"skidpad/cosim"
)

// Vehicles with and without reactions have the same state, bit for bit, and each can restore the other's state.
func TestReactionsAreNotPartOfTheState(t *testing.T) {
	const file = "../resources/models/generic4w.toml"
	asked, err := cosim.Load(file, cosim.Options{Reactions: []string{"wheel_* in ground", "corner_*"}})
	if err != nil {
		t.Fatal(err)
	}
	drive := sine(0.03, "steer_FL", "steer_FR")
	plain, with := instance(t, load(t, "generic4w", ""), "rk4", 0.001), instance(t, asked, "rk4", 0.001)
	for _, r := range []*run{plain, with} {
		r.start(drive)
		r.drive(drive, 0.001, 0.1)
	}
	for i, v := range plain.sys.Variables() {
		if v.State < 0 || v.Kind == cosim.Rate {
			continue
		}
		a, err := plain.in.Get(i)
		if err != nil {
			t.Fatal(err)
		}
		if b := with.get(v.Name); math.Float64bits(a) != math.Float64bits(b) {
			t.Errorf("%s is %.17g without reactions, %.17g with them", v.Name, a, b)
		}
	}
	before := with.get("wheel_FL.Fz")
	saved := make([]byte, plain.in.StateSize())
	if err := plain.in.Save(saved); err != nil {
		t.Fatal(err)
	}
	with.drive(drive, 0.001, 0.2)
	if err := with.in.Restore(saved); err != nil {
		t.Fatal(err)
	}
	if after := with.get("wheel_FL.Fz"); after != before || before > -1000 {
		t.Errorf("the reaction is %.17g N, was %.17g N", after, before)
	}
}

// A free steering wheel turns the road wheels. The power of each wheel's driver is the driver's moment times the rate
// of the driver's angle.
func TestPowerOfDriversThatASteeringWheelTurns(t *testing.T) {
	r := instance(t, load(t, "passenger_car_free", ""), "rk4", 0.001)
	r.start(noInput)
	r.set("steering.hold", 0)
	r.set("steering.torque", 3)
	r.drive(noInput, 0.001, 0.15)
	for _, driver := range []string{"steer_FL", "steer_FR"} {
		const h = 1e-3
		before, torque, power := r.get(driver+".angle"), r.get(driver+".torque"), r.get(driver+".power")
		r.drive(noInput, 0.001, r.in.Time()+h)
		rate := (r.get(driver+".angle") - before) / h
		if math.Abs(rate) < 0.01 || math.Abs(torque) < 1 || math.Abs(power-torque*rate) > 0.05*math.Abs(power) {
			t.Errorf("%s: %g W, of %g N m at about %g rad/s", driver, power, torque, rate)
		}
	}
}
