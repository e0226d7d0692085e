package reference

import (
	"errors"
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"
)

// load is a component that applies forces and moments.
type load interface {
	// apply adds forces and moments to s; the motions, inputs and auxiliary unknowns y of s belong to the present time.
	apply(s *System, y []float64)
	// touches lists the parts that the load depends on or acts on.
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

// coordinate is the coordinate of a spring: the distance of two origins, or the coordinate of a joint.
type coordinate struct {
	from, to marker
	kind     coordinateKind
	axis     r3.Vec    // of a prismatic or revolute joint
	angle    *revolute // of a revolute joint
	guide    *guide    // of a suspension
	over     *table    // length or angle over the travel of a suspension; nil for none
	turns    bool      // over is an angle
}

// rotates reports whether loads on the coordinate are moments in the results.
func (c *coordinate) rotates() bool { return c.kind == aboutAxis || c.turns }

type coordinateKind int

const (
	onLine coordinateKind = iota
	alongAxis
	aboutAxis
	alongGuide
)

// errNotYet says that a component has not been added.
var errNotYet = errors.New("it has not been added")

// coordinateOf returns the coordinate of a joint on which a component acts.
func (s *System) coordinateOf(name, joint string) (coordinate, error) {
	if c, is := s.element(joint).(coordinated); is {
		if on, err := c.coordinate(s); err != errNotYet {
			return on, err
		}
	}
	return coordinate{}, fmt.Errorf("%s: the joint %s must stand before what acts on it", name, joint)
}

// measure is along, or a length or an angle over it.
func (c *coordinate) measure(s *System, y []float64) (value, rate float64, u r3.Vec) {
	value, rate, u = c.along(s, y)
	if c.over != nil {
		length, slope, _ := c.over.derivatives(value)
		value, rate, u = length, slope*rate, r3.Scale(slope, u)
	}
	return value, rate, u
}

// along finds the coordinate and its rate, and along which vector in ground, as a force or moment, a
// load of 1 acts on the head.
func (c *coordinate) along(s *System, y []float64) (value, rate float64, u r3.Vec) {
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
