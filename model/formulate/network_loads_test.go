package formulate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/program"
)

// twoLoads are converters of 100 V on one node behind a resistance of 0.1 Ohm; the second one is the other way round.
const twoLoads = `name = "loads"
[component]
u = { type = "voltage-source", to = "a", voltage = %g, resistance = 0.1 }
m = { type = "converter", kind = "power", supply = ["a", "ground"], load = ["b", "ground"], voltage = 100 }
n = { type = "converter", kind = "power", supply = ["ground", "a"], load = ["c", "ground"], voltage = 100 }
r = { type = "resistor", from = "b", resistance = %g }
s = { type = "resistor", from = "c", resistance = 1 }
`

// Loads of given power on one node, in both directions, share its voltage: u = (E + sqrt(E^2 - 4 R P))/2.
func TestPowerLoadsShareANode(t *testing.T) {
	got := runOf(t, fmt.Sprintf(twoLoads, 400.0, 0.25), 1, 0)[0]
	u := (400 + math.Sqrt(160000-0.4*50000)) / 2
	expectAt(t, got["u.terminal_voltage"], u, 1e-12, "voltage")
	expectAt(t, got["m.supply_current"], 40000/u, 1e-12, "current of the first load")
	expectAt(t, got["n.supply_current"], -10000/u, 1e-12, "current of the second load")
}

