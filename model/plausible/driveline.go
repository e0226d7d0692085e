package plausible

import (
	"cmp"
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// power follows a torque through the driveline to the wheels.
type power struct {
	*checker
	driven map[string]bool // tires that it reaches
	passed map[string]bool // components
}

// follow goes on from a component. It returns false if the driven component is unknown.
func (f power) follow(name string) bool {
	if f.passed[name] {
		return true
	}
	f.passed[name] = true
	switch x := f.scope.Find(name).(type) {
	case *component.TorqueDriver:
		return x.Brake || f.turn(x.To) || f.turn(x.From)
	case component.Acting:
		known := true
		for _, a := range x.Acts() {
			if a.Part == component.Powered {
				known = f.follow(a.On) && known
			}
		}
		return known
	case component.Jointed:
		if f.turn(x.Moves().To) {
			return true
		}
		clutched := false
		for _, next := range component.All[component.Acting](f.scope) {
			if slices.ContainsFunc(next.Acts(), func(a component.Act) bool {
				return a.On == name && a.Part == component.Coupled
			}) {
				clutched = f.follow(next.Head().Name)
			}
		}
		return clutched
	}
	return false
}

// turn notes the tire whose wheel is a frame.
func (f power) turn(frame string) bool {
	for _, t := range f.tires {
		if t.Frame == frame {
			f.driven[t.name] = true
			return true
		}
	}
	return false
}

// driveline checks that the carrier of an engine or a differential is between the driven wheels and their part of the
// vehicle.
func (c *checker) driveline() {
	for _, a := range component.All[component.Acting](c.scope) {
		f := power{c, map[string]bool{}, map[string]bool{}}
		if !slices.ContainsFunc(a.Acts(), func(x component.Act) bool { return x.Part == component.Powered }) ||
			!f.follow(a.Head().Name) || len(f.driven) == 0 {
			continue
		}
		for _, frame := range a.Frames().Uses {
			c.carrier(a, frame, f.driven)
		}
	}
}

// carrier warns of a frame that carries the drive of some tires.
func (c *checker) carrier(of component.Component, frame string, driven map[string]bool) {
	name, at := of.Head().Name, c.naming(of, frame)
	for _, t := range c.tires {
		if t.Road == frame || frame == graph.GroundFrame {
			c.doubt(at, "%s is carried by %q, which is the road; name the body or axle that carries it", name, frame)
			return
		}
	}
	if c.layout.poses[frame] == nil {
		return // rods or springs hold it
	}
	chain, mine := c.towards(frame), c.hinge(frame)
	separate, last := true, tire{}
	for _, t := range c.tires {
		if !driven[t.name] {
			continue
		}
		separate = separate && c.hinge(t.Frame) != mine
		own := c.towards(t.Frame)
		for _, x := range chain { // up to the carrier of a wheel
			if slices.Contains(own, x) {
				break
			}
			if k := slices.IndexFunc(c.tires, func(o tire) bool { return slices.Contains(c.towards(o.Frame), x) }); k >= 0 &&
				c.hinge(t.Frame) == mine {
				c.doubt(at, "%s is carried by %q, which belongs to the wheel %s and not to %s, which it drives; name the body, "+
					"or the axle of the driven wheels", name, frame, c.tires[k].name, t.name)
				return
			}
		}
		last = t
	}
	if separate {
		c.doubt(at, "%s is carried by %q, which %s joins to the part of the vehicle with the wheel %s, which it "+
			"drives; name "+
			"a body or an axle of that part", name, frame, cmp.Or(mine, c.hinge(last.Frame)), last.name)
	}
}

// hinge is the joint, about which units of a vehicle yaw, that comes first on the way from a frame to the root; "" for
// none. Two wheels at least are on its side.
func (c *checker) hinge(frame string) string {
	for p := c.layout.poses[frame]; p != nil && p.by != nil; {
		m := p.by.rotation.Space.Motion
		if m != nil && !m.Prescribed {
			beyond := 0
			for _, t := range c.tires {
				if slices.ContainsFunc(c.path(t), func(o *pose) bool { return o == p }) {
					beyond++
				}
			}
			if _, u := c.axis(p.by, m); math.Abs(u[2]) > upright && beyond > 1 {
				return p.by.name
			}
		}
		next := p.by.from
		if p.back {
			next = p.by.to
		}
		p = c.layout.poses[next]
	}
	return ""
}

// naming is where a component names a frame that carries a part of it.
func (c *checker) naming(of component.Component, frame string) keys.Position {
	table := c.reader.Root.Field("component").Field(of.Head().Name)
	for _, key := range []string{"housing", "frame"} {
		if n := table.Field(key); n != nil && n.Text == frame {
			return c.reader.Position(n)
		}
	}
	return of.Head().Pos
}

// towards lists the frames from one to the root, both with it.
func (c *checker) towards(frame string) []string {
	list := []string{frame}
	for p := c.layout.poses[frame]; p != nil && p.by != nil; p = c.layout.poses[frame] {
		if frame = p.by.from; p.back {
			frame = p.by.to
		}
		list = append(list, frame)
	}
	return list
}
