package plausible

import (
	"slices"

	"skidpad/model/keys"
	"skidpad/model/roles"
)

// behind is by how much an axle stands behind the one before it, at least [m].
const behind = 0.05

// axles checks that the axles of the roles stand from the front, and their wheels from the left.
func (c *checker) axles(r *roles.Roles) {
	before := 0.0
	for i := range r.Axles {
		a := &r.Axles[i]
		left, right := c.places(a.Left), c.places(a.Right)
		both := slices.Concat(left, right)
		if len(both) == 0 {
			return // joints do not lead there
		}
		at := c.roleOf(r, both[0].name)
		for _, l := range left {
			for _, r := range right {
				if l.at[1] < r.at[1] {
					c.doubt(at, "axle %d lists %s at the left, and it stands at the right of %s (y is %.3g and %.3g m); "+
						"each axle is listed from the left, and positive y is left", i+1, l.name, r.name, l.at[1], r.at[1])
					return
				}
			}
		}
		x := 0.0
		for _, t := range both {
			x += t.at[0] / float64(len(both))
		}
		if i > 0 && x > before-behind {
			c.doubt(at, "axle %d with %s stands at x = %.3g m, not behind axle %d at %.3g m; axles are listed from the "+
				"front, and positive x is forward: look for a sign", i+1, both[0].name, x, i, before)
			return
		}
		before = x
	}
}

// places are the tires of wheels that the layout holds.
func (c *checker) places(wheels []roles.Wheel) (list []tire) {
	for _, w := range wheels {
		if k := slices.IndexFunc(c.tires, func(t tire) bool { return t.name == w.Tire }); k >= 0 {
			list = append(list, c.tires[k])
		}
	}
	return list
}

// roleOf is where the roles name a tire.
func (c *checker) roleOf(r *roles.Roles, name string) keys.Position {
	for _, n := range r.Names {
		if n.Name == name {
			return c.reader.Position(n.At)
		}
	}
	return keys.Position{}
}
