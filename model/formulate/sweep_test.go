package formulate_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/program"
)

// sweeps is a vehicle near its start, where derivatives are taken. Variables are parameters, states
// and inputs, values are rates and outputs.
type sweeps struct {
	p     *program.Program
	m     program.Machine
	at    []float64 // of the variables
	sizes []float64 // possible changes of the variables
}

func newSweeps(t *testing.T, name, tree string) *sweeps {
	t.Helper()
	s := &sweeps{}
	s.p, s.m = machine(t, read(t, name), formulate.Options{Tree: tree})
	bind(t, s.p, s.m)
	r := rand.New(rand.NewPCG(31, 32))
	for _, v := range s.p.Parameters {
		s.at = append(s.at, v.Start)
	}
	var u []float64
	for _, v := range s.p.Inputs {
		u = append(u, v.Start+0.02*r.Float64())
	}
	x := start(t, s.p, s.m, nil, u)
	for i := range x {
		x[i] += 0.003 * r.NormFloat64()
	}
	s.at = append(append(s.at, x...), u...)
	for _, a := range s.at {
		s.sizes = append(s.sizes, max(5e-2, math.Abs(a)))
	}
	return s
}

func (s *sweeps) name(k int) string {
	for _, list := range [][]program.Variable{s.p.Parameters, s.p.States, s.p.Inputs} {
		if k < len(list) {
			return list[k].Name
		}
		k -= len(list)
	}
	return ""
}

func (s *sweeps) valueName(i int) string {
	if i < len(s.p.States) {
		return "rate of " + s.p.States[i].Name
	}
	return s.p.Outputs[i-len(s.p.States)].Name
}

func (s *sweeps) split() (values, x, u []float64) {
	n, k := len(s.p.Parameters), len(s.p.Parameters)+len(s.p.States)
	return s.at[:n], s.at[n:k], s.at[k:]
}

// values evaluates rates, outputs and the initial state.
func (s *sweeps) values() []float64 {
	values, x, u := s.split()
	s.m.SetParameters(values)
	dx, y, x0 := make([]float64, len(x)), make([]float64, len(s.p.Outputs)), make([]float64, len(x))
	s.m.Derivatives(0, x, u, dx)
	s.m.Outputs(y)
	s.m.Start(u, x0)
	return append(append(dx, y...), x0...)
}

// along returns the derivatives of the same along a direction.
func (s *sweeps) along(direction []float64) []float64 {
	values, x, u := s.split()
	s.m.SetParameters(values)
	result := make([]float64, 2*len(x)+len(s.p.Outputs))
	s.m.Tangent().At(x, u, direction, result[:len(x)+len(s.p.Outputs)])
	s.m.Tangent().Start(u, direction, result[len(x)+len(s.p.Outputs):])
	return result
}

// against returns the derivatives of their sum with weights by all variables.
func (s *sweeps) against(weights []float64) []float64 {
	values, x, u := s.split()
	s.m.SetParameters(values)
	result, further := make([]float64, len(s.at)), make([]float64, len(s.at))
	n := len(x) + len(s.p.Outputs)
	s.m.Adjoint().At(x, u, weights[:n], result)
	s.m.Adjoint().Start(u, weights[n:], further)
	for i := range result {
		result[i] += further[i]
	}
	return result
}

// columns returns all derivatives, by variable and value.
func (s *sweeps) columns() [][]float64 {
	list, direction := make([][]float64, len(s.at)), make([]float64, len(s.at))
	for k := range list {
		direction[k] = 1
		list[k] = s.along(direction)
		direction[k] = 0
	}
	return list
}

// All derivatives of vehicles by sweeps, also of vehicles with curves, terrain and constraints, agree with differences
// of the fourth order, and backward sweeps with forward sweeps.
func TestSweepsAgreeWithDifferences(t *testing.T) {
	for _, c := range []struct{ model, tree string }{
		{"generic4w", ""}, {"generic4w_fiala", ""}, {"skidder", ""}, {"skidder", "tire"}, {"generic4w_driveline", ""},
		{"generic4w_gearbox", ""},
		{"passenger_car", ""}, {"tractor_semitrailer", ""}, {"halfcar", ""}, {"bicycle_rolling", ""}, {"motorcycle2d", ""},
		{"truck_trailer", ""}, {"bicycle_controlled", ""}, {"redbike_gyroscope_controlled", ""},
	} {
		t.Run(c.model+c.tree, func(t *testing.T) {
			t.Parallel()
			s := newSweeps(t, c.model, c.tree)
			columns := s.columns()
			for k, got := range columns {
				old := s.at[k]
				h := 2e-5 * s.sizes[k]
				var f [4][]float64
				for n, d := range [...]float64{-2, -1, 1, 2} {
					s.at[k] = old + d*h
					f[n] = s.values()
				}
				s.at[k] = old
				for i := range got {
					want := (f[0][i] - 8*f[1][i] + 8*f[2][i] - f[3][i]) / (12 * h)
					noise := 1e-13 * (math.Abs(f[0][i]) + 100) / h // of the difference itself
					if !(math.Abs(got[i]-want) <= 1e-6*max(1, math.Abs(want))+noise) {
						t.Errorf("value %d by %s is %.10g, by differences %.10g", i, s.name(k), got[i], want)
					}
				}
			}
			r := rand.New(rand.NewPCG(33, 34))
			direction, weights := make([]float64, len(s.at)), make([]float64, len(columns[0]))
			for k := range direction {
				direction[k] = s.sizes[k] * r.NormFloat64()
			}
			for i := range weights {
				weights[i] = r.NormFloat64()
			}
			forwards, backwards, size := 0.0, 0.0, 0.0
			for i, d := range s.along(direction) {
				forwards += weights[i] * d
			}
			for k, d := range s.against(weights) {
				backwards += direction[k] * d
				for i, w := range weights {
					size += math.Abs(w * columns[k][i] * direction[k])
				}
			}
			if !(math.Abs(forwards-backwards) <= 1e-13*size) {
				t.Errorf("forwards %.17g, backwards %.17g, of terms of %g", forwards, backwards, size)
			}
			code, err := s.p.Native(s.p.Tape())
			if err != nil {
				return // no machine code here
			}
			native := &sweeps{p: s.p, m: s.p.NewMachine(code), at: s.at}
			bind(t, s.p, native.m)
			if !slices.Equal(native.along(direction), s.along(direction)) ||
				!slices.Equal(native.against(weights), s.against(weights)) {
				t.Error("machine code and interpreter differ")
			}
		})
	}
}

