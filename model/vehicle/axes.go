package vehicle

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"skidpad/model/document"
	"skidpad/model/keys"
	"skidpad/model/subsystem"
)

// smallestAxis is the length [m, or the unit of the formula] of the shortest axis that formulas may give at the start.
const smallestAxis = 1e-6

// turnings lead, for each coordinate axis, to an axis that is given by formulas: the sequence of two turns that take
// the coordinate axis there, and the sequence that leads back.
var turnings = [3]struct{ there, back string }{{"321", "123"}, {"312", "213"}, {"213", "123"}}

// turnAxes replaces axes that are given by formulas. The joint turns about the coordinate axis next to its axis at the
// start, between the frames NAME_tail and NAME_head. The angles of the arm to NAME_tail follow the formulas. A second
// arm leads from NAME_head back to the head. Loads need the first arm only.
func (r *reader) turnAxes() {
	components := r.Root.Field("component")
	if components == nil || components.Kind != document.Table {
		return
	}
	turned := *components
	turned.Keys, turned.Fields = nil, map[string]*document.Node{}
	add := func(name string, n *document.Node) {
		turned.Keys, turned.Fields[name] = append(turned.Keys, name), n
	}
	addArm := func(name string, n *document.Node) {
		if other := components.Field(name); other != nil {
			r.At(other, "component %s has the name of a frame at an axis that is given by a formula (%s:%d:%d); rename one "+
				"of them", name, n.File, n.Line, n.Column)
			return
		}
		add(name, n)
	}
	same := map[string]string{} // frames of joints, by their tail, head and axis
	for _, name := range components.Keys {
		table := components.Field(name)
		axis := table.Field("axis")
		k := axisKey(table)
		if k == nil || axis == nil || axis.Kind != document.List || len(axis.Items) != 3 ||
			!slices.ContainsFunc(axis.Items, func(n *document.Node) bool { return n.Kind == document.Text }) {
			add(name, table)
			continue
		}
		a, ok := r.readAxis(name+"."+k.Name, axis)
		tail := cmp.Or(k.In, "from")
		from, to := table.Field(tail), table.Field("to")
		if !ok || from == nil || to == nil || !keys.IsIdentifier(name) {
			add(name, withField(table, "axis", a.beside(axis))) // reported
			continue
		}
		joint := slices.Contains([]string{"revolute", "prismatic", "motion-driver"}, table.Field("type").Text)
		place, arms := from.Text+","+to.Text+","+a.text, name
		if other := same[place]; other != "" && !joint {
			arms = other
		} else {
			addArm(name+"_tail", r.arm(name+"_tail", table, axis, from, text(axis, name+"_tail"), turnings[a.next].there,
				a.there))
		}
		table = withField(table, "axis", a.beside(axis))
		table = withField(table, tail, text(from, arms+"_tail"))
		if n := table.Field(keys.ReactionsKey); n != nil && n.Kind == document.Truth && n.Text == "true" {
			table = withField(table, keys.ReactionsKey, text(n, from.Text))
		}
		if joint || arms != name {
			table = withField(table, "to", text(to, arms+"_head"))
		}
		add(name, table)
		if joint {
			same[place] = name
			back := r.arm(name+"_head", table, axis, text(axis, name+"_head"), to, turnings[a.next].back, a.back)
			addArm(name+"_head", back)
		}
	}
	r.Root = withField(r.Root, "component", &turned)
}

// axisKey is the key of a component's axis that formulas may give, nil where there is none.
func axisKey(table *document.Node) *keys.Key {
	t := subsystem.TypeOf(table)
	if t == nil {
		return nil
	}
	i := slices.IndexFunc(t.Keys, func(k keys.Key) bool { return k.Shape == keys.AxisShape && !k.Plain })
	if i < 0 {
		return nil
	}
	return &t.Keys[i]
}

// formulaAxis is an axis that is given by formulas.
type formulaAxis struct {
	text        string    // of all three, to compare
	next        int       // index of the coordinate axis that is next to it at the start
	back, there [3]string // angles of the arms
	opposite    bool      // it points against the coordinate axis
}

