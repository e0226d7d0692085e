package subsystem

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/expr"
	"skidpad/model/keys"
	"skidpad/model/unit"
	"skidpad/model/vectors"
)

// In the design position every body is unrotated and every point at its coordinates. BODY@POINT is the frame of BODY
// with its origin at a point there: a rigid arm of BODY, whose translation is
//
//	point - place of BODY.
//
// Points, and the key design of bodies, are in the axes of the design frame of their file: the first of its frames, or
// the chassis of a model.

// pointFrame is a frame BODY@POINT of the model.
type pointFrame struct {
	name   string // of the frame and its arm
	body   string // frame
	design string // design frame of the point
	point  []*document.Node
	node   *document.Node // where it stands first
	origin *document.Origin
}

// pointForm is the form of the names of points; a dot separates the group.
var pointForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)

// pointFrameOf is the name of the frame that BODY@POINT stands for.
func (x *expander) pointFrameOf(n *document.Node, r resolver, origin *document.Origin) (name string, is bool) {
	body, point, is := strings.Cut(n.Text, "@")
	if !is || body == "" {
		return "", false
	}
	at := *n
	at.Origin = origin
	switch {
	case !pointForm.MatchString(point) || strings.Contains(point, "@"):
		x.At(&at, "%q: behind @ stands the name of a point, a vector of [parameters]", n.Text)
		return n.Text, true
	case !x.isVector(r, point):
		names := x.vectorNames(r)
		x.At(&at, "%q: there is no point %s%s points are vectors of [parameters]: %s", n.Text, point,
			keys.HintOrSemicolon(didYouMean(point, names)), orNothing(names))
		return n.Text, true
	}
	name = in(strings.ReplaceAll(body+"_"+point, ".", "_"), r.s.suffix+r.inner)
	if x.pointFrames[name] != nil {
		return name, true
	}
	if reason := r.removed(body); reason != "" {
		x.At(&at, "%q names %s, which %s", n.Text, body, reason)
		return n.Text, true
	}
	if _, known := r.find(body); !known && !r.s.added[body] && (r.user == nil || !r.user.has(body)) {
		x.At(&at, "%q: the file has no body or frame %s%s it has %s", n.Text, body,
			keys.HintOrSemicolon(nearest(body, r.s.file.names)), namesOf(r.s.file))
		return n.Text, true
	}
	p := &pointFrame{name: name, body: r.name(body), design: x.designFrame(r.s), node: &at, origin: origin}
	coordinates := at
	coordinates.Text = point
	p.point = x.vector(&coordinates, r, origin, n.Text).Items
	if len(p.point) != len(vectors.Axes) {
		return n.Text, true // reported
	}
	if r.s.right {
		p.point = slices.Clone(p.point)
		p.point[1] = keys.Opposed(p.point[1])
	}
	if p.design == "" {
		x.At(&at, "%q needs a design frame, which is the first of the frames of the file; list one", n.Text)
		return n.Text, true
	}
	x.pointFrames[name] = p
	return name, true
}

// designFrame is the frame of the model in whose axes a file, or the model, gives points.
func (x *expander) designFrame(s *scope) string {
	if s.file == nil {
		chassis := x.Root.Field("roles").Field("chassis")
		if chassis == nil || chassis.Kind != document.Text {
			return component.GroundFrame
		}
		return frameOf(chassis.Text, x.Root.Field("component").Field(chassis.Text))
	}
	if len(s.file.given) == 0 {
		return ""
	}
	if n := s.given[s.file.given[0]]; n != nil {
		return n.Text
	}
	return ""
}

// frameOf is the frame of a body.
func frameOf(name string, n *document.Node) string {
	if frame := n.Field("frame"); frame != nil && frame.Kind == document.Text {
		return frame.Text
	}
	return name
}

// withDesignFrame is a component whose key design has its frame beside it.
func (x *expander) withDesignFrame(n *document.Node, s *scope, origin *document.Origin) *document.Node {
	design := n.Field("design")
	if design == nil || n.Field("design_in") != nil {
		return n
	}
	frame := x.designFrame(s)
	if frame == "" {
		x.At(design, "design needs a design frame, which is the first of the frames of the file; list one, or give design_in")
		return n
	}
	m := *n
	m.Keys, m.Fields = slices.Clone(n.Keys), map[string]*document.Node{}
	for key, child := range n.Fields {
		m.Fields[key] = child
	}
	put(&m, "design_in", &document.Node{Kind: document.Text, Text: frame, File: design.File, Line: design.Line,
		Column: design.Column, Origin: origin})
	return &m
}

