package formulate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/program"
)

// Symbolic Jacobians of rates and outputs by states, inputs and parameters
// against central differences of the program itself.
func TestJacobiansAgreeWithDifferences(t *testing.T) {
	for _, c := range []struct{ model, tree string }{{"generic4w_fiala", ""}, {"skidder", ""}, {"skidder", "tire"},
		{"generic4w_driveline", ""}, {"generic4w_gearbox", ""}, {"passenger_car", ""}} {
		p, m := machine(t, read(t, c.model), formulate.Options{Tree: c.tree})
		bind(t, p, m)
		r := rand.New(rand.NewPCG(21, 22))
		values := make([]float64, len(p.Parameters))
		for i, v := range p.Parameters {
			values[i] = v.Start
		}
		u := make([]float64, len(p.Inputs))
		for i, v := range p.Inputs {
			u[i] = v.Start + 0.02*r.Float64()
			if at, given := map[string]float64{"gearbox.gear": 2, "gearbox.clutch": 0.6}[v.Name]; given {
				u[i] = at
			}
		}
		x := start(t, p, m, nil, u)
		for i := range x {
			x[i] += 0.003 * r.NormFloat64() // all wheels stay well loaded
		}
		rates := func(x, u, values []float64) []float64 {
			m.SetParameters(values)
			dx := make([]float64, len(x))
			m.Derivatives(0, x, u, dx)
			return dx
		}
		outputs := func(x, u, values []float64) []float64 {
			rates(x, u, values)
			y := make([]float64, len(p.Outputs))
			m.Outputs(y)
			return y
		}
		for _, of := range []struct {
			what program.Quantity
			f    func(x, u, v []float64) []float64
			name func(i int) string
		}{
			{program.StateQuantity, rates, func(i int) string { return "rate of " + p.States[i].Name }},
			{program.OutputQuantity, outputs, func(i int) string { return p.Outputs[i].Name }},
		} {
			for _, by := range []struct {
				what program.Quantity
				at   []float64
				name func(i int) string
			}{
				{program.StateQuantity, x, func(i int) string { return p.States[i].Name }},
				{program.InputQuantity, u, func(i int) string { return p.Inputs[i].Name }},
				{program.ParameterQuantity, values, func(i int) string { return p.Parameters[i].Name }},
			} {
				long := c.tree == "tire" || c.model == "passenger_car"
				if long && (of.what != program.StateQuantity || by.what != program.StateQuantity) {
					continue // one Jacobian of a constrained system, and one with curves, is enough here
				}
				m.SetParameters(values)
				j := m.Jacobian(of.what, by.what)
				jac := make([]float64, j.Rows*j.Columns)
				j.Evaluate(x, u, jac)
				for k := range by.at {
					// fourth-order central difference
					old := by.at[k]
					h := 2e-5 * max(5e-2, math.Abs(old))
					var f [4][]float64
					for n, d := range [...]float64{-2, -1, 1, 2} {
						by.at[k] = old + d*h
						f[n] = of.f(x, u, values)
					}
					by.at[k] = old
					for i := range f[0] {
						want, got := (f[0][i]-8*f[1][i]+8*f[2][i]-f[3][i])/(12*h), jac[i*j.Columns+k]
						// rounding of the difference itself: values over the step
						noise := 1e-13 * (math.Abs(f[0][i]) + 100) / h
						if !(math.Abs(got-want) <= 1e-6*max(1, math.Abs(want))+noise) {
							t.Errorf("%s %s: d(%s)/d(%s) = %.10g, by differences %.10g", c.model, c.tree, of.name(i), by.name(k), got, want)
						}
						if !j.Pattern[i*j.Columns+k] && got != 0 {
							t.Errorf("%s %s: d(%s)/d(%s) is outside of the pattern but not zero", c.model, c.tree, of.name(i), by.name(k))
						}
					}
				}
			}
		}
	}
}
