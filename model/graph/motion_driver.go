package graph

import "skidpad/model"

// Motion driver from A to B: a motion along or about u given by inputs.
//
//	T1 A -> B       r = f u, or 0 when the driver turns
//	R1 Ground -> A  observer
//	R2 A -> B       theta = g u, or R = 1 when the driver translates
//
// Of the drivers that one free hand wheel turns the first one has the freedom of the hand wheel.
func (g *Graph) motionDriver(c *model.MotionDriver) []Edge {
	a, b := g.node(c.From), g.node(c.To)
	position, unit := ".angle", "rad"
	if c.Translation {
		position, unit = ".position", "m"
	}
	motion := &Motion{
		Axis:         c.Axis,
		Prescribed:   true,
		Coordinate:   Coordinate{Name: c.Name + position, Unit: unit},
		Speed:        Coordinate{Name: c.Name + ".rate", Unit: unit + "/s"},
		Acceleration: c.Name + ".acceleration",
		Text:         "prescribed motion",
		Lead:         g.leads[c.Name],
	}
	edges := []Edge{
		{Name: "T1", Domain: Translation, Tail: a, Head: b},
		g.observer(c.From),
		{Name: "R2", Domain: Rotation, Tail: a, Head: b},
	}
	if c.Translation {
		edges[0].Space.Motion = motion
	} else {
		edges[2].Space.Motion = motion
	}
	return edges
}

// lead is the hand wheel of a steering.
func (g *Graph) lead(s *model.Steering) {
	l := &Lead{
		Coordinate: Coordinate{s.Name + ".wheel_angle", "rad", s.HandWheel.Angle},
		Speed:      Coordinate{s.Name + ".wheel_rate", "rad/s", s.HandWheel.Rate},
		Owner:      s.Wheels[0].Driver,
	}
	for _, w := range s.Wheels {
		g.leads[w.Driver] = l
	}
}
