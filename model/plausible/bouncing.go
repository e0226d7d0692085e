package plausible

import (
	"maps"
	"math"
	"slices"

	"skidpad/model/component"
	"skidpad/model/graph"
)

// meantDamped is the damping of a corner that a remedy names, times critical.
const meantDamped = 0.3

// undamped doubts a joint of wheels on springs that nothing damps.
func (c *checker) undamped(s *sprung, critical float64) {
	if s.damps || s.tilts || s.stiffness <= 0 || c.spanned(s.travel) {
		return
	}
	c.doubt(c.position(s.first, "damping"), "nothing damps %s, on which a spring acts: its corner swings on and on; give "+
		"damping = %.2g, which is %.1g times the critical one, or the damper of the corner", s.joint, meantDamped*critical,
		meantDamped)
}

// unsprung warns of a joint that lets wheels slide up and down without a spring.
func (c *checker) unsprung(travels map[string]*travel, list []*sprung) {
	if Carrying(c.scope) == nil {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(travels)) {
		t := travels[name]
		if t.turns || math.Abs(t.lift) < leastLift || c.spanned(t) ||
			slices.ContainsFunc(list, func(s *sprung) bool { return s.joint == name && s.stiffness > 0 }) {
			continue
		}
		c.doubt(c.scope.Find(name).Head().Pos, "no spring acts on %s, along which wheels move up and down: the vehicle "+
			"sinks; give it a spring-damper with joint = %q", name, name)
	}
}

// sideways warns of a spring on a joint without lift of its wheel, if no other joint lifts the wheel.
func (c *checker) sideways(travels map[string]*travel) {
	for _, s := range component.All[component.Sprung](c.scope) {
		t := travels[s.Sprung()]
		if t == nil || t.turns {
			continue
		}
		if wheel := c.carried(s.Sprung())[0]; !slices.ContainsFunc(c.path(wheel), func(p *pose) bool {
			return math.Abs(travels[p.by.name].lift) >= leastLift
		}) {
			c.doubt(c.position(c.scope.Find(s.Sprung()),
				"axis"), "the spring %s acts on %s, which does not move the wheel %s up "+
				"and down, nor does another joint: let the axis of a suspension point up, axis = \"z\"", s.Head().Name, s.Sprung(),
				wheel.name)
		}
	}
}

// spanned reports whether a load other than springs on its coordinate acts between both sides of a joint: a damper or a
// spring between points, a rod, a force, or a damping anti-roll bar.
func (c *checker) spanned(t *travel) bool {
	roads := map[string]bool{graph.GroundFrame: true}
	for _, w := range component.All[component.Wheeled](c.scope) {
		roads[w.Wheel().Road] = true
	}
	for _, bar := range component.All[*component.AntiRollBar](c.scope) {
		if bar.Damping.Value > 0 && (bar.Left == t.by.name || bar.Right == t.by.name) {
			return true
		}
	}
	g := c.scope.Graph()
	for i := range g.Edges {
		e := &g.Edges[i]
		if roads[e.From] || roads[e.To] || e.Owner.Name == t.by.name || !t.turns && e.Domain == graph.Rotation {
			continue
		}
		owner := c.scope.Find(e.Owner.Name)
		if s, is := owner.(component.Sprung); is && s.Sprung() != "" {
			continue
		}
		if _, bar := owner.(*component.AntiRollBar); bar {
			continue
		}
		if c.beyond(e.From, t.by) != c.beyond(e.To, t.by) {
			return true
		}
	}
	return false
}

// beyond reports whether a joint is between a frame and the root.
func (c *checker) beyond(frame string, k *link) bool {
	for p := c.layout.poses[frame]; p != nil && p.by != nil; p = c.layout.poses[frame] {
		if p.by == k {
			return true
		}
		if frame = p.by.from; p.back {
			frame = p.by.to
		}
	}
	return false
}
