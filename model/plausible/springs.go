package plausible

import (
	"math"

	"skidpad/model/component"
)

// travel is a joint with springs that carries wheels.
type travel struct {
	start  float64 // of the coordinate
	lift   float64 // of the wheels by the coordinate [1, or m on a revolute joint]
	wheels int
	turns  bool // it is a joint that turns
	tilts  bool // it lifts one wheel and lowers another
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
				list[k.name] = &travel{start: k.start, lift: lift, turns: turns}
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
	slackShare = 0.01 // of the weight of a wheel: what a spring may pull
	mostDamped = 2    // times critical
	leastSwing = 0.3  // Hz, of what a spring carries
	mostSwing  = 20   // Hz
)

// springs: they carry the vehicle, and dampers let it move.
func (c *checker) springs() {
	travels := c.travels()
	type sum struct {
		first                      component.Component
		tension, stiffness, damper float64
	}
	sums := map[string]*sum{}
	var order []string
	for _, s := range component.All[component.Sprung](c.scope) {
		joint := s.Sprung()
		t := travels[joint]
		if t == nil || math.Abs(t.lift) < leastLift {
			continue
		}
		if sums[joint] == nil {
			sums[joint] = &sum{first: s}
			order = append(order, joint)
		}
		tension, slope := s.Tension(t.start)
		of := sums[joint]
		of.tension, of.stiffness, of.damper = of.tension+tension, of.stiffness+slope, of.damper+s.Viscous()
	}
	for _, joint := range order {
		t, s := travels[joint], sums[joint]
		share := c.weight / float64(len(c.tires)) * float64(t.wheels)
		if pull := -s.tension / t.lift; pull > slackShare*share {
			c.doubt(c.place(s.first, "free_length"), "the spring of %s pulls the wheel up at the start, by %.3g N: it does not "+
				"carry the vehicle; correct the sign of free_length or of the joint's axis, or the start value of %s",
				joint, pull, joint)
		}
		inertia := c.mass / float64(len(c.tires)) * float64(t.wheels) * t.lift * t.lift
		if swing := math.Sqrt(s.stiffness/inertia) / (2 * math.Pi); s.stiffness > 0 && !t.tilts &&
			(swing < leastSwing || swing > mostSwing) {
			unit := "30 N/mm are 30000 N/m"
			if t.turns {
				unit = "on a joint that turns it is N.m/rad"
			}
			c.doubt(c.place(s.first, "stiffness"), "the springs on %s have a stiffness of %.3g, on which their corner swings "+
				"at %.2g Hz (%.3g kg on them); a vehicle has 0.8 to 5 Hz: check the unit; %s", joint,
				s.stiffness, swing, inertia/(t.lift*t.lift), unit)
			continue
		}
		critical := 2 * math.Sqrt(s.stiffness*inertia)
		if s.stiffness > 0 && s.damper > mostDamped*critical {
			c.doubt(c.place(s.first, "damping"), "the damping on %s is %.3g, %.2g times the critical one of its corner "+
				"(%.3g, with %.3g kg on its spring); a damper of a car has 0.2 to 0.5 of it: check the unit, N.s/m without another",
				joint, s.damper, s.damper/critical, critical, c.mass/float64(len(c.tires))*float64(t.wheels))
		}
	}
}
