package reference

import (
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/vehicle"
)

// series is a loop of source, resistor, inductor and capacitor.
const series = `name = "series"
[component]
u = { type = "voltage-source", to = "a", voltage = 10 }
r = { type = "resistor", from = "a", to = "b", resistance = 2 }
l = { type = "inductor", from = "b", to = "c", inductance = "10 mH" }
c = { type = "capacitor", from = "c", capacitance = "1 mF" }
`

// TestASeriesResonanceFollowsItsClosedForm: i = U/(w L) exp(-R t/(2 L)) sin(w t).
func TestASeriesResonanceFollowsItsClosedForm(t *testing.T) {
	got := simulate(t, parse(t, series), 0.02, 1e-9, nil)
	for i, time := range got["time"] {
		want := 10 / (300 * 0.01) * math.Exp(-100*time) * math.Sin(300*time)
		if !near(got["l.current"][i], want, 1e-6) || !near(got["r.voltage"][i], 2*want, 2e-6) {
			t.Errorf("i(%g) = %.12g, want %.12g", time, got["l.current"][i], want)
		}
	}
}

// The networks of these models have dependent storages, converters and machines. A source in a loop of capacities has a
// rate, and a ratio changes in time.
var networkModels = map[string]string{
	"loop of capacities": `
u = { type = "voltage-source", to = "s", voltage = 10 }
r1 = { type = "resistor", from = "s", to = "a", resistance = 1000 }
r2 = { type = "resistor", from = "b", resistance = 2000 }
ca = { type = "capacitor", from = "a", capacitance = "1 uF", start = { voltage = 1 } }
cb = { type = "capacitor", from = "b", capacitance = "2 uF", start = { voltage = 2 } }
cab = { type = "capacitor", from = "a", to = "b", capacitance = "3 uF" }
`,
	"capacity across a source": `
u = { type = "voltage-source", to = "s", voltage = 10 }
c0 = { type = "capacitor", from = "s", capacitance = 0.2 }
r1 = { type = "resistor", from = "s", to = "a", resistance = 2 }
c1 = { type = "capacitor", from = "a", capacitance = 0.1, start = { voltage = 3 } }
c2 = { type = "capacitor", from = "a", to = "s", capacitance = 0.3 }
`,
	"cutset of inductances": `
u = { type = "voltage-source", to = "s", voltage = 10 }
r = { type = "resistor", from = "s", to = "q", resistance = 1 }
l1 = { type = "inductor", from = "q", to = "n", inductance = 0.2, start = { current = 2 } }
l2 = { type = "inductor", from = "n", inductance = 0.3, resistance = 2, start = { current = 0.5 } }
l3 = { type = "inductor", from = "n", inductance = 0.5, resistance = 1 }
i = { type = "current-source", to = "n", current = 0.7 }
`,
	"converters": `
u = { type = "voltage-source", to = "s", voltage = 10, resistance = 1 }
c = { type = "capacitor", from = "s", capacitance = 0.1, start = { voltage = 4 } }
m = { type = "converter", supply = ["s", "ground"], load = ["b", "ground"], ratio = "input" }
g = { type = "resistor", from = "b", to = "d", resistance = 2 }
l = { type = "inductor", from = "d", inductance = 0.4 }
n = { type = "converter", supply = ["s", "ground"], load = ["e", "ground"], ratio = -0.5 }
d = { type = "capacitor", from = "e", capacitance = 0.3 }
h = { type = "resistor", from = "e", resistance = 5 }
`,
	"machines": `
axle = { type = "revolute", from = "ground", to = "rotor", axis = [0.6, 0.8, 0], start = { phi = 0.4 } }
rotor = { type = "rigid-body", mass = 2, inertia = { xx = 0.2, yy = 0.2, zz = 0.3 } }
hinge = { type = "revolute", from = "arm", to = "swing", axis = "y", start = { omega = 1 } }
arm_of = { type = "rigid-arm", from = "rotor", to = "arm", translation = [0.1, -0.2, 0.5] }
swing = { type = "rigid-body", mass = 1, inertia = { xx = 0.1, yy = 0.2, zz = 0.2, xz = 0.03 } }
u = { type = "voltage-source", to = "a", voltage = 12, resistance = 0.1 }
m = { type = "dc-machine", from = "a", resistance = 0.5, inductance = 0.1, constant = 0.8, joint = "axle" }
k = { type = "dc-machine", from = "a", to = "z", resistance = 0.7, constant = 0.5, joint = "hinge" }
z = { type = "capacitor", from = "z", capacitance = 0.4 }
`,
	"oil and heat": `
u = { type = "pressure-source", to = "s", pressure = "100 bar", resistance = 1e9 }
v = { type = "volume", from = "s", capacity = 1e-12, start = { pressure = "50 bar" } }
o = { type = "orifice", from = "s", to = "g", k = 1e-8, heat = "h" }
g = { type = "accumulator", from = "g", volume = "0.1 l", precharge = "10 bar", start = { pressure = "20 bar" } }
slide = { type = "prismatic", from = "ground", to = "sled", axis = "x", start = { s_dot = 0.2 } }
sled = { type = "rigid-body", mass = 20, inertia = { xx = 1, yy = 1, zz = 1 } }
stop = { type = "spring-damper", joint = "slide", stiffness = 1e4, damping = 300 }
c = { type = "cylinder", joint = "slide", head = "g", area = "2 cm2", friction = 20, sliding_speed = 0.1, heat = "h" }
k = { type = "check-valve", from = "g", on = 1e-12, forward = "15 bar", width = "5 bar", heat = "h" }
h = { type = "heat-capacity", from = "h", capacity = 50, start = { temperature = 300 } }
w = { type = "heat-resistance", from = "h", to = "a", resistance = 2 }
a = { type = "temperature-source", to = "a", temperature = 290 }
`,
}

