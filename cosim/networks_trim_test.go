package cosim_test

import (
	"math"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/vehicle"
)

// trimmed trims and initialises a vehicle, and checks that it stays as it is.
func (r *run) trimmed(names ...string) {
	r.Helper()
	if result, err := r.in.Trim(); err != nil || !(result.Residual < 1e-9) {
		r.Fatal(result, err)
	}
	r.start(noInput)
	var first []float64
	for _, name := range names {
		first = append(first, r.get(name))
	}
	r.to(0.2)
	for i, name := range names {
		if v := r.get(name); !(math.Abs(v-first[i]) <= 1e-6*max(1, math.Abs(v))) {
			r.Errorf("%s goes from %.12g to %.12g", name, first[i], v)
		}
	}
}

// A motor on a source is trimmed to its end speed, from any start.
func TestTrimOfAMotor(t *testing.T) {
	for _, omega := range []float64{0, 300} {
		r := networkRun(t, "rk4", 1e-4, "motor")
		r.set("u.voltage", 12)
		r.set("axle.omega", omega)
		r.trimmed("axle.omega", "m.current")
		r.near("axle.omega", 90.47619047619, 1e-8)
		r.near("m.current", 5.904761904762, 1e-9)
	}
	r := networkRun(t, "rk4", 1e-4, "motor", `value = "-0.5"`, `value = "0"`)
	r.set("axle.omega", 20)
	r.trimmed("axle.omega")
	r.near("axle.omega", 0, 1e-9) // without a voltage it rests
}

// At the steady speed of the fan of the fuse box, the torques of its machine and of the air are equal. Behind the open
// relay, the fan has the current of the switch.
func TestTrimOfTheFuseBox(t *testing.T) {
	r := instance(t, load(t, "fuse_box", ""), "linearly-implicit", 1e-3)
	r.set("relay.closed", 1)
	r.trimmed("fan_axle.omega", "blower.current")
	const loads = 1/0.9 + 1/1.7 + 1/3.205
	low, high := 0.0, 1000.0
	for range 100 { // voltage at the loads with the current of the fan, less what the fan needs
		w := (low + high) / 2
		i := (1e-4*w + 3e-6*w*w) / 0.03
		if box := (13.8 - 0.01*i) / (1 + 0.01*loads); box-1e-3*i > 0.4*i+0.03*w {
			low = w
		} else {
			high = w
		}
	}
	r.near("fan_axle.omega", low, 1e-8*low)

	r = instance(t, load(t, "fuse_box", ""), "linearly-implicit", 1e-3)
	r.trimmed("fan_axle.omega", "blower.current")
	box := 13.8 / (1 + 0.01*loads)
	r.near("blower.current", box/1e9, 1e-6*box/1e9)
	r.near("fan_axle.omega", 0.03*box/1e9/1e-4, 1e-5*0.03*box/1e9/1e-4)
}

// Gas and oil carry the body.
func TestTrimOfQuarterCarsOnGas(t *testing.T) {
	r := networkRun(t, "rk4", 1e-5, "quarter_car", oily...)
	r.set("leg.head_pressure", 25e5)
	r.trimmed("gas.pressure", "leg.head_pressure", "slide.s")
	r.near("gas.pressure", 400*9.81/1.2e-3, 1e-9*3.27e6)
	r.near("leg.head_pressure", 400*9.81/1.2e-3, 1e-9*3.27e6)
	r = instance(t, load(t, "hydropneumatic_quarter_car", ""), "linearly-implicit", 1e-3)
	r.set("hop.s", 0.02)
	r.set("sprung", 420)
	r.trimmed("gas.pressure", "stroke.s", "hop.s")
	r.near("gas.pressure", 420*9.81/1e-3, 1e-9*4120200)
	r.near("hop.s", 0, 1e-9)
}

