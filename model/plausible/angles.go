package plausible

import (
	"math"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// angles checks that fixed rotations are half a turn at most.
func (c *checker) angles() {
	for _, arm := range component.All[*component.RigidArm](c.scope) {
		c.turned(arm, "angles", arm.Angles)
	}
	for _, r := range component.All[*component.Road](c.scope) {
		c.turned(r, "angles", r.Angles)
	}
	for _, b := range component.All[*component.RigidBody](c.scope) {
		c.turned(b, "start.angles", b.Start.Angles)
	}
}

// turned doubts angles that are written without a unit.
func (c *checker) turned(of component.Component, key string, angles keys.Vector) {
	for i, a := range angles {
		if a.Unit == "" && math.Abs(a.Value) > math.Pi {
			c.doubt(a.Pos, "%s.%s[%d] is %.4g rad, which is %.0f deg, more than half a turn; a number without a unit is in "+
				"rad: write the unit, as in \"%.3g deg\", if another is meant", of.Head().Name, key, i, a.Value,
				a.Value*180/math.Pi, a.Value)
		}
	}
}
