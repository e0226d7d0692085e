package cosim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// A battery with the open-circuit voltage U and the resistance R has the largest power U^2/(4R). A resistor RL takes
// U^2 RL/(R + RL)^2, which is largest at RL = R. A converter takes the demanded power up to the largest power, and the
// warnings of more demand name the battery.
func TestTheLargestPowerOfABattery(t *testing.T) {
	const u, resistance, most = 100.0, 0.8, 100.0 * 100 / (4 * 0.8)
	const pack = `name = "over"
[component]
pack = { type = "battery", to = "dc", open_voltage = 100, resistance = 0.8, charge = "10 A.h", start = { soc = 0.5 } }
`
	for _, load := range []float64{0.4, 0.79, 0.8, 0.81, 3} {
		r := fromText(t, pack+fmt.Sprintf(`lamp = { type = "resistor", from = "dc", resistance = %g }`, load), "")
		r.start(noInput)
		r.near("pack.power", u*u*load/((resistance+load)*(resistance+load)), 1e-9*most)
		if r.get("pack.power") > most*(1+1e-12) {
			t.Errorf("%g Ohm: %g W, above %g W", load, r.get("pack.power"), most)
		}
	}
	const supply = `supply = { type = "converter", kind = "power", supply = ["dc", "ground"], load = ["low", "ground"], ` +
		`voltage = "input" }
`
	r := fromText(t, pack+supply+`lamp = { type = "resistor", from = "low", resistance = 2 }`, "")
	r.start(noInput)
	for k := 1; k <= 100; k++ {
		voltage := 1.2 * float64(k)
		r.set("supply.voltage", voltage)
		r.step(0.001)
		demand := voltage * voltage / 2
		r.near("pack.power", min(demand, most), 1e-6*most)
		r.near("pack.voltage", (u+math.Sqrt(max(0, u*u-4*resistance*demand)))/2, 1e-4)
		warned := strings.Join(r.in.RangeWarnings(), "\n")
		if first := demand > most && voltage-1.2 < math.Sqrt(2*most); first != (warned != "") || first &&
			!strings.Contains(warned, "its network, supplied by pack, can supply") {
			t.Errorf("demand of %g W: %q", demand, warned)
		}
	}
	if list := r.in.Report(); len(list) != 1 || list[0].Subject != "supply" ||
		!strings.HasSuffix(list[0].Text, ": supplied by pack") {
		t.Errorf("%+v", list)
	}
}

// A car on a merry-go-round with a radius of 10 m has an ideal motor, drag and a bearing. At a constant speed v, drag
// takes the energy rho A CD v^2/2 per distance and the power rho A CD v^3/2: the differences from a car without drag.
func TestDragTakesTheSquareOfTheSpeedPerDistance(t *testing.T) {
	const radius, bearing, area, drag, density = 10.0, 50.0, 2.2, 0.3, 1.2
	const text = `name = "round"
[component]
axle = { type = "revolute", from = "ground", to = "wheel", axis = "z", start = { omega = %g } }
wheel = { type = "rigid-body", mass = 1000, inertia = { xx = 1e5, yy = 1e5, zz = 1e5 } }
arm = { type = "rigid-arm", from = "wheel", to = "car", translation = [0, -10, 0] }
bearing = { type = "spring-damper", joint = "axle", damping = 50 }
air = { type = "aerodynamics", frame = "car", area = 2.2, length = 1, density = 1.2, drag = %g }
pack = { type = "battery", to = "dc", open_voltage = 400, charge = "10 A.h", start = { soc = 0.5 } }
chopper = { type = "converter", supply = ["dc", "ground"], load = ["low", "ground"], ratio = %g }
motor = { type = "dc-machine", from = "low", constant = 8, joint = "axle" }
`
	for _, speed := range []float64{20, 30, 60} {
		var energy, power [2]float64
		for k, cd := range []float64{0, drag} {
			r := fromText(t, fmt.Sprintf(text, speed/radius, cd, 8*speed/radius/400), "")
			r.start(noInput)
			power[k] = r.get("pack.power")
			r.step(0.5)
			energy[k] = 400 * 36000 * (0.5 - r.get("pack.soc"))
			r.near("axle.omega", speed/radius, 1e-9)
		}
		way := 0.5 * speed
		want := area * drag * density / 2 * speed * speed
		if got := (energy[1] - energy[0]) / way; math.Abs(got/want-1) > 1e-4 {
			t.Errorf("%g m/s: drag takes %g J/m, want %g", speed, got, want)
		}
		if got := power[1] - power[0]; math.Abs(got/(want*speed)-1) > 1e-4 {
			t.Errorf("%g m/s: drag takes %g W, want %g", speed, got, want*speed)
		}
		if want := bearing * speed * speed / radius / radius; math.Abs(power[0]/want-1) > 1e-9 {
			t.Errorf("%g m/s: the bearing takes %g W, want %g", speed, power[0], want)
		}
	}
}
