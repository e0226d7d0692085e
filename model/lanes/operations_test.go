package lanes

import (
	"reflect"
	"testing"

	"skidpad/tire"
)

// Operations read the fields of a type by their order: they serve a type only as long as it has these fields.
func TestOperationsServeTheTypeTheyWereMadeOf(t *testing.T) {
	o := &operations{fields: []string{"a", "b"}}
	for _, c := range []struct {
		of     reflect.Type
		served bool
	}{
		{reflect.TypeFor[struct {
			a float64
			b bool
		}](), true},
		{reflect.TypeFor[struct{ b, a float64 }](), false},
		{reflect.TypeFor[struct{ a float64 }](), false},
		{reflect.TypeFor[struct{ a, b, c float64 }](), false},
		{reflect.TypeFor[struct {
			a float64
			b int
		}](), false},
	} {
		if o.describe(c.of) != c.served {
			t.Errorf("operations of fields a and b serve %v: %v, want %v", c.of, !c.served, c.served)
		}
	}
}

// fialaTire has the name of a type with operations, in another package.
type fialaTire struct{ d2, cs, calpha, cr, mu0, mu1 float64 }

func (t *fialaTire) Eval(in, out []float64) { out[0] = t.d2 + t.cs + t.calpha + t.cr + t.mu0 + t.mu1 }

// byValue is no pointer to a struct.
type byValue float64

func (byValue) Eval(in, out []float64) { clear(out) }

// Functions from outside, and kinds with other inputs or outputs, stay alone.
func TestOperationsAreOfBuiltInFunctions(t *testing.T) {
	fiala, err := tire.Lookup("Fiala")
	if err != nil {
		t.Fatal(err)
	}
	builtIn, err := fiala.New([]float64{0.2, 1e5, 8e4, 0.01, 0.9, 0.8})
	if err != nil {
		t.Fatal(err)
	}
	if operationsOf(fiala, builtIn) == nil {
		t.Error("Fiala has no operations")
	}
	fewerInputs, fewerOutputs := *fiala, *fiala
	fewerInputs.Inputs, fewerOutputs.Outputs = fiala.Inputs[1:], fiala.Outputs[1:]
	for what, o := range map[string]*operations{
		"a type of another package": operationsOf(fiala, &fialaTire{}), "a number": operationsOf(fiala, byValue(1)),
		"other inputs": operationsOf(&fewerInputs, builtIn), "other outputs": operationsOf(&fewerOutputs, builtIn),
	} {
		if o != nil {
			t.Errorf("%s has operations", what)
		}
	}
	alone := []tire.Function{&fialaTire{}, &fialaTire{}}
	if got := BatchFunctions([]*tire.Kind{fiala, fiala}, alone); got[0] != alone[0] || got[1] != alone[1] {
		t.Error("functions without operations are replaced")
	}
}
