package plausible

import (
	"math"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/roles"
)

// checker checks one model.
type checker struct {
	reader *keys.Reader
	doubts *document.Faults
	starts *document.Faults // doubts about the motion at the start
	values map[string]float64
	scope  *component.Scope
	layout *layout
	tires  []tire
	mass   float64 // of all bodies [kg]
	weight float64 // [N]
	wheels int     // number of wheels with tires, including tires at positions unknown to the layout
}

// tire is a tire whose position the layout has.
type tire struct {
	component.Wheel
	name string
	*pose
}

// Check records parts on the wrong side as errors in the reader, warnings about the file in doubts, and warnings about
// the motion at the start in starts. The start values in values, by name, replace the start values of the file. The
// motion at the start follows from the start values of the branches that trees select.
func Check(s *component.Scope, r *keys.Reader, gravity [3]keys.Scalar, vehicle *roles.Roles, trees graph.Selection,
	values map[string]float64, doubts, starts *document.Faults) {
	c := &checker{reader: r, doubts: doubts, starts: starts, values: values, scope: s, layout: layOut(s, values)}
	for _, w := range component.All[component.Wheeled](s) {
		if !w.Wheel().Tire {
			continue
		}
		c.wheels++
		if p := c.layout.poses[w.Wheel().Frame]; p != nil {
			c.tires = append(c.tires, tire{w.Wheel(), w.Head().Name, p})
		}
	}
	var heaviest component.Component
	most := -1.0
	for _, h := range component.All[component.Heavy](s) {
		m := h.Lump().Mass.Value
		if c.mass += m; m > most {
			heaviest, most = h, m
		}
	}
	g := vector{gravity[0].Value, gravity[1].Value, gravity[2].Value}
	c.weight = c.mass * math.Sqrt(dot(g, g))
	if g[2] > 0 {
		c.doubt(gravity[2].Pos, "gravity points up (z is %g): bodies fall upwards; z points up in every frame, so write "+
			"gravity = %g, or [%g, %g, %g]", g[2], g[2], g[0], g[1], -g[2])
	}
	c.inertias()
	c.series()
	if !c.chassis(vehicle, heaviest) {
		return // the layout begins at another body than the chassis
	}
	c.sides()
	c.angles()
	c.across()
	before := doubts.Len()
	c.axles(vehicle)
	c.mates(vehicle)
	ordered := doubts.Len() == before
	c.sizes(heaviest)
	c.tracks()
	c.steering()
	c.turning(vehicle)
	c.idle(vehicle)
	c.stated(vehicle)
	c.springs()
	c.bars()
	c.oneSided(vehicle)
	c.pulling()
	c.driving(vehicle)
	c.driveline()
	c.centre(ordered && vehicle != nil && len(vehicle.Axles) > 1, heaviest)
	if Carrying(s) != nil {
		c.tireRates()
		if start := c.start(trees); start != nil {
			c.doubts = c.starts
			c.heights(start)
			c.rolling(start)
		}
	}
}

// doubt records a warning about an implausible value.
func (c *checker) doubt(at keys.Position, format string, args ...any) {
	c.doubts.At(&document.Node{File: at.File, Line: max(at.Line, 1), Column: max(at.Column, 1), Origin: at.Origin},
		format, args...)
}

// position is the position of a key of a component in the file, or of the component if it does not have the key.
func (c *checker) position(of component.Component, key string) keys.Position {
	if n := c.reader.Root.Field("component").Field(of.Head().Name).Field(key); n != nil {
		return c.reader.Position(n)
	}
	return of.Head().Pos
}

// middle is the distance [m] up to which a part for one side may be beyond the middle of the vehicle.
const middle = 1e-3

