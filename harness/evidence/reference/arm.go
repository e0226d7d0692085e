package reference

import "skidpad/model/component"

// rigidArm joins two frames into one part; a weld is an arm of length zero.
type rigidArm struct{ *component.RigidArm }

func init() {
	for _, word := range []string{"rigid-arm", "weld"} {
		know(word, func(c *component.RigidArm) element { return rigidArm{c} })
	}
}

func (rigidArm) add(*System) error { return nil }

func (c rigidArm) frames() []string { return []string{c.From, c.To} }

func (c rigidArm) arm() (from string, a arm) {
	return c.From, arm{c.To, vector(c.Translation), sequence(c.Sequence, values(c.Angles))}
}
