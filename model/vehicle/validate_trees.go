package vehicle

import (
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/graph"
)

func (r *reader) checkTrees() {
	for i, t := range r.model.Trees {
		for _, use := range []struct {
			key   string
			edges []string
		}{
			{"prefer", t.Prefer}, {"forbid", t.Forbid}, {"translation", t.Translation}, {"rotation", t.Rotation},
			{"electrical", t.Scalar[0]}, {"hydraulic", t.Scalar[1]}, {"thermal", t.Scalar[2]},
		} {
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
	owner, edge, _ := strings.Cut(name, ".")
	c := r.scope.Find(owner)
	if c == nil {
		r.At(at, "tree %q names the edge %q, but there is no component %q%s", t.Name, name, owner,
			r.scope.Nearest(owner))
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
	for _, e := range component.ScalarEdges(r.scope, c) {
		if e.Kind.CanBranch() {
			branches = append(branches, e.Name)
		} else {
			chords = append(chords, e.Name)
		}
	}
	allowed := slices.DeleteFunc(slices.Clone(branches), func(e string) bool {
		domain, one := domainOf[key]
		return one && e[:1] != domain.Letter()
	})
	switch {
	case !slices.Contains(branches, edge) && !slices.Contains(chords, edge):
		all := slices.Concat(branches, chords)
		r.At(at, "tree %q names the edge %q; %s has %s", t.Name, name, owner, orNone(all))
	case key == "forbid":
	case slices.Contains(t.Forbid, name):
		r.At(at, "tree %q holds the edge %q both under %s and under forbid", t.Name, name, key)
	case slices.Contains(chords, edge):
		r.At(at, "%s of tree %q names the edge %q, which is never in a tree; of %s it may name %s", key, t.Name, name,
			owner, orNone(allowed))
	case !slices.Contains(allowed, edge):
		r.At(at, "%s of tree %q names the edge %q of the other domain; of %s it may name %s", key, t.Name, name,
			owner, orNone(allowed))
	}
}

// domainOf are the domains of the keys of complete trees.
var domainOf = map[string]graph.Domain{
	"translation": graph.Translation, "rotation": graph.Rotation, "electrical": graph.Electrical,
	"hydraulic": graph.Hydraulic, "thermal": graph.Thermal,
}

func orNone(edges []string) string {
	if len(edges) == 0 {
		return "no edge"
	}
	return "the edges " + strings.Join(edges, ", ")
}
