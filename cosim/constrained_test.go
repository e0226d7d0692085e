package cosim

import (
	"fmt"
	"math"
	"testing"

	"skidpad/harness/tests/testrun"
)

// loaded makes an initialised instance of a model and tree with a solver.
func loaded(t *testing.T, file, tree string, texts map[string]string, values map[string]float64) *ride {
	t.Helper()
	s, err := SharedModel(file, tree)
	if err != nil {
		t.Fatal(err)
	}
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	r := &ride{in, t}
	for name, text := range texts {
		if err := in.SetText(name, text); err != nil {
			t.Fatal(err)
		}
	}
	for name, v := range values {
		r.set(name, v)
	}
	if err := in.Initialise(); err != nil {
		t.Fatal(err)
	}
	return r
}

// steer gives the front wheels amplitude sin^3, which begins at rest, with its rate and
// acceleration.
func (r *ride) steer(amplitude, period float64) {
	w := 2 * math.Pi / period
	s, c := math.Sincos(w * r.Time())
	for _, driver := range []string{"steer_FL", "steer_FR"} {
		r.set(driver+".angle", amplitude*s*s*s)
		r.set(driver+".rate", amplitude*w*3*s*s*c)
		r.set(driver+".acceleration", amplitude*w*w*3*(2*s*c*c-s*s*s))
	}
}

// The generic vehicle with its tires in the tree has 68 states and 16 constraints of joints. With
// dlmm at 1 ms they do not drift over 100 s of sine steer, and the vehicle moves as it does in
// coordinates that need no constraints.
func TestConstraintsOfJointsDoNotDrift(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	whole := testrun.Either(20.0, 100)
	free := loaded(t, "generic4w", "default", nil, nil)
	bound := loaded(t, "generic4w", "tire", map[string]string{MethodVariable: "dlmm"}, nil)
	if n, m := len(bound.sys.program.States), bound.sys.program.Constraints; n != 68 || m != 16 {
		t.Fatalf("%d states and %d constraints", n, m)
	}
	var worst [10]float64 // violations by tenth of the time
	for tenth := range worst {
		for range int(whole / 10 / 0.001) {
			for _, r := range []*ride{free, bound} {
				r.steer(0.0175, 5)
				if err := r.Step(0.001); err != nil {
					t.Fatal(err)
				}
			}
			p, _ := bound.Violation()
			worst[tenth] = max(worst[tenth], p)
		}
		for name, tolerance := range map[string]float64{"body.x": 1e-4, "body.y": 1e-2, "body.z": 1e-7,
			"body.yaw": 1e-6, "body.roll": 1e-7, "body.vx": 1e-6, "body.wz": 1e-6, "wheel_FL.omega": 1e-5,
			"susp_RR.s": 1e-7} {
			bound.near(fmt.Sprintf("%s at %.0f s", name, bound.Time()), bound.get(name), free.get(name), tolerance)
		}
	}
	for tenth, v := range worst {
		if rounding := 2e-16 * bound.get("body.x"); !(v <= 2*worst[0]+rounding && v <= 1e-10) {
			t.Errorf("violation of %.3g m in tenth %d of the time, %.3g in the first: %v", v, tenth+1, worst[0], worst)
		}
	}
}

// What the methods leave of the constraints of joints after 5 s, on the same vehicle.
func TestMethodsForConstraintsOfJoints(t *testing.T) {
	testrun.Slow(t)
	t.Parallel()
	free := loaded(t, "generic4w", "default", nil, nil)
	for range 5000 {
		free.steer(0.0175, 5)
		if err := free.Step(0.001); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		method string
		most   float64
	}{{"dlmm", 1e-11}, {"dlmm-euler", 1e-5}, {"clmm", 1e-4}, {"stabilised-ode", 1e-5}, {"post-stabilisation", 1e-12},
		{"coordinate-projection", 1e-12}, {"rk4", 1e-4}, {"linearly-implicit", 1e-3}} {
		r := loaded(t, "generic4w", "tire", map[string]string{MethodVariable: c.method}, nil)
		worst := 0.0
		for range 5000 {
			r.steer(0.0175, 5)
			if err := r.Step(0.001); err != nil {
				t.Fatal(err)
			}
			p, _ := r.Violation()
			worst = max(worst, p)
		}
		if !(worst <= c.most) {
			t.Errorf("%s leaves %.3g", c.method, worst)
		}
		for name, tolerance := range map[string]float64{"body.vx": 1e-3, "body.y": 1e-2, "body.wz": 1e-4} {
			r.near(c.method+": "+name, r.get(name), free.get(name), tolerance)
		}
	}
}

