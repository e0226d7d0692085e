package formulate

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

// turnAbout is a rotation about a coordinate axis, in the frame after the earlier rotations of a list.
type turnAbout struct {
	axis  int
	angle *expr.Expr
}

// elementary lists the rotations of a sequence of axes, without rotations by the angle 0.
func elementary(sequence string, angles [3]*expr.Expr) []turnAbout {
	var list []turnAbout
	for k, angle := range angles {
		if !angle.IsZero() {
			list = append(list, turnAbout{int(sequence[k] - '1'), angle})
		}
	}
	return list
}

// joined lists turns one after the other. Neighbours about the same axis are one turn by the sum of their angles.
func (f *Formulation) joined(lists ...[]turnAbout) []turnAbout {
	var all []turnAbout
	for _, t := range slices.Concat(lists...) {
		if n := len(all); n > 0 && all[n-1].axis == t.axis {
			if all[n-1].angle = f.Pool.Add(all[n-1].angle, t.angle); all[n-1].angle.IsZero() {
				all = all[:n-1]
			}
			continue
		}
		all = append(all, t)
	}
	return all
}

func (f *Formulation) inverted(list []turnAbout) []turnAbout {
	list = slices.Clone(list)
	slices.Reverse(list)
	for i := range list {
		list[i].angle = f.Pool.Neg(list[i].angle)
	}
	return list
}

// rotations returns a rotation for each turn of a list, the last turn first. Each rotation maps components after its
// turn to components before it.
func (f *Formulation) rotations(turned, base expr.Frame, list []turnAbout) []expr.Rotation {
	var rotations []expr.Rotation
	for k, t := range list {
		from, to := base, base
		for range k {
			to += "'"
		}
		if from = to + "'"; k == len(list)-1 {
			from = turned
		}
		rotations = append(rotations, f.Pool.Turn(from, to, f.unit(to, t.axis), t.angle))
	}
	slices.Reverse(rotations)
	return rotations
}

// composed is the rotation of a sequence of rotations, in the order of the list.
func (f *Formulation) composed(turned, base expr.Frame, sequence []expr.Rotation, name string) expr.Rotation {
	if len(sequence) == 0 {
		return f.Pool.Identity(turned, base)
	}
	r := sequence[len(sequence)-1]
	for _, next := range slices.Backward(sequence[:len(sequence)-1]) {
		r = f.Pool.Compose(r, next)
	}
	if len(sequence) > 1 {
		f.nameRotation(&r, name)
	}
	return r
}

func (f *Formulation) nameRotation(r *expr.Rotation, name string) {
	for i := range r.M {
		for j := range r.M[i] {
			r.M[i][j] = f.define("R_"+name+"_"+string(rune('1'+i))+string(rune('1'+j)), r.M[i][j])
		}
	}
}

// family is a set of classes that are fixed to each other, in the order of discovery.
type family struct {
	members []int
	base    int // that in whose axes all are resolved
}

// fixClasses merges each family of classes fixed to each other: the base remains, and the rest become fixed classes of
// the base. The parent of a class is then the class of its carrier, and comes before it.
func (f *Formulation) fixClasses() {
	families, of := f.families()
	old := f.classes
	for i := range old {
		f.joinSeries(i, families, of)
	}
	f.classes = nil
	index := make([]int, len(old))
	for n := range families {
		g := &families[n]
		f.chooseBase(g, old)
		others := slices.DeleteFunc(slices.Clone(g.members), func(i int) bool { return i == g.base })
		index[g.base] = f.addClass(old[g.base])
		for _, i := range others {
			index[i] = f.addClass(old[i])
		}
		head, base := &old[g.members[0]], &f.classes[index[g.base]]
		base.joints, base.tail, base.fixed, base.reference = head.joints, head.tail, false, index[g.members[0]]
		for _, i := range others {
			c := &f.classes[index[i]]
			c.fixed, c.parent, c.joints, c.tail = true, index[g.base], nil, -1
		}
		if base.parent = -1; base.tail >= 0 {
			base.parent, base.tail = index[families[of[base.tail]].base], index[base.tail]
		}
	}
	for n, i := range f.classOf {
		if i >= 0 {
			f.classOf[n] = index[i]
		}
	}
}

// families of the classes, and by class which one it is in.
func (f *Formulation) families() (list []family, of []int) {
	of = make([]int, len(f.classes))
	for i := range f.classes {
		if c := &f.classes[i]; c.fixed {
			of[i] = of[c.tail]
		} else {
			of[i] = len(list)
			list = append(list, family{})
		}
		list[of[i]].members = append(list[of[i]].members, i)
	}
	return list, of
}

// joinSeries lets a class turn by the sum of two angles against the carrier of its tail, if both joints have the same
// axis and nothing else is between them.
func (f *Formulation) joinSeries(i int, families []family, of []int) {
	c := &f.classes[i]
	if c.fixed || c.spinning || c.tail < 0 {
		return
	}
	between := &f.classes[c.tail]
	if between.fixed || len(between.joints) == 0 || len(families[of[c.tail]].members) > 1 || f.hasInertia(c.tail) {
		return
	}
	motion := func(c *class) *graph.Motion { return f.Forest.Graph.Edges[c.joints[0].edge].Space.Motion }
	inner, outer := motion(between), motion(c)
	if inner == nil || outer == nil || inner.Axis != outer.Axis {
		return
	}
	for k := range f.classes {
		if k != i && f.classes[k].tail == c.tail {
			return
		}
	}
	c.joints, c.tail = slices.Concat(between.joints, c.joints), between.tail
}

// hasInertia reports whether a body turns with a class.
func (f *Formulation) hasInertia(class int) bool {
	for _, c := range component.All[component.Heavy](f.scope) {
		if lump := c.Lump(); lump.Inertia != nil && f.classOf[f.node(lump.Frame)] == class {
			return true
		}
	}
	return false
}

// chooseBase takes the member whose axes are the axes of most joints. A first member that turns freely is the base,
// because its speeds are components in its axes.
func (f *Formulation) chooseBase(g *family, old []class) {
	g.base = g.members[0]
	head := &old[g.base]
	if len(g.members) == 1 || head.tail < 0 || f.Forest.Graph.Edges[head.joints[0].edge].Space.Free != nil {
		return
	}
	most := -1
	for _, i := range g.members {
		count := 0
		if len(f.joined(old[i].place)) == 0 && len(old[head.tail].place) == 0 {
			count++ // its own joint
		}
		for k := range old {
			c := &old[k]
			if c.fixed || c.spinning || !slices.Contains(g.members, c.tail) {
				continue
			}
			turn := f.joined(f.inverted(old[i].place), old[c.tail].place)
			m := f.Forest.Graph.Edges[c.joints[0].edge].Space.Motion
			if len(turn) == 0 || m != nil && f.alongAxis(turn, m.Axis) {
				count++
			}
		}
		if count > most {
			g.base, most = i, count
		}
	}
}

// alongAxis reports whether an axis is along a coordinate axis after turns.
func (f *Formulation) alongAxis(list []turnAbout, axis [3]float64) bool {
	v := f.constant("axis", axis)
	for _, t := range slices.Backward(list) {
		v = f.Pool.Resolve(f.Pool.Turn("axis", "axis", f.unit("axis", t.axis), t.angle), v)
	}
	zeros := 0
	for _, x := range v.X {
		if x.IsZero() {
			zeros++
		}
	}
	return zeros == 2
}
