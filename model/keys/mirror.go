package keys

import (
	"math"
	"slices"
	"strings"

	"skidpad/model/document"
	"skidpad/model/unit"
)

// Mirror is how the value of a key changes where a component is mirrored about the xz-plane, by S = diag(1, -1, 1).
type Mirror uint8

// The ways. A key without one stays: words, texts, and numbers with a bound, which cannot change their sign.
const (
	NotSaid     Mirror = iota
	Stays              // number or curve that no side changes
	Polar              // position, velocity, force: (x, -y, z)
	Axial              // angular velocity, torque: (-x, y, -z)
	EulerAngles        // of the key sequence: about x and z they change their signs
	Opposite           // number that changes its sign
	OddCurve           // f(x) becomes -f(-x)
	Reversed           // f(x) becomes f(-x)
	Side               // left and right
	// RotationAxis and TranslationAxis are axes of a coordinate. The key mirror of the component, or else the axis,
	// decides whether the coordinate keeps its sign. SpinAxis is the axis of a rotation that keeps its sign.
	RotationAxis
	TranslationAxis
	SpinAxis
	// OfCoordinate is a number along the coordinate of a component or its joint. LowerEnd and UpperEnd are a pair of such
	// numbers. MotionLaw is a curve or a surface over coordinate and rate, FirstLaw a surface whose second variable stays.
	// OverSteering is a curve or a surface. If the component or its joint has the key steer, the second variable of the
	// surface is a steering, which changes its sign: f(x, -y). OfSecond is a number along this variable.
	OfCoordinate
	LowerEnd
	UpperEnd
	MotionLaw
	FirstLaw
	OverSteering
	OfSecond
	// Axes x, y, z of a component become S x, S y and -S z, right-handed again. ThirdAxis is the axis z, from which the
	// others follow; the key axes can give x and y, FirstAxes, in its place. PolarInAxes are components of a displacement
	// or force in such axes, (x, y, -z); AxialInAxes of a rotation or moment, (-x, -y, z); MatrixInAxes is a matrix over
	// three of each.
	ThirdAxis
	FirstAxes
	PolarInAxes
	AxialInAxes
	MatrixInAxes
)

// Coordinate says how the mirror image changes the coordinate of a component or of its joint.
type Coordinate struct {
	Flips   bool // the coordinate changes its sign
	Steered bool // the second variable of surfaces is a steering and changes its sign
}

// CoordinateOf is the coordinate of a component with these keys.
func CoordinateOf(table *document.Node, list []Key) Coordinate {
	flips := slices.ContainsFunc(list, func(k Key) bool {
		return (k.Mirror == RotationAxis || k.Mirror == TranslationAxis) && k.flipsCoordinate(table)
	})
	return Coordinate{flips, table.Field("steer") != nil}
}

// Mirrored is a table of these keys of a mirrored component, with its coordinate or the coordinate of its joint.
func Mirrored(table *document.Node, list []Key, on Coordinate) *document.Node {
	return mirrored(table, list, on, "")
}

// mirrored is Mirrored of a table in one that has the sequence of its angles.
func mirrored(table *document.Node, list []Key, on Coordinate, sequence string) *document.Node {
	m := *table
	m.Keys, m.Fields = slices.Clone(table.Keys), map[string]*document.Node{}
	for _, name := range table.Keys {
		m.Fields[name] = table.Field(name)
	}
	sequence = sequenceOf(table, list, sequence)
	for i := range list {
		k := &list[i]
		n := table.Field(k.Name)
		switch {
		case n == nil:
			if k.Mirror == Side && k.Default != "" || k.Mirror == ThirdAxis && table.Field("axes") == nil {
				put(&m, k.Name, k.mirrored(&document.Node{Kind: document.Text, Text: k.Default, File: table.File,
					Line: table.Line, Column: table.Column, Origin: table.Origin}, table, sequence, on))
			}
		case k.Shape == TableShape && n.Kind == document.Table:
			m.Fields[k.Name] = mirrored(n, k.Keys, on, sequence)
		case k.Shape == TablesShape && n.Kind == document.List:
			rows := *n
			rows.Items = nil
			for _, item := range n.Items {
				if item.Kind == document.Table {
					item = mirrored(item, k.Keys, on, sequence)
				}
				rows.Items = append(rows.Items, item)
			}
			m.Fields[k.Name] = &rows
		default:
			m.Fields[k.Name] = k.mirrored(n, table, sequence, on)
		}
	}
	if on.Flips {
		swapEnds(&m, list)
	}
	return &m
}

