package tangent

import (
	"math"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// rod keeps two origins at a distance.
type rod struct{ *component.Rod }

func init() { know("rod", func(c *component.Rod) element { return rod{c} }) }

func (c rod) connect(t *translator, v *Vehicle) {
	l := Link{c.Name, t.body(c.To), t.body(c.From), t.at(c.To).origin, t.at(c.From).origin}
	length, active := t.scalar(c.Name+".length", c.Length), t.scalar(c.Name+".active", c.Active)
	if found := r3.Norm(r3.Sub(l.At, l.AtSecond)); math.Abs(found-length) > meets {
		t.fail(c, "its ends are %.9g m apart at the start, its length is %.9g m", found, length)
	}
	switch active {
	case 1:
		v.Links = append(v.Links, l)
	case 0:
	default:
		t.fail(c, "active is %g; it must be 0 or 1 here", active)
	}
}
