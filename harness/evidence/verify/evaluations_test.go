package verify

import "testing"

// TestEveryStepDoesTheSameInstructions: T4 for both vehicles of Morency (2007), with each explicit method.
func TestEveryStepDoesTheSameInstructions(t *testing.T) {
	v, result := Verification{Resources: resources}, &Verified{}
	if err := v.countEvaluations(result); err != nil {
		t.Fatal(err)
	}
	if len(result.Statements) != 6 {
		t.Errorf("%d statements", len(result.Statements))
	}
	for _, s := range result.Statements {
		if !s.Pass {
			t.Errorf("%s: %s [%s]", s.Run, s.Measured, s.Bound)
		}
	}
}
