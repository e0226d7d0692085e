package reference

import (
	"math"
	"slices"

	"skidpad/model/component"
)

// gearbox is a clutch before a pair of wheels of the gear that is engaged.
type gearbox struct {
	*component.Gearbox
	from                       *halfShaft
	to                         output
	controls                   int // input of gear and clutch
	ratio, slip, torque, drive float64
	loss                       float64
}

func init() { know("gearbox", func(c *component.Gearbox) element { return &gearbox{Gearbox: c} }) }

func (g *gearbox) add(s *System) error {
	g.from, g.to = s.output(g.Input, "").(*halfShaft), s.output(g.Drives, "")
	g.controls = s.input(g.Name+".gear", g.Name+".clutch")
	s.inputs.values[g.controls+1] = 1
	s.loads = append(s.loads, g)
	return nil
}

// engaged is the ratio of the gear nearest to what is asked for, 0 for none; the lower one of two.
func (g *gearbox) engaged(gear float64) float64 {
	number := int(math.Copysign(math.Ceil(math.Abs(gear)-0.5), gear))
	switch {
	case number > 0:
		return g.Ratios[min(number, len(g.Ratios))-1].Value
	case number < 0 && g.HasReverse:
		return -g.Reverse.Value
	}
	return 0
}

func (g *gearbox) apply(s *System, _ []float64) {
	g.ratio, g.slip, g.torque = g.engaged(s.inputs.values[g.controls]), 0, 0
	if g.ratio != 0 {
		g.slip = g.from.speed(s) - g.ratio*g.to.speed(s)
		closed := min(max(s.inputs.values[g.controls+1], 0), 1)
		g.torque = g.Capacity.Value * closed * math.Tanh(g.slip/g.SlidingSpeed.Value)
	}
	g.drive, g.loss = g.ratio*g.torque, g.torque*g.slip
	g.from.turn(s, -g.torque)
	g.to.turn(s, g.drive)
}

func (g *gearbox) touches() []int { return slices.Concat(g.from.parts(), g.to.parts()) }

func (g *gearbox) quantities(*System) []quantity {
	return []quantity{
		number(g.Name+".ratio", &g.ratio), number(g.Name+".slip", &g.slip),
		number(g.Name+".clutch_torque", &g.torque), number(g.Name+".torque", &g.drive),
		number(g.Name+".loss", &g.loss),
	}
}
