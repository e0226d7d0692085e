package roles

import (
	"strconv"
	"strings"
)

// Role is how manoeuvres name a variable, such as @chassis.vx or @wheel[1L].Fz; "" for one that no role names.
// Roles.Variable leads back to the variable.
func (r *Roles) Role(variable string) string {
	if r == nil {
		return ""
	}
	for _, name := range r.candidates(variable) {
		if back, err := r.Variable(name); err == nil && back == variable {
			return name
		}
	}
	return ""
}

// candidates are names that a variable may have by the component before its first dot, or whole.
func (r *Roles) candidates(variable string) (list []string) {
	for _, w := range words {
		if !w.indexed && !w.quantity {
			list = append(list, "@"+w.role)
		}
	}
	component, quantity, _ := strings.Cut(variable, ".")
	add := func(of, role string) {
		if of != "" && of == component {
			list = append(list, role+"."+quantity)
		}
	}
	add(r.Chassis, "@chassis")
	add(r.Road, "@road")
	if r.Steering != nil {
		add(r.Steering.Drivers[0], "@steering")
	}
	for _, p := range r.places() {
		add(p.wheel.Tire, "@wheel["+p.index+"]")
		add(p.wheel.Unsprung, "@unsprung["+p.index+"]")
		if p.wheel.Spin == variable {
			list = append(list, "@wheel["+p.index+"]."+spin)
		}
		if p.wheel.Travel == variable {
			list = append(list, "@travel["+p.index+"]")
		}
	}
	for i, chassis := range r.Trailers {
		add(chassis, "@trailer["+strconv.Itoa(i+1)+"]")
	}
	return list
}
