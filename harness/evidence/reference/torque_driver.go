package reference

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// torqueDriver is a torque by an input, or a brake.
type torqueDriver struct{ *component.TorqueDriver }

func init() {
	for _, word := range []string{"torque-driver", "brake"} {
		know(word, func(c *component.TorqueDriver) element { return torqueDriver{c} })
	}
}

func (c torqueDriver) add(s *System) error {
	l := &torque{from: s.markers[c.From], to: s.markers[c.To], axis: unit(c.Axis), brake: c.Brake}
	if c.Brake {
		l.input = s.braked(c.Name)
	} else {
		l.input = s.input(c.Name + ".torque")
	}
	s.loads = append(s.loads, l)
	return nil
}

// braked makes the input of a brake: its own input, or its share of a distributed brake input.
func (s *System) braked(name string) int {
	for _, other := range s.elements {
		if d, is := other.(distributing); is {
			if input, shared := d.share(s, name); shared {
				return input
			}
		}
	}
	return s.input(name + ".torque")
}

// torque is a torque between two frames, about an axis of the first.
type torque struct {
	from, to marker
	axis     r3.Vec
	brake    bool
	input    int
	pressed  *caliper // gives the torque in place of the input; nil for none
}

func (l *torque) apply(s *System, y []float64) {
	u := s.motions[l.from.part].out(l.from.turn.out(l.axis))
	var moment float64
	if l.pressed != nil {
		moment = l.pressed.torque(s, y)
	} else {
		moment = s.inputs.values[l.input]
	}
	if l.brake {
		moment = s.braking(l, u, math.Abs(moment))
	}
	s.turn(l.to.part, r3.Scale(moment, u))
	s.turn(l.from.part, r3.Scale(-moment, u))
}

// braking is the moment of a brake on its outer part about an axis u in ground, against the spin. Below the spin of
// full action, the slower the spin, the more the moment becomes the holding moment: the moment against the other loads
// of the part, limited by the torque. All other loads have been applied, except the rolling resistance, which holds
// behind the brake. Full action starts at 1 rad/s, or at 15/8 of the spin change that the torque causes in a solver
// step of the model, if that is faster.
func (s *System) braking(l *torque, u r3.Vec, torque float64) float64 {
	full := 1.0
	if inertia := s.inertiaAbout(&l.to, u); inertia > 0 {
		full = max(full, 15*torque*s.model.Solver.Step/(8*inertia))
	}
	share := against(r3.Dot(u, r3.Sub(s.motions[l.to.part].w, s.motions[l.from.part].w)) / full)
	arm := r3.Sub(s.motions[l.to.part].r, s.at(&l.to).r)
	load := r3.Dot(u, r3.Add(s.moments[l.to.part], r3.Cross(arm, s.forces[l.to.part])))
	for _, w := range s.tires {
		if w.centre.part == l.to.part {
			load -= r3.Dot(u, w.across) * w.momentP[1]
		}
	}
	holding := max(-torque, min(torque, load))
	applied := -torque*share - (1-math.Abs(share))*holding
	for _, w := range s.tires {
		if w.centre.part == l.to.part {
			w.braked = r3.Add(w.braked, r3.Scale(applied+holding, u))
		}
	}
	return applied
}

// inertiaAbout is the inertia of a marker's part about an axis u in ground through the marker.
func (s *System) inertiaAbout(m *marker, u r3.Vec) float64 {
	p, moved := &s.parts[m.part], &s.motions[m.part]
	own := moved.in(u) // in part axes
	arm := r3.Cross(u, r3.Sub(moved.r, s.at(m).r))
	return r3.Dot(own, p.inertia.out(own)) + p.mass*r3.Dot(arm, arm)
}

// last is 1 for brakes, which act after other loads, 2 for the holding loads of tires at rest, and 0 for all other
// loads.
func last(l load) int {
	switch l := l.(type) {
	case *torque:
		if l.brake {
			return 1
		}
	case atRest:
		return 2
	}
	return 0
}

// against is the smooth sign of a spin divided by the spin of full brake action: exactly 1 or -1 from 1 on.
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

func (l *torque) reads() *reading {
	if l.pressed == nil {
		return &reading{}
	}
	return &reading{edges: []*scalarEdge{l.pressed.edge}}
}
