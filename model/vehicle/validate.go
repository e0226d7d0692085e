package vehicle

import (
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/plausible"
)

// validate checks properties that no single key shows: names, frames, inertia, trees.
func (r *reader) validate() {
	r.checkFrames()
	r.checkNodes()
	r.checkActs()
	for _, c := range r.model.Components {
		c.Check(r.scope, r.Reader)
	}
	r.checkUnprefixed()
	r.checkTrees()
	r.checkOutputs()
	r.checkRoles()
	if r.Len() == 0 {
		r.checkIdle()
		plausible.Check(r.scope, r.Reader, r.model.Gravity, r.model.Roles, r.model.Trees[0].Selection, r.values, &r.doubts,
			&r.starts)
	}
}

func (r *reader) checkOutputs() {
	alone := map[string]bool{}
	for _, c := range component.All[component.Unprefixed](r.scope) {
		for _, v := range c.Unprefixed() {
			alone[v.Name] = alone[v.Name] || !v.Input
		}
	}
	for i, name := range r.model.Outputs {
		at := r.Root.Field("outputs").Items[i]
		owner, _, _ := strings.Cut(name, ".")
		switch {
		case r.scope.Find(owner) == nil && !alone[name] && !slices.ContainsFunc(r.model.Quantities,
			func(q Quantity) bool { return q.Name == name }):
			r.At(at, "outputs names %q, but there is no component %q%s", name, owner, r.scope.Nearest(owner))
		case slices.Contains(r.model.Outputs[:i], name):
			r.At(at, "outputs names %q twice; an output is published once", name)
		}
	}
}
