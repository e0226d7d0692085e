package lanes_test

import (
	"testing"

	"skidpad/model/lanes"
	"skidpad/tire"
	"skidpad/tire/tiretest"
)

// outside is a function that is not written as formulas.
type outside struct{}

func (outside) Eval(in, out []float64) { clear(out) }

// Functions from outside stay alone. Other functions become machine code, also a single function.
func TestFunctionsFromOutsideStayAlone(t *testing.T) {
	fiala, err := tiretest.Lookup(t, "Fiala").New([]float64{0.2, 1e5, 8e4, 0.01, 0.9, 0.8})
	if err != nil {
		t.Fatal(err)
	}
	given := []tire.Function{outside{}, fiala, outside{}}
	got := lanes.BatchFunctions(given)
	if got[0] != given[0] || got[2] != given[2] {
		t.Error("functions from outside are replaced")
	}
	if _, grouped := got[1].(tire.Grouped); !grouped && canCompile() {
		t.Error("a single function is not machine code")
	}
}
