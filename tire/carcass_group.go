package tire

import "slices"

// GroupCarcasses returns functions to be used in place of carcasses. Carcasses around functions of one group form a
// group, so that these functions are still called together.
func GroupCarcasses(carcasses []*Carcass) []Function {
	g := &carcassGroup{}
	list := make([]Function, len(carcasses))
	for i, t := range carcasses {
		bears := t.results > len(t.ForceKind.Outputs)
		if list[i] = t; bears {
			list[i] = bearingCarcass{t}
		}
		force, ok := t.Force.(Grouped)
		if !ok {
			continue
		}
		inner, index := force.Member()
		if !slices.Contains(g.inner, inner) {
			g.inner = append(g.inner, inner)
		}
		m := groupedCarcass{Carcass: t, group: g, index: len(g.members), arguments: make([]float64, len(t.inputs)),
			results: make([]float64, t.results+len(CarcassOutputs(t.ForceKind, t.setting.Turn))-len(t.ForceKind.Outputs))}
		for a := range t.in {
			m.to = append(m.to, inner.Argument(index, a))
		}
		for r := range t.out {
			m.from = append(m.from, inner.Result(index, r))
		}
		g.members = append(g.members, m)
		if list[i] = m; bears {
			list[i] = bearingMember{m}
		}
	}
	return list
}

// carcassGroup evaluates carcasses whose force functions are called together.
type carcassGroup struct {
	members []groupedCarcass
	inner   []Group // of force functions
}

// groupedCarcass is a carcass that belongs to a group, with its arguments and results, and the indices of the arguments
// and results of its force function.
type groupedCarcass struct {
	*Carcass
	group              *carcassGroup
	index              int
	arguments, results []float64
	to, from           []*float64
}

// Member implements Grouped.
func (m groupedCarcass) Member() (Group, int) { return m.group, m.index }

// bearingCarcass is one around a function that finds the normal force itself.
type bearingCarcass struct{ *Carcass }

// ReturnsNormalForce implements NormalForceSource.
func (bearingCarcass) ReturnsNormalForce() {}

// bearingMember is the same in a group.
type bearingMember struct{ groupedCarcass }

// ReturnsNormalForce implements NormalForceSource.
func (bearingMember) ReturnsNormalForce() {}

// Argument implements Group.
func (g *carcassGroup) Argument(k, a int) *float64 { return &g.members[k].arguments[a] }

// Result implements Group.
func (g *carcassGroup) Result(k, r int) *float64 { return &g.members[k].results[r] }

// Eval implements Group.
func (g *carcassGroup) Eval() {
	for i := range g.members {
		m := &g.members[i]
		m.forceArguments(m.arguments, m.in)
		for a, to := range m.to {
			*to = m.in[a]
		}
	}
	for _, inner := range g.inner {
		inner.Eval()
	}
	for i := range g.members {
		m := &g.members[i]
		for r, from := range m.from {
			m.out[r] = *from
		}
		m.finish(m.arguments, m.results)
	}
}
