package reference

import (
	"skidpad/model/component"
	"skidpad/model/keys"
)

// motionDriver prescribes a motion about or along an axis.
type motionDriver struct {
	*component.MotionDriver
	driver *driver
	slides bool // it is a prismatic joint
}

func init() {
	know("motion-driver", func(c *component.MotionDriver) element { return &motionDriver{MotionDriver: c} })
}

// drivenJoint is a joint whose motion is input: nothing acts on its coordinate here.
func drivenJoint(h keys.Header, from, to string, axis [3]float64, translation bool) element {
	return &motionDriver{MotionDriver: &component.MotionDriver{Header: h, From: from, To: to, Axis: axis,
		Translation: translation}, slides: translation}
}

// quantities are position and rate of a prismatic joint.
func (c *motionDriver) quantities(s *System) []quantity {
	if !c.slides {
		return nil
	}
	return alongJoint(s.markers[c.From], s.markers[c.To], unit(c.Axis), c.Name+".s", c.Name+".s_dot")
}

func (c *motionDriver) frames() []string { return []string{c.From, c.To} }

func (c *motionDriver) add(s *System) error {
	c.driver = &driver{axis: unit(c.Axis), translation: c.Translation}
	if !c.led(s) {
		value := c.Name + ".angle"
		if c.Translation {
			value = c.Name + ".position"
		}
		c.driver.input = s.input(value, c.Name+".rate", c.Name+".acceleration")
	}
	ends := joint{name: c.Name, from: s.markers[c.From], to: s.markers[c.To], driver: c.driver}
	s.join(ends, points(), parallel())
	return nil
}

// led lets another component lead the driver, whose inputs nobody can set then.
func (c *motionDriver) led(s *System) bool {
	for _, other := range s.elements {
		if leader, is := other.(leading); is && leader.lead(s, c.driver, c.Name) {
			return true
		}
	}
	return false
}

func (c *motionDriver) connection(s *System, _ *givens) connection {
	rest := motion{axes: identity}
	return connection{c.Name, s.markers[c.From], s.markers[c.To], c.driver.moved(&rest, s.inputs.values)}
}
