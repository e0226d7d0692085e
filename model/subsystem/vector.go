package subsystem

import (
	"slices"
	"strings"

	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/vectors"
)

// VectorKeys are the keys of a parameter of a model that is a vector.
var VectorKeys = []keys.Key{
	{Name: "value", Shape: keys.ListShape, Value: &keys.Key{Shape: keys.QuantityShape},
		Text: "its x, y and z at the start"},
	{Name: "unit", Shape: keys.TextShape, Optional: true,
		Text: "unit of the values; not needed where each value has one, as in \"10 mm\""},
	{Name: "text", Shape: keys.TextShape, Optional: true, Text: "description"},
}

// FileVectorKeys are the keys of a parameter of a subsystem file that is a vector.
var FileVectorKeys = []keys.Key{
	{Name: "value", Shape: keys.ListShape, Value: VectorKeys[0].Value, Optional: true,
		Text: VectorKeys[0].Text + "; without them the user must give them, and the key kind tells that it is a vector"},
	VectorKeys[1], VectorKeys[2],
	{Name: "kind", Shape: keys.WordShape, Default: position, Choices: []string{position, direction, axial},
		Text: "how the right side mirrors it: position and direction (x, -y, z), axial (-x, y, -z). A position is a point " +
			"that the file has on the left side"},
	{Name: "share", Optional: true,
		Text: "true: one vector for all instances of a use, called like the use, as on the left"},
	WhenKey,
}

// The kinds of vectors.
const (
	position  = "position"
	direction = "direction"
	axial     = "axial"
)

// Vector is a vector of the model, whose coordinates are parameters.
type Vector struct {
	Name  string // in the model
	Own   string // in its file
	Node  *document.Node
	Point bool   // a position of a file for the left side
	Right bool   // it is mirrored
	Of    string // the instance, "" of the model itself
}

// IsVector reports whether the table of a parameter is that of a vector.
func IsVector(n *document.Node) bool {
	if n == nil || n.Kind != document.Table || n.Field("choices") != nil {
		return false
	}
	v, kind := n.Field("value"), n.Field("kind")
	return v != nil && v.Kind == document.List || kind != nil && kind.Kind == document.Text
}

// HasVectors reports whether a table of parameters has vectors, also in groups.
func HasVectors(parameters *document.Node) bool {
	return slices.ContainsFunc(tableKeys(parameters), func(name string) bool {
		n := parameters.Field(name)
		return IsVector(n) || n.Kind == document.Table && slices.ContainsFunc(n.Keys, func(key string) bool {
			return n.Field(key).Kind == document.Table && IsVector(n.Field(key))
		})
	})
}

// checkVector reports faults of the table of a vector; list are its keys.
func (x *expander) checkVector(n *document.Node, name string, list []keys.Key) bool {
	before, path := x.Len(), "parameter "+keys.Printable(name)
	f := x.Fields(n, path, list)
	f.AnyUnit("unit")
	f.Text("text")
	if slices.Contains(keys.NamesOf(list), "kind") {
		f.Text("kind")
	}
	v := n.Field("value")
	switch {
	case v == nil:
		if !f.Given("unit") {
			x.At(n, "%s lacks its unit; write unit = \"m\", \"mm\" or another, \"1\" for pure numbers", path)
		}
		return x.Len() == before
	case v.Kind != document.List || len(v.Items) != len(vectors.Axes):
		x.At(v, "%s.value is %s; a vector has three coordinates, [x, y, z]", path, v)
		return false
	}
	for i, item := range v.Items {
		switch {
		case item.Kind != document.Number && (item.Kind != document.Text || !keys.IsQuantity(item.Text)):
			x.At(item, "%s.value[%d] is %s; it must be a number, or one with a unit such as \"5 mm\"", path, i, item)
		case !f.Given("unit") && item.Kind == document.Number:
			x.At(n, "%s lacks its unit; write unit = \"m\", \"mm\" or another, \"1\" for pure numbers", path)
			return false
		}
	}
	return x.Len() == before
}

