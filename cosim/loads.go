package cosim

import (
	"fmt"
	"strings"
	"sync"

	"skidpad/model"
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
	tires []string
	place string // in the model file, of the first of them
	reach plausible.Reach
}

// find looks for them.
func (c *carrying) find(m *model.Model) {
	c.reach = plausible.ReachOf(m.Scope())
	for _, t := range plausible.Carrying(m.Scope()) {
		if c.tires = append(c.tires, t.Name); c.place == "" {
			c.place = fmt.Sprintf("%s:%d:%d", t.Pos.File, t.Pos.Line, t.Pos.Column)
		}
	}
}

// loadWarnings says at the start that the tires do not carry the vehicle: it will fall or jump.
func (in *Instance) loadWarnings() []string {
	c := in.sys.carrying
	c.Do(func() { c.find(in.sys.model) })
	tires := c.tires
	if len(tires) == 0 {
		return nil
	}
	share := in.evenShare()
	if !(share > 0) {
		return nil
	}
	var light []string
	sum := 0.0
	for _, t := range tires {
		i, found := in.sys.Find(t + ".Fz")
		if !found {
			return nil
		}
		load, err := in.Get(i)
		if err != nil {
			return nil // said by who asks for it
		}
		if sum += load; load < leastCarried*share {
			light = append(light, fmt.Sprintf("%s %.0f N", t, load))
		}
	}
	of, problem := sum/(share*float64(len(tires))), ""
	switch {
	case of < leastInAll || of > mostInAll:
		problem = fmt.Sprintf("the tires carry %.0f N in all, %.2g of the weight", sum, of)
	case len(light) > 0:
		problem = fmt.Sprintf("tires carry too little of an even share of %.0f N: %s", share, strings.Join(light, ", "))
	default:
		return nil
	}
	return warnings([]string{fmt.Sprintf("%s: at the start %s: the vehicle falls or jumps; \"skidpad trim MODEL\" "+
		"writes start values of rest or steady driving", c.place, problem)})
}