func put(n *document.Node, key string, child *document.Node) {
	n.Keys, n.Fields[key] = append(n.Keys, key), child
}

// swapEnds exchanges the keys of a lower and an upper end.
func swapEnds(n *document.Node, list []Key) {
	low := slices.IndexFunc(list, func(k Key) bool { return k.Mirror == LowerEnd })
	high := slices.IndexFunc(list, func(k Key) bool { return k.Mirror == UpperEnd })
	if low < 0 || high < 0 {
		return
	}
	other := map[string]string{list[low].Name: list[high].Name, list[high].Name: list[low].Name}
	fields := map[string]*document.Node{}
	for i, key := range n.Keys {
		if to, is := other[key]; is {
			n.Keys[i] = to
		}
		fields[n.Keys[i]] = n.Fields[key]
	}
	n.Fields = fields
}

// mirrored is the value of one key.
func (k *Key) mirrored(n, table *document.Node, sequence string, on Coordinate) *document.Node {
	switch k.Mirror {
	case Polar:
		return signed(n, [3]bool{false, true, false})
	case Axial:
		return signed(n, [3]bool{true, false, true})
	case EulerAngles:
		return signed(n, offPitch(sequence))
	case Opposite:
		return Opposed(n)
	case OddCurve:
		return oddCurve(n, true)
	case Reversed:
		return reversedCurve(n)
	case Side:
		return otherSide(n)
	case ThirdAxis:
		return signedAxis(n, [3]bool{true, false, true})
	case FirstAxes:
		return eachItem(n, func(_ int, axis *document.Node) *document.Node {
			return signedAxis(axis, [3]bool{false, true, false})
		})
	case PolarInAxes:
		return signed(n, [3]bool{false, false, true})
	case AxialInAxes:
		return signed(n, [3]bool{true, true, false})
	case MatrixInAxes:
		return signedMatrix(n)
	case RotationAxis, TranslationAxis, SpinAxis:
		// An axis of a rotation is axial, so that a coordinate that keeps its sign turns about (-x, y, -z).
		if rotates := k.rotates(table); rotates != k.flipsCoordinate(table) {
			return signedAxis(n, [3]bool{true, false, true})
		}
		return signedAxis(n, [3]bool{false, true, false})
	}
	switch {
	case k.Mirror == OverSteering && on.Steered:
		return turnedSurface(n)
	case k.Mirror == OfSecond && on.Steered:
		return Opposed(n)
	}
	if !on.Flips {
		return n
	}
	switch k.Mirror {
	case OfCoordinate, LowerEnd, UpperEnd:
		return Opposed(n)
	case MotionLaw:
		return oddCurve(n, true)
	case FirstLaw:
		return oddCurve(n, false)
	}
	return n
}

func otherSide(n *document.Node) *document.Node {
	m := *n
	switch n.Text {
	case "left":
		m.Text = "right"
	case "right":
		m.Text = "left"
	}
	return &m
}

// sequenceOf is the sequence of Euler angles in a table: its own sequence, or the sequence of the table around it.
func sequenceOf(table *document.Node, list []Key, outer string) string {
	i := slices.IndexFunc(list, func(k Key) bool { return k.Name == "sequence" })
	if i < 0 {
		return outer
	}
	if n := table.Field("sequence"); n != nil && slices.Contains(list[i].Choices, n.Text) {
		return n.Text
	}
	return list[i].Default
}

