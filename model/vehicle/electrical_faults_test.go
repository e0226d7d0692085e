package vehicle_test

import (
	"strings"
	"testing"
)

// Errors of electrical components tell the place, the value and the remedy.
func TestFaultsOfElectricalComponents(t *testing.T) {
	const around = `name = "Faults"
[component]
u = { type = "voltage-source", to = "a", voltage = 12 }
axle = { type = "revolute", from = "ground", to = "rotor", axis = "z" }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
slide = { type = "prismatic", from = "ground", to = "block", axis = "z" }
block = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
x = { %}
`
	const magnets = `type = "pm-machine", from = "a", joint = "axle", pole_pairs = 4, flux = 0.06, resistance = ` +
		`0.03, inductance = 1e-4`
	for _, c := range []struct{ text, want string }{
		{`type = "resistor", from = "a", resistance = 0`, `x.resistance is 0; it must be above 0`},
		{`type = "resistor", from = "a", resistance = "2 A"`, `x.resistance is "2 A": A is not a unit for what must be ` +
			`in Ohm`},
		{`type = "inductor", from = "a", inductance = -1`, `x.inductance is -1; it must be above 0`},
		{`type = "capacitor", from = "a", capacitance = 0`, `x.capacitance is 0; it must be above 0`},
		{`type = "capacitor", from = "a"`, `x lacks the key "capacitance"`},
		{`type = "capacitor", from = "a", capacitance = 1, charge = [[0, 0], [1, 1]]`, `take one of them out`},
		{`type = "capacitor", from = "a", charge = [[0, 0], [1, 2], [2, 1]]`, `the charge must rise with the voltage ` +
			`everywhere`},
		{`type = "voltage-source", from = "b", to = "b", voltage = 1`, `from and to are both the node "b"`},
		{`type = "resistor", resistance = 1`, `from and to are both the node "ground"`},
		{`type = "switch", from = "a", closed = 1.5`, `x.closed is 1.5; it must not be above 1`},
		{`type = "switch", from = "a", closed = "inpt"`,
			`x.closed is "inpt", which is no parameter; did you mean "input"?`},
		{`type = "switch", from = "a", closed = 1, on = 1, off = 2`, `x.on is 1 and x.off is 2; on must be above off`},
		{`type = "diode", from = "a", forward = 0.1, width = 0.2`, `forward must be above width`},
		{`type = "battery", to = "a", open_voltage = 12, charge = 1, start = { soc = 1.1 }`, `x.start.soc is 1.1; it ` +
			`must not be above 1`},
		{`type = "battery", to = "a", open_voltage = [[0, -1], [1, 12]], charge = 1`, `x.open_voltage has the value -1 V`},
		{`type = "battery", to = "a", open_voltage = 12, charge = 1, resistance = [[0, 0], [1, 1]]`, `x.resistance has ` +
			`the value 0 Ohm`},
		{`type = "battery", to = "a", open_voltage = 12, charge = 1, resistance = [[0, 280, 1], [1, 280, 1], [0, 300, ` +
			`1], [1, 300, 1]]`,
			`has no node with a temperature`},
		{`type = "battery", to = "a", open_voltage = 12, charge = 1, pairs = [[1, 0]]`, `resistances and capacitances ` +
			`must be above 0`},
		{`type = "battery", to = "a", open_voltage = 12, charge = 1, pairs = [[1, 1], [1, 1], [1, 1]]`, `a list of one ` +
			`or two pairs`},
		{`type = "battery", to = "a", open_voltage = 12, charge = "60 A"`, `x.charge is "60 A": A is not a unit for ` +
			`what must be in A.s`},
		{`type = "converter", supply = ["a", "ground"], load = ["b", "b"], ratio = 1`, `x.load has the node "b" twice`},
		{`type = "converter", supply = ["a", "ground"], load = ["b", "ground"]`, `x lacks the key "ratio"`},
		{`type = "converter", kind = "power", supply = ["a", "ground"], load = ["b", "ground"], voltage = 1, ratio = 2`,
			`x.ratio belongs to the other kind of converter`},
		{`type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = 1, efficiency = 0.9`,
			`x.efficiency belongs to the other kind of converter`},
		{`type = "converter", kind = "power", supply = ["a", "ground"], load = ["b", "ground"], voltage = 1, ` +
			`efficiency = 1.1`,
			`x.efficiency is 1.1; it must not be above 1`},
		{`type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = 1, loss = [[0, -1], [1, 1]]`,
			`x.loss has the value -1 W; it must not be negative`},
		{`type = "dc-machine", from = "a", joint = "axis", resistance = 1, constant = 1`,
			`acts on the joint "axis", which does not exist; did you mean "axle"?`},
		{`type = "dc-machine", from = "a", joint = "slide", resistance = 1, constant = 1`, `name a revolute joint`},
		{magnets + `, inductance_q = 5e-5`, `x.inductance_q is 5e-5, below inductance = 1e-4`},
		{magnets + `, continuous = [[0, 1], [1, 1]]`, `x.continuous goes with peak`},
		{magnets + `, peak = [[0, 1], [1, -1]]`, `x.peak has the value -1 N.m`},
		{strings.Replace(magnets, "pole_pairs = 4", "pole_pairs = 2.5", 1), `x.pole_pairs is 2.5; it must be an ` +
			`integer from 1 to 100`},
		{`type = "motor", from = "a", joint = "axle", efficiency = [[0, 0.9], [1, 1.1]]`, `x.efficiency has values ` +
			`from 0.9 to 1.1`},
		{`type = "motor", from = "a", joint = "axle", efficiency = 0`, `x.efficiency is 0; it must be above 0`},
		{`type = "motor", from = "a", joint = "axle", efficiency = 0.9, loss = [[0, 1], [1, 1]]`, `take one of them out`},
		{`type = "motor", from = "a", joint = "axle", efficiency = 0.9, iron_loss = 1`,
			`x has both iron_loss and efficiency`},
		{`type = "motor", from = "a", joint = "axle", eddy_loss = 1, loss = [[0, 1], [1, 1]]`,
			`x has both eddy_loss and loss`},
		{`type = "motor", from = "a", joint = "axle", iron_loss = -1`, `x.iron_loss is -1; it must not be negative`},
		{`type = "motor", from = "a", joint = "axle", drives = "axle"`,
			`x has both joint and drives; take one of them out`},
		{`type = "motor", from = "a"`,
			`x lacks the key "joint", a revolute joint that it turns, or "drives", a differential`},
		{`type = "motor", from = "a", drives = "rotor"`, `it needs a revolute joint or a differential`},
		{`type = "motor", from = "a", joint = "axle", ratio = 0`, `x.ratio is 0; it must be above 0`},
		{`type = "motor", from = "a", joint = "axle", continuous = [[0, 1], [1, 1]]`, `x.continuous goes with limit`},
		{`type = "motor", from = "a", joint = "axle", limit = [[0, 1], [1, 1]], continuous = [[0, -1], [1, 1]]`,
			`x.continuous has the value -1 N.m`},
		{`type = "motor", from = "a", joint = "axle", inertia = 1, frame = "rotor"`,
			`x has inertia and lacks the key "axis"`},
		{`type = "motor", from = "a", joint = "axle", lag = 0, limit = [[0, 1], [1, 1]], ` +
			`continuous = [[0, 0, 1], [1, 0, 1], [0, 9, 1], [1, 9, 1]]`,
			`x.lag is 0, and its limit depends on the voltage`},
		{`type = "motor", from = "a", joint = "axle", loss = [[0, 1], [1, -1]]`, `x.loss has the value -1 W`},
		{`type = "motor", from = "a", joint = "axle", lag = 0, limit = [[0, 0, 1], [1, 0, 1], [0, 9, 1], [1, 9, 1]]`,
			`write a lag above 0`},
		{`type = "probe", from = "a", to = "c"`, `no domain has both of them`},
		{`type = "probe", from = "a", domain = "hydraulic"`, `no domain has both of them`},
	} {
		_, err := nodesModel(strings.Replace(around, "%", c.text+" ", 1), nil)
		if err == nil {
			t.Errorf("%s is accepted", c.text)
		} else if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v; expected %q", c.text, err, c.want)
		}
	}
}
