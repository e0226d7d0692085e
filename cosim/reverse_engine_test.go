package cosim_test

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/model/component"
	"skidpad/model/vehicle"
)

// shippedModels returns all shipped models by their names.
func shippedModels(t *testing.T) map[string]*vehicle.Model {
	t.Helper()
	files, err := filepath.Glob("../resources/models/*.toml")
	if err != nil || len(files) == 0 {
		t.Fatalf("no models: %v", err)
	}
	models := map[string]*vehicle.Model{}
	for _, file := range files {
		m, err := vehicle.Read(file)
		if err != nil {
			t.Fatal(err)
		}
		models[strings.TrimSuffix(filepath.Base(file), ".toml")] = m
	}
	return models
}

// Shipped curves of forces and coefficients that resist a speed do so at any speed, also far beyond both ends of the
// curve: dampers, drag of engines, air drag and side force.
func TestCurvesOfFrictionNeverGiveEnergy(t *testing.T) {
	random := rand.New(rand.NewPCG(42, 2))
	curves := 0
	for name, m := range shippedModels(t) {
		for _, c := range m.Components {
			for range 200 {
				wide := math.Pow(10, -3+6*random.Float64()) * float64(1-2*random.IntN(2))
				switch c := c.(type) {
				case *component.SpringDamper:
					if c.DamperForce != nil {
						force, _, _ := c.DamperForce.At(wide)
						if curves++; !(force*wide >= 0) {
							t.Fatalf("%s, %s: %g N at %g m/s", name, c.Name, force, wide)
						}
					}
				case *component.Engine:
					if last := len(c.Drag.X) - 1; c.Drag != nil {
						w := c.Drag.X[last] + math.Abs(wide)
						torque, _, _ := c.Drag.At(w)
						if curves++; !(torque <= 0) {
							t.Fatalf("%s, %s: drag of %g N m at %g rad/s", name, c.Name, torque, w)
						}
					}
				}
			}
		}
	}
	if curves == 0 {
		t.Fatal("no shipped curves were looked at")
	}
}

// Curves that fall or miss standstill supply no energy beyond their ends, where their tangents would.
func TestTangentsOfResistingCurvesDoNotGiveEnergy(t *testing.T) {
	for _, points := range []string{
		"[[-1, -500], [0, 0], [1, 800], [2, 700]]", "[[-2, -700], [-1, -800], [0, 0], [1, 500]]",
		"[[0.1, 200], [1, 300]]", "[[-1, -300], [-0.1, -200]]", "[[0.1, 200], [1, 300], [2, 100]]",
	} {
		r := fromText(t, `name = "Damped"
gravity = 0
[component.slider]
type = "prismatic"
from = "ground"
to = "mass"
axis = "x"
[component.mass]
type = "rigid-body"
mass = 10
inertia = { xx = 1, yy = 1, zz = 1 }
[component.damper]
type = "spring-damper"
joint = "slider"
damper_force = `+points+"\n", "")
		for _, v := range []float64{-300, -40, -3, -0.3, -0.05, 0.05, 0.3, 3, 40, 300} {
			r := instance(t, r.sys, "rk4", 0.001)
			r.set("slider.s_dot", v)
			r.start(noInput)
			if force := r.get("damper.force"); !(force*v >= 0) {
				t.Errorf("damper_force %s: %g N at %g m/s", points, force, v)
			}
		}
	}
	for _, drag := range []string{"[[0, 0], [300, -60], [600, -20]]", "[[80, -10], [100, -40], [600, -50]]"} {
		for _, w := range []float64{1, 30, 90, 700, 3000} {
			r := engineAt(t, "full_load = [[0, 100], [400, 50]]\ndrag = "+drag, w)
			if torque := r.get("engine.torque"); !(torque <= 0) {
				t.Errorf("drag %s: %g N m at %g rad/s", drag, torque, w)
			}
		}
	}
	car := func(keys string, angle float64) *run {
		r := fromText(t, `name = "Air"
gravity = 0
[component.body]
type = "rigid-body"
mass = 1000
inertia = { xx = 300, yy = 1500, zz = 1600 }
[component.air]
type = "aerodynamics"
frame = "body"
area = 2
length = 2.6
`+keys, "")
		r.set("body.vx", 30*math.Cos(angle))
		r.set("body.vy", 30*math.Sin(angle))
		r.start(noInput)
		return r
	}
	for _, keys := range []string{
		"drag = 0.3\ndrag_curve = [[-0.2, -0.1], [0, 0], [0.2, -0.1]]",
		"side_force_curve = [[-0.2, -0.1], [0, 0], [0.1, 0.2], [0.2, 0.1]]",
	} {
		for _, angle := range []float64{-3, -1.5, -0.8, 0.8, 1.5, 3} {
			r := car(keys, angle)
			power := r.get("air.Fx")*30*math.Cos(angle) + r.get("air.Fy")*30*math.Sin(angle)
			if !(power <= 0) {
				t.Errorf("%s at %g rad: the air gives %g W", keys, angle, power)
			}
		}
	}
}

// engineAt is an engine on two discs at a given speed.
func engineAt(t *testing.T, keys string, w float64) *run {
	t.Helper()
	r := axle(t, "", `[component.engine]
type = "engine"
drives = "differential"
`+keys+"\n")
	r.set("wheel_L.omega", w)
	r.set("wheel_R.omega", w)
	r.start(noInput)
	return r
}

