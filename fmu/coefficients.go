package fmu

import "skidpad/cosim"

// DescribeWithCoefficients is Describe with the coefficients of the tire functions that the model names, as parameters
// behind all other variables.
func DescribeWithCoefficients(s *cosim.System) *Table {
	t := describe(s)
	t.addCoefficients(s, func(string) bool { return true })
	return t
}

// addCoefficients adds those coefficients whose names are wanted.
func (t *Table) addCoefficients(s *cosim.System, wanted func(name string) bool) {
	calls := map[int][]uint32{} // references of the coefficients by call
	for _, c := range s.Coefficients() {
		if !wanted(c.Name) {
			continue
		}
		v := Variable{
			Reference: uint32(len(t.Variables)), Name: c.Name, Description: c.Text, Unit: c.Unit, Start: c.Start,
			Causality: Parameter, Variability: Fixed, Initial: Exact, Kind: c.Kind, index: c.Index,
		}
		if c.Tunable {
			v.Variability = Tunable
		}
		t.Variables = append(t.Variables, v)
		t.byName[v.Name] = v.Reference
		calls[c.Call] = append(calls[c.Call], v.Reference)
	}
	of, starts := s.Dependencies()
	for i := range t.Initial {
		u := &t.Initial[i]
		for _, call := range t.atStart(s, int(u.Reference), of, starts).Calls {
			u.Dependencies = append(u.Dependencies, calls[call]...)
		}
		*u = unknown(&t.Variables[u.Reference], u.Dependencies)
	}
}

// value is that of a number that can be read now: of the window, or of a coefficient; its start value is that of one
// which the present tire function does not have.
func (c *Component) value(r uint32) float64 {
	energy := int64(r) >= int64(c.energies[0]) && int64(r) < int64(c.energies[1])
	if int64(r) < int64(len(c.values)) && !energy {
		return c.values[r]
	}
	v := &c.table.Variables[r]
	value, err := c.engine.Get(v.index)
	if err != nil { // the present tire function does not have it
		value = v.Start
	}
	return value
}
