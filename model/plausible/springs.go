package plausible

import (
	"math"
	"slices"

	"skidpad/model/component"
)

// travel is a joint with springs that carries wheels.
type travel struct {
	start  float64 // of the coordinate
	lift   float64 // of the wheels by the coordinate [1, or m on a revolute joint]
	wheels int
	turns  bool // it is a joint that turns
	tilts  bool // it lifts one wheel and lowers another
	by     *link
}

// travels are the joints on the ways from wheels to the root, by their names.
func (c *checker) travels() map[string]*travel {
	list := map[string]*travel{}
	for _, t := range c.tires {
		for _, p := range c.path(t) {
			k, lift, turns := p.by, 0.0, false
			switch m, turning := k.translation.Space.Motion, k.rotation.Space.Motion; {
			case k.translation.Space.Guide != nil:
				lift = c.layout.poses[k.from].axes[2][2]
			case m != nil && !m.Prescribed:
				_, u := c.axis(k, m)
				lift = u[2]
			case turning != nil && !turning.Prescribed:
				at, u := c.axis(k, turning)
				lift, turns = cross(u, add(t.at, scaled(at, -1)))[2], true
			}
			if p.back {
				lift = -lift
			}
			if list[k.name] == nil {
				list[k.name] = &travel{start: k.start, lift: lift, turns: turns, by: k}
			}
			list[k.name].wheels++
			list[k.name].tilts = list[k.name].tilts || lift*list[k.name].lift < 0
		}
	}
	return list
}

// Of springs and dampers.
const (
	leastLift  = 0.1  // of a wheel by a coordinate
	slackShare = 0.01 // of the weight of a wheel: largest pull of a spring
	mostDamped = 2    // times critical
	leastSwing = 0.3  // Hz, of the mass on a spring
	mostSwing  = 20   // Hz
	leastDamps = 0.01 // times critical
	// share of the vehicle's weight that springs bear at the start
	leastBorne = 0.5
	mostBorne  = 1.5
)

// sprung are the springs and dampers on one joint.
type sprung struct {
	*travel
	joint                      string
	first                      component.Component
	tension, stiffness, damper float64
	damps                      bool
}

// springs: they carry the vehicle, and dampers let it move.
func (c *checker) springs() {
	travels := c.travels()
	for _, e := range component.All[*component.Compliance](c.scope) {
		delete(travels, e.Over) // springs between points bear a hub that yields
	}
	var list []*sprung
	for _, s := range component.All[component.Sprung](c.scope) {
		t := travels[s.Sprung()]
		if t == nil || math.Abs(t.lift) < leastLift {
			continue
		}
		k := slices.IndexFunc(list, func(o *sprung) bool { return o.joint == s.Sprung() })
		if k < 0 {
			k, list = len(list), append(list, &sprung{travel: t, joint: s.Sprung(), first: s})
		}
		length, lever := s.Reach(t.start)
		tension, slope := s.Tension(length)
		list[k].tension, list[k].stiffness = list[k].tension+tension*lever, list[k].stiffness+slope*lever*lever
		list[k].damper += s.Viscous() * lever * lever
		list[k].damps = list[k].damps || s.Damps()
	}
	borne, on, right := 0.0, 0, c.mass >= leastMass // by springs, and by how many wheels
	for _, s := range list {
		if !s.tilts {
			borne, on = borne+s.tension/s.lift, on+s.wheels
		}
		right = c.rates(s) && right
	}
	c.unsprung(travels, list)
	c.sideways(travels)
	if !right || on != c.wheels || on == 0 || Carrying(c.scope) == nil {
		return // something else bears some wheels
	}
	if of := borne / c.weight; borne > 0 && (of < leastBorne || of > mostBorne) {
		c.doubt(c.position(list[0].first, "free_length"),
			"at the start the springs of the wheels bear %.3g N in all, %.2g of "+
				"the weight: the vehicle jumps or sinks; correct the loads or free lengths of the springs, or let "+
				"\"skidpad trim\" find the start values of the travels", borne, of)
	}
}

// rates warns of implausible springs and dampers of a joint. It returns false if their stiffness seems to be in another
// unit.
func (c *checker) rates(s *sprung) bool {
	mass := c.mass / float64(c.wheels) * float64(s.wheels)
	share := c.weight / float64(c.wheels) * float64(s.wheels)
	if pull := -s.tension / s.lift; pull > slackShare*share {
		c.doubt(c.position(s.first, "free_length"),
			"the spring of %s pulls the wheel up at the start, by %.3g N: it does not "+
				"carry the vehicle; correct the sign of free_length or of the joint's axis, or the start value of %s",
			s.joint, pull, s.joint)
	}
	inertia := mass * s.lift * s.lift
	if swing := math.Sqrt(s.stiffness/inertia) / (2 * math.Pi); s.stiffness > 0 && !s.tilts &&
		(swing < leastSwing || swing > mostSwing) {
		unit := "30 N/mm are 30000 N/m"
		if s.turns {
			unit = "on a joint that turns it is N.m/rad"
		}
		c.doubt(c.position(s.first, "stiffness"), "the springs on %s have a stiffness of %.3g, on which their corner swings "+
			"at %.2g Hz (%.3g kg on them); a vehicle has 0.8 to 5 Hz: check the unit; %s", s.joint, s.stiffness, swing,
			mass, unit)
		return false
	}
	critical := 2 * math.Sqrt(s.stiffness*inertia)
	if !s.tilts && s.damper > 0 && s.damper < leastDamps*critical {
		c.doubt(c.position(s.first, "damping"), "the damping on %s is %.3g, %.2g times the critical one of its corner "+
			"(%.3g): it swings on and on; a damper of a car has 0.2 to 0.5 of it: check the unit, 2 kN.s/m are 2000 N.s/m",
			s.joint, s.damper, s.damper/critical, critical)
	}
	c.undamped(s, critical)
	if s.stiffness > 0 && s.damper > mostDamped*critical {
		c.doubt(c.position(s.first, "damping"), "the damping on %s is %.3g, %.2g times the critical one of its corner "+
			"(%.3g, with %.3g kg on its spring); a damper of a car has 0.2 to 0.5 of it: check the unit, N.s/m without another",
			s.joint, s.damper, s.damper/critical, critical, mass)
	}
	return true
}
