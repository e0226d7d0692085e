package reference

import (
	"gonum.org/v1/gonum/interp"

	"skidpad/model/component"
)

// suspension is a joint that guides a wheel carrier along and about curves over its travel.
type suspension struct {
	*component.Suspension
	guide *guide
}

func init() {
	know("suspension", func(c *component.Suspension) element { return &suspension{Suspension: c} })
}

func (c *suspension) frames() []string { return []string{c.From, c.To} }

func (c *suspension) add(s *System) (err error) {
	if c.guide, err = newGuide(c.Suspension); err != nil {
		return err
	}
	sideways := []condition{{kind: projection, a: identity[0]}, {kind: projection, a: identity[1]}}
	ends := joint{name: c.Name, from: s.markers[c.From], to: s.markers[c.To], guide: c.guide}
	s.join(ends, sideways, parallel())
	return nil
}

func (c *suspension) connection(s *System, g *givens) connection {
	rest := motion{axes: identity}
	travel, rate := g.get(c.Name+".travel", c.Travel), g.get(c.Name+".travel_dot", c.TravelDot)
	return connection{c.Name, s.markers[c.From], s.markers[c.To], c.guide.moved(&rest, travel, rate, 0)}
}

func (c *suspension) coordinate(s *System) (coordinate, error) {
	g, err := newGuide(c.Suspension)
	return coordinate{from: s.markers[c.From], to: s.markers[c.To], kind: alongGuide, guide: g}, err
}

// quantities are the travel and what the curves say there.
func (c *suspension) quantities(s *System) []quantity {
	from, to := s.markers[c.From], s.markers[c.To]
	at := func(s *System) advance { return c.guide.advance(s, &from, &to) }
	rate := func(s *System, _ []float64) float64 { return at(s).rate }
	list := []quantity{
		{c.Name + ".travel", func(s *System, _ []float64) float64 { return at(s).travel }, rate},
		{c.Name + ".travel_dot", rate, func(s *System, _ []float64) float64 { return at(s).second }},
	}
	for _, q := range c.Courses() {
		if q.Curve != nil {
			t := through(q.Curve.X, q.Curve.Y, &interp.NaturalCubic{})
			value := func(s *System, _ []float64) float64 { return t.at(at(s).travel) }
			list = append(list, quantity{name: c.Name + "." + q.Key, value: value})
		}
	}
	return list
}
