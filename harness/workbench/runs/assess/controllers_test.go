package assess

import (
	"math"
	"strings"
	"testing"
)

// The tests of this file give controllers the speeds of wheels and motions of a cart, and compare what they ask for
// with numbers by hand.

// antiLockBench is anti-lock control of a cart that is pushed along and across, with wheels whose speeds are inputs.
func antiLockBench(t *testing.T) string {
	t.Helper()
	text := `name = "Bench"
title = "Bench"
gravity = 9.81
solver = { method = "rk4", step = 0.001 }
[roles]
chassis = "cart"
[component]
along = { type = "prismatic", from = "ground", to = "middle", axis = "x", start = { s_dot = 20 } }
across = { type = "prismatic", from = "middle", to = "cart", axis = "y" }
cart = { type = "rigid-body", mass = 1000, inertia = { xx = 1, yy = 1, zz = 1 } }
push_x = { type = "force-driver", from = "ground", to = "cart", axis = "x" }
push_y = { type = "force-driver", from = "ground", to = "cart", axis = "y" }
`
	for _, wheel := range wheels {
		text += strings.ReplaceAll(`
[component.turning_WHEEL]
type = "equations"
inputs = [{ name = "omega", unit = "rad/s", value = 65.57377049180327 }]
outputs = [{ name = "double", unit = "rad/s", value = "2*omega" }]
[component.valves_WHEEL]
type = "equations"
inputs = [
  { name = "abs", unit = "1" },
  { name = "stability", unit = "Pa" },
  { name = "missing", unit = "Pa", value = 5e6 },
  { name = "wanted", unit = "Pa", value = 5e6 },
]
outputs = [{ name = "lack", unit = "Pa", value = "missing" }, { name = "demand", unit = "Pa", value = "wanted" }]
`, "WHEEL", wheel)
	}
	return text + `
[use.A]
file = ` + subsystem(t, "abs") + `
[use.A.frames]
front_left = "turning_FL"
front_right = "turning_FR"
rear_left = "turning_RL"
rear_right = "turning_RR"
valves_FL = "valves_FL"
valves_FR = "valves_FR"
valves_RL = "valves_RL"
valves_RR = "valves_RR"
`
}

// wheels are the ends of names, from the front left to the rear right.
var wheels = []string{"FL", "FR", "RL", "RR"}

// While the car is braked, the reference speed is that of the fastest wheel, and falls no faster than the car, a margin
// of 0.5 m/s2 and a fifth of the lateral acceleration. While it is driven, the reference speed is that of the slowest
// wheel.
func TestReferenceSpeedOfAntiLockControl(t *testing.T) {
	v := vehicleOf(t, antiLockBench(t), map[string]float64{"push_x.force": -5000, "push_y.force": 4000})
	advance(t, v, 0.02)
	for i, wheel := range wheels {
		set(t, v, "turning_"+wheel+".omega", (19.8-float64(i))/0.305)
	}
	advance(t, v, 0.1)
	if got := value(t, v, "reference_A.speed"); !(math.Abs(got-19.8) < 1e-9) {
		t.Errorf("the reference is %g m/s, and the fastest wheel has 19.8", got)
	}
	for _, wheel := range wheels {
		set(t, v, "turning_"+wheel+".omega", 0)
	}
	advance(t, v, 0.01)
	before := value(t, v, "reference_A.speed")
	advance(t, v, 0.1)
	if got := (before - value(t, v, "reference_A.speed")) / 0.1; !(math.Abs(got-(5+0.5+0.2*4)) < 1e-9) {
		t.Errorf("the reference falls by %g m/s2", got)
	}
	v = again(t, v, map[string]float64{"push_x.force": 2000})
	advance(t, v, 0.02)
	for i, wheel := range wheels {
		set(t, v, "turning_"+wheel+".omega", (20+float64(i))/0.305)
	}
	advance(t, v, 0.1)
	if got := value(t, v, "reference_A.speed"); !(math.Abs(got-20) < 1e-9) {
		t.Errorf("the reference is %g m/s, and the slowest driven wheel has 20", got)
	}
	for _, wheel := range wheels {
		set(t, v, "turning_"+wheel+".omega", 100)
	}
	advance(t, v, 0.1)
	if got := value(t, v, "reference_A.speed"); !(math.Abs(got-(20+0.1*(2+0.5))) < 1e-9) {
		t.Errorf("the reference has risen to %g m/s", got)
	}
}

