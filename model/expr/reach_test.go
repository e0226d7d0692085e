package expr

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Derivatives that use Reach to leave out constant expressions equal derivatives that visit all expressions.
func TestDerivativesWithinReach(t *testing.T) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 3))
		p := NewPool()
		var atoms, list []*Expr
		for k := range 70 { // more than one word of bits
			atoms = append(atoms, p.Sym(fmt.Sprintf("x%d", k), State))
		}
		list = append(list, atoms...)
		definitions := []*Expr{}
		for k := range 200 {
			a, b := list[r.IntN(len(list))], list[len(list)-1-r.IntN(20)]
			var e *Expr
			switch r.IntN(5) {
			case 0:
				e = p.Add(a, p.Scale(Integer(int64(1+r.IntN(4))), b))
			case 1:
				e = p.Call(Sin, a)
			case 2:
				e = p.Sub(p.Mul(a, a), b)
			default:
				e = p.Mul(a, b)
			}
			if r.IntN(3) == 0 {
				e = p.Define(fmt.Sprintf("d%d", k), e)
				definitions = append(definitions, e)
			}
			list = append(list, e)
		}
		reach := p.NewReach(atoms...)
		for _, x := range atoms[:5] {
			every, some := p.NewDerivative(x.name, map[*Expr]*Expr{x: p.one}), reach.NewDerivative(x)
			given, rate := atoms[20+r.IntN(40)], p.Mul(x, atoms[6])
			known := definitions[r.IntN(len(definitions))]
			for _, d := range []*Derivative{every, some} {
				d.Set(given, rate)
				if seed%2 == 0 { // a definition that may depend on nothing that changes
					d.Set(known, rate)
				}
			}
			for k, e := range list {
				if want, got := every.Of(e), some.Of(e); got != want {
					t.Fatalf("seed %d: derivative %d by %s is %v, not %v", seed, k, x.name, got, want)
				}
			}
		}
	}
}

// An expression that is younger than the reach is looked into.
func TestReachKnowsNothingOfYoungerExpressions(t *testing.T) {
	p := NewPool()
	x, y := p.Sym("x", State), p.Sym("y", State)
	reach := p.NewReach(x, y)
	younger := p.Mul(x, y)
	if got := reach.NewDerivative(x).Of(younger); got != y {
		t.Errorf("the derivative of %v by x is %v", younger, got)
	}
	if got := reach.NewDerivative(x).Of(p.Call(Sin, y)); !got.IsZero() {
		t.Errorf("the derivative of sin y by x is %v", got)
	}
}
