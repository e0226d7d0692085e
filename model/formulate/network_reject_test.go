package formulate_test

import (
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// What networks cannot be is refused with the place, the names and a remedy.
func TestRejectedNetworksSayWhy(t *testing.T) {
	const machine = `axle = { type = "revolute", from = "ground", to = "rotor", axis = "z" }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 2, yy = 2, zz = 2 } }
`
	const slide = `slide = { type = "prismatic", from = "ground", to = "sled", axis = "x" }
sled = { type = "rigid-body", mass = 1, inertia = { xx = 2, yy = 2, zz = 2 } }
`
	for _, c := range []struct{ name, text, message string }{
		{"floating island", `u = { type = "voltage-source", to = "a", voltage = 1 }
r = { type = "resistor", from = "a", resistance = 1 }
s = { type = "resistor", from = "b", to = "c", resistance = 1 }
t = { type = "resistor", from = "c", to = "b", resistance = 1 }
`, `network.toml:5:5: no path joins the electrical nodes "b", "c" to the ground; join one of them to ground, ` +
			`by to = "ground" of a component there`},
		{"loop of sources", `battery = { type = "voltage-source", to = "clamp", voltage = 13.8 }
jumper = { type = "voltage-source", to = "clamp", voltage = 12 }
r = { type = "resistor", from = "clamp", resistance = 1 }
`, `network.toml:4:10: loop of voltage sources jumper - battery: give one of them a resistance`},
		{"source on one node", `battery = { type = "voltage-source", from = "a", to = "a", voltage = 13.8 }
r = { type = "resistor", from = "a", resistance = 1 }
`, `network.toml:3:11: voltage-source battery: from and to are both the node "a", so that it does nothing; name two ` +
			`nodes (a missing one is the ground)`},
		{"cutset of flow sources", `i = { type = "current-source", to = "a", current = 1 }
j = { type = "current-source", to = "b", current = 1 }
r = { type = "resistor", from = "a", to = "b", resistance = 1 }
`, `network.toml:3:5: the voltage of nodes "a", "b" does not follow from anything: cutset of current sources i - j; ` +
			`give node "a" a capacity or a resistance to ground`},
		{"converter between two sources", `u = { type = "voltage-source", to = "a", voltage = 1 }
v = { type = "voltage-source", to = "b", voltage = 1 }
m = { type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = 2 }
`, `network.toml:4:5: loop of voltage sources v - m - u: give one of them a resistance`},
		{"ratio that can be 0", `u = { type = "voltage-source", to = "phase", voltage = 1 }
inverter = { type = "converter", supply = ["dc", "ground"], load = ["phase", "ground"], ratio = "input" }
r = { type = "resistor", from = "dc", resistance = 1 }
`, `network.toml:3:5: ratio of inverter is an input, and node "dc" has neither source nor capacity; its voltage would ` +
			`follow from u by a division by the ratio, which can be 0; give the node a capacity or a source`},
		{"sum of ratios", `u = { type = "voltage-source", to = "a", voltage = 1, resistance = 1 }
m = { type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = 2 }
n = { type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = 3 }
`, `network.toml:5:5: the voltage of node "a" would follow from n by a division by a sum of ratios of m, n, which can ` +
			`be 0; give a converter a resistance in series`},
		{"converter on one node", `m = { type = "converter", supply = ["a", "a"], load = ["a", "a"], ratio = 2 }
r = { type = "resistor", from = "a", resistance = 1 }
`, `m.load has the node "a" twice; name two nodes`},
		{"no resistance", `u = { type = "voltage-source", to = "a", voltage = 1 }
r = { type = "resistor", from = "a", resistance = 0 }
`, `network.toml:4:51: r.resistance is 0; it must be above 0`},
		{"rate of a machine's voltage", machine + `d = { type = "dc-machine", from = "a", constant = 1, joint = "axle" }
c = { type = "capacitor", from = "a", capacitance = 1 }
`, `network.toml:5:5: d: it is in a loop of capacities and sources, which needs the rate of its value; give it, or a ` +
			`component beside it in the loop, a resistance, or make the value a number, a formula over parameters and time, ` +
			`or an input`},
		{"loads on two nodes", `u = { type = "voltage-source", to = "a", voltage = 400, resistance = 0.1 }
r = { type = "resistor", from = "a", to = "b", resistance = 0.1 }
m = { type = "converter", kind = "power", supply = ["a", "ground"], load = ["c", "ground"], voltage = 100 }
n = { type = "converter", kind = "power", supply = ["b", "ground"], load = ["d", "ground"], voltage = 100 }
s = { type = "resistor", from = "c", resistance = 1 }
t = { type = "resistor", from = "d", resistance = 1 }
`, `network.toml:3:5: u, r, m and n: the voltage between them follows from nonlinear laws together, with no capacity ` +
			`between them; give node "a" a capacity, or join the laws in one component`},
		{"inductance before a diode", `u = { type = "voltage-source", to = "a", voltage = 10 }
l = { type = "inductor", from = "a", to = "b", inductance = 1 }
d = { type = "diode", from = "b" }
`, `d and l: the voltage between them follows from nonlinear laws together`},
		{"cylinder and valve", slide + `jack = { type = "cylinder", joint = "slide", head = "a", area = 1 }
v = { type = "valve", from = "a", k = 1e-8, opening = 1 }
`, `network.toml:5:8: the pressure of node "a" does not follow from anything: only jack, v join it to other nodes, and ` +
			`their laws do not give it; give node "a" a capacity or a resistance to ground`},
		{"valves of two nodes", `u = { type = "pressure-source", to = "s", pressure = 1e6 }
v = { type = "four-way-valve", supply = "s", a = "a", b = "b", k = 1e-8, opening = 1 }
w = { type = "orifice", from = "a", to = "b", k = 1e-8 }
`, `the pressure of nodes "a", "b" does not follow from anything: only v joins them to other nodes, and their laws do ` +
			`not give it; give node "a" a capacity or a resistance to ground`},
		{"flow by an input into a cylinder", slide + `jack = { type = "cylinder", joint = "slide", head = "a", area = 1 }
q = { type = "flow-source", to = "a", flow = "input" }
`, `a: an input alone would decide about a constraint of speeds, and its rate is not known; give the node a capacity, ` +
			`or the source a resistance`},
		{"free ratio behind a fixed one", `u = { type = "voltage-source", to = "phase", voltage = 1 }
m = { type = "converter", supply = ["dc", "ground"], load = ["x", "ground"], ratio = 2 }
n = { type = "converter", supply = ["x", "ground"], load = ["phase", "ground"], ratio = "input" }
r = { type = "resistor", from = "dc", resistance = 1 }
`, `ratio of n is an input, and node "dc" has neither source nor capacity; its voltage would follow from u by a ` +
			`division by the ratio, which can be 0`},
		{"fixed ratio behind a free one", `u = { type = "voltage-source", to = "phase", voltage = 1 }
n = { type = "converter", supply = ["dc", "ground"], load = ["x", "ground"], ratio = "input" }
m = { type = "converter", supply = ["x", "ground"], load = ["phase", "ground"], ratio = 2 }
r = { type = "resistor", from = "dc", resistance = 1 }
`, `ratio of n is an input, and node "dc" has neither source nor capacity; its voltage would follow from u by a ` +
			`division by the ratio, which can be 0`},
		{"ratios that several converters share", `u = { type = "voltage-source", to = "e", voltage = 1 }
k = { type = "converter", supply = ["e", "ground"], load = ["f", "ground"], ratio = 2 }
p = { type = "converter", supply = ["a", "ground"], load = ["x", "ground"], ratio = 2 }
m = { type = "converter", supply = ["x", "ground"], load = ["b", "ground"], ratio = 2 }
n = { type = "converter", supply = ["x", "ground"], load = ["b", "ground"], ratio = 3 }
r = { type = "resistor", from = "b", resistance = 1 }
s = { type = "resistor", from = "f", resistance = 1 }
`, `by a division by a sum of ratios of m, n, p, which can be 0; give a converter a resistance in series`},
		{"valve and source", `v = { type = "valve", from = "a", k = 1e-8, opening = 1 }
q = { type = "flow-source", to = "a", flow = 1e-5 }
`, `the pressure of node "a" does not follow from anything: only v, q join it to other nodes`},
		{"four ways behind a resistance", `u = { type = "pressure-source", to = "s", pressure = 1e6, resistance = 1e9 }
v = { type = "four-way-valve", supply = "s", a = "a", b = "b", k = 1e-8, opening = 1 }
a = { type = "volume", from = "a", volume = 1e-3 }
b = { type = "volume", from = "b", volume = 1e-3 }
`, `u and v: the pressure between them follows from nonlinear laws together, with no volume between them; give node "s" ` +
			`a volume, or join the laws in one component`},
		{"loads of two inputs", `m = { type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = "input" }
n = { type = "converter", supply = ["c", "ground"], load = ["b", "ground"], ratio = "input" }
r = { type = "resistor", from = "a", resistance = 1 }
s = { type = "resistor", from = "c", resistance = 1 }
`, `converter n: its load is joined to another converter, so that the voltage of node "a" would follow from a division ` +
			`by the ratio of m, which is an input and can be 0; give one of the two a resistance in series`},
		{"unit", `u = { type = "voltage-source", to = "a", voltage = "1 A" }
r = { type = "resistor", from = "a", resistance = 1 }
`, `network.toml:3:52: u.voltage`},
		{"one node of a pair", `m = { type = "converter", supply = ["a"], load = ["a", "ground"], ratio = 2 }
r = { type = "resistor", from = "a", resistance = 1 }
`, `m.supply has 1 of two nodes; write two, such as ["dc", "ground"]`},
		{"no joint", `u = { type = "voltage-source", to = "a", voltage = 1 }
d = { type = "dc-machine", from = "a", constant = 1, resistance = 1, joint = "axel" }
`, `axel`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := vehicle.Parse([]byte("name = \"rejected\"\n[component]\n"+c.text), "network.toml", bounded.Kind.Read)
			if err == nil {
				_, err = formulate.New(m, formulate.Options{})
			}
			if err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got  %v\nwant %s", err, c.message)
			}
		})
	}
}