// A front wheel that locks is released alone, and a rear wheel with the wheel across. The inlets of the wheel across a
// front wheel and of the wheel behind it open a little one sample later.
func TestSidesOfAntiLockControl(t *testing.T) {
	car := vehicleOf(t, antiLockBench(t), nil)
	for _, c := range []struct{ locks, released, first string }{
		{"FL", "FL", "FR RL"}, {"FR", "FR", "FL RR"}, {"RL", "RL RR", ""}, {"RR", "RL RR", ""},
	} {
		v := again(t, car, map[string]float64{"push_x.force": -5000})
		advance(t, v, 0.021)
		set(t, v, "turning_"+c.locks+".omega", 30)
		command := func(wheel string) float64 { return value(t, v, "valves_"+wheel+".abs") }
		steps := 0
		for ; command(c.locks) >= 0 && steps < 20; steps++ {
			advance(t, v, 1e-3)
		}
		for _, wheel := range wheels {
			switch got := command(wheel); {
			case strings.Contains(c.released, wheel) && !(got < 0), !strings.Contains(c.released, wheel) && got != 1:
				t.Errorf("%s locks: the command of %s is %g", c.locks, wheel, got)
			}
		}
		advance(t, v, 5e-3)
		for _, wheel := range wheels {
			got := command(wheel)
			switch {
			case strings.Contains(c.released, wheel):
			case strings.Contains(c.first, wheel) && got != 0.08, !strings.Contains(c.first, wheel) && got != 1:
				t.Errorf("%s locks: a sample later the command of %s is %g", c.locks, wheel, got)
			}
		}
	}
}

// The rate of a wheel is its acceleration beyond the car's. Its slip follows from the speed of the car at this sample.
// Its excess is the slip 20 ms later, less the threshold of the page.
func TestMeasuresOfAntiLockControl(t *testing.T) {
	v := vehicleOf(t, antiLockBench(t), map[string]float64{"push_x.force": -5000})
	speed := 20.0
	for k := range 100 {
		for _, wheel := range wheels {
			share := 1.0
			if wheel == "RR" {
				share = 0.95 // the slower wheel of the rear axle
			}
			set(t, v, "turning_"+wheel+".omega", share*speed/0.305)
		}
		speed = 20 - 0.025*float64(k+1)
		advance(t, v, 5e-3)
	}
	reference := value(t, v, "reference_A.speed") + 0.025 // of the sample before, which the measures read
	for name, want := range map[string]float64{"measure_AFL.acceleration": -5, "measure_AFL.rate": 0,
		"measure_ARL.acceleration": -5 * 0.95, "measure_ARL.rate": 5 * 0.05, "measure_ARR.rate": 5 * 0.05} {
		if got := value(t, v, name); !(math.Abs(got-want) < 1e-6) {
			t.Errorf("%s is %g, by hand %g", name, got, want)
		}
	}
	loss, excess := value(t, v, "measure_ARL.loss"), value(t, v, "measure_ARL.excess")
	if !(math.Abs(loss-0.05) < 1e-6) || !(math.Abs(excess-(0.05-0.02-0.009*5-(0.15+0.02*0.25)/reference)) < 1e-6) {
		t.Errorf("the slip is %g and the excess %g", loss, excess)
	}
	set(t, v, "valves_RL.stability", 1e5)
	advance(t, v, 5e-3)
	if got := value(t, v, "measure_ARL.excess") - value(t, v, "measure_ARR.excess"); !(math.Abs(got+0.15) < 1e-9) {
		t.Errorf("with stability control the excess changes by %g", got)
	}
}

