package formulate

import (
	"slices"
	"strings"

	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/roles"
)

// checkRoles: the variables that roles name can be set, or are published by what seen holds; the equations do not
// depend on roles.
func (f *Formulation) checkRoles(seen map[string]bool) {
	if f.Model.Roles == nil {
		return
	}
	for _, n := range f.Model.Roles.Names {
		settable := f.inputOf[n.Name] != nil || f.parameterOf[n.Name] != nil
		what, good := "", true
		switch n.Kind {
		case roles.Input:
			what, good = "an input", settable
		case roles.Output:
			what, good = "a variable that the vehicle publishes", seen[n.Name] || settable
		case roles.Start:
			what, good = "a variable that has a start value", seen[n.Name] || settable
		}
		if good {
			continue
		}
		var names []string
		for name := range seen {
			if n.Kind != roles.Input {
				names = append(names, name)
			}
		}
		for name := range f.inputOf {
			names = append(names, name)
		}
		slices.Sort(names)
		owner, _, _ := strings.Cut(n.Name, ".")
		var own []string
		for _, name := range names {
			if strings.HasPrefix(name, owner+".") {
				own = append(own, name)
			}
		}
		hint := ""
		if near := document.Nearest(n.Name, names); near != "" {
			hint = "; did you mean \"" + near + "\"?"
		} else if len(own) > 0 {
			hint = "; " + owner + " has " + strings.Join(own[:min(10, len(own))], ", ")
		}
		f.reject(keys.Position{File: n.At.File, Line: n.At.Line, Column: n.At.Column},
			"roles.%s names %q, which is not %s%s", n.Role, n.Name, what, hint)
		return
	}
}
