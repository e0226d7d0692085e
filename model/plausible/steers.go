package plausible

import (
	"math"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/graph"
	"skidpad/model/roles"
)

// leastUpright is the z of a steering axis, at least.
const leastUpright = 0.5

// idle: the steering of the roles moves a wheel.
func (c *checker) idle(r *roles.Roles) {
	if r == nil || r.Steering == nil || len(c.tires) == 0 {
		return
	}
	var drivers []string
	for _, name := range r.Steering.Drivers {
		if c.guides(name) {
			return
		}
		if s, is := component.Named[*component.Steering](c.scope, name); is {
			for _, w := range s.Wheels {
				drivers = append(drivers, w.Driver)
			}
			continue
		}
		drivers = append(drivers, name)
	}
	if len(drivers) == 0 {
		return
	}
	if slices.ContainsFunc(drivers, c.moves) {
		c.lying(drivers)
		return
	}
	n := r.Table.Field("steering")
	c.doubts.At(n, "roles.steering moves no wheel: no wheel is carried by %s; name what turns the wheel carriers, or "+
		"let %[1]s join them to the body", strings.Join(drivers, ", "))
}

// lying: a steering axis is not one that lies.
func (c *checker) lying(drivers []string) {
	for _, t := range c.tires {
		for _, p := range c.path(t) {
			m := p.by.rotation.Space.Motion
			if m == nil || !slices.Contains(drivers, p.by.name) {
				continue
			}
			if _, u := c.axis(p.by, m); math.Abs(u[2]) < leastUpright {
				c.doubt(c.position(c.scope.Find(p.by.name),
					"axis"), "%s steers the wheel %s about an axis that lies, z is %.2g; a "+
					"steering axis is upright, axis = \"z\"", p.by.name, t.name, u[2])
				return
			}
		}
	}
}

// moves reports whether a component can move a wheel against the vehicle: wheels are on both of its sides, or its sides
// are joined by others too.
func (c *checker) moves(name string) bool {
	g := c.scope.Graph()
	own := func(e graph.Edge) bool { return e.Owner.Name == name }
	i := slices.IndexFunc(g.Edges, own)
	if i < 0 {
		return true // a formula may name it
	}
	head := joined(g, g.Edges[i].To, own)
	if head[g.Edges[i].From] {
		return true
	}
	on := func(t tire) bool { return head[t.Frame] }
	return slices.ContainsFunc(c.tires, on) && !all(c.tires, on)
}

// guides reports whether a suspension moves with a component by its surfaces.
func (c *checker) guides(name string) bool {
	return slices.ContainsFunc(component.All[*component.Suspension](c.scope), func(s *component.Suspension) bool {
		return s.Steered && s.Second == name
	})
}

// joined are the frames that anything but the ground joins to a frame, without edges that are cut.
func joined(g *graph.Graph, frame string, cut func(graph.Edge) bool) map[string]bool {
	reached := map[string]bool{frame: true}
	for frames := []string{frame}; len(frames) > 0; frames = frames[1:] {
		for _, e := range g.Edges {
			if cut(e) {
				continue
			}
			for _, pair := range [][2]string{{e.From, e.To}, {e.To, e.From}} {
				if pair[0] == frames[0] && !reached[pair[1]] && pair[1] != graph.GroundFrame {
					reached[pair[1]] = true
					frames = append(frames, pair[1])
				}
			}
		}
	}
	return reached
}

func all[T any](list []T, fits func(T) bool) bool {
	return !slices.ContainsFunc(list, func(x T) bool { return !fits(x) })
}
