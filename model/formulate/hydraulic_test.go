package formulate_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"skidpad/model/bounded"
	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// ride integrates a model by RK4, with inputs that change between parts of the run.
type ride struct {
	t       *testing.T
	program *program.Program
	tape    program.Machine
	time    float64
	x, u    []float64
}

func rideOf(t *testing.T, text string) *ride {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "network.toml", bounded.Kind.Read)
	if err != nil {
		t.Fatal(err)
	}
	p, tape := machine(t, m, formulate.Options{})
	r := &ride{t: t, program: p, tape: tape, x: make([]float64, len(p.States)), u: make([]float64, len(p.Inputs))}
	for i, v := range p.Inputs {
		r.u[i] = v.Start
	}
	tape.Start(r.u, r.x)
	return r
}

// set gives an input a value.
func (r *ride) set(name string, value float64) {
	r.t.Helper()
	for i, v := range r.program.Inputs {
		if v.Name == name {
			r.u[i] = value
			return
		}
	}
	r.t.Fatalf("no input %s", name)
}

func (r *ride) rates(time float64, x []float64) []float64 {
	dx := make([]float64, len(x))
	if r.program.Timed {
		r.u[len(r.u)-1] = time
	}
	r.tape.Derivatives(time, x, r.u, dx)
	return dx
}

// to integrates up to a time.
func (r *ride) to(end, step float64) {
	begin, steps := r.time, max(1, math.Round((end-r.time)/step))
	h := (end - begin) / steps
	for k := range int(steps) {
		time := begin + float64(k)*h
		at := func(s float64, rates []float64) []float64 {
			y := make([]float64, len(r.x))
			for i := range y {
				y[i] = r.x[i] + s*rates[i]
			}
			return y
		}
		a := r.rates(time, r.x)
		b := r.rates(time+h/2, at(h/2, a))
		c := r.rates(time+h/2, at(h/2, b))
		d := r.rates(time+h, at(h, c))
		for i := range r.x {
			r.x[i] += h / 6 * (a[i] + 2*b[i] + 2*c[i] + d[i])
		}
	}
	r.time = end
}

// values are the outputs and the rates ("rate of" a state) now.
func (r *ride) values() map[string]float64 {
	list := map[string]float64{}
	for i, dx := range r.rates(r.time, r.x) {
		list["rate of "+r.program.States[i].Name] = dx
	}
	outputs := make([]float64, len(r.program.Outputs))
	r.tape.Outputs(outputs)
	for i, v := range r.program.Outputs {
		list[v.Name] = outputs[i]
	}
	return list
}

// expectNear compares with a tolerance relative to a scale.
func expectNear(t *testing.T, got, want, tolerance float64, what string) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) {
		t.Errorf("%s is %.13g, expected %.13g", what, got, want)
	}
}

// refused parses and formulates a model that must be refused, and looks for parts of the message.
func refused(t *testing.T, text string, parts ...string) {
	t.Helper()
	m, err := vehicle.Parse([]byte("name = \"wrong\"\n[component]\n"+text), "network.toml", bounded.Kind.Read)
	if err == nil {
		_, err = formulate.Program(m, formulate.Options{})
	}
	if err == nil {
		t.Errorf("accepted:\n%s", text)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the message lacks %q: %v", part, err)
		}
	}
}

// A capacity empties through an orifice; the times follow from the integral of C/q over the pressure.
func TestVolumeEmptiesThroughAnOrifice(t *testing.T) {
	const k, laminar, capacity = 1e-8, 1e5, 2e-12
	r := rideOf(t, `name = "discharge"
[component]
c = { type = "volume", from = "a", capacity = 2e-12, start = { pressure = "100 bar" } }
o = { type = "orifice", from = "a", k = 1e-8 }
`)
	v := r.values()
	expectNear(t, v["o.flow"], k*1e7/math.Pow(1e14+laminar*laminar, 0.25), 1e-14, "flow at the start")
	expectNear(t, v["c.flow"], -v["o.flow"], 1e-14, "flow of the volume")
	expectNear(t, v["o.power"], 1e7*v["o.flow"], 1e-14, "power")
	for _, at := range []struct{ time, want float64 }{
		{0.05, 9225076.172322}, {0.2, 7087817.164224}, {0.3705031446347, 5e6}, {0.4, 4675687.141005}, {0.6, 2763682.312305},
	} {
		r.to(at.time, 1e-4)
		expectNear(t, r.values()["c.pressure"], at.want, 1e-11, fmt.Sprint("pressure at ", at.time))
	}
}