// offPitch tells which of three Euler angles are not about y.
func offPitch(sequence string) (signs [3]bool) {
	for i := range signs {
		signs[i] = sequence[i] != '2'
	}
	return signs
}

// rotates reports whether an axis belongs to a rotation. The key kind decides for a driver of both kinds.
func (k *Key) rotates(table *document.Node) bool {
	kind := table.Field("kind")
	return k.Mirror == SpinAxis || k.Mirror == RotationAxis && (kind == nil || kind.Text != "translation")
}

// flipsCoordinate: spin about an axis across the vehicle stays forward, steering stays to the left, a slide stays along
// its axis.
func (k *Key) flipsCoordinate(table *document.Node) bool {
	if m := table.Field("mirror"); m != nil && k.Mirror != SpinAxis {
		return m.Text == "opposite"
	}
	n := table.Field(k.Name)
	return k.Mirror == RotationAxis && k.rotates(table) && n != nil && !across(n)
}

// across reports whether y is the largest component of an axis.
func across(n *document.Node) bool {
	if n.Kind != document.List {
		return n.Text == "y"
	}
	var size [3]float64
	for i := range min(len(n.Items), len(size)) {
		size[i] = math.Abs(n.Items[i].Number)
	}
	return size[1] > size[0] && size[1] > size[2]
}

// signed changes the signs of some of three numbers.
func signed(n *document.Node, change [3]bool) *document.Node {
	if n.Kind != document.List || len(n.Items) != len(change) {
		return n // refused by the reader
	}
	m := *n
	m.Items = slices.Clone(n.Items)
	for i, c := range change {
		if c {
			m.Items[i] = Opposed(n.Items[i])
		}
	}
	return &m
}

// eachItem replaces the items of a list.
func eachItem(n *document.Node, by func(i int, item *document.Node) *document.Node) *document.Node {
	if n.Kind != document.List {
		return n // refused by the reader
	}
	m := *n
	m.Items = slices.Clone(n.Items)
	for i, item := range n.Items {
		m.Items[i] = by(i, item)
	}
	return &m
}

// signedMatrix mirrors a matrix over a displacement and a rotation. Mirroring reverses the third axis, and thereby the
// signs of three coordinates. An element changes its sign if only one of its two coordinates does.
func signedMatrix(n *document.Node) *document.Node {
	changes := func(i int) bool { return 2 <= i && i <= 4 } // z, and the rotations about x and y
	return eachItem(n, func(i int, row *document.Node) *document.Node {
		return eachItem(row, func(j int, item *document.Node) *document.Node {
			if changes(i) == changes(j) {
				return item
			}
			return Opposed(item)
		})
	})
}

// signedAxis is signed for an axis that may be a word.
func signedAxis(n *document.Node, change [3]bool) *document.Node {
	i := strings.Index("xyz", n.Text)
	if n.Kind != document.Text || len(n.Text) != 1 || i < 0 {
		return signed(n, change)
	}
	if !change[i] {
		return n
	}
	m := *n
	m.Kind, m.Text = document.List, ""
	for k := range change {
		item := &document.Node{Kind: document.Number, Text: "0", File: n.File, Line: n.Line, Column: n.Column,
			Origin: n.Origin}
		if k == i {
			item.Text, item.Number = "-1", -1
		}
		m.Items = append(m.Items, item)
	}
	return &m
}

// Opposed is a number, a number with a unit, or a formula with the other sign. 0 has none.
func Opposed(n *document.Node) *document.Node {
	m := *n
	switch {
	case n.Kind == document.Number && n.Number != 0:
		m.Number, m.Text = -n.Number, opposedText(n.Text)
	case n.Kind == document.Text && IsQuantity(n.Text):
		m.Text = opposedText(strings.TrimSpace(n.Text))
	case n.Kind == document.Text:
		if inner, is := insideMinus(n.Text); is {
			m.Text = inner
		} else {
			m.Text = "-(" + n.Text + ")"
		}
	}
	return &m
}