// coordinate is the table of one coordinate of a vector.
func coordinate(n *document.Node, axis int) *document.Node {
	m := *n
	m.Keys, m.Fields = nil, map[string]*document.Node{}
	for _, key := range n.Keys {
		child := n.Field(key)
		switch {
		case key == "kind":
			continue
		case key == "value":
			child = child.Items[axis]
		case key == "text" && child.Kind == document.Text:
			text := *child
			text.Text += ", " + vectors.Axes[axis]
			child = &text
		}
		m.Keys, m.Fields[key] = append(m.Keys, key), child
	}
	return &m
}

// ownVectors replaces vectors in the parameters of the model by their coordinates.
func (x *expander) ownVectors(table *document.Node, group string) *document.Node {
	m := *table
	m.Keys, m.Fields = nil, map[string]*document.Node{}
	for _, key := range table.Keys {
		n, name := table.Field(key), group+key
		switch {
		case IsVector(n):
			x.CheckIdentifier(n, "parameter", key)
			if !x.checkVector(n, name, VectorKeys) {
				continue
			}
			x.result.Vectors = append(x.result.Vectors, Vector{Name: name, Own: name, Node: n})
			for axis := range vectors.Axes {
				own := vectors.Coordinate(key, axis)
				if other := table.Field(own); other != nil {
					x.At(other, "parameter %s has the name of a coordinate of the vector %s; rename one of them", own, name)
					break
				}
				put(&m, own, coordinate(n, axis))
			}
		case group == "" && n.Kind == document.Table && HasVectors(&document.Node{Kind: document.Table, Keys: []string{key},
			Fields: map[string]*document.Node{key: n}}):
			put(&m, key, x.ownVectors(n, key+"."))
		default:
			put(&m, key, n)
		}
	}
	return &m
}

func put(n *document.Node, key string, child *document.Node) {
	n.Keys = append(n.Keys, key)
	n.Fields[key] = child
}

// bindVector gives the coordinates of a vector their values in an instance. A right side is the mirror image of its
// coordinates in the model; formulas of the file are on the left side.
func (x *expander) bindVector(u *use, i instance, name string, value *document.Node, s *scope) {
	own := u.file.root.Field("parameters").Field(name)
	path := "use " + u.name + ".parameters." + name
	values, reads := [len(vectors.Axes)]*document.Node{}, value != nil
	if reads {
		if value.Kind == document.List && slices.ContainsFunc(value.Items, isList) {
			if own.Field("share") != nil {
				x.At(value, "%s is a list for the elements of an array, but all instances share one vector; give one", path)
				return
			}
			value = value.Items[i.element]
		}
		if value.Kind == document.Text {
			value = x.coordinates(value, s.user.resolver(), s.user.origin, path)
		}
		if value.Kind != document.List || len(value.Items) != len(values) {
			return // reported
		}
		copy(values[:], value.Items)
	}
	kind := kindOf(own)
	v := Vector{Name: name + "_" + s.suffix, Own: name, Node: own, Point: u.file.left && kind == position, Right: s.right,
		Of: s.origin.Text}
	if i.at != "" {
		v.Of += ", " + i.at
	}
	flips := s.right
	if own.Field("share") != nil {
		v.Name, flips = name+"_"+s.user.suffix+u.name, s.user.right
		v.Right = flips
	}
	parameters := 0
	for axis, value := range values {
		of := coordinate(own, axis)
		key := vectors.Coordinate(name, axis)
		made := len(x.parameters)
		p := binding{own: of, name: key, vector: v.Name, path: path + "[" + string(rune('0'+axis)) + "]",
			flips: flips && (kind == axial) != (axis == 1)}
		p.parameter = v.Name + "_" + vectors.Axes[axis]
		s.formulas[key] = x.bindTo(u, value, s, p)
		parameters += len(x.parameters) - made
	}
	if parameters == len(values) {
		if reads {
			v.Node = value
		}
		x.result.Vectors = append(x.result.Vectors, v)
	}
}

