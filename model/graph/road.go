package graph

import "skidpad/model"

// Road plane with frame Q, moved along its normal by inputs.
//
//	T1 Ground -> Q  r = constant + z n
//	R1 Ground -> Q  R = constant
func (g *Graph) road(c *model.Road) []Edge {
	q := g.node(c.Frame)
	return []Edge{
		{Name: "T1", Domain: Translation, Tail: Ground, Head: q, Space: Space{
			Offset: c.Translation,
			Motion: &Motion{
				Axis:       [3]float64{0, 0, 1},
				AxisInHead: true,
				Prescribed: true,
				Coordinate: Coordinate{Name: c.Name + ".z", Unit: "m"},
				Speed:      Coordinate{Name: c.Name + ".z_dot", Unit: "m/s"},
				Text:       "motion of the road plane along its normal",
			},
		}},
		{Name: "R1", Domain: Rotation, Tail: Ground, Head: q, Space: Space{Sequence: c.Sequence, Angles: c.Angles}},
	}
}
