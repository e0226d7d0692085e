package plausible

import (
	"slices"

	"skidpad/model/component"
	"skidpad/model/roles"
)

// chassis: the chassis of the roles, or one of a trailer, is the heaviest body, from which the layout begins. It is
// false where it is not.
func (c *checker) chassis(r *roles.Roles, heaviest component.Component) bool {
	if r == nil || heaviest == nil {
		return true
	}
	chassis, is := component.Named[component.Heavy](c.scope, r.Chassis)
	if !is || slices.Contains(r.Trailers, heaviest.Head().Name) {
		return true
	}
	if own, most := chassis.Lump().Mass.Value, heaviest.(component.Heavy).Lump().Mass.Value; own < most {
		c.doubt(c.place(chassis, "mass"), "the chassis %s has %.3g kg, and %s has %.3g kg: the chassis of the roles is the "+
			"heaviest body; check the units, as 1.2 t are 1200 kg", r.Chassis, own, heaviest.Head().Name, most)
		return false
	}
	return true
}
