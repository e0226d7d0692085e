package formulate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/model/expr"
	"skidpad/model/formulate"
)

// Each level of a constraint is the derivative of the level before, at any state, also where the constraints do not
// hold. Along a motion with arbitrary accelerations, d Phi/dt = Phi' and d Phi'/dt = C pdot + bias.
func TestConstraintLevelsAreDerivativesOfEachOther(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	for _, c := range []struct{ model, tree string }{{"generic4w", "tire"}, {"skidder", "tire"}, {"pendulum", "body"}} {
		m := read(t, c.model)
		f, err := formulate.New(m, formulate.Options{Tree: c.tree})
		if err != nil {
			t.Fatal(err)
		}
		if len(f.Constraints) == 0 {
			t.Fatalf("%s has no constraints", c.model)
		}
		const alpha, beta = 20.0, 20.0 // the models' Baumgarte constants
		n := len(f.Speeds)
		values := map[*expr.Expr]float64{}
		for _, p := range f.Parameters {
			values[p.Symbol] = p.Value
		}
		for _, s := range f.States() {
			values[s.Symbol] = 0.3 * r.NormFloat64()
		}
		for _, u := range f.Inputs {
			values[u.Symbol] = 0.3 * r.NormFloat64()
		}
		for _, u := range f.Controls {
			values[u.Symbol] = u.Start
		}
		pdot := make([]float64, n)
		for k := range pdot {
			pdot[k] = r.NormFloat64()
		}
		at := expr.NewEvaluator(values)
		rates := make([]float64, n)
		for k, q := range f.Coordinates {
			rates[k] = at.Value(q.Rate)
		}
		// moved returns the evaluator a time dt later, to first order for speeds
		// and second order for nothing: central differences need no more
		moved := func(dt float64) *expr.Evaluator {
			later := map[*expr.Expr]float64{}
			for s, v := range values {
				later[s] = v
			}
			for k := range n {
				later[f.Speeds[k].Symbol] += dt * pdot[k]
				later[f.Coordinates[k].Symbol] += dt * rates[k]
			}
			for _, g := range f.Motions {
				if g[2] < 0 {
					later[f.Inputs[g[0]].Symbol] += dt * values[f.Inputs[g[1]].Symbol]
					continue
				}
				rate, acceleration := values[f.Inputs[g[1]].Symbol], values[f.Inputs[g[2]].Symbol]
				later[f.Inputs[g[0]].Symbol] += dt * rate
				later[f.Inputs[g[1]].Symbol] += dt * acceleration
			}
			return expr.NewEvaluator(later)
		}
		const h = 1e-5
		before, after := moved(-h), moved(h)
		for _, k := range f.Constraints {
			position, velocity := at.Value(k.Position), at.Value(k.Velocity)
			slope := (after.Value(k.Position) - before.Value(k.Position)) / (2 * h)
			if !(math.Abs(slope-velocity) <= 1e-7*max(1, math.Abs(velocity))) {
				t.Errorf("%s, %s: d Phi/dt = %.10g, Phi' = %.10g", c.model, k.Name, slope, velocity)
			}
			second := at.Value(k.Bias) - 2*alpha*velocity - beta*beta*position
			for j, e := range k.Row {
				second += at.Value(e) * pdot[j]
			}
			slope = (after.Value(k.Velocity) - before.Value(k.Velocity)) / (2 * h)
			if !(math.Abs(slope-second) <= 1e-7*max(1, math.Abs(second))) {
				t.Errorf("%s, %s: d Phi'/dt = %.10g, C pdot + bias = %.10g", c.model, k.Name, slope, second)
			}
		}
	}
}
