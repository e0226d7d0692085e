package formulate

import "skidpad/model"

type prismatic struct{ *model.Prismatic }

// Coordinate is the position of the joint.
func (c prismatic) Coordinate(b Builder) Coordinate { return b.Along(c.From, c.To, c.Axis) }

// Observed are position and rate.
func (c prismatic) Observed(b Builder) {
	x := c.Coordinate(b)
	b.Publish("s", "m", "position along the joint axis", x.Value)
	b.Publish("s_dot", "m/s", "rate of s", x.Rate)
}
