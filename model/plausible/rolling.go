package plausible

import (
	"fmt"
	"math"
	"strings"

	"skidpad/model/keys"
)

// Of wheels at the start.
const (
	leastRolled = 1.0 // m/s: slower vehicles may start with wheels at rest
	mostSlid    = 0.2 // of the speed, by which a wheel may turn faster or slower
)

// rolling: wheels turn with the speed at which the vehicle starts.
func (c *checker) rolling(s *start) {
	var names []string
	var first keys.Position
	var spin, needed, speed float64
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
		v, omega, radius := dot(s.velocityOf(t.at), heading), m.Speed.Start.Value, t.Radius.Value
		if math.Abs(v) < leastRolled || math.Abs(omega*radius-v) <= mostSlid*math.Abs(v) {
			continue
		}
		if names == nil {
			first, spin, needed, speed = c.place(c.scope.Find(k.name), "start"), omega, v/radius, v
		}
		names = append(names, k.name)
	}
	if names == nil {
		return
	}
	c.doubt(first, "at the start the vehicle travels at %.3g m/s, and its wheels turn at %s: %s; write start = { omega = "+
		"%.4g } (speed divided by radius) for these joints, or let \"skidpad trim\" find it", speed,
		fmt.Sprintf("%.3g rad/s", spin), strings.Join(names, ", "), needed)
}
