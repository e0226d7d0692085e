package model

import (
	"skidpad/model/keys"
	"slices"
	"strings"
)

// linearVariables are the names of the states and outputs of linear equations.
func (r *reader) linearVariables() map[string]bool {
	names := map[string]bool{}
	for _, c := range r.model.Components {
		if e, ok := c.(*LinearEquations); ok {
			for _, v := range e.States {
				names[v.Name] = true
			}
			for _, v := range e.Outputs {
				names[v.Name] = true
			}
		}
	}
	return names
}

// checkLinearNames: the names of the variables of linear equations are in no other use.
func (r *reader) checkLinearNames() {
	owner := map[string]string{}
	for _, c := range r.model.Components {
		e, ok := c.(*LinearEquations)
		if !ok {
			continue
		}
		for _, list := range [][]LinearVariable{e.States, e.Inputs, e.Outputs} {
			for i := range list {
				v := &list[i]
				component, _, _ := strings.Cut(v.Name, ".")
				_, parameter := r.Parameters[component]
				switch other := r.scope.Find(component); {
				case owner[v.Name] != "":
					r.Place(v.Pos, "%s has a variable %s, which %s has already; states are outputs by themselves",
						e.Name, v.Name, owner[v.Name])
				case other != nil && other != c:
					r.Place(v.Pos, "%s has a variable %s, whose name begins with that of the component %s; rename "+
						"the component", e.Name, v.Name, component)
				case parameter:
					r.Place(v.Pos, "%s has a variable %s, whose name begins with that of the parameter %s; rename "+
						"the parameter", e.Name, v.Name, component)
				case slices.ContainsFunc(r.model.Quantities, func(q Quantity) bool { return q.Name == v.Name }):
					r.Place(v.Pos, "%s has a variable %s, which is a quantity of the model, too; rename the quantity",
						e.Name, v.Name)
				case slices.Contains(keys.Reserved, component):
					r.Place(v.Pos, "%s has a variable %s, whose name is the engine's own", e.Name, v.Name)
				}
				owner[v.Name] = e.Name
			}
		}
	}
}