// The constant of a restriction by its area, and a volume by its bulk modulus.
func TestHydraulicSizes(t *testing.T) {
	v := rideOf(t, `name = "sizes"
[component]
c = { type = "volume", from = "a", volume = "2 l", bulk_modulus = "1.6 GPa", start = { pressure = "40 bar" } }
o = { type = "orifice", from = "a", to = "b", area = "3 mm2", cd = 0.6, density = 900, transition = "0.5 bar" }
p = { type = "pressure-source", to = "b", pressure = "30 bar" }
`).values()
	q := 0.6 * 3e-6 * math.Sqrt(2.0/900) * 1e6 / math.Pow(1e12+25e8, 0.25)
	expectNear(t, v["o.flow"], q, 1e-14, "flow")
	expectNear(t, v["rate of c.pressure"], -q*1.6e9/2e-3, 1e-14, "rate")
	expectNear(t, v["p.flow"], -q, 1e-14, "flow of the source")
	expectNear(t, v["p.power"], -q*3e6, 1e-14, "power of the source")
}

// A cylinder that an orifice alone joins with the tank is a damper: the orifice is a branch with the inverse law.
func TestOrificeIsADamper(t *testing.T) {
	const text = `name = "damper"
gravity = [0, 0, 0]
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x", start = { s_dot = %g } }
mass = { type = "rigid-body", mass = 10, inertia = { xx = 1, yy = 1, zz = 1 } }
cylinder = { type = "cylinder", joint = "slide", head = "a", area = "10 cm2" }
o = { type = "orifice", from = "a", k = 2e-8 }
`
	for _, speed := range []float64{0.3, -0.3} {
		v := rideOf(t, fmt.Sprintf(text, speed)).values()
		expectNear(t, v["cylinder.force"], -225000.0222*speed/0.3, 1e-9, "force")
		expectNear(t, v["rate of slide.s_dot"], v["cylinder.force"]/10, 1e-14, "acceleration")
		expectNear(t, v["o.flow"], -1e-3*speed, 1e-14, "flow")
		expectNear(t, v["cylinder.head_flow"], 1e-3*speed, 1e-14, "flow into the cylinder")
		expectNear(t, v["o.power"], -v["cylinder.force"]*speed, 1e-13, "power")
	}
	v := rideOf(t, fmt.Sprintf(text, 0.0)).values()
	if v["cylinder.force"] != 0 || v["o.pressure"] != 0 {
		t.Errorf("at rest the force is %g", v["cylinder.force"])
	}
	// far below the transition, the drop is sqrt(t) q/k
	v = rideOf(t, fmt.Sprintf(text, 1e-6)).values()
	expectNear(t, v["cylinder.force"], -1e-3*math.Sqrt(1e5)*1e-9/2e-8, 1e-8, "laminar force")
}

