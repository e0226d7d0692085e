package cosim_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/vehicle"
)

// rolled is a run with derivatives, with its variables.
type rolled struct {
	*cosim.RunDerivatives
	t        *testing.T
	in       *cosim.Instance
	starts   []int // parameters and start values
	inputs   []int
	measured []int // states and outputs
}

// roll makes a run with derivatives of a model with a method.
func roll(t *testing.T, s *cosim.System, method string, step float64, directions int, memory int64) *rolled {
	t.Helper()
	in, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(in.Close)
	r := &rolled{t: t, in: in}
	if err := in.SetText(cosim.MethodVariable, method); err != nil {
		t.Fatal(err)
	}
	r.set(cosim.StepVariable, step)
	if r.RunDerivatives, err = in.CarryDerivatives(directions, memory); err != nil {
		t.Fatal(err)
	}
	for i, v := range s.Variables() {
		switch {
		case v.Kind == cosim.Parameter && !strings.HasPrefix(v.Name, "solver."), v.Initial && !v.Follows:
			if in.Check(i, v.Start) == nil &&
				r.SetTangents([]int{i}, make([]float64, directions)) == nil {
				r.starts = append(r.starts, i)
			}
		case v.Kind == cosim.Input:
			r.inputs = append(r.inputs, i)
		}
		if v.State >= 0 && v.Kind != cosim.Rate ||
			v.Kind == cosim.Output && !v.Discrete && strings.HasPrefix(v.Name, "tire") {
			r.measured = append(r.measured, i)
		}
	}
	return r
}

func (r *rolled) Initialise() error { return r.in.Initialise() }

func (r *rolled) Step(h float64) error { return r.in.Step(h) }

func (r *rolled) index(name string) int {
	r.t.Helper()
	i := slices.IndexFunc(r.in.System().Variables(), func(v cosim.Variable) bool { return v.Name == name })
	if i < 0 {
		r.t.Fatalf("no variable %s", name)
	}
	return i
}

func (r *rolled) set(name string, value float64) {
	r.t.Helper()
	if err := r.in.Set(r.index(name), value); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rolled) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

func normals(random *rand.Rand, n int, scale func(i int) float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = random.NormFloat64() * scale(i)
	}
	return x
}

// Directions of all parameters, start values and inputs, against the way back over the run, with weights of states and
// outputs at two points: both give the same number. So does a record in little memory, to the last bit.
func TestDerivedRunForwardsAndBackwardsAgree(t *testing.T) {
	for model, throttle := range map[string]string{"generic4w": "", "passenger_car": "engine.throttle",
		"pendulum": "", "formula_student": ""} {
		for _, method := range testrun.Either([]string{"rk4"}, []string{"euler", "heun", "rk4"}) {
			s := load(t, model, "")
			step := 1e-3
			if method == "euler" {
				step = 2e-4
			}
			var by [2][]float64
			for k, memory := range []int64{1 << 30, 600_000} {
				random := rand.New(rand.NewPCG(7, 11))
				r := roll(t, s, method, step, 1, memory)
				variables := s.Variables()
				seeds := normals(random, len(r.starts), func(i int) float64 {
					return max(math.Abs(variables[r.starts[i]].Start), 1e-3)
				})
				r.must(r.SetTangents(r.starts, seeds))
				const steps = 40
				var inputs [steps][]float64
				for n := range steps {
					inputs[n] = normals(random, len(r.inputs), func(int) float64 { return 1 })
				}
				r.must(r.SetTangents(r.inputs, inputs[0])) // the start can depend on inputs
				r.must(r.Initialise())
				forwards := 0.0
				weights := [2][]float64{normals(random, len(r.measured), func(int) float64 { return 1 }),
					normals(random, len(r.measured), func(int) float64 { return 1 })}
				tangents := make([]float64, len(r.measured))
				for n := range steps {
					r.must(r.SetTangents(r.inputs, inputs[n]))
					if throttle != "" && n%5 == 3 {
						r.set(throttle, 0.2+0.01*float64(n))
						r.must(r.in.SetRate(r.index(throttle), 0.1-0.02*float64(n%3)))
					}
					r.must(r.Step(0.01))
					if n == steps/2-1 || n == steps-1 {
						r.must(r.Tangents(r.measured, tangents))
						for i, x := range tangents {
							forwards += x * weights[n/(steps-1)][i]
						}
					}
				}
				backwards, size := 0.0, 0.0
				account := func(of []int, seeds []float64) {
					result := make([]float64, len(of))
					r.must(r.Adjoints(of, result))
					by[k] = append(by[k], result...)
					for i, x := range result {
						backwards += x * seeds[i]
						size += math.Abs(x * seeds[i])
					}
				}
				r.must(r.AddAdjoints(r.measured, weights[1]))
				for n := steps - 1; n >= 0; n-- {
					r.must(r.StepBack())
					account(r.inputs, inputs[n])
					if n == steps/2 {
						r.must(r.AddAdjoints(r.measured, weights[0]))
					}
				}
				account(r.starts, seeds)
				if !(math.Abs(forwards-backwards) <= 1e-12*size) || size == 0 {
					t.Errorf("%s, %s: %.17g forwards, %.17g backwards, of %g", model, method, forwards, backwards, size)
				}
				r.End()
			}
			if !slices.Equal(by[0], by[1]) {
				t.Errorf("%s, %s: the derivatives depend on the memory", model, method)
			}
		}
	}
}

