package reference

import (
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/vehicle"
)

// This driveline in free space has every feature: an engine on a flywheel, a clutch and gears that lose a part of their
// power, shafts with inertia that turn in the body, joints with losses, a locking differential. The engine and this
// solver agree, although this solver has the body, the flywheel and the wheels in absolute coordinates.
const lossyDriveline = `name = "LossyDriveline"
gravity = 0
[component.body]
type = "rigid-body"
mass = 30
inertia = { xx = 3, yy = 5, zz = 6, xz = 0.4 }
start = { angular_velocity = [0.4, -0.3, 0.5] }
[component.wheel_L]
type = "revolute"
from = "body"
to = "left"
axis = "y"
start = { omega = 9 }
[component.left]
type = "rigid-body"
mass = 10
inertia = { axial = 1.5, transverse = 1 }
[component.wheel_R]
type = "revolute"
from = "body"
to = "right"
axis = "y"
start = { omega = 6 }
[component.right]
type = "rigid-body"
mass = 10
inertia = { axial = 2, transverse = 1.2 }
[component.crank]
type = "revolute"
from = "body"
to = "flywheel"
axis = [0.8, 0, 0.6]
start = { omega = 40 }
[component.flywheel]
type = "rigid-body"
mass = 3
inertia = { xx = 0.2, yy = 0.15, zz = 0.1 }
[component.engine]
type = "engine"
drives = "crank"
full_load = [[0, 30], [100, 25]]
drag = [[0, 0], [100, -9]]
inertia = 0.05
frame = "body"
axis = [0, 0.6, 0.8]
[component.gearbox]
type = "gearbox"
input = "crank"
drives = "differential"
ratios = [2, 0.9, 0.7]
efficiency = [0.93, 0.9, 1]
joint_efficiency = 0.97
capacity = 60
sliding_speed = 6
inertia = 0.08
frame = "body"
axis = [0.6, 0.8, 0]
[component.differential]
type = "differential"
outputs = ["wheel_L", "wheel_R"]
housing = "body"
ratio = 1.7
share = 0.45
efficiency = 0.96
joint_efficiency = 0.98
preload = 4
lock_drive = 0.2
inertia = 0.06
frame = "body"
axis = "x"
`

func TestALossyDrivelineMovesAsInAbsoluteCoordinates(t *testing.T) {
	movesAsInAbsoluteCoordinates(t, lossyDriveline, map[string]float64{"gearbox.gear": 2, "engine.throttle": 0.8})
}

// An electric motor and its battery take the place of engine and gearbox. The motor is on the differential or on a
// wheel, and it drives or generates.
func TestAnElectricDrivelineMovesAsInAbsoluteCoordinates(t *testing.T) {
	const electric = `[component.pack]
type = "battery"
to = "dc"
open_voltage = [[0, 300], [1, 390]]
resistance = 0.2
charge = 200
start = { soc = 0.5 }
[component.motor]
type = "motor"
from = "dc"
ratio = 2.5
limit = [[0, 30], [20, 28], [200, 9]]
continuous = [[0, 12], [200, 5]]
copper_loss = 0.4
iron_loss = 1.5
eddy_loss = 0.02
inertia = 0.05
frame = "body"
axis = [0, 0.6, 0.8]
`
	start := strings.Index(lossyDriveline, "[component.crank]")
	end := strings.Index(lossyDriveline, "[component.differential]")
	for _, on := range []string{"drives = \"differential\"", "joint = \"wheel_R\""} {
		text := lossyDriveline[:start] + electric + on + "\n" + lossyDriveline[end:]
		for _, demand := range []float64{40, -40} {
			movesAsInAbsoluteCoordinates(t, text, map[string]float64{"motor.demand": demand, "motor.overload": 0.1})
		}
	}
}

func movesAsInAbsoluteCoordinates(t *testing.T, text string, values map[string]float64) {
	t.Helper()
	m, err := vehicle.Parse([]byte(text), "test.toml", nil)
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
	set := func(name string, value float64) {
		i, _ := engine.Find(name)
		if err := in.Set(i, value); err != nil {
			t.Fatal(err)
		}
	}
	inputs := map[string]Signal{}
	for name, value := range values {
		set(name, value)
		inputs[name] = constant{value}
	}
	const end, step = 1.0, 0.0005
	s := newSystem(t, m)
	r, err := s.Simulate(Experiment{Duration: end, Sampling: end / 10, Tolerance: 1e-9, Inputs: Inputs{Variables: inputs}})
	if err != nil {
		t.Fatal(err)
	}
	if err := in.SetText("solver.method", "rk4"); err != nil {
		t.Fatal(err)
	}
	i, _ := engine.Find("solver.step")
	if err := in.Set(i, step); err != nil {
		t.Fatal(err)
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	if err := in.Step(end); err != nil {
		t.Fatal(err)
	}
	compared, moved := 0, 0.0
	for k, name := range r.Names {
		i, found := engine.Find(name)
		if !found {
			continue
		}
		got, err := in.Get(i)
		if err != nil {
			t.Fatal(err)
		}
		want := r.Values[k][len(r.Time)-1]
		difference := got - want
		if strings.HasSuffix(name, ".yaw") { // in this solver within half a turn
			difference = math.Remainder(difference, 2*math.Pi)
		}
		if !(math.Abs(difference) <= 2e-6*(1+math.Abs(want))) {
			t.Errorf("%s is %.10g, in absolute coordinates %.10g", name, got, want)
		}
		compared++
		moved = max(moved, math.Abs(want-r.Values[k][0]))
	}
	if compared < 20 || moved < 1 {
		t.Errorf("%d quantities compared, moved by %g", compared, moved)
	}
}

// What shifts in time is refused, not computed as if it shifted at once.
func TestTimedShiftsAreRejected(t *testing.T) {
	text := strings.Replace(lossyDriveline, "capacity = 60", "capacity = 60\nshift_time = 0.2", 1)
	m, err := vehicle.Parse([]byte(text), "test.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New(m); err == nil || !strings.Contains(err.Error(), "gearbox has a shift_time") {
		t.Error(err)
	}
}