// HasDesign reports whether components of a model have a place in the design position, or follow from it.
func HasDesign(components *document.Node) bool {
	return slices.ContainsFunc(tableKeys(components), func(name string) bool {
		n := components.Field(name)
		return n.Field("design") != nil || n.Field("free_length").Field("load") != nil
	})
}

// place is where a frame is in the design position: a sum of formulas for each coordinate, in the axes of a frame whose
// own place nothing says.
type place struct {
	root string
	sum  [len(vectors.Axes)][]term
}

type term struct {
	formula  string
	negative bool
}

// plus adds a vector of a file.
func (p place) plus(list []*document.Node) place {
	for axis, n := range list {
		text := inSI(n)
		if inner, negative := strings.CutPrefix(text, "-("); negative && strings.IndexByte(inner, ')') == len(inner)-1 {
			p.sum[axis] = added(p.sum[axis], term{inner[:len(inner)-1], true})
			continue
		}
		if text != "0" {
			p.sum[axis] = added(p.sum[axis], term{text, false})
		}
	}
	return p
}

// from is the place relative to another with the same root.
func (p place) from(other place) place {
	for axis := range p.sum {
		for _, t := range other.sum[axis] {
			p.sum[axis] = added(p.sum[axis], term{t.formula, !t.negative})
		}
	}
	return p
}

// added is a sum with one more term, which can cancel another.
func added(sum []term, t term) []term {
	if i := slices.Index(sum, term{t.formula, !t.negative}); i >= 0 {
		return slices.Delete(slices.Clone(sum), i, i+1)
	}
	return append(slices.Clone(sum), t)
}

// formula is the sum of one coordinate, or its opposite.
func (p place) formula(axis int, opposite bool) string {
	var b strings.Builder
	for _, t := range p.sum[axis] {
		text := t.formula
		t.negative = t.negative != opposite
		if !single.MatchString(text) && !(len(p.sum[axis]) == 1 && !t.negative) {
			text = "(" + text + ")"
		}
		switch {
		case t.negative && b.Len() == 0:
			b.WriteString("-" + text)
		case t.negative:
			b.WriteString(" - " + text)
		case b.Len() == 0:
			b.WriteString(text)
		default:
			b.WriteString(" + " + text)
		}
	}
	if b.Len() == 0 {
		return "0"
	}
	return b.String()
}

// designer finds the places of frames among the components of the model.
type designer struct {
	*expander
	makers     map[string]*document.Node // the body or the arm that a frame belongs to
	places     map[string]place
	components map[string]*document.Node
	// finding are the frames whose places are being found, or have been: none of them leads to itself.
	finding map[string]bool
}

func (x *expander) newDesigner(items []item) *designer {
	d := &designer{expander: x, makers: map[string]*document.Node{}, places: map[string]place{},
		components: map[string]*document.Node{},
		finding:    map[string]bool{}}
	for _, i := range items {
		d.components[i.name] = i.table
		word := ""
		if t := TypeOf(i.table); t != nil {
			word = t.Word
		}
		switch to := i.table.Field("to"); {
		case i.table.Field("design") != nil:
			d.makers[frameOf(i.name, i.table)] = i.table
		case to != nil && (word == "rigid-arm" || word == "weld") && i.table.Field("angles") == nil:
			d.makers[to.Text] = i.table
		}
	}
	return d
}

// placeOf is the place of a frame.
func (d *designer) placeOf(frame string) place {
	if p, is := d.places[frame]; is {
		return p
	}
	p, n := place{root: frame}, d.makers[frame]
	if d.finding[frame] {
		if n.Field("design") != nil {
			d.At(n.Field("design_in"), "design_in leads in a circle, by the frame %s; give one of the bodies on it another "+
				"frame",
				frame)
		}
		return p
	}
	d.finding[frame] = true
	switch of := d.pointFrames[frame]; {
	case of != nil:
		p = d.placeOf(of.design).plus(of.point)
	case n == nil:
	case n.Field("design") != nil:
		if in := n.Field("design_in"); in != nil && isVectorList(n.Field("design")) {
			p = d.placeOf(in.Text).plus(n.Field("design").Items)
		}
	case n.Field("from") != nil:
		if p = d.placeOf(n.Field("from").Text); isVectorList(n.Field("translation")) {
			p = p.plus(n.Field("translation").Items)
		}
	}
	d.places[frame] = p
	return p
}

