package reference

import (
	"slices"

	"gonum.org/v1/gonum/interp"
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model"
	"skidpad/model/curve"
)

// quantity is one published variable of a component, by the names that the engine uses
// too. Values are read after the accelerations were solved for.
type quantity struct {
	name       string
	value      func(s *System, y []float64) float64
	derivative func(s *System, y []float64) float64 // of states
}

// three are the quantities of a vector.
func three(component string, names [3]string, v func(s *System, y []float64) r3.Vec, derivative func(s *System, y []float64) r3.Vec) []quantity {
	list := make([]quantity, 3)
	for i := range list {
		list[i] = quantity{name: component + "." + names[i], value: func(s *System, y []float64) float64 { return components(v(s, y))[i] }}
		if derivative != nil {
			list[i].derivative = func(s *System, y []float64) float64 { return components(derivative(s, y))[i] }
		}
	}
	return list
}

var (
	positionNames = [3]string{"x", "y", "z"}
	velocityNames = [3]string{"vx", "vy", "vz"}
	spinNames     = [3]string{"wx", "wy", "wz"}
	accelerations = [3]string{"ax", "ay", "az"}
	angles        = [3]string{"yaw", "pitch", "roll"}
	anyAngles     = [3]string{"angle1", "angle2", "angle3"} // of turns in any order
)

// quantities lists what the components publish.
func (s *System) quantities() []quantity {
	var list []quantity
	for _, c := range s.model.Components {
		switch c := c.(type) {
		case *model.RigidBody:
			list = append(list, s.bodyQuantities(c)...)
		case *model.PointMass:
			at := s.markers[c.Frame]
			list = append(list, three(c.Name, positionNames, func(s *System, _ []float64) r3.Vec { return s.at(&at).r }, nil)...)
			list = append(list, three(c.Name, velocityNames, func(s *System, _ []float64) r3.Vec { return s.at(&at).v },
				func(s *System, _ []float64) r3.Vec { return s.at(&at).a })...)
			list = append(list, three(c.Name, accelerations, func(s *System, _ []float64) r3.Vec { return s.at(&at).a }, nil)...)
		case *model.Rod:
			list = append(list, s.rodQuantity(c))
		case *model.Prismatic:
			list = append(list, s.prismaticQuantities(c)...)
		case *model.Suspension:
			list = append(list, s.suspensionQuantities(c)...)
		case *model.Spherical:
			list = append(list, s.sphericalQuantities(c)...)
		case *model.Sensor:
			list = append(list, s.sensorQuantities(c)...)
		}
	}
	list = append(list, s.drivelineQuantities()...)
	for _, r := range s.revolutes {
		list = append(list,
			quantity{r.name + r.names[0], func(_ *System, y []float64) float64 { return y[r.unknown] }, func(s *System, _ []float64) float64 { return r.rate(s) }},
			quantity{r.name + r.names[1], func(s *System, _ []float64) float64 { return r.rate(s) }, func(s *System, _ []float64) float64 { return r.acceleration(s) }})
	}
	for _, l := range s.loads {
		if l, is := l.(*spring); is {
			tension, length := ".force", ".length"
			if l.on.kind == aboutAxis {
				tension, length = ".torque", ".angle"
			}
			list = append(list,
				quantity{name: l.name + tension, value: func(*System, []float64) float64 { return l.force }},
				quantity{name: l.name + length, value: func(*System, []float64) float64 { return l.length }})
		}
	}
	for _, l := range s.loads {
		if l, is := l.(*bar); is {
			force := ".force"
			if l.left.kind == aboutAxis {
				force = ".torque"
			}
			list = append(list, quantity{name: l.name + force, value: func(*System, []float64) float64 { return l.force }})
		}
	}
	for _, w := range s.tires {
		list = append(list, w.quantities()...)
	}
	return list
}

// rodQuantity is what remains of a rod's constraint.
func (s *System) rodQuantity(c *model.Rod) quantity {
	from, to := s.markers[c.From], s.markers[c.To]
	return quantity{name: c.Name + ".value", value: func(s *System, _ []float64) float64 {
		d := r3.Norm(r3.Sub(s.at(&to).r, s.at(&from).r))
		if c.Square {
			return d*d - c.Length.Value*c.Length.Value
		}
		return d - c.Length.Value
	}}
}

