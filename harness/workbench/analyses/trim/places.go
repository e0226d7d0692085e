package trim

import (
	"cmp"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/graph"
	"skidpad/model/keys"
	"skidpad/model/vehicle"
)

// startKey is the key of a component that gives start values.
type startKey struct {
	component string
	path      []string      // of the key within the component
	list      bool          // a vector
	names     []string      // of the variables, one or three
	values    []keys.Scalar // of the file
	// The start values of the library are differences from the design position; so are all of the component in the
	// file, or all are missing.
	relative, allRelative bool
	saysRelative          bool   // so the file says
	raw                   string // the value as text, of a key that is not a number
}

// collector gathers places in the order of the components.
type collector struct {
	list     []startKey
	absolute map[string]bool // components with a start in ground
}

func (c *collector) one(component string, x graph.Coordinate, path ...string) {
	c.list = append(c.list, startKey{component: component, path: path, names: []string{x.Name},
		values: []keys.Scalar{x.Start}})
}

func (c *collector) three(component string, free *graph.Free, x [3]graph.Coordinate, path ...string) {
	p := startKey{component: component, path: path, list: true}
	for _, of := range x {
		p.names, p.values = append(p.names, of.Name), append(p.values, of.Start)
		missing := of.Start.Pos.Line == 0 || of.Start.Default
		p.saysRelative = free.Design != nil && free.Design.Relative
		p.relative = p.saysRelative || free.Design != nil && missing
		if !p.relative {
			c.absolute[component] = true
		}
	}
	c.list = append(c.list, p)
}

// places lists all keys of a model that give start values.
func places(m *vehicle.Model) []startKey {
	c, g := &collector{absolute: map[string]bool{}}, m.Graph()
	for i := range g.Edges {
		e := &g.Edges[i]
		name, s := e.Owner.Name, e.Space
		switch {
		case s.Free != nil && e.Domain == graph.Translation:
			c.three(name, s.Free, s.Free.Coordinates, "start", "position")
			c.three(name, s.Free, s.Free.Starts.Of, "start", "velocity")
		case s.Free != nil:
			c.three(name, s.Free, s.Free.Coordinates, "start", "angles")
			c.three(name, s.Free, s.Free.Starts.Of, "start", "angular_velocity")
		case s.Guide != nil && e.Domain == graph.Translation:
			c.motion(name, s.Guide.Coordinate, s.Guide.Speed)
		case s.Motion != nil && !s.Motion.Prescribed:
			c.motion(name, s.Motion.Coordinate, s.Motion.Speed)
		case e.Leads():
			owner, _, _ := strings.Cut(s.Motion.Lead.Coordinate.Name, ".")
			c.one(owner, s.Motion.Lead.Coordinate, "hand_wheel", "angle")
			c.one(owner, s.Motion.Lead.Speed, "hand_wheel", "rate")
		}
	}
	c.networks(m)
	for _, of := range m.Components {
		if t, is := of.(*component.Tire); is && t.Slip.Delayed {
			c.slip(t)
		}
	}
	for i := range c.list {
		c.list[i].allRelative = c.list[i].relative && !c.absolute[c.list[i].component]
	}
	return c.list
}

// networks collects the starts of capacities and inductances that have a key of their own in the file.
func (c *collector) networks(m *vehicle.Model) {
	for _, e := range m.Graph().Scalars {
		if e.Kind != graph.Capacity && e.Kind != graph.Inductance {
			continue
		}
		key, _ := e.Domain.Potential()
		if e.Kind == graph.Inductance {
			key, _ = e.Domain.Flow()
		}
		key = cmp.Or(e.State, key)
		if !startsWith(e.Owner.Type, key) {
			continue
		}
		start := keys.Zero()
		if e.Start != nil {
			start = *e.Start
		}
		c.one(e.Owner.Name, graph.Coordinate{Name: e.Owner.Name + "." + key, Start: start}, "start", key)
	}
}

// startsWith reports whether components of a type have a key in their table start.
func startsWith(word, key string) bool {
	for _, t := range component.Types {
		if t.Word != word {
			continue
		}
		for _, k := range t.Keys {
			if k.Name == "start" {
				return slices.ContainsFunc(k.Keys, func(k keys.Key) bool { return k.Name == key })
			}
		}
	}
	return false
}

// motion collects the start values of a joint; the keys are named like its variables.
func (c *collector) motion(name string, coordinate, speed graph.Coordinate) {
	for _, x := range []graph.Coordinate{coordinate, speed} {
		c.one(name, x, "start", strings.TrimPrefix(x.Name, name+"."))
	}
}

func (c *collector) slip(t *component.Tire) {
	for i, start := range []keys.Scalar{t.Slip.Q1, t.Slip.Q2, t.Slip.Q3} {
		key := [...]string{"q1", "q2", "q3"}[i]
		c.one(t.Name, graph.Coordinate{Name: t.Name + "." + key, Start: start}, "slip", key)
	}
}
