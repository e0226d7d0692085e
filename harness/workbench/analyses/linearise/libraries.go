package linearise

import (
	"cmp"
	"fmt"

	"skidpad/harness/library"
	"skidpad/tire"
)

// UseLibraries lets linear equations call functions in libraries by skidpad_tire.h and skidpad_law.h, in this process.
func UseLibraries() { tire.SetLoader(tire.Plugin, openFunction) }

// forces is the number of results of a force function.
const forces = 5

// openFunction finds the function that a library exports as symbol.
func openFunction(path, symbol, _ string) (*tire.Kind, error) {
	f, err := library.OpenFunction(path, symbol)
	if err != nil {
		return nil, err
	}
	k := &tire.Kind{Name: f.Name, Inputs: f.Inputs, Outputs: f.Outputs}
	if f.Outputs == nil {
		k.Outputs = []string{"Fx", "Fy", "Mx", "My", "Mz"}
	}
	k.Open = func(request tire.OpenRequest) (tire.Function, error) {
		if f.States > 0 {
			return nil, fmt.Errorf("the function %s has internal states and cannot be linearised", f.Name)
		}
		opened, err := f.Open(request.Tire, request.File, cmp.Or(len(f.Outputs), forces))
		if err != nil || f.Differentiates() {
			return opened, err
		}
		return withoutDerivatives{opened}, nil
	}
	return k, nil
}

// withoutDerivatives is a function that tells no derivatives.
type withoutDerivatives struct{ opened *library.Opened }

// Eval implements tire.Function.
func (f withoutDerivatives) Eval(in, out []float64) { f.opened.Eval(in, out) }

// Fault implements tire.Fallible.
func (f withoutDerivatives) Fault() error { return f.opened.Fault() }