// A new binding renews the derivatives, also for functions that require other inputs; machines of one program are
// independent.
func TestSweepsFollowTheFunctions(t *testing.T) {
	s, other := newSweeps(t, "generic4w", ""), newSweeps(t, "generic4w_fiala", "")
	if len(s.at) != len(other.at) {
		t.Fatal("the vehicles differ by more than their tires")
	}
	rate := slices.IndexFunc(s.p.States, func(v program.Variable) bool { return v.Name == "body.wz" })
	direction := make([]float64, len(s.at))
	for k := range direction {
		direction[k] = s.sizes[k]
	}
	want := []float64{s.along(direction)[rate], other.along(direction)[rate]}
	if want[0] == want[1] {
		t.Fatal("both tires have the same slopes")
	}
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			own := &sweeps{p: s.p, m: s.p.NewTape(), at: s.at}
			for k, p := range []*program.Program{s.p, other.p, s.p} {
				for i := range p.Calls {
					f, inputs := tireFunction(t, p, i)
					if err := own.m.Bind(i, f, inputs); err != nil {
						t.Error(err)
					}
				}
				if got := own.along(direction)[rate]; !(math.Abs(got-want[k%2]) <= 1e-12*math.Abs(want[k%2])) {
					t.Errorf("binding %d: %.17g, expected %.17g", k, got, want[k%2])
				}
			}
		})
	}
	wait.Wait()
}

// springy is a tire function that knows no derivatives and does not ask for the normal force, which
// acts all the same.
type springy struct{}

func (springy) Eval(in, out []float64) {
	clear(out)
	out[1] = -3e4 * math.Tanh(2*in[0])
}

func TestSweepsOfFunctionsWithoutDerivatives(t *testing.T) {
	s := newSweeps(t, "generic4w", "")
	code, err := s.p.Native(s.p.Tape())
	if err != nil {
		code = s.p.Tape() // no machine code here
	}
	s.m = s.p.NewMachine(code)
	bind(t, s.p, s.m)
	for i, c := range s.p.Calls {
		if c.Outputs[0] != "Fx" {
			continue
		}
		if err := s.m.Bind(i, springy{}, []string{"alpha"}); err != nil {
			t.Fatal(err)
		}
	}
	direction := make([]float64, len(s.at))
	for k := range direction {
		direction[k] = 0.1 * s.sizes[k]
	}
	const h = 1e-4
	var f [2][]float64
	at := slices.Clone(s.at)
	for n, d := range [...]float64{-h, h} {
		for k := range at {
			s.at[k] = at[k] + d*direction[k]
		}
		f[n] = s.values()
	}
	copy(s.at, at)
	for i, got := range s.along(direction) {
		if want := (f[1][i] - f[0][i]) / (2 * h); !(math.Abs(got-want) <= 1e-5*max(10, math.Abs(want))) {
			t.Errorf("value %d is %.10g, by differences %.10g", i, got, want)
		}
	}
}

// Sweeps against the symbolic derivatives, which solve the equations of motion again.
func TestSweepsAreTheSymbolicDerivatives(t *testing.T) {
	for _, name := range []string{"generic4w", "skidder", "generic4w_driveline", "halfcar"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSweeps(t, name, "")
			columns := s.columns()
			values, x, u := s.split()
			largest := make([]float64, len(columns[0])) // of what a value changes by, each rounded
			for k, column := range columns {
				for i, d := range column {
					largest[i] = max(largest[i], math.Abs(d)*s.sizes[k])
				}
			}
			for _, of := range []struct {
				what program.Quantity
				from int
			}{{program.StateQuantity, 0}, {program.OutputQuantity, len(x)}} {
				for _, by := range []struct {
					what program.Quantity
					from int
				}{{program.ParameterQuantity, 0}, {program.StateQuantity, len(values)},
					{program.InputQuantity, len(values) + len(x)}} {
					j := s.m.Jacobian(of.what, by.what)
					jac := make([]float64, j.Rows*j.Columns)
					j.Evaluate(x, u, jac)
					for i := range j.Rows {
						for k := range j.Columns {
							got, want := columns[by.from+k][of.from+i], jac[i*j.Columns+k]
							if !(math.Abs(got-want) <= 1e-12*(math.Abs(want)+largest[of.from+i]/s.sizes[by.from+k])) {
								t.Errorf("%s by %s is %.17g, symbolically %.17g", s.valueName(of.from+i), s.name(by.from+k), got, want)
							}
						}
					}
				}
			}
		})
	}
}
