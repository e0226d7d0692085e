package formulate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/vehicle"
)

// runOf integrates a model by RK4 and returns its outputs by name at the given times.
func runOf(t *testing.T, text string, step float64, times ...float64) []map[string]float64 {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "network.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	p, tape := machine(t, m, formulate.Options{})
	x, u := make([]float64, len(p.States)), make([]float64, len(p.Inputs))
	for i, v := range p.Inputs {
		u[i] = v.Start
	}
	tape.Start(u, x)
	outputs := make([]float64, len(p.Outputs))
	rates := func(time float64, x []float64) []float64 {
		r := make([]float64, len(x))
		if p.Timed {
			u[len(u)-1] = time
		}
		tape.Derivatives(time, x, u, r)
		return r
	}
	at := func(x []float64, s float64, k []float64) []float64 {
		y := make([]float64, len(x))
		for i := range y {
			y[i] = x[i] + s*k[i]
		}
		return y
	}
	var list []map[string]float64
	time := 0.0
	for _, end := range times {
		for n := int(math.Round((end - time) / step)); n > 0; n-- {
			a := rates(time, x)
			b := rates(time+step/2, at(x, step/2, a))
			c := rates(time+step/2, at(x, step/2, b))
			d := rates(time+step, at(x, step, c))
			for i := range x {
				x[i] += step / 6 * (a[i] + 2*b[i] + 2*c[i] + d[i])
			}
			time += step
		}
		rates(time, x)
		tape.Outputs(outputs)
		values := map[string]float64{}
		for i, v := range p.Outputs {
			values[v.Name] = outputs[i]
		}
		list = append(list, values)
	}
	return list
}

func expectAt(t *testing.T, got float64, want, tolerance float64, what string) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*max(1e-3, math.Abs(want))) {
		t.Errorf("%s is %.13g, expected %.13g", what, got, want)
	}
}

// A series of resistor, inductor and capacitor follows its closed form.
func TestSeriesResonance(t *testing.T) {
	times := []float64{0.001, 0.005, 0.02}
	got := runOf(t, `name = "RLC"
[component]
u = { type = "voltage-source", to = "a", voltage = 10 }
r = { type = "resistor", from = "a", to = "b", resistance = 2 }
l = { type = "inductor", from = "b", to = "c", inductance = "10 mH" }
c = { type = "capacitor", from = "c", capacitance = "1 mF" }
`, 1e-5, times...)
	for k, want := range []float64{0.8913258025763, 2.016704307617, -0.1260492519648} {
		expectAt(t, got[k]["l.current"], want, 1e-10, "current")
	}
}

// A parallel resonance of resistor, inductor and capacitor at a constant current.
func TestParallelResonance(t *testing.T) {
	times := []float64{0.0002, 0.001, 0.005}
	got := runOf(t, `name = "RLC"
[component]
i = { type = "current-source", to = "a", current = 1 }
r = { type = "resistor", from = "a", resistance = 50 }
l = { type = "inductor", from = "a", inductance = "10 mH" }
c = { type = "capacitor", from = "a", capacitance = "10 uF" }
`, 2e-6, times...)
	for k, want := range []float64{15.40967192, 1.73050499, 0.14605350} {
		expectAt(t, got[k]["c.voltage"], want, 3e-8, "voltage")
	}
}

// Of three capacitors in a loop two have states.
func TestLoopOfCapacitors(t *testing.T) {
	got := runOf(t, `name = "loop"
[component]
u = { type = "voltage-source", to = "s", voltage = 10 }
r1 = { type = "resistor", from = "s", to = "a", resistance = 1000 }
r2 = { type = "resistor", from = "b", resistance = 2000 }
ca = { type = "capacitor", from = "a", capacitance = "1 uF", start = { voltage = 1 } }
cb = { type = "capacitor", from = "b", capacitance = "2 uF", start = { voltage = 2 } }
cab = { type = "capacitor", from = "a", to = "b", capacitance = "3 uF" }
`, 1e-5, 0.0005, 0.005)
	expectAt(t, got[0]["ca.voltage"], 2.678162447592, 1e-11, "a")
	expectAt(t, got[0]["cb.voltage"], 2.883522930747, 1e-11, "b")
	expectAt(t, got[1]["cab.current"], 0.001692262076899, 1e-10, "current")
	expectAt(t, got[1]["ca.voltage"], 7.946726758265, 1e-11, "a")
}

