package expr_test

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"skidpad/model/expr"
)

// Float rounds to the nearest as the numbers of unbounded size do.
func TestRationalsAreRoundedToTheNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 1))
	for range 200000 {
		n, d := r.Int64()>>r.IntN(63), 1+r.Int64()>>r.IntN(63)
		if r.IntN(2) == 0 {
			n = -n
		}
		want, _ := big.NewRat(n, max(1, d)).Float64()
		if got := expr.Fraction(n, max(1, d)).Float(); got != want {
			t.Fatalf("%d/%d is %v, want %v", n, d, got, want)
		}
	}
}
