package vehicle

import (
	"fmt"
	"strings"

	"skidpad/model/component"
	"skidpad/model/document"
	"skidpad/model/roles"
)

// checkRoles checks that the names in roles are in the model. Whether a component publishes a variable is known with
// the equations.
func (r *reader) checkRoles() {
	alone := map[string]bool{}
	for _, c := range component.All[component.Unprefixed](r.scope) {
		for _, v := range c.Unprefixed() {
			alone[v.Name] = true
		}
	}
	for _, q := range r.model.Quantities {
		alone[q.Name] = true
	}
	var tires, names []string
	for _, c := range r.model.Components {
		if names = append(names, c.Head().Name); rollsOnRoad(c) {
			tires = append(tires, c.Head().Name)
		}
	}
	steering, told := r.model.Roles.Steering, false
	for _, n := range r.model.Roles.Names {
		owner, _, _ := strings.Cut(n.Name, ".")
		_, parameter := r.Parameters[owner]
		c := r.scope.Find(owner)
		switch {
		case n.Role == "chassis" && c != nil && isGround(c):
			r.At(n.At, "roles.chassis names %q, a %s, which does not move; it is the body whose motion is the vehicle's", n.Name,
				c.Head().Type)
		case n.Kind == roles.Tire && (c == nil || !rollsOnRoad(c)):
			r.At(n.At, "roles.%s names %q, which is not a tire of the model%s (tires: %s)", n.Role, n.Name,
				nearest(n.Name, tires), strings.Join(tires, ", "))
		case n.Role == "steering" && steering.Wheel && isRack(c):
			r.At(n.At, "roles.steering.input names %q, the travel of a rack; it is the angle of a steering wheel. Give "+
				"drivers = [%q] and the ratio, the steering-wheel angle by the travel, such as \"131 rad/m\"", n.Name,
				owner)
		case n.Role == "steering" && n.Kind == roles.Component && c != nil && !told && isRack(c) != steering.Rack:
			told = true
			r.At(n.At, "%s", steersBy(steering, n.Name))
		case c == nil && !parameter && !alone[n.Name] && n.Kind != roles.Start:
			r.At(n.At, "roles.%s names %q, but there is no component %q%s", n.Role, n.Name, owner, nearest(owner, names))
		}
	}
}

// steersBy says that the ratio of a steering does not suit a driver.
func steersBy(s *roles.Steering, driver string) string {
	if s.Rack {
		return fmt.Sprintf("roles.steering.drivers names %q, which turns, and the ratio belongs to the travel of a rack; "+
			"give the ratio without a unit, such as 16", driver)
	}
	return fmt.Sprintf("roles.steering.drivers names %q, a rack, and the ratio %v is that of road wheels; give the "+
		"steering-wheel angle by the travel, such as ratio = \"%v rad/m\"", driver, s.Ratio, s.Ratio)
}

// rollsOnRoad reports whether a component can be the tire of an axle.
func rollsOnRoad(c component.Component) bool {
	return strings.Contains(c.Head().Type, "tire") || strings.Contains(c.Head().Type, "wheel")
}

// isRack reports whether a component is a motion driver of a translation.
func isRack(c component.Component) bool {
	driver, is := component.As[component.Receiving](c)
	return is && driver.Receives(component.Shifted)
}

// isGround reports whether a component is a road or a terrain.
func isGround(c component.Component) bool {
	return c.Head().Type == "road" || c.Head().Type == "terrain"
}

func nearest(word string, allowed []string) string {
	if near := document.Nearest(word, allowed); near != "" {
		return "; did you mean \"" + near + "\"?"
	}
	return ""
}
