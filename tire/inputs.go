package tire

// inputs is the force function of a tire that the co-simulation master computes:
// forces and moments are inputs of the vehicle. The relations of the other functions
// do not hold for it: what the master gives acts, also on a tire in the air.
var inputs = Kind{
	Name:    "inputs",
	Text:    "forces and moments are given from outside",
	Inputs:  []string{"Fx_input", "Fy_input", "Mx_input", "My_input", "Mz_input"},
	Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"},
	New: func(p []float64) (Function, error) {
		return inputsFunction{}, check("inputs", nil, p, nil, nil)
	},
}

func init() { builtin(11, &inputs) }

type inputsFunction struct{}

func (inputsFunction) Eval(in, out []float64) { copy(out, in) }

func (inputsFunction) Jacobian(in, jac []float64) {
	clear(jac)
	for i := range in {
		jac[i*len(in)+i] = 1
	}
}