// readAxis reads the three formulas of an axis.
func (r *reader) readAxis(path string, axis *document.Node) (a formulaAxis, ok bool) {
	before := r.Len()
	var x [3]float64
	var t [3]string
	for i, item := range axis.Items {
		if r.Len() > before {
			return a, false
		}
		s := r.Scalar(item, path+"["+strconv.Itoa(i)+"]", &keys.Key{Unit: keys.AnyUnit})
		x[i], t[i] = s.Value, s.Text
		if s.Formula {
			t[i] = "(" + s.Text + ")"
		}
		a.text += t[i] + ","
		if math.Abs(x[i]) > math.Abs(x[a.next]) {
			a.next = i
		}
	}
	if r.Len() > before || slices.ContainsFunc(x[:], math.IsNaN) {
		return a, false
	}
	if length := math.Hypot(math.Hypot(x[0], x[1]), x[2]); length < smallestAxis {
		r.At(axis, "%s has no direction: its formulas give a length of %.3g at the start; the points that it joins are one "+
			"point", path, length)
		return a, false
	}
	if a.opposite = x[a.next] < 0; a.opposite {
		for i := range t {
			t[i] = "(-" + t[i] + ")"
		}
	}
	squares := func(i, j int) string { return "sqrt(" + t[i] + "^2 + " + t[j] + "^2)" }
	switch a.next {
	case 0: // yaw, pitch
		a.there = [3]string{"atan2(" + t[1] + ", " + t[0] + ")", "-atan2(" + t[2] + ", " + squares(0, 1) + ")"}
		a.back = [3]string{"", opposed(a.there[1]), opposed(a.there[0])}
	case 1: // yaw, roll
		a.there = [3]string{"-atan2(" + t[0] + ", " + t[1] + ")", "atan2(" + t[2] + ", " + squares(0, 1) + ")"}
		a.back = [3]string{"", opposed(a.there[1]), opposed(a.there[0])}
	case 2: // pitch, roll
		a.there = [3]string{"atan2(" + t[0] + ", " + t[2] + ")", "-atan2(" + t[1] + ", " + squares(0, 2) + ")"}
		a.back = [3]string{opposed(a.there[1]), opposed(a.there[0])}
	}
	return a, true
}

func opposed(formula string) string {
	if formula[0] == '-' {
		return formula[1:]
	}
	return "-" + formula
}

// beside is the coordinate axis next to the axis, in the place of its formulas.
func (a *formulaAxis) beside(axis *document.Node) *document.Node {
	list := *axis
	list.Items = nil
	for i, item := range axis.Items {
		value := 0.0
		if i == a.next {
			value = 1
			if a.opposite {
				value = -1
			}
		}
		list.Items = append(list.Items, numberAt(item, value))
	}
	return &list
}

// arm is a rigid arm with angles, at the place of an axis of a joint.
func (r *reader) arm(name string, joint, axis, from, to *document.Node, sequence string,
	angles [3]string) *document.Node {
	if joint.Origin != nil {
		origin := *joint.Origin
		origin.Component = name
		r.document.origins[name] = &origin
	}
	turns := document.Node{Kind: document.List, File: axis.File, Line: axis.Line, Column: axis.Column, Origin: axis.Origin}
	for _, angle := range angles {
		item := text(axis, angle)
		if angle == "" {
			item = numberAt(axis, 0)
			item.Items = nil
		}
		turns.Items = append(turns.Items, item)
	}
	return &document.Node{Kind: document.Table, File: joint.File, Line: joint.Line, Column: joint.Column,
		Origin: joint.Origin, Keys: []string{"type", "from", "to", "sequence", "angles"},
		Fields: map[string]*document.Node{"type": text(axis, "rigid-arm"), "from": from, "to": to,
			"sequence": text(axis, sequence), "angles": &turns}}
}

// text is a string in the place of another value.
func text(n *document.Node, text string) *document.Node {
	return &document.Node{Kind: document.Text, Text: text, File: n.File, Line: n.Line, Column: n.Column, Origin: n.Origin}
}
