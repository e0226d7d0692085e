package plausible

import (
	"fmt"
	"math"
	"strings"

	"skidpad/model/component"
	"skidpad/model/keys"
)

// Of wheels at the start.
const (
	leastRolled = 1.0 // m/s: slower vehicles may start with wheels at rest
	mostSlid    = 0.2 // share of the speed that a wheel may turn faster or slower
)

// Spin is how a wheel turns at the start.
type Spin struct {
	Speed  float64 // of its centre, along the heading [m/s]
	Omega  float64 // of its joint [rad/s]
	Radius float64 // [m], below 0 where the joint turns the other way round
}

// Rolls reports whether it turns with its speed.
func (s Spin) Rolls() bool {
	return math.Abs(s.Speed) < leastRolled || math.Abs(s.Omega*s.Radius-s.Speed) <= mostSlid*math.Abs(s.Speed)
}

// Text reports that wheels do not roll at the start; s is the spin of the first of the joints.
func (s Spin) Text(joints []string) string {
	return fmt.Sprintf("at the start the vehicle travels at %.3g m/s, and its wheels turn at %.3g rad/s: %s; write "+
		"start = { omega = %.4g } (speed divided by radius) for these joints, or let \"skidpad trim\" find it", s.Speed,
		s.Omega, strings.Join(joints, ", "), s.Speed/s.Radius)
}

// RollingWheel is a tire with the joint about which it turns.
type RollingWheel struct {
	Tire, Joint string
	Sign        float64 // of the joint's angular velocity where the wheel rolls forward
	Place       string  // of the joint in the model file
}

// RollingWheels are the wheels of the tires that alone carry a vehicle.
func RollingWheels(s *component.Scope) (list []RollingWheel) {
	for _, t := range Carrying(s) {
		tire := s.Find(t.Name).(component.Wheeled).Wheel()
		for _, a := range s.Axles() {
			joint := s.Find(a.Joint)
			if a.Wheel.Frame == tire.Frame {
				list = append(list, RollingWheel{t.Name, a.Joint, a.Axis[a.Wheel.Axis], Place(joint.Head().Pos)})
			}
		}
	}
	return list
}

// rolling checks that wheels turn with the start speed of the vehicle.
func (c *checker) rolling(s *start) {
	var names []string
	var first keys.Position
	var spin Spin
	up := s.axes.transposed().of(vector{0, 0, 1})
	for _, t := range c.tires {
		k := t.by
		if k == nil || t.back || k.rotation.Space.Motion == nil || k.rotation.Space.Motion.Prescribed {
			continue
		}
		m := k.rotation.Space.Motion
		_, axle := c.axis(k, m)
		heading := cross(axle, up)
		heading = scaled(heading, 1/math.Sqrt(dot(heading, heading)))
		own := Spin{dot(s.velocityOf(t.at), heading), startOf(m.Speed, c.values), t.Radius.Value}
		if own.Rolls() {
			continue
		}
		if names == nil {
			first, spin = c.position(c.scope.Find(k.name), "start"), own
		}
		names = append(names, k.name)
	}
	if names == nil {
		return
	}
	c.doubt(first, "%s", spin.Text(names))
}
