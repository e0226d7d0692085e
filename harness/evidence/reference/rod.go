package reference

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
)

// rod keeps two origins at a distance.
type rod struct{ *component.Rod }

func init() { know("rod", func(c *component.Rod) element { return rod{c} }) }

func (c rod) add(s *System) error {
	if c.Active.Value != 1 {
		return fmt.Errorf("%s: the reference solver does not support inactive rods; set active to 1", c.Name)
	}
	link := joint{name: c.Name, from: s.markers[c.From], to: s.markers[c.To]}
	s.join(link, []condition{{kind: distance, length: c.Length.Value}})
	return nil
}

// quantities publishes the residual of the constraint.
func (c rod) quantities(s *System) []quantity {
	from, to := s.markers[c.From], s.markers[c.To]
	return []quantity{{name: c.Name + ".value", value: func(s *System, _ []float64) float64 {
		d := r3.Norm(r3.Sub(s.at(&to).r, s.at(&from).r))
		if c.Square {
			return d*d - c.Length.Value*c.Length.Value
		}
		return d - c.Length.Value
	}}}
}
