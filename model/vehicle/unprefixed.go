package vehicle

import (
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// checkUnprefixed checks that names of variables without a component name are not used otherwise.
func (r *reader) checkUnprefixed() {
	owner := map[string]string{}
	for _, c := range component.All[component.Unprefixed](r.scope) {
		for _, v := range c.Unprefixed() {
			first, _, _ := strings.Cut(v.Name, ".")
			_, parameter := r.Parameters[first]
			name := c.Head().Name
			switch other := r.scope.Find(first); {
			case owner[v.Name] != "":
				r.Place(v.Pos, "%s has a variable %s, which %s has already; states are outputs by themselves",
					name, v.Name, owner[v.Name])
			case other != nil && other != component.Component(c):
				r.Place(v.Pos, "%s has a variable %s, whose name begins with that of the component %s; "+
					"rename the component", name, v.Name, first)
			case parameter:
				r.Place(v.Pos, "%s has a variable %s, whose name begins with that of the parameter %s; "+
					"rename the parameter", name, v.Name, first)
			case slices.ContainsFunc(r.model.Quantities, func(q Quantity) bool { return q.Name == v.Name }):
				r.Place(v.Pos, "%s has a variable %s, which is a quantity of the model, too; rename the quantity",
					name, v.Name)
			case slices.Contains(keys.Reserved, first):
				r.Place(v.Pos, "%s has a variable %s, whose name is the engine's own", name, v.Name)
			}
			owner[v.Name] = name
		}
	}
}
