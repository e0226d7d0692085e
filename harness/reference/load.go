package reference

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model"
	"skidpad/model/curve"
)

// load is a component that applies forces and moments.
type load interface {
	// apply adds forces and moments to s, whose motions, inputs and auxiliary unknowns
	// y are those of the moment.
	apply(s *System, y []float64)
	// touches names the parts that it depends on and acts on.
	touches() []int
}

// push adds a force that acts on a part at a point, both in ground.
func (s *System) push(part int, force, point r3.Vec) {
	s.forces[part] = r3.Add(s.forces[part], force)
	s.turn(part, r3.Cross(r3.Sub(point, s.motions[part].r), force))
}

// turn adds a moment that acts on a part.
func (s *System) turn(part int, moment r3.Vec) {
	s.moments[part] = r3.Add(s.moments[part], moment)
}

// weigh sets the loads to those that every part has: weight and the gyroscopic moment
// -w x (J w).
func (s *System) weigh() {
	for k := s.fixed; k < len(s.parts); k++ {
		p, m := &s.parts[k], &s.motions[k]
		s.forces[k] = r3.Scale(p.mass, s.gravity)
		s.moments[k] = r3.Scale(-1, r3.Cross(m.w, m.out(p.inertia.out(m.in(m.w)))))
	}
}

// coordinate is what a spring acts on: a distance of two origins, or the coordinate of a joint.
type coordinate struct {
	from, to marker
	kind     coordinateKind
	axis     r3.Vec    // of a prismatic or revolute joint
	angle    *revolute // of a revolute joint
	guide    *guide    // of a suspension
}

type coordinateKind int

const (
	onLine coordinateKind = iota
	alongAxis
	aboutAxis
	alongGuide
)

// coordinateOf is that of a joint on which a component acts.
func (s *System) coordinateOf(name, joint string) (coordinate, error) {
	for _, other := range s.model.Components {
		if other.Head().Name != joint {
			continue
		}
		switch c := other.(type) {
		case *model.Prismatic:
			return coordinate{from: s.markers[c.From], to: s.markers[c.To], kind: alongAxis, axis: unit(c.Axis)}, nil
		case *model.Suspension:
			g, err := newGuide(c)
			return coordinate{from: s.markers[c.From], to: s.markers[c.To], kind: alongGuide, guide: g}, err
		case *model.Revolute:
			for _, r := range s.revolutes {
				if r.name == joint {
					return coordinate{from: r.from, to: r.to, kind: aboutAxis, axis: r.axis, angle: r}, nil
				}
			}
		}
	}
	return coordinate{}, fmt.Errorf("%s: the joint %s must stand before what acts on it", name, joint)
}

// measure finds the coordinate and its rate, and along which vector in ground, as a force or moment, a
// load of 1 acts on the head.
func (c *coordinate) measure(s *System, y []float64) (value, rate float64, u r3.Vec) {
	f, t := s.at(&c.from), s.at(&c.to)
	d, dv := r3.Sub(t.r, f.r), r3.Sub(t.v, f.v)
	switch c.kind {
	case onLine:
		value = r3.Norm(d)
		u = r3.Scale(1/value, d)
		return value, r3.Dot(u, dv), u
	case alongAxis:
		a, ra, _ := f.fixed(c.axis)
		return r3.Dot(a, d), r3.Dot(ra, d) + r3.Dot(a, dv), a
	case alongGuide: // as a force along z, which has the same power
		a := c.guide.advance(s, &c.from, &c.to)
		return a.travel, a.rate, a.to.v
	}
	u = f.out(c.axis)
	return y[c.angle.unknown], r3.Dot(u, r3.Sub(t.w, f.w)), u
}

// pull applies a force or moment on the tail, and its opposite on the head. On a joint both act where
// the head is, on the joint's axis.
func (c *coordinate) pull(s *System, load r3.Vec) {
	if c.kind == aboutAxis {
		s.turn(c.to.part, r3.Scale(-1, load))
		s.turn(c.from.part, load)
		return
	}
	f, t := s.at(&c.from), s.at(&c.to)
	s.push(c.to.part, r3.Scale(-1, load), t.r)
	if c.kind != onLine {
		f = t
	}
	s.push(c.from.part, load, f.r)
}

// spring is a spring and damper.
type spring struct {
	name                string
	on                  coordinate
	stiffness, damping  float64
	quadratic, free     float64
	curved, damped      *table  // of the force over length - free and over the rate; nil for none
	length, rate, force float64 // at the latest evaluation
}

