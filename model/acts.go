package model

import (
	"slices"

	"skidpad/model/component"
)

// checkActs: what a component acts on exists, is of the right type, and nothing else acts on it.
func (r *reader) checkActs() {
	taken := map[string]string{}
	for _, c := range component.All[component.Acting](r.scope) {
		by := c.Head()
		for _, a := range c.Acts() {
			other := r.scope.Find(a.On)
			receiving, is := component.Named[component.Receiving](r.scope, a.On)
			switch {
			case other == nil:
				r.Place(a.Pos, "%s %s names %q, which does not exist%s", by.Type, by.Name, a.On, r.scope.Nearest(a.On))
			case !is || !receiving.Receives(a.Part):
				r.Place(a.Pos, "%s %s names %q, which is a %s; it needs %s",
					by.Type, by.Name, a.On, other.Head().Type, a.Needs)
			case a.Shared:
			case taken[a.On] == by.Name:
				r.Place(a.Pos, "%s %s names %q twice", by.Type, by.Name, a.On)
			case taken[a.On] != "":
				r.Place(a.Pos, "%s %s names %q, on which %s acts already", by.Type, by.Name, a.On, taken[a.On])
			default:
				taken[a.On] = by.Name
			}
		}
	}
}

// Driver returns the engine, gearbox or differential that drives a joint or differential, nil for none.
func (m *Model) Driver(name string) component.Component {
	for _, c := range component.All[component.Acting](component.NewScope(m.Components)) {
		powers := func(a component.Act) bool { return a.On == name && a.Part == component.Powered }
		if slices.ContainsFunc(c.Acts(), powers) {
			return c
		}
	}
	return nil
}
