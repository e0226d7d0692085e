package expr

import (
	"math"
	"testing"
)

// Powers and inverses of small numbers equal repeated products.
func TestPowersAreProducts(t *testing.T) {
	numbers := []Rational{Integer(1), Integer(-1), Integer(2), Integer(-7), Integer(math.MinInt64), Integer(math.MaxInt64),
		Fraction(2, 3), Fraction(-5, 4), Fraction(1, 9), Fraction(-1, 3)}
	for _, a := range numbers {
		if one := a.Mul(a.Inv()); !one.IsOne() {
			t.Errorf("%v times its inverse %v is %v", a, a.Inv(), one)
		}
		if a.Inv().Sign() != a.Sign() || !a.Inv().Inv().Equal(a) {
			t.Errorf("the inverse of %v is %v", a, a.Inv())
		}
		for n := -4; n <= 4; n++ {
			want, factor := Integer(1), a
			if n < 0 {
				factor = a.Inv()
			}
			for range max(n, -n) {
				want = want.Mul(factor)
			}
			if got := a.Pow(n); !got.Equal(want) || got.hash() != want.hash() {
				t.Errorf("%v to the power %d is %v, not %v", a, n, got, want)
			}
		}
		for _, sum := range []Rational{a.Add(Integer(0)), Integer(0).Add(a), a.Add(Rational{})} {
			if !sum.Equal(a) || sum.hash() != a.hash() {
				t.Errorf("%v and nothing are %v", a, sum)
			}
		}
	}
}

// Pieces of a slab are apart from each other.
func TestPiecesOfSlabsAreDisjoint(t *testing.T) {
	var s slab[int]
	var all [][]int
	for n := range 2 * most {
		list := make([]int, 1+n%5)
		for k := range list {
			list[k] = n
		}
		all = append(all, append(s.copied(list), -n)[:len(list)])
	}
	for n, list := range all {
		for _, x := range list {
			if x != n {
				t.Fatalf("piece %d is %v", n, list)
			}
		}
	}
	if s.copied(nil) != nil || len(s.take(3*most)) != 3*most {
		t.Error("most of other lengths than were wanted")
	}
}