func (s *System) spring(c *model.SpringDamper) (err error) {
	l := &spring{
		name: c.Name, on: coordinate{from: s.markers[c.From], to: s.markers[c.To]},
		stiffness: c.Stiffness.Value, damping: c.Damping.Value, quadratic: c.QuadraticDamping.Value, free: c.FreeLength.Value,
		curved: monotone(c.SpringForce), damped: monotone(c.DamperForce),
	}
	if c.Joint != "" {
		l.on, err = s.coordinateOf(c.Name, c.Joint)
	}
	s.loads = append(s.loads, l)
	return err
}

// monotone is the curve of a force, nil for none.
func monotone(c *curve.Curve) *table {
	if c == nil {
		return nil
	}
	return through(c.X, c.Y, &interp.FritschButland{})
}

func (l *spring) apply(s *System, y []float64) {
	var u r3.Vec
	l.length, l.rate, u = l.on.measure(s, y)
	l.force = l.stiffness*(l.length-l.free) + (l.damping+l.quadratic*math.Abs(l.rate))*l.rate + l.curved.at(l.length-l.free) + l.damped.at(l.rate)
	l.on.pull(s, r3.Scale(l.force, u))
}

func (l *spring) touches() []int { return []int{l.on.from.part, l.on.to.part} }

// bar is an anti-roll bar: a spring and damper on the difference of two coordinates.
type bar struct {
	name               string
	left, right        coordinate
	stiffness, damping float64
	curved             *table  // of the force over the difference; nil for none
	force              float64 // at the latest evaluation
}

func (s *System) bar(c *model.AntiRollBar) (err error) {
	l := &bar{name: c.Name, stiffness: c.Stiffness.Value, damping: c.Damping.Value, curved: monotone(c.Force)}
	if l.left, err = s.coordinateOf(c.Name, c.Left); err == nil {
		l.right, err = s.coordinateOf(c.Name, c.Right)
	}
	s.loads = append(s.loads, l)
	return err
}

func (l *bar) apply(s *System, y []float64) {
	left, leftRate, u := l.left.measure(s, y)
	right, rightRate, v := l.right.measure(s, y)
	l.force = l.stiffness*(left-right) + l.damping*(leftRate-rightRate) + l.curved.at(left-right)
	l.left.pull(s, r3.Scale(l.force, u))
	l.right.pull(s, r3.Scale(-l.force, v))
}

func (l *bar) touches() []int {
	return []int{l.left.from.part, l.left.to.part, l.right.from.part, l.right.to.part}
}

// torque is a torque between two frames, about an axis of the first.
type torque struct {
	from, to marker
	axis     r3.Vec
	brake    bool
	input    int
}

func (l *torque) apply(s *System, _ []float64) {
	u := s.motions[l.from.part].out(l.from.turn.out(l.axis))
	moment := s.inputs.values[l.input]
	if l.brake {
		moment = s.braking(l, u, math.Abs(moment))
	}
	s.turn(l.to.part, r3.Scale(moment, u))
	s.turn(l.from.part, r3.Scale(-moment, u))
}

// braking is the moment of a brake on its outer part about an axis u in ground: against the
// spin, and the slower that is, below 1 rad/s, the more what holds the part against its other
// loads, up to the limit of the torque. All other loads have been applied.
func (s *System) braking(l *torque, u r3.Vec, torque float64) float64 {
	share := against(r3.Dot(u, r3.Sub(s.motions[l.to.part].w, s.motions[l.from.part].w)))
	arm := r3.Sub(s.motions[l.to.part].r, s.at(&l.to).r)
	load := r3.Dot(u, r3.Add(s.moments[l.to.part], r3.Cross(arm, s.forces[l.to.part])))
	return -torque*share - (1-math.Abs(share))*max(-torque, min(torque, load))
}

// isBrake tells which loads are applied last.
func isBrake(l load) bool {
	t, ok := l.(*torque)
	return ok && t.brake
}

// against is the smooth sign of a spin [rad/s]: exactly 1 or -1 from 1 rad/s on.
func against(spin float64) float64 {
	switch {
	case spin >= 1:
		return 1
	case spin <= -1:
		return -1
	}
	cube := spin * spin * spin
	return 1.875*spin - 1.25*cube + 0.375*cube*spin*spin
}

func (l *torque) touches() []int { return []int{l.from.part, l.to.part} }

// force is a force on the origins of two frames, along an axis of the first.
type force struct {
	from, to marker
	axis     r3.Vec
	input    int
}

func (l *force) apply(s *System, _ []float64) {
	f, t := s.at(&l.from), s.at(&l.to)
	push := r3.Scale(s.inputs.values[l.input], f.out(l.axis))
	s.push(l.to.part, push, t.r)
	s.push(l.from.part, r3.Scale(-1, push), f.r)
}

func (l *force) touches() []int { return []int{l.from.part, l.to.part} }
