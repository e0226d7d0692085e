package cosim_test

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
)

// planar is a half-car made of the data of the generic vehicle: a body on two wheels in the plane of symmetry
// (standstill specification, 7.1).
const planar = `name = "Planar"
gravity = [%g, 0, %g]
[component.road]
type = "road"
[component.along]
type = "prismatic"
from = "ground"
to = "carriage"
axis = "x"
[component.up]
type = "prismatic"
from = "carriage"
to = "pivot"
axis = "z"
start = { s = 0.343 }
[component.pitch]
type = "revolute"
from = "pivot"
to = "body"
axis = "y"
[component.body]
type = "rigid-body"
mass = 1058
inertia = { xx = 165, yy = 962.5, zz = 962.5 }
`

const planarWheel = `[component.arm_%[1]s]
type = "rigid-arm"
from = "body"
to = "hub_%[1]s"
translation = [%[2]g, 0, 0]
[component.wheel_%[1]s]
type = "revolute"
from = "hub_%[1]s"
to = "rim_%[1]s"
axis = "y"
start = { omega = 0 }
[component.brake_%[1]s]
type = "brake"
from = "hub_%[1]s"
to = "rim_%[1]s"
axis = "y"
[component.tire_%[1]s]
type = "tire"
frame = "rim_%[1]s"
road = "road"
mass = 28
inertia = { axial = 1.56, transverse = 0.78 }
unloaded_radius = 0.355
vertical_stiffness = 3.04e5
vertical_damping = 6000
rolling_radius = { method = "load-dependent", Fz0 = 4850, B = 8, D = 0.24, F = 0.01 }
slip = { %[5]s }
force = { function = "%[3]s", file = "../tires/%[4]s" }
`

const (
	withCarcass = `method = "carcass", relaxation = { function = "StretchedString", file = ` +
		`"../tires/stretched_string.toml" }`
	kinematicStanding = `method = "kinematic"`
)

var planarFiles = map[string]string{
	"Pacejka02": "pacejka2002.toml", "Fiala": "fiala_generic4w.toml", "Brush": "brush_generic4w.toml",
}

type halfCar struct{ *run }

func newHalfCar(t *testing.T, method, function, slip string, grade, mu, v float64) halfCar {
	t.Helper()
	angle := math.Atan(grade)
	text := fmt.Sprintf(planar, -9.81*math.Sin(angle), -9.81*math.Cos(angle))
	text += fmt.Sprintf(planarWheel, "F", 1.353, function, planarFiles[function], slip)
	text += fmt.Sprintf(planarWheel, "R", -1.487, function, planarFiles[function], slip)
	r := fromText(t, text, "")
	if err := r.in.SetText("solver.method", method); err != nil {
		t.Fatal(err)
	}
	r.set("road.mu", mu)
	r.set("along.s_dot", v)
	for _, w := range []string{"F", "R"} {
		r.set("wheel_"+w+".omega", v/0.35)
	}
	return halfCar{r}
}

func (c halfCar) braked(torque float64) input {
	return func(r *run, _ float64) {
		r.set("brake_F.torque", torque)
		r.set("brake_R.torque", torque)
	}
}

// forces returns the tire forces along the heading and upwards.
func (c halfCar) forces() (f [4]float64) {
	for i, name := range []string{"tire_F.Fx", "tire_R.Fx", "tire_F.Fz", "tire_R.Fz"} {
		f[i] = c.get(name)
	}
	return f
}

// stands brakes to a stop and watches the half-car between two times: how far it moves [m], and by how much forces
// change [N].
func (c halfCar) stands(torque, from, to float64) (drift, change float64) {
	c.start(noInput)
	c.drive(c.braked(torque), 0.001, from)
	x, f := c.get("along.s"), c.forces()
	for end := from + 0.5; end <= to; end += 0.5 {
		c.drive(c.braked(torque), 0.001, end)
		drift = max(drift, math.Abs(c.get("along.s")-x))
		for i, g := range c.forces() {
			change = max(change, math.Abs(g-f[i]))
		}
	}
	return drift, change
}

var solvers = []string{"euler", "heun", "rk4", "linearly-implicit"}

