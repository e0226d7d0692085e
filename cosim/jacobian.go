package cosim

// Jacobian writes the derivative of unknown variables by known ones at the present point:
// matrix[i*len(knowns)+j] = d unknowns[i]/d knowns[j]. Each column has the bits of Directional for a seed of 1.
func (in *Instance) Jacobian(unknowns, knowns []int, matrix []float64) error {
	d := derivatives{in}
	if _, err := d.differentiate(unknowns, knowns); err != nil {
		return err
	}
	column, seed := make([]float64, len(unknowns)), []float64{1}
	for j := range knowns {
		if err := d.along(unknowns, knowns[j:j+1], seed, column); err != nil {
			return err
		}
		for i, x := range column {
			matrix[i*len(knowns)+j] = x
		}
	}
	return nil
}