func (s *System) bodyQuantities(c *model.RigidBody) []quantity {
	at := s.markers[c.Frame]
	own := func(pick func(m *motion) r3.Vec) func(s *System, y []float64) r3.Vec {
		return func(s *System, _ []float64) r3.Vec { m := s.at(&at); return m.in(pick(&m)) }
	}
	list := three(c.Name, positionNames, func(s *System, _ []float64) r3.Vec { return s.at(&at).r },
		func(s *System, _ []float64) r3.Vec { return s.at(&at).v })
	list = append(list, three(c.Name, angles, func(s *System, _ []float64) r3.Vec {
		m := s.at(&at)
		return triple(m.turns("321"))
	}, nil)...)
	if c.Sequence != "321" {
		list = append(list, three(c.Name, anyAngles, func(s *System, _ []float64) r3.Vec { m := s.at(&at); return triple(m.turns(c.Sequence)) }, nil)...)
	}
	list = append(list, three(c.Name, velocityNames, own(func(m *motion) r3.Vec { return m.v }),
		own(func(m *motion) r3.Vec { return r3.Sub(m.a, r3.Cross(m.w, m.v)) }))...) // of the components in body axes
	list = append(list, three(c.Name, spinNames, own(func(m *motion) r3.Vec { return m.w }), own(func(m *motion) r3.Vec { return m.dw }))...)
	return append(list, three(c.Name, accelerations, own(func(m *motion) r3.Vec { return m.a }), nil)...)
}

func (s *System) prismaticQuantities(c *model.Prismatic) []quantity {
	from, to, u := s.markers[c.From], s.markers[c.To], unit(c.Axis)
	along := func(s *System) (length, rate, second float64) {
		f, t := s.at(&from), s.at(&to)
		a, ra, sa := f.fixed(u)
		d, dv, da := r3.Sub(t.r, f.r), r3.Sub(t.v, f.v), r3.Sub(t.a, f.a)
		return r3.Dot(a, d), r3.Dot(ra, d) + r3.Dot(a, dv), r3.Dot(sa, d) + 2*r3.Dot(ra, dv) + r3.Dot(a, da)
	}
	return []quantity{
		{c.Name + ".s", func(s *System, _ []float64) float64 { l, _, _ := along(s); return l }, func(s *System, _ []float64) float64 { _, r, _ := along(s); return r }},
		{c.Name + ".s_dot", func(s *System, _ []float64) float64 { _, r, _ := along(s); return r }, func(s *System, _ []float64) float64 { _, _, a := along(s); return a }},
	}
}

// suspensionQuantities are the travel and what the curves say there.
func (s *System) suspensionQuantities(c *model.Suspension) []quantity {
	i := slices.IndexFunc(s.joints, func(j joint) bool { return j.name == c.Name })
	g, from, to := s.joints[i].guide, s.joints[i].from, s.joints[i].to
	at := func(s *System) advance { return g.advance(s, &from, &to) }
	list := []quantity{
		{c.Name + ".travel", func(s *System, _ []float64) float64 { return at(s).travel }, func(s *System, _ []float64) float64 { return at(s).rate }},
		{c.Name + ".travel_dot", func(s *System, _ []float64) float64 { return at(s).rate }, func(s *System, _ []float64) float64 { return at(s).second }},
	}
	for name, curve := range map[string]*curve.Curve{"x": c.X, "y": c.Y, "z": c.Z, "toe": c.Toe, "camber": c.Camber, "castor": c.Castor} {
		if curve != nil {
			t := through(curve.X, curve.Y, &interp.NaturalCubic{})
			list = append(list, quantity{name: c.Name + "." + name, value: func(s *System, _ []float64) float64 { return t.at(at(s).travel) }})
		}
	}
	return list
}

// acceleration is the second derivative of a revolute joint's angle [rad/s2].
func (r *revolute) acceleration(s *System) float64 {
	from, to := &s.motions[r.from.part], &s.motions[r.to.part]
	u := from.out(r.from.turn.out(r.axis))
	relative := r3.Sub(to.w, from.w)
	return r3.Dot(r3.Cross(from.w, u), relative) + r3.Dot(u, r3.Sub(to.dw, from.dw))
}

