package reference

import (
	"fmt"
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
	if g.TakesTime {
		return fmt.Errorf("%s has a shift_time, which the reference solver does not have; leave it out", g.Name)
	}
	s.loads = append(s.loads, g)
	s.spin(g.Spinning, g.to, 1)
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
	turning := g.ratio * g.to.speed(s)
	drag := dragOfGears(g.torque, turning, g.SlidingSpeed.Value, g.efficiency(s.inputs.values[g.controls]))
	g.drive, g.loss = g.ratio*(g.torque-drag), g.torque*g.slip+drag*turning
	g.drive = behindJoints(g.drive, g.to.speed(s), g.SlidingSpeed.Value, g.JointEfficiency.Value, &g.loss)
	g.from.turn(s, -g.torque)
	g.to.turn(s, g.drive)
}

// efficiency is the efficiency of the engaged gear.
func (g *gearbox) efficiency(gear float64) float64 {
	switch ratio := g.engaged(gear); {
	case ratio < 0:
		return g.ReverseEfficiency.Value
	case ratio > 0 && len(g.Efficiencies) > 0:
		number := int(math.Ceil(gear - 0.5))
		return g.Efficiencies[min(number, len(g.Efficiencies))-1].Value
	}
	return 1
}

// dragOfGears is the torque that gears of an efficiency take: of the power of the side that drives, the share 1 -
// efficiency, less where they hardly turn.
func dragOfGears(torque, speed, sliding, efficiency float64) float64 {
	power := math.Abs(torque * speed)
	lost := (1 - efficiency) * power
	if torque*speed < 0 { // the output gives power/efficiency
		lost /= efficiency
	}
	if speed == 0 {
		return 0
	}
	return lost / speed * math.Tanh(math.Abs(speed)/sliding)
}

// behindJoints returns the torque behind joints of an efficiency and adds their power loss to loss.
func behindJoints(torque, speed, sliding, efficiency float64, loss *float64) float64 {
	drag := dragOfGears(torque, speed, sliding, efficiency)
	*loss += drag * speed
	return torque - drag
}

func (g *gearbox) touches() []int { return slices.Concat(g.from.parts(), g.to.parts()) }

func (g *gearbox) quantities(*System) []quantity {
	return []quantity{
		number(g.Name+".ratio", &g.ratio), number(g.Name+".slip", &g.slip),
		number(g.Name+".clutch_torque", &g.torque), number(g.Name+".torque", &g.drive),
		number(g.Name+".loss", &g.loss),
	}
}
