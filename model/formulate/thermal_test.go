package formulate_test

import (
	"math"
	"testing"
)

// A heat capacity between an ambient and a source of heat follows its closed form; the flows add up.
func TestHeatCapacityCools(t *testing.T) {
	r := rideOf(t, `name = "disc"
[component]
ambient = { type = "temperature-source", to = "air", temperature = "20 degC" }
film = { type = "heat-resistance", from = "disc", to = "air", resistance = 0.8 }
disc = { type = "heat-capacity", from = "disc", capacity = 500, start = { temperature = 400 } }
pads = { type = "heat-source", to = "disc", heat = 60 }
windy = { type = "temperature-source", to = "disc", temperature = "290 + 2*time", resistance = 3 }
`)
	v := r.values()
	film, windy := (400-293.15)/0.8, (290-400)/3.0
	expectNear(t, v["film.heat"], film, 1e-13, "heat to the air")
	expectNear(t, v["film.temperature"], 400-293.15, 1e-13, "drop")
	expectNear(t, v["ambient.heat"], -film, 1e-13, "heat of the ambient")
	expectNear(t, v["windy.heat"], windy, 1e-13, "heat of the second ambient")
	expectNear(t, v["windy.temperature"], 400, 1e-13, "rise of the second ambient")
	expectNear(t, v["disc.heat"], 60-film+windy, 1e-13, "heat to the disc")
	expectNear(t, v["rate of disc.temperature"], (60-film+windy)/500, 1e-13, "rate")
	r.to(300, 0.5)
	// T' = -a T + b + c t has the solution m + n t + (T0 - m) e^(-a t)
	a, b, c := (1/0.8+1/3.0)/500, (293.15/0.8+60+290/3.0)/500, 2/3.0/500
	n := c / a
	m := (b - n) / a
	expectNear(t, r.values()["disc.temperature"], m+n*300+(400-m)*math.Exp(-a*300), 1e-12, "temperature")
}

// The loss of each component heats the node that it names, and is no less lost for the others.
func TestLossHeatsANode(t *testing.T) {
	r := rideOf(t, `name = "losses"
gravity = [0, 0, 0]
[component]
u = { type = "voltage-source", to = "a", voltage = 12, resistance = 0.1, heat = "source" }
r = { type = "resistor", from = "a", to = "b", resistance = 0.4, heat = "resistor" }
l = { type = "inductor", from = "b", inductance = "5 mH", resistance = 0.3, heat = "inductor", start = { current = 7 } }
m = { type = "dc-machine", from = "a", joint = "axle", resistance = 0.5, constant = 0.1, heat = "machine" }
axle = { type = "revolute", from = "ground", to = "rotor", axis = "z", start = { omega = 30 } }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
p = { type = "pressure-source", to = "p", pressure = "60 bar" }
o = { type = "orifice", from = "p", k = 1e-8, heat = "oil" }
v = { type = "valve", from = "p", k = 1e-8, opening = 0.3, heat = "oil" }
w = { type = "four-way-valve", supply = "p", a = "x", b = "y", k = 2e-9, opening = 0.5, heat = "spool" }
x = { type = "volume", from = "x", capacity = 1e-12, start = { pressure = "10 bar" } }
y = { type = "volume", from = "y", capacity = 1e-12, start = { pressure = "20 bar" } }
c = { type = "check-valve", from = "p", on = 1e-12, heat = "check" }
line = { type = "line", from = "p", resistance = 3e9, heat = "line" }
pump = { type = "pump", to = "p", speed = 100, displacement = 1e-6, leakage = 1e-12, damping = 0.02, heat = "pump" }
slide = { type = "prismatic", from = "ground", to = "block", axis = "z", start = { s_dot = 0.02 } }
block = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
cylinder = { type = "cylinder", joint = "slide", head = "p", area = 1e-4, friction = 40, heat = "cylinder" }
t0 = { type = "heat-capacity", from = "source", capacity = 10 }
t1 = { type = "heat-capacity", from = "resistor", capacity = 20 }
t2 = { type = "heat-capacity", from = "inductor", capacity = 30 }
t3 = { type = "heat-capacity", from = "machine", capacity = 40 }
t4 = { type = "heat-capacity", from = "oil", capacity = 50 }
t5 = { type = "heat-capacity", from = "spool", capacity = 60 }
t6 = { type = "heat-capacity", from = "check", capacity = 70 }
t7 = { type = "heat-capacity", from = "line", capacity = 80 }
t8 = { type = "heat-capacity", from = "pump", capacity = 90 }
t9 = { type = "heat-capacity", from = "cylinder", capacity = 100 }
`)
	v := r.values()
	i := (12 - 0.1*7 + 0.1*0.1*30/0.5) / (1 + 0.1/0.5) // voltage of a, by its nodal equation
	machine := (i - 3) / 0.5
	q := func(k, d float64) float64 { return k * d / math.Pow(d*d+1e10, 0.25) }
	spool := q(1e-9, 50e5)*50e5 + q(1e-9, 20e5)*20e5
	for name, want := range map[string]float64{
		"t0": 0.1 * (7 + machine) * (7 + machine), "t1": 0.4 * 49, "t2": 0.3 * 49, "t3": 0.5 * machine * machine,
		"t4": q(1.3e-8, 60e5) * 60e5, "t5": spool, "t6": 1e-12 * 59.5e5 * 60e5, "t7": 36e12 / 3e9,
		"t8": 1e-12*36e12 + 0.02*1e4, "t9": 40 * math.Tanh(2) * 0.02,
	} {
		expectNear(t, v[name+".heat"], want, 1e-12, "heat of "+name)
	}
	expectNear(t, v["rate of t4.temperature"], v["t4.heat"]/50, 1e-13, "rate")
}

// Faults of thermal components have messages with names.
func TestFaultsOfHeat(t *testing.T) {
	for text, parts := range map[string][]string{
		`c = { type = "heat-capacity", from = "a", capacity = 0 }`:                                  {"capacity", "above 0"},
		`c = { type = "heat-capacity", from = "a", capacity = 5, start = { temperature = "3 V" } }`: {"temperature"},
		`s = { type = "heat-source", to = "a", heat = 5 }`:                                          {`"a"`, "s"},
		`r = { type = "heat-resistance", from = "a", to = "b", resistance = 5 }`:                    {`"a"`, `"b"`, "ground"},
		`a = { type = "temperature-source", to = "a", temperature = 5 }
b = { type = "temperature-source", to = "a", temperature = 6 }`: {"temperature sources", "resistance"},
		`u = { type = "voltage-source", to = "a", voltage = 12 }
r = { type = "resistor", from = "a", resistance = 5, heat = "a" }`: {`node "a"`},
	} {
		refused(t, text, parts...)
	}
}
