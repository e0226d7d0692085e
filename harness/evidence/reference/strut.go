package reference

import "skidpad/model/component"

// strut keeps the origin of a frame on a line of another.
type strut struct{ *component.Strut }

func init() { know("strut", func(c *component.Strut) element { return strut{c} }) }

func (c strut) add(s *System) error {
	s.join(joint{name: c.Name, from: s.markers[c.To], to: s.markers[c.From]}, across(unit(c.Axis)))
	return nil
}

func (c strut) coordinate(s *System) (coordinate, error) {
	return coordinate{from: s.markers[c.To], to: s.markers[c.From], kind: alongAxis, axis: unit(c.Axis)}, nil
}

func (c strut) quantities(s *System) []quantity {
	return alongJoint(s.markers[c.To], s.markers[c.From], unit(c.Axis), c.Name+".length", c.Name+".length_dot")
}
