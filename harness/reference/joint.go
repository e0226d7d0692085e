package reference

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// joint holds two markers together by conditions, each of which is one constraint
// equation with a multiplier. A driver moves the frame of from before they are compared.
type joint struct {
	name       string
	from, to   marker
	driver     *driver
	conditions []condition
	first      int // its first equation
}

// driver is a prescribed motion about or along an axis of the frame it starts from.
type driver struct {
	axis        r3.Vec
	translation bool
	input       int // of value, rate and acceleration
}

// condition is one constraint between two frames i and j, whose origins are d apart:
//
//	projection   a . d = 0, a fixed in i
//	square       a . b = 0, a fixed in i and b in j
//	distance     (d . d - length^2)/2 = 0
type condition struct {
	kind   conditionKind
	a, b   r3.Vec // in the frames of their markers
	length float64
}

type conditionKind int

const (
	projection conditionKind = iota
	square
	distance
)

// points are the conditions of two origins that coincide.
func points() []condition {
	return []condition{{kind: projection, a: identity[0]}, {kind: projection, a: identity[1]}, {kind: projection, a: identity[2]}}
}

// across are the conditions of an origin that stays on an axis through the other.
func across(axis r3.Vec) []condition {
	n := normalTo(axis)
	return []condition{{kind: projection, a: n}, {kind: projection, a: r3.Cross(axis, n)}}
}

// hinge are the conditions of an axis that both frames share.
func hinge(axis r3.Vec) []condition {
	n := normalTo(axis)
	return []condition{{kind: square, a: n, b: axis}, {kind: square, a: r3.Cross(axis, n), b: axis}}
}

// parallel are the conditions of frames with parallel axes.
func parallel() []condition {
	return []condition{
		{kind: square, a: identity[0], b: identity[1]},
		{kind: square, a: identity[1], b: identity[2]},
		{kind: square, a: identity[2], b: identity[0]},
	}
}

// join adds a joint with its conditions.
func (s *System) join(j joint, conditions ...[]condition) {
	j.conditions = slices.Concat(conditions...)
	j.first = len(s.equations)
	s.equations = append(s.equations, make([]equation, len(j.conditions))...)
	s.joints = append(s.joints, j)
}

// equation is a constraint Phi = 0 at one state: its value, its rate G v + Phi_t, the
// part of its second derivative that does not depend on accelerations, and G: how the
// rate depends on velocity and angular velocity of the two parts.
type equation struct {
	value, rate, bias float64
	from, to          gradient
}

// gradient is the derivative of a constraint's rate by the velocity of the centre of
// mass and the angular velocity of a part; the multiplier times it is force and moment.
type gradient struct{ v, w r3.Vec }

// at returns the motion of a marker.
func (s *System) at(m *marker) motion { return s.motions[m.part].carried(m.offset, &m.turn) }

// moved returns how the driver's end moves whose beginning moves as m.
func (d *driver) moved(m *motion, inputs []float64) motion {
	value, rate, acceleration := inputs[d.input], inputs[d.input+1], inputs[d.input+2]
	if d.translation {
		return m.shifted(d.axis, value, rate, acceleration)
	}
	return m.driven(d.axis, value, rate, acceleration)
}

// evaluate finds the equations of a joint. The motions' accelerations enter the bias.
func (j *joint) evaluate(s *System) {
	f, t := s.at(&j.from), s.at(&j.to)
	if j.driver != nil {
		f = j.driver.moved(&f, s.inputs.values)
	}
	d, dv, da := r3.Sub(t.r, f.r), r3.Sub(t.v, f.v), r3.Sub(t.a, f.a)
	arm := r3.Sub(t.r, s.motions[j.to.part].r)     // of the point on the part of to
	reach := r3.Sub(t.r, s.motions[j.from.part].r) // the same point, seen from the part of from
	armFrom := r3.Sub(f.r, s.motions[j.from.part].r)
	for k := range j.conditions {
		c, e := &j.conditions[k], &s.equations[j.first+k]
		switch c.kind {
		case projection:
			a, ra, sa := f.fixed(c.a)
			e.value = r3.Dot(a, d)
			e.rate = r3.Dot(ra, d) + r3.Dot(a, dv)
			e.bias = r3.Dot(sa, d) + 2*r3.Dot(ra, dv) + r3.Dot(a, da)
			e.from = gradient{r3.Scale(-1, a), r3.Cross(a, reach)}
			e.to = gradient{a, r3.Cross(arm, a)}
		case square:
			a, ra, sa := f.fixed(c.a)
			b, rb, sb := t.fixed(c.b)
			e.value = r3.Dot(a, b)
			e.rate = r3.Dot(ra, b) + r3.Dot(a, rb)
			e.bias = r3.Dot(sa, b) + 2*r3.Dot(ra, rb) + r3.Dot(a, sb)
			e.from = gradient{w: r3.Cross(a, b)}
			e.to = gradient{w: r3.Cross(b, a)}
		case distance:
			e.value = (r3.Dot(d, d) - c.length*c.length) / 2
			e.rate = r3.Dot(d, dv)
			e.bias = r3.Dot(dv, dv) + r3.Dot(d, da)
			e.from = gradient{r3.Scale(-1, d), r3.Cross(d, armFrom)}
			e.to = gradient{d, r3.Cross(arm, d)}
		}
	}
}

// fixed returns a vector fixed in the frame, and its first two derivatives.
func (m *motion) fixed(u r3.Vec) (a, rate, second r3.Vec) {
	a = m.out(u)
	rate = r3.Cross(m.w, a)
	return a, rate, r3.Add(r3.Cross(m.dw, a), r3.Cross(m.w, rate))
}
