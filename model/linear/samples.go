package linear

import "fmt"

// holdSamples gives the values that components hold between samples their start values. It refuses components that act:
// linear equations cannot contain samples.
func (l *Model) holdSamples() error {
	constants := make([]float64, l.program.ConstantCount())
	l.machine.Constants(constants)
	for _, s := range l.program.Samplers {
		if constants[s.Active] > 0 {
			return fmt.Errorf("%s acts at samples, and linear equations cannot contain samples; set %[1]s.active = 0, which "+
				"holds its outputs at their start values", s.Name)
		}
		for _, v := range s.Values {
			l.u[v.Control] = constants[v.Start]
		}
	}
	return nil
}
