package reference

import (
	"slices"

	"gonum.org/v1/gonum/spatial/r3"
)

// joint holds two markers together by conditions; each condition is one constraint equation with a multiplier. A driver
// moves the frame of from before the comparison; a guide moves it with the travel.
type joint struct {
	name       string
	from, to   marker
	driver     *driver
	guide      *guide
	conditions []condition
	first      int // its first equation
}

// driver is a prescribed motion about or along an axis of the frame it starts from.
type driver struct {
	axis        r3.Vec
	translation bool
	input       int    // of value, rate and acceleration
	hand        *shaft // what leads it instead; nil for none
	turned      angle  // by the shaft
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
	return []condition{{kind: projection, a: identity[0]}, {kind: projection, a: identity[1]},
		{kind: projection, a: identity[2]}}
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

// equation is a constraint Phi = 0 at one state: its value, its rate G v + Phi_t, and the part of its second derivative
// that does not depend on accelerations. G is the gradient of the rate by velocity and angular velocity of the two
// parts.
type equation struct {
	value, rate, bias float64
	from, to, hand    gradient
}

// end is a part that a constraint acts on, and how.
type end struct {
	part int
	gradient
}

// ends are the ends of an equation of the joint; without a steering wheel the last end is ground.
func (j *joint) ends(e *equation) [3]end {
	list := [3]end{{j.from.part, e.from}, {j.to.part, e.to}}
	if j.driver != nil && j.driver.hand != nil {
		list[2] = end{j.driver.hand.hub.part, e.hand}
	}
	return list
}

// gradient is the derivative of a constraint's rate by the velocity of the centre of mass and the angular velocity of a
// part; the multiplier times gradient is force and moment.
type gradient struct{ v, w r3.Vec }

// at returns the motion of a marker.
func (s *System) at(m *marker) motion { return s.motions[m.part].carried(m.offset, &m.turn) }

// moved returns how the driver's end moves whose beginning moves as m, without the acceleration of a
// free steering wheel.
func (d *driver) moved(m *motion, inputs []float64) motion {
	if d.hand != nil {
		value, slope, curvature := d.turned(d.hand.angle)
		rate, bend := slope*d.hand.rate, curvature*d.hand.rate*d.hand.rate
		if d.translation {
			return m.shifted(d.axis, value, rate, bend)
		}
		return m.driven(d.axis, value, rate, bend)
	}
	value, rate, acceleration := inputs[d.input], inputs[d.input+1], inputs[d.input+2]
	if d.translation {
		return m.shifted(d.axis, value, rate, acceleration)
	}
	return m.driven(d.axis, value, rate, acceleration)
}

// view is the motion of two frames of a joint, and where their parts see the origin of the second.
type view struct {
	f, t       motion
	d, dv, da  r3.Vec // of the origin of t against that of f
	arm, reach r3.Vec // of the origin of t on the part of to, and as seen from the part of from
	armFrom    r3.Vec // of the origin of f on its part
}

func (s *System) view(from, to *marker) view { return s.seen(s.at(from), s.at(to), from, to) }

// seen is a view of frames whose motions are given.
func (s *System) seen(f, t motion, from, to *marker) view {
	return view{
		f: f, t: t, d: r3.Sub(t.r, f.r), dv: r3.Sub(t.v, f.v), da: r3.Sub(t.a, f.a),
		arm: r3.Sub(t.r, s.motions[to.part].r), reach: r3.Sub(t.r, s.motions[from.part].r),
		armFrom: r3.Sub(f.r, s.motions[from.part].r),
	}
}

// projected is the equation of the distance along an axis fixed in the first frame.
func (v *view) projected(axis r3.Vec) equation {
	a, ra, sa := v.f.fixed(axis)
	return equation{
		value: r3.Dot(a, v.d),
		rate:  r3.Dot(ra, v.d) + r3.Dot(a, v.dv),
		bias:  r3.Dot(sa, v.d) + 2*r3.Dot(ra, v.dv) + r3.Dot(a, v.da),
		from:  gradient{r3.Scale(-1, a), r3.Cross(a, v.reach)},
		to:    gradient{a, r3.Cross(v.arm, a)},
	}
}

// squared is the equation of two axes, one fixed in each frame.
func squared(f, t *motion, c *condition) equation {
	a, ra, sa := f.fixed(c.a)
	b, rb, sb := t.fixed(c.b)
	return equation{
		value: r3.Dot(a, b),
		rate:  r3.Dot(ra, b) + r3.Dot(a, rb),
		bias:  r3.Dot(sa, b) + 2*r3.Dot(ra, rb) + r3.Dot(a, sb),
		from:  gradient{w: r3.Cross(a, b)},
		to:    gradient{w: r3.Cross(b, a)},
	}
}

// evaluate finds the equations of a joint. The motions' accelerations enter the bias.
func (j *joint) evaluate(s *System) {
	if j.guide != nil {
		j.evaluateGuided(s)
		return
	}
	f := s.at(&j.from)
	if j.driver != nil {
		f = j.driver.moved(&f, s.inputs.values)
	}
	v := s.seen(f, s.at(&j.to), &j.from, &j.to)
	var turning, sliding r3.Vec // angular velocity and velocity of f for a rate of the shaft
	if j.driver != nil && j.driver.hand != nil {
		_, slope, _ := j.driver.turned(j.driver.hand.angle)
		if along := r3.Scale(slope, f.out(j.driver.axis)); j.driver.translation {
			sliding = along
		} else {
			turning = along
		}
	}
	for k := range j.conditions {
		c, e := &j.conditions[k], &s.equations[j.first+k]
		switch c.kind {
		case projection:
			*e = v.projected(c.a)
			e.hand.w.X = r3.Dot(r3.Cross(turning, f.out(c.a)), v.d) - r3.Dot(f.out(c.a), sliding)
		case square:
			*e = squared(&v.f, &v.t, c)
			e.hand.w.X = r3.Dot(r3.Cross(turning, f.out(c.a)), v.t.out(c.b))
		case distance:
			e.value = (r3.Dot(v.d, v.d) - c.length*c.length) / 2
			e.rate = r3.Dot(v.d, v.dv)
			e.bias = r3.Dot(v.dv, v.dv) + r3.Dot(v.d, v.da)
			e.from = gradient{r3.Scale(-1, v.d), r3.Cross(v.d, v.armFrom)}
			e.to = gradient{v.d, r3.Cross(v.arm, v.d)}
		}
	}
}

// fixed returns a vector fixed in the frame, and its first two derivatives.
func (m *motion) fixed(u r3.Vec) (a, rate, second r3.Vec) {
	a = m.out(u)
	rate = r3.Cross(m.w, a)
	return a, rate, r3.Add(r3.Cross(m.dw, a), r3.Cross(m.w, rate))
}
