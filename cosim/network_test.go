package cosim_test

import (
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
)

const motorOnBattery = `name = "motor"
gravity = [0, 0, 0]
[component]
axle = { type = "revolute", from = "ground", to = "rotor", axis = "z" }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 0.01, yy = 0.01, zz = 0.01 } }
friction = { type = "spring-damper", joint = "axle", damping = 0.001 }
load = { type = "torque-driver", from = "ground", to = "rotor", axis = "z" }
u = { type = "voltage-source", to = "a", voltage = 12, resistance = 0.1 }
filter = { type = "capacitor", from = "a", capacitance = "2 mF" }
chopper = { type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = "input" }
m = { type = "dc-machine", from = "b", resistance = 0.4, inductance = "1 mH", constant = 0.1, joint = "axle" }
`

// The ledger of a model with a network balances: energy of capacitor, winding and rotor against supplied, dissipated
// and driven work.
func TestEnergiesOfNetworksBalance(t *testing.T) {
	r := fromText(t, motorOnBattery, "")
	r.text(cosim.RecordVariable, cosim.RecordOn)
	r.set("chopper.ratio", 0.7)
	r.set("load.torque", -0.5)
	r.set("solver.step", 1e-5)
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	for k := range 20 {
		r.set("chopper.ratio", 0.5+0.03*float64(k))
		r.step(0.05)
	}
	electrical := 2e-3/2*math.Pow(r.get("filter.voltage"), 2) + 1e-3/2*math.Pow(r.get("m.current"), 2)
	r.near("energy.electrical", electrical, 1e-12)
	r.near("energy.kinetic", 0.01/2*math.Pow(r.get("axle.omega"), 2), 1e-12)
	supplied := r.get("energy.supplied")
	if balance := r.get("energy.balance"); !(supplied > 50) || math.Abs(balance) > 1e-8*supplied {
		t.Errorf("balance %g of %g J", balance, supplied)
	}
	r.near("m.torque", 0.1*r.get("m.current"), 1e-12)
	r.near("chopper.supply_current", r.get("chopper.ratio")*r.get("m.current"), 1e-10)
	if _, is := r.in.System().Find("energy.hydraulic"); is {
		t.Error("there is a hydraulic energy without a hydraulic network")
	}
}

// A network that is too fast for explicit steps is warned of at the start, with its node and remedies; the implicit
// method follows it.
func TestFastNetworksAreWarnedOf(t *testing.T) {
	const text = `name = "fast"
[component]
u = { type = "voltage-source", to = "s", voltage = 10 }
r1 = { type = "resistor", from = "s", to = "slow", resistance = 1000 }
c1 = { type = "capacitor", from = "slow", capacitance = "10 uF" }
r2 = { type = "resistor", from = "slow", to = "chamber", resistance = 0.045 }
c2 = { type = "capacitor", from = "chamber", capacitance = "1 mF" }
r3 = { type = "resistor", from = "chamber", resistance = 1 }
`
	r := fromText(t, text, "")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	// c1 sees r2: 1/(0.045*10e-6) + 1/(0.045*1e-3) + ...
	list := strings.Join(r.in.Warnings(), "\n")
	if !strings.Contains(list, `c1: node "slow" moves within 0.446 us, the step is 1 ms: use linearly-implicit, `+
		`a step below 0.891 us`) {
		t.Error(list)
	}
	r = fromText(t, text, "")
	r.text("solver.method", "linearly-implicit")
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	if list := r.in.Warnings(); len(list) > 0 {
		t.Error(list)
	}
	for range 100 {
		r.step(0.001)
	}
	end := 10 / 1001.045
	r.near("c2.voltage", end*(1-math.Exp(-100)), 1e-6)
}