func isList(n *document.Node) bool { return n.Kind == document.List }

func kindOf(own *document.Node) string {
	if k := own.Field("kind"); k != nil {
		return k.Text
	}
	return position
}

// isVector reports whether a name of a formula is a vector: one of the file, or else of the user.
func (x *expander) isVector(r resolver, name string) bool {
	if r.s.file == nil {
		return slices.ContainsFunc(x.result.Vectors, func(v Vector) bool { return v.Name == name })
	}
	if own := r.s.file.root.Field("parameters").Field(name); own != nil {
		return IsVector(own)
	}
	return r.user != nil && x.isVector(r.user.resolver(), name)
}

// vectorNames lists the vectors that formulas can name, for messages.
func (x *expander) vectorNames(r resolver) []string {
	var list []string
	if r.s.file == nil {
		for _, v := range x.result.Vectors {
			list = append(list, v.Name)
		}
		return list
	}
	own := r.s.file.root.Field("parameters")
	for _, name := range tableKeys(own) {
		if IsVector(own.Field(name)) {
			list = append(list, name)
		}
	}
	if r.user != nil {
		list = append(list, x.vectorNames(r.user.resolver())...)
	}
	return list
}

// inNumbers is a formula in which the coordinates of vectors stand for what it says of vectors.
func (x *expander) inNumbers(n *document.Node, r resolver) string {
	is := func(name string) bool { return x.isVector(r, name) }
	if !vectors.Named(n.Text, is) {
		return n.Text
	}
	texts, err := vectors.Resolve(n.Text, is, x.vectorNames(r))
	switch {
	case err != nil:
		x.At(n, "the formula %q: %v", n.Text, err)
		return "1"
	case len(texts) > 1:
		x.At(n, "the formula %q is a vector where a number stands; write a coordinate, as %s.x, or norm(...)", n.Text,
			firstVector(n.Text, is))
		return "1"
	}
	return texts[0]
}

// firstVector is a vector that a formula names, for messages.
func firstVector(formula string, is func(string) bool) string {
	for _, word := range words.FindAllString(formula, -1) {
		if is(word) {
			return word
		}
	}
	return "a"
}

// vector is the list of the coordinates of a formula of vectors, in the model; what is wrong stays as it is.
func (x *expander) vector(n *document.Node, r resolver, origin *document.Origin, path string) *document.Node {
	list := x.coordinates(n, r, origin, path)
	for i, item := range list.Items {
		list.Items[i] = x.formula(item, r, origin)
	}
	return list
}

// coordinates is the list of the coordinates of a formula of vectors, as formulas of the same file; what is wrong stays
// as it is.
func (x *expander) coordinates(n *document.Node, r resolver, origin *document.Origin, path string) *document.Node {
	is := func(name string) bool { return x.isVector(r, name) }
	at := *n
	at.Origin = origin
	texts, err := vectors.Resolve(n.Text, is, x.vectorNames(r))
	switch names := x.vectorNames(r); {
	case err != nil:
		x.At(&at, "%s: the formula %q: %v", path, n.Text, err)
		return n
	case len(texts) == 1:
		hint := "; there are no vectors here"
		if near := document.Nearest(n.Text, names); near != "" {
			hint = "; did you mean \"" + near + "\"?"
		} else if len(names) > 0 {
			hint = "; vectors are " + strings.Join(names, ", ")
		}
		x.At(&at, "%s is %q, a number; it must be a list of three numbers or a formula of vectors%s", path, n.Text, hint)
		return n
	}
	list := document.Node{Kind: document.List, File: n.File, Line: n.Line, Column: n.Column, Origin: origin}
	for _, text := range texts {
		item := *n
		item.Text = text
		list.Items = append(list.Items, &item)
	}
	return &list
}
