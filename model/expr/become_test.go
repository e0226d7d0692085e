package expr

import "testing"

// Symbols that become definitions pass on the dependences of their bodies, in any order, and derivatives pass through
// the definitions.
func TestSymbolsThatBecomeDefinitions(t *testing.T) {
	p := NewPool()
	first, second := p.Sym("first", Input), p.Sym("second", Input)
	sum := p.Define("sum", p.Add(p.Mul(first, first), p.Int(1)))
	x, force := p.Sym("x", State), p.Sym("force", Returned)
	p.Become([]*Expr{first, second}, []*Expr{p.Scale(Integer(3), second), p.Mul(x, force)})
	for _, e := range []*Expr{first, second, sum} {
		if got := e.Depends(); got != State|Returned {
			t.Errorf("%s depends on roles %b, not %b", e.Name(), got, State|Returned)
		}
	}
	// sum = 9 x^2 force^2 + 1
	values := map[*Expr]float64{x: 2, force: 5}
	at := func(e *Expr) float64 { return NewEvaluator(values).Value(e) }
	if got := at(sum); got != 901 {
		t.Errorf("the sum is %v, not 901", got)
	}
	if got := at(p.Diff(sum, x)); got != 900 {
		t.Errorf("the derivative by x is %v, not 900", got)
	}
	if got := at(p.NewReach(x, force).NewDerivative(force).Of(sum)); got != 360 {
		t.Errorf("the derivative by the force is %v, not 360", got)
	}
}
