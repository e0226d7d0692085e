package program

import (
	"math"
	"testing"

	"skidpad/model/expr"
)

// Derivatives of every function and operation of programs obey the rules of calculus. They are taken by a parameter p,
// a state x and an input u: along each variable, and backwards for all variables at once.
func TestSweepsObeyTheRulesOfCalculus(t *testing.T) {
	const p, x, u = 0.7, 0.4, -1.3
	for _, c := range []struct {
		formula string
		by      [3]float64 // p, x, u
	}{
		{"sin(x)", [3]float64{0, math.Cos(x), 0}},
		{"cos(x)", [3]float64{0, -math.Sin(x), 0}},
		{"tan(x)", [3]float64{0, 1 / math.Pow(math.Cos(x), 2), 0}},
		{"asin(x)", [3]float64{0, 1 / math.Sqrt(1-x*x), 0}},
		{"atan(u)", [3]float64{0, 0, 1 / (1 + u*u)}},
		{"sqrt(x)", [3]float64{0, 0.5 / math.Sqrt(x), 0}},
		{"exp(u)", [3]float64{0, 0, math.Exp(u)}},
		{"ln(x)", [3]float64{0, 1 / x, 0}},
		{"tanh(x)", [3]float64{0, 1 / math.Pow(math.Cosh(x), 2), 0}},
		{"abs(u)", [3]float64{0, 0, -1}},
		{"abs(x)", [3]float64{0, 1, 0}},
		{"x*sign(u)", [3]float64{0, -1, 0}},
		{"x*step(u)", [3]float64{0, 0, 0}},
		{"clamp(x)", [3]float64{0, 1, 0}},
		{"clamp(u)", [3]float64{0, 0, 0}},
		{"atan2(x, u)", [3]float64{0, u / (x*x + u*u), -x / (x*x + u*u)}},
		{"max(x, u)", [3]float64{0, 1, 0}},
		{"max(u, x)", [3]float64{0, 1, 0}},
		{"min(x, u)", [3]float64{0, 0, 1}},
		{"min(x, 3)", [3]float64{0, 1, 0}},
		{"max(3, x)", [3]float64{0, 0, 0}},
		{"x + u", [3]float64{0, 1, 1}},
		{"x - u - 2", [3]float64{0, 1, -1}},
		{"-x", [3]float64{0, -1, 0}},
		{"x*u", [3]float64{0, u, x}},
		{"x*x*x", [3]float64{0, 3 * x * x, 0}},
		{"x/u", [3]float64{0, 1 / u, -x / (u * u)}},
		{"2/u", [3]float64{0, 0, -2 / (u * u)}},
		{"p", [3]float64{1, 0, 0}},
		{"sqrt(p)*x - exp(p)/u", [3]float64{x/2/math.Sqrt(p) - math.Exp(p)/u, math.Sqrt(p), math.Exp(p) / (u * u)}},
		{"sin(x*u + p^2)*exp(-x)", [3]float64{
			2 * p * math.Cos(x*u+p*p) * math.Exp(-x), (u*math.Cos(x*u+p*p) - math.Sin(x*u+p*p)) * math.Exp(-x),
			x * math.Cos(x*u+p*p) * math.Exp(-x),
		}},
		{"7", [3]float64{}},
	} {
		pool := expr.NewPool()
		symbols := map[string]*expr.Expr{"p": pool.Sym("p", expr.Parameter), "x": pool.Sym("x", expr.State),
			"u": pool.Sym("u", expr.Input)}
		parse := func(formula string) *expr.Expr {
			e, err := pool.Parse(formula, func(name string) *expr.Expr { return symbols[name] })
			if err != nil {
				t.Fatal(err)
			}
			return e
		}
		symbol := func(name string) SourceSymbol {
			return SourceSymbol{Variable: Variable{Name: name}, Symbol: symbols[name]}
		}
		value := parse(c.formula)
		program, err := Build(&Source{
			Name: "Test", Pool: pool, Parameters: []SourceSymbol{symbol("p")}, Inputs: []SourceSymbol{symbol("u")},
			States: []SourceState{{SourceSymbol: symbol("x"), Rate: value, Begin: parse("p^3 - u/p")}},
			Outputs: []SourceValue{{Variable: Variable{Name: "y"}, Value: parse("u*x")},
				{Variable: Variable{Name: "z"}, Value: pool.Neg(value)}},
		})
		if err != nil {
			t.Fatal(err)
		}
		same := func(what string, got []float64, want ...float64) {
			t.Helper()
			for i := range want {
				if !(math.Abs(got[i]-want[i]) <= 1e-15*max(1, math.Abs(want[i]))) {
					t.Errorf("%s: %s: %v, expected %v", c.formula, what, got, want)
					return
				}
			}
		}
		native, err := program.Native(program.Tape())
		if err != nil {
			native = program.Tape() // without machine code
		}
		for _, code := range []Code{program.Tape(), native} {
			m := program.NewMachine(code)
			m.SetParameters([]float64{p})
			row := [3]float64{0, u, x} // of y
			for k, name := range []string{"p", "x", "u"} {
				direction, rates, start := make([]float64, 3), make([]float64, 3), make([]float64, 1)
				direction[k] = 2
				m.Tangent().At([]float64{x}, []float64{u}, direction, rates)
				same("along "+name, rates, 2*c.by[k], 2*row[k], -2*c.by[k])
				m.Tangent().Start([]float64{u}, direction, start)
				same("of the initial state along "+name, start, 2*[3]float64{3*p*p + u/(p*p), 0, -1 / p}[k])
			}
			back := make([]float64, 3)
			m.Adjoint().At([]float64{x}, []float64{u}, []float64{3, 5, 7}, back)
			same("backwards", back, (3-7)*c.by[0]+5*row[0], (3-7)*c.by[1]+5*row[1], (3-7)*c.by[2]+5*row[2])
			m.Adjoint().Start([]float64{u}, []float64{3}, back)
			same("of the initial state backwards", back, 3*(3*p*p+u/(p*p)), 0, -3/p)
			m.SetParameters([]float64{2}) // parameter-only numbers are updated
			m.Tangent().Start([]float64{u}, []float64{1, 0, 0}, back)
			same("of the initial state at another parameter", back, 12+u/4)
		}
	}
}