// A mass on closed oil and a damper is an oscillator with the stiffness A^2/C.
func TestMassOnClosedOil(t *testing.T) {
	for _, ends := range []string{`joint = "slide"`, `frames = ["anchor", "mass"]`} {
		anchor := ""
		if ends[0] == 'f' {
			anchor = `anchor = { type = "rigid-arm", from = "ground", to = "anchor", translation = [0.4, 0, 0] }`
		}
		r := rideOf(t, `name = "oil"
gravity = [0, 0, 0]
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x", start = { s = 1, s_dot = 0.1 } }
mass = { type = "rigid-body", mass = 30, inertia = { xx = 1, yy = 1, zz = 1 } }
damper = { type = "spring-damper", joint = "slide", damping = 200 }
cylinder = { type = "cylinder", `+ends+`, head = "a", rod = "b", area = "10 cm2", rod_area = "6 cm2" }
head = { type = "volume", from = "a", capacity = 1e-12, start = { pressure = "20 bar" } }
rod = { type = "volume", from = "b", capacity = 3e-13, start = { pressure = "10 bar" } }
`+anchor)
		const mass, damping, stiffness, force = 30, 200, 1e-6/1e-12 + 36e-8/3e-13, 1e-3*2e6 - 6e-4*1e6
		v := r.values()
		expectNear(t, v["rate of slide.s_dot"], (force-damping*0.1)/mass, 1e-12, "acceleration")
		r.to(0.05, 1e-5)
		d := damping / (2.0 * mass)
		w := math.Sqrt(stiffness/mass - d*d)
		y0 := -force / stiffness // distance from the equilibrium
		y := math.Exp(-d*0.05) * (y0*math.Cos(w*0.05) + (0.1+d*y0)/w*math.Sin(w*0.05))
		v = r.values()
		s := y - y0
		expectNear(t, v["slide.s"], 1+s, 1e-10, "position")
		expectNear(t, v["head.pressure"], 2e6-1e-3*s/1e-12, 1e-7, "pressure")
		expectNear(t, v["rod.pressure"], 1e6+6e-4*s/3e-13, 1e-7, "pressure of the rod")
		expectNear(t, v["cylinder.force"], 1e-3*v["head.pressure"]-6e-4*v["rod.pressure"], 1e-13, "force")
		if ends[0] == 'f' {
			expectNear(t, v["cylinder.length"], v["slide.s"]-0.4, 1e-13, "length")
		}
	}
}

// Chambers with oil have the capacity (V + A (s - s0))/K, and friction acts against the motion.
func TestCylinderWithOil(t *testing.T) {
	v := rideOf(t, `name = "chambers"
gravity = [0, 0, 0]
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x", start = { s = 0.35, s_dot = -0.02 } }
mass = { type = "rigid-body", mass = 5, inertia = { xx = 1, yy = 1, zz = 1 } }
cylinder = { type = "cylinder", joint = "slide", head = "a", rod = "b", area = "15 cm2", rod_area = "9 cm2", dead_volume = "40 ml", rod_dead_volume = "90 ml", bulk_modulus = "1.4 GPa", length = 0.3, friction = 70, sliding_speed = 0.01, start = { head_pressure = "12 bar", rod_pressure = "30 bar" } }
o = { type = "orifice", from = "a", k = 1e-9 }
q = { type = "flow-source", to = "b", flow = 1e-5 }
`).values()
	out := 1e-9 * 12e5 / math.Pow(144e10+1e10, 0.25)
	expectNear(t, v["rate of cylinder.head_pressure"], (1.5e-3*0.02-out)*1.4e9/(40e-6+1.5e-3*0.05), 1e-13, "head")
	expectNear(t, v["rate of cylinder.rod_pressure"], (1e-5-9e-4*0.02)*1.4e9/(90e-6-9e-4*0.05), 1e-13, "rod")
	force := 1.5e-3*12e5 - 9e-4*30e5 + 70*math.Tanh(2)
	expectNear(t, v["cylinder.force"], force, 1e-13, "force")
	expectNear(t, v["rate of slide.s_dot"], force/5, 1e-13, "acceleration")
	expectNear(t, v["cylinder.head_flow"], -out, 1e-13, "flow into the head")
	expectNear(t, v["cylinder.rod_flow"], 1e-5, 1e-13, "flow into the rod")
}

// Two cylinders without capacity in their line move together, A1 s1' + A2 s2' = 0, with the pressure as multiplier.
func TestLockedCylinders(t *testing.T) {
	const text = `name = "locked"
gravity = [0, 0, 0]
[component]
one = { type = "prismatic", from = "ground", to = "first", axis = "x" }
first = { type = "rigid-body", mass = 2, inertia = { xx = 1, yy = 1, zz = 1 } }
two = { type = "prismatic", from = "ground", to = "second", axis = "y" }
second = { type = "rigid-body", mass = 5, inertia = { xx = 1, yy = 1, zz = 1 } }
push = { type = "force-driver", from = "ground", to = "first", axis = "x" }
pull = { type = "force-driver", from = "ground", to = "second", axis = "y" }
loads = { type = "equations", outputs = [{ name = "a", unit = "N", value = "100", to = ["push.force"] }, { name = "b", unit = "N", value = "-30", to = ["pull.force"] }] }
left = { type = "cylinder", joint = "one", head = "a", area = "4 cm2" }
right = { type = "cylinder", joint = "two", head = "a", area = "10 cm2" }
`
	v := rideOf(t, text).values()
	expectNear(t, v["left.head_pressure"], -50000, 1e-12, "pressure")
	expectNear(t, v["rate of one.s_dot"], 40, 1e-12, "first")
	expectNear(t, v["rate of two.s_dot"], -16, 1e-12, "second")
}

