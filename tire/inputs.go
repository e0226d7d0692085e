package tire

import "skidpad/tire/formula"

// inputs is the force function of a tire that the co-simulation master computes:
// forces and moments are inputs of the vehicle. The relations of the other functions
// do not hold for it: what the master gives acts, also on a tire in the air.
var inputs = Kind{
	Name:    "inputs",
	Text:    "forces and moments are given from outside",
	Inputs:  []string{"Fx_input", "Fy_input", "Mx_input", "My_input", "Mz_input"},
	Outputs: []string{"Fx", "Fy", "Mx", "My", "Mz"},
	New: func(p []float64) (Function, error) {
		return &inputsTire{newFormulas(inputsText{}, nil)}, check("inputs", nil, p, nil, nil)
	},
}

func init() { builtin(11, &inputs) }

type inputsTire struct{ formulas }

// inputsText is the law of inputs: Fx, Fy [N], Mx, My, Mz [N m] as they are given.
type inputsText struct{}

func (inputsText) shape() lawShape { return lawShape{inputs: len(inputs.Inputs)} }

func (inputsText) write(in, _ []formula.Number) (bounded, results []formula.Number) { return in, in }

// grip implements gripText: the forces follow no slip.
func (inputsText) grip(in, _ []formula.Number) (stiffness, most [2]formula.Number) {
	one, never := in[0].Constant(1), in[0].Constant(unlimited)
	return [2]formula.Number{one, one}, [2]formula.Number{never, never}
}
