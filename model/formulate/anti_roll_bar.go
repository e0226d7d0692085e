package formulate

import (
	"skidpad/model"
	"skidpad/model/graph"
)

type antiRollBar struct{ *model.AntiRollBar }

// Law is k d + c d' and what a curve over d adds, against the coordinate of the left joint and along that of the right
// one, d being their difference.
func (c antiRollBar) Law(b Builder) {
	p := b.Pool()
	left, right := coordinateOf(b, c.Left), coordinateOf(b, c.Right)
	if left.Value == nil || right.Value == nil {
		return
	}
	u := unitsOf(left.Domain)
	difference := b.Define("difference", p.Sub(left.Value, right.Value))
	force := p.Add(
		p.Mul(b.Scalar("stiffness", u.stiffness, c.Stiffness), difference),
		p.Mul(b.Scalar("damping", u.damping, c.Damping), p.Sub(left.Rate, right.Rate)))
	if c.Force != nil {
		force = p.Add(force, b.Curve("bar_"+c.Name, c.Force, difference).Value)
	}
	force = b.Define("force", force)
	b.Apply(left, p.Neg(force))
	b.Apply(right, force)

	if left.Domain == graph.Translation {
		b.Publish("force", "N", "force against the coordinate of "+c.Left+" and along that of "+c.Right, force)
	} else {
		b.Publish("torque", "N.m", "torque against the angle of "+c.Left+" and along that of "+c.Right, force)
	}
}

// IgnoresTurn: it acts about the axes of joints.
func (c antiRollBar) IgnoresTurn(Turn) bool { return true }
