package subsystem

import (
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/keys"
)

// Nodes of networks are named by use, like frames, and apart from frames: a node and a frame can have one name. A name
// is one node in each domain.

// nodesIn lists the nodes of a file or the model, except for given ones. Nodes that the file gives to the files of its
// uses are among them.
func nodesIn(order []Entry, uses map[string]*use, components *document.Node, given []string) map[string]ref {
	nodes := map[string]ref{}
	add := func(r ref) {
		if local := r.local(); len(nodes) <= most && local != component.GroundFrame && !slices.Contains(given, local) {
			nodes[local] = r
		}
	}
	for _, e := range order {
		if e.Table == "component" {
			n := components.Field(e.Name)
			for _, name := range nodesOf(n, TypeOf(n)) {
				add(ref{base: name})
			}
		}
	}
	for _, e := range order {
		u := uses[e.Name]
		if e.Table != "use" || u == nil || len(nodes) > most {
			continue
		}
		for _, n := range u.valuesOfNodes() {
			add(ref{base: n.Text})
		}
		for i := range u.instances {
			for _, r := range u.file.nodes {
				add(ref{r.base, i.suffix + r.suffix})
			}
			for name := range u.addedNodes {
				add(ref{name, i.suffix})
			}
		}
	}
	return nodes
}

// checkCount refuses a file or a model with too many nodes.
func (x *expander) checkCount(nodes map[string]ref, root *document.Node) {
	if len(nodes) > most {
		x.At(root, "the uses make more than %d nodes of networks; use fewer instances", most)
	}
}

// nodesOf are the nodes that a component of a type names; nil is a type that is not known.
func nodesOf(n *document.Node, t *component.Type) (names []string) {
	if t == nil || n == nil || n.Kind != document.Table {
		return nil
	}
	for i := range t.Keys {
		value := n.Field(t.Keys[i].Name)
		switch {
		case value == nil:
		case t.Keys[i].Shape == keys.NodeShape && value.Kind == document.Text:
			names = append(names, value.Text)
		case t.Keys[i].Shape == keys.NodesShape:
			for _, item := range value.Items {
				if item.Kind == document.Text {
					names = append(names, item.Text)
				}
			}
		}
	}
	return names
}

// valuesOfNodes are the values of the table nodes of a use, each element of a list by itself.
func (u *use) valuesOfNodes() (list []*document.Node) {
	for _, name := range tableKeys(u.nodes) {
		if v := u.nodes.Field(name); v.Kind == document.List {
			list = append(list, v.Items...)
		} else {
			list = append(list, v)
		}
	}
	return list
}

// readNodes reads the nodes that the user of a file gives.
func (x *expander) readNodes(f *File, top *keys.Fields) {
	f.givenNodes = top.Texts("nodes")
	for i, name := range f.givenNodes {
		n := top.Node("nodes").Items[i]
		x.CheckIdentifier(n, "node", name)
		switch {
		case slices.Contains(f.givenNodes[:i], name):
			x.At(n, "nodes lists %q twice", name)
		case name == component.GroundFrame:
			x.At(n, "nodes lists \"ground\", which every file has; take it out")
		}
	}
}

// checkGivenNodes: every node that a use gives is a node that another part of the file or the model names.
func (x *expander) checkGivenNodes(order []Entry, uses map[string]*use, components *document.Node, given []string) {
	for _, e := range order {
		u := uses[e.Name]
		if e.Table != "use" || u == nil || u.nodes == nil {
			continue
		}
		without := *u // the names of the others
		without.nodes = nil
		others := map[string]*use{}
		for name, other := range uses {
			others[name] = other
		}
		others[e.Name] = &without
		known := nodesIn(order, others, components, nil)
		for _, name := range tableKeys(u.nodes) {
			for i := range u.instances {
				n := i.of(u.nodes.Field(name))
				_, is := known[n.Text]
				if is || n.Text == component.GroundFrame || slices.Contains(given, n.Text) {
					continue
				}
				x.At(n, "use %s.nodes.%s is %q, a node that no component and no other use names%s nodes here: %s", u.name, name,
					n.Text, keys.HintOrSemicolon(nearest(n.Text, known)), listedNodes(known, given))
				break
			}
		}
	}
}

