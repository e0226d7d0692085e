package cosim_test

import (
	"errors"
	"math"
	"strings"
	"testing"

	"skidpad/cosim"
)

// moved returns a vehicle at the same point as this one, except for one change.
func (r *run) moved(change func(n *run)) *run {
	r.Helper()
	n := instance(r.TB, r.sys, "rk4", 0.001)
	for i, v := range r.sys.Variables() {
		if v.Kind == cosim.Parameter {
			x, err := r.in.Get(i)
			if err == nil {
				err = n.in.Set(i, x)
			}
			if err != nil {
				r.Fatal(err)
			}
		}
	}
	change(n)
	n.start(noInput)
	inputs := make([]float64, r.sys.First(cosim.Output)-r.sys.First(cosim.Input))
	r.in.Inputs(inputs)
	for k, x := range inputs {
		if err := n.in.Set(r.sys.First(cosim.Input)+k, x); err != nil {
			r.Fatal(err)
		}
	}
	if err := n.in.SetStates(r.states()); err != nil {
		r.Fatal(err)
	}
	return n
}

// differentiable lists rates and outputs of a model, and its states, inputs and some parameters.
func (r *run) differentiable(parameters ...string) (unknowns, knowns []int) {
	for i, v := range r.sys.Variables() {
		switch {
		case v.Kind == cosim.Rate, v.Kind == cosim.Output && v.State < 0:
			unknowns = append(unknowns, i)
		case v.Initial, v.State >= 0 && r.in.Time() > 0, v.Kind == cosim.Input:
			knowns = append(knowns, i)
		}
	}
	for _, name := range parameters {
		knowns = append(knowns, r.variable(name))
	}
	return unknowns, knowns
}

// A Jacobian in the middle of a turn with brakes agrees with central differences. The Jacobian contains every rate and
// output by every state and input, and by parameters.
func TestJacobianAgreesWithDifferences(t *testing.T) {
	for model, parameters := range map[string][]string{
		"generic4w": {"body.mass", "tire_FL.vertical_stiffness", "spring_RR.stiffness"}, "skidder": nil,
		"passenger_car": {"sprung", "front_bar"},
	} {
		s := load(t, model, "")
		r := instance(t, s, "rk4", 0.001)
		drive := noInput
		switch model {
		case "generic4w":
			drive = cornering
		case "passenger_car":
			drive = func(r *run, t float64) {
				r.set("steering.angle", 0.5*min(1, 5*t))
				r.set("brakes.torque", 600*min(1, 5*t))
				r.set("engine.throttle", 0.3) // between its limits
			}
		}
		r.start(drive)
		r.drive(drive, 0.001, 0.6)
		unknowns, knowns := r.differentiable(parameters...)
		matrix := make([]float64, len(unknowns)*len(knowns))
		if err := r.in.Jacobian(unknowns, knowns, matrix); err != nil {
			t.Fatal(err)
		}
		x := r.states()
		values := func(known int, by float64) []float64 {
			v := s.Variables()[known]
			n := r
			switch {
			case v.Kind == cosim.Parameter:
				at := r.get(v.Name)
				n = r.moved(func(n *run) { n.set(v.Name, at+by) })
			case v.Kind == cosim.Input:
				at := r.get(v.Name)
				r.set(v.Name, at+by)
				defer r.set(v.Name, at)
			default:
				to := append([]float64(nil), x...)
				to[v.State] += by
				if err := r.in.SetStates(to); err != nil {
					t.Fatal(err)
				}
				defer r.in.SetStates(x)
			}
			list := make([]float64, len(unknowns))
			for i, u := range unknowns {
				var err error
				if list[i], err = n.in.Get(u); err != nil {
					t.Fatal(err)
				}
			}
			return list
		}
		scale := make([]float64, len(unknowns))
		for i := range unknowns {
			for j := range knowns {
				scale[i] = max(scale[i], math.Abs(matrix[i*len(knowns)+j]))
			}
		}
		wrong, largest := 0, 0.0
		for j, k := range knowns {
			h := 1e-6
			if x := r.get(s.Variables()[k].Name); math.Abs(x) > 1 {
				h *= math.Abs(x)
			}
			a, b, c, d := values(k, h), values(k, -h), values(k, 2*h), values(k, -2*h)
			for i, u := range unknowns {
				want, got := (8*(a[i]-b[i])-(c[i]-d[i]))/(12*h), matrix[i*len(knowns)+j]
				noise := 1e-14 * max(math.Abs(a[i]), math.Abs(b[i])) / h
				if off := math.Abs(got - want); off > 1e-6*scale[i]+30*noise {
					if wrong++; wrong < 10 {
						t.Errorf("%s: d %s/d %s is %.9g, by differences %.9g", model, s.Variables()[u].Name, s.Variables()[k].Name,
							got, want)
					}
				}
				largest = max(largest, math.Abs(got))
			}
		}
		if largest < 1 {
			t.Errorf("%s: all derivatives are small", model)
		}
	}
}

