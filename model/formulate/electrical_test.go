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

// spinningRotor is a rotor that keeps its speed, and gives a machine its demand of 100 N.m.
const spinningRotor = `gravity = [0, 0, 0]
[component]
axle = { type = "revolute", from = "ground", to = "rotor", axis = "z", start = { omega = %g } }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 1e15, yy = 1e15, zz = 1e15 } }
asking = { type = "equations", outputs = [{ name = "torque", unit = "N.m", value = "100", to = ["m.demand"] }] }
`

// The conductance of a switch is the geometric mean in the middle; beyond 0 and 1 it stays.
func TestSwitch(t *testing.T) {
	got := runOf(t, `name = "switch"
[component]
u = { type = "voltage-source", to = "a", voltage = 10 }
r = { type = "resistor", from = "a", to = "b", resistance = 1 }
s = { type = "switch", from = "b", closed = "time" }
`, 1, 0, 1, 3)
	for k, resistance := range []float64{1e9, 1e-3, 1e-3} {
		expectAt(t, got[k]["s.current"], 10/(1+resistance), 1e-12, "current")
	}
	got = runOf(t, `name = "switch"
[component]
u = { type = "voltage-source", to = "a", voltage = 10 }
r = { type = "resistor", from = "a", to = "b", resistance = 1 }
s = { type = "switch", from = "b", closed = 0.5, on = 4, off = 1 }
`, 1, 0)
	expectAt(t, got[0]["s.current"], 10/1.5, 1e-12, "current of the half switch")
}

// The current of a diode: off below, a parabola about the forward voltage, a line above.
func TestDiode(t *testing.T) {
	law := func(d float64) float64 {
		const forward, w, on, off = 0.7, 0.1, 5.0, 1e-3
		switch s := d - forward; {
		case s < -w:
			return off * d
		case s > w:
			return off*d + (on-off)*s
		default:
			return off*d + (on-off)*(s+w)*(s+w)/(4*w)
		}
	}
	times := []float64{0, 1, 2, 3}
	got := runOf(t, `name = "diode"
[component]
u = { type = "voltage-source", to = "a", voltage = "0.65*time - 0.6" }
d = { type = "diode", from = "a", on = 5, off = 1e-3 }
e = { type = "diode", to = "a", on = 5, off = 1e-3 }
`, 1, times...)
	for k, time := range times {
		d := 0.65*time - 0.6
		expectAt(t, got[k]["d.current"], law(d), 1e-12, "current")
		expectAt(t, got[k]["e.current"], law(-d), 1e-12, "current of the other diode")
	}
}

// The charge of a capacitor grows with a constant current, along its curve.
func TestChargeOverVoltage(t *testing.T) {
	got := runOf(t, `name = "charging"
[component]
i = { type = "current-source", to = "a", current = "1 mA" }
c = { type = "capacitor", from = "a", charge = [[0, 0], [1, 1e-3], [2, 3e-3]] }
`, 1e-3, 0.5, 2)
	for k, time := range []float64{0.5, 2} {
		expectAt(t, got[k]["c.charge"], 1e-3*time, 1e-9, "charge")
	}
	if u := got[1]["c.voltage"]; !(u > 1.4 && u < 1.7) {
		t.Errorf("the voltage at 2 mC is %g", u)
	}
	// A chord has the drop of the other capacities.
	got = runOf(t, `name = "loop"
[component]
i = { type = "current-source", to = "a", current = "1 mA" }
b = { type = "capacitor", from = "a", capacitance = "2 mF", start = { voltage = 0 } }
c = { type = "capacitor", from = "a", charge = [[0, 0], [1, 1e-3], [2, 3e-3]] }
`, 1e-3, 2)
	expectAt(t, got[0]["c.charge"]+2e-3*got[0]["b.voltage"], 2e-3, 1e-9, "charge of both")
}

