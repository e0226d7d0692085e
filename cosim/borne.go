package cosim

import (
	"fmt"
	"math"
	"strings"

	"skidpad/model/plausible"
)

// mostMissed is the share of the load on the springs of an axle that their forces may miss at the start.
const mostMissed = 0.2

// leastFactor is the smallest share of the load with a factor of the forces in the warning.
const leastFactor = 0.1

// findAxles determines the axles of a car by points, and the variables for the accelerations of the chassis.
func (c *carrying) findAxles(s *System) {
	chassis, axles := plausible.DesignedAxles(s.model.Scope())
	for k, name := range []string{chassis + ".az", "der(" + chassis + ".wy)", "gravity_z"} {
		i, found := s.Find(name)
		if !found {
			return
		}
		c.lifts[k] = i
	}
	c.axles = axles
}

// borne warns at the start if the springs of an axle by points bear less or more than the chassis weighs there, while
// the tires have the right loads. The chassis then accelerates over the axle: at the usual distribution of its mass, an
// axle has no effect over another.
func (in notes) borne() []notice {
	c := in.sys.carrying
	if len(c.axles) == 0 {
		return nil
	}
	var values [3]float64
	for k, i := range c.lifts {
		var err error
		if values[k], err = in.Get(i); err != nil {
			return nil // Get returns this error to the caller who reads the load
		}
	}
	rise, pitch, gravity := values[0], values[1], math.Abs(values[2])
	var list []string
	for _, a := range c.axles {
		up := rise - pitch*a.Ahead
		share := 1 + up/gravity
		if math.Abs(share-1) <= mostMissed || math.IsNaN(share) {
			continue
		}
		more := "more force"
		if share > leastFactor {
			more = fmt.Sprintf("%.2g times their force", 1/share)
		}
		list = append(list, fmt.Sprintf("%s: at the start the springs of the axle with %s bear %.2g of the load on them, so "+
			"that the chassis accelerates there by %.3g m/s2, upward positive; give these springs %s in the design "+
			"position, by the load of their corners or free_length = { load = \"4 kN\" }, or let \"skidpad trim MODEL\" find "+
			"the position of rest", a.Place, strings.Join(a.Tires, ", "), share, up, more))
	}
	return warnings(loadsRule, list...)
}
