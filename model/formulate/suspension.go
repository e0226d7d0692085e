package formulate

import (
	"skidpad/model"
	"skidpad/model/curve"
	"skidpad/model/expr"
	"skidpad/model/graph"
)

type suspension struct{ *model.Suspension }

// Coordinate is the travel.
func (c suspension) Coordinate(b Builder) Coordinate {
	x := b.Freedom("travel", "travel_dot")
	x.Domain, x.From, x.To = graph.Translation, c.From, c.To
	return x
}

// Observed are the values of the curves that it has.
func (c suspension) Observed(b Builder) {
	q := b.Pool().Sym(c.Name+".travel", expr.State)
	for _, o := range []struct {
		key, unit, text string
		curve           *curve.Curve
	}{
		{"x", "m", "displacement forward", c.X},
		{"y", "m", "displacement outward", c.Y},
		{"z", "m", "displacement upward", c.Z},
		{"toe", "rad", "toe-in", c.Toe},
		{"camber", "rad", "camber, positive with the top outward", c.Camber},
		{"castor", "rad", "castor, positive with the top rearward", c.Castor},
	} {
		if o.curve != nil {
			b.Publish(o.key, o.unit, o.text, b.Curve(c.Name+"."+o.key, o.curve, q).Value)
		}
	}
}