// A pressure is steady where the flows into a small volume are equal.
func TestTrimOfAPressure(t *testing.T) {
	const flow, k, laminar = 3.1e-4, 1.3e-7, 1e5
	r := fromText(t, `name = "jet"
[component]
q = { type = "flow-source", to = "a", flow = 3.1e-4 }
c = { type = "volume", from = "a", capacity = 2.3e-13, start = { pressure = "3 bar" } }
o = { type = "orifice", from = "a", k = 1.3e-7 }
`, "")
	r.set(cosim.StepVariable, 1e-5)
	r.trimmed("c.pressure")
	drop := flow / (k * k) * math.Sqrt((flow*flow+math.Sqrt(math.Pow(flow, 4)+4*math.Pow(k, 4)*laminar*laminar))/2)
	r.near("c.pressure", drop, 1e-9*drop)
}

// A search for a steady motion keeps the state of charge and the temperatures; drops of a battery's pairs are steady.
func TestTrimKeepsChargeAndHeat(t *testing.T) {
	changes := []string{`open_voltage = 48`, `open_voltage = [[0, 40], [1, 50]]`, `joint = "axle" }`,
		`joint = "axle", heat = "hot" }` + `
mass = { type = "heat-capacity", from = "hot", capacity = 50, start = { temperature = 350 } }
wall = { type = "heat-resistance", from = "hot", to = "air", resistance = 0.5 }
air = { type = "temperature-source", to = "air", temperature = 293 }`}
	r := networkRun(t, "rk4", 1e-4, "battery", append([]string{`axle = {`, `friction = { type = "spring-damper", ` +
		`joint = "axle", damping = 0.001 }` + "\naxle = {"}, changes...)...)
	r.trimmed("axle.omega", "pack.pair_1", "pack.pair_2")
	r.near("pack.pair_1", 0.01*r.get("pack.current"), 1e-7) // the charge falls during the run
	r.near("pack.pair_2", 0.02*r.get("pack.current"), 1e-7)
	// 0.25 (48 - 0.05 (i/4)) = 0.5 i + 0.1 w, 0.1 i = 0.001 w
	i := 12 / (0.5 + 0.05/16 + 0.1*100)
	r.near("m.current", i, 1e-5)
	r.near("axle.omega", 100*i, 1e-3)
	r = networkRun(t, "rk4", 1e-4, "battery", changes...)
	if _, err := r.in.Trim(); err != nil {
		t.Fatal(err)
	}
	r.start(noInput)
	if soc, hot := r.get("pack.soc"), r.get("mass.temperature"); soc != 0.8 || hot != 350 {
		t.Errorf("the state of charge is %g, the temperature %g", soc, hot)
	}
}

// An electric car at speed has steady currents; its speed and its state of charge stay.
func TestTrimOfAnElectricCar(t *testing.T) {
	testrun.OnlyAll(t)
	r := instance(t, load(t, "electric_car", ""), "rk4", 1e-3)
	if _, err := r.in.Trim(); err != nil {
		t.Fatal(err)
	}
	r.start(noInput)
	if soc := r.get("pack.soc"); soc != 0.8 {
		t.Errorf("the state of charge is %g", soc)
	}
	before := r.get("machine_FL.current")
	r.to(0.05)
	if after := r.get("machine_FL.current"); math.Abs(after-before) > 0.05 {
		t.Errorf("the current goes from %g to %g A", before, after)
	}
}

// With start = "steady" a model starts in the steady motion of its inputs and parameters; its start values are that
// motion.
func TestModelsStartSteadily(t *testing.T) {
	for start, want := range map[string]float64{"steady": 90.47619047619, "given": 0} {
		r := networkRun(t, "rk4", 1e-4, "motor", `gravity`, `start = "`+start+`"`+"\ngravity", `voltage = "input"`,
			`voltage = 12`)
		at, _ := r.sys.Find("axle.omega")
		if v := r.sys.Variables()[at]; !(math.Abs(v.Start-want) <= 1e-8) {
			t.Errorf("%s: the start value is %g", start, v.Start)
		}
		r.start(noInput)
		r.near("axle.omega", want, 1e-8)
	}
	text := "name = \"falls\"\ngravity = 9.81\nstart = \"steady\"\n[component]\n" +
		"body = { type = \"rigid-body\", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }\n"
	m, err := vehicle.Parse([]byte(text), "falls.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cosim.New(m, cosim.Options{}); err == nil {
		t.Error("a body that falls starts steadily")
	}
}
