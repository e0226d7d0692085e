package reference

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/keys"
)

// connection is a joint or driver with its motion at the start.
type connection struct {
	name     string
	from, to marker
	relative motion // of the frame at to, seen from the frame at from
}

// start finds the unknowns at the start: (start values) => y. Joints and drivers take their values in the order of the
// file, drivers first, except those that close a loop. A group of parts that is not joined to ground gets the free
// start of its first body. override replaces start values of the file by name.
func (s *System) start(override map[string]float64) (y []float64, err error) {
	y = make([]float64, s.size)
	s.inputs.at(0)
	given := &givens{values: override, used: map[string]bool{}}
	connections := s.connections(given)
	motions, placed := s.placeParts(connections, given)
	for k := s.fixed; k < len(s.parts); k++ {
		p, m := &s.parts[k], &motions[k]
		if !placed[k] {
			return nil, fmt.Errorf("%s has no place at the start: nothing joins it to a body or to ground", p.name)
		}
		put(y, p.q, m.r)
		put(y, p.v, m.v)
		if p.turns {
			putQuaternion(y, p.q+3, m.quaternion())
			put(y, p.v+3, m.w)
		}
	}
	for _, w := range s.tires {
		if w.hasSlips() {
			y[w.slips] = given.get(w.name+".q1", w.component.Slip.Q1)
			y[w.slips+1] = given.get(w.name+".q2", w.component.Slip.Q2)
		}
	}
	for _, r := range s.revolutes {
		y[r.unknown] = given.get(r.name+r.names[0], r.start)
	}
	s.startNetworks(y, given)
	if unknown := given.unused(); len(unknown) > 0 {
		return nil, fmt.Errorf("no start values %s in model %s", strings.Join(unknown, ", "), s.model.Name)
	}
	s.startCarcasses(y)
	return y, s.consistent(y)
}

// startCarcasses turns delayed slips at the start into the unknowns of carcasses.
func (s *System) startCarcasses(y []float64) {
	for _, w := range s.tires {
		if w.carcass != nil {
			q := [2]float64(y[w.slips:])
			s.evaluate(0, y)
			p := w.carcass.energy(&w.at, q)
			y[w.slips], y[w.slips+1] = p[0], p[1]
		}
	}
}

// placeParts finds how the parts move at the start, and which have a place.
func (s *System) placeParts(connections []connection, given *givens) (motions []motion, placed []bool) {
	group := make([]int, len(s.parts)) // connected parts have the same number
	for k := range group {
		group[k] = max(k, s.fixed-1) // ground and roads are one
	}
	unite := func(a, b int) bool {
		from, to := group[a], group[b]
		for k, g := range group {
			if g == from {
				group[k] = to
			}
		}
		return from != to
	}
	connections = slices.DeleteFunc(connections, func(c connection) bool { return !unite(c.from.part, c.to.part) })
	placed = make([]bool, len(s.parts))
	motions = slices.Clone(s.motions)
	for k := range s.fixed {
		placed[k] = true
	}
	for _, r := range s.roads {
		motions[r.part] = s.motion(r)
	}
	for _, e := range s.elements {
		e, is := e.(free)
		if !is {
			continue
		}
		frame, m := e.start(given)
		if at := s.markers[frame]; unite(at.part, 0) {
			motions[at.part], placed[at.part] = carrier(&m, &at), true
		}
	}
	for again := true; again; {
		again = false
		for _, c := range connections {
			if placed[c.from.part] == placed[c.to.part] {
				continue
			}
			again = true
			if placed[c.from.part] {
				from := motions[c.from.part].carried(c.from.offset, &c.from.turn)
				to := from.followed(&c.relative)
				motions[c.to.part], placed[c.to.part] = carrier(&to, &c.to), true
			} else {
				to := motions[c.to.part].carried(c.to.offset, &c.to.turn)
				from := to.preceded(&c.relative)
				motions[c.from.part], placed[c.from.part] = carrier(&from, &c.from), true
			}
		}
	}
	return motions, placed
}

// consistent checks that a state meets the constraints.
func (s *System) consistent(y []float64) error {
	const allowed = 1e-8
	s.evaluate(0, y)
	for i := range s.joints {
		j := &s.joints[i]
		for k := j.first; k < j.first+len(j.conditions); k++ {
			if e := &s.equations[k]; !(math.Abs(e.value) < allowed && math.Abs(e.rate) < allowed) {
				return fmt.Errorf("the start values do not fit %s, which closes a loop: position off by %g, speed by %g", j.name,
					e.value, e.rate)
			}
		}
	}
	return nil
}

// givens are start values that replace those of the file.
type givens struct {
	values map[string]float64
	used   map[string]bool
}

func (g *givens) get(name string, file keys.Scalar) float64 {
	g.used[name] = true
	if v, ok := g.values[name]; ok {
		return v
	}
	return file.Value
}

func (g *givens) vector(component string, names [3]string, file keys.Vector) (v [3]float64) {
	for i, name := range names {
		v[i] = g.get(component+"."+name, file[i])
	}
	return v
}

func (g *givens) unused() []string {
	var list []string
	for name := range g.values {
		if !g.used[name] {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// connections lists drivers, then joints, with their motion at the start.
func (s *System) connections(g *givens) []connection {
	rest := motion{axes: identity}
	var drivers, joints []connection
	for _, h := range s.shafts {
		r := h.turn
		h.angle, h.rate = g.get(r.name+r.names[0], r.start), g.get(r.name+r.names[1], h.startRate)
		turned := rest.driven(r.axis, h.angle, h.rate, 0)
		joints = append(joints, connection{r.name, r.from, r.to, turned})
	}
	for _, e := range s.elements {
		e, is := e.(connecting)
		if !is {
			continue
		}
		if _, driven := e.(*motionDriver); driven {
			drivers = append(drivers, e.connection(s, g))
		} else {
			joints = append(joints, e.connection(s, g))
		}
	}
	return append(drivers, joints...)
}

// carrier returns the motion of the part that carries a marker, whose motion is m.
func carrier(m *motion, at *marker) motion {
	back := at.turn.transposed()
	p := motion{axes: m.axes.times(&back), w: m.w}
	arm := p.out(at.offset)
	p.r, p.v = r3.Sub(m.r, arm), r3.Sub(m.v, r3.Cross(m.w, arm))
	return p
}

// followed returns the motion of a frame; relative is its motion against a frame with the motion m.
func (m *motion) followed(relative *motion) motion {
	d := m.carried(relative.r, &relative.axes)
	d.v = r3.Add(d.v, m.out(relative.v))
	d.w = r3.Add(m.w, m.out(relative.w))
	return d
}

// preceded returns the motion of a base frame; m is the motion of a second frame, and relative its motion against the
// base frame.
func (m *motion) preceded(relative *motion) motion {
	back := relative.axes.transposed()
	f := motion{axes: m.axes.times(&back)}
	f.w = r3.Sub(m.w, f.out(relative.w))
	arm := f.out(relative.r)
	f.r = r3.Sub(m.r, arm)
	f.v = r3.Sub(r3.Sub(m.v, r3.Cross(f.w, arm)), f.out(relative.v))
	return f
}
