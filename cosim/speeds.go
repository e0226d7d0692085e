package cosim

import (
	"fmt"
	"math"
)

// speeds warns at the start if the vehicle is faster than vehicles of its kind drive: the speed may be meant in another
// unit.
func (in notes) speeds() []notice {
	c := in.sys.carrying
	c.Do(func() { c.find(in.sys) })
	for k, name := range c.reach.Bodies {
		square := 0.0
		for _, i := range c.speeds[k] {
			v, err := in.Get(i)
			if err != nil {
				return nil // reported to the caller who asks for the speed
			}
			square += v * v
		}
		if v := math.Sqrt(square); v > c.reach.Speed {
			return warnings(speedRule, fmt.Sprintf("%s: at the start it travels at %.4g m/s, which is %.0f km/h, %s; a speed "+
				"without a unit is in m/s: write the unit, as in \"72 km/h\", if another is meant", name, v, 3.6*v, c.reach.By))
		}
	}
	return nil
}
