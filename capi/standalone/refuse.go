package standalone

import (
	"fmt"
	"strings"

	"skidpad/cosim"
	"skidpad/model/road"
	"skidpad/model/solver"
	"skidpad/tire/external"
)

const coverage = "see docs/generate.md#coverage"

// Refusal says what of an instance cannot be written in C, nil for nothing that is known before it is initialised.
func Refusal(in *cosim.Instance) error {
	s := in.System()
	text := func(name string) string {
		value, err := in.Text(name)
		if err != nil {
			return "" // the model has none
		}
		return value
	}
	for _, v := range s.Variables()[s.First(cosim.Text):] {
		switch value := text(v.Name); {
		case strings.HasPrefix(strings.ToLower(strings.TrimSpace(value)), "sti:"):
			return fmt.Errorf("%s is %q: the Standard Tyre Interface cannot be called from generated C; use a built-in "+
				"function", v.Name, value)
		case external.Names(value):
			return fmt.Errorf("%s is %q: library tire functions cannot be called from generated C; use a built-in function",
				v.Name, value)
		}
	}
	p := s.Program()
	if s.HasDiscreteContacts() {
		return fmt.Errorf("wheel contacts of %s act between steps and are computed in Go; %s", p.Contacts[0].Name, coverage)
	}
	method := text("solver.method")
	if m, err := solver.Lookup(method); err == nil && !m.InC {
		return fmt.Errorf("solver.method is %q: generated C has %s; choose one with --method", method, Methods)
	}
	for _, t := range p.Terrains {
		for _, of := range []struct{ key, kinds string }{
			{t.Name + ".kind", "flat, plane, formula, table and grid"},
			{t.Name + ".friction_kind", "flat, formula, table and grid"},
		} {
			kind := text(of.key)
			if kind == road.CRG || kind == road.RDF || kind == road.ISO8608 {
				return fmt.Errorf("%s is %q: generated C has %s; %s", of.key, kind, of.kinds, coverage)
			}
		}
	}
	if text(cosim.RecordVariable) == cosim.RecordOn {
		return fmt.Errorf("%s is true: generated C records no energy; use --set %[1]s=false", cosim.RecordVariable)
	}
	return nil
}
