package cosim

import (
	"fmt"
	"strings"
	"sync"

	"skidpad/model/plausible"
)

// Of what the tires carry at the start, by their even share of the weight.
const (
	leastCarried = 0.2 // one of four then carries 5 % of the weight
	leastInAll   = 0.8
	mostInAll    = 1.2
)

// carrying is which tires carry the vehicle, found out at the first start.
type carrying struct {
	sync.Once
	tires  []string
	places []string // in the model file
	loads  []int    // the variables of their loads, nil where one has none
	reach  plausible.Reach
	speeds [][]int // the variables of the velocity of each body of reach, as far as there are some
}

// find looks for them.
func (c *carrying) find(s *System) {
	scope := s.model.Scope()
	c.reach = plausible.ReachOf(scope)
	c.speeds = make([][]int, len(c.reach.Bodies))
	for k, name := range c.reach.Bodies {
		for _, axis := range []string{"vx", "vy", "vz"} {
			if i, found := s.Find(name + "." + axis); found {
				c.speeds[k] = append(c.speeds[k], i)
			}
		}
	}
	for _, t := range plausible.Carrying(scope) {
		c.tires = append(c.tires, t.Name)
		c.places = append(c.places, fmt.Sprintf("%s:%d:%d", t.Pos.File, t.Pos.Line, t.Pos.Column))
	}
	for _, t := range c.tires {
		i, found := s.Find(t + ".Fz")
		if !found {
			c.tires, c.loads = nil, nil
			return
		}
		c.loads = append(c.loads, i)
	}
}

// loadWarnings says at the start that the tires do not carry the vehicle: it will fall or jump.
func (in *Instance) loadWarnings() []string {
	c := in.sys.carrying
	c.Do(func() { c.find(in.sys) })
	if len(c.loads) == 0 {
		return nil
	}
	share := in.evenShare()
	if !(share > 0) {
		return nil
	}
	var light []string
	sum := 0.0
	for k, i := range c.loads {
		load, err := in.Get(i)
		if err != nil {
			return nil // said by who asks for it
		}
		if sum += load; load < leastCarried*share {
			light = append(light, fmt.Sprintf("%s %.0f N", c.tires[k], load))
		}
	}
	of, problem := sum/(share*float64(len(c.loads))), ""
	switch {
	case of < leastInAll || of > mostInAll:
		problem = fmt.Sprintf("the tires carry %.0f N in all, %.2g of the weight", sum, of)
	case len(light) > 0:
		problem = fmt.Sprintf("tires carry too little of an even share of %.0f N: %s", share, strings.Join(light, ", "))
	default:
		return nil
	}
	return warnings([]string{fmt.Sprintf("%s: at the start %s: the vehicle falls or jumps; \"skidpad trim MODEL\" "+
		"writes start values of rest or steady driving", c.places[0], problem)})
}
