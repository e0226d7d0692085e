package reference

import (
	"math"

	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model"
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

// spring is a spring and damper: on the line between two origins, or along or about the
// axis of a joint.
type spring struct {
	name                string
	from, to            marker
	kind                springKind
	axis                r3.Vec
	angle               *revolute
	stiffness, damping  float64
	free                float64
	length, rate, force float64 // at the latest evaluation
}

type springKind int

const (
	onLine springKind = iota
	alongAxis
	aboutAxis
)

func (s *System) spring(c *model.SpringDamper) error {
	l := &spring{name: c.Name, from: s.markers[c.From], to: s.markers[c.To], stiffness: c.Stiffness.Value, damping: c.Damping.Value, free: c.FreeLength.Value}
	for _, other := range s.model.Components {
		if other.Head().Name != c.Joint {
			continue
		}
		switch j := other.(type) {
		case *model.Prismatic:
			l.kind, l.from, l.to, l.axis = alongAxis, s.markers[j.From], s.markers[j.To], unit(j.Axis)
		case *model.Revolute:
			l.kind, l.from, l.to, l.axis = aboutAxis, s.markers[j.From], s.markers[j.To], unit(j.Axis)
		}
	}
	if l.kind == aboutAxis {
		for _, r := range s.revolutes {
			if r.name == c.Joint {
				l.angle = r
			}
		}
		if l.angle == nil {
			return fmt.Errorf("%s: the joint %s must stand before its spring", c.Name, c.Joint)
		}
	}
	s.loads = append(s.loads, l)
	return nil
}

func (l *spring) apply(s *System, y []float64) {
	f, t := s.at(&l.from), s.at(&l.to)
	d, dv := r3.Sub(t.r, f.r), r3.Sub(t.v, f.v)
	var u r3.Vec
	switch l.kind {
	case onLine:
		l.length = r3.Norm(d)
		u = r3.Scale(1/l.length, d)
		l.rate = r3.Dot(u, dv)
	case alongAxis:
		a, ra, _ := f.fixed(l.axis)
		u = a
		l.length, l.rate = r3.Dot(a, d), r3.Dot(ra, d)+r3.Dot(a, dv)
	case aboutAxis:
		u = f.out(l.axis)
		l.length, l.rate = y[l.angle.unknown], r3.Dot(u, r3.Sub(t.w, f.w))
	}
	l.force = l.stiffness*(l.length-l.free) + l.damping*l.rate
	pull := r3.Scale(l.force, u)
	switch l.kind {
	case onLine:
		s.push(l.to.part, r3.Scale(-1, pull), t.r)
		s.push(l.from.part, pull, f.r)
	case alongAxis: // the line of action is the joint's axis, on which both origins lie
		s.push(l.to.part, r3.Scale(-1, pull), t.r)
		s.push(l.from.part, pull, t.r)
	case aboutAxis:
		s.turn(l.to.part, r3.Scale(-1, pull))
		s.turn(l.from.part, pull)
	}
}

func (l *spring) touches() []int { return []int{l.from.part, l.to.part} }

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
// loads, as far as the torque reaches. All other loads have been applied.
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
