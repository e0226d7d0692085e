package component

import (
	"skidpad/model/graph"
	"skidpad/model/keys"
)

// checkSpin notes a wheel whose speed would be negative when it rolls forward: the axis of its joint has to point to
// the left.
func checkSpin(s *Scope, r *keys.Reader, c Wheeled) {
	w := c.Wheel()
	for _, j := range All[Jointed](s) {
		m := j.Moves()
		if m.Domain != graph.Rotation || m.To != w.Frame || m.Axis[1] >= 0 {
			continue
		}
		h := j.Head()
		at := h.Pos
		if n := r.Root.Field("component").Field(h.Name).Field("axis"); n != nil {
			at = r.Position(n)
		}
		r.Place(at, "%s turns the wheel of %s about an axis that points to the right (y is %g): its speed would be below 0 "+
			"forward; let the axis point to the left, axis = \"y\", on both sides of a vehicle", h.Name, c.Head().Name,
			m.Axis[1])
	}
}
