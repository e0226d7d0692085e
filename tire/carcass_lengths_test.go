package tire

import "testing"

// A slip follows from the deflection of a carcass, so that a relaxation function gets 0 for it, whatever an earlier
// check of the function has left there.
func TestSlipsInACarcassAreZero(t *testing.T) {
	s := &slipFunction{from: []int{-1, 1}, in: []float64{0.1, 5}}
	if s.take([]float64{7, 8}); s.in[0] != 0 || s.in[1] != 8 {
		t.Errorf("arguments %v, want 0 and 8", s.in)
	}
}