// The phases of a wheel follow the table of the page. The car rolls at 20 m/s, where the threshold is 0.02 + 0.15/20,
// and the slip is extrapolated by 0.001 s2/m of the rate. The wheel has one speed in each sample.
func TestPhasesOfAntiLockControl(t *testing.T) {
	const free, release, hold, rise = 0, 1, 2, 3
	v := vehicleOf(t, antiLockBench(t), nil)
	advance(t, v, 2e-3)
	for k, c := range []struct {
		speed     float64
		stability float64 // pressure that stability control asks for, which adds 0.15 to the threshold
		phase     int
		command   float64
	}{
		{20, 0, free, 1}, {20, 0, free, 1},
		{19, 0, release, -0.4},                      // slip 0.05, and the wheel yields
		{19, 0, release, -0.4},                      // it does not recover
		{19.1, 0, hold, 0.015 * (20 - 12)},          // it recovers by 20 m/s2
		{19.1, 0, release, -0.4},                    // it does no longer
		{19.15, 0, hold, 0},                         // it recovers by 10 m/s2
		{19.6, 0, hold, 1},                          // by 90 m/s2, with a slip below the threshold
		{19.6, 0, rise, 0.03 + 1.2*(0.0275-0.02)},   //
		{19.58, 0, rise, 0.03 + 1.2*(0.0275-0.025)}, // slip 0.021, and it yields by 4 m/s2
		{19.5, 0, release, -0.4},                    // slip 0.025, below the threshold; it yields by 16 m/s2
		{19.6, 0, hold, 0.015 * (20 - 12)},
		{19.6, 0, rise, 0.03 + 1.2*(0.0275-0.02)},
		{19.98, 0, rise, 0.03 + 1.2*(0.0275+0.075)},        // slip 0.001, and it gains 76 m/s2
		{19.9, 0, hold, 0},                                 // it yields by 16 m/s2, near the threshold
		{19.9, 0, rise, 0.03 + 1.2*(0.0275-0.005)},         //
		{19.82, 1e5, rise, 0.03 + 1.2*(0.15+0.0275-0.025)}, // the same, far from the threshold
		{10, 0, release, -1},                               // slip above 0.3
		{10.2, 0, hold, 0},                                 // it recovers by 40 m/s2, but the slip is still above 0.3
	} {
		set(t, v, "turning_FL.omega", c.speed/0.305)
		set(t, v, "valves_FL.stability", c.stability)
		advance(t, v, 5e-3)
		phase, command := value(t, v, "control_AFL.mode"), value(t, v, "valves_FL.abs")
		if phase != float64(c.phase) || !(math.Abs(command-c.command) < 1e-9) {
			t.Fatalf("sample %d, %g m/s: phase %g with the command %g, want %d with %g", k, c.speed, phase, command, c.phase,
				c.command)
		}
	}
	set(t, v, "valves_FL.missing", 0.9e5)
	advance(t, v, 5e-3)
	if phase := value(t, v, "control_AFL.mode"); phase != free {
		t.Errorf("with the pressure of the driver the phase is %g", phase)
	}
	set(t, v, "valves_FL.wanted", 0.9e5)
	set(t, v, "turning_FL.omega", 10/0.305)
	advance(t, v, 5e-3)
	if phase := value(t, v, "control_AFL.mode"); phase == release {
		t.Error("a wheel is released for which no pressure is asked")
	}
}

// In a car that loses 5 m/s2, the wheels gain speed in the phase hold: each inlet opens by 0.015 s2/m of the rate
// beyond 12 m/s2, which is the acceleration beyond the car's.
func TestHeldWheelsGetPressureByTheirRate(t *testing.T) {
	const hold = 2
	v := vehicleOf(t, antiLockBench(t), nil)
	turn := func(speed float64) {
		for _, wheel := range wheels {
			set(t, v, "turning_"+wheel+".omega", speed/0.305)
		}
		advance(t, v, 5e-3)
	}
	advance(t, v, 2e-3)
	set(t, v, "push_x.force", -5000)
	for k := range 20 {
		turn(20 - 0.025*float64(k))
	}
	turn(18)
	turn(18)
	turn(18.2) // by 40 m/s2
	for _, wheel := range wheels {
		phase, command := value(t, v, "control_A"+wheel+".mode"), value(t, v, "valves_"+wheel+".abs")
		const want = 0.015 * (40 + 5 - 12) // the deceleration is smoothed over five samples
		if phase != hold || !(math.Abs(command-want) < 1e-3) {
			t.Errorf("%s: phase %g with the command %g, want %d with %g", wheel, phase, command, hold, want)
		}
	}
}

