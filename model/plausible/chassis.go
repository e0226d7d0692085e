package plausible

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/roles"
)

// chassis checks that the chassis of the roles, or a trailer's chassis, is the heaviest body, where the layout begins.
// It returns false otherwise.
func (c *checker) chassis(r *roles.Roles, heaviest component.Component) bool {
	if r == nil || heaviest == nil {
		return true
	}
	chassis, is := component.Named[component.Heavy](c.scope, r.Chassis)
	if !is || slices.Contains(r.Trailers, heaviest.Head().Name) {
		return true
	}
	if own, most := chassis.Lump().Mass.Value, heaviest.(component.Heavy).Lump().Mass.Value; own < most {
		c.doubt(c.position(chassis, "mass"),
			"the chassis %s has %.3g kg, and %s has %.3g kg: the chassis of the roles is the "+
				"heaviest body; check the units, as 1.2 t are 1200 kg", r.Chassis, own, heaviest.Head().Name, most)
		return false
	}
	return true
}
