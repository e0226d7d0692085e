package cosim

import (
	"errors"
	"slices"

	"skidpad/model/formulate"
)

// checkRedundant rejects constraints that depend on each other at the start. The equations need independent ones.
// The rows of the constraints are the changes of their rates, which are linear, by speeds of 1.
func (in *Instance) checkRedundant() error {
	p := in.sys.program
	if in.sides.demands == 0 || p.Redundant {
		return nil
	}
	x := slices.Clone(in.x)
	clear(x[:p.Speeds])
	rates := func() []float64 { return problem{in}.Residuals(0, x)[p.Constraints:] }
	still := slices.Clone(rates())
	rows := make([][]float64, p.Constraints)
	for k := range p.Speeds {
		x[k] = 1
		for i, v := range rates() {
			rows[i] = append(rows[i], v-still[i])
		}
		x[k] = 0
	}
	var names []string
	for _, i := range formulate.DependentRows(rows) {
		if name := formulate.Constrainer(p.ConstraintNames[i]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if names == nil {
		return nil
	}
	return errors.New("at the start " + formulate.RedundantText(names))
}