// tractionBench is traction control with wheels and an accelerator that are inputs.
func tractionBench(t *testing.T) string {
	t.Helper()
	text := `name = "Bench"
title = "Bench"
gravity = 9.81
solver = { method = "rk4", step = 0.001 }
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x" }
mass = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
[component.throttle]
type = "equations"
inputs = [{ name = "driver", unit = "1", value = 0.9 }, { name = "traction", unit = "1" }]
outputs = [{ name = "opening", unit = "1", value = "min(driver, traction)" }]
`
	for _, wheel := range wheels {
		text += strings.ReplaceAll(`
[component.turning_WHEEL]
type = "equations"
inputs = [{ name = "omega", unit = "rad/s", value = 32.78688524590164 }]
outputs = [{ name = "double", unit = "rad/s", value = "2*omega" }]
[component.valves_WHEEL]
type = "equations"
inputs = [{ name = "traction", unit = "Pa" }]
outputs = [{ name = "double", unit = "Pa", value = "2*traction" }]
`, "WHEEL", wheel)
	}
	return text + `
[use.T]
file = ` + subsystem(t, "traction") + `
[use.T.frames]
free_left = "turning_FL"
free_right = "turning_FR"
driven_left = "turning_RL"
driven_right = "turning_RR"
valves_left = "valves_RL"
valves_right = "valves_RR"
throttle = "throttle"
`
}

// With a mean of 10 m/s of the free wheels, driven wheels may have 10.36 m/s. The throttle closes by 0.7 s/m of the
// growth of their mean excess and 2.7 1/m of its integral, and the brake of the faster wheel gets 15 bar for 1 m/s
// beyond this speed or beyond the other wheel, whichever is less.
func TestTractionControlByHand(t *testing.T) {
	car := vehicleOf(t, tractionBench(t), nil)
	for _, c := range []struct{ left, right, brakeLeft, brakeRight float64 }{
		{11, 10.2, 1.5e6 * 0.64, 0}, {10.2, 11, 0, 1.5e6 * 0.64}, {11, 10.9, 1.5e6 * 0.1, 0}, {20, 10, 60e5, 0},
		{10.3, 10.2, 0, 0},
	} {
		v := again(t, car, map[string]float64{"turning_FL.omega": 9.8 / 0.305, "turning_FR.omega": 10.2 / 0.305})
		advance(t, v, 0.022) // all driven wheels have 10 m/s
		set(t, v, "turning_RL.omega", c.left/0.305)
		set(t, v, "turning_RR.omega", c.right/0.305)
		advance(t, v, 5e-3)
		excess := (c.left+c.right)/2 - 10.36
		limit := max(0, 0.9-0.7*(excess-(10-10.36))-2.7*0.005*excess)
		if max(c.left, c.right) < 10.36 {
			limit = 1 // it does not act
		}
		left, right := value(t, v, "valves_RL.traction"), value(t, v, "valves_RR.traction")
		got := value(t, v, "throttle.traction")
		if !(math.Abs(left-c.brakeLeft) < 1) || !(math.Abs(right-c.brakeRight) < 1) || !(math.Abs(got-limit) < 1e-9) {
			t.Errorf("%+v: pressures of %g and %g Pa, throttle %g, by hand %g", c, left, right, got, limit)
		}
	}
}