// Columns are bit-identical to Directional, and a Jacobian does not change the run. Variables without derivatives are
// named.
func TestJacobianIsMadeOfDirectionalDerivatives(t *testing.T) {
	s := load(t, "generic4w_carcass", "")
	for _, started := range []bool{false, true} {
		r, other := instance(t, s, "rk4", 0.001), instance(t, s, "rk4", 0.001)
		if started {
			for _, r := range []*run{r, other} {
				r.start(cornering)
				r.drive(cornering, 0.001, 0.1)
			}
		}
		unknowns, knowns := r.differentiable("body.mass")
		matrix := make([]float64, len(unknowns)*len(knowns))
		if err := r.in.Jacobian(unknowns, knowns, matrix); err != nil {
			t.Fatal(err)
		}
		column := make([]float64, len(unknowns))
		for j := range knowns {
			if err := other.in.Directional(unknowns, knowns[j:j+1], []float64{1}, column); err != nil {
				t.Fatal(err)
			}
			for i, want := range column {
				if got := matrix[i*len(knowns)+j]; got != want {
					t.Fatalf("%s by %s: %v, not %v", s.Variables()[unknowns[i]].Name, s.Variables()[knowns[j]].Name, got, want)
				}
			}
		}
		if started {
			r.drive(cornering, 0.001, 0.2)
			fresh := instance(t, s, "rk4", 0.001)
			fresh.start(cornering)
			fresh.drive(cornering, 0.001, 0.1)
			fresh.drive(cornering, 0.001, 0.2)
			for i, x := range fresh.states() {
				if y := r.states()[i]; x != y {
					t.Fatalf("state %d is %v after a Jacobian, else %v", i, y, x)
				}
			}
		}
	}
	r := instance(t, s, "rk4", 0.001)
	r.start(noInput)
	number := make([]float64, 1)
	ay, mass, load := r.variable("body.ay"), r.variable("body.mass"), r.variable("tire_FL.LMUY")
	for want, err := range map[string]error{
		"body.mass has no derivatives":                       r.in.Jacobian([]int{mass}, []int{mass}, number),
		"nothing can be differentiated by body.ay now":       r.in.Jacobian([]int{ay}, []int{ay}, number),
		"nothing can be differentiated by tire_FL.LMUY, a c": r.in.Jacobian([]int{ay}, []int{load}, number),
		"body.mass has no derivatives; out":                  r.in.Jacobian([]int{mass}, nil, nil),
		"no such variable":                                   r.in.Jacobian([]int{ay}, []int{-1}, number),
	} {
		if _, is := errors.AsType[cosim.VariableError](err); !is || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, not %q", err, want)
		}
	}
	if err := r.in.Jacobian(nil, nil, nil); err != nil {
		t.Error(err)
	}
}
