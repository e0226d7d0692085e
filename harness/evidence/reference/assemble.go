package reference

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// assemble makes parts of the frames that arms hold together.
func (s *System) assemble() error {
	frames, arms := s.frames()
	s.parts = []part{{name: component.GroundFrame}}
	s.gather(0, component.GroundFrame, marker{turn: identity}, arms)
	for i, e := range s.elements {
		g, is := e.(ground)
		if !is {
			continue
		}
		name := s.model.Components[i].Head().Name
		frame, plane, err := g.plane()
		if err != nil {
			return err
		}
		if m, taken := s.markers[frame]; taken {
			return fmt.Errorf("%s: its frame %s is fixed to %s; the reference solver moves roads by themselves",
				name, frame, s.parts[m.part].name)
		}
		plane.part = len(s.parts)
		s.roads = append(s.roads, plane)
		s.parts = append(s.parts, part{name: name})
		s.gather(plane.part, frame, marker{turn: identity}, arms)
	}
	s.fixed = len(s.parts)
	for _, frame := range frames {
		if _, taken := s.markers[frame]; !taken {
			s.parts = append(s.parts, part{name: frame, turns: true})
			s.gather(len(s.parts)-1, frame, marker{turn: identity}, arms)
		}
	}
	s.masses()
	return nil
}

// arm leads to another frame: its origin and axes in the frame it starts from.
type arm struct {
	to     string
	offset r3.Vec
	turn   axes
}

// frames lists all frames, those of bodies first, and the arms that leave each.
func (s *System) frames() (frames []string, arms map[string][]arm) {
	arms = map[string][]arm{}
	var others []string
	for _, e := range s.elements {
		if e, is := e.(bodied); is {
			if b, is := e.body(); is {
				frames = append(frames, b.frame)
			}
		}
		if e, is := e.(joining); is {
			others = append(others, e.frames()...)
		}
		if e, is := e.(rigid); is {
			from, there := e.arm()
			back := there.turn.transposed()
			arms[from] = append(arms[from], there)
			arms[there.to] = append(arms[there.to], arm{from, r3.Scale(-1, back.out(there.offset)), back})
		}
	}
	return append(frames, others...), arms
}

// gather gives a frame, and all that arms join to it, to part k.
func (s *System) gather(k int, frame string, m marker, arms map[string][]arm) {
	m.part = k
	s.markers[frame] = m
	for _, a := range arms[frame] {
		if _, taken := s.markers[a.to]; !taken {
			next := marker{offset: r3.Add(m.offset, m.turn.out(a.offset)), turn: m.turn.times(&a.turn)}
			s.gather(k, a.to, next, arms)
		}
	}
}

// lump is one body of a part: its centre of mass, and its inertia about the centre of mass in the part's axes.
type lump struct {
	mass    float64
	at      r3.Vec
	inertia axes
}

// masses gives the parts their masses and moves their origins to the centres of mass.
func (s *System) masses() {
	lumps := make([][]lump, len(s.parts))
	alone := map[int]bool{} // parts that may be point masses
	for _, e := range s.elements {
		e, is := e.(bodied)
		if !is {
			continue
		}
		b, is := e.body()
		if !is {
			continue
		}
		m := s.markers[b.frame]
		if b.point {
			alone[m.part] = true
		}
		back := m.turn.transposed()
		inertia := m.turn.times(&b.inertia)
		lumps[m.part] = append(lumps[m.part], lump{b.mass, m.offset, inertia.times(&back)})
	}
	centres := make([]r3.Vec, len(s.parts))
	for k := s.fixed; k < len(s.parts); k++ {
		p := &s.parts[k]
		for _, l := range lumps[k] {
			p.mass += l.mass
			centres[k] = r3.Add(centres[k], r3.Scale(l.mass, l.at))
		}
		if p.mass > 0 {
			centres[k] = r3.Scale(1/p.mass, centres[k])
		}
		for _, l := range lumps[k] { // parallel axes
			d := r3.Sub(l.at, centres[k])
			for i, e := range identity {
				moved := r3.Scale(l.mass, r3.Sub(r3.Scale(r3.Dot(d, d), e), r3.Scale(r3.Dot(d, e), d)))
				p.inertia[i] = r3.Add(p.inertia[i], r3.Add(l.inertia[i], moved))
			}
		}
		p.turns = len(lumps[k]) != 1 || !alone[k]
	}
	for frame, m := range s.markers {
		m.offset = r3.Sub(m.offset, centres[m.part])
		s.markers[frame] = m
	}
}