// The engine, which solves networks by trees, agrees with this solver, which knows none.
func TestNetworksAgreeWithTheEngine(t *testing.T) {
	for name, text := range networkModels {
		t.Run(name, func(t *testing.T) {
			compareNetwork(t, "name = \"network\"\n[component]"+text, 0.5)
		})
	}
}

// compareNetwork holds all quantities at the end of a run, and at the start, against the engine. Inputs are constant.
func compareNetwork(t *testing.T, text string, end float64) {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "network.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	inputs := map[string]Signal{}
	if strings.Contains(text, `ratio = "input"`) {
		inputs["m.ratio"] = constant{0.6}
	}
	s := newSystem(t, m)
	r, err := s.Simulate(Experiment{Duration: end, Sampling: end / 10, Tolerance: 1e-9, Inputs: Inputs{Variables: inputs}})
	if err != nil {
		t.Fatal(err)
	}
	engine, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	in, err := engine.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if err := in.SetText("solver.method", "rk4"); err != nil {
		t.Fatal(err)
	}
	set := map[string]float64{"solver.step": 1e-4}
	for name, signal := range inputs {
		set[name], _, _ = signal.At(0)
	}
	for name, value := range set {
		i, _ := engine.Find(name)
		if err := in.Set(i, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	compared := 0
	compare := func(sample int, tolerance float64) {
		for k, name := range r.Names {
			i, found := engine.Find(name)
			if !found || strings.Contains(name, ".yaw") || strings.Contains(name, ".roll") || strings.Contains(name, ".pitch") {
				continue
			}
			got, err := in.Get(i)
			if err != nil {
				t.Fatal(err)
			}
			size := 1.0
			if strings.HasSuffix(name, "flow") || strings.HasSuffix(name, "volume") {
				size = 1e-5 // m3/s, m3
			}
			if want := r.Values[k][sample]; !(math.Abs(got-want) <= tolerance*(size+math.Abs(want))) {
				t.Errorf("%s is %.10g at %g s, by nodal equations %.10g", name, got, r.Time[sample], want)
			}
			compared++
		}
	}
	compare(0, 1e-7)
	if err := in.Step(end); err != nil {
		t.Fatal(err)
	}
	compare(len(r.Time)-1, 2e-6)
	if compared < 20 {
		t.Errorf("%d quantities compared", compared)
	}
}