// A motorcycle without dampers that tumbles through the air keeps its energy, its momenta and its constraints. The
// order of dlmm is 4 with the multipliers of the step, 2 with multipliers of stages (specification, section 3).
func TestTumblingInTheAir(t *testing.T) {
	for _, c := range []struct {
		model       string
		masses      int
		multipliers string
		order       float64
		violation   float64
	}{{"motorcycle2d", 6, "step", 4, 1e-11}, {"motorcycle2d", 6, "stage", 2, 1e-6},
		{"motorcycle3d", 6, "step", 4, 1e-11}, {"fourwheel_pointmass", 12, "step", 4, 1e-11}} {
		var ends [][]float64
		steps := []float64{0.002, 0.001, 0.000125}
		if c.multipliers == "stage" {
			steps = []float64{0.0005, 0.00025, 0.000125} // below, its own error prevails
		}
		for k, h := range steps {
			multipliers := c.multipliers
			if k == 2 {
				multipliers = "step"
			}
			values := map[string]float64{StepVariable: h, "terrain.height": -1000}
			for i := range c.masses {
				if i < 2*c.masses/3 {
					values[fmt.Sprintf("spring_%d.damping", i+1)] = 0
				}
			}
			r := loaded(t, c.model, "", map[string]string{MethodVariable: "dlmm", multipliersVariable: multipliers},
				values)
			r.turn(c.masses, vector{1.5, 1, 3}, vector{0.3, 1.2, 0.4})
			before := r.momenta(c.masses)
			worst := 0.0
			r.to(1, func() { p, _ := r.Violation(); worst = max(worst, p) })
			after := r.momenta(c.masses)
			if k == 1 {
				r.within(c.model+": violation", worst, 0, c.violation)
				if c.multipliers == "step" {
					r.near(c.model+": energy", after.energy, before.energy, 1e-6*before.energy)
					for k := range 3 {
						r.near(c.model+": angular momentum", after.angular[k], before.angular[k], 1e-8)
						r.near(c.model+": momentum", after.linear[k], before.linear[k], 1e-8)
					}
				}
			}
			ends = append(ends, append([]float64(nil), r.x...))
		}
		distance := func(i int) float64 {
			d := 0.0
			for k, v := range ends[i] {
				d = max(d, math.Abs(v-ends[2][k]))
			}
			return d
		}
		if order := math.Log2(distance(0) / distance(1)); !(math.Abs(order-c.order) <= 0.3) {
			t.Errorf("%s, %s: order %.2f, not %g (errors %.2g, %.2g)", c.model, c.multipliers, order, c.order,
				distance(0), distance(1))
		}
	}
}

// turn lets all masses move as one rigid body: a velocity, and a turn about the origin.
func (r *ride) turn(masses int, velocity, w vector) {
	x := append([]float64(nil), r.x...)
	index := map[string]int{}
	for i, s := range r.sys.program.States {
		index[s.Name] = i
	}
	if _, space := index["mass_1.y"]; !space {
		velocity[1], w[0], w[2] = 0, 0, 0
	}
	for i := range masses {
		var p vector
		for k, axis := range []string{"x", "y", "z"} {
			p[k] = r.get(fmt.Sprintf("mass_%d.%s", i+1, axis))
		}
		v := velocity.plus(1, vector{w[1]*p[2] - w[2]*p[1], w[2]*p[0] - w[0]*p[2], w[0]*p[1] - w[1]*p[0]})
		for k, axis := range []string{"vx", "vy", "vz"} {
			if at, ok := index[fmt.Sprintf("mass_%d.%s", i+1, axis)]; ok {
				x[at] = v[k]
			}
		}
	}
	if err := r.SetStates(x); err != nil {
		r.t.Fatal(err)
	}
}

type momenta struct {
	energy          float64
	linear, angular vector // without the contribution of the weight
}

// momenta sums over masses and springs. Momenta are taken in a frame that falls: linear without
// g t, angular about the centre of mass.
func (r *ride) momenta(masses int) (m momenta) {
	var total float64
	var centre, velocity vector
	type point struct {
		mass float64
		p, v vector
	}
	var all []point
	for i := range masses {
		var q point
		q.mass = r.get(fmt.Sprintf("mass_%d.mass", i+1))
		for k, axis := range []string{"x", "y", "z"} {
			q.p[k], q.v[k] = r.get(fmt.Sprintf("mass_%d.%s", i+1, axis)), r.get(fmt.Sprintf("mass_%d.v%s", i+1, axis))
		}
		all = append(all, q)
		total += q.mass
		centre, velocity = centre.plus(q.mass, q.p), velocity.plus(q.mass, q.v)
		m.energy += q.mass * (q.v.dot(q.v)/2 + 9.81*q.p[2])
	}
	m.linear = velocity
	m.linear[2] += total * 9.81 * r.Time()
	centre, velocity = vector{}.plus(1/total, centre), vector{}.plus(1/total, velocity)
	for _, q := range all {
		p, v := q.p.plus(-1, centre), q.v.plus(-1, velocity)
		m.angular = m.angular.plus(q.mass, vector{p[1]*v[2] - p[2]*v[1], p[2]*v[0] - p[0]*v[2], p[0]*v[1] - p[1]*v[0]})
	}
	for i := range 2 * masses / 3 {
		name := fmt.Sprintf("spring_%d", i+1)
		stretch := r.get(name+".length") - r.get(name+".free_length")
		m.energy += r.get(name+".stiffness") * stretch * stretch / 2
	}
	return m
}

// All the methods take the same path where a model has no constraints: dlmm is rk4 then, to the
// last bit, and dlmm-euler is euler.
func TestMethodsForConstraintsWithoutConstraints(t *testing.T) {
	for _, pair := range [][2]string{{"rk4", "dlmm"}, {"rk4", "clmm"}, {"rk4", "stabilised-ode"},
		{"rk4", "post-stabilisation"}, {"rk4", "coordinate-projection"}, {"rk4", "half-explicit"},
		{"rk4", "half-explicit-both"}, {"euler", "dlmm-euler"}} {
		var ends [2][]float64
		for i, method := range pair {
			r := loaded(t, "partial_vehicle2d", "", map[string]string{MethodVariable: method},
				map[string]float64{"mass_3.z": 0.7})
			r.to(1, nil)
			ends[i] = append(ends[i], r.x...)
		}
		for k := range ends[0] {
			if ends[0][k] != ends[1][k] {
				t.Fatalf("%s and %s differ in %s: %g and %g", pair[0], pair[1], "state", ends[0][k], ends[1][k])
			}
		}
	}
}
