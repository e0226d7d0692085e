package plausible

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"skidpad/model/component"
	"skidpad/model/keys"
	"skidpad/model/roles"
)

// mirrored is by how much the places of the wheels of an axle may differ, seen in a mirror [m].
const mirrored = 0.05

// mate is the tire on the other side of the vehicle, at the same place; one in the middle is its own.
func (c *checker) mate(t tire) (tire, bool) {
	k := slices.IndexFunc(c.tires, func(o tire) bool {
		return math.Abs(o.at[0]-t.at[0]) < mirrored && math.Abs(o.at[1]+t.at[1]) < mirrored
	})
	if k < 0 {
		return tire{}, false
	}
	return c.tires[k], true
}

// oneSided checks that a part on one side of an axle has a counterpart on the other side.
func (c *checker) oneSided(r *roles.Roles) {
	c.brakedSides(r)
	c.steeredSides()
	c.barSides()
	c.tireSides()
}

// brakedSides warns of a distribution that brakes one wheel of an axle while nothing brakes the other wheel.
func (c *checker) brakedSides(r *roles.Roles) {
	braked := map[string]keys.Position{} // by tire
	note := func(brake string, at keys.Position) {
		if b, is := component.Named[*component.TorqueDriver](c.scope, brake); is {
			for _, t := range c.tires {
				if t.Frame == b.To || t.Frame == b.From {
					braked[t.name] = at
				}
			}
		}
	}
	for _, d := range component.All[*component.BrakeDistribution](c.scope) {
		for _, a := range d.Acts() {
			note(a.On, a.Pos)
		}
	}
	if r != nil {
		for _, set := range r.Brake {
			for _, input := range set.Inputs {
				owner, _, _ := strings.Cut(input, ".")
				note(owner, c.roleOf(r, input))
			}
		}
	}
	for _, t := range c.tires {
		at, is := braked[t.name]
		if mate, has := c.mate(t); is && has {
			if _, too := braked[mate.name]; !too {
				c.doubt(at, "the brakes slow down %s and not %s, the other wheel of the axle: the vehicle pulls to one side; name "+
					"the brakes of both", t.name, mate.name)
			}
		}
	}
}

// steeredSides warns of a steering that turns one wheel of an axle while nothing turns the other wheel to the side.
func (c *checker) steeredSides() {
	for _, s := range component.All[*component.Steering](c.scope) {
		for _, w := range s.Wheels {
			k, found := c.steeredBy(w.Driver)
			if !found {
				continue
			}
			if mate, has := c.mate(k.tire); has && !c.turnsAside(mate) {
				c.doubt(w.Pos, "%s turns the wheel %s, and nothing turns %s, the other wheel of the axle; name its motion "+
					"driver in wheels, too, with an upright axis, axis = \"z\"", s.Name, k.name, mate.name)
			}
		}
	}
}

// turnsAside reports whether a joint on the way to a wheel turns it about an upright axis.
func (c *checker) turnsAside(t tire) bool {
	return slices.ContainsFunc(c.path(t), func(p *pose) bool {
		m := p.by.rotation.Space.Motion
		if m == nil {
			return false
		}
		_, u := c.axis(p.by, m)
		driven := !m.Prescribed || slices.ContainsFunc(component.All[*component.Steering](c.scope),
			func(s *component.Steering) bool {
				return slices.ContainsFunc(s.Wheels, func(w component.SteeredWheel) bool { return w.Driver == p.by.name })
			})
		return driven && math.Abs(u[2]) >= upright
	})
}

// barSides doubts an anti-roll bar between a joint of one axle and one of another, on the other side.
func (c *checker) barSides() {
	for _, bar := range component.All[*component.AntiRollBar](c.scope) {
		left, right := c.carried(bar.Left), c.carried(bar.Right)
		for _, l := range left {
			for _, r := range right {
				if math.Abs(l.at[0]-r.at[0]) > abreast && l.at[1]*r.at[1] < 0 {
					c.doubt(c.position(bar, "right"), "the anti-roll bar %s joins the wheel %s of one axle to %s of another, on "+
						"the other side; name the joints of one axle", bar.Name, l.name, r.name)
					return
				}
			}
		}
	}
}

// carried are the tires beyond a joint.
func (c *checker) carried(joint string) (list []tire) {
	for _, t := range c.tires {
		if slices.ContainsFunc(c.path(t), func(p *pose) bool { return p.by.name == joint }) {
			list = append(list, t)
		}
	}
	return list
}

// tireSides warns of a tire that differs from its mate, if the tires of all other axles are equal.
func (c *checker) tireSides() {
	var odd []string
	at := keys.Position{}
	for i, t := range c.tires {
		mate, has := c.mate(t)
		if !has || slices.ContainsFunc(c.tires[:i], func(o tire) bool { return o.name == mate.name }) {
			continue
		}
		one, is := component.Named[*component.Tire](c.scope, t.name)
		other, too := component.Named[*component.Tire](c.scope, mate.name)
		if !is || !too {
			return
		}
		if key, differs := difference(one, other); differs {
			at = c.position(other, key)
			odd = append(odd, fmt.Sprintf("%s and %s, the wheels of one axle, have not the same %s", one.Name, other.Name, key))
		}
	}
	if len(odd) == 1 {
		c.doubt(at, "%s, while the tires of other axles are equal: the vehicle pulls to one side; give both the same", odd[0])
	}
}

// difference is the key with different values in two tires.
func difference(a, b *component.Tire) (key string, differs bool) {
	switch {
	case a.Mass.Value != b.Mass.Value:
		return "mass", true
	case a.UnloadedRadius.Value != b.UnloadedRadius.Value:
		return "unloaded_radius", true
	case a.VerticalStiffness.Value != b.VerticalStiffness.Value:
		return "vertical_stiffness", true
	}
	// A mirrored tire has some coefficients with the other sign, and its side behind the coefficients. Coefficients that
	// the file lacks are NaN.
	same := func(x, y float64) bool { return math.Abs(x) == math.Abs(y) || math.IsNaN(x) && math.IsNaN(y) }
	n := min(len(a.Force.Parameters), len(b.Force.Parameters))
	return "force", !slices.EqualFunc(a.Force.Parameters[:n], b.Force.Parameters[:n], same)
}