// listedNodes are nodes for messages.
func listedNodes(known map[string]ref, given []string) string {
	list := slices.Clone(given)
	for name := range known {
		list = append(list, name)
	}
	slices.Sort(list)
	return orNothing(list)
}

// findAddedNodes finds the nodes in the changes of a use that its file does not have.
func (u *use) findAddedNodes() map[string]bool {
	added := map[string]bool{}
	for _, name := range tableKeys(u.component) {
		n := u.component.Field(name)
		t := TypeOf(n)
		if t == nil {
			t = u.file.typeOf(name)
		}
		for _, node := range nodesOf(n, t) {
			if _, is := u.file.nodes[node]; !is && !slices.Contains(u.file.givenNodes, node) && node != component.GroundFrame {
				added[node] = true
			}
		}
	}
	return added
}

// bindNodes binds the nodes that a use gives to an instance.
func (x *expander) bindNodes(u *use, i instance, user, s *scope) {
	s.givenNodes, s.addedNodes = map[string]*document.Node{}, map[string]bool{}
	for name := range u.addedNodes {
		s.addedNodes[name] = !user.hasNode(name)
	}
	for _, name := range tableKeys(u.nodes) {
		bound := *i.of(u.nodes.Field(name))
		bound.Text, _ = user.resolver().findNode(bound.Text)
		s.givenNodes[name] = &bound
	}
}

// hasNode reports whether a node is one of the file or of the model.
func (s *scope) hasNode(name string) bool {
	if s.file == nil {
		_, is := s.nodes[name]
		return is
	}
	_, is := s.resolver().findNode(name)
	return is
}

// findNode is the name in the model of a node.
func (r resolver) findNode(name string) (string, bool) {
	if r.s.file == nil || name == component.GroundFrame {
		return name, true
	}
	if n := r.s.givenNodes[name]; n != nil {
		return n.Text, true
	}
	if own, is := r.s.file.nodes[name]; is {
		return in(own.base, r.s.suffix+own.suffix), true
	}
	return name, false
}

// node is a node of the file, or else of the user, or else one that is added to the instance.
func (r resolver) node(name string) string {
	found, is := r.findNode(name)
	switch {
	case is || r.user == nil:
		return found
	case r.s.addedNodes[name]:
		return in(name, r.s.suffix+r.inner)
	}
	return r.user.resolver().node(name)
}

// nodeReference is the name of a node in a component. The position of a node given by the user is the position in the
// user's file.
func (x *expander) nodeReference(n *document.Node, r resolver, origin *document.Origin) *document.Node {
	m := *n
	m.Origin = origin
	if n.Kind != document.Text {
		return &m
	}
	m.Text = r.node(n.Text)
	if of := r.s.givenNodes[n.Text]; of != nil && r.s.file != nil {
		read := *origin
		read.Read = n
		m.File, m.Line, m.Column, m.Origin = of.File, of.Line, of.Column, &read
	}
	return &m
}

// course is a value over time: a number, a formula over parameters and the time, or the word input.
func (x *expander) course(n *document.Node, r resolver, origin *document.Origin) *document.Node {
	if n.Kind == document.Text && strings.TrimSpace(n.Text) == component.InputWord {
		return x.copied(n, origin)
	}
	return x.formula(n, r, origin)
}

// claimNodes records the nodes made by an instance; each belongs to one instance.
func (x *expander) claimNodes(s *scope) {
	var names []string
	for name, own := range s.file.nodes {
		if own.suffix == "" { // else of a use within the file, which has claimed it
			names = append(names, name)
		}
	}
	for name, own := range s.addedNodes {
		if own {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		name = in(name, s.suffix)
		if other := x.nodeOwners[name]; other != nil {
			x.At(s.origin.Use, "%s makes the node %s, which is a node of %s, too; give one of the uses another name, or an "+
				"array another first", s.origin.Text, name, other)
			return
		}
		x.nodeOwners[name] = s.origin
	}
}
