package formulate_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/model/formulate"
	"skidpad/model/program"
	"skidpad/model/vehicle"
)

// Symbolic Jacobians of rates and outputs by states, inputs and parameters
// against central differences of the program itself.
func TestJacobiansAgreeWithDifferences(t *testing.T) {
	for _, c := range []struct{ model, tree string }{{"generic4w_fiala", ""}, {"skidder", ""}, {"skidder", "tire"},
		{"generic4w_driveline", ""}, {"generic4w_gearbox", ""}, {"passenger_car", ""},
		{"generic4w_conservative", ""}} {
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

// The Jacobian of a wheel on a conservative contact agrees with differences at any inclination, and is finite where the
// wheel lies exactly flat.
func TestJacobianOfALeaningTire(t *testing.T) {
	m, err := vehicle.Parse([]byte(`name = "LeaningWheel"
[component.road]
type = "road"
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
contact = { method = "conservative" }
rolling_radius = { method = "load-dependent", Fz0 = 5900, B = 8, D = 0.24, F = 0.01 }
slip = { method = "kinematic" }
force = { function = "Brush", parameters = { Ck = 1.1e5, Ca = 8e4, CM = 40, camber = 1.1, Cr = 0.01, mu0 = 0 } }
`), "test.toml", nil)
	if err != nil {
		t.Fatal(err)
	}
	p, machine := machine(t, m, formulate.Options{})
	bind(t, p, machine)
	u := make([]float64, len(p.Inputs))
	for i, v := range p.Inputs {
		u[i] = v.Start
	}
	j := machine.Jacobian(program.StateQuantity, program.StateQuantity)
	jac, high, low := make([]float64, j.Rows*j.Columns), make([]float64, j.Rows), make([]float64, j.Rows)
	for _, lean := range []float64{0, 0.05, -0.3, 0.45, 0.6, -0.7, 0.85, 0.95, -1.2, 1.5, math.Pi / 2} {
		x := start(t, p, machine, map[string]float64{"wheel.angle1": 0.2, "wheel.angle2": lean, "wheel.z": 0.06,
			"wheel.vx": 8, "wheel.vy": -1, "wheel.vz": 0.3, "wheel.wx": 0.2, "wheel.wy": 20, "wheel.wz": -0.4}, u)
		j.Evaluate(x, u, jac)
		for k := range x {
			const h = 1e-6
			old := x[k]
			x[k] = old + h
			machine.Derivatives(0, x, u, high)
			x[k] = old - h
			machine.Derivatives(0, x, u, low)
			x[k] = old
			for i := range high {
				got, want := jac[i*j.Columns+k], (high[i]-low[i])/(2*h)
				if got-got != 0 {
					t.Fatalf("lean %g: d(%s)/d(%s) is %g", lean, p.States[i].Name, p.States[k].Name, got)
				}
				if lean < 1.55 && !(math.Abs(got-want) <= 1e-5*max(1000, math.Abs(want))) {
					t.Errorf("lean %g: d(%s)/d(%s) = %.10g, by differences %.10g", lean, p.States[i].Name, p.States[k].Name,
						got, want)
				}
			}
		}
	}
}
