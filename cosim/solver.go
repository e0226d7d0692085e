package cosim

import (
	"fmt"
	"strings"
)

// problem is what a solver integrates: dx = f(t, x), with the inputs continued for t
// from when they were set.
type problem interface {
	rates(t float64, x, dx []float64)
	// linearise writes the rates, and prepares solve for the Jacobian J there and a number c.
	linearise(t float64, x, dx []float64, c float64)
	// solve replaces r by the k of (I - c J) k = r.
	solve(r []float64)
}

// solver makes one step of fixed cost. It owns its scratch memory.
type solver interface {
	// step maps x at t to x at t + h, in place.
	step(p problem, t, h float64, x []float64)
}

// methods lists the solvers by name; n is the number of states.
var methods = []struct {
	name string
	make func(n int) solver
}{
	{"euler", func(n int) solver { return &euler{make([]float64, n)} }},
	{"heun", newHeun},
	{"rk4", newRK4},
	{"linearly-implicit", newLinearlyImplicit},
	{"dlmm", func(n int) solver { return &dlmm{base: newRK4(n).(*rk4)} }},
	{"dlmm-euler", func(n int) solver { return &dlmm{k: make([]float64, n)} }},
	{"clmm", func(n int) solver { return &clmm{newRK4(n)} }},
	{"stabilised-ode", func(n int) solver { return &stabilisedODE{rk4: newRK4(n)} }},
	{"post-stabilisation", func(n int) solver { return &projected{rk4: newRK4(n), iterations: 1} }},
	{"coordinate-projection", func(n int) solver { return &projected{rk4: newRK4(n), iterations: newtonIterations} }},
}

func newSolver(method string, n int) (solver, error) {
	var names []string
	for _, m := range methods {
		if m.name == method {
			return m.make(n), nil
		}
		names = append(names, m.name)
	}
	return nil, fmt.Errorf("there is no solver method %q; there are %s", method, strings.Join(names, ", "))
}

// firstNonFinite returns the index of the first entry that is not finite, -1 for none.
func firstNonFinite(x []float64) int {
	for i, v := range x {
		if v-v != 0 {
			return i
		}
	}
	return -1
}