// Beyond the largest power E^2/(4 R) that a network can supply, the voltage is half of E, and the first load lacks what
// is missing. A limit watches the power.
func TestPowerBeyondTheLimit(t *testing.T) {
	for _, voltage := range []float64{400, 397, 333.3, 301.7, 271.1} {
		got := runOf(t, fmt.Sprintf(twoLoads, voltage, 0.02), 1, 0)[0]
		expectAt(t, got["u.terminal_voltage"], voltage/2, 1e-7, "voltage")
		expectAt(t, got["n.supply_current"], -10000/(voltage/2), 1e-7, "current of the second load")
		expectAt(t, got["m.supply_current"], (voltage*voltage/0.4-10000)/(voltage/2), 1e-7, "current of the first load")
	}
	// rounding takes the square below 0 at some voltages
	r := rideOf(t, strings.Replace(fmt.Sprintf(twoLoads, 400.0, 0.02), "voltage = 400", `voltage = "input"`, 1))
	for k := range 1000 {
		voltage := 200 + 0.137*float64(k)
		r.set("u.voltage", voltage)
		expectAt(t, r.values()["u.terminal_voltage"], voltage/2, 1e-7, "voltage")
	}
	f, err := formulate.New(parse(t, fmt.Sprintf(twoLoads, 400.0, 0.02)), formulate.Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := program.Limit{Of: program.SupplyLimit, Component: "m", Quantity: "power", Unit: "W", Above: true,
		About: "supplied by u"}
	if len(f.Limits) != 1 || f.Limits[0] != want {
		t.Errorf("limits %+v, want %+v", f.Limits, want)
	}
	const store = `u = { type = "capacitor", from = "s", capacitance = 1 }
w = { type = "resistor", from = "s", to = "a", resistance = 0.1 }`
	text := strings.Replace(fmt.Sprintf(twoLoads, 400.0, 0.02),
		`u = { type = "voltage-source", to = "a", voltage = 400, resistance = 0.1 }`, store, 1)
	if f, err = formulate.New(parse(t, text), formulate.Options{}); err != nil {
		t.Fatal(err)
	}
	if want.About = ""; len(f.Limits) != 1 || f.Limits[0] != want {
		t.Errorf("at a capacitor: limits %+v, want %+v", f.Limits, want)
	}
}

// A machine without resistance at a source turns at the speed of the voltage, whatever comes first in the file. Its
// current follows from the torque of the damper.
func TestAMachineAtASourceTurnsAtItsSpeed(t *testing.T) {
	const rotor = `name = "bound"
[component]
axle = { type = "revolute", from = "ground", to = "rotor", axis = "z", start = { omega = 24 } }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 2, yy = 2, zz = 2 } }
drag = { type = "spring-damper", joint = "axle", damping = 0.1 }
`
	const source = `u = { type = "voltage-source", to = "a", voltage = 12 }` + "\n"
	const driven = `m = { type = "dc-machine", from = "a", constant = 0.5, joint = "axle" }` + "\n"
	for _, text := range []string{source + driven, driven + source} {
		got := runOf(t, rotor+text, 0.01, 0.1)[0]
		expectAt(t, got["axle.omega"], 24, 1e-10, "speed")
		expectAt(t, got["m.current"], 0.1*24/0.5, 1e-10, "current of the machine")
		expectAt(t, got["u.current"], 0.1*24/0.5, 1e-10, "current of the source")
	}
}

// A cylinder takes the flow of a source where nothing else meets: its speed follows, and its pressure holds the spring.
func TestACylinderFollowsAFlow(t *testing.T) {
	got := runOf(t, `name = "jack"
[component]
slide = { type = "prismatic", from = "ground", to = "sled", axis = "x", start = { s_dot = 0.02 } }
sled = { type = "rigid-body", mass = 10, inertia = { xx = 1, yy = 1, zz = 1 } }
spring = { type = "spring-damper", joint = "slide", stiffness = 5000 }
jack = { type = "cylinder", joint = "slide", head = "a", area = "10 cm2" }
supply = { type = "flow-source", to = "a", flow = 2e-5 }
`, 0.01, 0.5)[0]
	expectAt(t, got["slide.s"], 0.01, 1e-10, "position")
	expectAt(t, got["jack.head_pressure"], 5000*0.01/1e-3, 1e-10, "pressure")
}

// A cylinder on a driven motion moves another one through closed oil: the inputs of the driver decide with their rates.
func TestADrivenCylinderMovesAnother(t *testing.T) {
	r := rideOf(t, `name = "driven"
gravity = 0
[component]
post = { type = "motion-driver", from = "ground", to = "plate", axis = "x", kind = "translation" }
anchor = { type = "rigid-arm", from = "ground", to = "anchor", translation = [-1, 0, 0] }
slide = { type = "prismatic", from = "ground", to = "sled", axis = "y" }
sled = { type = "rigid-body", mass = 5, inertia = { xx = 1, yy = 1, zz = 1 } }
master = { type = "cylinder", frames = ["anchor", "plate"], head = "a", area = "4 cm2" }
slave = { type = "cylinder", joint = "slide", head = "a", area = "10 cm2" }
`)
	r.set("post.acceleration", 3)
	got := r.values()
	expectNear(t, got["rate of slide.s_dot"], -3*0.4, 1e-12, "acceleration")
	expectNear(t, got["master.head_pressure"], -3*0.4*5/1e-3, 1e-12, "pressure")
}

// inductorNode is a node of three inductances and a source; %s are a start of the third one, and trees.
const inductorNode = `name = "node"
[component]
u = { type = "voltage-source", to = "s", voltage = 10 }
r = { type = "resistor", from = "s", to = "q", resistance = 1 }
l1 = { type = "inductor", from = "q", to = "n", inductance = 0.2, start = { current = 2 } }
l2 = { type = "inductor", from = "n", inductance = 0.3, resistance = 2, start = { current = 0.5 } }
l3 = { type = "inductor", from = "n", inductance = 0.5, resistance = 1%s }
i = { type = "current-source", to = "n", current = 0.7 }
m = { type = "converter", supply = ["n", "ground"], load = ["b", "ground"], ratio = 0.5 }
l4 = { type = "inductor", from = "b", inductance = 0.1, resistance = 3, start = { current = 0.4 } }
%s`

// Starts of inductances are given in the file, whatever the tree; contradicting ones are refused.
func TestStartsOfInductors(t *testing.T) {
	tree := func(branch string) string {
		return fmt.Sprintf("[[tree]]\nname = \"other\"\nelectrical = [\"u.E1\", \"r.E1\", %q]\n", branch+".E1")
	}
	want := runOf(t, fmt.Sprintf(inductorNode, "", ""), 1e-3, 0, 0.1)
	// l3 takes what l1 and i bring and l2 and the converter, which draws half of 0.4 A, leave
	expectAt(t, want[0]["l3.current"], 2+0.7-0.5-0.5*0.4, 1e-12, "current at the start")
	for _, branch := range []string{"l1", "l2", "l3"} {
		got := runOf(t, fmt.Sprintf(inductorNode, "", tree(branch)), 1e-3, 0, 0.1)
		for k := range want {
			for _, name := range []string{"l1.current", "l2.current", "l3.current", "l4.current", "l2.voltage", "r.current"} {
				expectAt(t, got[k][name], want[k][name], 1e-10, name+" with the branch "+branch)
			}
		}
	}
	_, components, _ := strings.Cut(fmt.Sprintf(inductorNode, ", start = { current = 1.9 }", ""), "[component]\n")
	refused(t, components,
		"the start of l2 is 0.5 A, but 0.6 A follows from l1 2 A, l3 1.9 A, i 0.7 A, l4 0.4 A;")
}

// Starts agree within the tolerance of the model, relative to the largest potential of their loop.
func TestStartsAgreeWithinTheLargestPotential(t *testing.T) {
	const loop = `ca = { type = "capacitor", from = "a", capacitance = 1, start = { voltage = 1000 } }
cb = { type = "capacitor", from = "b", capacitance = 1, start = { voltage = 1000 } }
cab = { type = "capacitor", from = "a", to = "b", capacitance = 1, start = { voltage = %g } }
r = { type = "resistor", from = "a", resistance = 1 }
`
	m := parse(t, "name = \"loop\"\nsolver = { constraint_tolerance = 1e-8 }\n[component]\n"+fmt.Sprintf(loop, 5e-6))
	if _, err := formulate.New(m, formulate.Options{}); err != nil {
		t.Error(err)
	}
	refused(t, fmt.Sprintf(loop, 5e-3), "the start of cab is 0.005 V, but 0 V follows from ca 1000 V, cb 1000 V")
}