func opposedText(s string) string {
	if rest, is := strings.CutPrefix(s, "-"); is {
		return rest
	}
	return "-" + strings.TrimPrefix(s, "+")
}

// insideMinus is X of a formula -(X).
func insideMinus(s string) (string, bool) {
	if !strings.HasPrefix(s, "-(") || !strings.HasSuffix(s, ")") {
		return "", false
	}
	depth := 0
	for i := 1; i < len(s)-1; i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return "", false // it closes before the end
		}
	}
	return s[2 : len(s)-1], true
}

// turnedSurface is f(x, -y) of a surface; a curve stays.
func turnedSurface(n *document.Node) *document.Node {
	m := *n
	switch n.Kind {
	case document.List:
		m.Items = nil
		for _, point := range n.Items {
			p := *point
			if p.Items = slices.Clone(point.Items); len(p.Items) == 3 {
				p.Items[1] = Opposed(p.Items[1])
			}
			m.Items = append(m.Items, &p)
		}
	case document.Table:
		if over := n.Field("over"); over == nil && n.Field("points") == nil || over != nil && over.Kind != document.List {
			return n
		}
		return mirroredForm(n, turnedSurface)
	}
	return &m
}

// oddCurve is -f(-x) of a curve f, or of a surface -f(-x, -y), or -f(-x, y). Points of a file are mirrored by a word.
func oddCurve(n *document.Node, both bool) *document.Node {
	m := *n
	switch n.Kind {
	case document.List:
		m.Items = nil
		for _, point := range slices.Backward(n.Items) {
			p := *point
			p.Items = slices.Clone(point.Items)
			for i := range p.Items {
				if i != 1 || both || len(p.Items) == 2 {
					p.Items[i] = Opposed(p.Items[i])
				}
			}
			m.Items = append(m.Items, &p)
		}
	case document.Table:
		return mirroredForm(n, func(points *document.Node) *document.Node { return oddCurve(points, both) })
	}
	return &m
}

// reversedCurve is f(-x) of a curve f in points of the file.
func reversedCurve(n *document.Node) *document.Node {
	if n.Kind != document.List {
		return n // a steering, which has such a curve, belongs to the middle
	}
	m := *n
	m.Items = nil
	for _, point := range slices.Backward(n.Items) {
		p := *point
		if p.Items = slices.Clone(point.Items); len(p.Items) == 2 {
			p.Items[0] = Opposed(p.Items[0])
		}
		m.Items = append(m.Items, &p)
	}
	return &m
}

// mirroredForm is the table of a curve or surface whose points are mirrored; those of a file are by a word.
func mirroredForm(n *document.Node, mirror func(points *document.Node) *document.Node) *document.Node {
	m := *n
	m.Keys, m.Fields = slices.Clone(n.Keys), map[string]*document.Node{}
	for _, key := range n.Keys {
		m.Fields[key] = n.Field(key)
	}
	if points := n.Field("points"); points != nil {
		m.Fields["points"] = mirror(points)
		return &m
	}
	word := &document.Node{Kind: document.Text, Text: "yes", File: n.File, Line: n.Line, Column: n.Column,
		Origin: n.Origin}
	if old := n.Field("mirrored"); old == nil {
		m.Keys = append(m.Keys, "mirrored")
	} else if old.Text == "yes" {
		word.Text = "no"
	}
	m.Fields["mirrored"] = word
	return &m
}

// IsQuantity reports whether a text is a number with a unit, or is meant as one, and not a formula.
func IsQuantity(text string) bool {
	_, is, err := unit.ParseNumber(text)
	return is || err != nil
}
