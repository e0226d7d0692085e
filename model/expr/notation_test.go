package expr_test

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"skidpad/model/expr"
)

// grown is a random expression over some others, with definitions.
func grown(p *expr.Pool, r *rand.Rand, atoms []*expr.Expr, depth int) *expr.Expr {
	if depth == 0 {
		return atoms[r.IntN(len(atoms))]
	}
	a, b := grown(p, r, atoms, depth-1), grown(p, r, atoms, depth-1)
	switch r.IntN(9) {
	case 0:
		return p.Sub(a, b)
	case 1:
		return p.Mul(a, b)
	case 2:
		return p.Div(a, p.Add(p.Pow(b, 2), p.Int(1)))
	case 3:
		return p.Pow(p.Sub(a, p.Scale(expr.Fraction(-3, 7), b)), 1+r.IntN(3))
	case 4:
		return p.Call(expr.Sin, p.Sub(b, a))
	case 5:
		return p.Call(expr.Max, a, p.Neg(b))
	case 6:
		return p.Define("negative", p.Neg(p.Mul(a, b)))
	case 7:
		return p.Define("share", p.Scale(expr.FromFloat(-0.3), p.Mul(a, p.Call(expr.Cos, b))))
	}
	return p.Scale(expr.FromFloat(1.25e-7), p.Define("sum", p.Sub(p.Neg(a), b)))
}

// Parsing the text of an expression returns the same expression, with or without written-out definitions, and with any
// factors of names.
func TestWrittenExpressionsAreReadBack(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 25))
	for range 400 {
		p := expr.NewPool()
		atoms := []*expr.Expr{p.Sym("a.x", expr.State), p.Sym("b", expr.Input), p.Int(2), p.Num(expr.Fraction(-5, 3))}
		e := grown(p, r, atoms, 5)
		names := expr.NewNames()
		var definitions []*expr.Expr
		seen := map[*expr.Expr]bool{}
		var visit func(x *expr.Expr)
		visit = func(x *expr.Expr) {
			if seen[x] {
				return
			}
			seen[x] = true
			for _, a := range x.Args() {
				visit(a)
			}
			if x.Kind() == expr.Definition {
				names.Add(x)
				definitions = append(definitions, x)
			}
		}
		visit(e)
		n := expr.Text
		n.Name = names.Of
		n.Written = func(d *expr.Expr) bool { return d.ID()%3 == 0 }

		again := expr.NewPool()
		known := map[string]*expr.Expr{"a.x": again.Sym("a.x", expr.State), "b": again.Sym("b", expr.Input)}
		read := func(text string) *expr.Expr {
			x, err := again.Parse(text, func(name string) *expr.Expr { return known[name] })
			if err != nil {
				t.Fatalf("%v in %s", err, text)
			}
			return x
		}
		for _, d := range definitions {
			known[names.Of(d)] = read(n.Subterm(d))
		}
		back := read(n.Write(e))
		for range 3 {
			x, y := r.NormFloat64(), r.NormFloat64()
			want := expr.NewEvaluator(map[*expr.Expr]float64{atoms[0]: x, atoms[1]: y}).Value(e)
			got := expr.NewEvaluator(map[*expr.Expr]float64{known["a.x"]: x, known["b"]: y}).Value(back)
			if !(math.Abs(got-want) <= 1e-9*(1+math.Abs(want))) {
				t.Fatalf("%s is %g, read %g", n.Write(e), want, got)
			}
		}
	}
}

// The name of -x*y denotes -x*y, though the pool keeps x*y.
func TestNamesKeepFactorAndSign(t *testing.T) {
	p := expr.NewPool()
	x, y := p.Sym("x", expr.State), p.Sym("y", expr.State)
	f := p.Define("F", p.Neg(p.Mul(x, y)))
	half := p.Define("half", p.Scale(expr.Fraction(1, 2), p.Mul(x, p.Call(expr.Sin, y))))
	for _, c := range []struct {
		e    *expr.Expr
		want string
	}{
		{f, "F"}, {p.Neg(f), "-F"}, {p.Mul(x, f), "x*F"}, {p.Add(x, p.Scale(expr.Integer(3), half)), "x + 3*half"},
		{p.Div(x, half), "x/half"}, {p.Pow(f, 2), "F^2"}, {p.Sub(half, p.Mul(f, f)), "half - F^2"},
		{p.Call(expr.Exp, p.Mul(x, f)), "exp(x*F)"},
		{p.Sub(x, p.Num(expr.FromFloat(0.1))), "x - 0.1"}, {p.Scale(expr.Fraction(3, 8), x), "3*x/8"},
	} {
		if got := c.e.String(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	_, d := p.Content(f)
	if got := expr.Text.Subterm(d); got != "-x*y" {
		t.Errorf("F = %s", got)
	}
	_, d = p.Content(half)
	if got := expr.Text.Subterm(d); got != "x*sin(y)/2" {
		t.Errorf("half = %s", got)
	}
	// a result of a definition keeps its share
	if got := p.Derive(d, "rate", p.Mul(x, p.Call(expr.Cos, y))).Value(); got.Float() != 0.5 {
		t.Errorf("the name denotes %v of its subterm", got)
	}
}

// Identifiers fit C, Python and m-code, and no two are alike, nor one of the reserved words.
func TestIdentifiers(t *testing.T) {
	p := expr.NewPool()
	names := expr.NewNames("M", "F_x_2")
	valid, seen := regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,62}$`), map[string]bool{"M": true, "F_x_2": true}
	for i, name := range []string{
		"F_x", "F.x", "F x", "M", "1st", "_", "", "Füß", "F_x_2", "F_x_3",
		strings.Repeat("long", 40), strings.Repeat("long", 41),
	} {
		e := p.Sym(name, expr.State)
		names.Add(e)
		got := names.Of(e)
		if !valid.MatchString(got) || seen[got] {
			t.Errorf("%d: %q is %q", i, name, got)
		}
		seen[got] = true
		if names.Add(e); names.Of(e) != got {
			t.Errorf("%q became %q", got, names.Of(e))
		}
	}
}
