package reference

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// forceDriver is a force by an input.
type forceDriver struct{ *component.ForceDriver }

func init() { know("force-driver", func(c *component.ForceDriver) element { return forceDriver{c} }) }

func (c forceDriver) add(s *System) error {
	input := s.input(c.Name + ".force")
	s.loads = append(s.loads, &force{from: s.markers[c.From], to: s.markers[c.To], axis: unit(c.Axis), input: input})
	return nil
}

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
