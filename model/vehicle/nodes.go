package vehicle

import (
	"fmt"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/subsystem"
)

// nodeUses tells which components name a node in which domain, without measuring ones, in their order.
type nodeUses map[graph.Domain]map[string][]*keys.Header

func (r *reader) nodesInUse() nodeUses {
	uses := nodeUses{}
	for _, c := range r.model.Components {
		if _, measures := component.As[component.Measuring](c); measures {
			continue
		}
		h := c.Head()
		for _, e := range component.ScalarEdges(r.scope, c) {
			for _, node := range []string{e.From, e.To} {
				if node == "" || node == graph.GroundFrame {
					continue
				}
				if uses[e.Domain] == nil {
					uses[e.Domain] = map[string][]*keys.Header{}
				}
				if list := uses[e.Domain][node]; !slices.Contains(list, h) {
					uses[e.Domain][node] = append(list, h)
				}
			}
		}
	}
	return uses
}

// checkNodes notes nodes of one component alone whose names are those of a frame, or of nodes of another domain.
func (r *reader) checkNodes() {
	uses, all := r.nodesInUse(), r.framesInUse()
	for _, c := range r.model.Components {
		h, reported := c.Head(), map[string]bool{}
		for _, e := range component.ScalarEdges(r.scope, c) {
			for _, node := range []string{e.From, e.To} {
				if list := uses[e.Domain][node]; len(list) != 1 || list[0] != h || reported[node] {
					continue
				}
				reported[node] = true
				switch other, of := uses.elsewhere(node, e.Domain); {
				case other != "":
					r.Place(r.namingNode(h, node), "%s %s: no other component has the %s node %q, and %s has a node of this "+
						"name in the %s domain; domains have nodes of their own: name a node of %s components, or rename the other "+
						"one%s", h.Type, h.Name, e.Domain, node, of, other, e.Domain, uses.hint(e.Domain, node))
				case all.known[node]:
					r.Place(r.namingNode(h, node), "%s %s: %q is a frame, and no other component has the %s node %q; nodes are "+
						"named by components of their domain, frames by bodies and joints%s", h.Type, h.Name, node, e.Domain, node,
						uses.hint(e.Domain, node))
				}
			}
		}
	}
}

// elsewhere is another domain with a node of this name, and a component there; "" for none.
func (u nodeUses) elsewhere(node string, but graph.Domain) (domain, component string) {
	for _, d := range graph.ScalarDomains {
		if list := u[d][node]; d != but && len(list) > 0 {
			return d.String(), list[0].Name
		}
	}
	return "", ""
}

// hint lists nodes of a domain for messages.
func (u nodeUses) hint(d graph.Domain, except string) string {
	var list []string
	for name := range u[d] {
		if name != except {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	near := ""
	if name := document.Nearest(except, list); name != "" {
		near = fmt.Sprintf("; did you mean %q?", name)
	}
	if len(list) == 0 {
		return near
	}
	return fmt.Sprintf("%s %s nodes: %s", keys.HintOrSemicolon(near), d, strings.Join(list, ", "))
}

// namingNode is the position of a node in the keys of a component.
func (r *reader) namingNode(h *keys.Header, node string) keys.Position {
	table := r.Root.Field("component").Field(h.Name)
	t := subsystem.TypeOf(table)
	if t == nil {
		return h.Pos
	}
	for i := range t.Keys {
		n := table.Field(t.Keys[i].Name)
		switch {
		case n == nil:
		case t.Keys[i].Shape == keys.NodeShape && n.Text == node:
			return r.Position(n)
		case t.Keys[i].Shape == keys.NodesShape:
			for _, item := range n.Items {
				if item.Text == node {
					return r.Position(item)
				}
			}
		}
	}
	return h.Pos
}

// isNode tells that a name of no frame is a node.
func (u nodeUses) isNode(name string) string {
	for _, d := range graph.ScalarDomains {
		if len(u[d][name]) > 0 {
			return fmt.Sprintf("; %q is a node of the %s domain", name, d)
		}
	}
	return ""
}