func isVectorList(n *document.Node) bool {
	return n != nil && n.Kind == document.List && len(n.Items) == len(vectors.Axes)
}

// designed adds the arms of points before the components that name them first, and what follows from the design
// position.
func (x *expander) designed(items []item) []item {
	d, made, names := x.newDesigner(items), map[string]bool{}, map[string]bool{}
	for _, i := range items {
		names[i.name] = true
	}
	var all []item
	for _, i := range items {
		for _, name := range x.namedIn(i.table) {
			if made[name] {
				continue
			}
			made[name] = true
			if names[name] {
				x.At(x.pointFrames[name].node, "%q makes the frame %s, which is the name of a component; rename one of them",
					x.pointFrames[name].node.Text, name)
				continue
			}
			all = append(all, d.arm(x.pointFrames[name]))
		}
		if i.table.Field("design") != nil {
			d.placeOf(frameOf(i.name, i.table))
		}
		i.table = d.followed(i.table)
		all = append(all, i)
	}
	return all
}

// namedIn lists the frames of points that a component names, in the order of its keys.
func (x *expander) namedIn(n *document.Node) (list []string) {
	if n.Kind == document.Text && x.pointFrames[n.Text] != nil {
		list = append(list, n.Text)
	}
	for _, item := range n.Items {
		list = append(list, x.namedIn(item)...)
	}
	for _, key := range n.Keys {
		list = append(list, x.namedIn(n.Field(key))...)
	}
	return list
}

// arm is the rigid arm of a frame BODY@POINT.
func (d *designer) arm(p *pointFrame) item {
	body, point := d.placeOf(p.body), d.placeOf(p.name)
	switch design := d.makers[p.body].Field("design"); {
	case design != nil && !isVectorList(design): // reported by the reader
		point = body
	case body.root != point.root:
		d.At(p.node, "%q: nothing says where %s is in the design position of %s; give it the key design there, or name "+
			"another body", p.node.Text, p.body, point.root)
		point = body
	}
	offset := point.from(body)
	n := document.Node{Kind: document.Table, File: p.node.File, Line: p.node.Line, Column: p.node.Column, Origin: p.origin,
		Fields: map[string]*document.Node{}}
	text := func(s string) *document.Node {
		return &document.Node{Kind: document.Text, Text: s, File: n.File, Line: n.Line, Column: n.Column, Origin: p.origin}
	}
	put(&n, "type", text("rigid-arm"))
	put(&n, "from", text(p.body))
	put(&n, "to", text(p.name))
	translation := document.Node{Kind: document.List, File: n.File, Line: n.Line, Column: n.Column, Origin: p.origin}
	for axis := range vectors.Axes {
		translation.Items = append(translation.Items, d.number(offset.formula(axis, false), p.node, p.origin))
	}
	put(&n, "translation", &translation)
	if p.origin != nil {
		origin := *p.origin
		origin.Component, origin.Read = p.name, nil
		d.result.Origins[p.name] = &origin
	}
	return item{ref: ref{base: p.name}, name: p.name, table: &n}
}

// number is a formula, or the number that it is.
func (d *designer) number(formula string, at *document.Node, origin *document.Origin) *document.Node {
	n := document.Node{Kind: document.Text, Text: formula, File: at.File, Line: at.Line, Column: at.Column, Origin: origin}
	if value, err := strconv.ParseFloat(formula, 64); err == nil {
		n.Kind, n.Number = document.Number, value
	}
	if len(formula) > expr.MaxFormula {
		d.At(at, "the formula %q is longer than %d characters; give parts of it a name in [parameters]", formula[:40]+"...",
			expr.MaxFormula)
	}
	return &n
}

