package vehicle

import (
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
)

// checkActs checks that the target of an act exists and has the right type, and that no other component acts on it.
func (r *reader) checkActs() {
	taken := map[string]string{}
	for _, c := range component.All[component.Acting](r.scope) {
		by := c.Head()
		for _, a := range c.Acts() {
			other := r.scope.Find(a.On)
			receiving, is := component.Named[component.Receiving](r.scope, a.On)
			switch {
			case other == nil:
				hint, fit := "; it needs "+a.Needs, r.receivers(a.Part)
				if near := document.Nearest(a.On, fit); near != "" {
					hint = "; did you mean \"" + near + "\"?"
				}
				if len(fit) > 0 {
					hint += " (there are " + strings.Join(fit, ", ") + ")"
				}
				r.Place(a.Pos, "%s %s names %q, which does not exist%s", by.Type, by.Name, a.On, hint)
			case !is || !receiving.Receives(a.Part):
				remedy := ""
				if a.Part == component.Turned && isRack(other) {
					remedy = `. The pinion of a rack shifts it: rack = { driver = "` + a.On + `", travel_per_turn = "48 mm/rev" }`
				}
				r.Place(a.Pos, "%s %s names %q, which is a %s; it needs %s%s",
					by.Type, by.Name, a.On, other.Head().Type, a.Needs, remedy)
			case a.Shared:
			case taken[a.On] == by.Name:
				r.Place(a.Pos, "%s %s names %q twice", by.Type, by.Name, a.On)
			case taken[a.On] != "":
				r.Place(a.Pos, "%s %s names %q, on which %s acts already; name another one here, or remove %s or change "+
					"what it names", by.Type, by.Name, a.On, taken[a.On], taken[a.On])
			default:
				taken[a.On] = by.Name
			}
		}
	}
}

// receivers are the components that others can act on so.
func (r *reader) receivers(p component.Part) (names []string) {
	for _, c := range r.model.Components {
		if o, is := c.(component.Receiving); is && o.Receives(p) {
			names = append(names, c.Head().Name)
		}
	}
	return names
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
