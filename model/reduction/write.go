package reduction

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"

	"skidpad/model/document"
	"skidpad/model/rig"
	"skidpad/model/shelf"
)

// occurs reports whether a part of a file holds a string.
func occurs(n *document.Node, name string) bool {
	return n.Kind == document.Text && n.Text == name ||
		slices.ContainsFunc(n.Items, func(item *document.Node) bool { return occurs(item, name) }) ||
		slices.ContainsFunc(n.Keys, func(key string) bool { return occurs(n.Field(key), name) })
}

// withoutIdle removes arms whose heads nothing uses without the suspension.
func withoutIdle(parts *node, frames *document.Node) {
	carries := func(frame string) bool { // a body has the name of its frame
		c := parts.Field(frame)
		return c != nil && c.Field("type").Text == "rigid-body"
	}
	for again := true; again; {
		again = false
		for _, name := range slices.Clone(parts.Keys) {
			arm := parts.Field(name)
			head := arm.Field("to")
			if kind := arm.Field("type"); kind == nil || kind.Text != "rigid-arm" || head == nil ||
				carries(head.Text) || occurs(frames, head.Text) ||
				slices.ContainsFunc(parts.Keys, func(other string) bool {
					return other != name && occurs(parts.Field(other), head.Text)
				}) {
				continue
			}
			parts.Node, again = parts.Without(name), true
		}
	}
}

// Listed are the components between the wheels, with the lengths of springs in files that WriteSpan writes. named gives
// the name of the file of a spring.
func (r *Axle) Listed(named func(spring string) string) *document.Node {
	all := table()
	for _, name := range r.Between.Keys {
		of := *r.Between.Field(name)
		if of.Field("length") != nil {
			of.Fields = maps.Clone(of.Fields)
			of.Fields["length"] = table().put("file", text(named(name))).put("column", text("length")).
				put("over", words("left", "right")).Node
		}
		all.put(name, &of)
	}
	return table().put("component", all.Node).Node
}

// WriteSpan writes the length of a spring between the wheels as columns over their travels.
func (r *Axle) WriteSpan(spring string, to io.Writer) error {
	_, err := fmt.Fprint(to, "left [m],right [m],length [m]\n")
	c := r.Spans.Column(rig.Length, spring)
	for i, left := range r.Spans.Travel {
		for k, right := range r.Spans.Steer {
			if _, fault := fmt.Fprintf(to, "%v,%v,%v\n", left, right, trimmed(c.Values[i][k])); err == nil {
				err = fault
			}
		}
	}
	return err
}

// Write writes the subsystem file. Names of files in it, such as tires, are changed: in the model, they are named as
// from the folder of its file.
func (r *Axle) Write(to io.Writer, renamed func(name string) (string, error)) error {
	variables, outward := "travel of the wheel", "outward"
	switch {
	case r.Dependent != nil:
		variables, outward = "travels of both wheels", "to the left"
	case r.Tables.Steered():
		variables += " and the rack"
	}
	fmt.Fprintf(to, "# Kinematics of %s as tables over the %s, by skidpad kc reduce.\n# SI units; y is %s.\n\n", r.File,
		variables, outward)
	root := r.Corner
	if r.Dependent != nil {
		uses := table()
		for side, name := range sideNames {
			use := &node{root.Field("use").Field(name).Without("file")}
			uses.put(name, use.put("file", text(r.Dependent.Files[side])).Node)
		}
		changed := &node{root.Without("use")}
		root = changed.put("use", uses.Node).Node
	}
	return written(root, to, renamed)
}

// WriteEnd writes the file of a wheel of dependent wheels.
func (r *Axle) WriteEnd(side int, to io.Writer, renamed func(name string) (string, error)) error {
	fmt.Fprintf(to, "# The %s wheel of an axle of %s, by skidpad kc reduce.\n# SI units; y is to the left.\n\n",
		rig.Sides[side], r.File)
	return written(r.Dependent.Ends[side], to, renamed)
}

// written writes a subsystem file with changed names of files. Uses name files beside it.
func written(root *document.Node, to io.Writer, renamed func(name string) (string, error)) error {
	var fault error
	var moved func(n *document.Node) *document.Node
	moved = func(n *document.Node) *document.Node {
		m := *n
		m.Fields = map[string]*document.Node{}
		for key, of := range n.Fields {
			m.Fields[key] = of
			switch {
			case key == "use":
			case of.Kind == document.Table:
				m.Fields[key] = moved(of)
			case key == "file" && of.Kind == document.Text && !shelf.Holds(of.Text):
				name, err := renamed(of.Text)
				m.Fields[key], fault = text(name), errors.Join(fault, err)
			}
		}
		return &m
	}
	corner := moved(root)
	if fault != nil {
		return fault
	}
	return document.Write(to, corner, "component", func(string) string { return "" })
}
