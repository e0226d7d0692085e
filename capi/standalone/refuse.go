package standalone

import (
	"fmt"
	"strings"

	"skidpad/cosim"
	"skidpad/model/solver"
	"skidpad/tire/external"
)

const coverage = "see docs/generate.md#coverage"

// Refusal returns an error if an instance cannot be written in C. It checks only facts known before initialisation.
func Refusal(in *cosim.Instance) error {
	s := in.System()
	text := func(name string) string {
		value, err := in.Text(name)
		if err != nil {
			return "" // the model has none
		}
		return value
	}
	p := s.Program()
	for i := range p.Calls {
		c := &p.Calls[i]
		name := functionOf(c)
		switch value := text(name); {
		case !external.Names(value):
		case strings.HasPrefix(strings.ToLower(strings.TrimSpace(value)), "sti:"):
			return fmt.Errorf("%s is %q: the Standard Tyre Interface cannot be called from generated C; use a built-in "+
				"function", name, value)
		case c.IsLaw() || c.IsRelaxation():
			return fmt.Errorf("%s is %q: of functions in libraries, generated C calls force functions of tires only; use "+
				"formulas, or a built-in function", name, value)
		case c.Carcass != nil:
			return fmt.Errorf("%s is %q: the carcass is made of forces of its tire before the run, when generated C calls no "+
				"library; use a built-in function, or another slip.method", name, value)
		}
	}
	for _, s := range p.Samplers {
		if s.Function != nil {
			return fmt.Errorf("%s calls a function at samples: generated C has formulas only; use sampled-equations, or the "+
				"library", s.Name)
		}
	}
	method := text("solver.method")
	m, err := solver.Lookup(method)
	switch {
	case err == nil && !m.InC:
		return fmt.Errorf("solver.method is %q: generated C has %s; choose one with --method", method, Methods)
	case err == nil && m.Implicit && LibraryTire(in) != "":
		return fmt.Errorf("solver.method is %q, which needs derivatives of tires: with functions in libraries, generated C "+
			"has euler, heun and rk4; choose one with --method", method)
	}
	if text(cosim.RecordVariable) == cosim.RecordOn {
		return fmt.Errorf("%s is true: generated C records no energy; use --set %[1]s=false", cosim.RecordVariable)
	}
	return nil
}
