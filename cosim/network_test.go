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
m = { type = "dc-machine", from = "c", resistance = 0.4, inductance = "1 mH", constant = 0.1, joint = "axle" }
wire = { type = "inductor", from = "b", to = "c", inductance = 1, state = "none" }
snubber = { type = "capacitor", from = "a", capacitance = 1, state = "none" }
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
		`a step below 0.891 us, or state = "none" in capacitor c1`) {
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

// The ledger balances for oil with air, for oil that moves with a cylinder, and for a brake that heats its disc. The
// implicit method follows the explicit method.
func TestOilMassAndHeatInTheLedger(t *testing.T) {
	const text = `name = "oil"
gravity = [0, 0, 0]
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x", start = { s = 0.02 } }
mass = { type = "rigid-body", mass = 3, inertia = { xx = 1, yy = 1, zz = 1 } }
spring = { type = "spring-damper", joint = "slide", stiffness = 2000, damping = 4, heat = "oil" }
cylinder = { type = "cylinder", joint = "slide", head = "a", area = 2e-3 }
line = { type = "line", from = "a", to = "b", inertance = 5e5, resistance = 1e6, heat = "oil" }
bubbles = { type = "volume", from = "b", volume = "2 l", air = 0.03 }
curve = { type = "volume", from = "b", volume = "1 l", air = [["-1 bar", 0.03], ["1 bar", 0.02], ["9 bar", 0.01]] }
dead = { type = "volume", from = "b", capacity = 1, state = "none" }
pedal = { type = "pressure-source", to = "m", booster = [[0, 0], [100, "20 bar"]], force = 50 }
leak = { type = "line", from = "m", resistance = 1e10 }
axle = { type = "revolute", from = "ground", to = "wheel", axis = "y", start = { omega = 30 } }
wheel = { type = "rigid-body", mass = 9, inertia = { xx = 1, yy = 2, zz = 1 } }
pads = { type = "brake", from = "ground", to = "wheel", axis = "y", heat = "oil" }
oil = { type = "heat-capacity", from = "oil", capacity = 100, start = { temperature = 300 } }
`
	ends := map[string][2]float64{}
	for _, method := range []string{"rk4", "linearly-implicit"} {
		r := fromText(t, text, "")
		r.text("solver.method", method)
		r.text(cosim.RecordVariable, cosim.RecordOn)
		if err := r.in.Initialise(); err != nil {
			t.Fatal(err)
		}
		r.set("pads.torque", 50)
		first := r.get("energy.kinetic") + r.get("energy.potential") + r.get("energy.hydraulic")
		for range 400 {
			r.step(0.001)
		}
		now := r.get("energy.kinetic") + r.get("energy.potential") + r.get("energy.hydraulic")
		heated := 100 * (r.get("oil.temperature") - 300)
		if method == "rk4" {
			if balance := r.get("energy.balance"); math.Abs(balance) > 1e-5*first {
				t.Errorf("the balance is off by %g J of %g J", balance, first)
			}
			if r.get("energy.hydraulic") < 1e-4 || math.Abs(heated-(first-now)) > 1e-5*first {
				t.Errorf("%g J became heat, and %g J are missing; %g J in oil", heated, first-now, r.get("energy.hydraulic"))
			}
		}
		ends[method] = [2]float64{r.get("slide.s"), heated}
	}
	for i := range 2 {
		if a, b := ends["rk4"][i], ends["linearly-implicit"][i]; math.Abs(a-b) > 0.02*math.Abs(a) {
			t.Errorf("rk4 gives %g, linearly-implicit %g", a, b)
		}
	}
}

// A driver that moves a mass through two cylinders without a volume between them supplies what a spring stores.
func TestDriverThroughLockedCylindersInTheLedger(t *testing.T) {
	r := fromText(t, `name = "locked"
gravity = [0, 0, 0]
[component]
push = { type = "motion-driver", from = "ground", to = "piston", axis = "y", kind = "translation" }
piston = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
arm = { type = "rigid-arm", from = "ground", to = "anchor", translation = [0, -1, 0] }
master = { type = "cylinder", frames = ["anchor", "piston"], head = "a", area = 1e-3 }
slave = { type = "cylinder", joint = "slide", head = "a", area = 1e-3 }
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x", start = { s_dot = -0.1 } }
mass = { type = "rigid-body", mass = 3, inertia = { xx = 1, yy = 1, zz = 1 } }
spring = { type = "spring-damper", joint = "slide", stiffness = 2000 }
`, "")
	r.text(cosim.RecordVariable, cosim.RecordOn)
	r.set("push.rate", 0.1)
	if err := r.in.Initialise(); err != nil {
		t.Fatal(err)
	}
	for k := range 100 {
		r.set("push.position", 0.001*float64(k))
		r.step(0.01)
	}
	r.near("slide.s", -0.1, 1e-6)
	r.near("energy.supplied", 2000*0.01/2, 1e-3)
	r.near("energy.balance", 0, 1e-3)
}