// A direct-current motor with and without inductance.
func TestDirectCurrentMotor(t *testing.T) {
	got := runOf(t, `name = "motor"
gravity = [0, 0, 0]
[component]
axle = { type = "revolute", from = "ground", to = "rotor", axis = "z" }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 0.01, yy = 0.01, zz = 0.01 } }
friction = { type = "spring-damper", joint = "axle", damping = 0.001 }
load = { type = "torque-driver", from = "ground", to = "rotor", axis = "z" }
loading = { type = "equations", outputs = [{ name = "torque", unit = "N.m", value = "-0.5", to = ["load.torque"] }] }
u = { type = "voltage-source", to = "a", voltage = 12 }
m = { type = "dc-machine", from = "a", resistance = 0.5, inductance = "1 mH", constant = 0.1, joint = "axle" }
`, 1e-5, 0.1, 1)
	expectAt(t, got[0]["axle.omega"], 16.80647424485, 1e-9, "speed")
	expectAt(t, got[0]["m.current"], 20.70110041072, 1e-9, "current")
	expectAt(t, got[1]["axle.omega"], 79.4312861564, 1e-9, "speed")
}

// Resistors in a bridge, and four loads behind a fuse, are linear blocks without states.
func TestResistorsAreSolvedTogether(t *testing.T) {
	got := runOf(t, `name = "box"
[component]
battery = { type = "voltage-source", to = "clamp", voltage = 13.8, resistance = "8 mOhm" }
fuse = { type = "resistor", from = "clamp", to = "box", resistance = "2 mOhm" }
a = { type = "resistor", from = "box", resistance = 0.9 }
b = { type = "resistor", from = "box", to = "m", resistance = 1 }
c = { type = "resistor", from = "m", resistance = 2 }
d = { type = "resistor", from = "box", to = "n", resistance = 3 }
e = { type = "resistor", from = "n", resistance = 4 }
f = { type = "resistor", from = "m", to = "n", resistance = 5 }
`, 1e-5, 0)
	v := got[0]
	// Kirchhoff's laws by hand
	sum := func(names ...string) (s float64) {
		for _, n := range names {
			if n[0] == '-' {
				s -= v[n[1:]+".current"]
			} else {
				s += v[n+".current"]
			}
		}
		return s
	}
	for _, node := range [][]string{
		{"battery", "-fuse"}, {"fuse", "-a", "-b", "-d"}, {"b", "-c", "-f"}, {"d", "f", "-e"},
	} {
		if s := sum(node...); math.Abs(s) > 1e-12 {
			t.Errorf("currents at %v: %g", node, s)
		}
	}
	for name, r := range map[string]float64{"fuse": 0.002, "a": 0.9, "b": 1, "c": 2, "d": 3, "e": 4, "f": 5} {
		expectAt(t, v[name+".voltage"], r*v[name+".current"], 1e-13, name)
	}
	if u := v["b.voltage"] + v["c.voltage"] - v["a.voltage"]; math.Abs(u) > 1e-12 {
		t.Errorf("circuit: %g", u)
	}
	expectAt(t, v["battery.terminal_voltage"], v["fuse.voltage"]+v["a.voltage"], 1e-13, "battery")
}

// A capacity behind a converter counts with the square of the ratio.
func TestCapacityBehindAConverter(t *testing.T) {
	got := runOf(t, `name = "converter"
[component]
u = { type = "voltage-source", to = "s", voltage = 10 }
r = { type = "resistor", from = "s", to = "a", resistance = 100 }
c = { type = "capacitor", from = "a", capacitance = "10 uF", start = { voltage = 1 } }
m = { type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = 0.5 }
d = { type = "capacitor", from = "b", capacitance = "40 uF" }
g = { type = "resistor", from = "b", resistance = 50 }
`, 1e-6, 0.001)
	// C + m^2 D = 20 uF; conductance 1/100 + m^2/50 = 0.015; final 10/100/0.015
	final := 10 / 100.0 / 0.015
	want := final + (1-final)*math.Exp(-0.001*0.015/20e-6)
	expectAt(t, got[0]["c.voltage"], want, 1e-11, "supply")
	expectAt(t, got[0]["d.voltage"], want/2, 1e-11, "load")
	expectAt(t, got[0]["m.current"], got[0]["d.current"]+got[0]["g.current"], 1e-11, "current of the load")
	expectAt(t, got[0]["m.supply_current"], got[0]["r.current"]-got[0]["c.current"], 1e-11, "current of the supply")
}