// The gas of an accumulator with a given flow of oil has a volume that falls linearly.
func TestAccumulatorFollowsItsGas(t *testing.T) {
	for _, n := range []float64{1, 1.3} {
		r := rideOf(t, fmt.Sprintf(`name = "gas"
[component]
q = { type = "flow-source", to = "a", flow = 2e-5 }
g = { type = "accumulator", from = "a", volume = "0.4 l", precharge = "20 bar", exponent = %g, start = { pressure = "20 bar" } }
`, n))
		for _, time := range []float64{5, 12} {
			r.to(time, 0.01)
			gas := 4e-4 - 2e-5*time
			v := r.values()
			expectNear(t, v["g.pressure"], (20e5+101325)*math.Pow(4e-4/gas, n)-101325, 1e-9, "pressure")
			expectNear(t, v["g.gas_volume"], gas, 1e-9, "volume")
		}
	}
}

// Openings of valves are limited, turned round where the valve is normally open, and delayed by a lag.
func TestValves(t *testing.T) {
	r := rideOf(t, `name = "valves"
[component]
p = { type = "pressure-source", to = "a", pressure = "50 bar" }
shut = { type = "valve", from = "a", k = 1e-9, opening = "input" }
open = { type = "valve", from = "a", k = 1e-9, opening = "input", normally = "open" }
slow = { type = "valve", from = "a", k = 1e-9, opening = "input", lag = "20 ms" }
ramp = { type = "valve", from = "a", k = 1e-9, opening = "0.2 + time" }
`)
	full := 1e-9 * 5e6 / math.Pow(25e12+1e10, 0.25)
	for _, u := range []float64{-1, 0, 0.3, 1, 2} {
		r.set("shut.opening", u)
		r.set("open.opening", u)
		share, v := max(0, min(1, u)), r.values()
		expectNear(t, v["shut.flow"], share*full, 1e-14, "flow of a closed valve")
		expectNear(t, v["open.flow"], (1-share)*full, 1e-14, "flow of an open valve")
		expectNear(t, v["shut.position"], share, 0, "position")
	}
	r.set("slow.opening", 0.6)
	r.to(0.05, 1e-4)
	v := r.values()
	expectNear(t, v["slow.flow"], 0.6*(1-math.Exp(-2.5))*full, 1e-9, "flow of a slow valve")
	expectNear(t, v["ramp.flow"], 0.25*full, 1e-12, "flow of a formula")
}

// A four-way valve joins a with the supply and b with the tank, or the other way round.
func TestFourWayValve(t *testing.T) {
	r := rideOf(t, `name = "spool"
[component]
p = { type = "pressure-source", to = "rail", pressure = "100 bar" }
back = { type = "pressure-source", to = "return", pressure = "2 bar" }
a = { type = "volume", from = "a", capacity = 1e-12, start = { pressure = "40 bar" } }
b = { type = "volume", from = "b", capacity = 2e-12, start = { pressure = "10 bar" } }
spool = { type = "four-way-valve", supply = "rail", tank = "return", a = "a", b = "b", k = 3e-9, opening = "input" }
`)
	q := func(d float64) float64 { return 3e-9 * d / math.Pow(d*d+1e10, 0.25) }
	for _, c := range []struct{ u, a, b, supply float64 }{
		{0.5, 0.5 * q(60e5), -0.5 * q(8e5), 0.5 * q(60e5)},
		{3, q(60e5), -q(8e5), q(60e5)},
		{-0.25, -0.25 * q(38e5), 0.25 * q(90e5), 0.25 * q(90e5)},
		{-5, -q(38e5), q(90e5), q(90e5)},
		{0, 0, 0, 0},
	} {
		r.set("spool.opening", c.u)
		v := r.values()
		expectNear(t, v["spool.flow_a"], c.a, 1e-14, "flow into a")
		expectNear(t, v["spool.flow_b"], c.b, 1e-14, "flow into b")
		expectNear(t, v["spool.flow"], c.supply, 1e-14, "flow of the supply")
		expectNear(t, v["rate of a.pressure"], c.a/1e-12, 1e-14, "rate of a")
		expectNear(t, v["rate of b.pressure"], c.b/2e-12, 1e-14, "rate of b")
	}
}

