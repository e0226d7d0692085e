package cosim_test

import (
	"math"
	"testing"
)

// turnedWheel is a wheel that drivers move along a road and turn about the vertical, at a fixed height.
const turnedWheel = `name = "TurnedWheel"
[component]
street = { type = "terrain", kind = "flat" }
move = { type = "motion-driver", from = "ground", to = "cart", axis = "x", kind = "translation" }
lift = { type = "rigid-arm", from = "cart", to = "hub", translation = [0, 0, 0.29] }
turn = { type = "motion-driver", from = "hub", to = "fork", axis = "z" }
spin = { type = "revolute", from = "fork", to = "wheel", axis = "y" }
[component.tire]
type = "tire"
frame = "wheel"
road = "street"
mass = 15
inertia = { axial = 0.8, transverse = 0.5 }
unloaded_radius = 0.3
vertical_stiffness = 4e5
rolling_radius = { method = "unloaded" }
slip = { method = "kinematic", minimum_speed = 0.02 }
bore = { arm = 0.06, load = 3000, angle = 0.05, length = 0.1, friction = 1.2 }
force = { function = "inputs" }
`

// A standing wheel under a load Fz, 4 kN times the friction of the road, that turns at a constant rate has the torque
// mu a Fz (1 - exp(-w t Fz/(F0 angle))), and as much when it turns back, behind the loop of hysteresis. A wheel that
// rolls and turns approaches the torque of a constant twist.
func TestATireTurnsOnTheSpotWithBoreTorque(t *testing.T) {
	r := fromText(t, turnedWheel, "")
	const load, most, rate = 0.8 * 4000.0, 0.8 * 1.2 * 0.06 * 4000, 0.4 // times the friction of the road
	r.set("street.mu", 0.8)
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	r.near("tire.Fz", 4000, 1e-9)
	r.set("turn.rate", rate)
	torque := 0.0 // on the road
	for k := range 300 {
		side := 1.0
		if k >= 200 {
			side = -1
		}
		r.set("turn.rate", side*rate)
		r.step(0.005)
		torque = side*most + (torque-side*most)*math.Exp(-0.005*rate*load/(3000*0.05))
		r.near("tire.bore_torque", -torque, 1e-7*most)
	}
	if torque > -0.95*most {
		t.Errorf("the wheel turned back with %g N m only", torque)
	}
	const slow = 0.01
	r.set("move.rate", 2)
	r.set("turn.angle", 0)
	r.set("turn.rate", slow)
	for range 200 {
		r.step(0.005)
	}
	stiffness := most / (3000 * 0.05 / load) // s^2 Fz^2
	want := stiffness * slow / (slow*load/(3000*0.05) + 2/0.1)
	r.near("tire.bore_torque", -want, 1e-4*want) // the wheel is turned by 0.01 rad
	r.near("tire.Mz", r.get("tire.bore_torque"), 0)
}

// The road takes up what the driver of the turn gives: the ledger closes with the twist of the contact patch, and
// nothing comes back that was not put in.
func TestBoreTorqueGivesBackNoMoreThanItTook(t *testing.T) {
	r := fromText(t, turnedWheel, "")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	given := 0.0
	for k := range 400 {
		w := 0.3 * math.Sin(0.05*float64(k)) * math.Cos(0.017*float64(k))
		r.set("turn.rate", w)
		before := r.get("tire.bore_torque")
		r.step(0.005)
		given -= w * 0.005 * (before + r.get("tire.bore_torque")) / 2
		p := r.get("tire.bore")
		if stored := p * p / 2; given < stored-1e-2 {
			t.Fatalf("step %d: %g J were given, %g J are stored", k, given, stored)
		}
	}
	if given < 5 {
		t.Errorf("only %g J were given", given)
	}
}
