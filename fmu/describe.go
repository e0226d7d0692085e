package fmu

import "skidpad/cosim"

// Describe makes the table of a system. Value references are the indices of the
// system's variables: the same for every instance of a model and tree.
func Describe(s *cosim.System) *Table {
	t := &Table{StopTime: s.Model().StopTime, byName: map[string]uint32{}}
	for i, v := range s.Variables() {
		e := Variable{Reference: uint32(i), Name: v.Name, Description: v.Text, Unit: v.Unit, Start: v.Start, Variability: Continuous}
		switch v.Kind {
		case cosim.Parameter:
			e.Causality, e.Variability, e.Initial = Parameter, Fixed, Exact
		case cosim.Input:
			e.Causality = Input
		default:
			e.Causality, e.Initial = Output, Calculated
			if v.Initial {
				e.Initial = Exact
			}
		}
		t.Variables = append(t.Variables, e)
		t.byName[v.Name] = e.Reference
	}
	return t
}
