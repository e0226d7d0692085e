package reference

import (
	"fmt"

	"gonum.org/v1/gonum/interp"

	"skidpad/model/component"
)

// rocker is an angle over the travel of a suspension.
type rocker struct {
	*component.Rocker
	on coordinate
}

func init() { know("rocker", func(c *component.Rocker) element { return &rocker{Rocker: c} }) }

func (c *rocker) add(s *System) (err error) {
	c.on, err = c.coordinate(s)
	return err
}

func (c *rocker) coordinate(s *System) (x coordinate, err error) {
	if c.Surface != nil || len(c.Also) > 0 {
		return x, fmt.Errorf("%s has a surface or the key also, which the reference solver does not have; use a curve",
			c.Name)
	}
	if x, err = s.coordinateOf(c.Name, c.Joint); err != nil {
		return x, err
	}
	x.turns = true
	x.over = through(c.Angle.X, c.Angle.Y, &interp.NaturalCubic{})
	return x, x.over.of(c.Name+".angle", c.Angle)
}

func (c *rocker) quantities(*System) []quantity {
	value := func(s *System, y []float64) float64 {
		angle, _, _ := c.on.measure(s, y)
		return angle
	}
	return []quantity{{name: c.Name + ".angle", value: value}}
}
