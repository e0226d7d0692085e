package reference

import (
	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// bar is an anti-roll bar: a spring and damper on the difference of two coordinates.
type bar struct {
	*component.AntiRollBar
	left, right coordinate
	curved      *table  // of the force over the difference; nil for none
	force       float64 // at the latest evaluation
}

func init() {
	know("anti-roll-bar", func(c *component.AntiRollBar) element { return &bar{AntiRollBar: c} })
}

func (l *bar) add(s *System) (err error) {
	if l.left, err = s.coordinateOf(l.Name, l.Left); err == nil {
		l.right, err = s.coordinateOf(l.Name, l.Right)
	}
	l.curved = monotone(l.Force)
	s.loads = append(s.loads, l)
	return err
}

func (l *bar) apply(s *System, y []float64) {
	left, leftRate, u := l.left.measure(s, y)
	right, rightRate, v := l.right.measure(s, y)
	l.force = l.Stiffness.Value*(left-right) + l.Damping.Value*(leftRate-rightRate) + l.curved.at(left-right)
	l.left.pull(s, r3.Scale(l.force, u))
	l.right.pull(s, r3.Scale(-l.force, v))
}

func (l *bar) touches() []int {
	return []int{l.left.from.part, l.left.to.part, l.right.from.part, l.right.to.part}
}

func (l *bar) quantities(*System) []quantity {
	force := ".force"
	if l.left.rotates() {
		force = ".torque"
	}
	return []quantity{number(l.Name+force, &l.force)}
}
