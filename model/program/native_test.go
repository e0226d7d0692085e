package program

import (
	"math"
	"testing"

	"skidpad/model/expr"
	"skidpad/tire/machinecode"
)

// Functions of formulas in rates are machine code with correct results. Without this test, faulty machine code would go
// unnoticed: Native would reject it, and only time would be lost.
func TestFunctionsAreMachineCode(t *testing.T) {
	if _, err := machinecode.Compile(machinecode.NewBuilder(), 0, 1); err != nil {
		t.Skip(err)
	}
	for name, function := range map[string]func(float64) float64{
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "atan": math.Atan, "exp": math.Exp,
		"tanh": math.Tanh, "abs": math.Abs,
		"sqrt": math.Sqrt, "clamp": func(x float64) float64 { return max(-1, min(1, x)) },
		"sign": func(x float64) float64 { return math.Copysign(1, x) },
		"step": func(x float64) float64 { return (1 + math.Copysign(1, x)) / 2 },
		"select": func(x float64) float64 {
			if x > 0.1 && x != 0.2 {
				return 3 * x
			}
			return x - 1
		},
	} {
		pool := expr.NewPool()
		x := pool.Sym("x", expr.State)
		text := name + "(x)"
		if name == "select" {
			text = "select(x > 0.1 and x != 0.2, 3*x, x - 1)"
		}
		value, err := pool.Parse(text, func(string) *expr.Expr { return x })
		if err != nil {
			t.Fatal(err)
		}
		p, err := Build(&Source{Name: "Test", Pool: pool,
			States: []SourceState{{SourceSymbol: SourceSymbol{Variable: Variable{Name: "x"}, Symbol: x}, Rate: value,
				Begin: pool.Int(0)}}})
		if err != nil {
			t.Fatal(err)
		}
		code, err := p.Native(p.Tape())
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		m := p.NewMachine(code)
		m.SetParameters(nil)
		for _, at := range []float64{-0.9, -0.3, 1e-9, 0.2, 0.7} {
			if name == "sqrt" {
				at = math.Abs(at)
			}
			rate := make([]float64, 1)
			m.Derivatives(0, []float64{at}, nil, rate)
			if want := function(at); !(math.Abs(rate[0]-want) <= 4e-16*max(1, math.Abs(want))) {
				t.Errorf("%s(%g) = %.17g, expected %.17g", name, at, rate[0], want)
			}
		}
	}
}

// Machine code with results different from the portable code is not used.
func TestWrongMachineCodeIsRejected(t *testing.T) {
	if _, err := machinecode.Compile(machinecode.NewBuilder(), 0, 1); err != nil {
		t.Skip(err)
	}
	pool := expr.NewPool()
	x := pool.Sym("x", expr.State)
	p, err := Build(&Source{Name: "Test", Pool: pool,
		States: []SourceState{{SourceSymbol: SourceSymbol{Variable: Variable{Name: "x"}, Symbol: x},
			Rate: pool.Call(expr.Sin, x), Begin: pool.Int(0)}}})
	if err != nil {
		t.Fatal(err)
	}
	base := p.Tape()
	for _, f := range []*func(v []float64){&base.Before, &base.After} {
		right := *f
		*f = func(v []float64) {
			right(v)
			v[p.rates[0]]++
		}
		if _, err := p.Native(base); (err == nil) != (len(p.before.code) > 0 == (f == &base.After)) {
			t.Errorf("a wrong block gives the error %v", err)
		}
		*f = right
	}
}