// A check valve is closed, open, and smooth between.
func TestCheckValve(t *testing.T) {
	r := rideOf(t, `name = "check"
[component]
p = { type = "pressure-source", to = "a", pressure = "input" }
c = { type = "check-valve", from = "a", on = 4e-12, off = 1e-16, forward = "0.5 bar", width = "0.2 bar" }
`)
	for _, c := range []struct{ drop, above float64 }{
		{-50e5, 0}, {0, 0}, {0.3e5, 0}, {0.4e5, 0.1e5 * 0.1e5 / 0.8e5}, {0.5e5, 0.05e5}, {0.7e5, 0.2e5}, {10e5, 9.5e5},
	} {
		r.set("p.pressure", c.drop)
		want := 1e-16*c.drop + (4e-12-1e-16)*c.above
		if got := r.values()["c.flow"]; math.Abs(got-want) > 1e-12*4e-12*max(1e5, math.Abs(c.drop)) {
			t.Errorf("flow at %g Pa is %g, expected %g", c.drop, got, want)
		}
	}
}

// Lines: laminar flow in a pipe, its inertance, and cells with capacity. The cells have independent values by RK4.
func TestLines(t *testing.T) {
	r := rideOf(t, `name = "pipes"
[component]
p = { type = "pressure-source", to = "a", pressure = "50 bar" }
pipe = { type = "line", from = "a", length = 3, diameter = "6 mm", density = 870, viscosity = 0.03 }
plain = { type = "line", from = "a", resistance = 2e9 }
cells = { type = "line", from = "a", to = "b", resistance = 4e9, inertance = 6e6, capacity = 2e-13, cells = 3 }
end = { type = "orifice", from = "b", k = 2e-8 }
sized = { type = "line", from = "a", to = "c", length = 3, diameter = "6 mm", density = 870, viscosity = 0.03, bulk_modulus = "1.2 GPa", cells = 2, start = { pressure = 1e5, flow = 1e-5 } }
last = { type = "orifice", from = "c", k = 2e-8 }
`)
	area := math.Pi * 9e-6
	resistance, inertance := 128*0.03*3/(math.Pi*math.Pow(6e-3, 4)), 870*3/area
	v := r.values()
	expectNear(t, v["plain.flow"], 50e5/2e9, 1e-14, "flow of a resistance")
	expectNear(t, v["rate of pipe.flow"], 50e5/inertance, 1e-14, "rate of a pipe")
	expectNear(t, v["rate of sized.flow_1"], (50e5-1e5-resistance/4*1e-5)/(inertance/4), 1e-13, "first half cell")
	expectNear(t, v["rate of sized.flow_2"], -(resistance/2*1e-5)/(inertance/2), 1e-13, "between the cells")
	expectNear(t, v["rate of sized.pressure_1"], 0, 0, "first cell")
	r.to(0.002, 5e-6)
	v = r.values()
	expectNear(t, v["pipe.flow"], 50e5/resistance*(1-math.Exp(-0.002*resistance/inertance)), 1e-11, "flow of a pipe")
	for name, want := range map[string]float64{
		"flow_1": 0.0006145248363, "flow_2": 0.000503049844261, "flow_3": 0.0001008581184598, "flow_4": 6.87918189265e-06,
		"pressure_1": 5209099.76492, "pressure_2": 1634737.214, "pressure_3": 198863.83876,
	} {
		expectNear(t, v["cells."+name], want, 1e-8, name)
	}
	expectNear(t, v["cells.pressure"], 50e5-v["end.pressure"], 1e-12, "drop of the line")
}