// sides checks that a part for one side is not on the other side.
func (c *checker) sides() {
	for _, s := range component.All[component.Sided](c.scope) {
		frame, side := s.Side()
		p := c.layout.poses[frame]
		if p == nil || side == "" {
			continue
		}
		outward := 1.0
		if side == "right" {
			outward = -1
		}
		y := p.at[1]
		if _, guides := s.(component.Jointed); guides { // its outward direction is along the y axis of its frame
			outward *= math.Copysign(1, p.axes[1][1])
		}
		if y*outward >= -middle {
			continue
		}
		h := s.Head()
		// the message does not name the side: it is the same for mirrored instances with one fault, whose sides differ
		c.reader.Place(c.position(s, "side"),
			"%s is not on its side: its y is %.3g m, seen from %s, and positive y is left; "+
				"correct the position, or give it the side of this position", h.Name, y, c.layout.root)
	}
}

// Limits of cars. Values of lighter or wider ones are in another unit.
const (
	leastMass = 50.0 // kg
	mostTrack = 5.0  // m
)

// sizes checks that a vehicle on four tires or more is not as light as a toy, and not too wide for a tunnel.
func (c *checker) sizes(heaviest component.Component) {
	if len(c.tires) < 4 {
		return
	}
	if c.mass < leastMass {
		c.doubt(c.position(heaviest, "mass"), "the vehicle has a mass of %.3g kg in all, with %d wheels; a number "+
			"without a unit is in kg: write the unit, as in mass = \"1.2 t\", if another is meant", c.mass, len(c.tires))
	}
	left, right := c.tires[0], c.tires[0]
	for _, t := range c.tires {
		if t.at[1] > left.at[1] {
			left = t
		}
		if t.at[1] < right.at[1] {
			right = t
		}
	}
	if track := left.at[1] - right.at[1]; track > mostTrack {
		c.doubt(c.scope.Find(left.name).Head().Pos, "%s and %s are %.4g m apart, across the vehicle; a number without a "+
			"unit is in m: write the unit, as in half_track = \"760 mm\", if another is meant", left.name, right.name, track)
	}
}

// path lists the links from a wheel to the root.
func (c *checker) path(t tire) (links []*pose) {
	for p, frame := t.pose, ""; p.by != nil; p = c.layout.poses[frame] {
		links = append(links, p)
		if frame = p.by.from; p.back {
			frame = p.by.to
		}
	}
	return links
}

// axis returns a point on the axis of a link's motion, and the direction of the axis, in axes of the root.
func (c *checker) axis(k *link, m *graph.Motion) (at, u vector) {
	tail := c.layout.poses[k.from]
	return c.layout.poses[k.to].at, tail.axes.of(m.Axis)
}

// Limits of steering axes.
const (
	upright  = 0.7   // least z of the unit vector along a steering axis
	leaning  = 0.005 // x for z = 1 above which the axis leans forward, 0.3 degrees
	trailing = 1e-3  // m, distance from the wheel back to the axis on the road, above which the wheel leads
)

// steering checks that a steered wheel trails its steering axis.
func (c *checker) steering() {
	for _, t := range c.tires {
		for _, p := range c.path(t) {
			m := p.by.rotation.Space.Motion
			if m == nil || !m.Prescribed {
				continue
			}
			at, u := c.axis(p.by, m)
			if math.Abs(u[2]) < upright {
				continue
			}
			u = scaled(u, 1/u[2])
			of, radius := c.scope.Find(p.by.name), t.Radius.Value
			ground := add(at, scaled(u, t.at[2]-radius-at[2]))
			trail := ground[0] - t.at[0]
			if math.Abs(trail) > radius {
				continue // the driver steers a part of the vehicle, not only the wheel
			}
			if u[0] > leaning {
				c.doubt(c.position(of, "axis"), "the steering axis of %s leans forward (castor %.2g deg): the wheel %s leads and "+
					"does not centre itself; let its top lean rearward, axis = [-0.1, 0, 1]", p.by.name,
					-math.Atan(u[0])*180/math.Pi, t.name)
			} else if trail < -trailing {
				c.doubt(of.Head().Pos, "the steering axis of %s meets the road %.3g m behind the wheel %s, which leads and does "+
					"not centre itself; move the axis forward, or let its top lean rearward", p.by.name, -trail, t.name)
			}
		}
	}
}
