package tire

import (
	"slices"
	"strings"
	"testing"
)

// A law leaves out terms whose coefficients all of its functions lack. It refuses a function that has one of them.
func TestLawsOmitCoefficientsMissingInAllFunctions(t *testing.T) {
	values := parameters(t, "MF61", "../resources/tires/mf61_205_60R15.tir")
	with := func(name string, value float64) Function {
		own := slices.Clone(values)
		at := slices.IndexFunc(mf6Parameters, func(p ParameterInfo) bool { return p.Name == name })
		own[at] = value
		f, err := mf61.New(own)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	lacking, having := with("RVy3", 0), with("RVy3", 0.3)
	few, many := CommonLaw([]Function{lacking}), CommonLaw([]Function{lacking, having})
	if few == many || few.Fields() >= many.Fields() {
		t.Errorf("%d fields without a coefficient, %d with it", few.Fields(), many.Fields())
	}
	if CommonLaw([]Function{with("RVy3", 0)}) != few || CommonLaw([]Function{with("LMy", 0)}) == nil {
		t.Error("functions that lack the same coefficients have other laws")
	}
	fields := make([]float64, few.Fields())
	few.Bind(lacking, fields)
	defer func() {
		if text, ok := recover().(string); !ok || !strings.Contains(text, "is 0.3; it was 0") {
			t.Errorf("a function with a coefficient that the law lacks is bound: %v", text)
		}
	}()
	few.Bind(having, fields)
}
