package plausible

import (
	"math"

	"skidpad/model/keys"
	"skidpad/model/roles"
)

// mates checks that only vehicles with one track have axles with one tire, and that no tire is in the axles twice.
func (c *checker) mates(r *roles.Roles) {
	if r == nil {
		return
	}
	listed := map[string]bool{}
	for i := range r.Axles {
		for _, w := range r.Axles[i].Wheels() {
			if listed[w.Tire] {
				at := keys.Position{}
				for _, n := range r.Names {
					if n.Name == w.Tire {
						at = c.reader.Position(n.At)
					}
				}
				c.doubt(at, "the roles list the tire %s twice, the second time in axle %d: each tire is once in "+
					"the axles; name the other one", w.Tire, i+1)
				return
			}
			listed[w.Tire] = true
		}
	}
	for i := range r.Axles {
		wheels := r.Axles[i].Wheels()
		if len(wheels) != 1 {
			continue
		}
		for _, one := range c.places(wheels) {
			for _, other := range c.tires {
				if other.name != one.name && math.Abs(one.at[0]-other.at[0]) < abreast {
					c.doubt(c.roleOf(r, one.name), "axle %d lists %s alone, and %s is beside it: an axle has both, [\"LEFT\", "+
						"\"RIGHT\"], from the left", i+1, one.name, other.name)
				}
			}
		}
	}
}