// A pump on a joint exchanges its power with the oil; leakage and friction are lost.
func TestPumpExchangesPower(t *testing.T) {
	r := rideOf(t, `name = "pump"
gravity = [0, 0, 0]
[component]
axle = { type = "revolute", from = "ground", to = "rotor", axis = "z", start = { omega = 50 } }
rotor = { type = "rigid-body", mass = 1, inertia = { xx = 0.01, yy = 0.01, zz = 0.01 } }
pump = { type = "pump", from = "low", to = "high", joint = "axle", displacement = 2e-6, leakage = 1e-13, damping = 0.001, friction = 0.2, sliding_speed = 100 }
low = { type = "pressure-source", to = "low", pressure = "3 bar" }
high = { type = "pressure-source", to = "high", pressure = "input" }
given = { type = "pump", from = "low", to = "other", speed = "20 + time", displacement = -3e-6, leakage = 2e-13, damping = 0.01 }
load = { type = "volume", from = "other", capacity = 1e-12, start = { pressure = "13 bar" } }
`)
	r.set("high.pressure", 80e5)
	v := r.values()
	rise, friction := 77e5, 0.2*math.Tanh(0.5)+0.05
	expectNear(t, v["pump.torque"], 2e-6*rise+friction, 1e-14, "torque")
	expectNear(t, v["rate of axle.omega"], -(2e-6*rise+friction)/0.01, 1e-13, "acceleration")
	expectNear(t, v["pump.flow"], 2e-6*50-1e-13*rise, 1e-14, "flow")
	expectNear(t, v["high.flow"], -(2e-6*50 - 1e-13*rise), 1e-14, "flow into the source")
	expectNear(t, v["pump.power"], rise*v["pump.flow"], 1e-14, "power")
	expectNear(t, v["given.flow"], -3e-6*20-2e-13*10e5, 1e-13, "flow at a given speed")
	expectNear(t, v["given.torque"], -3e-6*10e5+0.2, 1e-13, "torque at a given speed")
	expectNear(t, v["rate of load.pressure"], v["given.flow"]/1e-12, 1e-13, "load")
}

// A caliper brakes its joint: no torque below the push-out pressure, and 2 mu A r of what is above.
func TestCaliperBrakes(t *testing.T) {
	const text = `name = "caliper"
gravity = [0, 0, 0]
[component]
axle = { type = "revolute", from = "ground", to = "wheel", axis = "y", start = { omega = %g } }
wheel = { type = "rigid-body", mass = 9, inertia = { xx = 1, yy = 2, zz = 1 } }
caliper = { type = "caliper", from = "a", capacity = %s, friction = 0.4, area = "25 cm2", radius = 0.13, push_out = "0.7 bar", joint = "axle", start = { pressure = %g } }
q = { type = "flow-source", to = "a", flow = 1e-6 }
`
	for _, c := range []struct{ pressure, torque float64 }{
		{68.911582e5, 1773.501132}, {0, 0}, {0.5e5, 0}, {0.7e5, 2.6e-4 * 0.05e5}, {20e5, 2.6e-4 * 19.3e5},
	} {
		for _, sign := range []float64{1, -1} {
			v := rideOf(t, fmt.Sprintf(text, 100*sign, "1.5e-13", c.pressure)).values()
			expectNear(t, v["caliper.torque"], c.torque, 1e-12, "torque")
			expectNear(t, v["rate of axle.omega"], -sign*c.torque/2, 1e-12, "deceleration")
			expectNear(t, v["rate of caliper.pressure"], 1e-6/1.5e-13, 1e-13, "rate of the pressure")
		}
	}
	// by a curve: straight pieces have their slopes
	curve := "{ points = [[0, 0], [\"10 bar\", 4e-7], [\"20 bar\", 6e-7], [\"30 bar\", 7e-7]], smooth = \"linear\" }"
	for pressure, slope := range map[float64]float64{5e5: 4e-13, 15e5: 2e-13, 40e5: 1e-13} {
		v := rideOf(t, fmt.Sprintf(text, 0.0, curve, pressure)).values()
		expectNear(t, v["rate of caliper.pressure"], 1e-6/slope, 1e-12, "rate of the pressure by a curve")
	}
}

