package tangent

import (
	"skidpad/model/component"
	"skidpad/model/keys"
)

// motionDriver prescribes a motion about or along an axis.
type motionDriver struct{ *component.MotionDriver }

func init() {
	know("motion-driver", func(c *component.MotionDriver) element { return motionDriver{c} })
}

// drivenJoint is a joint whose motion is input.
func drivenJoint(h keys.Header, from, to string, axis [3]float64, translation bool) element {
	return motionDriver{&component.MotionDriver{Header: h, From: from, To: to, Axis: axis, Translation: translation}}
}

func (c motionDriver) frames() []string { return []string{c.From, c.To} }

func (c motionDriver) joint(*translator) joint { return joint{c, c.From, c.To, frame{axes: identity}} }

func (c motionDriver) connect(t *translator, v *Vehicle) {
	driven := t.jointConstraint(c.Name, c.From, c.To, c.Axis, 3, 3)
	position := ".angle"
	if driven.Rotation = !c.Translation; c.Translation {
		position = ".position"
	}
	driven.Drive = &[3]string{c.Name + position, c.Name + ".rate", c.Name + ".acceleration"}
	v.Constraints = append(v.Constraints, driven)
}
