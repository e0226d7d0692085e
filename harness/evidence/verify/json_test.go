package verify

import (
	"bytes"
	"encoding/json"
	"math"
	"testing"

	"skidpad/harness/evidence/references"
	"skidpad/harness/evidence/statements"
)

// TestVerificationJSON: verdicts equal the verdicts of the tables, and NaN and infinity are null.
func TestVerificationJSON(t *testing.T) {
	v := &Verified{
		Runs: []VerifiedRun{{Reference: &references.Reference{Case: references.Case{Name: "car"}}, Tree: "default",
			Method: "rk4", Step: 0.001, Comparisons: []Comparison{{Quantity: "x", Unit: "m", Max: 2, Bound: 3},
				{Quantity: "y", Unit: "m", Max: math.NaN(), Bound: 3}}}},
		Statements: []VerifiedStatement{{"run", statements.Check{Name: "G1", Pass: true}}},
	}
	var text bytes.Buffer
	if err := v.WriteJSON(&text, &Convergence{Orders: []Order{{Run: "r", Method: "rk4", Promised: 4,
		Errors: []float64{1}, Observed: []float64{math.Inf(1)}}}}); err != nil {
		t.Fatal(err)
	}
	var data struct {
		Pass bool
		Runs []struct {
			Reference  string
			Pass       bool
			Quantities []struct {
				Largest *float64
				Pass    bool
			}
		}
		Statements  []struct{ Run, Name string }
		Convergence []struct{ Observed []*float64 }
	}
	if err := json.Unmarshal(text.Bytes(), &data); err != nil {
		t.Fatal(err)
	}
	q := data.Runs[0].Quantities
	if data.Pass || data.Runs[0].Pass || data.Runs[0].Reference != "car" || *q[0].Largest != 2 || !q[0].Pass ||
		q[1].Largest != nil || q[1].Pass || data.Statements[0].Name != "G1" || data.Statements[0].Run != "run" ||
		data.Convergence[0].Observed[0] != nil {
		t.Errorf("%s", text.String())
	}
	text.Reset()
	if err := (&Verified{}).WriteJSON(&text, &Convergence{Orders: []Order{{Promised: 4}}}); err != nil {
		t.Fatal(err)
	}
	data.Pass = true
	if err := json.Unmarshal(text.Bytes(), &data); err != nil || data.Pass {
		t.Errorf("an order that is not reached passes: %v, %s", err, text.String())
	}
}
