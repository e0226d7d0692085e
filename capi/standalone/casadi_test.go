package standalone

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"skidpad/cosim"
	"skidpad/harness/tests/testrun"
	"skidpad/model/program"
)

// Functions for CasADi are bit-identical to the library: rates and outputs with their derivatives, and steps.
// Derivatives of steps agree with differences of steps, and all forms of derivatives agree. Without a parameter as
// argument, all parameters are constants.
func TestCasADiFunctionsAreBitIdenticalToLibrary(t *testing.T) {
	testrun.Slow(t)
	for _, c := range testrun.Either([][3]string{
		{"generic4w_fourpost", "heun", "body.mass"}, {"bicycle", "rk4", ""},
	}, [][3]string{
		{"bicycle", "euler", "radius_R"}, {"bicycle", "heun", "radius_R"}, {"skidder", "rk4", "corner_x"},
		{"passenger_car", "rk4", "body.inertia_zz"}, {"generic4w_fourpost", "heun", "body.mass"},
		{"generic4w", "euler", ""}, {"generic4w_carcass", "rk4", ""}, {"passenger_car", "heun", ""},
	}) {
		t.Run(c[0]+"_"+c[1]+"_"+c[2], func(t *testing.T) {
			testCasADi(t, initialised(t, c[0], "solver.method", c[1]), c[2])
		})
	}
}

func testCasADi(t *testing.T, in *cosim.Instance, parameter string) {
	t.Helper()
	d := newDifferentiation(t, in)
	plan, _ := in.Plan()
	p := in.System().Program()
	nx, nu, np, ny := len(p.States), len(p.Inputs)-p.Controls, 0, len(d.values)-len(p.States)
	first := len(p.Parameters)
	known := slices.Clone(d.by[first : first+nx+nu])
	var vary []string
	var value []float64
	if parameter != "" {
		k := slices.IndexFunc(p.Parameters, func(v program.Variable) bool { return v.Name == parameter })
		vary, value, np, known = []string{parameter}, []float64{p.Parameters[k].Start}, 1, append(known, d.by[k])
	}
	d.zeros = np == 0
	folder := written(t, in, Options{Name: "vehicle", CasADi: true, Vary: vary})
	r := rand.New(rand.NewPCG(2, 5))
	random := func(n int) []float64 {
		list := make([]float64, n)
		for i := range list {
			list[i] = r.NormFloat64()
		}
		return list
	}
	x, u := slices.Clone(plan.X[:nx]), slices.Clone(plan.U[:nu])
	for i := range x { // away from the steady motion
		x[i] += 0.003 * r.NormFloat64()
	}
	if err := in.SetStates(x); err != nil {
		t.Fatal(err)
	}
	for i := range u { // prescribed motions move
		if moved := u[i] + 0.01*r.NormFloat64(); in.Check(known[nx+i], moved) == nil && in.Set(known[nx+i], moved) == nil {
			u[i] = moved
		}
	}
	const h, longer = 0.0023, 0.1 // three solver steps, and more than the backward sweep stores
	dx, du, dp, dh := random(4*nx), random(4*nu), random(4*np), random(4)
	weights := [2][]float64{random(nx), random(ny)}
	c := &vehicleInC{order: binary.NativeEndian}
	for _, list := range [][]float64{x, u, value, {h}, dx, du, dp, dh, {longer},
		weights[0], weights[1]} {
		binary.Write(&c.commands, c.order, list)
	}
	c.run(t, compiledFrom(t, folder, "casadi", "gcc -O0"))
	for i, of := range [][]int{d.values[:nx], d.values[nx:]} {
		got := c.numbers(t, len(of))
		for k, variable := range of {
			if variable < 0 {
				continue
			}
			if want, err := in.Get(variable); err != nil || !same(got[k], want) {
				t.Fatalf("%s is %v, in the library %v (%v)", in.System().Variables()[variable].Name, got[k], want, err)
			}
		}
		unknowns, _ := among(of, make([]float64, len(of)))
		want := make([]float64, len(unknowns)*len(known))
		if err := in.Jacobian(unknowns, known, want); err != nil {
			t.Fatal(err)
		}
		jacobian := c.numbers(t, len(of)*len(known)) // column by column
		for column := range known {
			row := 0
			for k, variable := range of {
				if variable < 0 {
					continue
				}
				if got := jacobian[column*len(of)+k]; got != want[row*len(known)+column] {
					t.Fatalf("Jacobian of %s by %s: %v, in the library %v", in.System().Variables()[variable].Name,
						in.System().Variables()[known[column]].Name, got, want[row*len(known)+column])
				}
				row++
			}
		}
		for n := range 4 {
			seed := slices.Concat(dx[n*nx:(n+1)*nx], du[n*nu:(n+1)*nu], dp[n*np:(n+1)*np])
			want := make([]float64, len(unknowns))
			if err := in.Directional(unknowns, known, seed, want); err != nil {
				t.Fatal(err)
			}
			d.compare("along", of, c.numbers(t, len(of)), want)
		}
		_, seed := among(of, weights[i])
		want = make([]float64, len(known))
		if err := in.Adjoint(unknowns, known, seed, want); err != nil {
			t.Fatal(err)
		}
		d.compare("against", known, c.numbers(t, len(known)), want)
	}
	d.steps(c, h, slices.Concat(x, u, value, []float64{h}), known, [4][]float64{dx, du, dp, dh})
	d.backSteps(c, nx+nu+np+1, weights[0])
}

