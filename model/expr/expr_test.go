package expr_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/harness/tests/fuzzinputs"
	"skidpad/model/expr"
)

func symbols(t *testing.T, p *expr.Pool, text string) *expr.Expr {
	t.Helper()
	e, err := p.Parse(text, func(name string) *expr.Expr { return p.Sym(name, expr.State) })
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return e
}

func value(p *expr.Pool, e *expr.Expr, at map[string]float64) float64 {
	v := map[*expr.Expr]float64{}
	for name, x := range at {
		v[p.Sym(name, expr.State)] = x
	}
	return expr.NewEvaluator(v).Value(e)
}

func TestEqualExpressionsAreTheSameNode(t *testing.T) {
	p := expr.NewPool()
	for _, pair := range [][2]string{
		{"x + y", "y + x"},
		{"(x*y)*z", "x*(z*y)"},
		{"x - x + 2*y - y", "y"},
		{"0.1 + 0.2", "0.3"},
		{"x/x", "1"},
		{"x*y^-1*y", "x"},
		{"2*(x + y)", "2*x + 2*y"},
		{"(x - y)*z", "-(y - x)*z"},
		{"sin(-x)", "-sin(x)"},
		{"cos(y - x)", "cos(x - y)"},
		{"sin(x)^2 + cos(x)^2", "1"},
		{"y*z*sin(x)^2 + 3 + y*cos(x)^2*z", "y*z + 3"},
		{"5*y*sin(x)^3 + 5*y*sin(x)*cos(x)^2", "5*y*sin(x)"},
		{"sqrt(x)*sqrt(x)", "x"},
		{"sin(asin(x))", "x"},
		{"sqrt(49)", "7"},
		{"clamp(-3) + clamp(2) + clamp(-1/2)", "-1/2"},
		{"1/3 + 1/6", "1/2"},
		{"2 < 3", "1"}, {"3 <= 2", "0"}, {"2 == 2", "1"}, {"2 != 2", "0"},
		{"x < y", "y > x"}, {"not x < y", "x >= y"}, {"not not x > y", "x > y"},
		{"select(1, x, y)", "x"}, {"select(-2, x, y)", "y"}, {"select(x > y, z, z - z)", "select(x > y, z, 0)"},
	} {
		if a, b := symbols(t, p, pair[0]), symbols(t, p, pair[1]); a != b {
			t.Errorf("%s gives %v, %s gives %v", pair[0], a, pair[1], b)
		}
	}
}

