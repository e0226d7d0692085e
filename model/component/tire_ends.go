package component

import (
	"skidpad/model/expr"
	"skidpad/model/program"
)

// The following keys name values of a tire's contact that the end conditions of runs use.
const (
	heightKey      = "height of the centre"
	penetrationKey = "penetration"
	radiusKey      = "unloaded radius"
)

// tireDepth is the largest depth of a tire divided by its free radius, 1 less SideRadius (0.82).
var tireDepth = expr.Fraction(18, 100)

// Ends: the wheel centre is below the road, or the tire deeper in it than it is.
func (c *Tire) Ends(b Builder) []End {
	p := b.Pool()
	depth := p.Scale(tireDepth, b.Kept(radiusKey))
	return []End{
		{program.BelowRoad, p.Neg(b.Kept(heightKey)), c.endsByDefault()},
		{program.Crushed, p.Sub(b.Kept(penetrationKey), depth), c.endsByDefault()},
	}
}

// endsByDefault: a loaded contact creates energy where a tire leaves the disc of the model. Results after that are
// meaningless. Runs with other contacts continue.
func (c *Tire) endsByDefault() bool { return c.Contact.Method == ContactLoaded }
