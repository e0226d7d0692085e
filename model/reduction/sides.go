package reduction

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/rig"
)

// sides are the parts of an axle that the tables replace, and the parts outside of its corners, such as rockers,
// levers, third springs and anti-roll bars.
type sides struct {
	hubs   [2]string          // tails of the wheels' joints
	frames [2]map[string]bool // that move with each wheel
	stay   map[string]bool    // frames among these that stay: the hubs, and all that turns with the wheels
	gone   map[string]bool    // parts outside of the corners that the vehicle with tables does not have
	// springs act on the left wheel alone, across between both wheels.
	springs, across []string
	bars            []*component.AntiRollBar
}

// part finds the parts of the axle.
func (b *reducer) part(tires [2]string, rack string) error {
	s := &b.sides
	s.stay, s.gone = map[string]bool{}, map[string]bool{}
	for side, tire := range tires {
		for _, a := range b.scope.Axles() {
			if c, is := component.Named[component.Wheeled](b.scope, tire); is && a.Wheel.Frame == c.Wheel().Frame {
				j, _ := component.Named[component.Jointed](b.scope, a.Joint)
				s.hubs[side] = j.Moves().From
				s.stay[s.hubs[side]] = true
				for frame := range b.fixed(j.Moves().To) {
					s.stay[frame] = true
				}
			}
		}
	}
	ends := b.fixed(b.chassis)
	for _, name := range b.racks(rack) {
		if c := b.scope.Find(name); c != nil {
			for frame := range b.fixed(c.Frames().Joins[1]) {
				ends[frame] = true
			}
		}
	}
	for side, hub := range s.hubs {
		s.frames[side] = b.linked(hub, ends)
	}
	if s.frames[rig.Left][s.hubs[rig.Right]] {
		return nil // dependent wheels
	}
	for _, c := range b.m.Components {
		if name := c.Head().Name; !b.own(name) && !b.opposite(name) {
			b.place(c)
		}
	}
	return nil
}

// racks are the names of the joints and drivers that steer.
func (b *reducer) racks(rack string) []string {
	list := []string{rack}
	for _, c := range component.All[component.Acting](b.scope) {
		for _, act := range c.Acts() {
			if act.Part == component.Shifted {
				list = append(list, act.On)
			}
		}
	}
	return list
}

// linked are the frames that joints, rods, bushings and arms link to a frame, without those that end the search.
func (b *reducer) linked(frame string, ends map[string]bool) map[string]bool {
	set := map[string]bool{frame: true}
	for again := true; again; {
		again = false
		for _, c := range b.m.Components {
			f := c.Frames()
			frames := slices.Concat(f.Joins[:], f.Uses)
			touches := slices.ContainsFunc(frames, func(of string) bool { return set[of] })
			if !slices.Contains(replaced, c.Head().Type) || !touches {
				continue
			}
			for _, of := range frames {
				if of != "" && of != "ground" && !ends[of] && !set[of] {
					set[of], again = true, true
				}
			}
		}
	}
	return set
}

// touched are the sides whose suspension a component belongs to or acts on.
func (b *reducer) touched(c component.Component) (left, right bool) {
	f := c.Frames()
	frames := slices.Concat(f.Joins[:], f.Uses)
	of := func(joint string) {
		if j, is := component.Named[component.Jointed](b.scope, joint); is {
			m := j.Moves()
			frames = append(frames, m.From, m.To)
		}
	}
	if s, is := c.(component.Sprung); is {
		of(s.Sprung())
	}
	if bar, is := c.(*component.AntiRollBar); is {
		of(bar.Left)
		of(bar.Right)
	}
	for _, frame := range frames {
		if !b.sides.stay[frame] {
			left = left || b.sides.frames[rig.Left][frame]
			right = right || b.sides.frames[rig.Right][frame]
		}
	}
	return left, right
}

// place finds the place of a component outside of the corners.
func (b *reducer) place(c component.Component) {
	s, name := &b.sides, c.Head().Name
	left, right := b.touched(c)
	if !left && !right {
		return
	}
	s.gone[name] = true
	_, sprung := c.(component.Sprung)
	_, heavy := c.(component.Heavy)
	bar, is := c.(*component.AntiRollBar)
	switch {
	case is && b.onJoints(bar):
		s.bars = append(s.bars, bar)
	case sprung && left && right:
		s.across = append(s.across, name)
	case sprung && left:
		s.springs = append(s.springs, name)
	case sprung, heavy, slices.Contains(replaced, c.Head().Type):
	default:
		b.Dropped = append(b.Dropped, name)
	}
}

// onJoints reports whether a bar acts on a revolute joint of each side.
func (b *reducer) onJoints(bar *component.AntiRollBar) bool {
	left, isLeft := component.Named[*component.Revolute](b.scope, bar.Left)
	right, isRight := component.Named[*component.Revolute](b.scope, bar.Right)
	if !isLeft || !isRight {
		return false
	}
	first, other := b.touched(left)
	second, opposite := b.touched(right)
	return first && !other && opposite && !second
}

// opposite reports whether a component or frame belongs to the right corner, by its name.
func (b *reducer) opposite(name string) bool {
	return strings.HasSuffix(name, b.suffix[:len(b.suffix)-1]+"R")
}

// mine reports whether a spring belongs to the left wheel.
func (b *reducer) mine(name string) bool {
	return b.own(name) || slices.Contains(b.sides.springs, name)
}

// turning is the revolute joint on whose angle a spring acts, "" for none.
func (b *reducer) turning(spring string) string {
	c, _ := component.Named[component.Sprung](b.scope, spring)
	if _, is := component.Named[*component.Revolute](b.scope, c.Sprung()); is {
		return c.Sprung()
	}
	return ""
}

