package reference

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model"
	ground "skidpad/model/road"
)

// assemble makes parts of the frames that arms hold together.
func (s *System) assemble() error {
	frames, arms := s.frames()
	s.parts = []part{{name: model.GroundFrame}}
	s.gather(0, model.GroundFrame, marker{turn: identity}, arms)
	for _, c := range s.model.Components {
		var frame string
		plane := road{axes: identity, part: len(s.parts)}
		switch c := c.(type) {
		case *model.Road:
			frame, plane.axes, plane.offset = c.Frame, sequence(c.Sequence, values(c.Angles)), vector(c.Translation)
		case *model.Terrain:
			if c.Kind != ground.Flat || c.Friction.Kind != ground.Flat || c.Friction.Left.Value != 1 || c.Friction.Right.Value != 1 {
				return fmt.Errorf("%s: the reference solver knows flat terrain with friction 1 only", c.Name)
			}
			frame, plane.offset.Z = c.Frame, c.Height.Value
		default:
			continue
		}
		name := c.Head().Name
		if m, taken := s.markers[frame]; taken {
			return fmt.Errorf("%s: its frame %s is fixed to %s; the reference solver moves roads by themselves", name, frame, s.parts[m.part].name)
		}
		s.roads = append(s.roads, plane)
		s.parts = append(s.parts, part{name: name})
		s.gather(len(s.parts)-1, frame, marker{turn: identity}, arms)
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
	for _, c := range s.model.Components {
		switch c := c.(type) {
		case *model.RigidBody:
			frames = append(frames, c.Frame)
		case *model.PointMass:
			frames = append(frames, c.Frame)
		case *model.Tire:
			frames = append(frames, c.Frame)
		case *model.RigidArm:
			others = append(others, c.From, c.To)
			turn := sequence(c.Sequence, values(c.Angles))
			back := turn.transposed()
			offset := vector(c.Translation)
			arms[c.From] = append(arms[c.From], arm{c.To, offset, turn})
			arms[c.To] = append(arms[c.To], arm{c.From, r3.Scale(-1, back.out(offset)), back})
		case *model.Revolute:
			others = append(others, c.From, c.To)
		case *model.Prismatic:
			others = append(others, c.From, c.To)
		case *model.Suspension:
			others = append(others, c.From, c.To)
		case *model.Spherical:
			others = append(others, c.From, c.To)
		case *model.MotionDriver:
			others = append(others, c.From, c.To)
		case *model.Steering:
			if c.HandWheel != nil {
				frames = append(frames, hub(c))
			}
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
			s.gather(k, a.to, marker{offset: r3.Add(m.offset, m.turn.out(a.offset)), turn: m.turn.times(&a.turn)}, arms)
		}
	}
}

// lump is one body of a part: its centre of mass, and its inertia about that in the
// part's axes.
type lump struct {
	mass    float64
	at      r3.Vec
	inertia axes
}

// masses gives the parts their masses and moves their origins to the centres of mass.
func (s *System) masses() {
	lumps := make([][]lump, len(s.parts))
	alone := map[int]bool{} // parts that may be point masses
	for _, c := range s.model.Components {
		frame, mass := "", 0.0
		var inertia axes
		switch c := c.(type) {
		case *model.RigidBody:
			frame, mass, inertia = c.Frame, c.Mass.Value, tensor(c.Inertia)
		case *model.Tire:
			frame, mass, inertia = c.Frame, c.Mass.Value, tensor(c.Inertia)
		case *model.PointMass:
			frame, mass = c.Frame, c.Mass.Value
			alone[s.markers[frame].part] = true
		case *model.Steering:
			if c.HandWheel == nil {
				continue
			}
			frame, mass = hub(c), 1 // of no meaning: its centre rests
			for i, e := range identity {
				inertia[i] = r3.Scale(c.HandWheel.Inertia.Value, e)
			}
		default:
			continue
		}
		m := s.markers[frame]
		back := m.turn.transposed()
		inertia = m.turn.times(&inertia)
		lumps[m.part] = append(lumps[m.part], lump{mass, m.offset, inertia.times(&back)})
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
				p.inertia[i] = r3.Add(p.inertia[i], r3.Add(l.inertia[i], r3.Scale(l.mass, r3.Sub(r3.Scale(r3.Dot(d, d), e), r3.Scale(r3.Dot(d, e), d)))))
			}
		}
		p.turns = len(lumps[k]) != 1 || !alone[k]
	}
	for frame, m := range s.markers {
		m.offset = r3.Sub(m.offset, centres[m.part])
		s.markers[frame] = m
	}
}

// tensor returns the columns of an inertia matrix in body axes.
func tensor(i model.Inertia) axes {
	if i.Axisymmetric {
		var a axes
		for k, e := range identity {
			a[k] = r3.Scale(i.Transverse.Value, e)
		}
		a[i.Axis] = r3.Scale(i.Axial.Value, identity[i.Axis])
		return a
	}
	xy, xz, yz := i.XY.Value, i.XZ.Value, i.YZ.Value
	return axes{{X: i.XX.Value, Y: xy, Z: xz}, {X: xy, Y: i.YY.Value, Z: yz}, {X: xz, Y: yz, Z: i.ZZ.Value}}
}

// road is a part that moves along its normal as inputs say; terrain rests.
type road struct {
	axes
	offset r3.Vec // in ground
	part   int
	moves  bool
	input  int // of z and z_dot, if it moves
}

// motion returns where a road is and how it moves.
func (s *System) motion(r road) motion {
	if !r.moves {
		return motion{axes: r.axes, r: r.offset}
	}
	z, rate := s.inputs.values[r.input], s.inputs.values[r.input+1]
	return motion{axes: r.axes, r: r3.Add(r.offset, r3.Scale(z, r.axes[2])), v: r3.Scale(rate, r.axes[2])}
}