// Derivatives by parameters and start values agree with differences of runs, extrapolated after Richardson: to 1e-7 of
// the largest in the row, or three times the estimated error of the extrapolation.
func TestDerivedRunAgreeWithDifferencesOfRuns(t *testing.T) {
	for model, inputs := range map[string]map[string]float64{
		"generic4w":     {"steer_FL.angle": 0.02, "steer_FR.angle": 0.02},
		"passenger_car": {"steering.angle": 0.3, "engine.throttle": 0.1},
	} {
		s := load(t, model, "")
		variables := s.Variables()
		drive := func(r *rolled, step func(h float64) error) {
			for n := range 50 {
				for name, size := range inputs {
					r.set(name, size*math.Sin(float64(n)/8))
				}
				r.must(step(0.01))
			}
		}
		r := roll(t, s, "rk4", 1e-3, 0, 1<<28)
		of := []int{r.index("body.wz"), r.index("body.vy"), r.index("body.roll"), r.index("tire_FL.Fz")}
		random := rand.New(rand.NewPCG(3, 5))
		random.Shuffle(len(r.starts), func(i, j int) { r.starts[i], r.starts[j] = r.starts[j], r.starts[i] })
		end := func(i int, change float64) []float64 { // of a run with a changed number
			in, err := s.Instantiate()
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			q := &rolled{t: t, in: in}
			q.must(in.SetText(cosim.MethodVariable, "rk4"))
			q.set(cosim.StepVariable, 1e-3)
			q.must(in.Set(i, variables[i].Start+change))
			q.must(in.Initialise())
			drive(q, in.Step)
			y := make([]float64, len(of))
			for k, v := range of {
				y[k], err = in.Get(v)
				q.must(err)
			}
			return y
		}
		rows, largest := make([][]float64, len(of)), make([]float64, len(of))
		for k, v := range of {
			back := roll(t, s, "rk4", 1e-3, 0, 1<<28)
			back.must(back.Initialise())
			drive(back, back.Step)
			back.must(back.AddAdjoints([]int{v}, []float64{1}))
			for range 50 {
				back.must(back.StepBack())
			}
			rows[k] = make([]float64, len(r.starts))
			back.must(back.Adjoints(r.starts, rows[k]))
			for j, i := range r.starts {
				largest[k] = max(largest[k], math.Abs(rows[k][j])*max(math.Abs(variables[i].Start), 0.1))
			}
		}
		for j, i := range r.starts[:min(testrun.Either(4, 60), len(r.starts))] {
			why := slices.Repeat([]string{"was not compared"}, len(of))
			size := max(math.Abs(variables[i].Start), 0.1)
			for _, relative := range []float64{1e-4, 1e-5, 1e-6, 1e-7} { // knots of curves spoil long differences
				var table [3][]float64 // central differences with steps h, h/2, h/4
				for level := range table {
					h := relative * size / float64(int(1)<<level)
					up, down := end(i, h), end(i, -h)
					for k := range of {
						table[level] = append(table[level], (up[k]-down[k])/(2*h))
					}
				}
				for k := range of {
					if why[k] != "" {
						why[k] = disagreement(rows[k][j], [3]float64{table[0][k], table[1][k], table[2][k]}, largest[k]/size)
					}
				}
			}
			for k := range of {
				if why[k] != "" {
					t.Errorf("%s: d %s/d %s %s", model, variables[of[k]].Name, variables[i].Name, why[k])
				}
			}
		}
	}
}