// paired checks that springs outside of the corners have equal laws on both sides.
func (b *reducer) paired() error {
	law := func(name string) string {
		var text bytes.Buffer
		own := others(table(), b.node(name), "from", "to", "joint")
		_ = document.Write(&text, own, "", func(string) string { return "" }) // a buffer has no errors
		return text.String()
	}
	for _, name := range b.sides.springs {
		other := strings.TrimSuffix(name, "L") + "R"
		if !b.sides.gone[other] || law(other) != law(name) {
			return fmt.Errorf("%s has no equal %s on the other side; the tables of one corner need equal sides", name, other)
		}
	}
	return nil
}

// tabulate makes the tables of the left wheel.
func (b *reducer) tabulate(r *rig.Rig, tolerance float64) (err error) {
	if err := b.paired(); err != nil {
		return err
	}
	o := rig.Tabulated{Tolerance: tolerance}
	for _, c := range component.All[component.Sprung](b.scope) {
		name := c.Head().Name
		joint := b.turning(name)
		switch {
		case !b.mine(name):
		case joint == "":
			o.Lengths = append(o.Lengths, name)
		default:
			b.onAngle[name] = joint
			if !slices.Contains(o.Angles, joint) {
				o.Angles = append(o.Angles, joint)
			}
		}
	}
	var left, right []string
	for _, bar := range b.sides.bars {
		left, right = append(left, bar.Left), append(right, bar.Right)
	}
	o.Lengths = append(o.Lengths, b.sides.across...)
	for _, joint := range slices.Concat(left, right) {
		if !slices.Contains(o.Angles, joint) {
			o.Angles = append(o.Angles, joint)
		}
	}
	if b.Tables, err = r.Tabulate(o); err != nil {
		return err
	}
	return b.alike(tolerance)
}

// alike checks that the joints of bars turn alike, and notes how the rack moves springs between the wheels.
func (b *reducer) alike(tolerance float64) error {
	t, at := b.Tables, slices.Index(b.Tables.Steer, 0)
	const allowed = 10 // times the tolerance
	for _, bar := range b.sides.bars {
		left, right := t.Column(rig.Angle, bar.Left), t.Column(rig.Angle, bar.Right)
		for i := range t.Travel {
			if d := math.Abs(left.Values[i][at] - right.Values[i][at]); d > allowed*tolerance {
				return fmt.Errorf("%s and %s, which %s joins, turn differently by %.2g rad where both wheels move alike; give "+
					"the joint of the corner the key mirror = \"same\"", bar.Left, bar.Right, bar.Name, d)
			}
		}
	}
	t.Columns = slices.DeleteFunc(t.Columns, func(c rig.Column) bool {
		return c.Of == rig.Angle && slices.ContainsFunc(b.sides.bars, func(bar *component.AntiRollBar) bool {
			return bar.Right == c.Key
		})
	})
	for _, name := range b.sides.across {
		most := 0.0
		for _, row := range t.Column(rig.Length, name).Values {
			for _, length := range row {
				most = max(most, math.Abs(length-row[at]))
			}
		}
		if most > tolerance {
			b.Notes = append(b.Notes, fmt.Sprintf("the rack changes the length of %s by up to %.2g mm, which its table over "+
				"the travels of both wheels leaves out", name, 1e3*most))
		}
	}
	return nil
}

// between makes the parts between the wheels: bars on rockers, and springs over the travels of both wheels.
func (b *reducer) between(r *rig.Rig, tolerance float64) error {
	all := table()
	for _, bar := range b.sides.bars {
		b.rocker(bar.Left)
		of := b.node(bar.Name)
		t := table().put("type", text("anti-roll-bar"))
		for _, end := range []struct{ key, side string }{{"left", "L"}, {"right", "R"}} {
			t.put(end.key, text(b.local(bar.Left)+b.suffix[:len(b.suffix)-1]+end.side))
		}
		all.put(bar.Name, others(t, of, "type", "left", "right"))
	}
	b.Between = all.Node
	if len(b.sides.across) == 0 {
		return nil
	}
	o := rig.Tabulated{Tolerance: tolerance, Other: true, Parts: true, Lengths: b.sides.across}
	spans, err := r.Tabulate(o)
	if err != nil {
		return err
	}
	b.Spans = spans
	susp := "susp" + b.suffix[:len(b.suffix)-1]
	for i := range spans.Columns {
		c := &spans.Columns[i]
		t := table().put("type", text("spring-damper")).put("joint", text(susp+"L")).put("other", text(susp+"R")).
			put("length", points(spans, c))
		all.put(c.Key, others(t, b.node(c.Key), "type", "from", "to", "joint", "length"))
	}
	return nil
}

// others copies all keys but some.
func others(to *node, from *document.Node, but ...string) *document.Node {
	for _, key := range from.Keys {
		if !slices.Contains(but, key) {
			to.put(key, from.Field(key))
		}
	}
	return to.Node
}

// rocker adds the angle of a revolute joint to the corner.
func (b *reducer) rocker(joint string) {
	name := b.local(joint)
	if b.parts.Field(name) != nil {
		return
	}
	t := table().put("type", text("rocker")).put("joint", text("susp")).
		put("angle", points(b.Tables, b.Tables.Column(rig.Angle, joint)))
	also := list()
	if b.yield() {
		by := turns(&b.design, joint)
		for _, j := range joints {
			also.Items = append(also.Items, table().put("joint", text(j.name)).
				put("ratio", numeral(trimmed(by[yielded[j.coordinate]]))).Node)
		}
	}
	if len(also.Items) > 0 {
		t.put("also", also)
	}
	b.parts.put(name, t.Node)
}
