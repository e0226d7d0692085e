package vehicle

import (
	"slices"
	"strings"

	"skidpad/model/document"
)

func (r *reader) checkTrees() {
	for i, t := range r.model.Trees {
		for _, use := range []struct {
			key   string
			edges []string
		}{{"prefer", t.Prefer}, {"forbid", t.Forbid}, {"translation", t.Translation}, {"rotation", t.Rotation}} {
			for k, name := range use.edges {
				at := r.Root.Field("tree").Items[i].Field(use.key).Items[k]
				r.checkEdge(at, &t, use.key, name)
			}
		}
	}
}

// checkEdge rejects an edge in a key of a tree if the edge does not exist or cannot be in the tree. Any edge may be
// forbidden.
func (r *reader) checkEdge(at *document.Node, t *Tree, key, name string) {
	component, edge, _ := strings.Cut(name, ".")
	c := r.scope.Find(component)
	if c == nil {
		r.At(at, "tree %q names the edge %q, but there is no component %q%s", t.Name, name, component,
			r.scope.Nearest(component))
		return
	}
	var branches, chords []string
	for _, e := range c.Edges(r.scope) {
		if e.Selectable() {
			branches = append(branches, e.Name)
		} else {
			chords = append(chords, e.Name)
		}
	}
	allowed := slices.DeleteFunc(slices.Clone(branches), func(e string) bool {
		return key == "translation" && e[0] == 'R' || key == "rotation" && e[0] == 'T'
	})
	switch {
	case !slices.Contains(branches, edge) && !slices.Contains(chords, edge):
		all := slices.Concat(branches, chords)
		r.At(at, "tree %q names the edge %q; %s has %s", t.Name, name, component, orNone(all))
	case key == "forbid":
	case slices.Contains(t.Forbid, name):
		r.At(at, "tree %q holds the edge %q both under %s and under forbid", t.Name, name, key)
	case slices.Contains(chords, edge):
		r.At(at, "%s of tree %q names the edge %q, which is never in a tree; of %s it may name %s", key, t.Name, name,
			component, orNone(allowed))
	case !slices.Contains(allowed, edge):
		r.At(at, "%s of tree %q names the edge %q of the other domain; of %s it may name %s", key, t.Name, name,
			component, orNone(allowed))
	}
}

func orNone(edges []string) string {
	if len(edges) == 0 {
		return "no edge"
	}
	return "the edges " + strings.Join(edges, ", ")
}
