package formulate_test

import (
	"fmt"
	"math"
	"testing"
)

// A disc that brakes a flywheel gets the kinetic energy of the flywheel, in either sense of rotation: by a brake on a
// joint in the tree and on one outside of it, and by a caliper.
func TestBrakesHeatTheirDiscs(t *testing.T) {
	const flywheel = `name = "disc"
gravity = [0, 0, 0]
[component]
axle = { type = "revolute", from = "ground", to = "wheel", axis = "y", start = { omega = %g } }
wheel = { type = "rigid-body", mass = 9, inertia = { xx = 1, yy = 2, zz = 1 } }
disc = { type = "heat-capacity", from = "disc", capacity = 4000, start = { temperature = 300 } }
`
	for name, brake := range map[string]string{
		"brake": `pads = { type = "brake", from = "ground", to = "wheel", axis = "y", heat = "disc" }`,
		"caliper": `pads = { type = "caliper", from = "a", joint = "axle", capacity = 1e-13, friction = 0.5, area = 1e-3, radius = 0.1, heat = "disc" }
pedal = { type = "pressure-source", to = "a", pressure = 2050000 }`,
		"chord": `pads = { type = "brake", from = "ground", to = "wheel", axis = "y", heat = "disc" }
[[tree]]
name = "free"
prefer = ["wheel.R1", "wheel.T1"]`,
	} {
		for _, sign := range []float64{1, -1} {
			r := rideOf(t, fmt.Sprintf(flywheel, 100*sign)+brake)
			if name != "caliper" {
				r.set("pads.torque", 200)
			}
			spin := func() float64 {
				v := r.values()
				if s, is := v["axle.omega"]; is {
					return s
				}
				return v["wheel.wy"]
			}
			expectNear(t, r.values()["disc.heat"], 200*100, 1e-9, name+": heat at the start")
			r.to(0.4, 1e-3)
			expectNear(t, spin(), sign*60, 1e-9, name+": speed")
			expectNear(t, r.values()["disc.temperature"], 300+(1e4-3600)/4000, 1e-9, name+": temperature")
			r.to(1.5, 1e-4)
			expectNear(t, r.values()["disc.temperature"], 300+1e4/4000.0, 1e-9, name+": temperature at rest")
			if math.Abs(spin()) > 1e-3 {
				t.Errorf("%s: it still turns with %g rad/s", name, spin())
			}
		}
	}
}

// Each loss heats the node that its component names. The heat is the published loss, or the closed form of the law.
func TestLossesOfAllDomainsHeat(t *testing.T) {
	r := rideOf(t, `name = "losses"
gravity = [0, 0, 0]
[component]
pack = { type = "battery", to = "dc", open_voltage = 48, resistance = 0.05, charge = "60 A.h", heat = "pack" }
filter = { type = "capacitor", from = "dc", capacitance = 1, start = { voltage = 47.9 } }
relay = { type = "switch", from = "dc", closed = 1, on = 0.5, heat = "relay" }
rectifier = { type = "diode", from = "dc", to = "rail", heat = "rectifier" }
rail = { type = "voltage-source", to = "rail", voltage = 46 }
buck = { type = "converter", supply = ["dc", "ground"], load = ["low", "ground"], ratio = 0.25, resistance = 0.2, heat = "buck" }
lamp = { type = "resistor", from = "low", resistance = 2 }
pm = { type = "pm-machine", from = "rail", joint = "one", pole_pairs = 4, flux = 0.06, resistance = 0.03, inductance = "0.1 mH", iron_loss = 0.5, heat = "pm" }
motor = { type = "motor", from = "rail", joint = "two", efficiency = 0.8, lag = 0, heat = "motor" }
gears = { type = "gearbox", input = "one", drives = "two", ratios = [3], efficiency = [0.9], capacity = 40, heat = "gears" }
split = { type = "differential", outputs = ["three", "four"], viscosity = 0.2, heat = "split" }
one = { type = "revolute", from = "ground", to = "first", axis = "z", start = { omega = 70 } }
two = { type = "revolute", from = "ground", to = "second", axis = "z", start = { omega = 20 } }
three = { type = "revolute", from = "ground", to = "third", axis = "z", start = { omega = 5 } }
four = { type = "revolute", from = "ground", to = "fourth", axis = "z", start = { omega = 9 } }
first = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
second = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
third = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
fourth = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
damper = { type = "spring-damper", joint = "three", damping = 3, heat = "damper" }
bar = { type = "anti-roll-bar", left = "three", right = "four", damping = 2, stiffness = 7, heat = "bar" }
rubber = { type = "bushing", from = "ground", to = "second", rotational_damping = [0, 0, 4], heat = "rubber" }
pump = { type = "pressure-source", to = "oil", pressure = "20 bar", resistance = 1e9, heat = "pump" }
leak = { type = "line", from = "oil", resistance = 3e9 }
`+capacities("pack", "relay", "rectifier", "buck", "pm", "motor", "gears", "split", "damper", "bar", "rubber", "pump"))
	r.set("motor.demand", 7)
	r.set("gears.clutch", 1)
	r.set("gears.gear", 1)
	v := r.values()
	supply := 48 - 0.05*v["pack.current"]
	for name, want := range map[string]float64{
		"pack": 0.05 * math.Pow(v["pack.current"], 2), "relay": 0.5 * supply * supply,
		"rectifier": v["rectifier.voltage"] * v["rectifier.current"], "buck": 0.2 * math.Pow(supply/4/2.2, 2),
		"pm": v["pm.loss"], "motor": v["motor.loss"], "gears": v["gears.loss"], "split": 0.2 * 16 / 2, "damper": 3 * 25,
		"bar": 2 * 16, "rubber": 4 * 400, "pump": 20e5 * 20e5 / 16e18 * 1e9,
	} {
		if want <= 0 {
			t.Errorf("nothing is lost in %s", name)
		}
		expectNear(t, v["t_"+name+".heat"], want, 1e-11, "heat of "+name)
	}
}

// capacities gives thermal nodes heat capacities of the same names.
func capacities(nodes ...string) (text string) {
	for _, node := range nodes {
		text += fmt.Sprintf("t_%s = { type = \"heat-capacity\", from = %[1]q, capacity = 10 }\n", node)
	}
	return text
}

// The torque of a brake can follow the temperature of its disc, a state. It cannot follow the heat of the brake.
func TestHeatOfABrakeCloses(t *testing.T) {
	const text = `axle = { type = "revolute", from = "ground", to = "wheel", axis = "y", start = { omega = 100 } }
wheel = { type = "rigid-body", mass = 9, inertia = { xx = 1, yy = 2, zz = 1 } }
pads = { type = "brake", from = "ground", to = "wheel", axis = "y", heat = "pads" }
film = { type = "heat-resistance", from = "pads", to = "disc", resistance = 0.1 }
disc = { type = "heat-capacity", from = "disc", capacity = 4000, start = { temperature = 300 } }
[component.fade]
type = "equations"
inputs = [{ name = "at", unit = "%s", from = "%s" }]
outputs = [{ name = "torque", unit = "N.m", value = "200 + at", to = ["pads.torque"] }]
`
	v := rideOf(t, "name = \"fade\"\n[component]\n"+fmt.Sprintf(text, "K", "disc.temperature")).values()
	expectNear(t, v["film.heat"], 500*100, 1e-9, "heat")
	refused(t, fmt.Sprintf(text, "W", "film.heat"), "algebraic loop", "film.heat", "pads.torque")
}
