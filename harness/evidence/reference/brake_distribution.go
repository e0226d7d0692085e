package reference

import (
	"slices"

	"skidpad/model/component"
)

// brakeDistribution is one input for several brakes.
type brakeDistribution struct {
	*component.BrakeDistribution
	published []quantity
}

func init() {
	know("brake-distribution", func(c *component.BrakeDistribution) element {
		return &brakeDistribution{BrakeDistribution: c}
	})
}

func (*brakeDistribution) add(*System) error { return nil } // with the brakes

func (c *brakeDistribution) share(s *System, brake string) (input int, is bool) {
	for _, axle := range c.Axles {
		if !slices.Contains(axle.Brakes, brake) {
			continue
		}
		total, made := s.inputs.names[c.Name+".torque"]
		if !made {
			total = s.input(c.Name + ".torque")
		}
		own, part := s.slots(1), axle.Share.Value/float64(len(axle.Brakes))
		s.inputs.follow = append(s.inputs.follow, func(values []float64) { values[own] = part * values[total] })
		c.published = append(c.published, s.inputQuantity(brake+".torque", own))
		return own, true
	}
	return 0, false
}

func (c *brakeDistribution) quantities(*System) []quantity { return c.published }
