package reference

import (
	"fmt"

	"gonum.org/v1/gonum/spatial/r3"

	"skidpad/model/component"
	surface "skidpad/model/road"
)

// road is a part that moves along its normal as inputs say; terrain rests.
type road struct {
	axes
	offset r3.Vec // in ground
	part   int
	moves  bool
	input  int // of z and z_dot, if it moves
}

// motion returns where a road is and how it moves.
func (s *System) motion(r road) motion {
	if !r.moves {
		return motion{axes: r.axes, r: r.offset}
	}
	z, rate := s.inputs.values[r.input], s.inputs.values[r.input+1]
	return motion{axes: r.axes, r: r3.Add(r.offset, r3.Scale(z, r.axes[2])), v: r3.Scale(rate, r.axes[2])}
}

// planeRoad is a plane of any inclination.
type planeRoad struct{ *component.Road }

func init() { know("road", func(c *component.Road) element { return planeRoad{c} }) }

func (c planeRoad) plane() (frame string, p road, err error) {
	return c.Frame, road{axes: sequence(c.Sequence, values(c.Angles)), offset: vector(c.Translation)}, nil
}

func (c planeRoad) add(s *System) error {
	for i := range s.roads {
		if s.parts[s.roads[i].part].name == c.Name {
			s.roads[i].moves, s.roads[i].input = true, s.input(c.Name+".z", c.Name+".z_dot")
		}
	}
	s.inputs.values[s.input(c.Name+".mu")] = 1
	return nil
}

// terrain is flat ground at a height.
type terrain struct{ *component.Terrain }

func init() { know("terrain", func(c *component.Terrain) element { return terrain{c} }) }

func (c terrain) plane() (frame string, p road, err error) {
	flat := c.Kind == surface.Flat && c.Friction.Kind == surface.Flat
	if !flat || c.Friction.Left.Value != 1 || c.Friction.Right.Value != 1 {
		return "", p, fmt.Errorf("%s: the reference solver knows flat terrain with friction 1 only", c.Name)
	}
	return c.Frame, road{axes: identity, offset: r3.Vec{Z: c.Height.Value}}, nil
}

func (c terrain) add(s *System) error {
	s.inputs.values[s.input(c.Name+".mu")] = 1
	return nil
}
