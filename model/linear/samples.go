package linear

import (
	"fmt"

	"skidpad/model/program"
)

// holdSamples gives the values that components hold between samples their start values. It refuses components that act:
// linear equations cannot contain samples.
func (l *Model) holdSamples() error {
	constants := make([]float64, l.program.ConstantCount())
	l.machine.Constants(constants)
	for _, s := range l.program.Samplers {
		if constants[s.Active] > 0 && l.hasLaw(&s) {
			return fmt.Errorf("%s acts at samples, and linear equations cannot contain samples; set %[1]s.active = 0, which "+
				"holds its outputs at their start values", s.Name)
		}
		for _, v := range s.Values {
			l.u[v.Control] = constants[v.Start]
		}
	}
	return nil
}

// hasLaw reports whether a sampler has formulas or a function. Without them it holds its values.
func (l *Model) hasLaw(s *program.Sampler) bool {
	if s.Function == nil {
		return true
	}
	text, _ := s.Function.TextNames()
	if name, set := l.controllers[text]; set {
		return name != ""
	}
	return s.Function.Function != ""
}