const twoRotors = `name = "two_machines"
gravity = [0, 0, 0]
[component]
axle_a = { type = "revolute", from = "ground", to = "rotor_a", axis = "z", start = { omega = 4 } }
rotor_a = { type = "rigid-body", mass = 1, inertia = { xx = 0.01, yy = 0.01, zz = 0.01 } }
axle_b = { type = "revolute", from = "ground", to = "rotor_b", axis = "z", start = { omega = 2 } }
rotor_b = { type = "rigid-body", mass = 1, inertia = { xx = 0.03, yy = 0.03, zz = 0.03 } }
load = { type = "torque-driver", from = "ground", to = "rotor_a", axis = "z" }
loading = { type = "equations", outputs = [{ name = "torque", unit = "N.m", value = "0.5", to = ["load.torque"] }] }
a = { type = "dc-machine", from = "n", constant = 1, joint = "axle_a" }
b = { type = "dc-machine", from = "n", constant = 2, joint = "axle_b" }
`

// Two machines without resistance and inductance are a gear: their speeds are constrained, and the current is the
// multiplier.
func TestMachinesWithoutLossesAreAGear(t *testing.T) {
	got := runOf(t, twoRotors, 1e-4, 0.1)
	// w_a = 2 w_b; (0.01*4 + 0.03) w_b' = 0.5*2
	speed := 2 + 0.1*1/0.07
	expectAt(t, got[0]["axle_b.omega"], speed, 1e-10, "speed")
	expectAt(t, got[0]["axle_a.omega"], 2*speed, 1e-10, "speed")
	// 0.03 w_b' = 2 i_b
	current := 0.03 / 0.07 / 2
	expectAt(t, got[0]["b.current"], current, 1e-10, "current")
	expectAt(t, got[0]["a.current"], -current, 1e-10, "current")
	expectAt(t, got[0]["a.voltage"], 2*speed, 1e-10, "voltage")
	expectAt(t, got[0]["b.torque"], 2*current, 1e-10, "torque")
}

const capacitorLoop = `name = "loop"
[component]
u = { type = "voltage-source", to = "s", voltage = 10 }
r1 = { type = "resistor", from = "s", to = "a", resistance = 1000 }
r2 = { type = "resistor", from = "b", resistance = 2000 }
ca = { type = "capacitor", from = "a", capacitance = "1 uF", start = { voltage = 1 } }
cb = { type = "capacitor", from = "b", capacitance = "2 uF"%s }
cab = { type = "capacitor", from = "a", to = "b", capacitance = "3 uF"%s }
`

// Starts are given in the file, whatever the tree: the starts of another tree's states follow. Starts that contradict
// each other are refused, with the loop.
func TestStartsOfCapacitors(t *testing.T) {
	trees := `[[tree]]
name = "other"
electrical = ["u.E1", "ca.E1", "cab.E1"]
[[tree]]
name = "default"
`
	want := runOf(t, fmt.Sprintf(capacitorLoop, ", start = { voltage = 2 }", ""), 1e-5, 0, 0.005)
	for _, text := range []string{
		fmt.Sprintf(capacitorLoop, ", start = { voltage = 2 }", "") + trees,
		fmt.Sprintf(capacitorLoop, "", ", start = { voltage = -1 }"),
		fmt.Sprintf(capacitorLoop, "", ", start = { voltage = -1 }") + strings.Replace(trees, "cab", "cb", 1),
		fmt.Sprintf(capacitorLoop, ", start = { voltage = 2 }", ", start = { voltage = -1 }"),
	} {
		got := runOf(t, text, 1e-5, 0, 0.005)
		for k := range want {
			for _, name := range []string{"ca.voltage", "cb.voltage", "cab.voltage", "cab.current", "u.current"} {
				expectAt(t, got[k][name], want[k][name], 1e-11, name)
			}
		}
	}
	contradicting := fmt.Sprintf(capacitorLoop, ", start = { voltage = 2 }", ", start = { voltage = -0.9 }")
	m, err := vehicle.Parse([]byte(contradicting), "network.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	_, err = formulate.New(m, formulate.Options{})
	if err == nil || err.Error() != "network.toml:8:93: the start of cab is "+
		"-0.9 V, but -1 V follows from ca 1 V, cb 2 V; correct one of them, or leave this one out" {
		t.Error(err)
	}
}
