package formulate_test

import (
	"math"
	"testing"
)

// Without its state a volume and a capacitor take no flow, and an inductor and a line have their resistance alone.
func TestStoragesWithoutStates(t *testing.T) {
	r := rideOf(t, `name = "stateless"
gravity = [0, 0, 0]
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x", start = { s_dot = 0.3 } }
mass = { type = "rigid-body", mass = 10, inertia = { xx = 1, yy = 1, zz = 1 } }
cylinder = { type = "cylinder", joint = "slide", head = "a", area = "10 cm2" }
chamber = { type = "volume", from = "a", volume = "0.01 l", state = "none" }
o = { type = "orifice", from = "a", k = 2e-8 }
u = { type = "voltage-source", to = "p", voltage = 12 }
l = { type = "inductor", from = "p", to = "q", inductance = "1 uH", resistance = 0.5, state = "none" }
bare = { type = "inductor", from = "q", to = "r", inductance = "1 uH", state = "none" }
c = { type = "capacitor", from = "r", capacitance = "1 nF", state = "none" }
d = { type = "capacitor", from = "r", charge = [[0, 0], [1, 1], [2, 3]], state = "none" }
load = { type = "resistor", from = "r", resistance = 1.5 }
rail = { type = "pressure-source", to = "rail", pressure = "60 bar" }
hose = { type = "line", from = "rail", resistance = 1e9, inertance = 1e3, capacity = 1e-15, cells = 3, state = "none" }
pipe = { type = "line", from = "rail", length = 3, diameter = "6 mm", bulk_modulus = "1 GPa", cells = 2, state = "none" }
free = { type = "line", from = "rail", to = "end", inertance = 1e3, state = "none" }
jet = { type = "orifice", from = "end", k = 1e-8 }
`)
	if got := len(r.program.States); got != 2 {
		t.Errorf("there are %d states, expected those of the slide", got)
	}
	v := r.values()
	expectNear(t, v["cylinder.force"], -225000.0222, 1e-9, "force")
	expectNear(t, v["chamber.pressure"], -225000.0222/1e-3, 1e-9, "pressure of the chamber")
	expectNear(t, v["l.current"], 6, 1e-14, "current")
	expectNear(t, v["load.voltage"], 9, 1e-14, "voltage behind the inductors")
	expectNear(t, v["bare.current"], 6, 1e-14, "current of the bare inductor")
	expectNear(t, v["hose.flow"], 60e5/3e9, 1e-14, "flow of the hose")
	expectNear(t, v["pipe.flow"], 60e5*math.Pi*math.Pow(6e-3, 4)/(128*0.02*3), 1e-13, "flow of the pipe")
	expectNear(t, v["jet.pressure"], 60e5, 1e-14, "pressure behind the line without resistance")
	for _, name := range []string{"bare.voltage", "c.current", "d.current", "chamber.flow", "free.pressure"} {
		if v[name] != 0 {
			t.Errorf("%s is %g, expected 0", name, v[name])
		}
	}
	if stores := r.program.Stores; stores != [len(stores)]bool{} {
		t.Errorf("energies of networks are published: %v", stores)
	}
}

// A nonlinear block that remains is refused as ever, and so is a start without a state.
func TestFaultsWithoutStates(t *testing.T) {
	const rail = "p = { type = \"pressure-source\", to = \"a\", pressure = 1e5 }\n"
	refused(t, rail+`o = { type = "orifice", from = "a", to = "b", k = 1e-9 }
u = { type = "orifice", from = "b", k = 1e-9 }
v = { type = "volume", from = "b", capacity = 1e-12, state = "none" }`, "o and u", "volume", `"b"`)
	refused(t, rail+`v = { type = "volume", from = "a", capacity = 1e-12, state = "none", start = { pressure = 1 } }`,
		"v.start has no effect", `state = "none"`)
	refused(t, rail+`v = { type = "volume", from = "a", capacity = 1e-12, state = "some" }`, "v.state", "none")
	for _, text := range []string{
		`v = { type = "capacitor", from = "a", capacitance = 1, state = "none", start = { voltage = 1 } }`,
		`v = { type = "inductor", from = "a", inductance = 1, state = "none", start = { current = 1 } }`,
		`v = { type = "line", from = "a", resistance = 1, inertance = 1, state = "none", start = { flow = 1 } }`,
	} {
		refused(t, text, "v.start has no effect")
	}
}