// turningCart is a cart that moves and turns at constant rates, with a steering wheel whose angle is an input.
const turningCart = `name = "Bench"
title = "Bench"
gravity = 9.81
solver = { method = "rk4", step = 0.001 }
[roles]
chassis = "cart"
steering = { input = "hand.angle", ratio = 19 }
[component]
along = { type = "prismatic", from = "ground", to = "middle", axis = "x" }
across = { type = "prismatic", from = "middle", to = "mast", axis = "y" }
turn = { type = "revolute", from = "mast", to = "cart", axis = "z" }
cart = { type = "rigid-body", mass = 1000, inertia = { xx = 1, yy = 1, zz = 1 } }
[component.hand]
type = "equations"
inputs = [{ name = "angle", unit = "rad" }]
outputs = [{ name = "double", unit = "rad", value = "2*angle" }]
`

// stabilityBench is stability control of this cart.
func stabilityBench(t *testing.T) string {
	t.Helper()
	text := turningCart + `
[component.throttle]
type = "equations"
inputs = [{ name = "stability", unit = "1", value = 1 }]
outputs = [{ name = "double", unit = "1", value = "2*stability" }]
`
	for _, wheel := range wheels {
		text += strings.ReplaceAll(`
[component.valves_WHEEL]
type = "equations"
inputs = [{ name = "stability", unit = "Pa" }]
outputs = [{ name = "double", unit = "Pa", value = "2*stability" }]
`, "WHEEL", wheel)
	}
	return text + `
[use.S]
file = ` + subsystem(t, "stability") + `
parameters = { ratio = 19, wheelbase = 2.579, understeer = 0.003 }
[use.S.frames]
valves_FL = "valves_FL"
valves_FR = "valves_FR"
valves_RL = "valves_RL"
valves_RR = "valves_RR"
throttle = "throttle"
`
}

// A car that turns too much gets pressure at the outer front wheel, and one that turns too little at the inner rear
// wheel; a side-slip angle beyond 0.07 rad counts as a yaw rate. The numbers follow from the samples by hand.
func TestStabilityControlByHand(t *testing.T) {
	const samples, ratio, wheelbase, understeer = 20, 19, 2.579, 0.003
	car := vehicleOf(t, stabilityBench(t), nil)
	for _, c := range []struct {
		speed, across, rate, hand float64
		braked                    string // the wheel that gets pressure
	}{
		{20, 0, 0.3, 0.5, "FR"}, {20, 0, -0.3, -0.5, "FL"}, // over
		{20, 0, 0.05, 2, "RL"}, {20, 0, -0.05, -2, "RR"}, // under, with the bound of the reference
		{20, 4, -0.05, 0, "FL"}, {20, -4, 0.05, 0, "FR"}, // slides
		{20, 0, 0.3, 10, ""}, {20, 0, 0.15, 0.5, ""}, {20, 0, 0.02, 0.5, ""}, {20, 0.5, 0, 0, ""}, {5, 0, 0.3, 0, ""},
		{20, 0, 0.6, 0, "FR"}, // the largest pressure
	} {
		v := again(t, car, map[string]float64{"along.s_dot": c.speed, "across.s_dot": c.across, "turn.omega": c.rate,
			"hand.angle": c.hand})
		advance(t, v, 5e-3*samples+2e-3)
		reference, lack := 0.0, 0.0
		for k := range samples + 1 {
			yaw := c.rate * 5e-3 * float64(k)
			speed := c.speed*math.Cos(yaw) + c.across*math.Sin(yaw)
			slip := math.Atan2(c.across*math.Cos(yaw)-c.speed*math.Sin(yaw), speed)
			bound := 0.85 * 9.81 / speed
			wanted := max(-bound, min(bound, speed*c.hand/ratio/(wheelbase+understeer*speed*speed)))
			lack = c.rate - reference - math.Copysign(3*max(math.Abs(slip)-0.07, 0), slip)
			reference += (wanted - reference) / 9
		}
		dead := 0.12
		if lack*c.rate > 0 {
			dead = 0.05
		}
		want := min(100e5, 6e7*(math.Abs(lack)-dead/2))
		for _, wheel := range wheels {
			got := value(t, v, "valves_"+wheel+".stability")
			if wheel == c.braked && !(math.Abs(got-want) < 1e-6*want) || wheel != c.braked && got != 0 {
				t.Errorf("%+v: %s gets %g Pa, by hand %g", c, wheel, got, want)
			}
		}
		if open := value(t, v, "throttle.stability"); (open == 1) != (c.braked == "") {
			t.Errorf("%+v: the throttle may open to %g", c, open)
		}
	}
}

