package expr

import "testing"

type steps struct{ height float64 }

func (s *steps) At(x float64) float64 {
	if x < 1 {
		return 0
	}
	return s.height
}

func (s *steps) String() string { return "steps" }

// Look-ups are functions of their tables: equal only with the same one, kept where expressions are rewritten, of
// derivative 0, and numbers of numbers.
func TestLookUps(t *testing.T) {
	p := NewPool()
	x := p.Sym("x", State)
	low, high := &steps{2}, &steps{5}
	e := p.Add(p.Mul(p.Look(low, x), x), p.Look(high, p.Add(x, p.Int(1))))
	one, again, other := p.Look(low, x), p.Look(low, x), p.Look(high, x)
	if one != again || one == other {
		t.Error("look-ups are not told apart by their tables")
	}
	if got := e.String(); got != "x*steps(x) + steps(x + 1)" {
		t.Errorf("printed as %s", got)
	}
	if got := p.Look(high, p.Int(1)); got != p.Int(5) {
		t.Errorf("of a number: %v", got)
	}
	// x -> 2 x
	doubled := p.Map(e, func(e *Expr) *Expr {
		if e == x {
			return p.Scale(Integer(2), x)
		}
		return nil
	})
	for _, c := range []struct{ at, value, doubled, slope float64 }{
		{0, 5, 5, 0}, {0.75, 5, 2*1.5 + 5, 0}, {3, 11, 17, 2},
	} {
		v := NewEvaluator(map[*Expr]float64{x: c.at})
		if got := [3]float64{v.Value(e), v.Value(doubled), v.Value(p.Diff(e, x))}; got != [3]float64{c.value, c.doubled,
			c.slope} {
			t.Errorf("at %g: %v, want %g, %g, %g", c.at, got, c.value, c.doubled, c.slope)
		}
	}
}
