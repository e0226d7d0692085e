package plausible

import (
	"math"

	"skidpad/model/component"
)

// bars: an anti-roll bar lets the wheels move against each other.
func (c *checker) bars() {
	travels := c.travels()
	for _, bar := range component.All[*component.AntiRollBar](c.scope) {
		t := travels[bar.Left]
		if t == nil || math.Abs(t.lift) < leastLift {
			continue
		}
		inertia := c.mass / float64(c.wheels) * float64(t.wheels)
		rate := 2 * bar.Stiffness.Value / (t.lift * t.lift) // of a wheel, while the other one moves as far the other way
		if swing := math.Sqrt(rate/inertia) / (2 * math.Pi); swing > mostSwing {
			c.doubt(c.position(bar, "stiffness"), "the anti-roll bar %s has a stiffness of %.3g, on which a corner of %.3g "+
				"kg swings "+
				"at %.2g Hz; check the unit, N/m without another on a travel, N.m/rad on joints that turn", bar.Name,
				bar.Stiffness.Value, inertia, swing)
		}
	}
}
