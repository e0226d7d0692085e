package plausible

import (
	"math"

	"skidpad/model/component"
	"skidpad/model/graph"
)

// parallel is the least cosine between two axes that are one.
const parallel = 1 - 1e-9

// series: two joints along or about one axis in series have mass between them.
func (c *checker) series() {
	heavy := map[string]bool{}
	for _, h := range component.All[component.Heavy](c.scope) {
		heavy[h.Lump().Frame] = true
	}
	links := linksOf(c.scope.Graph(), c.values)
	for _, of := range component.All[component.Jointed](c.scope) {
		middle := of.Moves().To
		if heavy[middle] || len(links[middle]) != 2 || c.layout.poses[middle] == nil {
			continue
		}
		a, b := links[middle][0], links[middle][1]
		if a.name != of.Head().Name {
			a, b = b, a
		}
		slides, turns := free(a.translation) && free(b.translation), free(a.rotation) && free(b.rotation)
		if !slides && !turns {
			continue
		}
		first, second := a.translation.Space.Motion, b.translation.Space.Motion
		what := "slide along"
		if turns {
			first, second, what = a.rotation.Space.Motion, b.rotation.Space.Motion, "turn about"
		}
		_, u := c.axis(a, first)
		_, v := c.axis(b, second)
		if math.Abs(dot(u, v)) < parallel {
			continue
		}
		c.doubt(c.position(c.scope.Find(b.name),
			"axis"), "%s and %s %s one axis, and %s between them has no mass: its motion "+
			"is not determined, and the equations have no solution; leave one of the joints out, or give %[4]s a body",
			a.name, b.name, what, middle)
	}
}

// free reports whether an edge has a degree of freedom along or about an axis.
func free(e *graph.Edge) bool {
	return e != nil && e.Space.Motion != nil && !e.Space.Motion.Prescribed
}

// leastAcross is the y of the axis of a wheel, at least.
const leastAcross = 0.5

// across: wheels turn about axes that point across the vehicle.
func (c *checker) across() {
	for _, a := range c.scope.Axles() {
		for _, t := range c.tires {
			if t.Frame != a.Wheel.Frame || t.by == nil || t.by.name != a.Joint || t.by.rotation.Space.Motion == nil {
				continue
			}
			if _, u := c.axis(t.by, t.by.rotation.Space.Motion); math.Abs(u[1]) < leastAcross {
				c.doubt(c.position(c.scope.Find(a.Joint),
					"axis"), "the wheel %s turns about an axis that does not point across the "+
					"vehicle, [%.2g, %.2g, %.2g]: it slides where it should roll; the axis of a wheel is axis = \"y\"", t.name,
					u[0], u[1], u[2])
			}
		}
	}
}
