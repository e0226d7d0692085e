package fmu

import (
	"skidpad/cosim"
	"skidpad/model/component"
)

// DescribeWithCoefficients is Describe with the coefficients of the tire functions that the model names, as parameters
// behind all other variables.
func DescribeWithCoefficients(s *cosim.System) *Table {
	t := describe(s)
	t.addCoefficients(s, func(string) bool { return true })
	t.addPeaks(s, exposed(s))
	return t
}

// exposed names the variables of tire functions that components of the model expose.
func exposed(s *cosim.System) map[string]bool {
	names := map[string]bool{}
	for _, c := range s.Model().Components {
		if exposing, is := c.(component.Exposing); is {
			for _, name := range exposing.ExposedNames() {
				names[name] = true
			}
		}
	}
	return names
}

// addPeaks adds the peak variables that are wanted. They are local variables, as energies are: their values are
// computed where they are read.
func (t *Table) addPeaks(s *cosim.System, wanted map[string]bool) {
	for _, p := range s.Peaks() {
		if wanted[p.Name] {
			t.add(Variable{Name: p.Name, Description: p.Text, Unit: p.Unit, Causality: Local, Variability: Continuous,
				Initial: Calculated, Kind: p.Kind, index: p.Index})
		}
	}
}

// add adds a variable behind the others.
func (t *Table) add(v Variable) {
	v.Reference = uint32(len(t.Variables))
	t.Variables = append(t.Variables, v)
	t.byName[v.Name] = v.Reference
}

// addCoefficients adds those coefficients whose names are wanted.
func (t *Table) addCoefficients(s *cosim.System, wanted func(name string) bool) {
	calls := map[int][]uint32{} // references of the coefficients by call
	for _, c := range s.Coefficients() {
		if !wanted(c.Name) {
			continue
		}
		v := Variable{
			Name: c.Name, Description: c.Text, Unit: c.Unit, Start: c.Start,
			Causality: Parameter, Variability: Fixed, Initial: Exact, Kind: c.Kind, index: c.Index,
		}
		if c.Tunable {
			v.Variability = Tunable
		}
		calls[c.Call] = append(calls[c.Call], uint32(len(t.Variables)))
		t.add(v)
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

// value returns a number of the window, a coefficient or a peak. A coefficient that the present tire function lacks has
// its start value. Peaks of a function without peaks are an error.
func (c *Component) value(r uint32) (float64, error) {
	energy := int64(r) >= int64(c.energies[0]) && int64(r) < int64(c.energies[1])
	if int64(r) < int64(len(c.values)) && !energy {
		return c.values[r], nil
	}
	v := &c.table.Variables[r]
	value, err := c.engine.Get(v.index)
	if err != nil && v.Kind != cosim.Peak {
		return v.Start, nil
	}
	return value, err
}
