package cosim_test

import (
	"cmp"
	"math"
	"math/cmplx"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/bounded"
	"skidpad/model/linear"
	"skidpad/model/vehicle"
)

// networkFile parses a model of testdata/networks, with changes of its text: old and new parts in turn.
func networkFile(t testing.TB, name string, changes ...string) *vehicle.Model {
	t.Helper()
	folder := filepath.Join("testdata", "networks")
	text, err := os.ReadFile(filepath.Join(folder, name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	for k := 0; k < len(changes); k += 2 {
		if !strings.Contains(string(text), changes[k]) {
			t.Fatalf("%s has no %s", name, changes[k])
		}
	}
	m, err := vehicle.Parse([]byte(strings.NewReplacer(changes...).Replace(string(text))), name+".toml",
		func(_ bounded.Kind, name string) ([]byte, error) { return os.ReadFile(filepath.Join(folder, name)) })
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// networkRun instantiates a model of testdata/networks with a method and a step [s].
func networkRun(t testing.TB, method string, step float64, name string, changes ...string) *run {
	t.Helper()
	s, err := cosim.New(networkFile(t, name, changes...), cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return instance(t, s, method, step)
}

// to steps up to a time [s].
func (r *run) to(end float64) {
	r.Helper()
	if err := r.in.Step(end - r.in.Time()); err != nil {
		r.Fatal(err)
	}
}

// hasPoles compares the eigenvalues about the steady motion with expected ones, of complex pairs both.
func hasPoles(t *testing.T, m *vehicle.Model, tolerance float64, want ...complex128) {
	t.Helper()
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	modes, err := s.Modes()
	if err != nil {
		t.Fatal(err)
	}
	var got []complex128
	for _, m := range modes {
		got = append(got, m.Value)
	}
	slices.SortFunc(want, func(a, b complex128) int {
		return cmp.Or(cmp.Compare(real(b), real(a)), cmp.Compare(imag(b), imag(a)))
	})
	if len(got) != len(want) {
		t.Fatalf("the poles are %v, expected %v", got, want)
	}
	for k := range want {
		if !(cmplx.Abs(got[k]-want[k]) <= tolerance*cmplx.Abs(want[k])) {
			t.Errorf("pole %d is %.12g, expected %.12g", k, got[k], want[k])
		}
	}
}

// The fuse box has the poles of its fan and of the current of its machine, also behind the open relay, where the
// current follows within 1 ps. The steady speed is that of the trim.
func TestPolesOfTheFuseBox(t *testing.T) {
	const inductance, inertia, constant, loads = 1e-3, 4e-4, 0.03, 1/0.9 + 1/1.7 + 1/3.205
	for closed, relay := range map[float64]float64{0: 1e9, 1: 1e-3} {
		r := instance(t, load(t, "fuse_box", ""), "linearly-implicit", 1e-3)
		r.set("relay.closed", closed)
		if _, err := r.in.Trim(); err != nil {
			t.Fatal(err)
		}
		m, err := vehicle.Read("../resources/models/fuse_box.toml")
		if err != nil {
			t.Fatal(err)
		}
		l, err := linear.New(m, "")
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Set("relay.closed", closed); err != nil {
			t.Fatal(err)
		}
		s, err := l.At()
		if err != nil {
			t.Fatal(err)
		}
		modes, err := s.Modes()
		if err != nil || len(modes) != 2 {
			t.Fatalf("%d modes: %v", len(modes), err)
		}
		speed := r.get("fan_axle.omega")
		a := (0.4 + relay + 0.01/(1+0.01*loads)) / inductance
		d := (1e-4 + 2*3e-6*speed) / inertia
		product := a*d + constant*constant/(inductance*inertia)
		fast := -(a + d + math.Sqrt((a-d)*(a-d)-4*constant*constant/(inductance*inertia))) / 2
		for k, want := range []float64{product / fast, fast} {
			if !(cmplx.Abs(modes[k].Value-complex(want, 0)) <= 1e-7*math.Abs(want)) {
				t.Errorf("relay %g: pole %d is %.12g, expected %.12g", closed, k, modes[k].Value, want)
			}
		}
	}
}

// A steady state keeps the state of charge, whose rate remains, unless it is free: then no current flows.
func TestLinearEquationsHoldTheCharge(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "charging"
[component]
u = { type = "voltage-source", to = "a", voltage = 12, resistance = 0.1 }
pack = { type = "battery", to = "a", open_voltage = [[0, 11], [1, 13]], resistance = 0.1, charge = 1000, start = { soc = 0.8 } }
filter = { type = "capacitor", from = "a", capacitance = 0.02, start = { voltage = 3 } }
`), "charging.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	for free, want := range map[bool]struct{ soc, rate, voltage float64 }{
		false: {0.8, -3e-3, 12.3}, true: {0.5, 0, 12},
	} {
		l, err := linear.New(m, "")
		if err != nil {
			t.Fatal(err)
		}
		if free {
			if err := l.Free("pack.soc"); err != nil {
				t.Fatal(err)
			}
		}
		s, err := l.At()
		if err != nil {
			t.Fatal(err)
		}
		soc, filter := slices.Index(s.States, "pack.soc"), slices.Index(s.States, "filter.voltage")
		if !(math.Abs(s.X[soc]-want.soc) <= 1e-6 && math.Abs(s.Rates[soc]-want.rate) <= 1e-9 &&
			math.Abs(s.X[filter]-want.voltage) <= 1e-6) {
			t.Errorf("free %v: %v at %v, rates %v", free, s.States, s.X, s.Rates)
		}
	}
}

// The steady state of a motor is its end speed, also from rest, and its poles are those of winding and rotor.
func TestPolesOfAMotor(t *testing.T) {
	hasPoles(t, networkFile(t, "motor", `voltage = "input"`, `voltage = 12`), 1e-8, -497.9915304059, -2.10846959414)
}

// Potentials and flows without losses are steady, too: a coil charges a capacitor to the voltage of the source.
func TestSteadyStateWithoutLosses(t *testing.T) {
	l, err := linear.New(networkFile(t, "rlc", `r = { type = "resistor", from = "a", to = "b", resistance = 2 }`, "",
		`type = "inductor", from = "b"`, `type = "inductor", from = "a"`), "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range s.States {
		if want := map[string]float64{"c.voltage": 10, "l.current": 0}[name]; math.Abs(s.X[i]-want) > 1e-6 {
			t.Errorf("%s is %g, expected %g", name, s.X[i], want)
		}
	}
}

// A motor with a PI controller of its speed has the poles of the closed loop, and follows its step response. The
// numbers are those of the matrix of the loop and of its exponential.
func TestSpeedLoopOfAMotor(t *testing.T) {
	hasPoles(t, networkFile(t, "speed_loop", "[component.control]", "[component.axle]\nstart = { omega = 50 }\n"+
		"[component.m]\nstart = { current = 5.5 }\n[component.control]"), 1e-8,
		-487.9102118294, complex(-6.0948940853, 8.0827060819), complex(-6.0948940853, -8.0827060819))
	r := networkRun(t, "rk4", 2e-5, "speed_loop")
	r.start(noInput)
	r.to(0.1)
	r.near("axle.omega", 38.22638407, 1e-8*38)
}

// A rectifier of two diodes charges its capacitor. The voltages are those of RK4 with the law of the diodes written by
// hand, in steps of 1.25 us.
func TestRectifier(t *testing.T) {
	r := networkRun(t, "rk4", 1e-5, "rectifier")
	r.start(noInput)
	r.to(0.005)
	r.near("filter.voltage", 11.0599375728, 1e-7)
	r.to(0.02)
	r.near("filter.voltage", 10.5484687820, 1e-7)
}

// A motor turns a pendulum: phi” = (k i - d w - m g l/2 sin phi)/(m l^2/3). The numbers are those of RK4 in steps of
// 0.1 ms.
func TestMotorDrivesAPendulum(t *testing.T) {
	r := networkRun(t, "rk4", 2e-4, "motor_pendulum")
	r.start(noInput)
	r.to(2)
	r.near("hinge.phi", 0.66185169603, 1e-8)
	r.near("hinge.omega", 5.13000797978, 1e-8*5)
	r.near("m.current", -20.6094332250, 1e-8*20)
}

// The current along the flux is the greater root of the equation of the voltage's limit; iq = T/(1.5 z psi).
func TestFieldWeakening(t *testing.T) {
	r := networkRun(t, "rk4", 2e-4, "field_weakening")
	r.start(noInput)
	r.to(0.1)
	r.near("m.current_d", -187.3755059, 1e-7)
	r.near("m.torque", 100, 1e-9*100)
}

// oily gives the chamber of the quarter car a capacity of V/K = 2.857e-14 m3/Pa.
var oily = []string{`area = "12 cm2"`, `area = "12 cm2", dead_volume = "40 ml", bulk_modulus = "1.4 GPa", ` +
	`start = { head_pressure = "40 bar" }`}

// The quarter car on gas has the stiffness n A^2 P/V of the gas, and moves as RK4 with its law written by hand, in
// steps of 0.125 ms and, with the capacity of the oil, of 5 us.
func TestQuarterCarOnGas(t *testing.T) {
	const area, mass = 1.2e-3, 400.0
	m := networkFile(t, "quarter_car")
	l, err := linear.New(m, "")
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.At()
	if err != nil {
		t.Fatal(err)
	}
	speed, pressure := slices.Index(s.States, "slide.s_dot"), slices.Index(s.States, "gas.pressure")
	stiffness := -s.A.At(pressure, speed) * s.A.At(speed, pressure) * mass
	if !(math.Abs(stiffness-27974.03031491) <= 1e-9*stiffness) {
		t.Errorf("the stiffness is %.12g N/m", stiffness)
	}
	// m s” = A (p - drop), drop = sqrt(t) A s'/k: d = A^2 sqrt(t)/k at rest
	d := area * area * math.Sqrt(1e5) / 2e-7 / (2 * mass)
	pole := complex(-d, math.Sqrt(27974.03031491/mass-d*d))
	hasPoles(t, m, 1e-7, pole, cmplx.Conj(pole))

	r := networkRun(t, "rk4", 2e-4, "quarter_car")
	r.start(noInput)
	r.to(0.1)
	r.near("slide.s", 0.0075698474020, 1e-7*0.0254)
	r.to(0.3)
	r.near("slide.s", 0.0254443182069, 1e-7*0.0254)
	r = networkRun(t, "rk4", 1e-5, "quarter_car", oily...)
	r.start(noInput)
	r.to(0.1)
	r.near("slide.s", 0.0075784393824, 1e-7*0.0254)
	r.to(0.3)
	r.near("slide.s", 0.0254652526145, 1e-7*0.0254)
}

// With the capacity of the oil, a node moves within 1/(G (1/C + 1/C_gas)), G = k/sqrt(t) at rest. An explicit method at
// 1 ms is warned before its first step, and diverges; the implicit method follows the motion.
func TestFastOilIsWarnedOf(t *testing.T) {
	const warning = `leg: node "leg" moves within 45.1 us, the step is 1 ms: use linearly-implicit, a step below 90.3 us`
	r := networkRun(t, "rk4", 1e-3, "quarter_car", oily...)
	r.start(noInput)
	if list := strings.Join(r.in.Warnings(), "\n"); !strings.Contains(list, warning) {
		t.Error(list)
	}
	for r.in.Time() < 0.0995 {
		if r.in.Step(1e-3) != nil {
			break
		}
	}
	if s := r.get("slide.s"); math.Abs(s-0.0075784393824) < 1e-3*0.0254 {
		t.Errorf("RK4 in steps of 1 ms follows the motion: %g m", s)
	}
	r = networkRun(t, "linearly-implicit", 1e-3, "quarter_car", oily...)
	r.start(noInput)
	if list := r.in.Warnings(); len(list) > 0 {
		t.Error(list)
	}
	r.to(0.1)
	r.near("slide.s", 0.0075784393824, 1e-3*0.0254)
	r.to(0.3)
	r.near("slide.s", 0.0254652526145, 1e-3*0.0254)
}

// Four machines behind different ratios on one battery have three equal pairs of poles, of R and L alone, and one pair
// with the resistance of the battery times the sum of the squared ratios. The state of charge has no pole, because the
// voltage does not depend on it.
func TestFourMachinesOnOneBattery(t *testing.T) {
	const resistance, inductance, constant, inertia = 0.05, 4e-4, 1.1, 14
	pair := func(resistance float64) (fast, slow complex128) {
		half := resistance / (2 * inductance)
		root := math.Sqrt(half*half - constant*constant/(inductance*inertia))
		return complex(-half-root, 0), complex(-half+root, 0)
	}
	fast, slow := pair(resistance)                                                      // -123.24684, -1.75315999
	common, together := pair(resistance + 0.12*(0.28*0.28+0.3*0.3+0.32*0.32+0.35*0.35)) // -242.0975, -0.89249755
	hasPoles(t, networkFile(t, "four_machines"), 1e-8, common, together, fast, fast, fast, slow, slow, slow)
	r := networkRun(t, "rk4", 1e-4, "four_machines")
	for _, name := range []string{"axle_1", "axle_2", "axle_3", "axle_4"} {
		r.set(name+".omega", 0)
	}
	r.start(noInput)
	r.to(5)
	r.near("pack.voltage", 337.4366230, 1e-8*337)
}

// The electric quarter car follows a programme of torques, and its ledger balances. The numbers are those of RK4 in
// steps of 0.5 ms, with the energies as further states.
func TestElectricQuarterCarFollowsAProgramme(t *testing.T) {
	r := networkRun(t, "rk4", 5e-4, "electric_quarter_car")
	r.text(cosim.RecordVariable, cosim.RecordOn)
	r.start(noInput)
	for _, part := range []struct{ end, torque float64 }{{5, 120}, {9, 0}, {15, 200}, {18, -150}, {22, 60}, {27, -40}} {
		r.set("pedal.demand", part.torque)
		r.to(part.end)
	}
	r.near("axle.omega", 24.1058860503, 1e-7*24)
	r.near("pack.soc", 0.7986837771444, 1e-9)
	const supplied = 35248.0998504
	r.near("energy.supplied", supplied, 1e-7*supplied)
	r.near("energy.dissipated", 15481.6363255+7708.5237349, 1e-7*supplied)
	r.near("energy.kinetic", 12057.6951521, 1e-7*supplied)
	r.near("energy.electrical", 0.2446372666, 1e-7)
	// braking returns energy: more is exchanged than supplied
	r.near("energy.balance", 0, 1e-9*supplied)
}