// Torque vectoring moves 10000 N m s of the yaw rate that is missing and 60000 N m of its integral, at most 1 kN m.
// The integral is limited to this torque. When the driver steers to the other side, it changes its sign at once.
func TestTorqueVectoringByHand(t *testing.T) {
	const samples, ratio, wheelbase, understeer, most = 120, 19, 2.579, 0.001, 1000
	const hub = `
[component.arm_left]
type = "revolute"
from = "cart"
to = "carrier_left"
axis = "y"
[component.carrier_left]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
[component.hub_left]
type = "revolute"
from = "carrier_left"
to = "wheel_left"
axis = "y"
[component.wheel_left]
type = "rigid-body"
mass = 1
inertia = { xx = 1, yy = 1, zz = 1 }
`
	v := vehicleOf(t, turningCart+hub+strings.ReplaceAll(hub, "left", "right")+`
[use.V]
file = `+subsystem(t, "torque_vectoring")+`
[use.V.frames]
carrier_left = "carrier_left"
wheel_left = "wheel_left"
carrier_right = "carrier_right"
wheel_right = "wheel_right"
[use.V.parameters]
ratio = 19
wheelbase = 2.579
understeer = 0.001
most = 1000
`, map[string]float64{"along.s_dot": 20, "turn.omega": 0.02})
	// the sample at the start sees a rate of 0.02 rad/s and no angle
	reference, sum, turned, before := 0.0, -60000*5e-3*0.02, -1e-3*200, -200.0
	advance(t, v, 2e-3)
	for k := range samples {
		hand := 0.5
		if k >= samples/2 {
			hand = -0.2
		}
		speed := 20 * math.Cos(0.02*5e-3*float64(k+1))
		set(t, v, "hand.angle", hand)
		advance(t, v, 5e-3)
		lack := reference - 0.02
		want := max(-most, min(most, 10000*lack+sum))
		sum = max(-most, min(most, sum+60000*5e-3*lack))
		reference += (speed*hand/ratio/(wheelbase+understeer*speed*speed) - reference) * 5 / 105
		turned, before = turned+4e-3*before+1e-3*want, want // by a moment of inertia of 1 kg m2
		left, right := value(t, v, "torque_left_V.torque"), value(t, v, "torque_right_V.torque")
		if !(math.Abs(right-want) < 1e-6) || left != -right {
			t.Fatalf("sample %d: torques of %g and %g N m, by hand %g", k, left, right, want)
		}
	}
	// wheels and carriers have the same inertia, and turn against each other
	for _, c := range []struct {
		joint string
		want  float64
	}{{"hub_left", -2 * turned}, {"arm_left", turned}, {"hub_right", 2 * turned}, {"arm_right", -turned}} {
		if got := value(t, v, c.joint+".omega"); !(math.Abs(got-c.want) < 1e-3) {
			t.Errorf("%s has %g rad/s, by hand %g", c.joint, got, c.want)
		}
	}
}

