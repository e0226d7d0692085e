package formulate_test

import (
	"strings"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// FuzzNetworks reads and formulates models with networks. They are refused with a place, or give a program that runs.
func FuzzNetworks(f *testing.F) {
	for _, seed := range []string{
		`u = { type = "battery", to = "dc", open_voltage = [[0, 300], [1, 390]], resistance = 0.1, charge = "60 A.h", start = { soc = 0.8 } }
v = { type = "converter", supply = ["dc", "ground"], load = ["phase", "ground"], ratio = "input" }
m = { type = "dc-machine", from = "phase", resistance = 0.05, inductance = "0.4 mH", constant = 1.1, joint = "axle" }
c = { type = "capacitor", from = "dc", capacitance = "2 mF", start = { voltage = 372 } }
s = { type = "switch", from = "dc", to = "lamp", closed = "input" }
r = { type = "resistor", from = "lamp", resistance = 3 }
`,
		`p = { type = "pump", joint = "axle", to = "rail", displacement = "1 ml/rad", leakage = 1e-13 }
v = { type = "volume", from = "rail", volume = "0.1 l" }
o = { type = "four-way-valve", supply = "rail", a = "a", b = "b", k = 2e-7, opening = "input", lag = "10 ms" }
c = { type = "cylinder", joint = "slide", head = "a", rod = "b", area = "3 cm2", rod_area = "2 cm2" }
g = { type = "accumulator", from = "a", volume = "0.7 l", precharge = "20 bar", start = { pressure = "50 bar" } }
h = { type = "accumulator", from = "b", volume = "0.7 l", precharge = "20 bar", start = { pressure = "50 bar" } }
n = { type = "check-valve", from = "a", to = "rail", on = 1e-11 }
`,
		`u = { type = "voltage-source", to = "a", voltage = "12*sin(time)" }
r = { type = "resistor", from = "a", resistance = 2, heat = "coil" }
q = { type = "heat-capacity", from = "coil", capacity = 90, start = { temperature = 300 } }
w = { type = "heat-resistance", from = "coil", to = "air", resistance = 0.4 }
t = { type = "temperature-source", to = "air", temperature = "input" }
`,
		// refused ones: an island, loops of sources and of starts, a converter between sources, two valves in a row
		"r = { type = \"resistor\", from = \"a\", to = \"b\", resistance = 1 }\n",
		`u = { type = "voltage-source", to = "a", voltage = 1 }
v = { type = "voltage-source", to = "b", voltage = 2 }
m = { type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = 2 }
`,
		`a = { type = "capacitor", from = "x", capacitance = 1, start = { voltage = 1 } }
b = { type = "capacitor", from = "x", to = "y", capacitance = 1, start = { voltage = 1 } }
c = { type = "capacitor", from = "y", capacitance = 1, start = { voltage = 1 } }
`,
		`p = { type = "pressure-source", to = "rail", pressure = "100 bar" }
v = { type = "valve", from = "rail", to = "mid", k = 1e-8, opening = 0.5 }
w = { type = "valve", from = "mid", k = 1e-8, opening = "input" }
`,
	} {
		fuzzinputs.Add(f, seed)
	}
	const around = `name = "Networks"
[component]
axle = { type = "revolute", from = "ground", to = "rotor", axis = "x" }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
slide = { type = "prismatic", from = "ground", to = "block", axis = "z" }
block = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
`
	f.Fuzz(func(t *testing.T, text string) {
		m, err := vehicle.Parse([]byte(around+text), "fuzz.toml", nil)
		if err != nil {
			return
		}
		p, err := formulate.Program(m, formulate.Options{})
		if err != nil {
			if !strings.Contains(err.Error(), "fuzz.toml") {
				t.Fatalf("a refusal without a place: %v", err)
			}
			return
		}
		if len(p.Calls) > 0 {
			return
		}
		drivesWhatItSays(t, p)
	})
}