// Half-cars stand with all methods, however strong their brakes are.
func TestCarcassesStand(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	for i, method := range solvers {
		for j, function := range []string{"Pacejka02", "Fiala", "Brush"} {
			steep := 0.2
			if function == "Fiala" {
				steep = 0.1 // its friction of sliding is 0.2
			}
			holds := 1114 * 9.81 * steep * 0.35 / 2 // N m
			for k, c := range []struct{ grade, torque float64 }{{0, 300}, {0, 30000}, {steep, 1.5 * holds}, {-steep, 8000}} {
				for l, slip := range []string{withCarcass, kinematicStanding} {
					if !cosim.Picked(4, i, j, k, 2*l) { // each method with each function and slip
						continue
					}
					drift, change := newHalfCar(t, method, function, slip, c.grade, 1, 2).stands(c.torque, 8, 14)
					what := fmt.Sprintf("%s, %s, %.20s, grade %g, %.4g N m", method, function, slip, c.grade, c.torque)
					t.Logf("%s: %.3g mm, %.3g N", what, 1e3*drift, change)
					if !(drift < 1e-4 && change < 1) {
						t.Errorf("%s: moves by %g mm in 6 s, forces change by %g N", what, 1e3*drift, change)
					}
				}
			}
		}
	}
}

var standing120 = flag.Bool("standing", false, "120 random stops with each of three tires and both slips, and 24 of a "+
	"vehicle on four locked wheels, a minute each")

// Half-cars stop from any speed on any slope and stand.
func TestRandomStops(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	random, count, minute := rand.New(rand.NewPCG(24, 1)), 8, 10.0
	if *standing120 {
		count, minute = 240, 60
	}
	worst := 0.0
	for _, function := range []string{"Pacejka02", "Fiala", "Brush"} {
		for k := range count {
			grade, mu := 0.2*(2*random.Float64()-1), 0.35+0.65*random.Float64()
			if function == "Fiala" {
				grade *= 0.2 * mu // of its friction of sliding
			}
			holds := (1058 + 56) * 9.81 * math.Abs(math.Sin(math.Atan(grade))) * 0.35 / 2
			torque := holds*(1.1+8.9*random.Float64()) + 100
			slip := []string{withCarcass, kinematicStanding}[k/4%2]
			speed := 20*random.Float64() - 10
			if !*standing120 && !cosim.Picked(2, k, k/4) { // each method, and two of them with each slip
				continue
			}
			c := newHalfCar(t, solvers[k%4], function, slip, grade, mu, speed)
			drift, change := c.stands(torque, 25, 25+minute)
			worst = max(worst, drift)
			least := map[string]float64{withCarcass: 1, kinematicStanding: 2}[slip] // N
			if !(drift < 1e-3*minute/60 && change < least) {
				t.Errorf("%s, %s, %s, grade %g, mu %g, %g N m: moves by %g mm, forces change by %g N", solvers[k%4], function, slip,
					grade, mu, torque, 1e3*drift, change)
			}
		}
	}
	t.Logf("at most %.3g mm in %g s", 1e3*worst, minute)
}

// Nothing creeps at 80 to 98 % of the largest force that holds.
func TestCarcassesHoldNearTheirLimit(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	for _, share := range []float64{0.8, 0.9, 0.95, 0.98} {
		for _, method := range []string{"euler", "rk4"} {
			const grade = 0.2 // needs mu0 mu = 0.2 of the brush
			c := newHalfCar(t, method, "Brush", withCarcass, grade, grade/share/1.22, 0)
			drift, change := c.stands(8000, 10, 20)
			t.Logf("%s, %g %%: %.3g mm, %.3g N", method, 100*share, 1e3*drift, change)
			if !(drift < 1e-3/6) {
				t.Errorf("%s: with %g %% of the largest force it moves by %g mm in 10 s", method, 100*share, 1e3*drift)
			}
		}
	}
}

// The vehicle on four wheels that slides and turns stands after its stop.
func TestLockedVehicleStands(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	random, count, minute := rand.New(rand.NewPCG(24, 2)), testrun.Either(3, 6), 10.0
	if *standing120 {
		count, minute = 24, 60
	}
	worst := 0.0
	for k := range count {
		direction := 2 * math.Pi * random.Float64()
		method := []string{"euler", "heun", "rk4"}[k%3]
		r := standing(t, 0.2, "Pacejka02", "carcass")
		if err := r.in.SetText("solver.method", method); err != nil {
			t.Fatal(err)
		}
		r.set("road.mu", 0.35+0.65*random.Float64())
		r.set("body.yaw", direction)
		r.set("body.vx", 4)
		r.set("body.vy", 2)
		r.set("body.wz", 1)
		r.start(noInput)
		r.drive(braked(20000), 0.001, 20)
		x, y := r.get("body.x"), r.get("body.y")
		r.drive(braked(20000), 0.001, 20+minute)
		drift := math.Hypot(r.get("body.x")-x, r.get("body.y")-y)
		if worst = max(worst, drift); !(drift < 1e-3*minute/60) {
			t.Errorf("%s: moves by %g mm in %g s", method, 1e3*drift, minute)
		}
	}
	t.Logf("at most %.3g mm in %g s", 1e3*worst, minute)
}