// A battery with pairs follows its closed form at a constant current.
func TestBattery(t *testing.T) {
	const time, current = 20.0, 50.0
	got := runOf(t, `name = "battery"
[component]
b = { type = "battery", to = "a", open_voltage = [[0, 300], [1, 390]], resistance = [[0, 0.2], [1, 0.1]],
	charge = "2 A.h", pairs = [[0.05, 200], [0.02, 3000]], start = { soc = 0.8 } }
i = { type = "current-source", from = "a", current = 50 }
`, 0.01, time)
	soc := 0.8 - current*time/7200
	first, second := current*0.05*(1-math.Exp(-time/10)), current*0.02*(1-math.Exp(-time/60))
	expectAt(t, got[0]["b.soc"], soc, 1e-12, "state of charge")
	expectAt(t, got[0]["b.pair_1"], first, 1e-10, "pair 1")
	expectAt(t, got[0]["b.pair_2"], second, 1e-10, "pair 2")
	expectAt(t, got[0]["b.voltage"], 300+90*soc-first-second-current*(0.2-0.1*soc), 1e-12, "voltage")
	expectAt(t, got[0]["b.power"], current*got[0]["b.voltage"], 1e-12, "power")
}

// A converter of the kind power draws the power of its load: 40 kW, -30 kW and, with an efficiency, more.
func TestConverterOfPower(t *testing.T) {
	model := func(load, more string) map[string]float64 {
		return runOf(t, `name = "converter"
[component]
u = { type = "voltage-source", to = "a", voltage = 400, resistance = 0.1 }
m = { type = "converter", kind = "power", supply = ["a", "ground"], load = ["b", "ground"], voltage = 100`+more+` }
`+load, 1, 0)[0]
	}
	const load = `r = { type = "resistor", from = "b", resistance = 0.25 }` + "\n"
	supply := func(power float64) float64 { return (400 + math.Sqrt(160000-0.4*power)) / 2 }
	got := model(load, "")
	expectAt(t, got["u.terminal_voltage"], 389.7366596101, 1e-12, "voltage at 40 kW")
	expectAt(t, got["m.supply_current"], 40000/389.7366596101, 1e-12, "current of the supply")
	got = model(`i = { type = "current-source", to = "b", current = 300 }`+"\n", "")
	expectAt(t, got["u.terminal_voltage"], 407.3644135333, 1e-12, "voltage at -30 kW")
	got = model(load, ", efficiency = 0.8, loss = [[0, 100], [400, 500]]")
	expectAt(t, got["u.terminal_voltage"], supply(40000/0.8+500), 1e-9, "voltage with losses")
	got = model(`i = { type = "current-source", to = "b", current = 300 }`+"\n", ", efficiency = 0.8")
	expectAt(t, got["u.terminal_voltage"], supply(-30000*0.8), 1e-9, "voltage with losses of the load")
	got = model(load, ", resistance = 0.15")
	expectAt(t, got["m.terminal_voltage"], 62.5, 1e-12, "voltage of the load behind a resistance")
	expectAt(t, got["u.terminal_voltage"], supply(100*250), 1e-12, "voltage with a resistance")
}

