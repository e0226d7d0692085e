package plausible

import (
	"strings"

	"skidpad/model/roles"
)

// driving: the throttle of the roles drives a wheel, and both sides of an axle.
func (c *checker) driving(r *roles.Roles) {
	if r == nil || r.Throttle == nil {
		return
	}
	driven := map[string]bool{}
	for _, input := range r.Throttle.Inputs {
		owner, _, _ := strings.Cut(input, ".")
		f := power{c, driven, map[string]bool{}}
		if !f.follow(owner) {
			return
		}
	}
	if len(r.Throttle.Inputs) == 0 {
		return
	}
	at := c.roleOf(r, r.Throttle.Inputs[0])
	if len(driven) == 0 {
		c.doubt(at, "the throttle, %s, drives no wheel: name the throttle of an engine that drives wheels, such as "+
			"engine.throttle, or the torques on driven wheels, drive_RL.torque and drive_RR.torque",
			strings.Join(r.Throttle.Inputs, ", "))
		return
	}
	for i := range r.Axles {
		left, right := c.places(r.Axles[i].Left), c.places(r.Axles[i].Right)
		if len(left) == 0 || len(right) == 0 {
			continue
		}
		one, other := left[0].name, right[0].name
		if driven[other] && !driven[one] {
			one, other = other, one
		}
		if driven[one] && !driven[other] {
			c.doubt(at, "the throttle, %s, drives %s and not %s, the other wheel of axle %d: give both, inputs = "+
				"[\"drive_RL.torque\", \"drive_RR.torque\"]", strings.Join(r.Throttle.Inputs, ", "), one, other, i+1)
		}
	}
}
