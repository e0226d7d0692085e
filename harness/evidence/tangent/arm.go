package tangent

import (
	"skidpad/model/component"
	"skidpad/model/keys"
)

// rigidArm joins two frames into one part; a weld is an arm of length zero.
type rigidArm struct{ *component.RigidArm }

func init() {
	for _, word := range []string{"rigid-arm", "weld"} {
		know(word, func(c *component.RigidArm) element { return rigidArm{c} })
	}
}

func (rigidArm) connect(*translator, *Vehicle) {}

func (c rigidArm) frames() []string { return []string{c.From, c.To} }

func (c rigidArm) arm(t *translator) (from, to string, relative frame) {
	return c.From, c.To, t.placed(c.Name, c.Translation, c.Sequence, c.Angles)
}

// road is a plane at rest with a frame in the plane.
type road struct{ *component.Road }

func init() { know("road", func(c *component.Road) element { return road{c} }) }

func (road) connect(*translator, *Vehicle) {}

func (c road) arm(t *translator) (from, to string, relative frame) {
	return component.GroundFrame, c.Frame, t.placed(c.Name, c.Translation, c.Sequence, c.Angles)
}

// placed is a frame at a translation and a rotation by angles; the user can set both.
func (t *translator) placed(name string, translation keys.Vector, sequence string, angles keys.Vector) frame {
	return frame{
		origin: vec(t.vector(name+".translation", axisNames, translation)),
		axes:   sequenced(sequence, t.vector(name, angleNames, angles)),
	}
}

// sensor observes nothing in this package: its outputs belong to two bodies.
type sensor struct{ *component.Sensor }

func init() { know("sensor", func(c *component.Sensor) element { return sensor{c} }) }

func (sensor) connect(*translator, *Vehicle) {}
