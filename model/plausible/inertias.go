package plausible

import "skidpad/model/component"

// inertias: a body can have them.
func (c *checker) inertias() {
	for _, h := range component.All[component.Heavy](c.scope) {
		inertia := h.Lump().Inertia
		if inertia == nil {
			continue
		}
		if text := inertia.DescribeExcess(h.Head().Name); text != "" {
			c.doubt(inertia.At(), "%s", text)
		}
	}
}
