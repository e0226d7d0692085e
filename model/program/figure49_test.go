package program

import (
	"math"
	"math/rand/v2"
	"testing"

	"skidpad/model/expr"
)

// sourceOf returns the source of a program with outputs only, from formulas; lines before the last formula define
// names.
func sourceOf(t *testing.T, symbols []string, formulas ...[2]string) *Source {
	t.Helper()
	p := expr.NewPool()
	s := &Source{Name: "Test", Pool: p}
	known := map[string]*expr.Expr{}
	for _, n := range symbols {
		x := p.Sym(n, expr.Input)
		known[n] = x
		s.Inputs = append(s.Inputs, SourceSymbol{Variable: Variable{Name: n}, Symbol: x})
	}
	for _, f := range formulas {
		e, err := p.Parse(f[1], func(n string) *expr.Expr { return known[n] })
		if err != nil {
			t.Fatal(err)
		}
		known[f[0]] = p.Define(f[0], e)
	}
	last := formulas[len(formulas)-1][0]
	s.Outputs = []SourceValue{{Variable: Variable{Name: last}, Value: known[last]}}
	return s
}

var figure49 = [][2]string{
	{"V1", "(cos(x) + cos(x)*sin(y) + cos(x)^2 + sin(y))/(cos(x)*sin(y))"},
	{"V2", "ln(4*tan(b))/(1 + sin(y)^2)"},
	{"V3", "V1*cos(x)/(V1 + cos(x)*sin(y))"},
}

// Morency (2007), Figure 4.9; the optimised counts are exact (linear-graph
// specification, section 11).
func TestFigure49CountsAreReproduced(t *testing.T) {
	p := expr.NewPool()
	known := map[string]*expr.Expr{}
	var before expr.Cost
	for _, f := range figure49 {
		e, err := p.Parse(f[1], func(n string) *expr.Expr {
			if d := known[n]; d != nil {
				return d
			}
			return p.Sym(n, expr.Input)
		})
		if err != nil {
			t.Fatal(err)
		}
		before = before.Plus(e.Cost())
		known[f[0]] = p.Define(f[0], e)
	}
	if want := (expr.Cost{Additions: 5, Multiplications: 7, Divisions: 3, Functions: 13}); before != want {
		t.Errorf("original: %v, want %v", before, want)
	}
	program, err := Build(sourceOf(t, []string{"x", "y", "z", "b"}, figure49...))
	if err != nil {
		t.Fatal(err)
	}
	tape, v3 := program.NewTape(), make([]float64, 1)
	tape.Derivatives(0, nil, []float64{0.4, 0.7, math.NaN(), math.NaN()}, nil) // V2, with b, has been eliminated
	if tape.Outputs(v3); math.Abs(v3[0]-0.824520263770) > 5e-13 {
		t.Errorf("V3 is %.13g at x = 0.4, y = 0.7; want 0.824520263770", v3[0])
	}
	got := program.OutputCost
	got.Assignments = 0
	if want := (expr.Cost{Additions: 4, Multiplications: 3, Divisions: 2, Functions: 2}); got != want {
		t.Errorf("optimised: %v, want %v", got, want)
	}
}

func TestOptimisedCodeKeepsTheValue(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, formulas := range [][][2]string{
		figure49,
		{{"a", "x*y - z"}, {"c", "(a - b)^3*(b - a) + a*x*y*z - 2*x*y*b"}},
		{{"c", "-x - y - z"}},
		{{"c", "-(x*y)/(-z)"}},
		{{"c", "x*y*z + x*y*b + (x*y)^2 - x*z + b*(x - z) - b*(z - x)"}},
		{{"c", "max(x, -y)*atan2(-x, z) - abs(b)"}},
		{{"c", "3 - x - 2*x*y/(1 + z^2)^2"}},
	} {
		s := sourceOf(t, []string{"x", "y", "z", "b"}, formulas...)
		p, err := Build(s)
		if err != nil {
			t.Fatal(err)
		}
		m := p.NewTape()
		for range 20 {
			values := map[*expr.Expr]float64{}
			u := make([]float64, 4)
			for i := range u {
				u[i] = 0.2 + r.Float64()
				values[s.Inputs[i].Symbol] = u[i]
			}
			want := expr.NewEvaluator(values).Value(s.Outputs[0].Value)
			y := make([]float64, 1)
			m.Derivatives(0, nil, u, nil)
			m.Outputs(y)
			if !(math.Abs(y[0]-want) <= 1e-12*(1+math.Abs(want))) {
				t.Errorf("%v at %v: %g, want %g", formulas, u, y[0], want)
			}
		}
	}
}
