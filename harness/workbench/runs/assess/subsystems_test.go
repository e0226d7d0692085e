package assess

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"skidpad/harness/library"
	"skidpad/harness/tests/built"
	"skidpad/harness/tests/testrun"
)

// subsystem is the path of a shipped subsystem, for texts of models.
func subsystem(t *testing.T, name string) string {
	t.Helper()
	file, err := filepath.Abs(built.Path("resources", "subsystems", name+".toml"))
	if err != nil {
		t.Fatal(err)
	}
	return strconv.Quote(filepath.ToSlash(file))
}

// vehicleOf is a vehicle of a text, initialised with parameters.
func vehicleOf(t *testing.T, text string, parameters map[string]float64) *library.Vehicle {
	t.Helper()
	file := filepath.Join(t.TempDir(), "model.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	lib, err := library.Open(built.Library(t))
	if err != nil {
		t.Fatal(err)
	}
	v, err := lib.Load(file, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return again(t, v, parameters)
}

// again is a vehicle back at its start, with parameters.
func again(t *testing.T, v *library.Vehicle, parameters map[string]float64) *library.Vehicle {
	t.Helper()
	if err := v.Reset(); err != nil {
		t.Fatal(err)
	}
	for name, x := range parameters {
		set(t, v, name, x)
	}
	if err := v.Initialise(); err != nil {
		t.Fatal(err)
	}
	return v
}

func set(t *testing.T, v *library.Vehicle, name string, x float64) {
	t.Helper()
	if err := v.SetNamed(name, x); err != nil {
		t.Fatal(err)
	}
}

// advance makes steps of 1 ms.
func advance(t *testing.T, v *library.Vehicle, duration float64) {
	t.Helper()
	for range int(math.Round(duration / 1e-3)) {
		if err := v.Step(1e-3); err != nil {
			t.Fatal(err)
		}
	}
}

func value(t *testing.T, v *library.Vehicle, name string) float64 {
	t.Helper()
	references, err := v.References(name)
	x := []float64{0}
	if err == nil {
		err = v.Get(references, x)
	}
	if err != nil {
		t.Fatal(err)
	}
	return x[0]
}

// vectored is a car with torque vectoring of its rear axle.
func vectored(t *testing.T, base string) string {
	return fmt.Sprintf(`base = %q
name = "Vectored"
title = "Vectored"
[use.V]
file = %s
[use.V.frames]
carrier_left = "upright_RL"
wheel_left = "tire_RL"
carrier_right = "upright_RR"
wheel_right = "tire_RR"
[use.V.parameters]
ratio = 19
wheelbase = "front_x + rear_x"
understeer = 0.003
`, base, subsystem(t, "torque_vectoring"))
}

// In a steady turn the car has the yaw rate of the single track with the wanted understeer gradient, and the sum of the
// moved torques is 0.
func TestTorqueVectoringGivesTheWantedSingleTrack(t *testing.T) {
	testVectoring(t, "passenger_car", "engine.throttle", 0.001, -1)
}

// The same with another gradient, and with a machine in each wheel.
func TestTorqueVectoringOfAnElectricCar(t *testing.T) {
	testrun.OnlyAll(t)
	testVectoring(t, "passenger_car", "engine.throttle", 0.0045, 1)
	testVectoring(t, "electric_car", "pedal.throttle", 0.001, 1)
	testVectoring(t, "electric_car", "pedal.throttle", 0.0045, -1)
}

func testVectoring(t *testing.T, base, throttle string, understeer, side float64) {
	t.Helper()
	car := vehicleOf(t, vectored(t, base), nil)
	ratio := func(parameters map[string]float64) (yaw, moved float64) {
		v := again(t, car, parameters)
		set(t, v, "steering.angle", side*0.25)
		set(t, v, throttle, 0.3)
		advance(t, v, 2)
		speed := value(t, v, "body.vx")
		want := speed * side * 0.25 / 19 / (1.1562 + 1.4227 + understeer*speed*speed)
		left, right := value(t, v, "torque_left_V.torque"), value(t, v, "torque_right_V.torque")
		if left != -right {
			t.Errorf("%s: the torques are %g and %g N m, whose sum is not 0", base, left, right)
		}
		return value(t, v, "body.wz") / want, right * side
	}
	if with, _ := ratio(map[string]float64{"understeer_V": understeer}); !(math.Abs(with-1) < 0.005) {
		t.Errorf("%s, gradient %g: the yaw rate is %g times that of the single track", base, understeer, with)
	}
	without, moved := ratio(map[string]float64{"active_V": 0})
	if more := 0.003 > understeer; (without < 0.9) != more || (without > 1.1) == more || moved != 0 {
		t.Errorf("%s without: the yaw rate is %g times that of the gradient %g, torque %g", base, without, understeer, moved)
	}
	if !testrun.All() {
		return
	}
	if _, moved := ratio(map[string]float64{"understeer_V": understeer, "most_V": 20}); moved != math.Copysign(20,
		0.003-understeer) {
		t.Errorf("%s: the moved torque is %g N m of at most 20", base, moved)
	}
	if _, moved := ratio(map[string]float64{"understeer_V": understeer, "least_V": 60}); moved != 0 {
		t.Errorf("%s, slower than the least speed: the moved torque is %g N m", base, moved)
	}
}

// steeringBench is a rack on a cart, with a spring that holds it in the middle.
const steeringBench = `name = "Bench"
title = "Bench"
gravity = 9.81
solver = { method = "rk4", step = 0.001 }
[roles]
chassis = "cart"
[component]
rail = { type = "prismatic", from = "ground", to = "cart", axis = "x" }
cart = { type = "rigid-body", mass = 1000, inertia = { xx = 1, yy = 1, zz = 1 } }
load = { type = "spring-damper", joint = "slide_S", stiffness = 3e6, damping = 5000 }
[use.S]
file = %s
frames = { chassis = "cart" }
column = "torsion"
parameters = { mass = 300 }
[use.P]
file = %s
frames = { chassis = "cart", rack = "bar_S", steering = "steering_S" }
`

// The torsion bar and the machine together hold the spring of the rack: with the twist D - P of the bar and the angle P
// of the pinion, C = 100 N.m/rad (D - P) and C + A = k t^2 P, where t is the travel of the rack per angle.
func TestPowerSteeringHelpsByItsCurve(t *testing.T) {
	const travel, load, bar = -0.05 / (2 * math.Pi), 3e6, 100
	car := vehicleOf(t, fmt.Sprintf(steeringBench, subsystem(t, "rack"), subsystem(t, "power_steering")), nil)
	for _, c := range []struct{ angle, speed, most float64 }{
		{0.4, 0, 60}, {-0.4, 0, 60}, {0.4, 10, 60}, {0.4, -10, 60}, {0.4, 30, 60}, {0.4, 0, 5}, {0.015, 0, 60},
	} {
		v := again(t, car, map[string]float64{"rail.s_dot": c.speed, "most_P": c.most, "steering_S.angle": c.angle})
		advance(t, v, 0.5)
		assistance := func(torque float64) float64 {
			beyond := max(math.Abs(torque)-1, 0)
			return math.Copysign(min(c.most, 2.5/(1+math.Abs(c.speed)/10)*beyond*beyond), torque)
		}
		low, high := -200.0, 200.0 // the balance is monotonic in C
		for range 200 {
			torque := (low + high) / 2
			pinion := c.angle - torque/bar
			if torque+assistance(torque) < load*travel*travel*pinion {
				low = torque
			} else {
				high = torque
			}
		}
		got, helps := value(t, v, "steering_S.column_torque"), value(t, v, "assist_P.torque")
		if !(math.Abs(got-low) < 1e-5*math.Abs(low)) || !(math.Abs(helps-assistance(low)) < 1e-4*math.Abs(low)) {
			t.Errorf("%+v: the bar has %g N m, by hand %g; the assistance is %g, by hand %g", c, got, low, helps,
				assistance(low))
		}
		if c.angle == 0.015 && helps != 0 {
			t.Errorf("below the dead torque the assistance is %g", helps)
		}
	}
}

// At rest and at speed the road car needs less torque at the steering wheel. The pinion, whose angle is larger behind
// the bar with less twist, needs as much for its angle as before.
func TestPowerSteeringOfTheRoadCar(t *testing.T) {
	testrun.OnlyAll(t)
	text := fmt.Sprintf(`base = "road_car"
name = "Assisted"
title = "Assisted"
[use.P]
file = %s
frames = { chassis = "front", rack = "bar_S", steering = "steering_S" }
[use.F.component]
tire.bore = { arm = 0.05, load = 4000, angle = 0.1, length = 0.1 }
`, subsystem(t, "power_steering"))
	for _, c := range []struct{ speed, angle, least, most float64 }{ // share of the torque without assistance
		{0, 6, 0.1, 0.2}, {20, 0.3, 0.4, 0.9},
	} {
		torque := func(active float64) (bar, stiffness float64) {
			v := vehicleOf(t, text, map[string]float64{"active_P": active})
			if c.speed == 0 {
				set(t, v, "brakes.torque", 3000)
				advance(t, v, 6)
			}
			for k := range 2000 {
				set(t, v, "steering_S.angle", c.angle*float64(k+1)/2000)
				set(t, v, "steering_S.rate", c.angle/2)
				advance(t, v, 1e-3)
			}
			bar = value(t, v, "steering_S.column_torque")
			return bar, (bar + value(t, v, "assist_P.torque")) / value(t, v, "steering_S.pinion_angle")
		}
		without, before := torque(0)
		with, now := torque(1)
		if share := with / without; !(share > c.least && share < c.most) || !(math.Abs(now-before) < 0.05*before) {
			t.Errorf("%g m/s: %g N m without assistance, %g with it; %g and %g N m/rad at the pinion", c.speed, without, with,
				before, now)
		}
	}
}

// sensorBench is a sensor on what turns at a given speed.
const sensorBench = `name = "Bench"
title = "Bench"
gravity = 9.81
solver = { method = "rk4", step = 0.001 }
[component]
slide = { type = "prismatic", from = "ground", to = "mass", axis = "x" }
mass = { type = "rigid-body", mass = 1, inertia = { xx = 1, yy = 1, zz = 1 } }
turning.type = "equations"
turning.inputs = [{ name = "omega", unit = "rad/s" }]
turning.outputs = [{ name = "double", unit = "rad/s", value = "2*omega" }]
[use.Q]
file = %s
frames = { wheel = "turning" }
`

// A wheel at constant speed reads this speed, also where most samples have no edge. Noise moves edges by its share of
// their distance. A wheel that stands reads at most one edge since the last one.
func TestWheelSpeedSensor(t *testing.T) {
	wheel := vehicleOf(t, fmt.Sprintf(sensorBench, subsystem(t, "wheel_speed_sensor")), nil)
	const pitch = 2 * math.Pi / 48
	readings := func(speed float64, parameters map[string]float64) (v *library.Vehicle, list []float64) {
		v = again(t, wheel, parameters)
		set(t, v, "turning.omega", speed)
		for range 200 {
			advance(t, v, 5e-3)
			list = append(list, value(t, v, "sensor_Q.omega"))
		}
		return v, list[40:]
	}
	for _, speed := range []float64{3, 20, 65.4, 200} {
		_, list := readings(speed, map[string]float64{"noise_Q": 0})
		for _, x := range list {
			if !(math.Abs(x-speed) < 1e-9*speed) {
				t.Fatalf("a wheel of %g rad/s reads %.12g", speed, x)
			}
		}
	}
	const speed, noise = 65.4, 0.05 // 2 or 3 edges in a sample
	_, one := readings(speed, map[string]float64{"noise_Q": noise})
	_, again := readings(speed, map[string]float64{"noise_Q": noise})
	_, other := readings(speed, map[string]float64{"noise_Q": noise, "seed_Q": 2})
	mean, largest, equal, different := 0.0, 0.0, 0, 0
	for i, x := range one {
		mean += (x - speed) / speed / float64(len(one))
		largest = max(largest, math.Abs(x-speed)/speed)
		if x == again[i] {
			equal++
		}
		if x != other[i] {
			different++
		}
	}
	if bound := 2 * noise / (2 - 2*noise); !(largest < bound && largest > 0.6*bound) || !(math.Abs(mean) < bound/20) ||
		equal != len(one) || different != len(one) {
		t.Errorf("errors of %g at most, bound %g, mean %g; %d of %d equal in a second run, %d with another seed", largest,
			bound, mean, equal, len(one), different)
	}
	v, _ := readings(speed, map[string]float64{"noise_Q": 0})
	set(t, v, "turning.omega", 0)
	advance(t, v, 1)
	if x := value(t, v, "sensor_Q.omega"); !(x <= pitch/0.99 && x > pitch/1.1) {
		t.Errorf("a wheel that stands for a second reads %g rad/s", x)
	}
	set(t, v, "turning.omega", -speed)
	advance(t, v, 1)
	if x := value(t, v, "sensor_Q.omega"); !(x < pitch) {
		t.Errorf("a wheel that turns backwards reads %g rad/s", x)
	}
	set(t, v, "turning.omega", speed)
	advance(t, v, 0.1)
	if x := value(t, v, "sensor_Q.omega"); !(math.Abs(x-speed) < 1e-9*speed) {
		t.Errorf("a wheel that turns forwards again reads %g rad/s", x)
	}
}
