package tangent

import "skidpad/model/component"

// freeJoint neither acts nor constrains.
type freeJoint struct{ *component.FreeJoint }

func init() { know("free", func(c *component.FreeJoint) element { return freeJoint{c} }) }

func (freeJoint) connect(*translator, *Vehicle) {}