// steps compares a step with the library, and its derivatives with differences.
func (d *differentiation) steps(c *vehicleInC, h float64, at []float64, known []int, directions [4][]float64) {
	d.Helper()
	p := d.in.System().Program()
	nx, nu := len(p.States), len(p.Inputs)-p.Controls
	after := c.numbers(d.T, nx)
	jacobian := c.numbers(d.T, nx*len(at))
	for n := range 4 { // both forms have the same sums, in another order
		var direction []float64
		for _, list := range directions {
			direction = append(direction, list[n*len(list)/4:(n+1)*len(list)/4]...)
		}
		for i, got := range c.numbers(d.T, nx) {
			want, size := 0.0, 0.0
			for k, x := range direction {
				want += x * jacobian[k*nx+i]
				size += math.Abs(x * jacobian[k*nx+i])
			}
			if math.Abs(got-want) > 1e-9*size+1e-12 {
				d.Fatalf("step along direction %d: state %d: %v, by the Jacobian %v", n, i, got, want)
			}
		}
	}
	step := func(at []float64) []float64 {
		in, err := d.in.System().Instantiate()
		if err != nil {
			d.Fatal(err)
		}
		defer in.Close()
		method, _ := d.in.Text("solver.method")
		err = in.SetText("solver.method", method)
		if err == nil && len(known) > nx+nu {
			err = in.Set(known[nx+nu], at[nx+nu])
		}
		if err == nil {
			err = in.Initialise()
		}
		for k, i := range known[nx : nx+nu] {
			if err == nil {
				err = in.Set(i, at[nx+k])
			}
		}
		if err == nil {
			err = in.SetStates(at[:nx])
		}
		if err == nil {
			err = in.Step(at[len(at)-1])
		}
		if err != nil {
			d.Fatal(err)
		}
		plan, _ := in.Plan()
		return slices.Clone(plan.X[:nx])
	}
	for i, want := range step(at) {
		if !same(after[i], want) {
			d.Fatalf("step: state %d is %v, in the library %v", i, after[i], want)
		}
	}
	for k := range at {
		size, rounding := 1e-6*max(1, math.Abs(at[k])), 1e-8
		if k == len(at)-1 {
			size, rounding = 1e-8, 1e-6
		}
		up, down := slices.Clone(at), slices.Clone(at)
		up[k] += size
		down[k] -= size
		if k >= nx && k < nx+nu && d.in.Check(known[k], down[k]) != nil {
			continue // inputs that must not be negative
		}
		above, below := step(up), step(down)
		for i := range nx {
			got, want := jacobian[k*nx+i], (above[i]-below[i])/(up[k]-down[k])
			agrees := func(want float64) bool {
				return math.Abs(got-want) <= 1e-5*math.Abs(want)+rounding*(1+math.Abs(after[i]))
			}
			if !agrees(want) && !agrees((above[i]-after[i])/(up[k]-at[k])) { // at a kink, the derivative of one side
				d.Errorf("step: d state %d/d %d: %v, by differences %v", i, k, got, want)
			}
		}
	}
}

// backSteps compares derivatives of a sum of states after a step with the Jacobian.
func (d *differentiation) backSteps(c *vehicleInC, variables int, weights []float64) {
	d.Helper()
	nx := len(weights)
	jacobian := c.numbers(d.T, nx*variables)
	for k, got := range c.numbers(d.T, variables) {
		want, size := 0.0, 0.0
		for i, weight := range weights {
			want += weight * jacobian[k*nx+i]
			size += math.Abs(weight * jacobian[k*nx+i])
		}
		if math.Abs(got-want) > 1e-9*size+1e-12 {
			d.Errorf("back over a step: by variable %d: %v, by the Jacobian %v", k, got, want)
		}
	}
}

// Functions for CasADi and acados have no time. They are rejected if equations or a formula of a road mention the time.
func TestCasADiFunctionsHaveNoTime(t *testing.T) {
	refused := func(in *cosim.Instance, why string) {
		t.Helper()
		for _, o := range []Options{{Name: "vehicle", CasADi: true}, {Name: "vehicle", Acados: true}} {
			_, err := Files([]*cosim.Instance{in}, o)
			if why == "" && err != nil || why != "" && (err == nil || !strings.Contains(err.Error(), why)) {
				t.Errorf("%v; want %q", err, why)
			}
		}
	}
	clock := initialised(t, "redbike_gyroscope_controlled", "solver.method", "euler")
	refused(clock, "equations of the model mention the time")
	for _, c := range [][2]string{{"0.01*sin(x)", ""}, {"0.01*sin(x + 3*t)", "road: a formula mentions the time t"}} {
		for _, key := range []string{"", "friction_"} {
			in := onTerrain(t, "generic4w", key+"kind", "formula", key+"formula", c[0])
			if err := in.Initialise(); err != nil {
				t.Fatal(err)
			}
			refused(in, c[1])
		}
	}
}
