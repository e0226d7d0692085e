package tangent

import (
	"skidpad/model/component"
)

// motionDriver prescribes a motion about or along an axis.
type motionDriver struct{ *component.MotionDriver }

func init() {
	know("motion-driver", func(c *component.MotionDriver) element { return motionDriver{c} })
}

func (c motionDriver) frames() []string { return []string{c.From, c.To} }

func (c motionDriver) joint(*translator) joint { return joint{c, c.From, c.To, frame{axes: identity}} }

func (c motionDriver) connect(t *translator, v *Vehicle) {
	driven := t.between(c.Name, c.From, c.To, c.Axis, 3, 3)
	position := ".angle"
	if driven.Rotation = !c.Translation; c.Translation {
		position = ".position"
	}
	driven.Drive = &[3]string{c.Name + position, c.Name + ".rate", c.Name + ".acceleration"}
	v.Constraints = append(v.Constraints, driven)
}