// Conditions have the values 0 and 1, and the usual precedence: comparisons before not, not before and, and before or.
// A number is a condition that holds above 0.
func TestConditions(t *testing.T) {
	p := expr.NewPool()
	at := map[string]float64{"x": 2, "y": 3, "z": 3, "n": -1, "o": 0, "i": math.Inf(1), "u": math.NaN()}
	for text, want := range map[string]float64{
		"x < y": 1, "y < x": 0, "y < z": 0, "y <= z": 1, "x <= y": 1, "y <= x": 0, "x > y": 0, "y > x": 1, "y > z": 0,
		"y >= z": 1, "y >= x": 1, "x >= y": 0, "y == z": 1, "x == y": 0, "y != z": 0, "x != y": 1, "x + 1 == y": 1,
		"not x < y": 0, "not x": 0, "not n": 1, "not o": 1, "not not x": 1, "x and y": 1, "x and n": 0, "o or n": 0,
		"n or y": 1, "x < y or x < y and n": 1, "not x < y and n": 0, "not (x < y and n)": 1, "n and o or y": 1,
		"(x < y) + (y < x) + (y == z)": 2, "5*(x < y)": 5,
		"select(x < y, 7, 8)": 7, "select(x > y, 7, 8)": 8, "select(x, 7, 8)": 7, "select(0.2*x, 7, 8)": 7,
		"select(o, 7, 8)": 8, "select(n, 7, 8)": 8, "select(x < y, x, u)": 2, "select(y < x, i, x)": 2,
		"select(x < y and y == z, select(n, 1, 2), 3)": 2, "select(y < x, ln(n), sqrt(n + 5))": 2,
		"order*0 + notch*0 + 1": 1, // the words end where letters end
	} {
		at["order"], at["notch"] = 1, 1
		if got := value(p, symbols(t, p, text), at); got != want {
			t.Errorf("%s is %g, want %g", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"a < b < c": "formula, character 7: comparisons cannot follow each other: write a < b and b < c",
		"a = b":     "formula, character 3: = does not compare; write ==",
		"select(a, b)": "formula, character 1: select takes 3 arguments, a condition and the values with and without it, " +
			"not 2",
		"a and":         "formula, character 6: a number, a name or a parenthesis is missing at the end",
		"a < b or or c": "",
		"where(a, b)":   `formula, character 1: unknown function "where"`,
	} {
		_, err := p.Parse(text, func(name string) *expr.Expr {
			if name == "or" {
				return nil
			}
			return p.Sym(name, expr.State)
		})
		if err == nil || want != "" && err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	// derivatives have no influence of the other value
	e := symbols(t, p, "select(x > 0, x^2, sqrt(x))")
	x := p.Sym("x", expr.State)
	for name, d := range map[string]*expr.Expr{"forward": p.Diff(e, x), "reverse": p.Gradient(e, []*expr.Expr{x})[0]} {
		if got := value(p, d, map[string]float64{"x": 3}); got != 6 {
			t.Errorf("%s: the derivative is %g, want 6", name, got)
		}
	}
	slope := p.Diff(symbols(t, p, "select(x > 0, x, 1/x)"), x)
	if got := value(p, slope, map[string]float64{"x": 0}); !math.IsInf(got, -1) {
		t.Errorf("the derivative of 1/x at 0 is %g", got)
	}
}

// The check pair of the linear-graph specification, section 10 (Morency 2007, Figure 4.8).
func TestSimplifyAndCombineGiveThePublishedForms(t *testing.T) {
	p := expr.NewPool()
	b := symbols(t, p, "cos(x)^5 + sin(x)^4 + 2*cos(x)^2 - 2*sin(x)^2 - cos(2*x)")
	if got, want := p.Simplify(b), symbols(t, p, "cos(x)^4*(cos(x) + 1)"); got != want {
		t.Errorf("simplify: got %v, want %v", got, want)
	}
	want := symbols(t, p, "cos(5*x)/16 + 5/16*cos(3*x) + 5/8*cos(x) + 3/8 + cos(4*x)/8 + cos(2*x)/2")
	if got := p.Combine(b); got != want {
		t.Errorf("combine: got %v, want %v", got, want)
	}
	for _, e := range []*expr.Expr{b, p.Simplify(b), p.Combine(b)} {
		if got := value(p, e, map[string]float64{"x": 0.37}); math.Abs(got-1.460005156982) > 1e-11 {
			t.Errorf("%v is %.13g at 0.37, want 1.460005156982", e, got)
		}
	}
	addition := symbols(t, p, "sin(x)*cos(y) + cos(x)*sin(y)")
	if got := p.Combine(addition); got != symbols(t, p, "sin(x + y)") {
		t.Errorf("combine: got %v, want sin(x + y)", got)
	}
	if got := p.Simplify(addition); got != addition {
		t.Errorf("simplify: got %v, want %v unchanged", got, addition)
	}
}

func TestPassesKeepTheValue(t *testing.T) {
	p := expr.NewPool()
	r := rand.New(rand.NewPCG(1, 2))
	for _, text := range []string{
		"(x + sin(y))^3*(cos(y) - x)/(2 + cos(x)^2)",
		"sin(3*x)*cos(2*y) + (sin(x) + cos(y))^4",
		"atan(x*y)*cos(x)^2 - sqrt(1 + x^2)*sin(x)^2",
		"max(x, y)*sin(x)^2 + min(x, y)*cos(x)^2*abs(y)",
	} {
		e := symbols(t, p, text)
		for name, pass := range map[string]func(*expr.Expr) *expr.Expr{"expand": p.Expand, "simplify": p.Simplify,
			"combine": p.Combine} {
			f := pass(e)
			for range 20 {
				at := map[string]float64{"x": r.NormFloat64(), "y": r.NormFloat64()}
				if a, b := value(p, e, at), value(p, f, at); !(math.Abs(a-b) <= 1e-11*(1+math.Abs(a))) {
					t.Errorf("%s of %s: %g became %g", name, text, a, b)
				}
			}
		}
	}
}

func TestForwardAndReverseDerivativesAgreeWithDifferences(t *testing.T) {
	p := expr.NewPool()
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"x", "y", "z"}
	var wrt []*expr.Expr
	for _, n := range names {
		wrt = append(wrt, p.Sym(n, expr.State))
	}
	for _, text := range []string{
		"x^3*y - z/(1 + x^2)", "sin(x*y) + cos(z)^2", "tan(x/3) + asin(y/9) + atan(z*x)",
		"sqrt(1 + x^2 + y^2)", "exp(x/2)*ln(2 + z^2)", "tanh(x*y)*abs(z)", "atan2(x, 2 + y^2)",
		"max(x, y) + 3*min(y, z)", "x*clamp(y/2) + clamp(z)", "select(x > y, x^2*y, sin(z))",
		"y*select(x < 0.3 and not z >= y or y > 1, 3*x, 2*select(z != 0, z*x, x))",
	} {
		e := symbols(t, p, text)
		e = p.Mul(p.Define("inner", e), p.Add(p.Define("inner", e), wrt[0]))
		gradient := p.Gradient(e, wrt)
		for range 10 {
			at := map[string]float64{}
			for _, n := range names {
				at[n] = r.NormFloat64()
			}
			for i, n := range names {
				const h = 1e-6
				up, down := map[string]float64{}, map[string]float64{}
				for k, v := range at {
					up[k], down[k] = v, v
				}
				up[n] += h
				down[n] -= h
				want := (value(p, e, up) - value(p, e, down)) / (2 * h)
				forward, reverse := value(p, p.Diff(e, wrt[i]), at), value(p, gradient[i], at)
				if !(math.Abs(forward-want) <= 1e-6*(1+math.Abs(want)) &&
					math.Abs(reverse-forward) <= 1e-12*(1+math.Abs(forward))) {
					t.Errorf("d(%s)/d%s: forward %g, reverse %g, difference %g", text, n, forward, reverse, want)
				}
			}
		}
	}
}

func TestTurnIsARotation(t *testing.T) {
	p := expr.NewPool()
	a := p.Sym("a", expr.State)
	num := func(s string) *expr.Expr { return symbols(t, p, s) }
	axes := [][3]*expr.Expr{
		{num("1"), num("0"), num("0")}, {num("0"), num("1"), num("0")}, {num("0"), num("0"), num("1")},
		{num("2/3"), num("-1/3"), num("2/3")},
	}
	for _, axis := range axes {
		u := expr.Vector{Frame: "base", X: axis}
		r := p.Turn("turned", "base", u, a)
		square := p.Compose(r, r.Inverse())
		for i := range 3 {
			for j := range 3 {
				want := 0.0
				if i == j {
					want = 1
				}
				if got := value(p, square.M[i][j], map[string]float64{"a": 0.7}); !(math.Abs(got-want) <= 1e-15) {
					t.Errorf("axis %v: R R^T [%d][%d] = %g", axis, i, j, got)
				}
			}
		}
		// a small turn moves a vector v by angle * (axis x v)
		v := expr.Vector{Frame: "turned", X: [3]*expr.Expr{num("0.3"), num("-2"), num("1.1")}}
		moved := p.Resolve(r, v)
		v.Frame = "base"
		cross := p.Cross(u, v)
		for i := range 3 {
			rate := value(p, p.Diff(moved.X[i], a), map[string]float64{"a": 0})
			if want := value(p, cross.X[i], nil); !(math.Abs(rate-want) <= 1e-15) {
				t.Errorf("axis %v: rate %d = %g, want %g", axis, i, rate, want)
			}
		}
	}
}

func TestReadableMathematics(t *testing.T) {
	p := expr.NewPool()
	for text, want := range map[string]string{
		"(x + 1)^2/(y*z)":   "(x + 1)^2/(y*z)",
		"-x*y + 3/2*sin(z)": "(3/2)*sin(z) - x*y",
	} {
		for _, n := range []string{"x", "y", "z"} {
			p.Sym(n, expr.State)
		}
		got := symbols(t, p, text)
		if got.String() != want && symbols(t, p, got.String()) != got {
			t.Errorf("%s prints as %s", text, got)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"1+2*x", "-(a-b)/c^2", "sin(x)", "atan2(x,y)", "1e5", "((((", "1e999999999",
		"0/0", "x^-1", "-pi", "select(a < b and not c >= 2, a, b)", "a == b or a != c", "not not not x", "a < b < c"} {
		fuzzinputs.Add(f, s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 200 {
			return
		}
		p := expr.NewPool()
		e, err := p.Parse(s, func(name string) *expr.Expr { return p.Sym(name, expr.State) })
		if (e == nil) == (err == nil) {
			t.Fatalf("%q: %v, %v", s, e, err)
		}
	})
}

// The slope that is set for a definition takes the place of the rules, forward and backward, through
// the factor of the definition too.
func TestKnownSlopes(t *testing.T) {
	p := expr.NewPool()
	x, y := p.Sym("x", expr.State), p.Sym("y", expr.State)
	inner := p.Define("inner", p.Mul(x, y))
	e := p.Scale(expr.Integer(-3), p.Define("e", p.Call(expr.Sin, inner)))
	mark := p.Sym("mark", expr.State) // where the rules would have -3 cos(x y)
	p.SetSlope(e, inner, mark)
	product := p.Mul(e, y)
	at := map[string]float64{"x": 0.7, "y": 0.4, "mark": 2}
	want := map[*expr.Expr]float64{x: 2 * 0.4 * 0.4, y: -3*math.Sin(0.28) + 2*0.7*0.4}
	backward := p.Gradient(product, []*expr.Expr{x, y})
	for i, by := range []*expr.Expr{x, y} {
		for way, d := range map[string]*expr.Expr{"forward": p.Diff(product, by), "backward": backward[i]} {
			if got := value(p, d, at); math.Abs(got-want[by]) > 1e-15 {
				t.Errorf("%s by %v: %g, want %g", way, by, got, want[by])
			}
		}
	}
}
