package component

import (
	"skidpad/model/expr"
	"skidpad/model/program"
)

// What a tire keeps of its contact for the conditions that end runs.
const (
	heightKey      = "height of the centre"
	penetrationKey = "penetration"
	radiusKey      = "unloaded radius"
)

// tireDepth is how deep a tire is, by its free radius: what is left beside its side of 0.82 of that.
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

// endsByDefault: a loaded contact creates energy where a tire leaves the disc that it stands for, so that what follows
// means nothing. Others go on.
func (c *Tire) endsByDefault() bool { return c.Contact.Method == ContactLoaded }
