package plausible

import (
	"math"

	"skidpad/model/component"
	"skidpad/model/roles"
)

// abreast is by how much the wheels of an axle stand behind each other, at most [m].
const abreast = 0.3

// steered is a wheel turned by a motion driver, with the direction of the rotation.
type steered struct {
	tire
	driver component.Component
	left   bool // a positive angle turns the wheel to the left
}

// turning: wheels turn to one side, and each is given the kingpin of its own side.
func (c *checker) turning(r *roles.Roles) {
	for _, s := range component.All[*component.Steering](c.scope) {
		var wheels []steered
		for _, w := range s.Wheels {
			k, found := c.steeredBy(w.Driver)
			if !found {
				continue
			}
			if w.Angle != nil {
				_, slope, _ := w.Angle.At(0)
				k.left = k.left == (slope >= 0)
			}
			wheels = append(wheels, k)
			if y := w.Lateral.Value; math.Abs(y) > middle && math.Abs(k.at[1]) > middle && y*k.at[1] < 0 {
				c.doubt(w.Pos, "%s turns the wheel %s, which is at y = %.3g m, and has its kingpin on the other side, "+
					"lateral = %.3g: the inner wheel is steered less than the outer one; exchange left and right", w.Driver, k.name,
					k.at[1], y)
				return
			}
		}
		c.together(wheels)
	}
	if r == nil || r.Steering == nil || r.Steering.Wheel {
		return
	}
	var wheels []steered
	for _, name := range r.Steering.Drivers {
		if k, found := c.steeredBy(name); found {
			wheels = append(wheels, k)
		}
	}
	c.together(wheels)
}

// steeredBy is the wheel that a motion driver turns about an upright axis.
func (c *checker) steeredBy(driver string) (steered, bool) {
	for _, t := range c.tires {
		for _, p := range c.path(t) {
			if p.by.name != driver || p.by.rotation.Space.Motion == nil {
				continue
			}
			_, u := c.axis(p.by, p.by.rotation.Space.Motion)
			if p.back {
				u = scaled(u, -1)
			}
			return steered{t, c.scope.Find(driver), u[2] > 0}, math.Abs(u[2]) >= upright
		}
	}
	return steered{}, false
}

// together checks that the wheels of an axle turn the same way, and front wheels to the left for a positive angle.
func (c *checker) together(wheels []steered) {
	for i, w := range wheels {
		for _, other := range wheels[:i] {
			if math.Abs(w.at[0]-other.at[0]) < abreast && w.left != other.left {
				if other.left { // name the one that turns to the right
					other, w = w, other
				}
				c.doubt(c.position(other.driver, "axis"),
					"for one angle of the steering %s turns its wheel to the right and %s to "+
						"the left: let both axes point up, axis = \"z\", also of a mirrored corner", other.driver.Head().Name,
					w.driver.Head().Name)
				return
			}
		}
	}
	for _, w := range wheels {
		if !w.left && c.inFront(w.tire) {
			c.doubt(c.position(w.driver, "axis"), "a positive angle of the steering turns the front wheel %s to the right; "+
				"positive angles are to the left: let the axis of %s point up, axis = \"z\"", w.name, w.driver.Head().Name)
			return
		}
	}
}

// inFront reports whether no wheel is ahead of a tire.
func (c *checker) inFront(t tire) bool {
	for _, other := range c.tires {
		if other.at[0] > t.at[0]+abreast {
			return false
		}
	}
	return true
}
