package subsystem

import (
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/keys"
	"skidpad/model/vectors"
)

// resolve is the table of a component with names and formulas of the model.
func (x *expander) resolve(n *document.Node, t *component.Type, r resolver, origin *document.Origin) *document.Node {
	if t == nil || n.Kind != document.Table {
		return x.copied(n, origin) // refused by the reader
	}
	r.own = variablesOf(n, t)
	return x.withDesignFrame(x.table(n, t.Keys, r, origin), r.s, origin)
}

// variablesOf are the inputs, states, outputs and modes of equations, which formulas of the component name alone, with
// the keys of their lists.
func variablesOf(n *document.Node, t *component.Type) map[string]string {
	own := map[string]string{}
	for _, k := range t.Keys {
		list := n.Field(k.Name)
		if k.Shape != keys.TablesShape || list == nil {
			continue
		}
		for _, row := range list.Items {
			for _, key := range []string{"name", "mode"} {
				if name := row.Field(key); name != nil {
					own[name.Text] = k.Name
				}
			}
		}
	}
	return own
}

// table resolves the keys that it knows.
func (x *expander) table(n *document.Node, list []keys.Key, r resolver, origin *document.Origin) *document.Node {
	m := *n
	m.Origin, m.Keys, m.Fields = origin, slices.Clone(n.Keys), map[string]*document.Node{}
	x.count(n)
	for _, name := range n.Keys {
		child := n.Field(name)
		k := slices.IndexFunc(list, func(k keys.Key) bool { return k.Name == name })
		if k < 0 {
			m.Fields[name] = x.copied(child, origin)
			continue
		}
		m.Fields[name] = x.value(child, &list[k], r, origin)
	}
	return &m
}

func (x *expander) value(n *document.Node, k *keys.Key, r resolver, origin *document.Origin) *document.Node {
	switch k.Shape {
	case keys.FrameShape:
		return x.reference(n, r, origin)
	case keys.NodeShape, keys.NodesShape:
		return x.each(n, origin, func(n *document.Node) *document.Node { return x.nodeReference(n, r, origin) })
	case keys.CourseShape:
		return x.course(n, r, origin)
	case keys.FramesShape:
		return x.each(n, origin, func(n *document.Node) *document.Node { return x.reference(n, r, origin) })
	case keys.AnyShape:
		if one := k.Of(n); one.Shape != keys.AnyShape {
			return x.value(n, one, r, origin)
		}
	case keys.TextShape, keys.TextsShape:
		switch k.Names {
		case keys.Components:
			return x.each(n, origin, func(n *document.Node) *document.Node { return x.reference(n, r, origin) })
		case keys.Variables:
			return x.each(n, origin, func(n *document.Node) *document.Node { return x.overVariables(n, r, origin) })
		}
	case keys.AxisShape:
		switch {
		case k.Plain, n.Kind == document.Text && slices.Contains(vectors.Axes[:], n.Text):
		case n.Kind == document.Text:
			return x.vector(n, r, origin, pathOf(k.Name, origin))
		default:
			return x.each(n, origin, func(n *document.Node) *document.Node { return x.formula(n, r, origin) })
		}
	case keys.ScalarShape, keys.VectorShape, keys.ScalarsShape, keys.MatrixShape:
		if k.Shape == keys.VectorShape && n.Kind == document.Text {
			return x.vector(n, r, origin, pathOf(k.Name, origin))
		}
		return x.each(n, origin, func(n *document.Node) *document.Node { return x.formula(n, r, origin) })
	case keys.TableShape:
		switch {
		case n.Kind != document.Table:
		case len(k.Keys) == 0: // numbers by name
			m := *n
			m.Origin, m.Fields = origin, map[string]*document.Node{}
			for _, name := range n.Keys {
				m.Fields[name] = x.each(n.Field(name), origin, func(n *document.Node) *document.Node {
					return x.formula(n, r, origin)
				})
			}
			return &m
		default:
			return x.table(n, k.Keys, r, origin)
		}
	case keys.TablesShape:
		return x.each(n, origin, func(n *document.Node) *document.Node { return x.table(n, k.Keys, r, origin) })
	}
	return x.copied(n, origin)
}

// pathOf is the path of a key in messages.
func pathOf(key string, origin *document.Origin) string {
	if origin == nil || origin.Component == "" {
		return key
	}
	return origin.Component + "." + key
}

// each applies a function to a value, or to the values of a list.
func (x *expander) each(n *document.Node, origin *document.Origin,
	f func(*document.Node) *document.Node) *document.Node {
	x.count(n)
	switch n.Kind {
	case document.List:
		m := *n
		m.Origin, m.Items = origin, nil
		for _, item := range n.Items {
			m.Items = append(m.Items, x.each(item, origin, f))
		}
		return &m
	default:
		return f(n)
	}
}

// reference is the name of a frame or a component. The position of a name given by the user is the position in the
// user's file.
func (x *expander) reference(n *document.Node, r resolver, origin *document.Origin) *document.Node {
	m := *n
	m.Origin = origin
	if n.Kind != document.Text {
		return &m
	}
	if name, is := x.pointFrameOf(n, r, origin); is {
		m.Text = name
		return &m
	}
	m.Text = r.name(n.Text)
	if reason := r.removed(n.Text); reason != "" {
		x.At(&m, "%q %s", n.Text, reason)
	}
	if of := r.s.given[n.Text]; of != nil && r.s.file != nil {
		read := *origin
		read.Read = n
		m.File, m.Line, m.Column, m.Origin = of.File, of.Line, of.Column, &read
	}
	return &m
}

// overVariables is a formula over variables of components and over parameters.
func (x *expander) overVariables(n *document.Node, r resolver, origin *document.Origin) *document.Node {
	m := *n
	m.Origin = origin
	if n.Kind != document.Text || len(n.Text) > expr.MaxFormula {
		return &m
	}
	if m.Text = x.inNumbers(n, r); r.s.file != nil {
		m.Text = x.replaced(&m, m.Text, func(name string) (string, bool) {
			if of, _ := r.parameter(name); of != nil {
				if list := r.own[name]; list != "" {
					x.At(&m, "the formula names %s, which is a parameter of this file and one of the %s of the component; "+
						"a name in a formula has one meaning, give one of the two another name", name, list)
				}
				return "(" + of.Text + ")", true
			}
			owner, _, _ := strings.Cut(name, ".")
			if reason := r.removed(owner); reason != "" {
				x.At(&m, "the formula %q names %s, which %s", n.Text, owner, reason)
			}
			return r.variable(name), true
		})
	}
	return &m
}

// copied is a copy with an origin.
func (x *expander) copied(n *document.Node, origin *document.Origin) *document.Node {
	if x.full {
		return n
	}
	x.count(n)
	m := *n
	m.Origin, m.Items, m.Fields = origin, nil, nil
	for _, item := range n.Items {
		m.Items = append(m.Items, x.copied(item, origin))
	}
	if n.Fields != nil {
		m.Fields = map[string]*document.Node{}
	}
	for _, key := range n.Keys {
		m.Fields[key] = x.copied(n.Field(key), origin)
	}
	return &m
}

// count limits the copies of all instances.
func (x *expander) count(n *document.Node) {
	if x.nodes++; x.nodes > mostNodes {
		x.fill(n, "the instances of uses hold more than %d keys and values; use fewer", mostNodes)
	}
}