// An engine that rotates backwards resists with its torque at standstill, for all kinds of curves. The slope of its
// torque is continuous. Forward, its torque follows its curves.
func TestAnEngineTurnedBackwardsResists(t *testing.T) {
	surface := "full_load = [[0, 0, -20], [0, 1, 100], [200, 0, -40], [200, 1, 120]]"
	for _, keys := range []string{
		"full_load = [[0, 60], [105, 130], [690, 0]]\ndrag = [[0, 0], [80, -18], [690, -60]]",
		"full_load = [[0, 60], [105, 130], [690, 0]]\ndrag = [[0, -30], [80, -35], [690, -60]]",
		"full_load = [[90, 120], [300, 160]]\ndrag = [[50, -15], [300, -30]]", surface,
	} {
		for _, throttle := range []float64{0, 0.2, 0.5, 1} {
			torque := func(w float64) float64 {
				r := engineAt(t, keys, w)
				r.set("engine.throttle", throttle)
				return r.get("engine.torque")
			}
			still := torque(0)
			for _, w := range []float64{-1.0001, -2, -40, -3000} {
				if got := torque(w); !(math.Abs(got-math.Abs(still)) <= 1e-12*(1+math.Abs(still))) {
					t.Errorf("%s, throttle %g: %g N m at %g rad/s, %g at standstill", keys, throttle, got, w, still)
				}
			}
			slope := func(w float64) float64 { return (torque(w+1e-5) - torque(w-1e-5)) / 2e-5 }
			for _, w := range []float64{-1, -1e-9, 0} {
				if below, above := slope(w-2e-5), slope(w+2e-5); !(math.Abs(below-above) <= 0.05) {
					t.Errorf("%s, throttle %g: slopes %g and %g about %g rad/s", keys, throttle, below, above, w)
				}
			}
		}
	}
}

// The engines of shipped vehicles run at random speeds of the wheels, beyond both ends of their curves. Forward, the
// torque equals the curves bit for bit. From 1 rad/s backwards on, it opposes the rotation with the size of the torque
// at standstill.
func TestEnginesOfShippedVehiclesAtAnySpeed(t *testing.T) {
	random := rand.New(rand.NewPCG(42, 3))
	for name, m := range shippedModels(t) {
		engine := slices.IndexFunc(m.Components, func(c component.Component) bool {
			_, is := c.(*component.Engine)
			return is
		})
		if engine < 0 {
			continue
		}
		c := m.Components[engine].(*component.Engine)
		sys, forward, backward := load(t, name, ""), 0, 0
		if at, _ := sys.Find(c.Name + ".throttle"); sys.Variables()[at].Kind != cosim.Input {
			continue // controllers drive it
		}
		for range 40 {
			r, throttle := instance(t, sys, "rk4", 0.001), min(1, 1.2*random.Float64())
			for _, v := range sys.Program().States {
				if strings.HasSuffix(v.Name, ".omega") {
					r.set(v.Name, 120*random.NormFloat64())
				}
			}
			r.start(noInput)
			r.set(c.Name+".throttle", throttle)
			at := func(w float64) float64 {
				full, _, _ := c.FullLoad.At(w)
				drag, _, _ := c.Drag.At(w)
				return drag + throttle*(full-drag)
			}
			w, torque := r.get(c.Name+".speed"), r.get(c.Name+".torque")
			switch {
			case w > 0:
				if forward++; torque != at(w) {
					t.Errorf("%s: %g N m at %g rad/s, the curves have %g", name, torque, w, at(w))
				}
			case w < -1:
				if backward++; torque != math.Abs(at(0)) {
					t.Errorf("%s: %g N m at %g rad/s, %g at standstill", name, torque, w, at(0))
				}
			}
		}
		if forward < 5 || backward < 5 {
			t.Errorf("%s: %d forward, %d backward", name, forward, backward)
		}
	}
}

// The engine brakes a car that rolls backwards with an open throttle in a forward gear. It also brakes a manual car
// that rolls forward with the reverse gear engaged.
func TestEnginesBrakeVehiclesThatTurnThemBackwards(t *testing.T) {
	for _, c := range []struct {
		model       string
		speed, gear float64
	}{{model: "passenger_car", speed: -10}, {model: "passenger_car_manual", speed: 10, gear: -1}} {
		r := instance(t, load(t, c.model, ""), "rk4", 0.001)
		r.set("body.vx", c.speed)
		for _, corner := range corners {
			r.set("wheel_"+corner+".omega", c.speed/0.305)
		}
		if c.gear != 0 {
			r.set("gearbox.gear", c.gear)
		}
		r.start(noInput)
		before := math.Abs(r.get("body.vx"))
		for r.in.Time() < 3 {
			r.set("engine.throttle", 1)
			if c.gear != 0 {
				r.set("gearbox.gear", c.gear)
			}
			r.step(0.01)
			if w, torque := r.get("engine.speed"), r.get("engine.torque"); w < -1 && !(torque >= 0) {
				t.Fatalf("%s at %g s: %g N m at %g rad/s", c.model, r.in.Time(), torque, w)
			}
			now := math.Abs(r.get("body.vx"))
			if !(now <= before+0.05) {
				t.Fatalf("%s at %g s: %g m/s after %g", c.model, r.in.Time(), r.get("body.vx"), before)
			}
			before = now
			if r.get("engine.speed") > 0 {
				break
			}
		}
	}
}
