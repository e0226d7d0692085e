package suspension

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"skidpad/harness/workbench/files/modelfile"
	"skidpad/model/document"
	"skidpad/model/rig"
	"skidpad/model/shelf"
)

// withoutIdle removes arms whose heads nothing uses without the suspension.
func withoutIdle(parts *node, frames *document.Node) {
	var uses func(n *document.Node, name string) bool
	uses = func(n *document.Node, name string) bool {
		return n.Kind == document.Text && n.Text == name ||
			slices.ContainsFunc(n.Items, func(item *document.Node) bool { return uses(item, name) }) ||
			slices.ContainsFunc(n.Keys, func(key string) bool { return uses(n.Field(key), name) })
	}
	for again := true; again; {
		again = false
		for _, name := range slices.Clone(parts.Keys) {
			arm := parts.Field(name)
			head := arm.Field("to")
			if kind := arm.Field("type"); kind == nil || kind.Text != "rigid-arm" || head == nil || uses(frames, head.Text) ||
				slices.ContainsFunc(parts.Keys, func(other string) bool {
					return other != name && uses(parts.Field(other), head.Text)
				}) {
				continue
			}
			parts.Node, again = parts.Without(name), true
		}
	}
}

// WriteCorner writes the subsystem file, with names of files as from a folder.
func (r *Reduction) WriteCorner(to io.Writer, folder string) error {
	fmt.Fprintf(to, "# Kinematics of %s as tables over the travel of the wheel", r.file)
	if r.Tables.Steered() {
		fmt.Fprint(to, " and the rack")
	}
	fmt.Fprint(to, ", by skidpad kc reduce.\n# SI units; y is outward.\n\n")
	var fault error
	var moved func(n *document.Node) *document.Node
	moved = func(n *document.Node) *document.Node {
		m := *n
		m.Fields = map[string]*document.Node{}
		for key, of := range n.Fields {
			m.Fields[key] = of
			switch {
			case of.Kind == document.Table:
				m.Fields[key] = moved(of)
			case key == "file" && of.Kind == document.Text && !shelf.Holds(of.Text):
				name, err := modelfile.FromFolder(folder, filepath.Dir(r.file), of.Text)
				m.Fields[key], fault = text(name), errors.Join(fault, err)
			}
		}
		return &m
	}
	corner := moved(r.Corner)
	if fault != nil {
		return fault
	}
	return document.Write(to, corner, "component", func(string) string { return "" })
}

// figureOf is the figure with a key; nil where it is missing.
func figureOf(list []rig.Figure, key string) *rig.Figure {
	for i := range list {
		if list[i].Key == key && list[i].Missing == "" {
			return &list[i]
		}
	}
	return nil
}

// nothing is a figure of 0 with rounding errors, such as a compliance of ideal joints.
const nothing = 1e-12

// Print writes the errors of the tables, the parts of links, the figures with and without tables, and the use of the
// file.
func (r *Reduction) Print(to io.Writer) error {
	w := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	t := r.Tables
	fmt.Fprintf(w, "table\tlargest error midway between %d by %d lines\n", len(t.Travel), len(t.Steer))
	for i := range t.Columns {
		c := &t.Columns[i]
		name := c.Key
		if c.Spring {
			name = "length of " + name
			if r.still(c.Key) || slices.Contains(r.Straight, c.Key) {
				continue
			}
		}
		fmt.Fprintf(w, "%s\t%.2g %s\n", name, c.Worst, c.Unit)
	}
	for _, l := range r.Links {
		fmt.Fprintf(w, "%s, %.4g kg\t%.4g kg on the carrier, %.4g kg on the chassis\n", l.Component, l.Mass, l.OnCarrier,
			l.Mass-l.OnCarrier)
	}
	for _, m := range r.Modes {
		kept := "welded"
		if m.Kept {
			kept = "kept"
		}
		fmt.Fprintf(w, "hub yields at %.0f Hz\t%s\n", m.Frequency, kept)
	}
	for i := range r.Yields {
		y := &r.Yields[i]
		fmt.Fprintf(w, "%s\t%.3f deg, largest error %.4f deg\n", y.Text, y.Effect/degree, y.Error/degree)
	}
	if r.Reduced != nil {
		fmt.Fprint(w, "\nfigure of the left wheel or the axle\tfull\treduced\tunit\n")
		for i := range r.Full {
			f := &r.Full[i]
			of := figureOf(r.Reduced, f.Key)
			if f.Missing == "" && of != nil && math.Abs(f.Left.V)+math.Abs(of.Left.V) > nothing {
				unit, si := Shown(f)
				fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", Text(f.Key), Number(f.Left.V/si), Number(of.Left.V/si), unit)
			}
		}
	}
	if len(r.Dropped) > 0 {
		fmt.Fprintf(w, "\nnot in the file: %s\n", strings.Join(r.Dropped, ", "))
	}
	fmt.Fprintf(w, "\n[use.%s]\nfile = \"...\"\nat = [\"L\", \"R\"]\nframes = {", r.Use)
	for i, name := range r.Frames {
		if i > 0 {
			fmt.Fprint(w, ",")
		}
		fmt.Fprintf(w, " %s = %q", name, r.Given[name])
	}
	fmt.Fprint(w, " }\n")
	return w.Flush()
}
