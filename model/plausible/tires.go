package plausible

import "skidpad/model/component"

// Of the deflection of tires under an even share of the weight, by their radius.
const (
	mostDeflected  = 0.5
	leastDeflected = 2e-4
)

// tireRates: the stiffness of a tire is not that of another unit.
func (c *checker) tireRates() {
	share := c.weight / float64(c.wheels)
	for _, t := range component.All[*component.Tire](c.scope) {
		rate, radius := t.VerticalStiffness.Value, t.UnloadedRadius.Value
		if rate <= 0 || share == 0 {
			continue
		}
		if of := share / rate / radius; of > mostDeflected || of < leastDeflected {
			c.doubt(c.position(t, "vertical_stiffness"), "the tire %s deflects by %.2g m under an even share of the weight "+
				"(%.3g N), of a radius of %.3g m; check the unit of its vertical_stiffness; 200 N/mm are 200000 "+
				"N/m", t.Name, share/rate, share, radius)
		}
	}
}