// One wheel of a brake circuit with ABS valves: increase, hold, decrease, hold, increase. The values are independent
// (RK4 in steps of 5 us).
func TestBrakeCircuit(t *testing.T) {
	r := rideOf(t, `name = "circuit"
gravity = [0, 0, 0]
[component]
pedal = { type = "pressure-source", to = "master", pressure = "input" }
inlet = { type = "valve", from = "master", to = "wheel", k = 1.2e-9, normally = "open", opening = "input", lag = "4 ms" }
return = { type = "check-valve", from = "wheel", to = "master", on = 4e-12, forward = "0.5 bar", width = "0.2 bar" }
outlet = { type = "valve", from = "wheel", k = 0.9e-9, opening = "input", lag = "4 ms" }
caliper = { type = "caliper", from = "wheel", capacity = 1.5e-13, friction = 0.4, area = "25 cm2", radius = 0.13, push_out = "0.7 bar", joint = "axle" }
axle = { type = "revolute", from = "ground", to = "disc", axis = "y", start = { omega = 100 } }
disc = { type = "rigid-body", mass = 9, inertia = { xx = 1, yy = 2, zz = 1 } }
`)
	r.set("pedal.pressure", 120e5)
	check := func(end, inlet, outlet, want float64) {
		t.Helper()
		r.set("inlet.opening", inlet)
		r.set("outlet.opening", outlet)
		r.to(end, 2e-5)
		expectNear(t, r.values()["caliper.pressure"], want, 1e-9, fmt.Sprint("pressure at ", end))
	}
	check(0.2, 0, 0, 4902434.583629)
	check(0.3, 1, 0, 4987426.348141)
	check(0.35, 1, 1, 4390157.97537)
	check(0.45, 1, 0, 4340022.230736)
	check(0.55, 0, 0, 6318028.16995)
	r.set("pedal.pressure", 0)
	check(0.6, 0, 0, 1345005.948687)
}

// A quarter car on a cylinder and gas, without and with the capacity of the oil between cylinder and orifice. The
// values are independent (RK4 in steps of 5 us and 50 us).
func TestHydropneumaticQuarterCar(t *testing.T) {
	const text = `name = "quarter"
[component]
slide = { type = "prismatic", from = "ground", to = "body", axis = "z", start = { s_dot = 0.2 } }
body = { type = "rigid-body", mass = 350, inertia = { xx = 1, yy = 1, zz = 1 } }
leg = { type = "cylinder", joint = "slide", head = "leg", area = "10 cm2"%s }
damper = { type = "orifice", from = "gas", to = "leg", k = 2e-7 }
gas = { type = "accumulator", from = "gas", volume = "0.4 l", precharge = "20 bar", exponent = 1.3, start = { pressure = 3433500 } }
`
	r := rideOf(t, fmt.Sprintf(text, ""))
	r.to(0.1, 1e-4)
	expectNear(t, r.values()["slide.s"], 0.011477769237615, 1e-9, "without oil")
	r.to(0.3, 1e-4)
	v := r.values()
	expectNear(t, v["slide.s"], 0.009985541525424, 1e-9, "without oil")
	expectNear(t, v["gas.pressure"], 3269393.388637647, 1e-9, "gas")

	const oil = `, dead_volume = "0.1 l", bulk_modulus = "1.4 GPa", start = { head_pressure = 3433500 }`
	r = rideOf(t, fmt.Sprintf(text, oil))
	r.to(0.1, 1e-5)
	expectNear(t, r.values()["slide.s"], 0.0115087620624, 1e-8, "with oil")
	r.to(0.3, 1e-5)
	v = r.values()
	expectNear(t, v["slide.s"], 0.01000096273835, 1e-8, "with oil")
	expectNear(t, v["leg.head_pressure"], 3364849.391569, 1e-8, "oil")
}

