package reference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/cosim"
	"skidpad/model/vehicle"
)

// The engine writes its conservative contact in the axes of the tire, this solver in ground. Both give a wheel the same
// accelerations, at any inclination and depth, on a sloping road.
func TestConservativeContactAgreesWithTheEngine(t *testing.T) {
	const (
		radius    = `"load-dependent", Fz0 = 5900, B = 8, D = 0.24, F = 0.01`
		kinematic = `method = "kinematic", minimum_speed = 0.005`
	)
	for _, c := range []struct{ name, contact, radius, slip string }{
		{"power", ``, radius, kinematic},
		{"no power", `, power = "no"`, radius, kinematic},
		{"torus", `, crown_radius = 0.07, width = 0.16`, `"unloaded"`, kinematic},
		{"delayed", `, width = 0.3`, `"loaded"`,
			`method = "delayed", q1 = 0.01, q2 = -0.02, relaxation = { function = "ConstantLength", ` +
				`parameters = { Blong = 0.5, Blat = 0.4 } }`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := vehicle.Parse([]byte(fmt.Sprintf(`name = "LeaningWheel"
[component.road]
type = "road"
translation = [0.3, -0.2, 0.1]
angles = [0.4, 0.1, -0.2]
[component.wheel]
type = "rigid-body"
mass = 20
inertia = { axial = 1.5, transverse = 0.8 }
sequence = "312"
[component.tire]
type = "tire"
frame = "wheel"
road = "road"
mass = 0
inertia = { axial = 0, transverse = 0 }
unloaded_radius = 0.355
vertical_stiffness = 3.04e5
vertical_damping = 500
contact = { method = "conservative"%s }
rolling_radius = { method = %s }
slip = { %s }
force = { function = "Brush", parameters = { Ck = 1.1e5, Ca = 8e4, CM = 40, camber = 1.1, Cr = 0.01, mu0 = 1 } }
`, c.contact, c.radius, c.slip)), "test.toml", nil)
			if err != nil {
				t.Fatal(err)
			}
			system, err := cosim.New(m, cosim.Options{})
			if err != nil {
				t.Fatal(err)
			}
			engine, err := system.Instantiate()
			if err != nil {
				t.Fatal(err)
			}
			independent := newSystem(t, m)
			random := rand.New(rand.NewPCG(24, 51))
			touching := 0
			for range 300 {
				states := map[string]float64{
					"wheel.angle1": 6 * random.Float64(), "wheel.angle2": 1.5 * (2*random.Float64() - 1),
					"wheel.angle3": 6 * random.Float64(), "wheel.x": random.NormFloat64(), "wheel.y": random.NormFloat64(),
					"wheel.z": 0.35 * random.Float64(),
				}
				for _, name := range []string{"vx", "vy", "vz", "wx", "wy", "wz"} {
					states["wheel."+name] = 3 * random.NormFloat64()
				}
				values, derivatives, err := independent.Evaluate(states, Inputs{})
				if err != nil {
					t.Fatal(err)
				}
				if values["tire.Fz"] > 0 {
					touching++
				}
				compareRates(t, engine, states, values, derivatives)
			}
			if touching < 150 {
				t.Errorf("only %d wheels touch the road", touching)
			}
		})
	}
}

// compareRates compares values at one state, and derivatives with the engine's derivatives: its step by Euler's method.
func compareRates(t *testing.T, engine *cosim.Instance, states, values, derivatives map[string]float64) {
	t.Helper()
	const step = 1e-3
	get := func(name string) float64 {
		i, found := engine.System().Find(name)
		if !found {
			t.Fatalf("no variable %s", name)
		}
		x, err := engine.Get(i)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	engine.Reset()
	if err := engine.SetText("solver.method", "euler"); err != nil {
		t.Fatal(err)
	}
	for name, x := range states {
		i, _ := engine.System().Find(name)
		if err := engine.Set(i, x); err != nil {
			t.Fatal(err)
		}
	}
	if err := engine.Initialise(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Fx", "Fy", "Fz", "Mx", "My", "Mz", "kappa", "alpha", "gamma", "R_l", "R_eff"} {
		name = "tire." + name
		if got, want := get(name), values[name]; !(math.Abs(got-want) <= 1e-8*(1+math.Abs(want))) {
			t.Errorf("%v: %s = %.12g, want %.12g", states, name, got, want)
		}
	}
	before := map[string]float64{}
	for name := range derivatives {
		if _, found := engine.System().Find(name); found {
			before[name] = get(name)
		}
	}
	if err := engine.Step(step); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"wheel.vx", "wheel.vy", "wheel.vz", "wheel.wx", "wheel.wy", "wheel.wz"} {
		if _, found := before[name]; !found {
			t.Fatalf("there is no derivative of %s", name)
		}
	}
	for name, x := range before {
		if got, want := (get(name)-x)/step, derivatives[name]; !(math.Abs(got-want) <= 1e-7*(1+math.Abs(want))) {
			t.Errorf("%v: the rate of %s is %.12g, want %.12g", states, name, got, want)
		}
	}
}