// A converter by ratio with resistance and loss.
func TestLossesOfAConverter(t *testing.T) {
	got := runOf(t, `name = "converter"
[component]
u = { type = "voltage-source", to = "a", voltage = 400 }
m = { type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = 0.25, resistance = 0.5,
	loss = [[0, 10], [40, 50], [80, 200]] }
l = { type = "inductor", from = "b", inductance = 0.1, resistance = 2, start = { current = 40 } }
`, 1e-3, 0)[0]
	expectAt(t, got["m.voltage"], 100-0.5*40, 1e-12, "voltage of the load")
	expectAt(t, got["m.supply_current"], 0.25*40+50.0/400, 1e-12, "current of the supply")
	expectAt(t, got["u.power"], 100*40+50, 1e-12, "power of the supply")
	text := strings.NewReplacer(`type = "inductor", from = "b", inductance = 0.1, resistance = 2, start = { current `+
		`= 40 }`,
		`type = "resistor", from = "b", resistance = 2`).Replace(`name = "converter"
[component]
u = { type = "voltage-source", to = "a", voltage = 400, resistance = 1 }
m = { type = "converter", supply = ["a", "ground"], load = ["b", "ground"], ratio = 0.25, loss = [[0, 10], [40, 50]] }
l = { type = "inductor", from = "b", inductance = 0.1, resistance = 2, start = { current = 40 } }
`)
	m, err := vehicle.Parse([]byte(text), "converter.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = formulate.New(m, formulate.Options{}); err == nil ||
		!strings.Contains(err.Error(), "put an inductance in series with the load") {
		t.Errorf("a loss that depends on itself: %v", err)
	}
}

// A permanent-magnet machine has its torque, and weakens its field where the voltage is too small.
func TestPermanentMagnetMachine(t *testing.T) {
	const z, psi, r, ld, u = 4.0, 0.06, 0.03, 0.1e-3, 350.0
	for _, c := range []struct{ w, lq float64 }{{0, ld}, {200, ld}, {800, ld}, {-800, ld}, {800, 0.15e-3}} {
		got := runOf(t, fmt.Sprintf(`name = "machine"
`+spinningRotor+`
u = { type = "voltage-source", to = "a", voltage = %g }
m = { type = "pm-machine", from = "a", joint = "axle", pole_pairs = 4, flux = %g, resistance = %g, inductance = %g,
	inductance_q = %g, iron_loss = 0.5, eddy_loss = 1e-3 }
`, c.w, u, psi, r, ld, c.lq), 2e-4, 0.2)[0]
		id, iq, we := got["m.current_d"], got["m.current_q"], z*c.w
		if c.w < 0 { // it generates
			expectAt(t, got["m.torque"], 100, 1e-9, "torque of the generator")
		}
		expectAt(t, got["m.torque"], 1.5*z*(psi+(ld-c.lq)*id)*iq, 1e-12, "torque by the currents")
		expectAt(t, got["m.torque"], 100, 1e-9, fmt.Sprintf("torque at %g rad/s", c.w))
		v := math.Hypot(r*id-we*c.lq*iq, r*iq+we*(ld*id+psi))
		switch limit := u / math.Sqrt(3); {
		case c.w == 0 || c.w == 200:
			expectAt(t, id, 0, 1e-12, "current along the flux")
			if v > limit {
				t.Errorf("%g V at %g rad/s without weakening", v, c.w)
			}
		default:
			expectAt(t, v, limit, 1e-9, fmt.Sprintf("voltage at %g rad/s", c.w))
			if id >= 0 {
				t.Errorf("the current along the flux is %g A", id)
			}
		}
		loss := 1.5*r*(id*id+iq*iq) + 0.5*math.Abs(c.w) + 1e-3*c.w*c.w
		expectAt(t, got["m.loss"], loss, 1e-12, "loss")
		expectAt(t, got["m.power"], got["m.torque"]*c.w+loss, 1e-12, "power")
	}
	// Out of reach: the voltage keeps within its limit, and the torque falls.
	got := runOf(t, fmt.Sprintf(`name = "machine"
`+spinningRotor+`
u = { type = "voltage-source", to = "a", voltage = 100 }
m = { type = "pm-machine", from = "a", joint = "axle", pole_pairs = 4, flux = %g, resistance = %g, inductance = %g,
	peak = [[0, 200], [1000, 100]] }
`, 800.0, psi, r, ld), 2e-4, 0.2)[0]
	id, iq, we := got["m.current_d"], got["m.current_q"], z*800
	if v := math.Hypot(r*id-we*ld*iq, r*iq+we*(ld*id+psi)); v > 100/math.Sqrt(3) || v < 0.999*100/math.Sqrt(3) ||
		got["m.torque"] > 60 || got["m.torque"] < 1 {
		t.Errorf("%g V and %g N.m out of reach", v, got["m.torque"])
	}
}

// Limits of a permanent-magnet machine and of a motor: over speed, overload and voltage.
func TestLimitsOfMachines(t *testing.T) {
	machine := func(speed float64, text string) map[string]float64 {
		return runOf(t, fmt.Sprintf("name = \"machine\"\n"+spinningRotor, speed)+`u = { type = "voltage-source", to = "a",
			voltage = 350 }
`+text, 1e-3, 0.2)[0]
	}
	const magnets = `m = { type = "pm-machine", from = "a", joint = "axle", pole_pairs = 4, flux = 0.06, resistance ` +
		`= 0.03, inductance = "0.4 mH", `
	got := machine(-50, magnets+"peak = [[0, 80], [100, 60]], continuous = [[0, 40], [100, 20]] }\n")
	expectAt(t, got["m.torque"], 70, 1e-9, "peak torque")
	got = machine(50, magnets+"peak = [[0, 80], [100, 60]], continuous = [[0, 40], [100, 20]] }\n"+
		`over = { type = "equations", outputs = [{ name = "share", unit = "1", value = "0.25", to = ["m.overload"] }] }`+"\n")
	expectAt(t, got["m.torque"], 40, 1e-9, "torque between the limits")
	const motor = `m = { type = "motor", from = "a", joint = "axle", `
	got = machine(50, motor+"limit = [[0, 80], [100, 60]] }\n")
	expectAt(t, got["m.torque"], 70, 1e-9, "limited torque")
	got = machine(50, motor+"limit = [[0, 300, 30], [100, 300, 20], [0, 400, 70], [100, 400, 60]] }\n")
	expectAt(t, got["m.torque"], 45, 1e-9, "torque at 350 V")
}

// A motor follows its demand with a lag, and its losses are positive in all quadrants.
func TestMotor(t *testing.T) {
	for _, c := range []struct {
		speed       float64
		key         string
		loss, exact float64
	}{
		{200, `efficiency = 0.8`, 100 * 200 * (1/0.8 - 1), 1e-8},
		{-200, `efficiency = 0.8`, 100 * 200 * (1 - 0.8), 1e-8},
		{200, `efficiency = [[0, 100, 0.7], [0, 300, 0.7], [200, 100, 0.9], [200, 300, 0.9]]`, 100 * 200 * (1/0.8 - 1), 1e-8},
		{-200, `loss = [[0, 0, 0], [200, 0, 200], [0, 400, 400], [200, 400, 600]]`, 300, 1e-9},
		{-200, `loss = [[0, 0], [200, 500]]`, 250, 1e-9},
		{0, `loss = [[0, 0], [200, 500]]`, 250, 1e-9},
	} {
		got := runOf(t, fmt.Sprintf("name = \"motor\"\n"+spinningRotor, c.speed)+`u = { type = "voltage-source", to = "a",
			voltage = 350 }
m = { type = "motor", from = "a", joint = "axle", lag = "10 ms", `+c.key+" }\n", 1e-4, 0.01, 0.4)
		expectAt(t, got[0]["m.torque"], 100*(1-math.Exp(-1)), 1e-8, "torque after the lag")
		expectAt(t, got[1]["m.loss"], c.loss, c.exact, c.key)
		expectAt(t, got[1]["m.power"], 100*c.speed+c.loss, c.exact, "power with "+c.key)
		expectAt(t, got[1]["u.power"], got[1]["m.power"], 1e-12, "power of the supply")
	}
}

// A probe measures, and changes nothing.
func TestProbe(t *testing.T) {
	got := runOf(t, `name = "probe"
[component]
u = { type = "voltage-source", to = "a", voltage = 12 }
r = { type = "resistor", from = "a", to = "b", resistance = 2 }
s = { type = "resistor", from = "b", resistance = 4 }
p = { type = "probe", from = "a", to = "b" }
q = { type = "probe", to = "b" }
`, 1, 0)[0]
	expectAt(t, got["p.voltage"], 4, 1e-13, "probe")
	expectAt(t, got["q.voltage"], -8, 1e-13, "probe against the ground")
	expectAt(t, got["r.current"], 2, 1e-13, "current")
}