// disagreement compares a derivative with differences with steps h, h/2 and h/4; largest is the largest derivative of
// its row.
func disagreement(derivative float64, differences [3]float64, largest float64) string {
	first, second := (4*differences[1]-differences[0])/3, (4*differences[2]-differences[1])/3
	best := (16*second - first) / 15
	if allowed := max(1e-7*largest, 3*math.Abs(best-second)); !(math.Abs(derivative-best) <= allowed) {
		return fmt.Sprintf("is %.12g, by differences %.12g, allowed %.2g", derivative, best, allowed)
	}
	return ""
}

// A mass on a spring has linear steps: RK4 multiplies the state by its polynomial of stability. The derivatives of the
// product by stiffness, mass and start are those of matrices.
func TestDerivedRunOfALinearModelHasClosedDerivatives(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "spring"
gravity = 0
[parameters]
k = { value = 900, unit = "N/m" }
m = { value = 2, unit = "kg" }
[component.joint]
type = "prismatic"
from = "ground"
to = "mass"
axis = "z"
start = { s = 0.1, s_dot = 0.3 }
[component.mass]
type = "rigid-body"
mass = "m"
inertia = { xx = 1, yy = 1, zz = 1 }
[component.spring]
type = "spring-damper"
joint = "joint"
stiffness = "k"
damping = 0
free_length = 0
`), "spring.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := cosim.New(m, cosim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const h, steps = 0.01, 200
	r := roll(t, s, "rk4", h, 4, 1<<20)
	by := []int{r.index("k"), r.index("m"), r.index("joint.s"), r.index("joint.s_dot")}
	unit := make([]float64, 16)
	for i := range 4 {
		unit[5*i] = 1
	}
	r.must(r.SetTangents(by, unit))
	r.must(r.Initialise())
	x, dx := [2]float64{0.1, 0.3}, [4][2]float64{{}, {}, {1, 0}, {0, 1}}
	const w2 = 900. / 2
	for range steps {
		r.must(r.Step(h))
		// z = h^2 w^2: P = a I + b A with A = (0, 1; -w^2, 0)
		z := h * h * w2
		a, b := 1-z/2+z*z/24, h*(1-z/6)
		da, db := h*h*(-0.5+z/12), h*h*h*(-1./6)
		next := func(x [2]float64) [2]float64 { return [2]float64{a*x[0] + b*x[1], a*x[1] - w2*b*x[0]} }
		by := [2]float64{da*x[0] + db*x[1], da*x[1] - (b+w2*db)*x[0]} // by w^2
		for k, dw2 := range []float64{1. / 2, -w2 / 2, 0, 0} {
			dx[k] = next(dx[k])
			dx[k][0] += by[0] * dw2
			dx[k][1] += by[1] * dw2
		}
		x = next(x)
	}
	values := make([]float64, 8)
	of := by[2:]
	r.must(r.Tangents(of, values))
	for i := range 2 {
		r2 := make([]float64, 4)
		if i == 0 {
			r.must(r.AddAdjoints(of[:1], []float64{1}))
			for range steps {
				r.must(r.StepBack())
			}
			r.must(r.Adjoints(by, r2))
		}
		for k := range 4 {
			if want := dx[k][i]; !(math.Abs(values[4*i+k]-want) <= 1e-12*max(1, math.Abs(want))) {
				t.Errorf("tangent %d of state %d is %.15g, want %.15g", k, i, values[4*i+k], want)
			}
			if want := dx[k][i]; i == 0 && !(math.Abs(r2[k]-want) <= 1e-12*max(1, math.Abs(want))) {
				t.Errorf("adjoint %d is %.15g, want %.15g", k, r2[k], want)
			}
		}
	}
}

// A run with derivatives has the bits of a run without, and can be followed by steps without.
func TestDerivedRunDoNotChangeTheRun(t *testing.T) {
	s := load(t, "passenger_car", "")
	r := roll(t, s, "heun", 1e-3, 2, 1<<20)
	plain, err := s.Instantiate()
	if err != nil {
		t.Fatal(err)
	}
	defer plain.Close()
	r.must(plain.SetText(cosim.MethodVariable, "heun"))
	r.must(plain.Initialise())
	r.must(r.Initialise())
	for n := range 30 {
		if n == 20 {
			r.End()
		}
		for _, in := range []*cosim.Instance{r.in, plain} {
			r.must(in.Set(r.index("steering.angle"), 0.01*float64(n)))
		}
		step := r.Step
		if n >= 20 {
			step = r.in.Step
		}
		r.must(step(0.0123))
		r.must(plain.Step(0.0123))
		for i, v := range s.Variables() {
			if v.Kind == cosim.Text {
				continue
			}
			x, err := r.in.Get(i)
			y, other := plain.Get(i)
			if x != y && (x == x || y == y) || (err == nil) != (other == nil) {
				t.Fatalf("%s is %v, without derivatives %v", v.Name, x, y)
			}
		}
	}
}

// Runs without derivatives are refused with the reason, and so are calls at the wrong time.
func TestDerivedRunRefuse(t *testing.T) {
	for _, c := range []struct{ model, method, reason string }{
		{"generic4w", "linearly-implicit", "use euler, heun or rk4"},
		{"motorcycle2d", "rk4", "impacts of wheel contacts"},
		{"passenger_car_controlled", "rk4", "act at samples"},
	} {
		r := roll(t, load(t, c.model, ""), c.method, 1e-3, 1, 1000)
		if err := r.Initialise(); !errors.Is(err, cosim.ErrNoGradient) || !strings.Contains(err.Error(), c.reason) {
			t.Errorf("%s by %s: %v", c.model, c.method, err)
		}
	}
	s := load(t, "generic4w", "")
	r := roll(t, s, "heun", 1e-3, 1, 20_000)
	wants := func(err error, reason string) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), reason) {
			t.Errorf("%v; wanted %s", err, reason)
		}
	}
	mass, steer := r.index("body.mass"), r.index("steer_FL.angle")
	wants(r.StepBack(), "not initialised")
	wants(r.Tangents([]int{mass}, []float64{0}), "not initialised")
	wants(r.SetTangents([]int{r.index("solver.step")}, []float64{1}), "no derivative by solver.step")
	wants(r.SetTangents([]int{mass}, []float64{math.NaN()}), "finite")
	wants(r.SetTangents([]int{mass}, nil), "there must be 1")
	r.must(r.Initialise())
	wants(r.SetTangents([]int{mass}, []float64{1}), "body.mass")
	wants(r.Tangents([]int{steer}, []float64{0}), "has no derivatives")
	var err error
	for range 100 {
		if err = r.Step(0.01); err != nil {
			break
		}
	}
	wants(err, "more memory")
	if _, err := r.in.CarryDerivatives(1, 0); err == nil {
		t.Error("derivatives after the initialisation")
	}
	q := roll(t, s, "heun", 1e-3, 0, 1<<20)
	q.must(q.Initialise())
	q.must(q.Step(0.01))
	q.must(q.AddAdjoints([]int{q.index("body.vx")}, []float64{1}))
	wants(q.Step(0.01), "gone back")
	wants(q.Adjoints([]int{mass}, []float64{0}), "go back over 1 more step")
	q.must(q.StepBack())
	wants(q.StepBack(), "beginning")
	p := roll(t, s, "heun", 1e-3, 1, 0)
	p.must(p.Initialise())
	wants(p.StepBack(), "not recorded")
}