// Faults of hydraulic components have messages with names and a remedy.
func TestFaultsOfHydraulics(t *testing.T) {
	source := "p = { type = \"pressure-source\", to = \"a\", pressure = 1e5 }\n"
	body := "body = { type = \"rigid-body\", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }\n"
	slide := body + "slide = { type = \"prismatic\", from = \"ground\", to = \"body\", axis = \"x\" }\n"
	turn := body + "turn = { type = \"revolute\", from = \"ground\", to = \"body\", axis = \"x\" }\n"
	caliper := `c = { type = "caliper", from = "a", friction = 1, area = 1, radius = 1, `
	for text, parts := range map[string][]string{
		`o = { type = "orifice", from = "a" }`:                           {"neither k nor area"},
		`o = { type = "orifice", from = "a", k = 1e-9, area = 1e-6 }`:    {"both k and area"},
		`o = { type = "orifice", from = "a", k = 1e-9, cd = 0.6 }`:       {"cd", "no effect"},
		`o = { type = "orifice", from = "a", k = 0 }`:                    {"k", "above 0"},
		`o = { type = "orifice", from = "a", k = "1 l" }`:                {"k"},
		`v = { type = "volume", from = "a" }`:                            {"neither volume nor capacity"},
		`v = { type = "volume", from = "a", volume = 1, capacity = 1 }`:  {"both volume and capacity"},
		`v = { type = "volume", from = "a", volume = "1 A" }`:            {"volume", "A"},
		`l = { type = "line", from = "a" }`:                              {"neither resistance nor inertance"},
		`l = { type = "line", from = "a", length = 1 }`:                  {"length alone", "diameter"},
		`l = { type = "line", from = "a", length = 1, resistance = 1 }`:  {"both resistance and length"},
		`l = { type = "line", from = "a", resistance = 1, cells = 2 }`:   {"cells", "capacity"},
		`l = { type = "line", from = "a", resistance = 1, cells = 11 }`:  {"cells", "from 1 to 10"},
		`l = { type = "line", from = "a", resistance = 1, density = 9 }`: {"density", "no effect"},
		`c = { type = "check-valve", from = "a", on = 1e-12, width = "1 bar" }`: {
			"forward", "above width"},
		`c = { type = "check-valve", from = "a", on = 1e-12, off = 1e-11 }`: {"off", "below on"},
		`d = { type = "pump", to = "a", displacement = 1e-6 }`:              {"either joint or speed"},
		`d = { type = "pump", to = "a", speed = 3 }`:                        {"no displacement"},
		slide + `d = { type = "pump", to = "a", displacement = 1e-6, joint = "slide" }`: {
			"revolute"},
		slide + `c = { type = "cylinder", joint = "slide", frames = ["ground", "body"], head = "a", area = 1e-3 }`: {
			"either frames"},
		slide + `c = { type = "cylinder", frames = ["body"], head = "a", area = 1e-3 }`: {"has 1 frames"},
		slide + `c = { type = "cylinder", joint = "slide", head = "a", area = 1e-3, dead_volume = 1e-4 }`: {
			"dead_volume", "bulk_modulus"},
		slide + `c = { type = "cylinder", joint = "slide", head = "a", area = 1e-3, bulk_modulus = 1e9 }`: {
			"lacks the key \"dead_volume\""},
		turn + `c = { type = "cylinder", joint = "turn", head = "a", area = 1e-3 }`:                 {"slides"},
		slide + `c = { type = "cylinder", frames = ["ground", "nobody"], head = "a", area = 1e-3 }`: {"nobody"},
		turn + caliper + `capacity = 1e-13, joint = "turn", push_out = 1e4 }`: {
			"push_out", "at least width"},
		turn + caliper + `capacity = [[0, 0], [1e5, 1], [2e5, 1]], joint = "turn" }`: {"does not rise"},
		slide + caliper + `capacity = 1e-13, joint = "slide" }`:                      {"revolute"},
		`o = { type = "orifice", from = "a", to = "b", k = 1e-9 }
u = { type = "orifice", from = "b", k = 1e-9 }`: {"o and u", "volume", `"b"`},
		`v = { type = "valve", from = "a", to = "b", k = 1e-9, opening = 1 }
w = { type = "valve", from = "b", k = 1e-9, opening = 1 }`: {`node "b"`},
	} {
		refused(t, source+text, parts...)
	}
}
