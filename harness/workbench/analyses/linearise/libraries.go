package linearise

import (
	"cmp"

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
		opened, err := f.Open(request.Tire, request.File, cmp.Or(len(f.Outputs), forces))
		switch {
		case err != nil:
			return nil, err
		case f.States > 0:
			return opened, nil // a tire.Stateful
		case f.Differentiates():
			return withDerivatives{withoutStates{opened}}, nil
		}
		return withoutStates{opened}, nil
	}
	return k, nil
}

// withoutStates is a function without internal states.
type withoutStates struct{ opened *library.Opened }

// Eval implements tire.Function.
func (f withoutStates) Eval(in, out []float64) { f.opened.Eval(in, out) }

// Fault implements tire.Fallible.
func (f withoutStates) Fault() error { return f.opened.Fault() }

// withDerivatives is one that tells its derivatives.
type withDerivatives struct{ withoutStates }

// Jacobian implements tire.Differentiable.
func (f withDerivatives) Jacobian(in, jac []float64) { f.opened.Jacobian(in, jac) }