// The modulator opens the valve of a wheel by what its pressure lacks, where the booster gives more than the driver,
// and by the shares of anti-lock control.
func TestModulatorByHand(t *testing.T) {
	text := `name = "Bench"
title = "Bench"
gravity = 9.81
solver = { method = "rk4", step = 0.001 }
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x" }
mass = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
[component.source]
type = "equations"
inputs = [{ name = "pressure", unit = "Pa" }]
outputs = [{ name = "double", unit = "Pa", value = "2*pressure" }]
`
	frames := `
[use.M]
file = ` + subsystem(t, "brake_modulator") + `
[use.M.frames]
source = "source"
`
	for _, wheel := range wheels {
		text += strings.ReplaceAll(`
[component.caliper_WHEEL]
type = "equations"
inputs = [{ name = "given", unit = "Pa" }]
outputs = [{ name = "pressure", unit = "Pa", value = "given" }]
[component.inlet_WHEEL]
type = "equations"
inputs = [{ name = "opening", unit = "1" }]
outputs = [{ name = "double", unit = "1", value = "2*opening" }]
[component.outlet_WHEEL]
type = "equations"
inputs = [{ name = "opening", unit = "1" }]
outputs = [{ name = "double", unit = "1", value = "2*opening" }]
`, "WHEEL", wheel)
		frames += strings.ReplaceAll(`caliper_WHEEL = "caliper_WHEEL"
inlet_WHEEL = "inlet_WHEEL"
outlet_WHEEL = "outlet_WHEEL"
`, "WHEEL", wheel)
	}
	v := vehicleOf(t, text+frames, map[string]float64{"pedal_M.driver": 50e5})
	check := func(what string, closing, release [4]float64) {
		t.Helper()
		for i, wheel := range wheels {
			in, out := value(t, v, "inlet_"+wheel+".opening"), value(t, v, "outlet_"+wheel+".opening")
			if !(math.Abs(in-closing[i]) < 1e-9) || !(math.Abs(out-release[i]) < 1e-9) {
				t.Errorf("%s: the inlet of %s is closed by %g and the outlet open by %g, by hand %g and %g", what, wheel, in,
					out, closing[i], release[i])
			}
		}
	}
	for i, wheel := range wheels {
		set(t, v, "caliper_"+wheel+".given", 10e5*float64(i))
	}
	advance(t, v, 7e-3)
	check("the driver alone", [4]float64{}, [4]float64{})
	for i, share := range []float64{0.3, 0, -0.4, 1} {
		set(t, v, "valves_M"+wheels[i]+".abs", share)
	}
	advance(t, v, 5e-3)
	check("anti-lock control", [4]float64{0.7, 1, 1, 0}, [4]float64{0, 0, 0.4, 0})
	if got := value(t, v, "source.pressure"); got != 50e5 {
		t.Errorf("the supply has %g Pa, and the driver asks for 50 bar", got)
	}
	for i, wheel := range wheels {
		set(t, v, "valves_M"+wheel+".abs", 1)
		set(t, v, "caliper_"+wheel+".given", []float64{12e5, 0, 27e5, 2e5}[i])
	}
	set(t, v, "pedal_M.driver", 0)
	set(t, v, "valves_MFL.stability", 10e5)
	set(t, v, "valves_MRL.traction", 30e5)
	advance(t, v, 5e-3)
	check("the booster", [4]float64{1, 1, 0.5, 1}, [4]float64{2 / 6.0, 0, 0, 2 / 6.0})
	advance(t, v, 0.1-1e-3) // the booster began 1 ms ago
	if got, want := value(t, v, "source.pressure"), 120e5*(1-math.Exp(-0.1/0.02)); !(math.Abs(got-want) < 1e-3*want) {
		t.Errorf("the supply has %g Pa, by hand %g", got, want)
	}
	set(t, v, "valves_MFL.stability", 0)
	set(t, v, "valves_MRL.traction", 0)
	advance(t, v, 0.01)
	check("behind a demand", [4]float64{1, 1, 1, 1}, [4]float64{1, 0, 1, 2 / 6.0})
	advance(t, v, 0.2)
	check("at rest", [4]float64{}, [4]float64{})
	for _, wheel := range wheels {
		for _, demand := range []string{".traction", ".stability"} {
			set(t, v, "valves_M"+wheel+demand, 30e5)
			advance(t, v, 0.02)
			if got := value(t, v, "source.pressure"); !(got > 30e5) {
				t.Errorf("%s%s: the supply has %g Pa", wheel, demand, got)
			}
			set(t, v, "valves_M"+wheel+demand, 0)
			advance(t, v, 0.2)
		}
	}
}