// sphericalQuantities are the angles of a spherical joint in the order of its sequence, and
// the relative angular velocity in the axes of its head.
func (s *System) sphericalQuantities(c *model.Spherical) []quantity {
	from, to := s.markers[c.From], s.markers[c.To]
	list := three(c.Name, anyAngles, func(s *System, _ []float64) r3.Vec {
		f, t := s.at(&from), s.at(&to)
		back := f.transposed()
		relative := back.times(&t.axes)
		return triple(relative.turns(c.Sequence))
	}, nil)
	return append(list, three(c.Name, spinNames, func(s *System, _ []float64) r3.Vec {
		f, t := s.at(&from), s.at(&to)
		return t.in(r3.Sub(t.w, f.w))
	}, nil)...)
}

// relativeQuantities are the angles of one frame against another, and the angular
// velocity between them in the axes of a third.
func (s *System) relativeQuantities(name, from, to, resolve string) []quantity {
	f, t, in := s.markers[from], s.markers[to], s.markers[resolve]
	list := three(name, angles, func(s *System, _ []float64) r3.Vec {
		f, t := s.at(&f), s.at(&t)
		back := f.transposed()
		relative := back.times(&t.axes)
		return triple(relative.turns("321"))
	}, nil)
	return append(list, three(name, spinNames, func(s *System, _ []float64) r3.Vec {
		f, t, in := s.at(&f), s.at(&t), s.at(&in)
		return in.in(r3.Sub(t.w, f.w))
	}, nil)...)
}

func (s *System) sensorQuantities(c *model.Sensor) []quantity {
	from, to, in := s.markers[c.From], s.markers[c.To], s.markers[c.Resolve]
	difference := func(pick func(m *motion) r3.Vec) func(s *System, y []float64) r3.Vec {
		return func(s *System, _ []float64) r3.Vec {
			f, t, in := s.at(&from), s.at(&to), s.at(&in)
			return in.in(r3.Sub(pick(&t), pick(&f)))
		}
	}
	list := three(c.Name, positionNames, difference(func(m *motion) r3.Vec { return m.r }), nil)
	list = append(list, three(c.Name, velocityNames, difference(func(m *motion) r3.Vec { return m.v }), nil)...)
	list = append(list, three(c.Name, accelerations, difference(func(m *motion) r3.Vec { return m.a }), nil)...)
	if s.turns(from.part) && s.turns(to.part) {
		list = append(list, s.relativeQuantities(c.Name, c.From, c.To, c.Resolve)...)
	}
	return list
}

// turns reports whether a part has axes.
func (s *System) turns(part int) bool { return part < s.fixed || s.parts[part].turns }

func (w *wheel) quantities() []quantity {
	number := func(name string, v *float64) quantity {
		return quantity{name: w.name + "." + name, value: func(*System, []float64) float64 { return *v }}
	}
	list := []quantity{
		number("Fx", &w.forceP[0]), number("Fy", &w.forceP[1]), number("Fz", &w.forceP[2]),
		number("Mx", &w.momentP[0]), number("My", &w.momentP[1]), number("Mz", &w.momentP[2]),
		number("kappa", &w.at.S), number("alpha", &w.at.alpha), number("gamma", &w.at.gamma),
		number("R_l", &w.at.Rl), number("R_eff", &w.at.Reff), number("Fz_signed", &w.at.FzSigned),
		{name: w.name + ".contact", value: func(*System, []float64) float64 {
			if w.at.FzSigned > 0 {
				return 1
			}
			return 0
		}},
	}
	if w.relaxation != nil {
		for i, name := range []string{"q1", "q2"} {
			list = append(list, quantity{w.name + "." + name,
				func(_ *System, y []float64) float64 { return y[w.slips+i] }, func(*System, []float64) float64 { return w.slipRate[i] }})
		}
	}
	// the coordinates that a tire has as a branch of a tree
	at := w.centre
	list = append(list, three(w.name, positionNames, func(s *System, _ []float64) r3.Vec { return s.at(&at).r }, nil)...)
	list = append(list, three(w.name, [3]string{"x_dot", "y_dot", "z_dot"}, func(s *System, _ []float64) r3.Vec { return s.at(&at).v }, nil)...)
	list = append(list, three(w.name, [3]string{"yaw", "tilt", "spin"}, func(s *System, _ []float64) r3.Vec {
		m := s.at(&at)
		return triple(m.turns(w.component.Sequence))
	}, nil)...)
	return append(list, three(w.name, spinNames, func(s *System, _ []float64) r3.Vec { m := s.at(&at); return m.in(m.w) }, nil)...)
}
