package reference

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// output is the target of a torque.
type output interface {
	speed(s *System) float64 // rad/s
	turn(s *System, torque float64)
	// levers are how the speed depends on angular velocities, and slide is its rate without angular
	// accelerations.
	levers(s *System) []lever
	slide(s *System) float64
	parts() []int
}

// lever is by how much the angular velocity of a part counts, vector by vector, in ground.
type lever struct {
	part int
	by   r3.Vec
}

// halfShaft leads to the wheel of a joint, from its tail or a housing.
type halfShaft struct {
	joint          *component.Revolute
	tail, from, to marker
	axis           r3.Vec // in the tail
}

func (h *halfShaft) out(s *System) (axis, rate r3.Vec) {
	t := s.at(&h.tail)
	axis, rate, _ = t.fixed(h.axis)
	return axis, rate
}

func (h *halfShaft) relative(s *System) r3.Vec {
	return r3.Sub(s.motions[h.to.part].w, s.motions[h.from.part].w)
}

func (h *halfShaft) speed(s *System) float64 {
	u, _ := h.out(s)
	return r3.Dot(u, h.relative(s))
}

func (h *halfShaft) turn(s *System, torque float64) {
	u, _ := h.out(s)
	s.turn(h.to.part, r3.Scale(torque, u))
	s.turn(h.from.part, r3.Scale(-torque, u))
}

func (h *halfShaft) levers(s *System) []lever {
	u, _ := h.out(s)
	return []lever{{h.to.part, u}, {h.from.part, r3.Scale(-1, u)}}
}

func (h *halfShaft) slide(s *System) float64 {
	_, rate := h.out(s)
	return r3.Dot(rate, h.relative(s))
}

func (h *halfShaft) parts() []int { return []int{h.tail.part, h.from.part, h.to.part} }

// output finds the target that a component drives; the parser of model files has checked that the target exists.
func (s *System) output(name, housing string) output {
	return s.element(name).(shafted).output(s, housing)
}