// followed is a component with what follows from the design position: the length of a rod, the axis of a strut and the
// free length of a spring with a load.
func (d *designer) followed(n *document.Node) *document.Node {
	t := TypeOf(n)
	switch {
	case t == nil:
	case t.Word == "rod" && n.Field("length") == nil:
		if distance := d.distance(n); distance != "" {
			return d.with(n, "length", d.number(distance, n, n.Origin))
		}
	case t.Word == "strut" && n.Field("axis") == nil:
		if offset, known := d.offset(n); known {
			axis := document.Node{Kind: document.List, File: n.File, Line: n.Line, Column: n.Column, Origin: n.Origin}
			for i := range vectors.Axes {
				axis.Items = append(axis.Items, d.number(offset.formula(i, true), n, n.Origin))
			}
			return d.with(n, "axis", &axis)
		}
	case t.Word == "spring-damper" && n.Field("free_length").Field("load") != nil:
		return d.withLoad(n)
	}
	return n
}

// with is a component with another value of a key.
func (d *designer) with(n *document.Node, key string, value *document.Node) *document.Node {
	m := *n
	m.Keys, m.Fields = slices.Clone(n.Keys), maps.Clone(n.Fields)
	if m.Fields[key] == nil {
		m.Keys = append(m.Keys, key)
	}
	m.Fields[key] = value
	return &m
}

// offset is the head of a component relative to its tail in the design position; known where both places have one root.
func (d *designer) offset(n *document.Node) (offset place, known bool) {
	from, to := n.Field("from"), n.Field("to")
	if from == nil || to == nil {
		return place{}, false
	}
	a, b := d.placeOf(from.Text), d.placeOf(to.Text)
	return b.from(a), a.root == b.root
}

// distance is the distance of the ends of a component in the design position, "" where it is not known.
func (d *designer) distance(n *document.Node) string {
	offset, known := d.offset(n)
	if !known {
		return ""
	}
	var squares []string
	for axis := range vectors.Axes {
		if text := offset.formula(axis, false); text != "0" {
			squares = append(squares, fmt.Sprintf("(%s)^2", text))
		}
	}
	if len(squares) == 0 {
		d.At(n, "both ends of the %s are at one point in the design position; name another point", TypeOf(n).Word)
		return "1"
	}
	return "sqrt(" + strings.Join(squares, " + ") + ")"
}

// withLoad is a spring whose force in the design position is given: a compression P there means the free length
//
//	L + P/k.
func (d *designer) withLoad(n *document.Node) *document.Node {
	load, stiffness := n.Field("free_length").Field("load"), n.Field("stiffness")
	length := ""
	if joint := n.Field("joint"); joint == nil {
		length = d.distance(n)
	} else if on := d.components[joint.Text]; on != nil {
		switch t := TypeOf(on); {
		case t == nil:
		case t.Word == "strut":
			length = d.distance(on)
		case t.Word == "prismatic":
			length = "0"
		}
	}
	at := n.Field("free_length")
	if number, is, _ := unit.ParseNumber(load.Text); is && load.Kind == document.Text {
		if u, err := unit.Parse(number.Unit); err == nil && u.Base(number.Unit) != "N" {
			d.At(load, "free_length.load is %s; it must be a force, such as \"3800 N\"", load)
		}
	}
	switch {
	case length == "":
		d.At(at, "free_length by a load needs the design position of the spring: two ends BODY@POINT, a strut between such "+
			"ends, or a prismatic joint")
	case stiffness == nil || n.Field("spring_force") != nil:
		d.At(at, "free_length by a load needs a stiffness, and no spring_force beside it; give the free length as a length")
	case isFormula(load) != isFormula(stiffness):
		d.At(at, "free_length by a load needs numbers for both load and stiffness, or formulas for both; make the number a "+
			"parameter")
	default:
		formula := fmt.Sprintf("(%s)/(%s)", inSI(load), inSI(stiffness))
		if length != "0" {
			formula = length + " + " + formula
		}
		return d.with(n, "free_length", d.number(formula, at, n.Origin))
	}
	return d.with(n, "free_length", d.number("0", at, n.Origin))
}

func isFormula(n *document.Node) bool { return n.Kind == document.Text && !keys.IsQuantity(n.Text) }

// inSI is a number, a number with a unit, or a formula as it stands in formulas.
func inSI(n *document.Node) string {
	switch {
	case n.Kind == document.Number:
		return strconv.FormatFloat(n.Number, 'g', -1, 64)
	case keys.IsQuantity(n.Text):
		number, _, err := unit.ParseNumber(n.Text)
		u, wrong := unit.Parse(number.Unit)
		if err != nil || wrong != nil {
			return "0" // reported by the reader
		}
		return strconv.FormatFloat(u.Of(number.Value), 'g', -1, 64)
	}
	return n.Text
}
